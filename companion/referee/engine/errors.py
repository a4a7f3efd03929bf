"""The two ways in which a well-formed command does not simply happen."""

from companion.referee.reasons import Problem
from companion.referee.table import Play


class IllegalCommand(Exception):
    """The command is refused here; ``problems`` are all the reasons, in a stable order."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__(", ".join(problem.reason.value for problem in problems))
        self.problems = problems


class Ambiguous(Exception):
    """The command is legal in several ways; ``plays`` are those to choose from."""

    def __init__(self, plays: tuple[Play, ...]) -> None:
        super().__init__(f"{len(plays)} ways")
        self.plays = plays
