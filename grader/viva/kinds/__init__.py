"""The kinds of questions. A kind yields what it can ask of a program: the first is taken, if there is any."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from random import Random
from types import MappingProxyType

from grader.catalog.tasks import Task
from grader.viva.author import Author
from grader.viva.kinds import answers, changes, client, counts, lines, order, table
from grader.viva.question import Question

Kind = Callable[[Author, Task, Random], Iterator[Question]]

# In groups: a paper takes one kind from each group in turn.
GROUPS: Mapping[str, tuple[Kind, ...]] = MappingProxyType(
    {
        "order": (order.tried_next, order.tried_in_order, order.tried_first),
        "table": (
            partial(table.recorded, "first"),
            table.found_in_table,
            table.enters_as,
            partial(table.recorded, "last"),
            table.table_size,
        ),
        "answer": (answers.returned_again, answers.stack_second, answers.returned, answers.stack_top),
        "lines": tuple(partial(lines.line_that, role) for role in lines.ROLES),
        "change": (changes.swapped, *(partial(changes.without, what) for what in changes.WITHOUT)),
        "client": (client.board_key, client.same_key, client.move_parts, client.move_new, client.direction),
        "count": (counts.calls, counts.deepest, counts.taken_back, counts.most_called, counts.can_win),
    }
)
LAST: tuple[Kind, ...] = (client.chain,)  # only where all others are asked: nobody multiplies in their head
