"""Where arrays come from: numpy as `np`, or the little of it that this course uses where it is not installed.

numpy is there wherever a program can be compiled. In a browser there is neither, and programs run as plain
Python on the arrays of small_arrays.py.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
else:
    try:
        import numpy as np
    except ImportError:
        from framework import small_numpy as np

__all__ = ["np"]
