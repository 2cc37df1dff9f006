"""Where the browser may differ from `grade -d`: each difference once, with its reason; see test_site.py."""

import re

# Texts that are equal but for what the machine, the place or Python's version puts into them.
NORMAL: tuple[tuple[str, str], ...] = (
    (r"\d+(\.\d+)? s\b", "N s"),  # measured time
)

# Programs of the zoo, by their names, and mutants, by TASK:NAME.
DIFFERENT: dict[str, str] = {}


def normal(text: str) -> str:
    """Return a text without what may differ."""
    for pattern, instead in NORMAL:
        text = re.sub(pattern, instead, text)
    return text
