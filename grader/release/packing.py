"""Pack files into a zip or a tar; the same files give the same bytes on any machine.

To this end, files get a time by their content, are sorted, and are stored uncompressed, since compressed
bytes depend on the version of zlib. So is the wheel that students install: hatchling builds it from the
release's files and `pyproject.toml`, so it holds what the release folder holds.
"""

import io
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path

from grader.errors import InputError

TOP = "peg-solitaire"  # the top folder in the release's zip
THEN = datetime(1980, 1, 1)  # the earliest time that a zip can have


def zip_bytes(files: Mapping[str, str | bytes], folder: str = "") -> bytes:
    """Return a zip of `files`, the content of each by name; if `folder` is given, all are inside it."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in sorted(files.items()):
            entry = zipfile.ZipInfo(f"{folder}/{name}" if folder else name, _time(content))
            entry.create_system = 3  # Unix: the mode counts
            entry.external_attr = (0o100000 | _mode(content)) << 16
            archive.writestr(entry, content)
    return stream.getvalue()


def tar_bytes(files: Mapping[str, str]) -> bytes:
    """Return a tar of `files`, the text of each file by name."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, text in sorted(files.items()):
            entry = tarfile.TarInfo(name)
            entry.size = len(text.encode())
            entry.mode = _mode(text)
            archive.addfile(entry, io.BytesIO(text.encode()))
    return stream.getvalue()


def _time(content: str | bytes) -> tuple[int, int, int, int, int, int]:
    """Return a time of about 1980 that is another for other content.

    Where a release is unpacked over an older one, Python knows by it which compiled code is out of date.
    """
    raw = content.encode() if isinstance(content, str) else content
    return (THEN + timedelta(seconds=2 * (zlib.crc32(raw) >> 8))).timetuple()[:6]  # a zip counts in twos


def _mode(content: str | bytes) -> int:
    """Return the permissions of a file; scripts are executable."""
    return 0o755 if content[:2] in ("#!", b"#!") else 0o644


INSIDE = ("boards/", "handouts/", "LICENSE")  # these of the release are inside the package `grader`


def build_wheel(files: Mapping[str, str]) -> tuple[str, bytes]:
    """Return the name and the bytes of the wheel made of a release's files.

    Hatchling compresses the files, and the compressed bytes depend on the version of zlib. So the files are
    packed again, uncompressed.

    Raises:
        InputError: hatchling is not installed.
    """
    try:
        from hatchling.builders.wheel import WheelBuilder
    except ImportError:
        raise InputError("--wheel needs hatchling, which is not installed", "pip install hatchling") from None
    with tempfile.TemporaryDirectory() as folder:
        with zipfile.ZipFile(io.BytesIO(zip_bytes(files))) as packed:
            packed.extractall(folder)
        (made,) = WheelBuilder(folder).build(directory=str(Path(folder, "dist")), versions=["standard"])
        return Path(made).name, zip_bytes(wheel_files(Path(made).read_bytes()))


def wheel_files(wheel: bytes) -> dict[str, str]:
    """Return the text of each file in a wheel by its name."""
    with zipfile.ZipFile(io.BytesIO(wheel)) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


def not_released(wheel: Mapping[str, str], files: Mapping[str, str]) -> Iterator[InputError]:
    """Yield a fault for each file of a wheel that is not in the release, except the wheel's own metadata."""
    for name, text in wheel.items():
        below = name.removeprefix("grader/")
        released = files.get(below if below.startswith(INSIDE) else name)
        if released != text and ".dist-info/" not in name:
            yield InputError(
                f"{name}: is in the wheel, but not in the release",
                "see [tool.hatch] in grader/release/files/pyproject.toml.in; nothing was written",
            )
