// Counting a hand of Grebber: tapped cards fill in their points, a card taken in one place is out of reach in the
// others, and the check of sixty follows every tap. Without this file the page after this one checks.
const SUM = /^[0-9]+(\s*\+\s*[0-9]+)*$/;
const form = document.querySelector("[data-kruth]");
const said = form.querySelector("[data-said]");
const cards = [...form.querySelectorAll('.kruth-grid input[type="checkbox"]')];

const value = (text) => (SUM.test(text.trim()) ? text.split("+").reduce((all, one) => all + Number(one), 0) : null);
const part = (card) => card.closest("[data-part]").dataset.part;

function tapped(field) {
  const own = cards.filter((card) => part(card) === field);
  const chosen = own.filter((card) => card.checked);
  const input = document.getElementById(field);
  input.value = chosen.length ? chosen.reduce((all, card) => all + Number(card.dataset.points), 0) : "";
}

function follow() {
  const taken = new Set(cards.filter((card) => card.checked).map((card) => card.value));
  for (const card of cards) card.disabled = taken.has(card.value) && !card.checked;
  let laid = 0;
  let held = 0;
  for (const score of form.querySelectorAll("[data-score]")) {
    const seat = score.dataset.score;
    const parts = ["laid", "held"].map((what) => value(document.getElementById(`${what}-${seat}`).value));
    const wild = [...form.querySelectorAll(`[data-wild="${seat}"]`)].reduce((all, one) => all + Number(one.selectedOptions[0].dataset.points), 0);
    laid += parts[0] ?? 0;
    held += parts[1] ?? 0;
    score.textContent = parts.includes(null) ? "" : `= ${parts[0] + wild - parts[1]}`.replace("-", "−");
  }
  const sum = laid + held;
  const above = sum > 60;
  said.classList.toggle("above", above);
  const facts = { laid, held, sum, left: 60 - sum };
  said.textContent = above ? `${laid} + ${held} = ${sum}. ${form.dataset.above}` : form.dataset.check.replace(/\{(\w+)\}/g, (_all, name) => facts[name]);
}

form.addEventListener("change", (event) => {
  if (event.target.type === "checkbox") tapped(part(event.target));
  follow();
});
form.addEventListener("input", follow);
follow();

// So that going back from the preview finds the form as it was left.
form.addEventListener("submit", () => {
  const typed = new URLSearchParams(new FormData(form));
  typed.set("change", "1");
  history.replaceState(null, "", `?${typed}`);
});
