"""`grade site OUT`: the course for a browser, a folder for any web server."""

from pathlib import Path

import click

from grader import paths
from grader.commands import new_folder
from grader.commands.options import PATH
from grader.errors import FULL_MARKS


@click.command()
@click.argument("out", metavar="OUT", type=PATH)
@click.option(
    "--pyodide", type=PATH, metavar="FILE",
    help="npm's package of Pyodide, if npm should not fetch it: what npm pack made, or its folder.",
)  # fmt: skip
@click.option(
    "--private", multiple=True, type=PATH, metavar="DIR",
    help="Fail if a board from this folder would be on the site, even turned or mirrored (repeatable).",
)  # fmt: skip
def site(out: Path, pyodide: Path | None, private: tuple[Path, ...]) -> int:
    """Make OUT, the course for a browser: students write, run and keep their programs there."""
    from grader.site.build import site_files

    new_folder.check(out)
    files = site_files(pyodide, private)
    new_folder.write(out, files)
    size = sum(len(content.encode() if isinstance(content, str) else content) for content in files.values())
    click.echo(
        f"{paths.shown(out)}: {len(files)} files, {size / 1e6:.1f} MB, no line of a solution among them"
    )
    click.echo(f"try it: python -m http.server -d {paths.shown(out)}, then open http://localhost:8000")
    return FULL_MARKS
