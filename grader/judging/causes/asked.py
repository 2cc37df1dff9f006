"""Find causes by asking a program about boards that are chosen or made for a question."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from operator import attrgetter

from framework.board import SIZE, format_board
from framework.jumps import Jump
from framework.verify import verify
from grader.catalog.boards import Facts, NamedBoard, course_boards, find_board
from grader.catalog.tasks import Asked, Task, has_earlier_search, registry
from grader.judging import kinds
from grader.judging.causes.search import is_exact, walk_of
from grader.judging.causes.walk import Walk
from grader.judging.check_run import Ask
from grader.judging.kinds import client, table_truth
from grader.judging.kinds.client import Client
from grader.judging.kinds.fill_part import made_backwards
from grader.judging.kinds.solve import Solve, question
from grader.judging.kinds.with_table import missing
from grader.judging.numbers_sent import KeySet
from grader.messages.catalogue import Message, picture, say, with_jump
from grader.result import Picture
from grader.sandbox import answers

MOST_PEGS = 8  # on boards made backwards
LEAST_POSITIONS = 100  # of the board on which the order is looked at; half as many where keys are
LEAST_SEEN = 30  # pairs of jumps seen, or seen again, before anything is said
MADE_AGAIN = 3  # times that each jump of a board is made if it is searched again; once may be to rate it
MOST_TURNED = 3  # times as many pairs the wrong way round before an order is called so
_POSITIONS = attrgetter("facts.positions")  # of boards
SOLVED, CLAIMED, GIVEN_UP = "solved", "claimed", "given up"


def _is_one_search(task: Task) -> bool:
    """Return whether a task is a search forwards with a table."""
    return task.table and isinstance(kinds.of(task), Solve) and not has_earlier_search(task)


def _boards(planned: Sequence[Asked], is_fit: Callable[[Facts], bool]) -> list[NamedBoard]:
    """Return the boards whose positions can all be listed, and that are fit for a question, as planned."""
    boards = [each.board for each in planned if each.board is not None]
    return [each for each in boards if table_truth.is_small(each.facts) and is_fit(each.facts)]


def _smallest(task: Task, planned: Sequence[Asked], is_fit: Callable[[Facts], bool]) -> NamedBoard | None:
    """Return the smallest such board for a search forwards with a table; None if there is none."""
    return min(_boards(planned, is_fit) if _is_one_search(task) else [], key=_POSITIONS, default=None)


def endless(task: Task, ask: Ask) -> Message | None:
    """Return the message about a function that never ends for some board; None if none was found."""
    if not isinstance(kinds.of(task), Client):
        return None
    rest = (SIZE * SIZE - 1) * "o"
    english = "".join(format_board(find_board("english").board).split())
    # They differ in the first or last cell, where a loop over cells or bits begins or ends.
    for cells in (SIZE * SIZE * "*", f"*{rest}", f"{rest}*", english):
        for function, hashed in (("board_key", False), ("key_hash", True)):
            if ask(client.question([], [cells], hashed), answers.parse_client_answer) is None:
                told = say("client-endless", Picture(cells), function=function, hashed=hashed)
                return told if ask.at_limit else None
    return None


def shared_keys(task: Task, planned: Sequence[Asked], ask: Ask) -> Message | None:
    """Return the message about two positions of one board that share a key; None if none is known.

    `board_key` is asked about those of the boards with the fewest and with the most of them that are neither
    tiny nor large; a search in an order of its own, which may have keys of images, about those of the first
    two boards.
    """
    if not task.table or "client.py" not in task.files:
        return None
    first = _boards(planned, lambda facts: (facts.positions or 0) >= LEAST_POSITIONS / 2)
    boards = sorted(first, key=_POSITIONS)
    pairs: list[tuple[NamedBoard, Task | None]]
    pairs = [(each, None) for each in (*boards[:1], *boards[1:][-1:])]
    kind = kinds.of(task)
    if isinstance(kind, Solve) and kind.has_own_order and not has_earlier_search(task):
        pairs += [(each, task) for each in first[:2]]
    return next(filter(None, (_shared(board, search, ask) for board, search in pairs)), None)


def _shared(board: NamedBoard, search: Task | None, ask: Ask) -> Message | None:
    """Return the message about two positions that `board_key`, or a search, gives one key."""
    known = table_truth.positions(board.board)
    those, request = [*known.after], client.question([], [*map(known.text, known.after)], False)
    if search is not None:
        those = [each for each, reached in known.after.items() if not reached and each.bit_count() > 1]
        request = {**question(board, search), "kind": "recorded", "boards": [*map(known.text, those)]}
    answer = ask(request, answers.parse_client_answer)
    if answer is None or len(answer.keys) != len(those):
        return None
    first: dict[int, int] = {}
    for position, key in zip(those, map(KeySet(answer.keys).number, answer.keys), strict=True):
        other = first.setdefault(key, position)
        if other != position and other not in known.images(position):
            both = (picture(known.board(each)) for each in (other, position))
            id = "keys-shared" if search is None else "own-keys-shared"
            return say(id, *both, board=board.name, all=len({*answer.keys}) == 1)
    return None


def use_of_table(task: Task, ask: Ask) -> Message | None:
    """Return what the program does wrong when a board is, or is not, in its table; None if nothing."""
    board, empty, full = _solves(task, ask)
    if full == SOLVED and empty == GIVEN_UP:
        return say("gives-up-unknown", board=board)
    if empty == SOLVED and full == CLAIMED:
        return say("counts-as-solved", board=board, number=1)
    if not is_exact(task) or (empty, full) != (SOLVED, GIVEN_UP):
        return None
    known = find_board(board, course_boards())
    answer = ask({**question(known, task), "recorded": [format_board(known.board)]}, answers.parse_answer)
    wrong = answer is not None and answer.number not in (1, known.pegs)
    return say("counts-as-solved", board=board, number=answer.number) if answer and wrong else None


def recorded(task: Task, planned: Sequence[Asked], ask: Ask) -> Message | None:
    """Return why a search may be slow: wrong or missing records in the table, or boards never looked up."""
    board = _smallest(task, planned, table_truth.needs_memory)
    answer = None if board is None else ask(question(board, task), answers.parse_answer)
    if board is None or answer is None or answer.states is None:
        return None
    if answer.states == 0:
        return say("none-recorded", board=board.name, meets=False)
    known = table_truth.positions(board.board)
    boards = table_truth.boards_to_look_up(board.board)
    of_table, *of_keys = table_truth.look_ups(question(board, task), boards)
    kept = ask(of_table, answers.parse_kept)
    keys = [said for each in of_keys if kept and (said := ask(each, answers.parse_client_answer)) is not None]
    found = table_truth.looked_up(kept, keys, len(boards)) if kept and len(keys) == len(of_keys) else None
    table = found and table_truth.table_of(known, answer.states, found)
    if not table:
        return None
    if not table.is_known:
        strange = table.size - table.keys
        late = strange == 1 < table.keys and known.start not in table.recorded
        id = "key-made-late" if late else "other-keys-in-table"
        return say(id, board=board.name, keys=table.size, strange=strange, known=table.keys)
    told = missing(known, table) if is_exact(task) else None
    if told is not None:
        dead, shifted = (bool(told.facts.get(fact)) for fact in ("dead", "shifted"))
        others = not (dead or shifted)
        return told.under(say("table-of", board=board.name, dead=dead, shifted=shifted, others=others))
    named, empty, full = _solves(task, ask)
    if empty == full == SOLVED:
        return say("never-looked-up", board=named)
    for position, jumps in _walk(board, task, ask).tried.items():
        if jumps and min(Counter(jumps).values()) >= MADE_AGAIN:
            return say("searched-again", picture(known.board(position)), board=board.name)
    return None


def _walk(board: NamedBoard, task: Task, ask: Ask) -> Walk:
    found = walk_of(table_truth.positions(board.board), question(board, task), ask)
    return Walk(lost=True) if found is None else found[1]


def too_early(task: Task, planned: Sequence[Asked], ask: Ask) -> Message | None:
    """Return the message about a board that is recorded before a jump of it that is tried; None if none is.

    The keys in a table are in the order of their insertion.
    """
    board = _smallest(task, planned, table_truth.needs_memory)
    if board is None:
        return None
    known = table_truth.positions(board.board)
    kept = ask({**question(board, task), "kind": "kept"}, answers.parse_kept)
    texts = [*map(known.text, known.after)]
    keys = kept and ask(client.question([], texts, False), answers.parse_client_answer)
    if not kept or not keys or len(keys.keys) != len(texts):
        return None
    number = KeySet(kept).number
    place = {number(key): at for at, key in enumerate(kept)}
    at = {each: place[number(key)] for each, key in zip(known.after, keys.keys, strict=True) if number(key)}
    for position, jumps in _walk(board, task, ask).tried.items():
        times = Counter(jumps)  # a jump that was made only to rate the board after it was made fewer times
        searched = [jump for jump in times if times[jump] == max(times.values())]
        after = {jump: at.get(known.after_jump(position, jump), -1) for jump in searched}
        here = at.get(position, len(kept))
        for jump in (jump for jump, there in after.items() if there > here):
            begun = any(-1 < there < here for there in after.values())
            shown = with_jump(known.board(position), jump)
            return say("recorded-before-jump", shown, board=board.name, jump=jump, begun=begun)
    return None


def _solves(task: Task, ask: Ask) -> tuple[str, ...]:
    """Return a board's name and two outcomes: with an empty table, and with its positions in the table.

    `peg_solve` is run on the board, which can be solved. An outcome is empty if there was no answer. All
    three texts are empty if the task has no such table.
    """
    if not _is_one_search(task):
        return "", "", ""
    named = [find_board(name, course_boards()) for name in registry().compile_boards]
    board = next(each for each in named if each.facts.forced and each.facts.solvable)
    outcomes: list[str] = []
    many = [text for text in table_truth.boards_to_look_up(board.board) if text.count("*") > 2]
    for those in ([], many):  # the key of fewer may be as small as a number of pegs
        answer = ask({**question(board, task), "recorded": those}, answers.parse_answer)
        outcome = GIVEN_UP if answer else ""
        if answer and answer.number == 1:
            outcome = SOLVED if verify(board.board, answer.jumps).solved else CLAIMED
        elif answer and answer.number == 2 and outcomes == [GIVEN_UP]:
            outcome = SOLVED  # as far as the boards go that are in the table
        outcomes.append(outcome)
    return board.name, *outcomes


def order(task: Task, planned: Sequence[Asked], ask: Ask) -> Message | None:
    """Return what is wrong with the order in which a search tries the jumps; None if nothing was found."""
    # Every search tries all jumps of an unsolvable board.
    unsolvable = [each for each in planned if each.board is not None and each.board.facts.solvable is False]
    board = _smallest(task, unsolvable, lambda facts: (facts.positions or 0) >= LEAST_POSITIONS)
    if board is None or is_exact(task):
        return None
    known, walk = table_truth.positions(board.board), _walk(board, task, ask)
    # A search may first make a jump just to rate the board after it, so only the last time counts.
    orders = {each: list(dict.fromkeys(reversed(jumps)))[::-1] for each, jumps in walk.tried.items()}
    if not walk.lost and _is_fixed(orders.values()):
        return say("fixed-order", board=board.name, handout=task.handout)
    first, last = (0, 0) if walk.lost else known.better_tried(orders)
    is_turned = last >= max(LEAST_SEEN, MOST_TURNED * first)
    return say("better-tried-last", board=board.name, last=last, pairs=first + last) if is_turned else None


def _is_fixed(orders: Iterable[Sequence[Jump]]) -> bool:
    """Return whether any two jumps are always tried in the same order, whatever the board."""
    seen = Counter(pair for jumps in orders for pair in combinations(jumps, 2))
    again = sum(times - 1 for times in seen.values())
    return again >= LEAST_SEEN and not any((second, first) in seen for first, second in seen)


def near_end(asked: Asked, ask: Ask) -> Message | None:
    """Return the message about a board of few pegs that `peg_solve` gives up; None if none was found.

    The boards are made by playing backwards from one peg. Each answer may take long, so after a board of 2
    pegs, which every table covers, the number of pegs is found by bisection. That works because a table that
    does not go back far enough misses all boards of more pegs.
    """
    solved, given_up, smallest = 1, MOST_PEGS + 1, None
    while given_up - solved > 1:
        pegs = 2 if solved == 1 else (solved + given_up) // 2
        board = made_backwards(asked.the_board, pegs - 1)
        answer = None if board is None else ask(question(board, asked.task), answers.parse_answer)
        if board is None or answer is None:
            break
        if answer.number > 1:
            given_up, smallest = pegs, board
        else:
            solved = pegs
    if smallest is None:
        return None
    solves = solved == given_up - 1 > 1
    told = picture(smallest.board)
    return say("given-up-near-end", told, pegs=given_up, jumps=given_up - 1, solves=solves)
