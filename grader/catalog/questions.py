"""The questions that students answer before they write a program, for `grade predict` and the handouts."""

from dataclasses import dataclass

from grader.catalog.yaml_file import Fields
from grader.errors import unknown

WORDS = {
    "first-taken-back": "Which jump does your search take back first on `{board}`?",
    "first-recorded": "Which board enters your table first on `{board}`?",
    "first-tried": "Which jump does your search try first on `{board}`?",
    "can-win": "How many boards will `fill_winning` find if it goes back one jump on `{board}`?",
}


@dataclass(frozen=True)
class Question:
    """A question about what a program will do on a small board; its kind is one of WORDS."""

    kind: str
    board: str

    @property
    def words(self) -> str:
        """The question, as on the handout: in Markdown."""
        return WORDS[self.kind].format(board=self.board)


def read_question(task: Fields) -> Question | None:
    """Return the question of a task's entry in the registry; None if it has none.

    Raises:
        InputError: it has no known kind, or no board.
    """
    if task.optional("question", dict) is None:
        return None
    entry = task.mapping("question")
    kind = entry.field("kind", str)
    if kind not in WORDS:
        wrong = unknown("kind", kind, WORDS, f"kinds: {', '.join(WORDS)}")
        raise entry.fault("kind", wrong.message, wrong.help)
    return Question(kind, entry.field("board", str))
