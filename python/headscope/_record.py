"""Recording the attention weights of torch modules while they run."""

from __future__ import annotations

import contextlib
import functools
import html
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from . import _program
from ._arrays import as_array
from ._blocks import Block, Layer, blocks_of, heads_together, last_calls, roles_of
from ._capture import Capture, make_capture
from ._figure import Figure
from ._html import Html
from ._missed import Missed, attention_around
from ._origins import Frame, tensors_in
from ._products import Products

_NOTHING = object()
# Whose modules' softmaxes that are multiplied with values are attention.
_LIBRARIES = ("transformers", "torchvision", "timm", "diffusers", "open_clip", "transformer_lens")
_RECORDED = (
    "record() sees nn.MultiheadAttention, F.scaled_dot_product_attention and the attention of transformers, torchvision, timm "
    "and diffusers; with softmax=True every softmax that is multiplied with values. A model of transformers also gives its "
    "weights to headscope.capture(model, tokenizer, text)"
)


class Recording:
    """What record() saw, call by call."""

    def __init__(self, name: str = "") -> None:
        """`name`: of the recorded module's class."""
        self.name = name
        self.layers: list[Layer] = []
        self.passed_over: list[str] = []  #: modules with a softmax that softmax=True records
        self.missed = Missed()  #: what ran without a map, or with parts of one; str() says it

    def __len__(self) -> int:
        return len(self.layers)

    def __iter__(self) -> Iterator[Layer]:
        return iter(self.layers)

    def __getitem__(self, index: int) -> Layer:
        return self.layers[index]

    @property
    def last(self) -> list[Layer]:
        """Each attention in the last run in which it ran; the steps of a generate() without beams as one map."""
        return last_calls(self.layers)

    @property
    def blocks(self) -> list[Block]:
        """The stacks that the last layers form, by module and by whether the keys come from the queries' sequence."""
        return blocks_of(heads_together(self.last))

    def capture(
        self, tokens: Any = None, key_tokens: Any = None, *, block: str | Sequence[str] | None = None, sequence: int | None = None,
        decoder_tokens: Any = None, **data: Any
    ) -> Capture:  # fmt: skip
        """What ran last, as a capture: one stack, or the blocks of an encoder–decoder.

        tokens, key_tokens: the queries' and the keys'. Of an encoder–decoder these are the decoder's and the encoder's;
            with `decoder_tokens`, `tokens` are the encoder's.
        block: only the block of this name, or those of these names as one stack.
        sequence: which of the batch.

        Raises ValueError if nothing was recorded, or if the blocks are more than a capture holds.
        """
        roles = self._roles(block)
        names = {role: [layer.title for layer in one.layers] for role, one in roles.items()}
        data.setdefault("metadata", {"model": self.name, "modules": names})
        weights: dict[str, Any] = {role: [layer.weights for layer in one.layers] for role, one in roles.items()}
        if "attention" in weights:
            return make_capture(weights["attention"], tokens, key_tokens, sequence=sequence, **data)
        if key_tokens is not None:
            tokens, decoder_tokens = key_tokens, tokens
        return make_capture(tokens=tokens, decoder_tokens=decoder_tokens, sequence=sequence, **weights, **data)

    def _roles(self, block: str | Sequence[str] | None) -> dict[str, Block]:
        if not self.layers:
            raise ValueError(self._nothing())
        blocks = self.blocks
        listed = "; ".join(map(str, blocks))
        if block is not None:
            names = [block] if isinstance(block, str) else list(block)
            for name in names:
                if name not in [one.name for one in blocks]:
                    raise ValueError(f"block is {name!r}; expected one of: {listed}")
            chosen = [one for one in blocks if one.name in names]
            layers = [layer for one in chosen for layer in one.layers]
            return {"attention": Block(", ".join(names), chosen[0].kind, layers)}
        roles = roles_of(blocks)
        if roles is None:
            raise ValueError(f"the recording has more blocks than one capture holds; choose by block=…: {listed}")
        return roles

    def _nothing(self) -> str:
        said = f"{self.missed}. " if str(self.missed) else ""
        if self.passed_over:
            said = f"a softmax was multiplied with values in {', '.join(self.passed_over)}: record(module, softmax=True). "
        return f"nothing was recorded: {said}{_RECORDED}"

    def save(self, path: str, tokens: Any = None, key_tokens: Any = None, **data: Any) -> None:
        """Writes the capture as .npz."""
        self.capture(tokens, key_tokens, **data).save(path)

    def figure(
        self, tokens: Any = None, key_tokens: Any = None, *, block: str | Sequence[str] | None = None, sequence: int | None = None,
        decoder_tokens: Any = None, **options: Any
    ) -> Figure:  # fmt: skip
        """A figure; the options are those of headscope.figure()."""
        capture = self.capture(tokens, key_tokens, block=block, sequence=sequence, decoder_tokens=decoder_tokens)
        return capture.figure(**options)

    def html(
        self, tokens: Any = None, key_tokens: Any = None, *, block: str | Sequence[str] | None = None, sequence: int | None = None,
        decoder_tokens: Any = None, **look: Any
    ) -> Html:  # fmt: skip
        """An interactive figure; its look is that of Capture.html()."""
        return self.capture(tokens, key_tokens, block=block, sequence=sequence, decoder_tokens=decoder_tokens).html(**look)

    def show(
        self, tokens: Any = None, key_tokens: Any = None, *, block: str | Sequence[str] | None = None, sequence: int | None = None,
        decoder_tokens: Any = None, wait: bool = False, **options: Any
    ) -> _program.Window | Figure | Html:  # fmt: skip
        """A window; the options are those of headscope.show()."""
        capture = self.capture(tokens, key_tokens, block=block, sequence=sequence, decoder_tokens=decoder_tokens)
        return capture.show(wait=wait, **options)

    def _table(self) -> list[tuple[str, ...]]:
        rows: list[tuple[str, ...]] = [("block", "kind", "layers", "heads", "queries × keys", "batch")]
        for one in self.blocks:
            heads, queries, keys = one.shape
            batch = one.layers[0].weights.shape[0]
            rows.append((one.name, one.kind, str(len(one.layers)), str(heads), f"{queries} × {keys}", str(batch)))
        return rows

    def __repr__(self) -> str:
        if not self.layers:
            return f"<headscope.Recording of {self.name or 'a module'}: {self._nothing()}>"
        rows = self._table()
        widths = [max(map(len, column)) for column in zip(*rows)]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows]
        return "\n".join([f"headscope.Recording of {self.name or 'a module'}", *lines, *filter(None, [str(self.missed)])])

    def _repr_html_(self) -> str:
        if not self.layers:
            return f"<p>{html.escape(repr(self))}</p>"
        head, *rows = [[html.escape(cell) for cell in row] for row in self._table()]
        body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
        table = f"<table><thead><tr>{''.join(f'<th>{cell}</th>' for cell in head)}</tr></thead><tbody>{body}</tbody></table>"
        return table + (f"<p>{html.escape(str(self.missed))}</p>" if str(self.missed) else "")


@contextlib.contextmanager
def record(module: Any, *, softmax: bool = False) -> Iterator[Recording]:
    """Records the attention weights of a torch module while it runs:

        with headscope.record(module) as seen:
            module(x)
        seen.show(tokens)

    Recorded are each head's weights of every nn.MultiheadAttention, of every call of F.scaled_dot_product_attention and
    F.multi_head_attention_forward, and of the attention of transformers that is written out; with `softmax` of every
    softmax whose result is multiplied with values, as softmax(Q Kᵀ) V in a module of one's own. They are kept apart by
    module and by whether queries and keys come from one sequence, and are the weights before dropout.

    The module returns what it returns without recording, and draws the same random numbers: weights are computed apart,
    as PyTorch's fast path has none. All is as before after the with statement, also after an exception.

    Attention that ran and has no map, or only parts of one, is named by a warning, and by the recording.
    """
    import torch

    if not isinstance(module, torch.nn.Module):
        raise ValueError(f"module is a {type(module).__name__}; expected a torch.nn.Module")
    if any(getattr(part.__dict__.get("forward"), "is_recorded", False) for part in module.modules()):
        raise ValueError("module is being recorded; expected one that is in no other record()")
    recorder = _Recorder(Recording(type(module).__name__), module, softmax)
    recorder.start()
    try:
        yield recorder.seen
    finally:
        recorder.stop()
    if str(recorder.seen.missed):
        warnings.warn(f"headscope.record: {recorder.seen.missed}", stacklevel=3)


class _Recorder:
    def __init__(self, seen: Recording, module: Any, softmax: bool) -> None:
        self.seen = seen
        self.module = module
        self.softmax = softmax
        self.names = {id(part): name or seen.name for name, part in module.named_modules()}
        self.frames: list[Frame] = []  # the modules being run, the innermost last
        self.calls: dict[str, int] = {}  # attentions of each module in this run
        self.run = 0
        self.replaced: list[tuple[Any, str, Any]] = []  # modules' attributes with their own values before
        self.products = Products(self._found, self._found_softmax)
        self.mode = _mode(self)

    def start(self) -> None:
        import torch

        self.mode.__enter__()
        for part in self.module.modules():
            runs = self._module
            if isinstance(part, torch.nn.MultiheadAttention):
                runs = self._attention
            elif isinstance(part, (torch.nn.TransformerEncoder, torch.nn.TransformerEncoderLayer)):
                runs = self._encoder
            self._replace(part, "forward", _instead(part.forward, functools.partial(runs, part)))
            # A condition of the fast path that every version of a layer, and of the encoder around it, asks for.
            if hasattr(part, "activation_relu_or_gelu"):
                self._replace(part, "activation_relu_or_gelu", 0)

    def stop(self) -> None:
        self.mode.__exit__(None, None, None)
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
        if not self.frames:
            self.run += 1
            self.calls.clear()
        frame = Frame(self.names[id(part)], part, [args, kwargs], self.frames[-1] if self.frames else None)
        self.frames.append(frame)
        try:
            output = forward(*args, **kwargs)
        finally:
            self.frames.pop()
        parts = self.seen.missed.left(frame)
        self.seen.layers[:] = [layer for layer in self.seen.layers if not any(layer is part for part in parts)]
        if self.frames:
            self._leave(frame, [args, kwargs], output)
        return output

    def _leave(self, frame: Frame, inputs: Any, output: Any) -> None:
        """To the caller a module is one function of its arguments; what attention gives is a sequence of its own."""
        caller = self.frames[-1]
        if not frame.found:
            caller.follow(inputs, _plain_values(output), next(frame.module.parameters(), None) is not None)

    def _apart(self, run: Callable[[], Any], plain: Callable[[], Any]) -> Any:
        """What a module returns without recording, by PyTorch's fast path if that is its way, after `run` has recorded."""
        import torch

        with torch.no_grad(), torch.random.fork_rng(_devices(self.module)):
            run()
        self.stop()
        try:
            return plain()
        finally:
            self.start()

    def _encoder(self, part: Any, forward: Any, *args: Any, **kwargs: Any) -> Any:
        """nn.TransformerEncoder and its layers, which skip their attention modules on the fast path."""
        if part.training:
            return self._module(part, forward, *args, **kwargs)
        plain = functools.partial(forward, *args, **kwargs)
        return self._apart(functools.partial(self._module, part, forward, *args, **kwargs), plain)

    def _attention(self, part: Any, forward: Any, *args: Any, **kwargs: Any) -> Any:
        """nn.MultiheadAttention: what it is given says whether query is key, so it stands in the caller's frame."""
        plain = functools.partial(forward, *args, **kwargs)
        if not self.frames:
            return self._apart(functools.partial(self._module, part, forward, *args, **kwargs), plain)
        caller = self.frames[-1]
        self.frames.append(_Within(caller, self.names[id(part)], part))
        try:
            return self._apart(plain, plain)
        finally:
            self.frames.pop()

    def _found(self, weights: Any, is_self: bool) -> None:
        inner = self.frames[-1]
        call = self.calls.get(inner.name, 0)
        self.calls[inner.name] = call + 1
        found = as_array(_four_axes(weights, inner.module), "weights")
        layer = Layer(inner.name, found, "self" if is_self else "cross", call, self.run)
        self.seen.layers.append(layer)
        for frame in self.frames:
            frame.attended = True
            frame.found.append((inner, layer))
        if weights.dim() > 4:
            self.seen.missed.in_parts(inner)

    def _found_softmax(self, weights: Any, is_self: bool, of_product: bool) -> None:
        frame = self.frames[-1]
        of_library = type(frame.module).__module__.split(".")[0] in _LIBRARIES
        if of_library and not self.softmax and not of_product and attention_around(frame) is None:
            return  # which mixes streams, or chooses experts
        for around in self.frames:
            around.attended = True
        if self.softmax or of_library:
            self._found(weights, is_self)
            return
        self.seen.missed.passed_over(frame)
        if frame.name not in self.seen.passed_over:
            self.seen.passed_over.append(frame.name)


class _Within(Frame):
    """An attention module as part of the frame that calls it."""

    def __init__(self, caller: Frame, name: str, module: Any) -> None:
        super().__init__(name, module, caller=caller)
        self._origins, self._arguments = caller._origins, caller._arguments


def _plain_values(output: Any) -> Any:
    """Results of transformers are ordered dicts, of others maybe anything with attributes."""
    return list(tensors_in(output if isinstance(output, (tuple, list, dict)) else [output]))


def _instead(forward: Any, runs: Any) -> Any:
    """`runs` in place of `forward`, with its signature: generate() of transformers reads it."""

    @functools.wraps(forward)
    def instead(*args: Any, **kwargs: Any) -> Any:
        return runs(forward, *args, **kwargs)

    instead.is_recorded = True  # type: ignore[attr-defined]
    return instead


def _devices(module: Any) -> list[int]:
    """The graphics cards whose random state a run may change."""
    return sorted({p.device.index for p in module.parameters() if p.device.type == "cuda" and p.device.index is not None})


_HEADS = ("num_heads", "num_attention_heads", "n_heads", "n_head", "nhead", "nheads", "heads", "h")


def _four_axes(weights: Any, module: Any) -> Any:
    """[batch, heads, n_q, n_k]. Three axes are those of one sequence, of one head, or of both flattened: the module's
    number of heads says it."""
    import torch

    if weights.dim() == 3 and not isinstance(module, torch.nn.MultiheadAttention):
        heads = next((n for n in (getattr(module, name, None) for name in _HEADS) if isinstance(n, int)), 1)
        heads = heads if heads > 0 and weights.shape[0] % heads == 0 else 1
        return weights.reshape(-1, heads, *weights.shape[1:])
    while weights.dim() < 4:
        weights = weights[None]
    return weights.reshape(-1, *weights.shape[-3:])


def _mode(recorder: _Recorder) -> Any:
    """A mode of torch that also sees what a module has imported by name."""
    import torch

    class Mode(torch.overrides.TorchFunctionMode):
        def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            if not recorder.frames:
                return func(*args, **(kwargs or {}))
            return recorder.products.call(recorder.frames, func, args, kwargs or {})

    return Mode()
