"""Attention as torch's functions compute it: scaled_dot_product_attention, and softmax(Q Kᵀ) V written out."""

from __future__ import annotations

import dataclasses
import inspect
import math
from collections.abc import Callable
from typing import Any

from ._origins import Frame, Softmax, TensorNotes, attends_to_itself, tensors_in

# What keeps scores and weights what they are: other shapes and types, scales, masks and biases.
_KEEP = frozenset(
    "float half bfloat16 double to cpu cuda type type_as contiguous clone detach view reshape unsqueeze squeeze flatten unflatten "
    "permute transpose movedim swapaxes expand __getitem__ masked_fill masked_fill_ where nan_to_num clamp mul mul_ __mul__ "
    "__rmul__ __imul__ div div_ __truediv__ __itruediv__ true_divide multiply divide add add_ __add__ __radd__ __iadd__ sub "
    "__sub__ view_as reshape_as tril triu cat concat tanh".split()
)
_PRODUCTS = frozenset("matmul __matmul__ __rmatmul__ bmm mm baddbmm einsum".split())
_SOFTMAXES = frozenset(["softmax"])
_DROPOUTS = frozenset("dropout dropout_ dropout1d dropout2d dropout3d alpha_dropout feature_dropout".split())
# From their first argument, by indices that are no part of a sequence.
_CHOOSE = frozenset("__getitem__ gather index_select take_along_dim masked_select".split())
# Called at each read of a tensor's properties, these compute nothing.
_LOOKS = frozenset("size dim stride numel is_contiguous __len__ __format__ __repr__ __hash__ is_floating_point".split())


@dataclasses.dataclass(frozen=True)
class _Scores:
    is_self: bool  #: whether the keys come from the queries' sequence


@dataclasses.dataclass(frozen=True)
class _Weights:
    is_self: bool | None  #: None where the scores are no product
    sources: Any  #: the origin of the scores
    softmax: Any  #: what the softmax gave
    use: Softmax  #: what became of that
    before_dropout: Any = None  #: the weights that dropout was given


Found = Callable[[Any, bool], None]  # weights, and whether keys come from the queries' sequence
FoundSoftmax = Callable[[Any, bool, bool], None]  # and whether the scores are a product


class Products:
    """Looks at every call of a torch function in a run of a module, and tells what is attention."""

    def __init__(self, found: Found, found_softmax: FoundSoftmax) -> None:
        """`found` is told of PyTorch's own attention, `found_softmax` of a softmax that is multiplied with values."""
        import torch

        self._found = found
        self._found_softmax = found_softmax
        self._notes = TensorNotes()
        self._attention = getattr(torch.nn.functional, "scaled_dot_product_attention", None)  # since PyTorch 2.0
        self._multi_head = torch.nn.functional.multi_head_attention_forward

    def call(self, frames: list[Frame], func: Any, args: Any, kwargs: Any) -> Any:
        """What the function returns."""
        name = getattr(func, "__name__", "")
        if name in _LOOKS:
            return func(*args, **kwargs)
        before = self._before_dropout(name, args, kwargs)
        output = func(*args, **kwargs)
        if func is self._multi_head:
            self._record_multi_head(frames, func, args, kwargs)
        elif func is self._attention:
            self._record_attention(frames, *args, **kwargs)
        elif not (name in _PRODUCTS and self._multiplied(frames, name, args, kwargs)):
            self._follow(frames[-1], name, args, kwargs, output, before)
            if name in _PRODUCTS:
                self._note_scores(frames, name, args, kwargs, output)
        return output

    def _record_multi_head(self, frames: list[Frame], func: Any, args: Any, kwargs: Any) -> None:
        import torch

        given = inspect.signature(func).bind(*args, **kwargs)
        query, key = given.arguments["query"], given.arguments["key"]
        given.arguments.update(need_weights=True, average_attn_weights=False, training=False)  # weights before dropout
        if "is_causal" in given.arguments:
            given.arguments["is_causal"] = False  # a hint that stands for the mask, which is there
        with torch.no_grad():
            weights = func(*given.args, **given.kwargs)[1]
            if torch.isfinite(query).all() and torch.isfinite(key).all():  # else it is not the mask that makes NaN
                weights = weights.masked_fill(torch.isnan(weights).all(-1, keepdim=True), 0.0)
        self._found(weights, attends_to_itself(frames, query, key, True))

    def _record_attention(
        self, frames: list[Frame], query: Any, key: Any, value: Any, attn_mask: Any = None, dropout_p: float = 0.0,
        is_causal: bool = False, scale: float | None = None, enable_gqa: bool = False, **_: Any
    ) -> None:  # fmt: skip
        """softmax(Q Kᵀ · scale + mask), as the documentation of scaled_dot_product_attention gives it, before dropout."""
        import torch

        is_self = attends_to_itself(frames, query, key, False)
        with torch.no_grad():
            if enable_gqa:
                key = key.repeat_interleave(query.size(-3) // key.size(-3), -3)
            precise = torch.float64 if query.dtype == torch.float64 else torch.float32
            scores = query.to(precise) @ key.to(precise).transpose(-2, -1)
            scores = scores * (1 / math.sqrt(query.size(-1)) if scale is None else scale)
            if is_causal:
                seen = torch.ones(scores.shape[-2:], dtype=torch.bool, device=scores.device).tril()
                scores = scores.masked_fill(~seen, -math.inf)
            if attn_mask is not None:
                scores = scores.masked_fill(~attn_mask, -math.inf) if attn_mask.dtype == torch.bool else scores + attn_mask
            sees_nothing = (scores == -math.inf).all(-1, keepdim=True)
            self._found(torch.softmax(scores, -1).masked_fill(sees_nothing, 0.0), is_self)

    def _follow(self, frame: Frame, name: str, args: Any, kwargs: Any, output: Any, before: Any) -> None:
        """Notes where the result comes from, and whether it still is scores or weights."""
        import torch

        if name == "__setitem__":
            frame.follow([args[0], args[2]], args[0])
        else:
            chooses = name in _CHOOSE and frame.of(args[0]).roots  # where it has none, as a table, by the indices
            frame.follow(args[0] if chooses else [args, kwargs], output)
        if not isinstance(output, torch.Tensor):
            return
        if name in _SOFTMAXES and _is_over_keys(*args, **kwargs):
            scores = next(tensors_in([args, kwargs]))
            note = self._notes.get(scores)
            is_self = note.is_self if isinstance(note, _Scores) else None
            frame.softmaxes.append(Softmax())
            self._notes.set(output, _Weights(is_self, frame.of(scores), output.detach(), frame.softmaxes[-1]))
        elif before is not None:
            self._notes.set(output, before)
        elif name in _KEEP or name in _DROPOUTS:
            notes = [note for note in map(self._notes.get, tensors_in([args, kwargs])) if note is not None]
            if notes:
                self._notes.set(output, notes[0])

    def _before_dropout(self, name: str, args: Any, kwargs: Any) -> _Weights | None:
        """The note on the result of a dropout of weights: with the weights themselves, as it may change them in place."""
        drops = name in _DROPOUTS and (args[2] if len(args) > 2 else kwargs.get("training", kwargs.get("train", True)))
        tensor = next(tensors_in([args, kwargs]), None) if drops else None
        note = None if tensor is None else self._notes.get(tensor)
        if tensor is None or not isinstance(note, _Weights) or note.before_dropout is not None:
            return None
        return dataclasses.replace(note, before_dropout=tensor.detach().clone())

    def _note_scores(self, frames: list[Frame], name: str, args: Any, kwargs: Any, output: Any) -> None:
        left, right = _operands(name, args, kwargs)
        self._notes.set(output, _Scores(attends_to_itself(frames, left, right, False)))

    def _multiplied(self, frames: list[Frame], name: str, args: Any, kwargs: Any) -> bool:
        """Whether weights are multiplied with values here, which is then told."""
        left, right = _operands(name, args, kwargs)
        for tensor, values in ((left, right), (right, left)):
            note = self._notes.get(tensor)
            if not isinstance(note, _Weights) or not (name == "einsum" or _fits(tensor, values, tensor is left)):
                continue
            is_self = note.is_self
            if is_self is None:
                is_self = note.sources.roots <= frames[-1].of(values).roots
            if self._is_new(note, tensor.shape[-1 if tensor is left else -2], values):
                self._found_softmax(_weights(note, tensor, tensor is left), is_self, note.is_self is not None)
            return True
        return False

    def _is_new(self, note: _Weights, keys: int, values: Any) -> bool:
        """Whether this product is the softmax's first, or one with others of its keys."""
        use = note.use
        squares = getattr(self._notes.get(values), "use", None) is use  # as in a series for its inverse
        some = keys < note.softmax.shape[-1]
        use.products += 1
        use.is_whole = use.is_whole and not squares and not (some and use.products > 1)
        return not squares and (some or use.products == 1)


def _is_over_keys(scores: Any, dim: Any = None, *_: Any, **__: Any) -> bool:
    return dim in (-1, scores.dim() - 1)


def _operands(name: str, args: Any, kwargs: Any) -> tuple[Any, Any]:
    """The two that are multiplied; of scores the queries first."""
    tensors = list(tensors_in([args, kwargs]))
    if name == "baddbmm":
        return tensors[1], tensors[2]
    if name == "__rmatmul__":
        return tensors[1], tensors[0]
    if name == "einsum" and len(tensors) == 2 and isinstance(args[0], str) and "->" in args[0]:
        inputs, output = args[0].replace(" ", "").split("->")
        if len(output) >= 2 and output[-2] not in inputs.split(",")[0]:
            return tensors[1], tensors[0]
    return tensors[0], tensors[-1]


def _fits(weights: Any, values: Any, is_left: bool) -> bool:
    """Whether the sum runs over the keys: weights V, or Vᵀ weightsᵀ."""
    if weights.dim() < 2 or values.dim() < 2:
        return False
    return bool(weights.shape[-1] == values.shape[-2] if is_left else values.shape[-1] == weights.shape[-2])


def _weights(note: _Weights, multiplied: Any, is_left: bool) -> Any:
    """What was multiplied, but for dropout, with the axes that the softmax had if there are fewer now; of a head or some
    queries the whole softmax."""
    if note.before_dropout is not None:
        weights = note.before_dropout
    elif is_left and multiplied.numel() * note.softmax.shape[-1] == note.softmax.numel() * multiplied.shape[-1]:
        weights = multiplied.detach()
    else:
        weights = note.softmax  # on the right what is multiplied is transposed
    if weights.dim() < note.softmax.dim() and weights.numel() == note.softmax.numel():
        return weights.reshape(note.softmax.shape)
    return weights
