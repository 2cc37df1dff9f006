"""Compute with points as decimals of two places, rounded half up."""

from decimal import ROUND_HALF_UP, Decimal

CENT = Decimal("0.01")
ZERO = Decimal("0.00")


def share(whole: Decimal, part: Decimal, of: Decimal | int) -> Decimal:
    """Return `whole * part / of`; zero if `of` is zero."""
    return (whole * part / of).quantize(CENT, ROUND_HALF_UP) if of > 0 else ZERO


def plain(number: Decimal) -> str:
    """Return a number as text, without trailing zeros in its decimals."""
    return f"{number.normalize():f}"
