"""Headscope in Python: multi-head attention in a window, or as a figure in a notebook.

    import headscope
    headscope.show(attention, tokens)             # [layers, heads, n, n], or what transformers returns
    headscope.figure(attention, tokens, head=2)   # shown by a notebook
    with headscope.record(module) as seen:        # any torch module
        module(x)
    seen.show(tokens)
    headscope.head_view(attention, tokens)        # interactive, in a notebook's cell

Arrays are numbered from 0, as in files and on the command line; the window and its figures number heads and layers
from 1. Everything is computed by the program `headscope`, which is looked for in $HEADSCOPE, in this package (a
wheel brings it) and on the PATH.
"""

from ._bertviz import head_view, model_view
from ._capture import Capture, figure, save, show
from ._figure import Figure
from ._html import Html
from ._open import open
from ._other_names import attention
from ._program import Window, program
from ._record import Recording, record
from ._transformers import capture

__version__ = "0.1.0"
__all__ = [
    "Capture", "Figure", "Html", "Recording", "Window", "attention", "capture", "figure", "head_view", "model_view", "open",
    "program", "record", "save", "show",
]  # fmt: skip
