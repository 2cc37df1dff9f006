"""Sets of positions: how the parts that threads fill become one set."""

import numpy as np
import pytest

from grader.oracle import kernels

WORDS = 2 * kernels.PAGE + 3  # the last page is not full


@pytest.mark.parametrize("others", [0, 1, 3])
def test_parts_become_one_set(others: int) -> None:
    """All positions are in the first set, which is counted; the other parts are empty for the next time."""
    random = np.random.default_rng(others)
    target, *rest = random.integers(0, 1 << 64, (1 + others, WORDS), dtype=np.uint64)
    parts = np.array(rest, dtype=np.uint64).reshape(others, WORDS)
    parts[:, kernels.PAGE : 2 * kernels.PAGE] = 0
    wanted = target.copy()
    for part in parts:
        wanted |= part
    count = kernels.merge(target, parts, np.zeros(1, dtype=np.int64))
    assert (target == wanted).all()
    assert count == np.bitwise_count(wanted).sum()
    assert not parts.any()
