"""The calls of CircuitsVis and of inspectus, by their names and in their order.

    import headscope as circuitsvis   # circuitsvis.attention.attention_heads(attention, tokens)
    import headscope as inspectus     # inspectus.attention(attention, tokens)

Colours, limits and kinds of charts are accepted and change nothing: maps have the window's colours and each head its range.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from . import _program
from ._bertviz import head_view
from ._capture import make_capture
from ._figure import Figure
from ._html import Html, interactive


class _Attention:
    """What circuitsvis calls the module `attention`, and inspectus a function."""

    def __call__(
        self, attn: Any, query_tokens: Any, key_tokens: Any = None, *, chart_types: Any = None, color: Any = None,
        theme: str = "auto"
    ) -> Html | Figure | _program.Window | None:  # fmt: skip
        """inspectus.attention: [layers, heads, n_q, n_k], [heads, n_q, n_k], [n_q, n_k] or what transformers returns."""
        return head_view(attn, query_tokens, prettify_tokens=False, key_tokens=key_tokens, theme=theme)

    def attention_heads(
        self, attention: Any, tokens: Sequence[str], attention_head_names: Sequence[str] | None = None, max_value: Any = None,
        min_value: Any = None, negative_color: Any = None, positive_color: Any = None, mask_upper_tri: Any = None
    ) -> Html:  # fmt: skip
        """circuitsvis.attention.attention_heads: the heads [heads, n, n] of one layer, with names."""
        capture = make_capture(attention, tokens)
        count = capture.arrays["attention"].shape[1]
        if attention_head_names is not None and len(attention_head_names) != count:
            raise ValueError(f"attention_head_names has {len(attention_head_names)} names; expected {count}")
        return interactive(capture.arrays, view="grid", head_names=attention_head_names)

    def attention_patterns(self, tokens: Sequence[str], attention: Any) -> Html:
        """circuitsvis.attention.attention_patterns: as attention_heads, the tokens first."""
        return self.attention_heads(attention, tokens)

    def attention_pattern(
        self, tokens: Sequence[str], attention: Any, max_value: Any = None, min_value: Any = None, negative_color: Any = None,
        show_axis_labels: Any = None, positive_color: Any = None, mask_upper_tri: Any = None
    ) -> Html:  # fmt: skip
        """circuitsvis.attention.attention_pattern: one head [n, n]."""
        return self.attention_heads(attention, tokens)


attention = _Attention()
