"""Count what is in a film, and say what it proves; a sentence is said only of what was seen to be true."""

from collections.abc import Iterator
from dataclasses import dataclass

from framework.rules import GOAL_CELLS
from grader.catalog.boards import NamedBoard
from grader.catalog.tasks import Task
from grader.film.film import NOWHERE, Film, Kind, Node, Told
from grader.judging.kinds import table_truth
from grader.messages.phrases import count

LEAST_SHARE = 0.05  # of boards searched again, that is worth a sentence
LEAST_SEEN = 3  # boards with a choice of jumps, to say something of them all


def rows(film: Film, table: bool) -> list[tuple[str, int]]:
    """Return what is counted in a film as rows of a table, each with its title."""
    found = [
        ("calls" if film.by_calls else "boards reached", len(film.nodes)),
        ("different boards", len({node.position for node in film.nodes})),
        ("searched again", film.again),
    ]
    if table or film.asked or film.told:
        found += [("looked up in a table", film.asked), ("found there", film.hits), ("put in", film.put_in)]
    return [
        *found,
        ("most jumps in a row", max((node.depth for node in film.nodes), default=0)),
        ("fewest pegs met", min((node.position.bit_count() for node in film.nodes), default=0)),
    ]


@dataclass(frozen=True)
class Seen:
    """What was seen of a search's care for each board, to be said or not."""

    told_early: int  # how many boards were put into the table before their first jump was searched
    winning: int | None  # how many boards that can win have their key in the table; None if that is not known
    left_changed: int  # how many boards were given up while the board was another one
    given_up: int  # how many boards with at least two jumps were given up
    one_tried: int  # of these, those of which only one jump was searched
    some_tried: int  # of these, those of which a jump was not searched
    not_back: int  # jumps that a program without recursion never took back


def look_at(film: Film, board: NamedBoard) -> Seen:
    """Return what was seen in a film of a board."""
    winning = None
    if film.in_table and table_truth.is_small(board.facts):
        winning = len(film.in_table & table_truth.positions(board.board).winning)
    won = _with_a_win(film)
    given_up = [node for place, node in enumerate(film.nodes) if node.is_given_up and place not in won]
    choices = [(node, len(set(film.holes.positions_after(node.position)))) for node in given_up]
    choices = [(node, jumps) for node, jumps in choices if jumps > 1]
    tried = [_tried(film, node) for node, _ in choices]
    return Seen(
        told_early=sum(node.told == Told.BEFORE and bool(node.children) for node in film.nodes),
        winning=winning,
        left_changed=sum(node.on_board and node.left_as != node.position for node in given_up),
        given_up=len(choices),
        one_tried=sum(each == 1 for each in tried),
        some_tried=sum(each < jumps for each, (_, jumps) in zip(tried, choices, strict=True)),
        not_back=_not_back(film),
    )


def _tried(film: Film, node: Node) -> int:
    return len({film.nodes[each].position for each in node.children})


def _with_a_win(film: Film) -> set[int]:
    """Return the nodes from which the search came to a last peg on a goal: whatever it returned, it won."""
    found: set[int] = set()
    for place in range(len(film.nodes) - 1, -1, -1):
        node = film.nodes[place]
        won = node.position.bit_count() == 1 and node.position & GOAL_CELLS
        if won or node.is_solved or node.kind == Kind.SOLUTION or place in found:
            found.add(place)
            if node.parent != NOWHERE:
                found.add(node.parent)
    return found


def _not_back(film: Film) -> int:
    """Return how many jumps a program without recursion made and never took back, if it gave up."""
    done = film.recorded.number not in (None, 1) and not film.lost
    if film.by_calls or not done or film.left_out:
        return 0
    return sum(node.left_as is None and node.is_call for node in film.nodes[1:])


def words(film: Film, board: NamedBoard, task: Task) -> Iterator[str]:
    """Yield what the film proves, as sentences without a full stop."""
    seen = look_at(film, board)
    yield from _again(film, task)
    yield from _table(film, seen, task)
    if any(node.children for node in film.nodes):
        yield from _jumps(seen)
    elif film.holes.positions_after(film.holes.start) and not film.recorded.ended:
        yield "no jump was seen: a search that the film can follow calls itself, or jumps on the board"
    yield from _end(film)


def _again(film: Film, task: Task) -> Iterator[str]:
    if film.nodes and film.again / len(film.nodes) >= LEAST_SHARE:
        what = "calls" if film.by_calls else "boards"
        about = "" if task.table else ": peg3 is about this"
        searched = f"{film.again:,} of your {len(film.nodes):,} {what} searched a board"
        yield f"{searched} that had already been searched{about}"
    elif not film.again and film.hits and len(film.nodes) > 1:
        yield f"no board was searched twice: a board was found in the table {count(film.hits, 'time')}"


def _table(film: Film, seen: Seen, task: Task) -> Iterator[str]:
    if not task.table or len(film.nodes) < 2:
        return
    if not film.asked:
        yield "the table was never asked: no board was looked up"
    elif not film.hits and film.again:
        yield "boards are looked up, but none is ever found"
    if film.asked and not film.put_in and seen.given_up:
        yield "nothing was ever put into the table"
    if film.missed:
        yield (
            f"{count(film.missed, 'time')} a key that was in the table was not found there: does key_hash "
            "always return the same number for the same key?"
        )
    elif film.asked_keys and film.told_keys and film.asked_keys.isdisjoint(film.told_keys):
        yield "no key that was looked up was ever inserted, and none that was inserted was ever looked up"
    in_it = f"{count(seen.winning, 'board')} that can win {_be(seen.winning)} in it" if seen.winning else ""
    if seen.told_early:
        so = f", so {in_it}" if in_it else ""
        yield f"the table is told of {count(seen.told_early, 'board')} before the search of their jumps{so}"
    elif in_it:
        yield f"the table has boards that it should not have: {in_it}"


def _jumps(seen: Seen) -> Iterator[str]:
    if seen.left_changed:
        yield (
            f"{count(seen.left_changed, 'board')} {_be(seen.left_changed)} left with other pegs than before: "
            "jumps are not taken back"
        )
    if seen.not_back:
        yield f"{count(seen.not_back, 'jump')} {_be(seen.not_back)} never taken back"
    if seen.given_up >= LEAST_SEEN and seen.one_tried == seen.some_tried == seen.given_up:
        yield f"only one jump is searched of each board, as of all {seen.given_up:,} that have a choice"
    elif seen.some_tried:
        yield (
            f"on {seen.some_tried:,} of {count(seen.given_up, 'board')} given up with a choice of jumps, "
            "a jump was not searched"
        )


def _end(film: Film) -> Iterator[str]:
    recorded = film.recorded
    if recorded.ended == "time":
        yield "the recording stopped at its time limit: what the program would do next is not in the film"
    if recorded.ended == "full" or film.left_out:
        what = "call" if film.by_calls else "board"
        yield f"the film ends after {count(len(film.nodes), what)}: what came after is left out"
    if film.lost and not film.left_out:
        yield "from some place on, what was written to the board was no jump: the film ends there"
    if recorded.others:
        yield (
            f"{count(recorded.others, 'call')} on boards far from the start {_be(recorded.others)} left out, "
            "such as those that fill a table from the end"
        )


def _be(number: int) -> str:
    """Return the verb for `number` things."""
    return "is" if number == 1 else "are"
