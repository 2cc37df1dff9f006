"""Lay out and pack files as students and platforms do."""

import io
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

Files = Mapping[str, bytes]


def lay(folder: Path, files: Mapping[str, str | bytes | None]) -> Path:
    """Write files into a folder, and return it; None stands for an empty folder."""
    for name, content in files.items():
        path = folder / name
        (path if content is None else path.parent).mkdir(parents=True, exist_ok=True)
        if content is not None:
            path.write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


def zip_of(files: Mapping[str, str | bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return packed.getvalue()


def tar_of(files: Mapping[str, str | bytes], mode: str = "w:gz") -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode=mode) as archive:  # type: ignore[call-overload]
        for name, content in files.items():
            raw = content.encode() if isinstance(content, str) else content
            member = tarfile.TarInfo(name)
            member.size = len(raw)
            archive.addfile(member, io.BytesIO(raw))
    return packed.getvalue()
