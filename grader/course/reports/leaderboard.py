"""Make the leaderboard: students with full marks, ranked by the fewest unsolvable states.

The number of states is the size of the student's own table, so it is a claim. CPU seconds vary from run to
run, and rank nobody. Names are pseudonyms by default: a keyed digest of the id, with a random key that is
made once and then kept in the class's store.
"""

import hashlib
import hmac
import secrets
from typing import NamedTuple

from grader.catalog.tasks import Task
from grader.course.reports.standings import Standings
from grader.course.store import ClassStore
from grader.messages.phrases import count
from grader.reports.markdown import in_line, table_of
from grader.result import Verdict

KEY = "leaderboard key"
MOST = 100  # places listed per task


class Place(NamedTuple):
    """A student's place in one task."""

    rank: int  # the rank, from 1; places with equal states share a rank
    student: str
    states: int


def places(standings: Standings, hides: bool = False) -> list[tuple[Task, list[Place]]]:
    """Return, for each task with a table, the places of the students with full marks."""
    rows = standings.rows(
        "SELECT had.task, rank() OVER (PARTITION BY had.task ORDER BY sum(states)), had.student, sum(states) "
        "FROM had JOIN "
        "(SELECT graded, verdict, points AS earned, max_points AS most, "
        "iif(shown, unsolvable, NULL) AS states "
        "FROM (SELECT *, NOT (? AND coalesce(json_extract(result, '$.hidden'), 0)) AS shown FROM checks)) "
        "USING (graded) GROUP BY had.task, had.student "
        "HAVING min(verdict = ?) AND sum(earned) = sum(most) AND count(states) ORDER BY 2, 3",
        hides,
        Verdict.ACCEPTED,
    )
    return [
        (task, [Place(*place) for name, *place in rows if name == task.name])
        for task in standings.tasks
        if task.table
    ]


def format_leaderboard(standings: Standings, named: bool = False, hides: bool = False) -> str:
    """Return the leaderboard as Markdown.

    Args:
        hides: whether checks on hidden boards are left out of the states. A program with right answers may
            claim any number of states, and so could encode a hidden board in that number.
    """
    key = pseudonym_key(standings.store)
    names = {each.student.id: each.student.name for each in standings.students}
    lines = [
        "# Leaderboard",
        "",
        "Students with full marks, ranked by the fewest states. *States* is the size of the student's own",
        "table in all checks together, a claim that the judge does not measure.",
    ]
    if not named:
        lines.append("Names are pseudonyms; your feedback shows yours.")
    if hides and standings.board_set:
        lines.append("They are for boards that may be shown; answers on the others must also be right.")
    ranks = places(standings, hides)
    if not ranks:
        lines += ["", "No task of this run counts states."]
    for task, ranked in ranks:
        lines += ["", f"## {task.name}: {task.title}", ""]
        if not ranked:
            lines.append("Nobody is ranked.")
            continue
        rows = []
        for place in ranked[:MOST]:
            who = in_line(names[place.student]) if named else pseudonym(key, place.student)
            rows.append([str(place.rank), who, f"{place.states:,}"])
        lines.append(table_of(["place", "who", "states claimed"], rows, ["right", "left", "right"]))
        if len(ranked) > MOST:
            lines += ["", f"and {count(len(ranked) - MOST, 'student')} more"]
    return "\n".join(lines) + "\n"


def pseudonym_key(store: ClassStore) -> str:
    """Return the key of the class's pseudonyms; the first call makes a random key."""
    key = store.noted(KEY)
    if not key:
        key = secrets.token_hex(16)
        store.note(KEY, key)
    return key


def pseudonym(key: str, student: str) -> str:
    """Return a student's pseudonym, which is always the same with the same key."""
    digest = hmac.new(key.encode(), student.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()
    return f"peg-{digest[:4]}-{digest[4:8]}"
