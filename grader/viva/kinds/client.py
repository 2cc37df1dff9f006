"""Questions about client.py and the rules of a jump: moves, keys, hashes, directions."""

from collections.abc import Callable, Iterator
from random import Random

from framework.board import SIZE
from framework.jumps import Jump, format_jump
from grader.catalog.tasks import Task
from grader.judging.holes import possible_jumps
from grader.sandbox.answers import parse_rules
from grader.viva.author import Author
from grader.viva.question import Answer, Drawn, Question, Shows, ask

CLIENT = "client.py"
MOST_KEY = 10**7  # a larger number is not worked out by hand
CHAINS = 8
TRIED = 6
RULES = "peg1.py"


def move_new(author: Author, task: Task, draw: Random) -> Iterator[Question]:
    """Ask which number a move is."""
    jump = _unlike_itself(draw)
    others = _mistaken(jump)
    said = author.program(task).client(made=[jump, *(each for each, _ in others)])
    if said is None:
        return
    right, *wrong = said.made
    base = int("".join(map(str, jump)))
    words = f"What does `move_new{jump}` return?"
    answers = [
        *(Answer(f"{move:,}", why) for move, (_, why) in zip(wrong, others, strict=True)),
        Answer(f"{base:,}", "the four digits beside each other"),
    ]
    yield from ask(draw, "move_new", CLIENT, words, Answer(f"{right:,}", "seen when it was called"), answers)


def move_parts(author: Author, task: Task, draw: Random) -> Iterator[Question]:
    """Ask which jump a number stands for."""
    jump = _unlike_itself(draw)
    others = _mistaken(jump)
    made = author.program(task).client(made=[jump, *(each for each, _ in others)])
    apart = None if made is None else author.program(task).client(moves=made.made[:1])
    if made is None or apart is None or apart.moves != [jump] or made.made[0] in made.made[1:]:
        return
    words = f"Which jump does the move `{made.made[0]}` stand for?"
    wrong = [
        Answer(format_jump(each), f"its number is {move:,}: {why}")
        for move, (each, why) in zip(made.made[1:], others, strict=True)
    ]
    right = Answer(format_jump(jump), "seen when it was taken apart")
    yield from ask(draw, "parts of a move", CLIENT, words, right, wrong)


def _unlike_itself(draw: Random) -> Jump:
    """Return a jump that looks different with rows and columns, or both ends, exchanged."""
    return draw.choice([jump for jump in possible_jumps() if len({*jump}) == 3 and 0 not in jump])


def _mistaken(jump: Jump) -> list[tuple[Jump, str]]:
    row_start, col_start, row_end, col_end = jump
    return [
        ((row_end, col_end, row_start, col_start), "start and end are exchanged"),
        ((col_start, row_start, col_end, row_end), "rows and columns are exchanged"),
        ((col_end, row_end, col_start, row_start), "the four parts in reverse"),
        ((row_start, row_end, col_start, col_end), "both rows first, then both columns"),
        (
            (row_start, col_start, (row_start + row_end) // 2, (col_start + col_end) // 2),
            "it ends on the cell jumped over",
        ),
    ]


def board_key(author: Author, task: Task, draw: Random) -> Iterator[Question]:
    """Ask for the key of a board of two pegs, small enough to be worked out by hand."""
    program = author.program(task)
    single = program.keys([_with_pegs(cell) for cell in range(SIZE * SIZE)])
    if single is None:
        return
    small = [cell for cell, key in enumerate(single) if abs(key) <= MOST_KEY and cell % 9]
    if len(small) < 4:
        return
    one, two = sorted(draw.sample(small, 2))
    images = [
        (_with_pegs(_mirrored(one), _mirrored(two)), "the board in a mirror"),
        (_with_pegs(_exchanged(one), _exchanged(two)), "rows and columns are exchanged"),
        (_with_pegs(*((cell + 1) % 64 for cell in (one, two))), "each peg one cell further"),
        (_with_pegs(*((cell - 1) % 64 for cell in (one, two))), "each peg one cell before"),
        (_with_pegs(*((cell + SIZE) % 64 for cell in (one, two))), "each peg one row further down"),
        (_with_pegs(one), "one of the two pegs alone"),
    ]
    keys = program.keys([_with_pegs(one, two), *(cells for cells, _ in images)])
    if keys is None or abs(keys[0]) > 2 * MOST_KEY:
        return
    wrong = [
        Answer(f"{key:,}", why)
        for key, (_, why) in zip(keys[1:], images, strict=True)
        if abs(key) <= 2 * MOST_KEY  # a number that is far too long would give itself away
    ]
    near = [Answer(f"{keys[0] + 1:,}", "one more"), Answer(f"{2 * keys[0]:,}", "twice as much")]
    right, boards = Answer(f"{keys[0]:,}", "seen when it was called"), (Drawn(_with_pegs(one, two)),)
    words = "What does `board_key` return for this board?"
    yield from ask(draw, "board_key", CLIENT, words, right, [*wrong, *near], boards=boards)


def same_key(author: Author, task: Task, draw: Random) -> Iterator[Question]:
    """Ask which board has the same key, though its holes are others."""
    cells = [SIZE * row + col for row in range(2, 6) for col in range(2, 6)]
    pegs = draw.sample(cells, 5)
    holes = [cell for cell in cells if cell not in pegs]
    given = _with_pegs(*pegs, holes=holes)
    same = _with_pegs(*pegs, holes=draw.sample(holes, 4))
    moved = _with_pegs(*pegs[1:], holes[0], holes=holes)
    more = _with_pegs(*pegs, holes[1], holes=holes)
    mirrored = _with_pegs(*(_mirrored(cell) for cell in pegs), holes=[_mirrored(cell) for cell in holes])
    turned = _with_pegs(*(_exchanged(cell) for cell in pegs), holes=[_exchanged(cell) for cell in holes])
    those = [same, moved, more, mirrored, turned]
    keys = author.program(task).keys([given, *those])
    if keys is None or keys[1] != keys[0] or keys[0] in keys[2:]:
        return
    wrong = [
        Answer(moved, "one peg stands elsewhere"),
        Answer(mirrored, "its mirror image, whose pegs stand elsewhere"),
        Answer(more, "it has one peg more"),
        Answer(turned, "rows and columns are exchanged, so the pegs stand elsewhere"),
    ]
    right = Answer(same, "the same pegs: which other cells are holes does not count")
    words = "Which of these boards has the same `board_key` as this one?"
    yield from ask(draw, "same key", CLIENT, words, right, wrong, Shows.BOARD, (Drawn(given),))


def chain(author: Author, task: Task, draw: Random) -> Iterator[Question]:
    """Ask in which chain of a small table a key is."""
    program = author.program(task)
    for _ in range(TRIED):
        cells = [_with_pegs(cell) for cell in draw.sample(range(SIZE * SIZE), 6)]
        said = program.client(boards=cells, hashed=True)
        if said is None:
            return
        key, hash = min(zip(said.keys, said.hashes, strict=True), key=lambda pair: abs(pair[0]))
        if abs(key) > MOST_KEY:
            continue
        right = hash % CHAINS
        wrong = [
            (key % CHAINS, "the key itself, not its hash"),
            (hash // CHAINS % CHAINS, "the next three bits of the hash"),
            (-hash % CHAINS, "the hash with its sign changed"),
            ((right + 1) % CHAINS, "the next chain"),
            ((right - 1) % CHAINS, "the chain before"),
            ((right + 4) % CHAINS, "one bit differs"),
        ]
        words = (
            f"A table has {CHAINS} chains: a key is in the chain `key_hash(key) & {CHAINS - 1}`. In which "
            f"chain is the key `{key}`? (A calculator helps.)"
        )
        correct = Answer(f"chain {right}", "seen when it was called")
        answers = [Answer(f"chain {number}", why) for number, why in wrong]
        yield from ask(draw, "chain of a key", CLIENT, words, correct, answers)
        return


def direction(author: Author, task: Task, draw: Random) -> Iterator[Question]:
    """Ask where a jump in a direction, given as a number, lands."""
    if RULES not in task.files:
        return
    request = {"kind": "rules", "module": RULES.removesuffix(".py"), "boards": []}
    said = author.program(task).ask(request, parse_rules)
    if said is None or len({*said.steps}) != 4:
        return
    number = draw.randrange(4)
    row, col = draw.choice([(3, 4), (4, 3), (3, 5), (5, 3)])
    lands = [f"{row + 2 * row_step}:{col + 2 * col_step}" for row_step, col_step in said.steps]
    words = f"A peg on {row}:{col} jumps in direction {number}. On which cell does it land?"
    right = Answer(lands[number], "two cells away in that direction")
    wrong = [Answer(cell, f"direction {at}") for at, cell in enumerate(lands) if at != number]
    yield from ask(draw, "direction", RULES, words, right, wrong)


def _with_pegs(*pegs: int, holes: list[int] | None = None) -> str:
    """Return a board as 64 cells; without `holes` each other cell is a hole."""
    other: Callable[[int], str] = lambda cell: "o" if holes is None or cell in holes else "."  # noqa: E731
    return "".join("*" if cell in pegs else other(cell) for cell in range(SIZE * SIZE))


def _mirrored(cell: int) -> int:
    return cell // SIZE * SIZE + SIZE - 1 - cell % SIZE


def _exchanged(cell: int) -> int:
    return cell % SIZE * SIZE + cell // SIZE
