"""Build the wheel that students install, and look into it.

Hatchling builds it from the release's files and `pyproject.toml`, so it holds what the release folder holds.
"""

import io
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from grader.errors import InputError
from grader.release.packing import zip_bytes

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
