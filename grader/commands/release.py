"""`grade release DIR`: make the students' folder from listed files only, and check it for leaks."""

import hashlib
import re
from pathlib import Path

import click

from grader import paths
from grader.commands import new_folder
from grader.commands.options import PATH
from grader.errors import FULL_MARKS, InputError
from grader.release.packing import TOP, build_wheel, not_released, wheel_files, zip_bytes
from grader.release.release import release_files
from grader.release.release_check import faults


def _version(context: click.Context, option: click.Parameter, value: str | None) -> str | None:
    """Check that a version of Python is one that the grader runs on."""
    if value is not None and not re.fullmatch(r"3\.1[1-9]", value):
        raise InputError(f"--python {value}: expected a version such as 3.12", "it must be 3.11 or newer")
    return value


@click.command()
@click.argument("folder", metavar="DIR", type=PATH)
@click.option("--zip", "zipped", is_flag=True, help="Also make DIR.zip, identical on every machine.")
@click.option(
    "--wheel", is_flag=True, help="Also make a wheel beside DIR, for uvx, pipx and pip; needs hatchling."
)
@click.option(
    "--private", multiple=True, type=PATH, metavar="DIR",
    help="Fail if a board from this folder would be released, even turned or mirrored (repeatable).",
)  # fmt: skip
@click.option(
    "--python", metavar="3.N", callback=_version,
    help="Pin the version of Python that the course is graded with; no other then runs `grade`.",
)  # fmt: skip
def release(folder: Path, zipped: bool, wheel: bool, private: tuple[Path, ...], python: str | None) -> int:
    """Make DIR, the folder that students get; fail if it would contain a line of a solution."""
    archive = new_folder.beside(folder, ".zip")
    new_folder.check(folder, *([archive] if zipped else []))
    files = release_files(python)
    for fault in faults(files, private):
        raise fault
    packed = {archive: zip_bytes(files, TOP)} if zipped else {}
    if wheel:
        name, data = build_wheel(files)
        inside = wheel_files(data)
        for fault in (*not_released(inside, files), *faults(inside, private)):
            raise fault
        packed[archive.with_name(name)] = data
        new_folder.check(folder, archive.with_name(name))
    new_folder.write(folder, files, packed, public=True)
    without = ", none of the private boards" if private else ""
    click.echo(f"{paths.shown(folder)}: {len(files)} files, no line of a solution among them{without}")
    for path, data in packed.items():
        click.echo(f"{paths.shown(path)}: the same, sha256 {hashlib.sha256(data).hexdigest()}")
    click.echo(f"try it as a student: cd {paths.typed(folder)} && make && .venv/bin/grade")
    return FULL_MARKS
