"""The libraries that grading needs, each with the version that is installed here."""

import re
from importlib import metadata

NAME = re.compile(r"[A-Za-z0-9._-]+")


def requirements() -> str:
    """Return them as pip's requirements, those that they need in turn among them.

    What belongs to another system or another Python is not installed here, and so it is left out.
    """
    pinned: dict[str, str] = {}
    waiting = ["peg-solitaire"]
    while waiting:
        needed = [each for each in metadata.requires(waiting.pop()) or [] if "extra ==" not in each]
        for requirement in needed:
            name = _normal(requirement)
            try:
                version = metadata.version(name)
            except metadata.PackageNotFoundError:
                continue
            if name not in pinned:
                pinned[name] = version
                waiting.append(name)
    return "".join(f"{name}=={version}\n" for name, version in sorted(pinned.items()))


def _normal(requirement: str) -> str:
    """Return the name in a requirement, as the packaging specifications write it."""
    match = NAME.match(requirement)
    assert match is not None
    return re.sub(r"[-_.]+", "-", match[0]).lower()
