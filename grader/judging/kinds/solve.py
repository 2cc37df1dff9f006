"""Judge tasks that solve a board: `peg_solve` returns the fewest pegs and, if that is 1, the jumps."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from framework.board import format_board
from framework.jumps import Jump
from framework.rules import fewest_of, is_won
from framework.verify import verify
from grader.catalog.boards import Facts, NamedBoard, course_boards, find_board
from grader.catalog.tasks import Asked, Registry, Task, has_earlier_search
from grader.judging.kinds import untried
from grader.judging.kinds.kind import NOTHING, accepted, ruled, unpaid, words_of
from grader.judging.kinds.table_truth import needs_memory
from grader.judging.kinds.with_table import WithTable
from grader.messages import illegal_jumps, phrases, wrong_answers
from grader.messages.catalogue import Message, say, with_jump
from grader.messages.phrases import count
from grader.result import Result, Verdict
from grader.sandbox import answers
from grader.sandbox.answers import Answer

MANY_PEGS = 20  # with which a search without a table may take hours
FEW_NODES = 2_000_000  # positions; a plain compiled search takes a second for so many


class Solve(WithTable):
    """Tasks whose `peg_solve` must return exactly the fewest pegs."""

    exact = True
    tells_unused_table = False
    answers_any_board = True
    visits_all = True

    def request(self, asked: Asked) -> dict[str, Any]:
        return question(asked.the_board, asked.task)

    def compiling(self, task: Task, registry: Registry) -> dict[str, Any]:
        boards = [find_board(name, course_boards()) for name in registry.compile_boards]
        return {"kind": "several", "questions": [question(board, task) for board in boards]}

    def parse(self, loaded: dict[str, Any]) -> Any:
        return answers.parse_answer(loaded)

    def settle(self, results: list[Result], boards: Sequence[NamedBoard | None]) -> list[Result]:
        """Withhold the points of unsolvable boards unless the solvable ones earned half of theirs.

        A program that gives up on every board is right on each unsolvable one. So unsolvable boards earn
        nothing until the solvable boards that were run have earned half of their points. Private boards are
        judged apart from the others: what a program does on them must not show in the points of the others.

        Where no table that was looked into remembers, boards that need memory earn nothing, solvable or not.
        """
        if self.visits_all and (forgotten := _forgotten(results, boards)):
            wrong = next((each.board for each in forgotten if each.verdict != Verdict.ACCEPTED), "")
            told = say("beside-another", other=wrong) if wrong else say("points-need-table")
            results = [
                unpaid(result, told)
                if result.points and board and not board.hidden and _is_long(board.facts)
                else result
                for result, board in zip(results, boards, strict=True)
            ]
        results = _without_start(results, boards)
        can = [board.facts.solvable if board else None for board in boards]
        solved = [bool(result.jumps) and result.verdict == Verdict.ACCEPTED for result in results]
        return withheld(results, [each or known for each, known in zip(solved, can, strict=True)])

    def not_judged(self, board: NamedBoard) -> str:
        if board.facts.solvable is None:
            return "whether it can be solved is not known"
        if self.exact and board.facts.fewest is None:
            return "the fewest pegs are not known"
        return ""

    # ---- an answer -----------------------------------------------------------------------------

    def judge(self, asked: Asked, answer: Answer, result: Result) -> Result:
        board, number = asked.the_board, answer.number
        if asked.task.table and answer.states is None:  # an answer of the program's own, not the child's
            return ruled(result, Verdict.BAD_RETURN, say("bad-frame", found="no size of the table"))
        broken = self.broken_promise(asked, number, answer.jumps, len(answer.jumps))
        if not 1 <= number <= _most(board):
            return ruled(result, Verdict.BAD_RETURN, broken or NOTHING)
        result = replace(result, pegs_left=number, unsolvable=answer.states)
        if number == 1:
            return self._judge_solution(asked, board, answer, result)
        result = replace(result, answer=f"{number} left")
        if broken is not None:
            return ruled(result, Verdict.WRONG_ANSWER, broken)
        if (answer.board != board.board).any():
            again = wrong_answers.again(board, asked.task, asked.debug)
            told = wrong_answers.board_changed(number, board, answer.board, **again)
            return ruled(result, Verdict.WRONG_ANSWER, told)
        return self.judge_number(asked, board, answer, result)

    def broken_promise(self, asked: Asked, number: int, jumps: list[Jump], held: int) -> Message | None:
        board = asked.board
        if board is None:
            return None
        if not 1 <= number <= _most(board):
            again = wrong_answers.again(board, asked.task, asked.debug)
            stuck, zero = board.facts.positions == 1, number == 0 and self.exact and self.visits_all
            return say("impossible-number", answer=number, most=board.pegs, stuck=stuck, zero=zero, **again)
        if number != 1 and held:
            return wrong_answers.stack_not_empty(number, jumps, held, board)
        return None

    def _judge_solution(self, asked: Asked, board: NamedBoard, answer: Answer, result: Result) -> Result:
        seen = verify(board.board, answer.jumps)
        result = replace(result, jumps=answer.jumps, answer=f"solved, {count(len(answer.jumps), 'jump')}")
        if seen.fault is not None:
            told = illegal_jumps.illegal_jump(board.board, answer.jumps, seen)
            return ruled(replace(result, answer="illegal move"), Verdict.ILLEGAL_MOVE, told)
        if not seen.solved:
            told = wrong_answers.not_solved(answer, seen, board, asked.task)
            return ruled(result, Verdict.WRONG_ANSWER, told)
        if board.facts.solvable is False:
            told = say("better-than-known", fewest=board.facts.fewest)
            return accepted(result, told)
        return self._accepted(asked, board, answer, result)

    def judge_number(self, asked: Asked, board: NamedBoard, answer: Answer, result: Result) -> Result:
        """Return the result of a check whose answer is that the board cannot be solved."""
        facts = board.facts
        if facts.solvable:
            told = wrong_answers.solvable(answer.number, board, asked.task, asked.debug, exact=self.exact)
            return ruled(result, Verdict.WRONG_ANSWER, told)
        if self.exact and facts.fewest is not None and answer.number != facts.fewest:
            told = wrong_answers.wrong_number(answer, board, asked.task, asked.debug)
            return ruled(result, Verdict.WRONG_ANSWER, told)
        if facts.solvable is None or (self.exact and facts.fewest is None):
            unknown = say("truth-unknown", why=board.unknown)
            told = say("fewest-unknown") if facts.solvable is False else unknown
            return ruled(result, Verdict.ACCEPTED, told)
        return self._accepted(asked, board, answer, result)

    def _accepted(self, asked: Asked, board: NamedBoard, answer: Answer, result: Result) -> Result:
        # A search that need not be exact may prove a board unsolvable without visiting all its positions.
        if self.exact:
            told = phrases.claim(answer, board.facts)
        elif self.tells_unused_table and not asked.debug:  # plain Python has another pace
            told = phrases.unused_table(answer, result.cpu_s)
        else:
            told = Message()
        result = accepted(result, told)
        return self.remembered(board, answer, result)

    # ---- words ---------------------------------------------------------------------------------

    def truth(self, asked: Asked) -> str:
        facts = asked.the_board.facts
        if facts.solvable is None:
            return "not known"
        if facts.solvable:
            return "solvable"
        return "unsolvable" if facts.fewest is None or not self.exact else f"{facts.fewest} left"

    def parameters(self, task: Task) -> tuple[str, ...]:
        return ("board", "stack", "unsolvable") if task.table else ("board", "stack")

    def slow(self, asked: Asked) -> Message:
        task, facts = asked.task, asked.the_board.facts
        few = not _is_long(facts) and self.is_search
        if not task.table or (few and not has_earlier_search(task)):  # then no table is needed
            about = wrong_answers.again(asked.the_board, task, asked.debug)
            nodes = facts.naive_nodes if few else None
            large = self.is_search and not few and asked.the_board.pegs >= MANY_PEGS
            return say("loop-slow", nodes=nodes, large=large, solvable=facts.solvable, **about)
        again = facts.positions is not None and (facts.naive_nodes or 0) > facts.positions
        return say(
            "order-slow" if self.has_own_order and facts.solvable else "search-slow",
            positions=facts.positions,
            solvable=facts.solvable,
            unsolvable=facts.solvable is False,
            nodes=facts.naive_nodes if again else None,
            handout=task.handout,
        )

    def loop_help(self, task: Task) -> Message:
        return say("loops", table=task.table)

    def memory_help(self, task: Task) -> Message:
        return say("memory-of-table") if task.table else super().memory_help(task)


def _most(board: NamedBoard) -> int:
    """Return the largest answer for a board: its pegs, but 2 for a single peg that is on no goal."""
    return fewest_of(board.pegs, is_won(board.board))


def question(board: NamedBoard, task: Task, *more: int) -> dict[str, Any]:
    """Return the question that runs `peg_solve` on a board; `more` are arguments that some kinds add."""
    text = format_board(board.board)
    return {"kind": "solve", "board": text, "table": task.table, "arguments": more}


def withheld(results: list[Result], solvable: Sequence[bool | None]) -> list[Result]:
    """Return the results; unsolvable checks lose their points unless solvable ones earned half of theirs.

    Checks on hidden boards are judged by the solvable ones among them, all others by the others.
    """
    lose = {hidden: _earned_too_few(hidden, results, solvable) for hidden in (False, True)}
    return [
        unpaid(result, Message.of(result).under(say("withheld", family="withheld")))
        if can is False and result.points and lose[result.hidden]
        else result
        for result, can in zip(results, solvable, strict=True)
    ]


def _without_true_table(told: Message, result: Result) -> Result:
    """Return the result of a solved board without its points, because of what is told of its table."""
    return unpaid(result, words_of(say("points-need-true-table")).under(told))


def _without_start(results: list[Result], boards: Sequence[NamedBoard | None]) -> list[Result]:
    """Say of a board without a jump that it lacks as the first one, if another table lacks just one board."""
    others = [
        result.board
        for result, board in zip(results, boards, strict=True)
        if board and board.facts.solvable is False and (board.facts.positions or 0) > 1
        if result.verdict == Verdict.ACCEPTED and result.unsolvable == (board.facts.positions or 0) - 1
    ]
    told = say("start-not-recorded", other=others[0]) if others else NOTHING
    is_one = [result.code == "dead-end-not-recorded" for result in results]
    return [
        ruled(result, result.verdict, told) if others and one else result
        for result, one in zip(results, is_one, strict=True)
    ]


def _forgotten(results: list[Result], boards: Sequence[NamedBoard | None]) -> list[Result]:
    """Return the results of the unsolvable boards that need a memory, if none of them earned anything."""
    found = [
        result
        for result, board in zip(results, boards, strict=True)
        if board and not board.hidden and needs_memory(board.facts) and _is_long(board.facts)
        if result.max_points
    ]
    return [] if any(result.points for result in found) else found


def _is_long(facts: Facts) -> bool:
    """Return whether a search without memory takes too long for a board, unless it is lucky."""
    return facts.naive_nodes is None or facts.naive_nodes > FEW_NODES


def _earned_too_few(hidden: bool, results: list[Result], solvable: Sequence[bool | None]) -> bool:
    """Return whether the solvable checks, hidden ones or others, earned less than half of their points.

    Those without points do not count. If no hidden board is solvable, the others decide; if there are none,
    hidden boards would pay a constant.
    """
    all_of_them = [result for result, can in zip(results, solvable, strict=True) if can and result.max_points]
    if not all_of_them:
        return hidden
    can_be = [each for each in all_of_them if each.hidden == hidden] or all_of_them * hidden
    return 2 * sum(result.points for result in can_be) < sum(result.max_points for result in can_be)


class Forced(Solve):
    """Tasks whose `peg_solve` must return exactly the fewest pegs, on boards whose play is forced."""

    is_search = False
    needs_forced_play = True
    answers_any_board = False
    visits_all = False

    def not_judged(self, board: NamedBoard) -> str:
        """Return why a board cannot be judged; empty if its play is forced and the right answer is known."""
        if board.facts.solvable is not None and not board.facts.forced:
            return "its play is not forced"
        return super().not_judged(board)

    def judge_number(self, asked: Asked, board: NamedBoard, answer: Answer, result: Result) -> Result:
        """Accept any number, but give no points for it, on a board that leaves a choice of jumps."""
        if board.facts.forced is False:
            return ruled(result, Verdict.ACCEPTED, say("has-choices"))
        return super().judge_number(asked, board, answer, result)


class AnyAboveOne(Solve):
    """Tasks in which any number above 1 means that a board cannot be solved."""

    exact = False
    tells_unused_table = True
    has_own_order = True

    def more_requests(self, asked: Asked, answer: Answer) -> list[dict[str, Any]]:
        """Return the questions about the boards that must be solved, too, once the first is solved."""
        if asked.debug or not (asked.others and verify(asked.the_board.board, answer.jumps).solved):
            return []
        return [question(other, asked.task) for other in asked.others]

    def boards_to_look_up(self, asked: Asked, answer: Answer) -> list[str]:
        """Return boards beside the solution of a solved board that has points, as a table may hold these."""
        board = asked.the_board
        if answer.number != 1:
            return super().boards_to_look_up(asked, answer)
        if has_earlier_search(asked.task) or asked.debug or not asked.check.points:
            return []
        if board.hidden or not answer.states or not verify(board.board, answer.jumps).solved:
            return []
        known = untried.beside(board.board, tuple(answer.jumps), asked.check.name)
        return known.texts

    def looked_up(self, asked: Asked, answer: Answer, found: list[int] | None, result: Result) -> Result:
        """Take the points of a solved board if a board in the table can win, and say which one."""
        if answer.number != 1:
            return super().looked_up(asked, answer, found, result)
        if result.verdict != Verdict.ACCEPTED:
            return result
        assert answer.states is not None
        known = untried.beside(asked.the_board.board, tuple(answer.jumps), asked.check.name)
        if found is None or len(found) != len(known.texts):
            return _without_true_table(say("table-not-shown"), result)
        recorded = known.recorded(found)
        if recorded.isdisjoint([*known.near, *known.winning]):
            told = say("table-elsewhere", states=answer.states, image=known.image(found))
            return _without_true_table(told, result)
        pairs = known.untried(recorded)
        wins = min(known.winning.keys() & recorded, key=int.bit_count, default=None)
        untrue = known.untrue(pairs) if wins is None else (wins, known.winning[wins])
        if untrue is None:
            return replace(result, untrue=None) if pairs else result
        position, jump = untrue
        made = asked.the_board.pegs - position.bit_count()
        shown = with_jump(known.board(position), jump)
        told = say("winning-in-table", shown, made=made, jump=jump, exact=self.exact)
        return _without_true_table(told, replace(result, untrue=True))

    def settle(self, results: list[Result], boards: Sequence[NamedBoard | None]) -> list[Result]:
        """Withhold the points of boards with jumps left out where that made an untrue entry in some table."""
        shown = next((result.board for result in results if result.untrue), None)
        if shown is not None:
            told = say("jumps-left-out", board=shown)
            results = [
                unpaid(result, told) if result.untrue is None and result.points else result
                for result in results
            ]
        return super().settle(results, boards)
