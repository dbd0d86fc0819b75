"""What callers have (torch tensors, numpy arrays, tuples of layers, batches) as the arrays of a capture."""

from __future__ import annotations

import json
import operator
from collections.abc import Iterable, Sequence
from typing import Any

import numpy

Array = numpy.ndarray[Any, Any]


def as_array(value: Any, name: str) -> Array:
    """A tensor of any kind and place as a float32 array (float64 and float16 keep their type)."""
    if hasattr(value, "detach"):  # torch, whose bfloat16 numpy does not know
        value = value.detach()
        if str(value.dtype) == "torch.bfloat16":
            value = value.float()
        value = value.cpu().numpy()
    try:
        array = numpy.asarray(value)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} cannot be read as an array: {error}") from None
    if array.dtype == object:
        raise ValueError(f"{name} is a {type(value).__name__}; expected an array of numbers")
    if array.dtype not in (numpy.float16, numpy.float32, numpy.float64):
        array = array.astype(numpy.float32)
    return numpy.ascontiguousarray(array)


def layers_of(value: Any, name: str, sequence: int | None) -> Array:
    """`value` as [layers, heads, n, m].

    A tuple or list of layers, each [batch, heads, n, m] or [heads, n, m], is what transformers returns; a tuple of such
    tuples is what its generate() returns, step by step. One array is [layers, heads, n, m], [heads, n, m] or [n, m], or
    with a batch [layers, batch, heads, n, m]; where a sequence is chosen, four axes are [batch, heads, n, m]. Without a
    choice the first sequence of a batch is taken. Raises ValueError naming `name`, the shape found and those expected.
    """
    if isinstance(value, (tuple, list)) and len(value) == 0:
        raise ValueError(
            f"{name} is empty; expected a tuple of layers: of transformers' outputs, the last may be cross_attentions that the "
            "model does not have, so pass outputs.attentions"
        )
    if is_generated(value):
        return _generated(value, name, sequence)
    if isinstance(value, (tuple, list)) and len(value) > 0 and (value[0] is None or _ndim(value[0]) >= 3):
        return _stacked(value, name, sequence)
    array = as_array(value, name)
    if array.ndim == 5:  # [layers, batch, heads, n, m]
        return numpy.ascontiguousarray(_pick(array, 1, name, sequence))
    if array.ndim == 4:
        return array if sequence is None else _pick(array, 0, name, sequence)[None]
    if array.ndim == 3:
        return array[None]
    if array.ndim == 2:
        return array[None, None]
    raise ValueError(
        f"{name} has the shape {list(array.shape)}; expected [layers, heads, n_q, n_k], [heads, n_q, n_k] or [n_q, n_k]"
    )


def _stacked(value: Sequence[Any], name: str, sequence: int | None) -> Array:
    missing = [i for i, layer in enumerate(value) if layer is None]
    if missing:
        raise ValueError(f'{name} has no weights for layer {missing[0]}; models return them with attn_implementation="eager"')
    layers = [_one_sequence(as_array(layer, f"{name}[{i}]"), f"{name}[{i}]", sequence) for i, layer in enumerate(value)]
    for i, layer in enumerate(layers):
        if layer.shape != layers[0].shape:
            raise ValueError(f"{name}[{i}] has the shape {list(layer.shape)}; expected {list(layers[0].shape)} as {name}[0]")
    return numpy.stack(layers)


def is_generated(value: Any) -> bool:
    """Whether these are the weights of generate(): a tuple of steps, each a tuple of layers."""
    return (
        isinstance(value, (tuple, list)) and len(value) > 0 and isinstance(value[0], (tuple, list)) and len(value[0]) > 0
        and (value[0][0] is None or len(getattr(value[0][0], "shape", ())) >= 3)
    )  # fmt: skip


def _generated(steps: Sequence[Any], name: str, sequence: int | None) -> Array:
    """The queries of all steps, one below the other; keys that did not exist yet have the weight 0."""
    parts = [_stacked(step, f"{name}[{i}]", sequence) for i, step in enumerate(steps)]
    keys, read = [part.shape[-1] for part in parts], 0
    for i, part in enumerate(parts):
        read += part.shape[-2]
        if keys[i] not in (read, keys[0]):
            raise ValueError(
                f"{name}[{i}] has {keys[i]} keys after {read} tokens; expected {read}, or {keys[0]} as the first step: a "
                "cache with a window does not say which keys these are"
            )
    shape = [*parts[0].shape[:2], read, max(keys)]
    whole, row = numpy.zeros(shape, parts[0].dtype), 0
    for part in parts:
        whole[:, :, row : row + part.shape[-2], : part.shape[-1]] = part
        row += part.shape[-2]
    return whole


def _ndim(value: Any) -> int:
    return len(getattr(value, "shape", ())) if hasattr(value, "shape") else numpy.ndim(value)


def _pick(array: Array, axis: int, name: str, sequence: int | None) -> Array:
    sequence = 0 if sequence is None else index(sequence, "sequence")
    size = array.shape[axis]
    if not -size <= sequence < size:
        raise ValueError(f"sequence is {sequence}; expected 0 to {size - 1}, as {name} has {size}")
    picked: Array = numpy.take(array, sequence, axis=axis)
    return picked


def _one_sequence(layer: Array, name: str, sequence: int | None) -> Array:
    if layer.ndim == 4:
        return _pick(layer, 0, name, sequence)
    if layer.ndim == 3:
        return layer
    raise ValueError(f"{name} has the shape {list(layer.shape)}; expected [batch, heads, n_q, n_k] or [heads, n_q, n_k]")


def token_list(tokens: Any, name: str, count: int, sequence: int | None = None) -> list[str]:
    """Tokens as strings, `count` of them. A batch's list of lists gives those of the sequence."""
    if isinstance(tokens, str):
        raise ValueError(f"{name} is a str; expected a list of {count} strings")
    if hasattr(tokens, "tolist"):
        tokens = tokens.tolist()
    try:
        texts = list(tokens)
    except TypeError:
        raise ValueError(f"{name} is a {type(tokens).__name__}; expected a list of {count} strings") from None
    if texts and isinstance(texts[0], (list, tuple)):
        sequence = index(sequence or 0, "sequence")
        if not -len(texts) <= sequence < len(texts):
            raise ValueError(f"sequence is {sequence}; expected 0 to {len(texts) - 1}, as {name} has {len(texts)}")
        texts = list(texts[sequence])
    texts = [text.decode("utf-8", "replace") if isinstance(text, bytes) else str(text) for text in texts]
    if len(texts) != count:
        raise ValueError(f"{name} has {len(texts)} tokens; expected {count}, as the attention weights have")
    return texts


def index(value: Any, name: str) -> int:
    """An integer of any kind. Raises ValueError."""
    try:
        return operator.index(value)
    except TypeError:
        raise ValueError(f"{name} is {value!r}; expected an integer") from None


def listed(values: Any, name: str) -> list[int]:
    """One integer or several. Raises ValueError."""
    return [index(value, name) for value in (values if isinstance(values, Iterable) else [values])]


def indices(values: Any, name: str, count: int) -> list[int]:
    """One index or several, each from 0 to count - 1. Raises ValueError."""
    found = listed(values, name)
    for number in found:
        if not 0 <= number < count:
            raise ValueError(f"{name} has {number}; expected 0 to {count - 1}")
    return found


def json_bytes(value: object) -> Array:
    """A JSON text as the bytes that a capture holds."""
    return numpy.frombuffer(json.dumps(value, ensure_ascii=False).encode(), numpy.uint8)


def prettified(tokens: Sequence[str]) -> list[str]:
    """Tokens without the marks of byte-level BPE (Ġ) and SentencePiece (▁) before words, and of BPE (</w>) after them."""
    return [token.replace("Ġ", " ").replace("▁", " ").replace("Ċ", "\n").replace("</w>", "") for token in tokens]
