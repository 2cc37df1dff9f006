"""The tiers of the sandbox, which confine a student's process: any system has tier 0, and few have tier 3.

Each tier includes those below it. Whether a tier is available is found by trying, not by the system's name.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass

from grader.errors import InputError
from grader.sandbox.confine import landlock, namespaces, offers, syscalls


@dataclass(frozen=True)
class Tier:
    """One tier.

    Attributes:
        number: its number, as in `Result.tier`.
        title: what it adds, in a few words.
        missing: returns why it is not available here; empty if it is.
        help: what to do if it is not available.
    """

    number: int
    title: str
    missing: Callable[[], str]
    help: str


def _no_posix() -> str:
    return "" if offers.limits() else "no limits by the system, as on Windows"


def _no_filters() -> str:
    if not sys.platform.startswith("linux"):
        return "not Linux"
    if not offers.forks():
        return "processes cannot be forked, measured and passed descriptors here"
    if landlock.version() == 0:
        return "this kernel has no Landlock, or it is turned off"
    return syscalls.missing()


TIERS = (
    Tier(0, "clean copy, cleared environment, wall clock", lambda: "", ""),
    Tier(1, "limits of CPU time, memory and files", _no_posix, "grade on Linux or macOS"),
    Tier(
        2,
        "Landlock and a filter of system calls",
        _no_filters,
        "use Linux 5.13 or later with landlock in /sys/kernel/security/lsm, then "
        "apt-get install libseccomp2 and pip install pyseccomp",
    ),
    Tier(
        3,
        "namespaces, and under root a user id of its own",
        namespaces.missing,
        "let ordinary users make user namespaces, or be root with CAP_SYS_ADMIN (docker run --privileged)",
    ),
)
ALWAYS_TRIED = 2  # tier 3 loads a submission again for each check, so it is used only on request


def missing(number: int) -> tuple[Tier, str] | None:
    """Return the lowest tier up to `number` that is not available, and why."""
    for tier in TIERS[: number + 1]:
        why = tier.missing()
        if why:
            return tier, why
    return None


def best() -> int:
    """Return the tier to use unless another is requested: the highest that is available, up to 2."""
    lacking = missing(ALWAYS_TRIED)
    return ALWAYS_TRIED if lacking is None else lacking[0].number - 1


def require(number: int) -> int:
    """Return `number` if that tier is available.

    Raises:
        InputError: the tier is not available.
    """
    lacking = missing(number)
    if lacking is not None:
        tier, why = lacking
        raise InputError(
            f"--tier {number}: not available here: tier {tier.number}: {why}",
            f"{tier.help}; to list all tiers: grade doctor",
        )
    return number
