"""Run a search as plain Python on small boards, and find what is wrong from what it writes to them."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from framework.board import SIZE
from framework.jumps import Jump, jump_fault
from framework.rules import EVERY_CELL_WINS
from grader.catalog.boards import Facts, NamedBoard
from grader.catalog.tasks import Asked, Task, has_earlier_search, registry
from grader.judging import kinds
from grader.judging.causes.walk import Walk, follow
from grader.judging.check_run import Ask, Request
from grader.judging.holes import pegs_of
from grader.judging.kinds import table_truth
from grader.judging.kinds.solve import Solve, question
from grader.judging.kinds.table_truth import Positions
from grader.messages.catalogue import Message, picture, say, with_jump
from grader.messages.illegal_jumps import with_fault
from grader.messages.phrases import beyond, in_common
from grader.result import Result, Verdict
from grader.sandbox import answers
from grader.sandbox.answers import Failure, Noted

Judged = Sequence[tuple[Asked, Result]]
Explain = Callable[[Asked, Failure], Message]

OFF_THE_HOLES = ("IndexError", "ValueError")  # in plain Python; compiled code sets whatever is there
OF_THE_STACK = ("jump-illegal-when-played", "taken-back-jumps-on-stack")  # of what is on it, or too much
MOST_FOLLOWED = 3  # searches that failed, and as many that did not


def is_followed(asked: Asked, result: Result) -> bool:
    """Return whether plain Python can run a search in time: on a small board, or if it gave up early."""
    if not isinstance(kinds.of(asked.task), Solve) or asked.check.variant or asked.board is None:
        return False
    few = registry().debug.max_positions
    gave_up_early = result.unsolvable is not None and result.unsolvable <= few
    return registry().debug.takes(asked.board) or (table_truth.is_small(asked.board.facts) and gave_up_early)


def is_exact(task: Task) -> bool:
    """Return whether a task's answer must be exactly the fewest pegs."""
    kind = kinds.of(task)
    return isinstance(kind, Solve) and kind.exact


def search(failed: Judged, passed: Sequence[Asked], explain: Explain, ask: Ask) -> tuple[int, Message] | None:
    """Return what is wrong with a search, as seen from what it writes to small boards in plain Python.

    That is the index in `failed` of the check that is explained, and the message; None if nothing was found.
    `passed` are other checks, which show what jumps the search does make.
    """
    those: list[tuple[int, Followed]] = []
    for place in _to_follow(failed):
        asked, result = failed[place]
        seen = _seen(asked, ask)
        if seen is None:
            continue
        noted, followed = seen
        walk, told = followed.walk, _out_of_turn(followed)
        recurs = noted.error is not None and noted.error.type == "RecursionError"  # from such a jump, perhaps
        if noted.error is not None and _says_why(result, noted.error) and not (recurs and told):
            fails_too = asked.debug or result.verdict == Verdict.CRASHED
            note = Message() if fails_too else replace(say("compiled-goes-on"), id="")
            return place, _made_last(followed, noted, note.under(explain(asked, noted.error)))
        if told is None and (walk.lost or noted.number is None or noted.number != result.pegs_left):
            continue
        if told is None and noted.number == 1:
            told = _not_made(followed, result)
        elif told is None:
            if walk.not_back:
                end, left = picture(followed.known.board(walk.at_end)), len(walk.not_back)
                return place, say("jumps-not-taken-back", end, jumps=walk.not_back, jumps_left=left)
            told = _end_not_solved(followed, ask) or _number_lost(followed, result)
            those.append((place, followed))
        if told is not None:
            return place, told
    others = [_seen(asked, ask) for asked in passed[:MOST_FOLLOWED]] if those else []
    return _untried(those, [each[1] for each in others if each is not None])


def _made_last(followed: "Followed", noted: Noted, told: Message) -> Message:
    """Add what a search made last, or could make, to the message about a jump that it then could not make."""
    _, known, walk = followed
    if told.id != "index-off-board-in-call" or not walk.to_end:
        return told
    values = noted.error.values if noted.error else []
    start = [int(value) for name, value in values[:2] if name in ("row", "col") and value.isdigit()]
    jumps = [jump for jump in known.jumps_to(walk.at_end, known.after) if [*jump[:2]] == start]
    if not jumps and not walk.not_back:
        return told
    made = walk.not_back[-1:]
    facts: dict[str, Any] = {"made": made, "possible": jumps}
    facts["landed"] = bool(made) and [*made[-1][2:]] == start
    return replace(say("jump-made-last", **facts), id="").under(told)


def _says_why(result: Result, error: Failure) -> bool:
    """Return whether a failure in plain Python explains a check: no overflow, which compiled code has not."""
    impossible = result.verdict == Verdict.BAD_RETURN and error.type != "OverflowError"
    return impossible or result.verdict == Verdict.CRASHED or error.type in OFF_THE_HOLES


def _to_follow(failed: Judged) -> list[int]:
    """Return the indices of the checks whose searches to follow: the first, and those that counted a jump."""
    counted = [asked.board is not None and result.pegs_left != asked.board.pegs for asked, result in failed]
    first = sorted(range(len(failed)), key=lambda place: place > 0 and not counted[place])
    return sorted(first[:MOST_FOLLOWED])


class Followed(NamedTuple):
    """A search whose jumps were recorded: the check, the board's positions, and the jumps made."""

    asked: Asked
    known: Positions
    walk: Walk


Untried = tuple[int, Followed, int, Jump]  # the index of a check, its search, a position, and the jump


def _seen(asked: Asked, ask: Ask) -> tuple[Noted, Followed] | None:
    known = table_truth.positions(asked.the_board.board)
    found = walk_of(known, kinds.of(asked.task).request(asked), ask)
    return None if found is None else (found[0], Followed(asked, known, found[1]))


def walk_of(known: Positions, request: Request, ask: Ask) -> tuple[Noted, Walk] | None:
    """Return what a search writes, and its walk; None if it does not answer.

    What it does on copies counts, unless it leads astray: a search may make images of its board on them.
    """
    found = None
    for alone in (False, True):
        noted = ask({**request, "kind": "walk", "alone": alone}, answers.parse_noted)
        walk = follow(known, noted) if noted is not None else Walk()
        if noted is not None and (found is None or walk.steps):
            found = noted, walk
        if not (walk.lost or walk.in_part or walk.undone or walk.impossible):
            break
    return found


def _out_of_turn(followed: Followed) -> Message | None:
    """Return the message for a jump that is made or taken back where it cannot be; None if there is none."""
    asked, known, walk = followed
    if has_earlier_search(asked.task):  # it also plays backwards, on another board
        return None
    before = known.board(walk.at_end)
    jump, made = walk.impossible, walk.not_back
    if jump is not None and made[-1:] == [(*jump[2:], *jump[:2])]:
        return say("taken-back-by-jumping", picture(before), jump=made[-1], back=jump)
    if jump is not None and jump in made:
        return say("made-twice", picture(before), jump=jump)
    if jump is not None and (fault := jump_fault(before, jump)):
        can = [*known.jumps_to(walk.at_end, known.after)]
        meant = [each for each in can if each == _exchanged(jump)]
        own = [each for each in can if each[:2] == jump[:2] and not meant]
        shown = with_fault(before, jump, fault)
        return say("impossible-jump-made", shown, jump=jump, why=fault.reason, meant=meant, possible=own)
    if walk.in_part is not None:
        cells = [divmod(cell, SIZE) for cell in pegs_of(walk.in_part[1])]
        return say("taken-back-in-part", picture(before), jump=walk.in_part[0], left=cells)
    if walk.undone is not None:
        return say("taken-back-late", picture(before), undone=walk.undone, made=walk.not_back[-1:])
    return None


def _not_made(followed: Followed, result: Result) -> Message | None:
    """Return the message for an illegal jump on the stack that the search never made; None if it made it."""
    _, known, walk = followed
    position = known.start
    is_one = len({*result.jumps}) == 1 < len(result.jumps) < known.start.bit_count()
    if is_one and not any(walk.tried.values()):
        return say("board-never-changed")
    for at, jump in enumerate(result.jumps if result.code in OF_THE_STACK else ()):
        meant, told = _exchanged(jump), None
        if jump not in walk.tried[position] and meant in walk.tried[position]:
            told = say("moves-exchanged", jump=jump, meant=meant)
        elif at > 0 and jump not in walk.tried[position] and _can_be_made(known, result.jumps[at:]):
            told = say("moves-begin-again", at=at + 1)
        if told is not None:
            return replace(Message.of(result).under(told), id=told.id, help=told.help, command="")
        if jump not in walk.tried[position]:
            is_one = result.code == "jump-illegal-when-played"
            return say("pushed-not-made").under(Message.of(result)) if is_one else None
        position = known.after_jump(position, jump)
    return None


def _exchanged(jump: Jump) -> Jump:
    """Return the same jump from the cell whose row is this one's column."""
    a, b, c, d = jump
    return b, a, b + c - a, a + d - b


def _can_be_made(known: Positions, jumps: Sequence[Jump]) -> bool:
    """Return whether jumps can be made on the board at the start, one after the other."""
    position = known.start
    for jump in jumps:
        if jump not in known.jumps_to(position, known.after):
            return False
        position = known.after_jump(position, jump)
    return True


def _end_not_solved(followed: Followed, ask: Ask) -> Message | None:
    """Return the message for a solved board that the search reached but that it gives up by itself, too."""
    asked, known, walk = followed
    ends = (each for each in walk.tried if each.bit_count() == 1 and each in known.winning)
    end = next(ends, known.start)
    if end == known.start:
        return None
    board = known.board(end)
    answer = ask(question(NamedBoard("", board, Facts()), asked.task), answers.parse_answer)
    cell = divmod(end.bit_length() - 1, SIZE)
    if answer is None or answer.number == 1:
        return None
    return say("end-not-solved", picture(board), cell=cell, answer=answer.number, goals=not EVERY_CELL_WINS)


def _number_lost(followed: Followed, result: Result) -> Message | None:
    """Return the message for a search that reached the fewest pegs possible, but answered a larger number."""
    asked, known, walk = followed
    met, number = min(map(int.bit_count, walk.tried)), result.pegs_left or 0
    is_fewest = met == min(map(int.bit_count, known.after))
    if met >= number or not is_fewest or (met > 1 and not is_exact(asked.task)):
        return None
    is_last = walk.last_stuck is not None and walk.last_stuck.bit_count() == number
    is_first = asked.board is not None and number == asked.board.pegs
    return say("number-lost", met=met, solved=met == 1, answer=number, is_last=is_last, is_first=is_first)


def _untried(
    failed: Sequence[tuple[int, Followed]], passed: Sequence[Followed]
) -> tuple[int, Message] | None:
    """Return the index of a failed check, and the message about a jump that its search should have tried.

    A search for the exact number should try all jumps; any other search, all jumps that win. If the search
    makes no jump on any board, nothing is known about it: it may play on a copy.
    """
    all_of_them = [*(each for _, each in failed), *passed]
    tried = [jumps for each in all_of_them for jumps in each.walk.tried.values()]
    untried = [(place, each, *more) for place, each in failed for more in _untried_of(each)]
    if not untried or not any(tried):
        return None
    beside = [each.walk.tried[position] for _, each, position, _ in untried]
    missed, others = [jump for *_, jump in untried], [jump for jumps in tried for jump in jumps]
    common, shown = in_common(missed, others), missed
    is_last, is_swapped = _pattern(all_of_them, untried)
    if not common and not is_swapped and not all(beside):
        common, shown = beyond(missed, others)  # it may end after one row, or column
    about: dict[str, Any] = {"which": common} if common else {}
    id = "kind-never-tried" if common else "never-tried"
    if _of_first_pegs(all_of_them, untried):
        id, common, about, shown = "only-first-peg-tried", "", {}, missed
    elif common or is_swapped:
        pass
    elif all(len(set(jumps)) <= 1 for jumps in tried):
        id = "only-first-tried"
    elif pegs := _stops_at([each for _, each in failed]):
        id, about = "stops-at", {"pegs": pegs}
    elif all(len({jump[:2] for jump in jumps}) == len({*jumps}) for jumps in tried):
        of_a_peg = ({each[:2] for each in jumps} for jumps in beside)
        if all(jump[:2] in starts for jump, starts in zip(missed, of_a_peg, strict=True)):
            id = "one-jump-a-peg"
    for place, followed, position, jump in (each for each in untried if each[-1] in shown):
        asked, known, walk = followed
        if common or walk.tried[position]:
            if id == "never-tried":
                about = {"last": is_last, "swapped": [jump[1::-1]] if is_swapped else []}
            return place, say(id, with_jump(known.board(position), jump), jump=jump, **about)
        told = _some_searched(followed, position)
        if told is not None:
            return place, told
        # On a board whose play is forced, the message already shows that jump.
        if asked.board is not None and not asked.board.facts.forced:
            return place, say("given-up-at-once", with_jump(known.board(position), jump), jump=jump)
    return None


def _of_first_pegs(followed: Sequence[Followed], untried: Sequence[Untried]) -> bool:
    """Return whether the jumps that are tried begin on a board's first peg, and the others elsewhere."""

    def of_first_peg(position: int, jump: Jump) -> bool:
        return jump[:2] == divmod((position & -position).bit_length() - 1, SIZE)

    tried = [(at, jump) for each in followed for at, jumps in each.walk.tried.items() for jump in jumps]
    return all(of_first_peg(*each) for each in tried) and not any(of_first_peg(*each[2:]) for each in untried)


def _pattern(followed: Sequence[Followed], untried: Sequence[Untried]) -> tuple[bool, bool]:
    """Return whether just each board's last jump is untried, and whether the others have a peg at col:row."""
    tried = [(at, jump) for each in followed for at, jumps in each.walk.tried.items() for jump in jumps]
    missed = [(at, jump) for _, _, at, jump in untried]
    needed, lacked = ([at >> SIZE * col + row & 1 for at, (row, col, *_) in each] for each in (tried, missed))
    beside = [(jump[:2], other[:2]) for _, each, at, jump in untried for other in each.walk.tried[at]]
    alone = is_exact(followed[0].asked.task) and len({each[:3:2] for each in untried}) == len(untried)
    return alone and all(start >= other for start, other in beside), all(needed) and not any(lacked)


def _stops_at(failed: Sequence[Followed]) -> int:
    """Return the pegs left after the last jump at each board that was left early; 0 if it is no sign.

    It is one if there are several such boards, and no jump before the last one at any board led to so few.
    """
    ends, before = set[int](), list[int]()
    for followed in failed:
        early = {position for position, _ in _untried_of(followed)}
        for position, fewest in _fewest_below(followed) if early else []:
            ends |= {*fewest[-1:]} if position in early else set()
            before += fewest[:-1]
    return min(ends) if len(ends) == 1 and before and min(ends) not in before else 0


def _fewest_below(followed: Followed) -> Iterator[tuple[int, list[int]]]:
    """Yield each visit of a position, with the fewest pegs seen below each of its jumps, in their order."""
    _, known, walk = followed
    open_visits: list[tuple[int, list[int]]] = [(known.start, [])]
    for jump in [*walk.steps, *[None] * len(walk.not_back)]:
        if jump is not None:
            open_visits.append((known.after_jump(open_visits[-1][0], jump), []))
            continue
        position, fewest = open_visits.pop()
        yield position, fewest
        open_visits[-1][1].append(min([position.bit_count(), *fewest]))
    yield open_visits[0]


def _some_searched(followed: Followed, position: int) -> Message | None:
    """Return the message for a search that makes all jumps of a board, but then searches only some of them.

    `position` was not. The jumps that it searches are made twice: it made each once before, to choose.
    """
    _, known, walk = followed
    for before, jumps in walk.tried.items():
        jump = known.jump_to(before, {position})
        times = Counter(jumps)
        searched = sum(count > 1 for count in times.values())
        if jump is not None and times[jump] == 1 and searched and before in walk.ended:
            shown = with_jump(known.board(before), jump)
            return say("some-searched", shown, searched=searched, made=len(times), jump=jump)
    return None


def _untried_of(followed: Followed) -> Iterator[tuple[int, Jump]]:
    """Yield each position that the search left too early, with a jump that it should have tried there.

    A position does not count if the search met an image of it: the table may have both under one key.
    """
    asked, known, walk = followed
    exact = is_exact(asked.task)
    for position in known.after:
        images = {*known.images(position)} - {position} if asked.task.table else set()
        if position in walk.ended and images.isdisjoint(walk.tried) and (exact or position in known.winning):
            for jump in known.jumps_to(position, known.after if exact else known.winning):
                if jump not in walk.tried[position]:
                    yield position, jump
