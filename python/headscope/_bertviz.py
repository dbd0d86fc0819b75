"""The calls of BertViz, by its names and in its order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from . import _program
from ._arrays import listed
from ._capture import make_capture
from ._figure import Figure
from ._html import Html, in_notebook, interactive


def head_view(
    attention: Any = None,
    tokens: Any = None,
    sentence_b_start: int | None = None,
    prettify_tokens: bool = True,
    layer: int | None = None,
    heads: int | Sequence[int] | None = None,
    encoder_attention: Any = None,
    decoder_attention: Any = None,
    cross_attention: Any = None,
    encoder_tokens: Any = None,
    decoder_tokens: Any = None,
    include_layers: Sequence[int] | None = None,
    html_action: str = "view",
    *,
    key_tokens: Any = None,
    sequence: int | None = None,
    theme: str = "auto",
) -> Html | Figure | _program.Window | None:
    """BertViz's head_view: lines from each token to those that it attends to, of `layer` and `heads` at first.

    A notebook's cell shows an interactive figure; elsewhere the window opens. html_action="return" returns the figure, with
    its HTML as `.data`. sentence_b_start: where the second sentence begins, which can then be looked at apart.
    """
    data = {
        "encoder_attention": encoder_attention, "decoder_attention": decoder_attention, "cross_attention": cross_attention,
        "encoder_tokens": encoder_tokens, "decoder_tokens": decoder_tokens, "key_tokens": key_tokens, "sequence": sequence,
        "prettify_tokens": prettify_tokens, "include_layers": include_layers, "sentence_b_start": sentence_b_start,
    }  # fmt: skip
    look = {"view": "lines", "layer": layer, "heads": heads, "theme": theme}
    return _shown(attention, tokens, data, look, html_action)


def model_view(
    attention: Any = None,
    tokens: Any = None,
    sentence_b_start: int | None = None,
    prettify_tokens: bool = True,
    display_mode: str = "dark",
    encoder_attention: Any = None,
    decoder_attention: Any = None,
    cross_attention: Any = None,
    encoder_tokens: Any = None,
    decoder_tokens: Any = None,
    include_layers: Sequence[int] | None = None,
    include_heads: Sequence[int] | None = None,
    html_action: str = "view",
    *,
    key_tokens: Any = None,
    sequence: int | None = None,
) -> Html | Figure | _program.Window | None:
    """BertViz's model_view: every head of every layer, small; a click shows one large. include_heads are the heads that are
    there; display_mode is "light" or "dark", or "auto" for the notebook's. The other arguments are those of head_view()."""
    data = {
        "encoder_attention": encoder_attention, "decoder_attention": decoder_attention, "cross_attention": cross_attention,
        "encoder_tokens": encoder_tokens, "decoder_tokens": decoder_tokens, "key_tokens": key_tokens, "sequence": sequence,
        "prettify_tokens": prettify_tokens, "include_layers": include_layers, "sentence_b_start": sentence_b_start,
    }  # fmt: skip
    look = {"view": "layers", "include_heads": include_heads, "theme": display_mode}
    return _shown(attention, tokens, data, look, html_action)


def _shown(
    attention: Any, tokens: Any, data: dict[str, Any], look: dict[str, Any], html_action: str
) -> Html | Figure | _program.Window | None:
    """In the cell, returned, or in the window."""
    if html_action not in ("view", "return"):
        raise ValueError(f"html_action is {html_action!r}; expected 'view' or 'return'")
    capture = make_capture(attention, tokens, **data)
    if html_action == "view" and not in_notebook():
        heads = look.get("heads") if look.get("heads") is not None else look.get("include_heads")
        layers = [] if data["include_layers"] is None else listed(data["include_layers"], "include_layers")
        layer = layers.index(look["layer"]) if look.get("layer") in layers else look.get("layer")
        theme = None if look["theme"] == "auto" else look["theme"]
        return capture.show(view=look["view"], layer=layer, heads=heads, theme=theme)
    figure = interactive(
        capture.arrays, include_layers=data["include_layers"], sentence_b_start=data["sentence_b_start"], **look
    )
    if html_action == "return":
        return figure
    from IPython.display import display

    display(figure)  # type: ignore[no-untyped-call]
    return None
