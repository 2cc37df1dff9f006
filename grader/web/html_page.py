"""Make single-file HTML pages: they load nothing, escape every text, and run only their own script."""

import base64
import hashlib
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from grader.safe_text import safe

STATIC = Path(__file__).parent / "static"
TEMPLATES = Path(__file__).parent / "templates"  # parts of pages
PAGE_STYLE = STATIC / "style.css"  # colours and typography of all pages
FILE_STYLES = (PAGE_STYLE, STATIC / "tables.css")


@cache
def environment(*templates: Path) -> Environment:
    """Return the jinja2 environment of template folders; it makes every text harmless, then escapes it.

    Each template is compiled once.
    """
    made = Environment(
        loader=FileSystemLoader([*templates, TEMPLATES]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_harmless,
    )
    made.filters["code"] = in_code
    return made


def in_code(words: str) -> Markup:
    """Return words as HTML: what stands between backticks is code, and jumps have the arrow of the pages."""
    words = re.sub("([0-7]:[0-7]) -> (?=[0-7]:[0-7])", "\\1 → ", safe(words))
    parts = map(escape, re.split("`([^`]+)`", words))
    return Markup("").join(Markup(f"<code>{part}</code>") if n % 2 else part for n, part in enumerate(parts))


def _harmless(value: Any) -> Any:
    """Return a text without unprintable characters; jinja2 escapes it afterwards."""
    return safe(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def page(template: Path, styles: Sequence[Path], scripts: Sequence[Path] = (), **values: Any) -> str:
    """Return the text of a page, from its template and the values in it; see `inside`."""
    found = environment(template.parent).get_template(template.name)
    return found.render(**values, **inside(styles, scripts)) + "\n"


def inside(styles: Sequence[Path], scripts: Sequence[Path]) -> dict[str, str]:
    """Return a page's style and script, and the digests by which its security policy allows only these.

    Args:
        scripts: the modules of the script, each after those that it imports.
    """
    style = _joined(tuple(styles))
    script = _as_one_script(_joined(tuple(scripts))) if scripts else ""
    return {
        "style": Markup(style),
        "script": Markup(script),
        "style_digest": _digest(style),
        "script_digest": _digest(script),
    }


@cache
def _joined(files: Sequence[Path]) -> str:
    return "\n".join(file.read_text("utf-8") for file in files)


def _as_one_script(modules: str) -> str:
    """Return joined modules as one script in a block of its own; a file alone can import nothing."""
    plain = re.sub(r"^import [^;]*;\n", "", modules, flags=re.MULTILINE)
    return '"use strict";\n{\n' + re.sub(r"^export ", "", plain, flags=re.MULTILINE) + "}\n"


def _digest(text: str) -> str:
    """Return the digest by which a content-security policy allows a style or script."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
