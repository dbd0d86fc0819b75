"""Files that are written whole or not at all."""

from __future__ import annotations

import pathlib
import tempfile
from collections.abc import Callable
from typing import IO


def write_whole(file: pathlib.Path, write: Callable[[IO[bytes]], object]) -> None:
    """Fills `file` by `write`, beside it at first, in a folder whose name nobody has: no other file is touched."""
    with tempfile.TemporaryDirectory(prefix=".headscope-", dir=file.parent) as folder:
        partial = pathlib.Path(folder) / "file"
        with partial.open("wb") as stream:
            write(stream)
        partial.replace(file)
