"""Take points for remarks on style, where course.yaml says so; without that rule they are only advice."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TYPE_CHECKING

from grader.course.rules.decimals import ZERO, plain, share
from grader.messages.phrases import count

if TYPE_CHECKING:  # policies has the rule as a field
    from grader.course.rules.grades import Grade


@dataclass(frozen=True)
class StyleRule:
    """What remarks on style cost.

    Attributes:
        percent: the percentage of a task's points that each remark takes.
        at_most: the percentage that all remarks on a task take at most.
    """

    percent: Decimal
    at_most: Decimal
    cited: str


def after_style(grade: "Grade", rule: StyleRule, remarks: Mapping[str, int]) -> "Grade":
    """Return a student's grade after the rule."""
    tasks, taken = [], ZERO
    for task in grade.tasks:
        number = remarks.get(task.task, 0)
        off = share(task.adjusted, min(number * rule.percent, rule.at_most), 100)
        if off > 0:
            left = task.adjusted - off
            said = f"{count(number, 'remark')} on style: -{plain(off)} {rule.cited}"
            counted = share(task.weight, left, task.max)
            taken += task.counted - counted
            task = replace(task, adjusted=left, counted=counted, rules=(*task.rules, said))
        tasks.append(task)
    return replace(grade, tasks=tuple(tasks), total=grade.total - taken)
