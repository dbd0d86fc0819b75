"""Files that exist: sessions, figures, models, captures, lessons."""

from __future__ import annotations

import os
import pathlib
from typing import TypeVar

from . import _program
from ._figure import Figure


def open(path: str | os.PathLike[str], *, wait: bool = False, **options: object) -> _program.Window | Figure:  # noqa: A001
    """Opens a session, a figure made by Headscope, a model's folder, a capture or a lesson in a window.

    A built-in model opens by its name: headscope.open("translator"). Options are the command line's, such as
    view="layers". With `wait`, returns when the window is closed. Without a display returns a figure and says so.

    Raises ValueError if the file is none of these, FileNotFoundError if it does not exist.
    """
    text = os.fspath(path)
    if not pathlib.Path(text).exists() and (os.sep in text or pathlib.Path(text).suffix):
        raise FileNotFoundError(f"{text} does not exist")
    if not _program.has_display():
        return without_display(Figure([text], options))
    if pathlib.Path(text).suffix != ".md":  # of which info knows nothing before it is played
        _program.run(["info", text])  # so that a bad file is an exception here, not a message in the window
    window = _program.Window([text, *_program.options(options)])
    if wait:
        window.wait()
    return window


_Shown = TypeVar("_Shown")


def without_display(figure: _Shown) -> _Shown:
    print("headscope: no display here ($DISPLAY and $WAYLAND_DISPLAY are not set); this is a figure instead of a window")
    return figure
