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
    """One tier."""

    number: int  # its number, as in `Result.tier`
    title: str  # what it adds, in a few words
    missing: Callable[[], str]  # returns why it is not available here; empty if it is
    help: str  # what to do if it is not available


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
USUAL, PRIVATE = 2, 3  # tier 3 takes a third longer for each check, which private boards are worth


def missing(number: int) -> tuple[Tier, str] | None:
    """Return the lowest tier up to `number` that is not available, and why."""
    for tier in TIERS[: number + 1]:
        why = tier.missing()
        if why:
            return tier, why
    return None


def best() -> int:
    """Return the tier to use unless another is requested: the highest that is available, up to 2."""
    return chosen(None, guarded=False)


def chosen(asked: int | None, guarded: bool, private: bool = False) -> int:
    """Return the tier of a run: the requested one, or else the best.

    Args:
        asked: the requested tier, or None.
        guarded: whether a program must not do all that the user may, as in a class or on private boards.
        private: whether there are boards of which no more than pass or fail may get out: then tier 3 is used
            where it is available, so that no check sees the size of a file that tells of them.

    Raises:
        InputError: the requested tier is not available; or none was requested, the run is guarded, and tier 2
            is not available.
    """
    if asked is None and private and missing(PRIVATE) is None:
        return PRIVATE
    number = USUAL if asked is None else asked
    lacking = missing(number)
    if lacking is None:
        return number
    tier, why = lacking
    if asked is None and not guarded:
        return tier.number - 1
    needs = f"a class and private boards need tier {USUAL}" if asked is None else f"--tier {asked}"
    raise InputError(
        f"{needs}: not available here: tier {tier.number}: {why}",
        f"{tier.help}; or request less by --tier {tier.number - 1}; what each tier prevents: grade doctor",
    )


def note(tier: int) -> str:
    """Return the line with which a run in a lower tier than usual begins; empty for the others."""
    if tier >= USUAL:
        return ""
    lacking = missing(tier + 1)
    why = "as requested" if lacking is None else lacking[1]
    return f"sandbox tier {tier}, without {TIERS[tier + 1].title}: {why}"
