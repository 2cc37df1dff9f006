"""Pack files into a zip or a tar; the same files give the same bytes on any machine.

To this end, all files get the same time, are sorted, and are stored uncompressed, since compressed bytes
depend on the version of zlib.
"""

import io
import tarfile
import zipfile
from collections.abc import Mapping

TOP = "peg-solitaire"  # the top folder in the release's zip
THEN = (1980, 1, 1, 0, 0, 0)  # the earliest time that a zip can have


def zip_bytes(files: Mapping[str, str], folder: str = "") -> bytes:
    """Return a zip of `files`, the text of each file by name; if `folder` is given, all are inside it."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
        for name, text in sorted(files.items()):
            entry = zipfile.ZipInfo(f"{folder}/{name}" if folder else name, THEN)
            entry.create_system = 3  # Unix: the mode counts
            entry.external_attr = (0o100000 | _mode(text)) << 16
            archive.writestr(entry, text.encode())
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


def _mode(text: str) -> int:
    """Return the permissions of a file; scripts are executable."""
    return 0o755 if text.startswith("#!") else 0o644
