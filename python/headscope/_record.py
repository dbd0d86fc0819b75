"""Recording the attention weights of torch modules while they run."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import math
from collections.abc import Iterator
from typing import Any

from . import _program
from ._arrays import Array, as_array
from ._capture import Capture, make_capture
from ._figure import Figure


_NOTHING = object()


@dataclasses.dataclass(frozen=True)
class Layer:
    """The attention weights of one call of one attention."""

    name: str  #: of the module in the recorded one: "layers.0.self_attn"
    weights: Array  #: [batch, heads, n_q, n_k]
    kind: str  #: "encoder", "decoder", "cross" or "self"


class Recording:
    """What record() saw, layer by layer, in the order in which the layers ran."""

    def __init__(self, name: str = "") -> None:
        """`name`: of the recorded module's class."""
        self.name = name
        self.layers: list[Layer] = []

    def __len__(self) -> int:
        return len(self.layers)

    def __iter__(self) -> Iterator[Layer]:
        return iter(self.layers)

    def __getitem__(self, index: int) -> Layer:
        return self.layers[index]

    @property
    def last(self) -> list[Layer]:
        """The last call of each layer."""
        return list({layer.name: layer for layer in self.layers}.values())

    def capture(self, tokens: Any = None, key_tokens: Any = None, *, sequence: int = 0, **data: Any) -> Capture:
        """The last call of each layer as a capture; of an encoder–decoder all three blocks, where `tokens` are the
        encoder's and `decoder_tokens` the decoder's. `sequence`: which of the batch.

        Raises ValueError if nothing was recorded, or if layers differ in shape.
        """
        layers = self.last
        if not layers:
            raise ValueError("nothing was recorded: no attention of the module ran inside of the with statement")
        if self.name:
            data.setdefault("metadata", {"model": self.name})
        kinds = {layer.kind for layer in layers}
        if kinds & {"decoder", "cross"}:
            blocks: dict[str, Any] = {}
            for kind in ("encoder", "decoder", "cross"):
                weights = [layer.weights for layer in layers if layer.kind == kind]
                if weights:
                    blocks[kind + "_attention"] = weights
            return make_capture(tokens=tokens, sequence=sequence, **blocks, **data)
        return make_capture([layer.weights for layer in layers], tokens, key_tokens, sequence=sequence, **data)

    def save(self, path: str, tokens: Any = None, key_tokens: Any = None, **data: Any) -> None:
        """Writes the capture as .npz."""
        self.capture(tokens, key_tokens, **data).save(path)

    def figure(
        self, tokens: Any = None, key_tokens: Any = None, *, sequence: int = 0, decoder_tokens: Any = None, **options: Any
    ) -> Figure:
        """A figure; the options are those of headscope.figure()."""
        return self.capture(tokens, key_tokens, sequence=sequence, decoder_tokens=decoder_tokens).figure(**options)

    def show(
        self, tokens: Any = None, key_tokens: Any = None, *, sequence: int = 0, decoder_tokens: Any = None, wait: bool = False,
        **options: Any
    ) -> _program.Window | Figure:  # fmt: skip
        """A window; the options are those of headscope.show()."""
        return self.capture(tokens, key_tokens, sequence=sequence, decoder_tokens=decoder_tokens).show(wait=wait, **options)

    def __repr__(self) -> str:
        return f"<headscope.Recording of {len(self.layers)} attention layers>"


@contextlib.contextmanager
def record(module: Any) -> Iterator[Recording]:
    """Records the attention weights of a torch module while it runs:

        with headscope.record(module) as seen:
            module(x)
        seen.show(tokens)

    Every nn.MultiheadAttention in it and every call of F.scaled_dot_product_attention is recorded, per head, also where
    the caller wants averaged weights or none, in training, under eval() and no_grad(). The module returns what it
    returns without recording: weights are computed apart from its output (but under dropout), as PyTorch's fast path
    has none. All is as before after the with statement, also after an exception.
    """
    import torch

    if not isinstance(module, torch.nn.Module):
        raise TypeError(f"module is a {type(module).__name__}; expected a torch.nn.Module")
    recorder = _Recorder(Recording(type(module).__name__), module)
    recorder.start()
    try:
        yield recorder.seen
    finally:
        recorder.stop()


class _Recorder:
    def __init__(self, seen: Recording, module: Any) -> None:
        self.seen = seen
        self.module = module
        self.names = {id(part): name for name, part in module.named_modules()}
        self.running: list[str] = []  # the modules being run, the innermost last
        self.calls: dict[str, int] = {}  # of scaled_dot_product_attention in one run of a module
        self.replaced: list[tuple[Any, str, Any]] = []  # modules' attributes with their own values before
        self.products = _products(self)

    def start(self) -> None:
        import torch

        self.products.__enter__()
        for part in self.module.modules():
            wrapper = self._module
            if isinstance(part, torch.nn.MultiheadAttention):
                wrapper = self._attention
            elif isinstance(part, (torch.nn.TransformerEncoder, torch.nn.TransformerEncoderLayer)):
                wrapper = self._layers
            self._replace(part, "forward", functools.partial(wrapper, part, part.forward))
            # A condition of the fast path that every version of a layer, and of the encoder around it, asks for.
            if hasattr(part, "activation_relu_or_gelu"):
                self._replace(part, "activation_relu_or_gelu", 0)

    def stop(self) -> None:
        self.products.__exit__(None, None, None)
        while self.replaced:
            part, name, before = self.replaced.pop()
            if before is _NOTHING:
                del part.__dict__[name]
            else:
                part.__dict__[name] = before

    def _replace(self, part: Any, name: str, value: Any) -> None:
        self.replaced.append((part, name, part.__dict__.get(name, _NOTHING)))
        part.__dict__[name] = value

    def _module(self, part: Any, forward: Any, *args: Any, **kwargs: Any) -> Any:
        self.running.append(self.names[id(part)])
        self.calls.pop(self.running[-1], None)
        try:
            return forward(*args, **kwargs)
        finally:
            self.running.pop()

    def _plain(self, forward: Any, *args: Any, **kwargs: Any) -> Any:
        """What a module returns without recording, by PyTorch's fast path if that is its way."""
        self.stop()
        try:
            return forward(*args, **kwargs)
        finally:
            self.start()

    def _layers(self, part: Any, forward: Any, *args: Any, **kwargs: Any) -> Any:
        """nn.TransformerEncoder and its layers, which skip their attention modules on the fast path."""
        import torch

        if part.training:
            return self._module(part, forward, *args, **kwargs)
        with torch.no_grad():
            self._module(part, forward, *args, **kwargs)
        return self._plain(forward, *args, **kwargs)

    def _attention(self, part: Any, forward: Any, query: Any, key: Any, value: Any, *args: Any, **kwargs: Any) -> Any:
        import torch

        options = dict(zip(("key_padding_mask", "need_weights", "attn_mask", "average_attn_weights"), args), **kwargs)
        each_head = {**options, "need_weights": True, "average_attn_weights": False}
        if each_head.get("attn_mask") is None:
            each_head.pop("is_causal", None)  # a hint that stands for a mask, and needs it
        # Dropout draws once: only without it the weights can be computed apart from the output.
        apart = not (part.training and part.dropout > 0)
        with torch.set_grad_enabled(torch.is_grad_enabled() and not apart):
            output, weights = forward(query, key, value, **each_head)
        batched = weights if weights.dim() == 4 else weights[None]
        self.seen.layers.append(Layer(self.names[id(part)], as_array(batched, "weights"), self._kind(part, query, key)))
        if apart:
            return self._plain(forward, query, key, value, *args, **kwargs)
        if not options.get("need_weights", True):
            return output, None
        return output, weights.mean(dim=-3) if options.get("average_attn_weights", True) else weights

    def _kind(self, part: Any, query: Any, key: Any) -> str:
        """Which block of an encoder–decoder a module of nn.Transformer belongs to."""
        import torch

        name = self.names[id(part)]
        parent = self.module.get_submodule(name.rpartition(".")[0]) if name else None
        if isinstance(parent, torch.nn.TransformerDecoderLayer):
            return "cross" if part is parent.multihead_attn else "decoder"
        if isinstance(parent, torch.nn.TransformerEncoderLayer):
            return "encoder"
        return "self" if query is key or query.shape == key.shape else "cross"

    def product(
        self, query: Any, key: Any, value: Any, attn_mask: Any = None, dropout_p: float = 0.0, is_causal: bool = False,
        scale: float | None = None, enable_gqa: bool = False, **_: Any
    ) -> None:  # fmt: skip
        """Records softmax(Q Kᵀ · scale + mask), as the documentation of scaled_dot_product_attention gives it, before
        dropout."""
        import torch

        with torch.no_grad():
            if enable_gqa:
                key = key.repeat_interleave(query.size(-3) // key.size(-3), -3)
            scores = query.float() @ key.float().transpose(-2, -1)
            scores = scores * (1 / math.sqrt(query.size(-1)) if scale is None else scale)
            if is_causal:
                seen = torch.ones(scores.shape[-2:], dtype=torch.bool, device=scores.device).tril()
                scores = scores.masked_fill(~seen, -math.inf)
            if attn_mask is not None:
                scores = scores.masked_fill(~attn_mask, -math.inf) if attn_mask.dtype == torch.bool else scores + attn_mask
            weights = torch.nan_to_num(torch.softmax(scores, -1), nan=0.0)  # a query that sees no key
        while weights.dim() < 4:
            weights = weights[None]
        name = self.running[-1]
        number = self.calls[name] = self.calls.get(name, -1) + 1
        kind = "self" if query.shape[-2] == key.shape[-2] else "cross"
        label = name if number == 0 else f"{name}[{number}]"
        self.seen.layers.append(Layer(label, as_array(weights.reshape(-1, *weights.shape[-3:]), "weights"), kind))


def _products(recorder: _Recorder) -> Any:
    """A mode of torch that also sees what a module has imported by name."""
    import torch

    wanted = getattr(torch.nn.functional, "scaled_dot_product_attention", None)  # since PyTorch 2.0

    class Products(torch.overrides.TorchFunctionMode):
        def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            output = func(*args, **(kwargs or {}))
            if func is wanted and recorder.running:
                recorder.product(*args, **(kwargs or {}))
            return output

    return Products()
