"""`grade site OUT`: make the course as a website, in a folder that any web server can serve."""

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
    help="Use this npm package of Pyodide, packed (by npm pack) or unpacked, instead of fetching one.",
)  # fmt: skip
@click.option(
    "--private", multiple=True, type=PATH, metavar="DIR",
    help="Fail if a board from this folder would be on the site, even turned or mirrored (repeatable).",
)  # fmt: skip
def site(out: Path, pyodide: Path | None, private: tuple[Path, ...]) -> int:
    """Make the folder OUT, the course as a website, where students write, run and keep their programs."""
    from grader.site.build import site_files

    new_folder.check(out)
    files = site_files(pyodide, private)
    new_folder.write(out, files, public=True)
    size = sum(len(content.encode() if isinstance(content, str) else content) for content in files.values())
    click.echo(
        f"{paths.shown(out)}: {len(files)} files, {size / 1e6:.1f} MB, no line of a solution among them"
    )
    click.echo(f"try it: python -m http.server -d {paths.shown(out)}, then open http://localhost:8000")
    return FULL_MARKS
