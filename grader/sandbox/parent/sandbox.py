"""The place where one run of the grader runs submissions."""

from typing import TYPE_CHECKING

from grader.sandbox.parent.shared import Shared

if TYPE_CHECKING:
    from grader.sandbox.asking import Load
    from grader.sandbox.parent.runner import Runner


class Sandbox(Shared):
    """Gives each submission its runner; use it in a `with` block."""

    def runner(self, load: "Load", hidden: bool) -> "Runner":
        """Return the runner for checks of a submission; `hidden` says whether they are on hidden boards."""
        from grader.sandbox.parent.runner import Runner  # now, since the zygote is started before

        return Runner(load, self, hidden)
