"""Make a board like a given one: a search needs the same idea to decide either of them in time.

No search decides a *closed* board in time, although a table of the winning positions decides it at once.
The parity class of such a board does not exclude a solution, but only a few positions of that class can
win: taking back jumps from all single pegs of that class soon gives no new positions. Yet many positions can
be reached from the board. Boards made from it have the same holes and the same class.
"""

from collections.abc import Callable, Sequence

from framework.board import Board
from grader.making.chance import Chance
from grader.making.ordered_boards import FULL, ordered_play
from grader.making.searches import Searches
from grader.oracle.explore import board_of, pegs_and_holes
from grader.oracle.shape import Shape, image, shape_of
from grader.oracle.walk import walk, winning_positions

MOST_WINNING = 300_000  # positions that can win on a closed board, at most
REACHED = 2_000_000  # positions that another board must reach: 0.4 s; fewer if the first board reaches fewer
MOVED = 8  # how often pegs are moved to get to another board that cannot win
TRIES = 24  # boards looked at to find one that cannot win
TRIES_WINNING = 40  # boards looked at to find one that can win
Tried = Callable[[int], None]  # called with the number of each try


def winning_of(board: Board) -> list[int] | None:
    """Return the positions with the board's holes and parity class that can win, sorted; None if too many."""
    shape = shape_of(board)
    class_ = shape.class_of(shape.position(board))
    return winning_positions(shape, shape.ends_with(class_, 1), MOST_WINNING)


def another_losing(board: Board, winning: Sequence[int], chance: Chance, tried: Tried) -> Board | None:
    """Return another unsolvable board like a closed board; None if none was found.

    At least as many positions can be reached from it as from the closed board, or at least REACHED.
    `winning` is what `winning_of` returns.
    """
    shape = shape_of(board)
    own = shape.position(board)
    least = walk(shape, own, REACHED).positions or REACHED
    lost, images = set(winning), _images(shape, own)
    position, moved = own, 0
    for number in range(1, TRIES + 1):
        tried(number)
        other = _with_pegs_moved(shape, position, chance)
        if other in lost:
            continue
        if (walk(shape, other, REACHED).positions or REACHED) >= least:
            position, moved = other, moved + 1
        if moved >= MOVED and position not in images:
            break
    return None if position in images else shape.board(position)


def another_winning(board: Board, winning: Sequence[int], chance: Chance, tried: Tried) -> Board | None:
    """Return another solvable board like a closed board; None if there is none.

    Even a lucky search needs at least as long for it as for the closed board. If no such board is found,
    return the one that needs longest. The arguments are those of `another_losing`.
    """
    shape = shape_of(board)
    own = shape.position(board)
    images = _images(shape, own)
    others = [each for each in winning if each.bit_count() >= own.bit_count() - 1 and each not in images]
    searches = Searches(pegs_and_holes(board)[1])

    def work(position: int) -> int:
        return searches.luckiest(pegs_and_holes(shape.board(position))[0], REACHED)

    least = work(own)
    best, most = None, -1
    for number, other in enumerate(chance.some_of(others, min(TRIES_WINNING, len(others))), 1):
        tried(number)
        needed = work(other)
        if needed > most:
            best, most = other, needed
        if needed >= least:
            break
    return None if best is None else shape.board(best)


def _images(shape: Shape, position: int) -> set[int]:
    return {image(symmetry, position) for symmetry in shape.symmetries}


def _with_pegs_moved(shape: Shape, position: int, chance: Chance) -> int:
    """Return another position of the same parity class, with one or two of the pegs moved elsewhere."""
    holes = range(len(shape.holes))
    while True:
        other = position
        for _ in range(1 + chance.below(2)):
            on = [hole for hole in holes if other >> hole & 1]
            off = [hole for hole in holes if not other >> hole & 1]
            other ^= 1 << chance.one_of(on) | 1 << chance.one_of(off)
        if other != position and shape.class_of(other) == shape.class_of(position):
            return other


SEARCHED = 1_000_000  # positions; boards with fewer are decided in time without an idea


def another_like(
    board: Board, solvable: bool, positions: int | None, chance: Chance, tried: Tried
) -> Board | None:
    """Return another board for which a search needs the same idea; None if the given board should be kept.

    It can be solved if and only if the given one can.

    The given board is kept if it is small, if its parity class excludes a solution, or if no other board is
    found.

    Args:
        positions: how many positions can be reached from it; None if there are too many to count.
    """
    shape = shape_of(board)
    small = positions is not None and positions < SEARCHED
    if small or not shape.ends_of_class(shape.position(board)):
        return None
    winning = winning_of(board)
    if winning is None:
        if not solvable:
            return None
        return board_of(ordered_play(chance, tried)[0], FULL)
    another = another_winning if solvable else another_losing
    return another(board, winning, chance, tried)
