"""Provide numpy as `np`, or in its place the little of numpy that this course uses, in plain Python.

numpy is installed wherever programs can be compiled. A browser has neither numpy nor a compiler: there,
programs run as plain Python on the arrays of small_arrays.py.
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
