"""What the exact engine takes for what it is asked, beside its targets, and beside a C program.

    python tests/bench/bench_oracle.py [--rounds N] [--french] [--only QUESTION]...

Each question is asked in a process of its own, compiled and warm: once before, then N times; all 21 English problems
are gone through but once, so the first time a checkout does this, compiling is counted. For "fresh" each of the N times
has a new process, whose start and imports count. A target is met when the median meets it; memory is the peak of the
whole process. The winning set is also found by winning_set.c, in turn with the engine. Each answer is verified; a wrong
one ends it all.
"""

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tabulate import tabulate

Hole = tuple[int, int]
Times = dict[str, float]  # seconds, by what took them

# The winning positions of the English central game after 0 to 15 jumps, up to symmetry; then the same backwards.
CENTRAL = [1, 1, 2, 8, 38, 164, 635, 2089, 6174, 16020, 35749, 68326, 112788, 162319, 204992, 230230]
CENTRAL_SOLUTIONS = 40_861_647_040_079_968
CENTRAL_MOVES = 18
CENTRE = (3, 3)
HINTED = 1_000
FRENCH_VACANCY = (0, 2)
FRENCH_GOALS = [(0, 4), (3, 1), (3, 4), (6, 4)]  # of its class, up to symmetry

WINNING = "winning set, English central game"
FRESH = f"{WINNING}, from the start of a process"
FEWEST = "fewest moves of it proved, from nothing"
ALL_ENGLISH = "all 21 English problems: winning set, solutions, fewest moves, optimal solutions"
LOADING = "hints, English central class: loading"
REFUTED = "refuted by class, the slowest of 21 French vacancies"

TARGETS: dict[str, tuple[float, float | None]] = {  # seconds, MiB
    WINNING: (0.30, 300),
    FRESH: (0.35, 150),
    FEWEST: (1, None),
    ALL_ENGLISH: (30, None),
    "hint, mean": (1e-3, None),
    "hint, worst": (1e-3, None),
    "can_win, mean": (1e-3, None),
    "can_win, worst": (1e-3, None),
    REFUTED: (1e-3, None),
    "first solution": (0.150, None),  # of any family
}


def check(what: str, found: object, wanted: object) -> None:
    """End it all when an answer is wrong."""
    if found != wanted:
        raise SystemExit(f"{what}: the answer is {found}, not {wanted}")


def timed(run: Callable[[], Any]) -> tuple[Any, float]:
    """What comes of `run`, and the seconds."""
    began = time.perf_counter()
    outcome = run()
    return outcome, time.perf_counter() - began


def peak_mib() -> float:
    """The peak of this process; `ru_maxrss` may be that of the parent, where there is better."""
    try:
        for line in Path("/proc/self/status").read_text("ascii").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
    except OSError:
        pass
    from grader.oracle.analysis import peak_mib as peak

    return peak()


# --- What is asked, each in a process of its own; a line of input is a round -------------------------------------


def board_of(name: str, vacancy: Hole) -> Any:
    """The full board of that name, but for one hole."""
    from grader.catalog.boards import find_board

    return find_board(f"{name}@{vacancy[0]},{vacancy[1]}").board


def problem(name: str, vacancy: Hole, goal: Hole) -> tuple[Any, int, list[int]]:
    """Shape, start and goals, as the searches want them."""
    from grader.oracle.shape import shape_of

    board = board_of(name, vacancy)
    shape = shape_of(board)
    return shape, shape.position(board), [1 << shape.number[goal]]


def warm_up(shape: Any) -> None:
    """Solve problems of one jump, so that all is compiled, for each number of symmetries that there is."""
    from grader.oracle.moves import Solutions
    from grader.oracle.winning_set import find_winning

    done = set()
    for three in shape.threes:
        start, goals = 1 << three.first | 1 << three.middle, [1 << three.last]
        symmetries = len(shape.symmetries_that_keep([start], goals))
        if symmetries not in done:
            done.add(symmetries)
            check(
                "optimal solutions of one jump",
                Solutions(find_winning(shape, start, goals)).optimal_count,
                1,
            )


def winning_set() -> Iterator[Times]:
    """The winning set of the English central game."""
    from grader.oracle.winning_set import find_winning

    asked = problem("english", CENTRE, CENTRE)
    for _ in sys.stdin:
        before = time.process_time()
        found, wall = timed(lambda: find_winning(*asked))
        cpu = time.process_time() - before
        check(WINNING, [level.count for level in found.levels], CENTRAL + CENTRAL[::-1])
        del found  # or it would count to the peak of the next round
        yield {WINNING: wall, "cpu": cpu}


def fewest_moves() -> Iterator[Times]:
    """The fewest moves of the English central game."""
    from grader.oracle.moves import Solutions
    from grader.oracle.winning_set import find_winning

    asked = problem("english", CENTRE, CENTRE)
    for _ in sys.stdin:
        found, wall = timed(lambda: Solutions(find_winning(*asked)))
        check(FEWEST, (found.moves, found.count), (CENTRAL_MOVES, CENTRAL_SOLUTIONS))
        del found
        yield {FEWEST: wall}


def all_english() -> Iterator[Times]:
    """All English problems with one vacancy and one goal; a problem and its reverse have as many solutions."""
    from grader.oracle.analysis import Analysis, analyse_problems
    from grader.oracle.shape import shape_of
    from support.problems import ENGLISH_MOVES

    board = board_of("english", CENTRE)
    shape = shape_of(board)

    def images(vacancy: Hole, goal: Hole) -> Iterator[tuple[Hole, Hole]]:
        for each in shape.symmetries:
            yield shape.holes[each[shape.number[vacancy]]], shape.holes[each[shape.number[goal]]]

    def answers() -> Iterator[tuple[tuple[Hole, Hole], Analysis]]:
        for each in analyse_problems("english", board):
            row, col = map(int, each.board.partition("@")[2].split(","))
            yield ((row, col), each.goal), each

    for _ in sys.stdin:
        found, wall = timed(lambda: dict(answers()))
        known = {
            each: (
                sum(solved.winning.canonical),
                solved.solutions,
                solved.fewest_moves,
                solved.optimal_solutions,
            )
            for each, solved in found.items()
        }
        for (vacancy, goal), (positions, solutions, moves, optimal) in known.items():
            name = f"English {vacancy} to {goal}"
            check(
                name,
                moves,
                next(ENGLISH_MOVES[each] for each in images(vacancy, goal) if each in ENGLISH_MOVES),
            )
            check(f"{name}, optimal solutions", 0 < optimal < solutions, True)
            reverse = next(known[each] for each in images(goal, vacancy) if each in known)
            check(f"{name}, positions and solutions", (positions, solutions), reverse[:2])
        check("English problems", len(known), 21)
        check(
            "English central game",
            known[CENTRE, CENTRE][:3],
            (2 * sum(CENTRAL), CENTRAL_SOLUTIONS, CENTRAL_MOVES),
        )
        yield {ALL_ENGLISH: wall}


def hints() -> Iterator[Times]:
    """`hint` and `can_win` in random play of the English central game, any goal of its class.

    The worst is that of the boards, each at the best of three times: others' processes are not to count.
    """
    import numpy as np

    from grader import oracle
    from grader.oracle.endings import endings_of
    from grader.oracle.shape import shape_of

    full, pick = board_of("english", CENTRE), random.Random(1)
    boards: list[Any] = []
    while len(boards) < HINTED:
        board = full.copy()
        while True:
            boards.append(board.copy())
            jumps = [jump for jump, _ in oracle.successors(board)]
            if not jumps:
                break
            play(board, pick.choice(jumps))
    boards = boards[:HINTED]
    for _ in sys.stdin:
        endings_of.cache_clear()
        _, loading = timed(lambda: oracle.can_win(full))
        times = {LOADING: loading}
        answers = {}
        for name, ask in (("hint", oracle.hint), ("can_win", oracle.can_win)):
            tries = [[timed(lambda ask=ask, each=each: ask(each)) for _ in range(3)] for each in boards]
            answers[name] = [asked[0][0] for asked in tries]
            walls = [[wall for _, wall in asked] for asked in tries]
            times[f"{name}, mean"] = statistics.mean(map(statistics.mean, walls))
            times[f"{name}, worst"] = max(map(min, walls))
        yield times
    winning, shape = oracle.solutions(full).winning, shape_of(full)
    for board, jump, wins in zip(boards, answers["hint"], answers["can_win"], strict=True):
        check("can_win", wins, winning.holds(shape.position(board)))
        if jump is not None:
            play(board, jump)
            check("after a hint", winning.holds(shape.position(board)), True)
        else:
            check("no hint", wins and np.count_nonzero(board == 1) > 1, False)


def play(board: Any, jump: tuple[int, int, int, int]) -> None:
    """Make a jump."""
    row, col, row_end, col_end = jump
    board[row, col] = board[(row + row_end) // 2, (col + col_end) // 2] = 0
    board[row_end, col_end] = 1


def refuted() -> Iterator[Times]:
    """Vacancies that are refuted by class."""
    from grader import oracle
    from grader.oracle.shape import shape_of

    vacancies = [board_of("french", hole) for hole in shape_of(board_of("french", CENTRE)).holes]
    infeasible = [board for board in vacancies if not oracle.class_ends(board)]
    check("infeasible French vacancies", len(infeasible), 21)
    solve = oracle.solve
    for _ in sys.stdin:
        answers = [timed(lambda board=board: solve(board)) for board in infeasible]
        check(
            "infeasible", {(each.status, each.solvable) for each, _ in answers}, {("refuted by class", False)}
        )
        yield {REFUTED: max(wall for _, wall in answers)}


def first_solutions() -> Iterator[Times]:
    """The first solution of each solvable vacancy, to any peg, as in bench_beam.py, which says more."""
    import bench_beam

    families = [(name, asked) for name, asked in bench_beam.questions() if name.endswith("any peg")]
    for _ in sys.stdin:
        times = {}
        for name, asked in families:
            measured = [bench_beam.best_time(question, 1) for question in asked]
            check(f"{name}, solutions", sum(found for _, found in measured), len(asked))
            times[f"first solution, {name}, the slowest of {len(asked)}"] = (
                max(wall for wall, _ in measured) / 1e3
            )
        yield times


def french(row: int, col: int) -> Iterator[Times]:
    """The fewest moves of a French problem, and how many solutions there are."""
    from grader.oracle.analysis import different_goals
    from grader.oracle.moves import Solutions
    from grader.oracle.winning_set import find_winning
    from support.problems import count_moves, replay

    goal = (row, col)
    check("goals of the French vacancy", different_goals(board_of("french", FRENCH_VACANCY)), FRENCH_GOALS)
    shape, start, goals = problem("french", FRENCH_VACANCY, goal)
    warm_up(shape)
    for _ in sys.stdin:
        found, wall = timed(lambda: Solutions(find_winning(shape, start, goals)))
        best, finding = timed(lambda found=found: next(found.best()))
        best = [(shape.number[jump[:2]], shape.number[jump[2:]]) for jump in best]
        check(f"French, {goal}", (replay(shape, start, best), count_moves(best)), (goals[0], found.moves))
        yield {
            f"French {FRENCH_VACANCY} to {goal}: {found.moves} moves, {found.count:,} solutions": wall
            + finding
        }


TASKS: dict[str, Callable[..., Iterator[Times]]] = {
    task.__name__: task
    for task in (winning_set, fewest_moves, hints, refuted, first_solutions, all_english, french)
}


def answer(name: str, arguments: list[int]) -> None:
    """A child's part: a line of output for each line of input, which is a round."""
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    for times in TASKS[name](*arguments):
        print(json.dumps([times, peak_mib()]), flush=True)


# --- What is measured ---------------------------------------------------------------------------------------------


class Child:
    """A question in a process of its own; with so many processors, where that can be said."""

    def __init__(self, task: str, *arguments: int, processors: int = 0) -> None:
        self.peak = 0.0
        command = [sys.executable, __file__, "--child", task, *map(str, arguments)]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, preexec_fn=limit(processors)
        )

    def round(self) -> Times:
        """Ask once."""
        assert self._process.stdin and self._process.stdout
        try:
            self._process.stdin.write("\n")
            self._process.stdin.flush()
            times, self.peak = json.loads(self._process.stdout.readline())
        except (OSError, ValueError):
            raise SystemExit(self._process.wait() or 1) from None
        return times

    def end(self) -> None:
        """Let it verify what is left to verify, and end."""
        self._process.communicate()
        if self._process.returncode:
            raise SystemExit(self._process.returncode)


def limit(processors: int) -> Callable[[], None] | None:
    """What keeps a child to so many processors."""
    if not processors or not hasattr(os, "sched_setaffinity"):
        return None
    chosen = sorted(os.sched_getaffinity(0))[:processors]
    return lambda: os.sched_setaffinity(0, chosen)


class Yardstick:
    """The C program."""

    def __init__(self, program: str, threads: int) -> None:
        self.peak = 0.0
        self._command = [program, str(threads)]
        self._limit = limit(threads)

    def round(self) -> Times:
        """Run it once."""
        done = subprocess.run(
            self._command, check=True, capture_output=True, text=True, preexec_fn=self._limit
        )
        counts, sums = done.stdout.splitlines()
        check("winning set in C", [int(each) for each in counts.split()], CENTRAL)
        total, wall, cpu, self.peak = (float(each) for each in sums.split())
        check("winning set in C", total, 2 * sum(CENTRAL))
        return {WINNING: wall, "cpu": cpu}

    def end(self) -> None:
        """Nothing is left to do."""


Row = list[Any]


def shown(seconds: float) -> str:
    """Seconds as text."""
    if seconds >= 0.1:
        return f"{seconds:.2f} s"
    return f"{1e3 * seconds:.1f} ms" if seconds >= 1e-3 else f"{1e6 * seconds:.0f} us"


def row_of(what: str, measured: list[float], peak: float | None, target: str) -> Row:
    """A row of the table; `target` names its target, if it has one."""
    best, median = min(measured), statistics.median(measured)
    row = [what, shown(best), shown(median)]
    if (wanted := TARGETS.get(target)) is None:
        return [*row, "", "", "" if peak is None else f"{peak:.0f}"]
    most, mib = wanted
    met = median <= most and (mib is None or (peak is not None and peak <= mib))
    limits = f"{most:g} s" if most >= 1 else f"{1e3 * most:g} ms"
    limits += "" if mib is None else f", {mib:g} MiB"
    return [*row, limits, "yes" if met else "NO", "" if peak is None else f"{peak:.0f}"]


def winning_set_rows(rounds: int) -> tuple[list[Row], list[Row]]:
    """The engine and the C program in turn: rows of the table, and rows of a table of ratios."""
    with tempfile.TemporaryDirectory() as folder:
        program = str(Path(folder) / "winning_set")
        source = str(Path(__file__).with_name("winning_set.c"))
        compiler = os.environ.get("CC", "cc")
        subprocess.run([compiler, "-O3", "-march=native", "-pthread", "-o", program, source], check=True)
        compiled = Child("winning_set")  # the peak of compiling is not to count
        compiled.round()
        compiled.end()
        sides: dict[tuple[str, int], Child | Yardstick] = {}
        for threads in (2, 1) if hasattr(os, "sched_setaffinity") else (2,):
            sides["engine", threads] = Child("winning_set", processors=threads)
            sides["C", threads] = Yardstick(program, threads)
        for side in sides.values():
            side.round()
        runs: dict[tuple[str, int], list[Times]] = {key: [] for key in sides}
        for _ in range(rounds):
            for key, side in sides.items():
                runs[key].append(side.round())
        for side in sides.values():
            side.end()
    rows, ratios = [], []
    for (who, threads), times in runs.items():
        what = f"{WINNING}, {who}, {threads} thread{'s'[: threads - 1]}"
        target = WINNING if (who, threads) == ("engine", 2) else ""
        rows.append(row_of(what, [each[WINNING] for each in times], sides[who, threads].peak, target))
    for threads in sorted({threads for _, threads in runs}, reverse=True):
        pairs = list(zip(runs["engine", threads], runs["C", threads], strict=True))
        ratio = [statistics.median(engine[key] / c[key] for engine, c in pairs) for key in (WINNING, "cpu")]
        ratios.append([threads, *(f"{each:.2f}" for each in ratio)])
    return rows, ratios


def fresh_rows(rounds: int) -> list[Row]:
    """The first winning set of a process: from the start of the process to the answer; once before to compile."""

    def ask() -> Child:
        child = Child("winning_set")
        child.round()
        return child

    walls, peaks = [], []
    for number in range(rounds + 1):
        child, wall = timed(ask)
        child.end()
        if number:
            walls.append(wall)
            peaks.append(child.peak)
    return [row_of(FRESH, walls, statistics.median(peaks), FRESH)]


def rows_of(task: str, rounds: int, *arguments: int) -> list[Row]:
    """The rows of any other question, asked once before where there are several rounds."""
    child = Child(task, *arguments)
    if rounds > 1:
        child.round()
    measured: dict[str, list[float]] = {}
    for _ in range(rounds):
        for what, seconds in child.round().items():
            measured.setdefault(what, []).append(seconds)
    child.end()
    return [
        row_of(
            what,
            each,
            child.peak if task not in ("refuted", "first_solutions") else None,
            "first solution" if what.startswith("first solution") else what,
        )
        for what, each in measured.items()
    ]


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--french", action="store_true", help="also French problems (minutes)")
    parser.add_argument(
        "--only", action="append", choices=[*TASKS, "fresh"], help="ask this, and what else is named so"
    )
    parser.add_argument("--child", nargs="+", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.child:
        answer(chosen.child[0], [int(each) for each in chosen.child[1:]])
        return
    names = chosen.only or ["fresh", *(name for name in TASKS if name != "french" or chosen.french)]
    rows: list[Row] = []
    ratios: list[Row] = []
    for name in names:
        if name == "winning_set":
            more_rows, ratios = winning_set_rows(chosen.rounds)
            rows += more_rows
        elif name == "fresh":
            rows += fresh_rows(chosen.rounds)
        elif name == "french":
            for goal in FRENCH_GOALS:
                rows += rows_of(name, 1, *goal)
        else:
            rows += rows_of(name, 1 if name == "all_english" else chosen.rounds)
    headers = ["what", "best", "median", "target", "met", "peak MiB"]
    print(tabulate(rows, headers, disable_numparse=True))
    if ratios:
        print()
        print(tabulate(ratios, ["winning set, threads", "engine / C, wall", "CPU"], disable_numparse=True))


if __name__ == "__main__":
    main()
