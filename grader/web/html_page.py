"""Make a page that is one file: it loads nothing, no text breaks out, and only its own script runs."""

import base64
import hashlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from grader.safe_text import safe

STATIC = Path(__file__).parent / "static"
PAGE_STYLE = STATIC / "style.css"  # the colours and the type of all pages


@cache
def environment(templates: Path) -> Environment:
    """Return jinja2 for the templates of a folder: every text is made harmless, then escaped."""
    return Environment(
        loader=FileSystemLoader(templates),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_harmless,
    )


def _harmless(value: Any) -> Any:
    """Return a text without what is not printable; it is escaped after that."""
    return safe(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def inside(styles: Sequence[Path], scripts: Sequence[Path]) -> dict[str, str]:
    """Return what a template needs for its style and script, and for the policy that allows no others."""
    style, script = _joined(tuple(styles)), _joined(tuple(scripts))
    return {
        "style": Markup(style),
        "script": Markup(script),
        "style_digest": _digest(style),
        "script_digest": _digest(script),
    }


@cache
def _joined(files: Sequence[Path]) -> str:
    return "\n".join(file.read_text("utf-8") for file in files)


def _digest(text: str) -> str:
    """Return how a content-security policy names a style or a script."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
