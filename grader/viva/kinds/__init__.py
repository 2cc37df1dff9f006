"""The kinds of questions. A kind that does not apply to a program returns None; it is then left out."""

from collections.abc import Callable, Mapping
from functools import partial
from random import Random
from types import MappingProxyType

from grader.catalog.tasks import Task
from grader.viva.author import Author
from grader.viva.kinds import answers, back, changes, client, counts, lines, order, table
from grader.viva.question import Question

Kind = Callable[[Author, Task, Random], Question | None]

# In groups: a paper takes one kind from each group in turn.
GROUPS: Mapping[str, tuple[Kind, ...]] = MappingProxyType(
    {
        "order": (order.tried_next, order.tried_in_order, order.tried_first),
        "table": (
            table.recorded_first,
            table.found_in_table,
            table.enters_as,
            table.recorded_last,
            table.table_size,
        ),
        "answer": (answers.returned_again, answers.stack_second, answers.returned, answers.stack_top),
        "lines": tuple(partial(lines.line_that, role) for role in lines.ROLES),
        "change": (changes.swapped, changes.without_lookup, changes.without_insert),
        "client": (
            client.board_key,
            client.same_key,
            client.move_parts,
            client.move_new,
            client.direction,
        ),
        "count": (counts.calls, counts.deepest, counts.taken_back, counts.most_called, back.can_win),
    }
)
LAST: tuple[Kind, ...] = (client.chain,)  # only where all others are asked: nobody multiplies in their head
