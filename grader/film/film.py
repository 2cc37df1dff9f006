"""Follow what was recorded of a search: which boards it came to, from where, and what its table knew.

A node is a board that the search came to: a call of a recursive function with another board than the call
around it or, in a program without recursion, a jump on the board. A board that the table knew right after a
jump, so that there was no call, is a node, too.
"""

from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property

from framework.board import Board
from framework.jumps import Jump
from framework.verify import verify
from grader.film.events import Event, Recorded, read
from grader.judging.holes import Holes
from grader.sandbox.child import film_notes as child

MOST_NODES = 200_000
MOST_DEEP = 200  # searches in one another; a board has fewer jumps
NOWHERE = -1


class Kind(IntEnum):
    """What became of a board that a search came to."""

    NEW = 0  # searched for the first time
    AGAIN = 1  # searched, though it was searched before
    FOUND = 2  # known, and not searched
    SOLUTION = 3  # on the way to the solution


class Told(IntEnum):
    """When a board was put into the table."""

    NEVER = 0
    BEFORE = 1  # before its first jump was searched
    AFTER = 2


@dataclass(slots=True)
class Node:
    """A board that a search came to."""

    position: int
    parent: int  # the index of the node from which the search came, or NOWHERE
    depth: int  # how many jumps led to it
    kind: Kind = Kind.NEW
    children: list[int] = field(default_factory=list)  # where its jumps led, in order of time
    is_call: bool = True  # otherwise the table knew it right after the jump
    on_board: bool = True  # whether it was searched on the board itself, not on a copy
    value: int | None = None  # returned: a number of pegs or one of the child's constants
    asked: bool = False  # whether the table was asked for it before any of its jumps was searched
    found: bool = False  # whether the table then had it
    told: Told = Told.NEVER
    on_stack: int = 0  # how many moves were on the stack when the search came to it
    stack_leads_here: bool = False  # whether these are the jumps that led to it
    left_as: int | None = None  # the position on the board when the search went back from here

    @property
    def is_solved(self) -> bool:
        """Whether the search returned that this board is solved."""
        return self.value in (1, child.TRUE)

    @property
    def is_given_up(self) -> bool:
        """Whether the board was searched to no avail; known once it is known what became of it."""
        return self.left_as is not None and not self.is_solved and self.kind != Kind.FOUND


class Film:
    """A search that was followed."""

    def __init__(self, board: Board, recorded: Recorded) -> None:
        """Follow a search; raise FrameError if the events are malformed."""
        self.board = board
        self.holes = Holes(board)
        self.recorded = recorded
        self.nodes: list[Node] = []
        self.by_calls = recorded.calls > 0  # whether nodes are calls; otherwise they are jumps on the board
        self.left_out = 0  # how many boards are not in `nodes`, since there are too many
        self.asked = self.hits = 0  # how many times a table was asked, and had the key
        self.told = self.known = 0  # how many times a key was put into a table, and was there already
        # Of the table given to `peg_solve`:
        self.in_table: set[int] = set()  # the positions whose keys were put into it, as far as known
        self.asked_keys: set[int] = set()  # by their numbers
        self.told_keys: set[int] = set()
        self.missed = 0  # how many times it did not find a key that it had been told
        self.lost = False  # whether the jumps on the board could not be followed to the end
        self._jumps = {(cells, pegs): jump for cells, pegs, jump in self.holes.jumps}
        self._open: list[int] = []  # the nodes being searched; for calls with the same board, again
        self._positions: dict[int, int] = {}  # by the number of the key
        self._last_child: dict[tuple[int, int | None], int] = {}  # by node and position
        self._stack: list[int] = []  # the numbers of the moves
        if not self.by_calls:
            self._begin(self.holes.start, True)
        for event in read(recorded.events, self.holes.start, not self.by_calls):
            self._take(event)
        self._end_jumps()
        self._mark()

    def jump(self, before: int, after: int) -> Jump | None:
        """Return the jump from one position to another; None if there is none."""
        return self._jumps.get((before ^ after, before & ~after))

    def jump_to(self, node: Node) -> Jump | None:
        """Return the jump that led to a node; None if it was none."""
        return None if node.parent == NOWHERE else self.jump(self.nodes[node.parent].position, node.position)

    @cached_property
    def again(self) -> int:
        """How often a board was searched that had been searched before, on the way to the solution, too."""
        searched = [node.position for node in self.nodes if node.kind != Kind.FOUND]
        return len(searched) - len(set(searched))

    @property
    def put_in(self) -> int:
        """How many different keys were put into a table."""
        return self.told - self.known

    # ---- from event to event ---------------------------------------------------------------------

    def _take(self, event: Event) -> None:
        match event.code:
            case child.CALL_NOW | child.CALL:
                if self._open and self.nodes[self._open[-1]].position == event.position:
                    self._open.append(self._open[-1])
                else:
                    self._begin(event.position, event.code == child.CALL_NOW)
            case child.RETURN:
                self._end(event.position, event.number)
            case child.UNWIND:
                del self._open[-1:]
            case child.CELL | child.RESET:
                if not self.by_calls:
                    self._follow(event.position)
            case child.KEY:
                self._positions[event.number] = event.position
            case child.ASKED | child.FOUND:
                self._ask(event)
            case child.PUSHED:
                self._stack.append(event.number)
            case child.POPPED:
                del self._stack[-1:]
            case _:
                self._tell(event)

    def _begin(self, position: int, on_board: bool) -> None:
        parent = self._open[-1] if self._open else NOWHERE
        if len(self.nodes) >= MOST_NODES or len(self._open) >= MOST_DEEP:
            self.left_out += 1
            self._open.append(parent)  # what belongs to it is counted for the board around it
            return
        if parent != NOWHERE:
            self._add_child(parent, position)
        self._open.append(len(self.nodes))
        depth = 0 if parent == NOWHERE else self.nodes[parent].depth + 1
        node = Node(position, parent, depth, on_board=on_board, on_stack=len(self._stack))
        self.nodes.append(node)
        node.stack_leads_here = self._stack_leads_to(node)

    def _stack_leads_to(self, node: Node) -> bool:
        """Return whether the moves on the stack are the jumps that led to a node."""
        if node.parent == NOWHERE:
            return not self._stack
        before, pushed = self.nodes[node.parent], self.recorded.pushed
        if not before.stack_leads_here or node.on_stack != before.on_stack + 1:
            return False
        return self._stack[-1] < len(pushed) and pushed[self._stack[-1]] == self.jump_to(node)

    def _end(self, now: int, value: int | None) -> None:
        if not self._open:
            return
        index = self._open.pop()
        if index != NOWHERE and (not self._open or self._open[-1] != index):
            self.nodes[index].value = value
            self.nodes[index].left_as = now

    def _follow(self, now: int) -> None:
        """Follow the jumps on the board of a program without recursion."""
        if self.lost or not self._open:
            return
        node = self.nodes[self._open[-1]]
        if (now ^ node.position).bit_count() < 3:
            return
        if node.parent != NOWHERE and now == self.nodes[node.parent].position:
            self._end(node.position, None)
        elif self.jump(node.position, now) is not None and len(self.nodes) < MOST_NODES:
            self._begin(now, True)
        else:
            self.left_out += len(self.nodes) == MOST_NODES
            self.lost = True

    def _end_jumps(self) -> None:
        """End the first board of a program without recursion that took all its jumps back."""
        if not self.by_calls and not self.lost and len(self._open) == 1 and not self.recorded.ended:
            self._end(self.holes.start, None)

    def _ask(self, event: Event) -> None:
        found = event.code == child.FOUND
        self.asked += 1
        self.hits += found
        if event.table == 0:
            self.asked_keys.add(event.number)
            self.missed += not found and event.number in self.told_keys
        if not self._open or self._open[-1] == NOWHERE:
            return
        node = self.nodes[self._open[-1]]
        position = self._looked_up(node, event)
        if position == node.position:
            if not node.children:
                node.asked = True
                node.found = node.found or found
        elif found and self.jump(node.position, position) is not None and len(self.nodes) < MOST_NODES:
            self._add_child(self._open[-1], position)
            known = Node(position, self._open[-1], node.depth + 1, is_call=False, asked=True, found=True)
            self.nodes.append(known)

    def _looked_up(self, node: Node, event: Event) -> int:
        """Return the position that was looked up: a node's own, or one after a jump.

        The key need not be the client's own: a program can compute it further, or take that of an image.
        """
        known = self._positions.get(event.number)
        if known is not None and (known == node.position or self.jump(node.position, known) is not None):
            return known
        return event.position if node.on_board else node.position

    def _tell(self, event: Event) -> None:
        self.told += 1
        self.known += event.code == child.KNOWN
        position = self._positions.get(event.number)
        if event.table == 0:
            self.told_keys.add(event.number)
            if position is not None:
                self.in_table.add(position)
        if not self._open or self._open[-1] == NOWHERE:
            return
        node = self.nodes[self._open[-1]]
        if position == node.position:
            if node.told == Told.NEVER:
                node.told = Told.AFTER if node.children else Told.BEFORE
            return
        last = self._last_child.get((self._open[-1], position))
        if last is not None:
            self.nodes[last].told = self.nodes[last].told or Told.AFTER

    def _add_child(self, parent: int, position: int) -> None:
        """Note that the next node is a child of another."""
        self.nodes[parent].children.append(len(self.nodes))
        self._last_child[parent, position] = len(self.nodes)

    # ---- in the end ------------------------------------------------------------------------------

    def _mark(self) -> None:
        """Find out what became of each node."""
        searched: set[int] = set()
        tried: set[int] = set()  # those with a jump that was tried
        for node in self.nodes:
            if node.children:
                tried.add(node.position)
            if not node.children and (node.found or (node.position in tried and node.left_as is not None)):
                node.kind = Kind.FOUND
            elif node.position in searched:
                node.kind = Kind.AGAIN
            else:
                node.kind = Kind.NEW
                searched.add(node.position)
        # A program that remembers boards elsewhere than in a table does so with boards without a jump, too.
        if any(node.kind == Kind.FOUND and not node.found for node in self.nodes):
            for node in self.nodes:
                if node.kind == Kind.AGAIN and not node.children and node.left_as is not None:
                    node.kind = Kind.FOUND
        for index in self._solution():
            self.nodes[index].kind = Kind.SOLUTION

    def _solution(self) -> list[int]:
        """Return the nodes on the way to the solution, if the program has found one."""
        jumps = self.recorded.jumps
        if self.recorded.number != 1 or not verify(self.board, jumps).solved:
            return []
        position = self.holes.start
        by_jump = {jump: cells for (cells, _), jump in self._jumps.items()}
        roots = [index for index, node in enumerate(self.nodes) if node.parent == NOWHERE]
        path, among = list[int](), roots
        for cells in [0, *(by_jump[jump] for jump in jumps)]:
            position ^= cells
            found = [index for index in among if self.nodes[index].position == position]
            if found:
                path.append(found[-1])
                among = self.nodes[found[-1]].children
        return path
