"""A figure that a notebook shows."""

from __future__ import annotations

import contextlib
import os
import pathlib
import re
import shutil
import tempfile
import weakref
from collections.abc import Mapping, Sequence
from typing import Any

from . import _program
from ._files import write_whole


class Figure:
    """A figure drawn by the program; a notebook shows it as SVG, with a PNG beside it."""

    def __init__(self, source: Sequence[str], options: Mapping[str, object], folder: str | None = None) -> None:
        """`source`: the arguments that name what is drawn; `folder`: temporary files, removed with the figure."""
        self._source = list(source)
        self._options = dict(options)
        self._drawn: dict[str, bytes] = {}
        self.svg  # so that wrong arguments are reported where they are passed
        if folder is not None:
            weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)

    def _draw(self, ending: str) -> bytes:
        if ending not in self._drawn:
            with tempfile.TemporaryDirectory(prefix="headscope-") as folder:
                path = pathlib.Path(folder) / ("figure" + ending)
                # The session in the file would name temporary files.
                _program.run(["export", "-o", str(path), "--no-session", *self._source, *_program.options(self._options)])
                self._drawn[ending] = path.read_bytes()
        return self._drawn[ending]

    @property
    def svg(self) -> str:
        """The figure as SVG."""
        return self._draw(".svg").decode()

    @property
    def png(self) -> bytes:
        """The figure as PNG."""
        return self._draw(".png")

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the figure: .svg, .png or .pdf by the extension. Raises ValueError for another."""
        file = pathlib.Path(path)
        ending = file.suffix.lower()
        if ending not in (".svg", ".png", ".pdf"):
            raise ValueError(f"path is {file}; expected the extension .svg, .png or .pdf")
        data = self._draw(ending)
        write_whole(file, lambda stream: stream.write(data))

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        # In text, a declaration of its encoding is an error to what turns notebooks into pages.
        svg = re.sub(r"^<\?xml[^>]*\?>\s*", "", self.svg)
        shown: dict[str, Any] = {"image/svg+xml": svg, "text/plain": repr(self)}
        # The reader has fonts of its own for the SVG; the PNG needs those of this machine.
        with contextlib.suppress(RuntimeError):
            shown["image/png"] = self.png
        return shown

    def __repr__(self) -> str:
        return f"<headscope.Figure {len(self.svg)} bytes of SVG>"
