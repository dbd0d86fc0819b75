"""Which of the tensors that a module was given a tensor was computed from: tells self- from cross-attention."""

from __future__ import annotations

import dataclasses
import itertools
import weakref
from collections.abc import Iterable, Iterator
from typing import Any

_numbers = itertools.count(1)


def tensors_in(value: Any) -> Iterator[Any]:
    """The tensors in arguments or results, also those in lists, tuples and dicts."""
    import torch

    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from tensors_in(part)
    elif isinstance(value, dict):
        for part in value.values():
            yield from tensors_in(part)


class TensorNotes:
    """A note on each tensor, for as long as it lives. (Tensors compare by their numbers and cannot be keys of a dict.)"""

    def __init__(self) -> None:
        self._notes: dict[int, tuple[weakref.ref[Any], Any]] = {}

    def get(self, tensor: Any) -> Any:
        alive, note = self._notes.get(id(tensor), (None, None))
        return note if alive is not None and alive() is tensor else None

    def set(self, tensor: Any, note: Any) -> None:
        self._notes[id(tensor)] = (weakref.ref(tensor), note)


@dataclasses.dataclass(frozen=True)
class Origin:
    roots: frozenset[int]  #: numbers of the tensors that it was computed from, negative those of integers
    projected: bool  #: whether parameters took part

    def __or__(self, other: Origin) -> Origin:
        return Origin(self.roots | other.roots, self.projected or other.projected)


_NONE = Origin(frozenset(), False)
_PARAMETER = Origin(frozenset(), True)


@dataclasses.dataclass
class Softmax:
    """What became of a softmax over keys."""

    products: int = 0  #: with values, of the whole or of slices of it
    is_whole: bool = True  #: whether one product has it all; else attention is put together from several


class Frame:
    """One run of a module. What it did not compute itself is a root: its arguments, and what attention gave it."""

    def __init__(self, name: str, module: Any, arguments: Iterable[Any] = (), caller: Frame | None = None) -> None:
        self.name = name
        self.module = module
        self.caller = caller
        self.attended = False  #: whether attention ran in it, recorded or passed over
        self.found: list[tuple[Frame, Any]] = []  #: the attention in it and in modules in it: of which, and its weights
        self.softmaxes: list[Softmax] = []  #: its own
        self.sizes: set[int] = set()  #: of its arguments' axes
        self._origins = TensorNotes()
        self._arguments: dict[int, weakref.ref[Any]] = {}
        for tensor in tensors_in(list(arguments)):
            self.sizes.update(tensor.shape)
            origin = self.of(tensor)
            self._arguments.update((root, weakref.ref(tensor)) for root in origin.roots)

    def of(self, tensor: Any) -> Origin:
        import torch

        if isinstance(tensor, torch.nn.Parameter):
            return _PARAMETER
        origin: Origin | None = self._origins.get(tensor)
        if origin is None:
            if tensor.dim() == 0:  # a factor, no sequence
                return _NONE
            number = next(_numbers)
            origin = Origin(frozenset([number if tensor.is_floating_point() else -number]), False)
            self._origins.set(tensor, origin)
        return origin

    def callers(self) -> Iterator[Frame]:
        """The innermost first."""
        caller = self.caller
        while caller is not None:
            yield caller
            caller = caller.caller

    def of_all(self, tensors: Iterable[Any]) -> Origin:
        origin = _NONE
        for tensor in tensors:
            origin |= self.of(tensor)
        return origin

    def follow(self, inputs: Any, outputs: Any, projected: bool = False) -> None:
        """`outputs` were computed from `inputs`."""
        results = list(tensors_in(outputs))
        sources = list(tensors_in(inputs)) if results else []
        origin = self.of_all(sources) | Origin(frozenset(), projected)  # a range or zeros: of no sequence
        for tensor in results:
            self._origins.set(tensor, origin)

    def arguments(self, origin: Origin) -> list[Any] | None:
        """The arguments that it was computed from; None if the caller passed not all of that."""
        tensors = [self._arguments[root]() if root in self._arguments else None for root in origin.roots]
        return None if any(tensor is None for tensor in tensors) else tensors

    def was_given(self, tensor: Any) -> bool:
        return any(argument() is tensor for argument in self._arguments.values())


def attends_to_itself(frames: list[Frame], query: Any, key: Any, projects: bool) -> bool:
    """Whether queries and keys come from the same sequence: all that the queries were computed from is in the keys.

    An attention module is given both, as two tensors that may be chunks of one: the frame that made these says so, which
    is the caller of the innermost of the `frames` in which parameters made queries or keys, or its caller if it only
    passes them on. `projects`: the product has its own projections.
    """
    if query is key:
        return True
    frame, *callers = frames[::-1]
    queries, keys, projected = [query], [key], projects
    while True:
        q, k = frame.of_all(queries), frame.of_all(keys)
        passes_on = all(frame.was_given(tensor) for tensor in queries + keys)
        above = frame.arguments(q), frame.arguments(k)
        if (projected and not passes_on) or not callers or above[0] is None or above[1] is None:
            return _is_within(q, k)
        projected = projected or q.projected or k.projected
        queries, keys, frame, *callers = above[0], above[1], *callers


def _is_within(query: Origin, key: Origin) -> bool:
    """Where there is more than integers, these are places, by which queries may be scaled."""
    sequences = {root for root in query.roots if root > 0} or query.roots
    return query.roots == key.roots or (bool(sequences) and sequences <= key.roots)
