"""Judge programs that keep a table of boards: it helps to explain answers, and some points are for it."""

from collections.abc import Sequence
from itertools import islice
from typing import Any, ClassVar

from grader.catalog.boards import Facts, NamedBoard
from grader.catalog.tasks import Asked, has_earlier_search
from grader.judging.kinds import table_truth
from grader.judging.kinds.kind import Kind, above, below, ruled, unpaid, words_of
from grader.judging.kinds.table_truth import Drawn, Positions, Table
from grader.messages.catalogue import Message, picture, say, with_jump
from grader.result import Result, Verdict
from grader.sandbox.answers import Answer

MOST = 0.9  # of the positions, which a table with wrong keys does not hold


class WithTable(Kind):
    """A kind of task whose table of boards, if there is one, is looked into once an answer is judged."""

    exact: ClassVar[bool]  # whether the answer must be exactly the fewest pegs
    answer_bytes = 4 << 20  # the keys of a table

    def remembered(self, board: NamedBoard, answer: Answer, result: Result) -> Result:
        """Return a right result, but take its points for remembering boards if the table is far too small."""
        too_small = answer.states is not None and table_truth.is_too_small(answer.states, board.facts)
        if self.visits_all and too_small and not board.hidden:
            return _without_points(result, board.facts)
        return result

    def boards_to_look_up(self, asked: Asked, answer: Answer) -> list[str]:
        """Return boards that show what is wrong with the table of a visible board.

        These are all positions of a small board if the answer suggests that its table is wrong; otherwise, on
        a board whose points are for remembering, some positions that must be in it.
        """
        board = asked.board
        assert board is not None
        if board.hidden or answer.states is None:
            return []
        if self.exact and board.facts.forced:  # the message already shows which jump is not made
            counted = answer.jumps and board.facts.solvable and answer.states
            return table_truth.boards_to_look_up(board.board) if counted else []
        if answer.jumps or not 1 < answer.number <= board.pegs or (answer.board != board.board).any():
            return []
        if self._is_drawn_from(asked, answer):
            return table_truth.drawn(board.board).texts
        if not table_truth.is_small(board.facts):
            return []
        if board.facts.solvable:
            return table_truth.boards_to_look_up(board.board)
        # It can be right if images of a position share a key, or if boards without a jump are left out.
        is_wrong = self.exact and answer.number < (board.facts.fewest or 0)
        has_other_size = answer.states != board.facts.positions and not is_wrong
        if self.visits_all and board.facts.solvable is False and has_other_size:
            return [*table_truth.boards_to_look_up(board.board), *table_truth.strange(board.board)]
        return []

    def _is_drawn_from(self, asked: Asked, answer: Answer) -> bool:
        """Return whether some positions are enough: the answer is right, and so may be the table's size."""
        assert asked.board is not None
        facts = asked.board.facts
        if not self.visits_all or not table_truth.needs_memory(facts):
            return False
        if self.exact and answer.number != facts.fewest:
            return False
        return not table_truth.is_small(facts) or answer.states == facts.positions

    def looked_up(self, asked: Asked, answer: Answer, found: list[int] | None, result: Result) -> Result:
        """Add to the message what is wrong with the table; that may cost the points for the table."""
        board = asked.board
        assert board is not None and answer.states is not None
        found = found or []
        if self._is_drawn_from(asked, answer):
            return _of_drawn(table_truth.drawn(board.board), answer.states, found, board.facts, result)
        known = table_truth.positions(board.board)
        strange = [] if board.facts.solvable else table_truth.strange(board.board)
        found, found_strange = found[: -len(strange) or None], found[len(found) - len(strange) :]
        table = table_truth.table_of(known, answer.states, found)
        if table is None:
            return _without_answer(board.facts, result)
        is_right = result.verdict == Verdict.ACCEPTED
        if is_right and board.facts.solvable:
            return _with_solved(known, table, result)
        if board.facts.solvable:
            return self._with_wrong_board(asked, known, table, result)
        if is_right and any(found_strange):
            return _without_points(ruled(result, result.verdict, say("strange-in-table")), board.facts)
        told = missing(known, table) if is_right else _not_tried(known, table)
        if told is None:
            return result
        if not is_right:
            return below(result, told)
        told = _too_large(answer.states, len(known.after)).under(told)
        return _without_points(ruled(result, result.verdict, told), board.facts)

    def _with_wrong_board(self, asked: Asked, known: Positions, table: Table, result: Result) -> Result:
        """Name the smallest board in the table that can win: because of it, larger ones are there, too."""
        wrong = known.winning & table.recorded
        if not wrong:
            if not table.is_known or not table.keys:
                return result
            told = say("table-all-true", keys=table.keys)
            stops = self.has_own_order and not has_earlier_search(asked.task)
            return below(result, told if stops else words_of(told))
        smallest = min((each for each in known.after if each in wrong), key=int.bit_count)
        board, jump = known.board(smallest), known.jump_to(smallest, known.winning)
        shown = picture(board) if jump is None else with_jump(board, jump)
        about: dict[str, Any] = {"made": known.depth(smallest), "jump": jump}
        if smallest in table.shared:
            told = say("key-shared-in-table", shown, **about)
        elif jump is None:
            told = say("solved-in-table", shown, **about)
            if self.exact and result.pegs_left == known.start.bit_count():
                told = words_of(told)  # it is there because the number of pegs never drops to 1
        elif has_earlier_search(asked.task):
            told = say("both-ends-recorded-winning", shown, endings=known.endings(smallest), **about)
        else:
            told = say("winning-in-table", shown, exact=self.exact, **about)
        proves = result.verdict == Verdict.WRONG_ANSWER and told.id
        return above(result, told) if proves else below(result, told)


def _with_solved(known: Positions, table: Table, result: Result) -> Result:
    """Name the board of one peg that a table holds, and nothing else, though all boards can win."""
    if not table.is_known or {1} != {each.bit_count() for each in table.recorded}:
        return result
    shown = picture(known.board(min(table.recorded)))
    return ruled(result, result.verdict, say("end-counted", shown, keys=table.keys))


def _too_large(keys: int, positions: int) -> Message:
    """Return the remark on keys that no position has; nothing if there may be none."""
    told = say("table-too-large", keys=keys, positions=positions)
    return words_of(told) if keys > positions else Message()


def missing(known: Positions, table: Table) -> Message | None:
    """Return what is missing from the table of an unsolvable board, or None if that cannot be said.

    A board counts only if it is searched again because it is missing: the first board and those without a
    jump need not be in the table.
    """
    if table.size < table.keys:
        return say("size-set-back", size=table.size, keys=table.keys)
    again = known.met_again() - table.recorded
    if not again or not table.size:
        return None
    first = next(position for position in known.after if position in again)
    recorded, positions = table.itself, len(known.after)
    dead = bool(table.recorded) and not any(known.after[position] for position in table.recorded)
    return say(
        "table-lacks",
        picture(known.board(first)),
        recorded=recorded,
        positions=positions,
        made=known.depth(first),
        dead=dead,
        few=not dead and recorded > MOST * positions,
        shifted=not dead
        and table.is_known
        and known.start not in table.recorded
        and known.after.keys() - known.with_jumps() <= table.recorded,
    )


def _of_drawn(known: Drawn, states: int, found: Sequence[int], facts: Facts, result: Result) -> Result:
    """Return a right result, without its points for remembering if the table does not hold what it must."""
    if not states or result.verdict != Verdict.ACCEPTED:
        return result  # an empty table is told already
    if len(found) != len(known.texts):
        return _without_answer(facts, result)
    keys = iter(found)
    are_there = [any(list(islice(keys, len(group)))) for group in known.groups]
    if any(keys):
        told = say("strange-in-table")
    elif not any(are_there):
        told = say("drawn-none", keys=states, none=True)
    elif not all(are_there):
        told = _too_large(states, facts.positions or 0).under(say("drawn-missing", keys=states, none=False))
    else:
        return result
    return _without_points(ruled(result, result.verdict, told), facts)


def _not_tried(known: Positions, table: Table) -> Message | None:
    """Return which board was recorded before it was searched, or None if that cannot be said.

    Boards without a jump need not be in the table.
    """
    absent = known.with_jumps() - table.recorded
    for position in known.after if table.is_known else ():
        jump = known.jump_to(position, absent)
        if position in table.recorded and jump is not None:
            shown = with_jump(known.board(position), jump)
            return say("recorded-too-early", shown, made=known.depth(position), jump=jump)
    return None


def _without_answer(facts: Facts, result: Result) -> Result:
    """Return the result of a program that did not show its table; a wrong answer stays what it is."""
    if result.verdict != Verdict.ACCEPTED or not table_truth.needs_memory(facts):
        return result
    return _without_points(ruled(result, result.verdict, say("table-not-shown")), facts)


def _without_points(result: Result, facts: Facts) -> Result:
    """Return a right result, without its points if they are for remembering boards."""
    if not result.max_points or not table_truth.needs_memory(facts):
        return result
    told = Message.of(result).under(say("points-need-table"))
    return unpaid(result, told)
