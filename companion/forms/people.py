"""What the page of a person sends: another name, whom to merge them into, and what a button asks."""

from flask_babel import lazy_gettext as _l

from companion.forms.fields import Field, Form, Number


class Whom(Number):
    """Another person, listed by name."""

    of_people = True


class PersonForm(Form):
    """What to do, the name typed, whom to merge into, the change to take back, the last change that its page showed."""

    do = Field(kept=20)
    name = Field(_l("Name"), render_kw={"maxlength": "160"})
    into = Whom(_l("Same person as"))
    change = Number()
    seen = Number()

    def refuse(self, sentence: str) -> None:
        """Say at the field of what was to be done, or at its button, why it was not."""
        {"rename": self.name, "merge": self.into}.get(self.do.text, self).error = sentence
