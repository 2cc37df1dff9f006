"""Judge the hashing lab: searches with no table, with open and with closed hashing; both tables alone."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from framework.cells49 import CellsError, Triple, number_of, triple_of
from framework.lab_table import NONE
from grader.catalog.boards import Facts, NamedBoard, course_boards, find_board
from grader.catalog.tasks import Asked, Check, Registry, Task
from grader.errors import InputError
from grader.judging.kinds import lab_rounds, lab_search, lab_tables
from grader.judging.kinds.kind import Kind, chance_order, depends_on_more, ruled, unpaid
from grader.judging.kinds.lab_rounds import KINDS
from grader.judging.kinds.solve import withheld
from grader.messages.catalogue import Message, say
from grader.result import Result, Verdict, waited
from grader.sandbox import answers
from grader.sandbox.answers import FrameError

COMPILE_BOARD = "lab-6"
UNSOLVABLE_NODES = 5_000_000  # most positions of a search without memory that surely ends in time
FEW_POSITIONS = 300  # of an unsolvable board on which such a search surely ends in time, too
SOLVABLE_POSITIONS = 10_000  # for solvable boards the time depends on the order of moves
MUCH_SLOWER_S = 0.5  # CPU seconds
SAVED = 20  # a table must pay off if a search without one visits each position this often


@dataclass(frozen=True)
class LabAnswer:
    """A child's answer: the searches asked for, the answers of each table, and hashes."""

    searches: list[lab_search.Searched]
    rounds: list[lab_rounds.Filled]
    first: list[int]
    second: list[int]


class Lab10(Kind):
    """The checks of lab10: searches with each kind of table, and tests of the student's two tables alone."""

    variants = MappingProxyType({kind: int(kind != "none") for kind in KINDS})  # that may run out of time
    asks_other_functions = True
    answer_bytes = 4 << 20  # the arrays of a table with MOST_KEPT keys
    plain_functions = ("solve", "new", "open_new", "closed_new")
    shows_facts = False

    # ---- what is asked -------------------------------------------------------------------------

    def has_board(self, check: Check) -> bool:
        return bool(check.variant)

    def where(self, check: str) -> str:
        return super().where(check) if self.board_of(check)[1] else f"in the check {check}"

    def turned(self, check: Check, image: str) -> Check | None:
        """Return None: a turn of all 8 x 8 cells would move the 33 holes, and the lab's holes are fixed."""
        return None

    def check_board(self, board: NamedBoard) -> None:
        try:
            number_of(board.board)
        except CellsError as error:
            raise InputError(f"board {board.name}: {error.problem}", error.help) from None

    def request(self, asked: Asked) -> dict[str, Any]:
        name, board = asked.check.board, asked.board
        kinds = [KINDS[asked.check.variant]] if board else []
        return _question(name, board, kinds, name == lab_rounds.HASHES, asked.debug)

    def more_requests(self, asked: Asked, answer: LabAnswer) -> list[dict[str, Any]]:
        """Ask for the hashes of the same keys, in another order, or of keys in the arrays of tables.

        Another process hashes them: whatever fills the arrays, the student's hashes must lead to each key.
        """
        if asked.check.board != lab_rounds.HASHES:
            tables = _tables(asked, answer)
            return [{**_question("", None, [], False, False), "hashes": lab_tables.to_hash(tables)}] * bool(
                tables
            )
        known = lab_rounds.hashes(asked.debug)
        keys = [known["keys"][each] for each in chance_order(len(known["keys"]), "hashes")]
        return [{**self.request(asked), "hashes": {**known, "keys": keys}}]

    def tried(self, asked: Asked, answer: LabAnswer, more: Sequence[LabAnswer], result: Result) -> Result:
        """Compare both hashes of each key with those from the second run, or follow arrays by them."""
        (second,) = more
        if result.verdict != Verdict.ACCEPTED:
            return result
        if asked.check.board != lab_rounds.HASHES:
            told = lab_tables.astray(_tables(asked, answer), second.first, second.second)
            return result if told is None else ruled(replace(result, points=0), Verdict.WRONG_ANSWER, told)
        number = len(lab_rounds.hashes(asked.debug)["keys"])
        order = chance_order(number, "hashes")
        for what, first, again in (
            ("first_hash", answer.first, second.first),
            ("second_hash", answer.second, second.second),
        ):
            parts = [first[at : at + number] for at in range(0, len(first), number)]
            if [part[each] for part in parts for each in order] != again:
                return depends_on_more(what, result)
        return result

    def compiling(self, task: Task, registry: Registry) -> dict[str, Any]:
        board = find_board(COMPILE_BOARD, course_boards())
        return _question(lab_rounds.EVERYTHING, board, list(KINDS.values()), True, True)

    # ---- what an answer earns ------------------------------------------------------------------

    def parse(self, loaded: dict[str, Any]) -> LabAnswer:
        if "searches" not in loaded:
            raise FrameError("an answer that was not asked for")
        return LabAnswer(
            [lab_search.parse_searched(each) for each in answers.listed(loaded, "searches")],
            [lab_rounds.parse_filled(each) for each in answers.listed(loaded, "rounds")],
            [answers.integer(each) for each in answers.listed(loaded, "first")],
            [answers.integer(each) for each in answers.listed(loaded, "second")],
        )

    def judge(self, asked: Asked, answer: LabAnswer, result: Result) -> Result:
        if asked.board is None:
            return lab_tables.judge(asked, answer.rounds, answer.first, answer.second, result)
        if len(answer.searches) != 1:
            return ruled(result, Verdict.BAD_RETURN, say("lab-one-answer"))
        return lab_search.judge(asked, asked.board, answer.searches[0], result)

    def settle(self, results: list[Result], boards: Sequence[NamedBoard | None]) -> list[Result]:
        """Excuse timeouts of searches without a table, and check that a table saves time.

        As in other tasks, a program that always gives up earns no points on unsolvable boards. A search with
        a table earns nothing until the checks of its kind of table are passed and, since luck can solve a
        board, until such a table has remembered an unsolvable one.
        """
        # A hidden board may have the name of a visible one, whose message must not reveal its time.
        cpu_s = {
            (result.hidden, result.board): result.cpu_s
            for result in results
            if result.verdict == Verdict.ACCEPTED
        }
        facts = [board.facts if board else None for board in boards]
        results = [
            _excused(_in_order(result, its, cpu_s), its) for result, its in zip(results, facts, strict=True)
        ]
        can = [each.solvable if each else None for each in facts]
        waits = [_waits_for(result, results, can) for result in results]
        return [
            unpaid(result, told) if told and result.points else result
            for result, told in zip(withheld(results, can), waits, strict=True)
        ]

    def not_judged(self, board: NamedBoard) -> str:
        try:
            number_of(board.board)
        except CellsError as error:
            return error.problem
        return "whether it can be solved is not known" if board.facts.solvable is None else ""

    # ---- words ---------------------------------------------------------------------------------

    def moves_found(self, results: Sequence[Result]) -> list[str]:
        """Return each solution once, with the searches that found it."""
        solutions: dict[tuple[Triple, ...], list[str]] = {}
        for result in results:
            if result.jumps and result.verdict == Verdict.ACCEPTED:
                moves = tuple(triple_of(jump) for jump in result.jumps)
                solutions.setdefault(moves, []).append(result.board)
        lines = []
        for moves, names in solutions.items():
            lines.append(f"{', '.join(names)}: the moves, each as from, over, to")
            written = [f"{start:2} {over:2} {end:2}" for start, over, end in moves]
            lines += ["  " + "   ".join(written[at : at + 6]) for at in range(0, len(written), 6)]
            lines.append("")
        return lines

    def parameters(self, task: Task) -> tuple[str, ...]:
        return ("board", "table")

    def slow(self, asked: Asked) -> Message:
        if asked.board is None:
            return lab_tables.slow(asked.check.board)
        facts, variant = asked.board.facts, asked.check.variant
        nodes = facts.naive_nodes if variant == "none" or not facts.solvable else None
        id = "lab-loop-slow" if variant == "none" else "lab-search-slow"
        return say(id, positions=facts.positions, nodes=nodes, about=facts.solvable)

    def loop_help(self, task: Task) -> Message:
        return say("lab-loop-slow", nodes=None, about=False)

    def memory_help(self, task: Task) -> Message:
        return say("lab-memory")


def may_time_out(facts: Facts) -> bool:
    """Return whether a search without a table may take too long on a board."""
    if facts.solvable is False:
        if facts.naive_nodes is None:
            return facts.positions is None or facts.positions > FEW_POSITIONS
        return facts.naive_nodes > UNSOLVABLE_NODES
    return facts.positions is None or facts.positions > SOLVABLE_POSITIONS


def _tables(asked: Asked, answer: LabAnswer) -> list[lab_tables.Led]:
    """Return the tables of an answer whose arrays were sent: one of each round, or that of the search."""
    if asked.board is None:
        rounds = lab_rounds.rounds(asked.check.board, asked.debug)
        filled = zip(rounds, answer.rounds, strict=False)
        return [(round.kind, each.capacities[-1], each.kept) for round, each in filled if each.kept]
    kind = KINDS[asked.check.variant]
    searches = answer.searches if len(answer.searches) == 1 else []  # others are refused
    return [(kind, each.capacity, each.kept) for each in searches if each.kept and kind]


def _waits_for(result: Result, results: list[Result], can: Sequence[bool | None]) -> Message | None:
    """Return the message on what must be right before a search with a table earns its points, if anything."""
    _, _, variant = result.board.rpartition(":")
    if KINDS.get(variant, NONE) == NONE:
        return None
    wrong = next((each.board for each in results if _fails(each, variant)), None)
    if wrong is not None:
        return say("lab-waits-for-tables", check=wrong, kind=variant)
    right = [
        each.verdict == Verdict.ACCEPTED
        for each, solvable in zip(results, can, strict=True)
        if solvable is False and each.max_points and each.hidden == result.hidden
        if each.board.endswith(f":{variant}")
    ]
    if right and not any(right):
        return say("lab-luck", kind=variant)
    return None


def _fails(result: Result, variant: str) -> bool:
    """Return whether a result is that of a check of one kind of table, and not the right one."""
    is_of_table = result.board.startswith(f"{variant}-") and ":" not in result.board
    return is_of_table and not result.full


# ---- times ---------------------------------------------------------------------------------------


def _excused(result: Result, facts: Facts | None) -> Result:
    """Accept that a search without a table ran out of time, on boards where that is expected."""
    if facts is None or not result.board.endswith(":none") or waited(result.cpu_s, result.wall_s):
        return result
    if result.verdict != Verdict.TIMEOUT or not may_time_out(facts):
        return result
    told = say("lab-slow-as-expected", nodes=None if facts.solvable else facts.naive_nodes)
    return ruled(replace(result, answer="out of time", points=result.max_points), Verdict.ACCEPTED, told)


def _in_order(result: Result, facts: Facts | None, cpu_s: dict[tuple[bool, str], float]) -> Result:
    """Reject a search with a table that is much slower than the same search without one.

    It is rejected only if a search without a table visits each position many times, and only if a busy
    machine cannot explain the difference.
    """
    board, _, variant = result.board.rpartition(":")
    none_s = cpu_s.get((result.hidden, f"{board}:none"))
    if facts is None or variant == "none" or none_s is None or result.verdict != Verdict.ACCEPTED:
        return result
    if facts.solvable or not facts.positions or (facts.naive_nodes or 0) < SAVED * facts.positions:
        return result
    if result.cpu_s < 2 * none_s + MUCH_SLOWER_S:
        return result
    told = say("lab-table-slower", cpu_s=f"{result.cpu_s:.2f}", none_s=f"{none_s:.2f}")
    return ruled(replace(result, points=0), Verdict.WRONG_ANSWER, told)


def _question(
    name: str, board: NamedBoard | None, kinds: list[int], hashed: bool, few: bool
) -> dict[str, Any]:
    """Return the question that asks for searches of a board, a check's rounds on tables, and hashes."""
    return {
        "kind": "lab10",
        "searches": [[number_of(board.board), kind] for kind in kinds] if board else [],
        "rounds": [each.order() for each in lab_rounds.rounds(name, few)],
        "hashes": lab_rounds.hashes(few) if hashed else {"keys": [], "capacities": []},
    }
