"""The calls of BertViz, by its names and in its order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from . import _program
from ._capture import show
from ._figure import Figure


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
    **options: Any,
) -> _program.Window | Figure:
    """BertViz's head_view: lines from each token to those that it attends to, of `layer` and `heads`.

    The arguments are those of show().
    """
    return show(
        attention, tokens, sentence_b_start=sentence_b_start, html_action=html_action, layer=layer, heads=heads,
        prettify_tokens=prettify_tokens, encoder_attention=encoder_attention, decoder_attention=decoder_attention,
        cross_attention=cross_attention, encoder_tokens=encoder_tokens, decoder_tokens=decoder_tokens,
        include_layers=include_layers, **{"view": "lines", **options},
    )  # fmt: skip


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
    **options: Any,
) -> _program.Window | Figure:
    """BertViz's model_view: every head of every layer, small. include_heads are the heads that are shown; display_mode is
    the theme, "light" or "dark". The other arguments are those of head_view()."""
    return show(
        attention, tokens, sentence_b_start=sentence_b_start, html_action=html_action, heads=include_heads,
        prettify_tokens=prettify_tokens, encoder_attention=encoder_attention,
        decoder_attention=decoder_attention, cross_attention=cross_attention, encoder_tokens=encoder_tokens,
        decoder_tokens=decoder_tokens, include_layers=include_layers, **{"view": "layers", "theme": display_mode, **options},
    )  # fmt: skip
