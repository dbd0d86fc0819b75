"""An interactive figure in a notebook's cell: HTML with its code and data, which needs neither the program nor a network."""

from __future__ import annotations

import base64
import json
import math
import os
import pathlib
import re
import sys
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

import numpy

from ._arrays import Array, index, indices, listed
from ._files import write_whole

LARGEST = 5_000_000  #: bytes of a figure for which no layers were chosen
_CODE = pathlib.Path(__file__).with_name("view.js")
_NAMES = {
    "attention": "Attention", "encoder_attention": "Encoder", "decoder_attention": "Decoder", "cross_attention": "Cross-attention",
}  # fmt: skip
_SIDES = {  # the tokens of queries and of keys
    "attention": ("tokens", "key_tokens"), "encoder_attention": ("tokens", "tokens"),
    "decoder_attention": ("target_tokens", "target_tokens"), "cross_attention": ("target_tokens", "tokens"),
}  # fmt: skip
VIEWS = ("grid", "lines", "layers")
_THEMES = ("auto", "light", "dark")


class Html:
    """An interactive figure, which a notebook shows and `.save(path)` writes as a page of its own."""

    def __init__(self, data: str) -> None:
        self.data = data  #: the HTML

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the figure. Raises ValueError for an extension other than .html."""
        file = pathlib.Path(path)
        if file.suffix.lower() not in (".html", ".htm"):
            raise ValueError(f"path is {file}; expected the extension .html")
        write_whole(file, lambda stream: stream.write(self.data.encode()))

    def _repr_html_(self) -> str:
        return self.data

    def __repr__(self) -> str:
        return f"<headscope.Html {len(self.data)} bytes>"


def in_notebook() -> bool:
    """Whether this runs in a notebook's kernel, which shows HTML."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return getattr(shell, "kernel", None) is not None


def interactive(
    arrays: Mapping[str, Array],
    *,
    view: str = "lines",
    layer: int | None = None,
    heads: int | Sequence[int] | None = None,
    include_layers: Sequence[int] | None = None,
    include_heads: Sequence[int] | None = None,
    theme: str = "auto",
    sentence_b_start: int | None = None,
    head_names: Sequence[str] | None = None,
) -> Html:
    """The arrays of a capture as an interactive figure; include_layers are the numbers that its layers have.

    Raises ValueError for a view, layer, head or theme that there is not.
    """
    for name, value, known in (("view", view, VIEWS), ("theme", theme, _THEMES)):
        if value not in known:
            raise ValueError(f"{name} is {value!r}; expected one of {', '.join(known)}")
    weights = {name: arrays[name] for name in _SIDES if name in arrays}
    deepest = max(len(array) for array in weights.values())
    numbers = listed(include_layers, "include_layers") if include_layers is not None else list(range(deepest))
    if layer is not None and index(layer, "layer") not in numbers:
        raise ValueError(f"layer is {layer}; expected one of {_listed(numbers)}")
    places = _that_fit(weights, numbers.index(layer) if layer is not None else 0, include_layers is not None)
    count = max(array.shape[1] for array in weights.values())
    kept = list(range(count)) if include_heads is None else indices(include_heads, "include_heads", count)
    metadata = json.loads(arrays["metadata"].tobytes()) if "metadata" in arrays else {}
    blocks = []
    for name, array in weights.items():
        here = [place for place in places if place < len(array)]
        modules = metadata.get("modules", {}).get(name)
        blocks.append(
            {
                "name": _NAMES[name],
                "layers": [numbers[place] for place in here],
                "modules": [modules[place] for place in here] if modules else None,
                "second": sentence_b_start if name == "attention" and array.shape[-2] == array.shape[-1] else None,
                "headNames": list(map(str, head_names)) if head_names is not None else None,
                **_tokens(arrays, name),
                **_cells(array[here], [head for head in kept if head < array.shape[1]]),
            }
        )
    chosen = kept if heads is None else indices(heads, "heads", count)
    start = numbers[places[0]] if layer is None else layer
    return Html(_page({"view": view, "theme": theme, "layer": start, "chosen": chosen, "blocks": blocks}))


def _listed(numbers: Sequence[int]) -> str:
    return f"{numbers[0]} to {numbers[-1]}" if list(numbers) == list(range(len(numbers))) else ", ".join(map(str, numbers))


def _that_fit(weights: dict[str, Array], first: int, asked: bool) -> list[int]:
    """Places of the layers that are shown: all, or, where no layers were asked for, as many as a figure may hold."""
    deepest = max(len(array) for array in weights.values())
    size = sum(_bytes(array) for array in weights.values())
    if size <= LARGEST:
        return list(range(deepest))
    largest_layer = sum(_bytes(array) / len(array) for array in weights.values())
    fit = deepest if asked else max(1, math.floor(LARGEST / largest_layer))
    first = min(first, deepest - fit)
    which = f"layer {first}" if fit == 1 else f"layers {first} to {first + fit - 1}"
    print(
        f"headscope: a figure of {deepest} layers has {size / 1e6:.1f} MB"
        + ("" if asked else f", more than {LARGEST / 1e6:.0f}; this one has {which}, include_layers=[…] chooses others")
    )
    return list(range(first, first + fit))


def _bytes(array: Array) -> int:
    """Of an array in the figure: a byte a weight, as base64; half of them if it is causal."""
    return int(array.size * (0.5 if _is_causal(array) else 1) * 4 / 3)


def _is_causal(array: Array) -> bool:
    return array.shape[-2] == array.shape[-1] and array.shape[-1] > 1 and not numpy.triu(array, 1).any()


def _tokens(arrays: Mapping[str, Array], name: str) -> dict[str, list[str]]:
    """The texts of queries and keys, numbers where there are none."""
    queries, keys = arrays[name].shape[-2:]
    of_queries, of_keys = _SIDES[name]
    if of_keys not in arrays and name == "attention" and queries == keys:
        of_keys = "tokens"
    found = {}
    for side, source, count in (("queries", of_queries, queries), ("keys", of_keys, keys)):
        texts = json.loads(arrays[source].tobytes()) if source in arrays else None
        found[side] = texts if texts is not None else [str(i + 1) for i in range(count)]
    return found


def _cells(array: Array, heads: list[int]) -> dict[str, Any]:
    """Weights as 255 steps of each head's largest, in base64; of causal attention those on and below the diagonal."""
    chosen = array[:, heads].astype(numpy.float32)
    nothing = numpy.isnan(chosen).all(-1) | (chosen == 0).all(-1)
    chosen = numpy.nan_to_num(chosen)
    largest = chosen.max((-2, -1))
    codes = numpy.rint(255 * chosen / numpy.where(largest > 0, largest, 1)[..., None, None]).clip(0, 255).astype(numpy.uint8)
    causal = _is_causal(chosen)
    if causal:
        codes = codes[(..., *numpy.tril_indices(chosen.shape[-1]))]
    return {
        "heads": heads,
        "headCount": array.shape[1],
        "causal": causal,
        "largests": [float(f"{value:.6g}") for value in largest.ravel()],
        "empty": [int(i) for i in numpy.flatnonzero(nothing)],
        "cells": base64.b64encode(codes.tobytes()).decode(),
    }


def _page(data: dict[str, Any]) -> str:
    """In ASCII, so that it reads the same in any encoding; a name that no other figure of the notebook has."""
    name = f"headscope-{uuid.uuid4().hex}"
    code = re.sub(r"[^\x00-\x7f]", lambda letter: f"\\u{ord(letter[0]):04x}", _CODE.read_text("utf-8"))
    inputs = json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
    # Where a notebook is not trusted, its scripts do not run and this text is all.
    note = "An interactive figure of attention: it needs JavaScript, so trust this notebook."
    return f'<div id="{name}">{note}</div>\n<script>\n{code}\nheadscope("{name}", {inputs});\n</script>\n'
