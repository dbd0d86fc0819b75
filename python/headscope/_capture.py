"""Attention that was computed in Python: as a capture, in a window, as a figure."""

from __future__ import annotations

import json
import os
import pathlib
import re
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from typing import Any

import numpy

from . import _program
from ._arrays import Array, as_array, indices, is_generated, json_bytes, layers_of, prettified, token_list
from ._figure import Figure
from ._files import write_whole
from ._html import VIEWS, Html, in_notebook, interactive
from ._open import without_display

# Arrays besides the weights, with the axes that a capture has; core/source/CAPTURE.md describes each.
_EXTRAS = ("scores", "q", "k", "v", "x", "layer_x", "context", "output", "w_o")
_BLOCKS = ("encoder_attention", "decoder_attention", "cross_attention")


class Capture:
    """Attention weights with their tokens, as core/source/CAPTURE.md describes them."""

    def __init__(self, arrays: Mapping[str, Array]) -> None:
        self.arrays: dict[str, Array] = dict(arrays)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the capture as .npz. Raises ValueError for another extension."""
        file = pathlib.Path(path)
        if file.suffix.lower() != ".npz":
            raise ValueError(f"path is {file}; expected the extension .npz")
        write_whole(file, lambda stream: numpy.savez(stream, **self.arrays))  # type: ignore[arg-type]

    def _save_for_program(self, folder: str, heads: int | Sequence[int] | None) -> str:
        """The file to open: the capture, or a session that shows only these heads of it."""
        metadata = json.loads(self.arrays["metadata"].tobytes()) if "metadata" in self.arrays else {}
        # A figure's title has the model's name, or none, and not that of a temporary file.
        named = {**self.arrays, "metadata": json_bytes({"model": "", **metadata})}
        name = _file_name(metadata.get("model") or " ".join(self._first_tokens()))
        file = os.path.join(folder, name + ".npz")
        Capture(named).save(file)
        if heads is None:
            return file
        count = self._heads()
        shown = indices(heads, "heads", count)
        hidden = [head for head in range(count) if head not in shown]
        session = os.path.join(folder, name + ".headscope")
        with open(session, "w", encoding="utf-8") as stream:
            json.dump({"version": 1, "capture": name + ".npz", "view": {"hidden_heads": hidden}}, stream)
        return session

    def _first_tokens(self) -> list[str]:
        return json.loads(self.arrays["tokens"].tobytes())[:12] if "tokens" in self.arrays else []

    def figure(self, *, heads: int | Sequence[int] | None = None, **options: Any) -> Figure:
        """A figure of it, with all heads or only these; the other options are those of `headscope export`: view="layers",
        head=2, layer=0, size="column", colormap="magma", title="…", key=3."""
        folder = tempfile.mkdtemp(prefix="headscope-")
        try:
            return Figure([self._save_for_program(folder, heads)], options, folder)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise

    def html(self, *, view: str = "grid", **look: Any) -> Html:
        """An interactive figure, which needs no program: view "grid", "lines" or "layers", layer, heads, include_heads,
        theme "auto", "light" or "dark"."""
        return interactive(self.arrays, view=view, **look)

    def _in_place_of_a_window(self, heads: int | Sequence[int] | None, options: dict[str, Any]) -> Figure | Html:
        """A notebook's cell shows all blocks and layers, if it has what the options name."""
        if in_notebook() and options.keys() <= {"view", "layer", "theme"} and options.get("view", "grid") in VIEWS:
            return self.html(include_heads=None if heads is None else indices(heads, "heads", self._heads()), **options)
        return self.figure(heads=heads, **options)

    def _heads(self) -> int:
        """The most that a block has."""
        return max(int(array.shape[1]) for name, array in self.arrays.items() if name.endswith("attention"))

    def show(
        self, *, wait: bool = False, heads: int | Sequence[int] | None = None, **options: Any
    ) -> _program.Window | Figure | Html:
        """Opens it in a window; see headscope.show()."""
        if not _program.has_display():
            return without_display(self._in_place_of_a_window(heads, options))
        folder = tempfile.mkdtemp(prefix="headscope-")
        file = self._save_for_program(folder, heads)
        _program.run(["info", file])  # so that what is wrong is an exception here
        window = _program.Window([file, *_program.options(options)], folder)
        if wait:
            window.wait()
        return window

    def __repr__(self) -> str:
        shapes = ", ".join(f"{name} {list(a.shape)}" for name, a in self.arrays.items() if a.dtype != numpy.uint8)
        return f"<headscope.Capture {shapes}>"


def _file_name(text: str) -> str:
    """What is shown, as the name of a file: the window's title has it."""
    words = re.sub(r"[^\w.,'’-]+", " ", text).strip(" .")
    return words[:40].strip() or "attention"


def make_capture(
    attention: Any = None,
    tokens: Any = None,
    key_tokens: Any = None,
    *,
    encoder_attention: Any = None,
    decoder_attention: Any = None,
    cross_attention: Any = None,
    encoder_tokens: Any = None,
    decoder_tokens: Any = None,
    include_layers: Sequence[int] | None = None,
    prettify_tokens: bool = False,
    sequence: int | None = None,
    sentence_b_start: int | None = None,
    metadata: Mapping[str, object] | None = None,
    **extras: Any,
) -> Capture:
    """The arguments of show() that are data, checked, as a capture."""
    for name in extras:
        if name not in _EXTRAS:
            raise ValueError(f"unexpected argument {name!r}; expected one of {', '.join(sorted(_DATA))}")
    if sentence_b_start is not None and tokens is not None and not 0 <= sentence_b_start <= len(tokens):
        raise ValueError(f"sentence_b_start is {sentence_b_start}; expected 0 to {len(tokens)}")
    given = {"encoder_attention": encoder_attention, "decoder_attention": decoder_attention, "cross_attention": cross_attention}
    blocks = {name: value for name, value in given.items() if not _is_absent(value)}  # transformers has () for none
    if sequence is None and any(map(_is_batch, (tokens, encoder_tokens, decoder_tokens))):
        sequence = 0
    if (attention is None) == (not blocks):
        raise ValueError(
            "expected either attention, or some of encoder_attention, decoder_attention and cross_attention"
            + ("; found both" if blocks else "; found none")
        )
    if blocks and extras:
        raise ValueError(f"{next(iter(extras))} was passed with the blocks of an encoder–decoder; expected attention with it")

    def chosen(value: Any, name: str) -> Array:
        layers = layers_of(value, name, sequence)
        if include_layers is None:
            return layers
        return layers[indices(include_layers, "include_layers", len(layers))]

    def named(texts: Any, name: str, count: int) -> Array:
        words = token_list(texts, name, count, sequence)
        return json_bytes(prettified(words) if prettify_tokens else words)

    arrays: dict[str, Array] = {}
    if attention is not None:
        arrays["attention"] = chosen(attention, "attention")
        n_q, n_k = arrays["attention"].shape[-2:]
        if tokens is not None:
            # What generate() returned ends with a token that the model has not read.
            unread = is_generated(attention) and len(tokens) == n_q + 1
            arrays["tokens"] = named(tokens[:-1] if unread else tokens, "tokens", n_q)
        if key_tokens is not None:
            arrays["key_tokens"] = named(key_tokens, "key_tokens", n_k)
        elif n_q != n_k and tokens is not None:
            raise ValueError(f"attention has {n_q} queries and {n_k} keys; expected key_tokens, too")
        for name, value in extras.items():
            if value is not None:
                arrays[name] = _extra(value, name, arrays["attention"], sequence, include_layers)
    else:
        for name, value in blocks.items():
            arrays[name] = chosen(value, name)
        source = encoder_tokens if encoder_tokens is not None else tokens
        counts = {"encoder": 0, "decoder": 0}
        for name, array in ((name, arrays[name]) for name in _BLOCKS if name in arrays):
            queries = "encoder" if name == "encoder_attention" else "decoder"
            keys = "decoder" if name == "decoder_attention" else "encoder"
            for side, count in ((queries, array.shape[-2]), (keys, array.shape[-1])):
                if counts[side] not in (0, count):
                    raise ValueError(f"{name} has {count} {side} tokens; expected {counts[side]} as the other blocks have")
                counts[side] = count
        if source is not None and counts["encoder"]:
            arrays["tokens"] = named(source, "encoder_tokens", counts["encoder"])
        if decoder_tokens is not None and counts["decoder"]:
            unread = is_generated(decoder_attention) and len(decoder_tokens) == counts["decoder"] + 1
            arrays["target_tokens"] = named(decoder_tokens[:-1] if unread else decoder_tokens, "decoder_tokens", counts["decoder"])
    for name, array in arrays.items():
        if not name.endswith("attention"):
            continue
        # A row that is NaN throughout is that of a query with no key.
        wrong = (~numpy.isfinite(array) & ~numpy.isnan(array).all(-1, keepdims=True)) | (array < 0)
        if wrong.any():
            where = [int(i) for i in numpy.argwhere(wrong)[0]]
            raise ValueError(f"{name}{where} is {array[tuple(where)]}; expected a weight from 0 to 1")
    if metadata:
        arrays["metadata"] = json_bytes(dict(metadata))
    return Capture(arrays)


def _is_absent(value: Any) -> bool:
    return value is None or (isinstance(value, (tuple, list)) and len(value) == 0)


def _is_batch(tokens: Any) -> bool:
    return isinstance(tokens, (tuple, list)) and len(tokens) > 0 and isinstance(tokens[0], (tuple, list))


def _extra(
    value: Any, name: str, attention: Array, sequence: int | None, include_layers: Sequence[int] | None
) -> Array:
    """An array besides the weights, with the axis of layers that `attention` has."""
    sequence = sequence or 0
    if name == "x":
        array = as_array(value, name)
        return array[sequence] if array.ndim == 3 else array
    axes = 4 if name in ("scores", "q", "k", "v") else 3
    if isinstance(value, (tuple, list)) or _axes(value) < axes:
        parts = list(value) if isinstance(value, (tuple, list)) else [value]
        array = numpy.stack([_without_batch(as_array(part, name), axes - 1, sequence) for part in parts])
    else:
        array = as_array(value, name)
    if array.ndim != axes:
        raise ValueError(f"{name} has the shape {list(array.shape)}; expected {axes} axes, layers first")
    return array if include_layers is None else array[indices(include_layers, "include_layers", len(array))]


def _axes(value: Any) -> int:
    return len(value.shape) if hasattr(value, "shape") else numpy.ndim(value)


def _without_batch(array: Array, axes: int, sequence: int) -> Array:
    return array[sequence] if array.ndim == axes + 1 else array


_DATA = frozenset(
    ("encoder_attention", "decoder_attention", "cross_attention", "encoder_tokens", "decoder_tokens", "include_layers",
     "prettify_tokens", "sequence", "sentence_b_start", "metadata", *_EXTRAS)
)  # fmt: skip


def _split(arguments: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Data, and options of the program."""
    data = {name: value for name, value in arguments.items() if name in _DATA}
    return data, {name: value for name, value in arguments.items() if name not in _DATA}


def show(
    attention: Any = None, tokens: Any = None, key_tokens: Any = None, *, wait: bool = False, html_action: str = "view",
    **arguments: Any
) -> _program.Window | Figure | Html:  # fmt: skip
    """Opens attention weights in a window.

    attention: [layers, heads, n_q, n_k], [heads, n_q, n_k] or [n_q, n_k], or a tuple of layers as transformers returns
        it, each [batch, heads, n_q, n_k]; numpy arrays, torch tensors of any type and place.
    tokens: n_q strings; key_tokens: n_k strings where the keys are not the queries.
    encoder_attention, decoder_attention, cross_attention, encoder_tokens, decoder_tokens: in place of `attention` for
        an encoder–decoder.
    q, k, v, scores, x, layer_x, context, output, w_o: further arrays (core/source/CAPTURE.md), for the arithmetic of a
        cell and for what cells show.
    heads: the heads that are shown, numbered from 0; all by default.
    sequence: which of a batch; include_layers: only these layers; prettify_tokens: without Ġ and ▁.
    metadata: {"model": name} and others that a capture may have.
    wait: return when the window is closed, and not at once.
    html_action, sentence_b_start: as BertViz has them: "return" returns a figure and opens no window; where the second
        sentence begins is checked and changes nothing, as both are shown as one text.
    Other arguments are options of the command line: view="head", head=2, layer=0, colormap="magma".

    Returns the window when it is there; without a display a figure, in a notebook an interactive one, and says so. Raises
    ValueError that says what was found and expected, RuntimeError if no window came.
    """
    if html_action not in ("view", "return"):
        raise ValueError(f"html_action is {html_action!r}; expected 'view' or 'return'")
    if html_action == "return":
        return figure(attention, tokens, key_tokens, **arguments)
    data, options = _split(arguments)
    return make_capture(attention, tokens, key_tokens, **data).show(wait=wait, **options)


def figure(attention: Any = None, tokens: Any = None, key_tokens: Any = None, **arguments: Any) -> Figure:
    """A figure of attention weights, which a notebook shows and `.save(path)` writes.

    The data and `heads` are those of show(); the other arguments are the options of `headscope export`: view="grid", head=2,
    layer=0, size="column", colormap="viridis", range="unit", title="…", width=7, height=3, theme="dark", numbers="off".
    """
    data, options = _split(arguments)
    return make_capture(attention, tokens, key_tokens, **data).figure(**options)


def save(
    path: str | os.PathLike[str], attention: Any = None, tokens: Any = None, key_tokens: Any = None, **arguments: Any
) -> None:
    """Writes a capture, an .npz file that `headscope FILE` opens. The data are those of show()."""
    make_capture(attention, tokens, key_tokens, **arguments).save(path)
