"""List how the browser may differ from `grade -d`, each difference once with its reason; see test_site.py."""

import re

# Texts that are equal but for what the machine, the place or Python's version puts into them.
NORMAL: tuple[tuple[str, str], ...] = (
    (r"\d+(\.\d+)? s\b", "N s"),  # measured time
    (r"\d+(\.\d+)? CPU seconds", "N CPU seconds"),  # a limit: a browser gives more
    (r"numpy\.float64", "float"),  # the cells of a browser's arrays are Python's own numbers
    ("integer division or modulo by zero", "division by zero"),  # Python 3.14 says it in fewer words
)

# A check that is not run since two others ended at their limits: a browser runs one after another.
SPARED = re.compile(r"not run: \w+ ends at its limit on \S+, \S+")

# Programs of the zoo, by their names, and mutants, by TASK:NAME.
CHANCE = "which of several boards is shown is chance, in each process another"
NO_NUMPY = "its program computes with more of numpy than a browser has: random numbers, or searchsorted"
DIFFERENT: dict[str, str] = {
    "fewest": NO_NUMPY,  # the reference, and so its mutants
    "peg3:random-hash": NO_NUMPY,
    "lab-endless-when-full": "the values shown are those at the moment at which a loop without end is stopped",
    "njit-debug": "its program imports numba, which a browser has not",
    "peg5:goes-back-one-jump-less": CHANCE,
}


def normal(text: str) -> str:
    """Return a text from a report, without the parts that may differ between a browser and `grade -d`."""
    for pattern, instead in NORMAL:
        text = re.sub(pattern, instead, text)
    return text
