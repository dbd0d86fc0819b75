"""Which of the tensors that a module was given a tensor was computed from: tells self- from cross-attention."""

from __future__ import annotations

import dataclasses
import itertools
import weakref
from collections.abc import Iterable, Iterator
from typing import Any

_numbers = itertools.count()


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
    roots: frozenset[int]  #: numbers of the tensors that it was computed from
    projected: bool  #: whether parameters took part

    def __or__(self, other: Origin) -> Origin:
        return Origin(self.roots | other.roots, self.projected or other.projected)


_NONE = Origin(frozenset(), False)
_PARAMETER = Origin(frozenset(), True)


class Frame:
    """One run of a module. What it did not compute itself is a root: its arguments, and what attention gave it."""

    def __init__(self, name: str, module: Any, arguments: Iterable[Any] = ()) -> None:
        self.name = name
        self.module = module
        self.attended = False  #: whether attention ran in it
        self._origins = TensorNotes()
        self._arguments: dict[int, weakref.ref[Any]] = {}
        for tensor in tensors_in(list(arguments)):
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
            origin = Origin(frozenset([next(_numbers)]), False)
            self._origins.set(tensor, origin)
        return origin

    def of_all(self, tensors: Iterable[Any]) -> Origin:
        origin = _NONE
        for tensor in tensors:
            origin |= self.of(tensor)
        return origin

    def follow(self, inputs: Any, outputs: Any, projected: bool = False) -> None:
        """`outputs` were computed from `inputs`."""
        results = list(tensors_in(outputs))
        sources = list(tensors_in(inputs)) if results else []
        if sources:
            origin = self.of_all(sources) | Origin(frozenset(), projected)
            for tensor in results:
                self._origins.set(tensor, origin)

    def in_parent(self, origin: Origin, parent: Frame) -> Origin | None:
        """The origin as the caller sees it; None if not all of it was passed by the caller."""
        tensors = [self._arguments[root]() if root in self._arguments else None for root in origin.roots]
        return None if any(tensor is None for tensor in tensors) else parent.of_all(tensors)


def attends_to_itself(frames: list[Frame], query: Any, key: Any, projects: bool) -> bool:
    """Whether queries and keys come from the same sequence: all that the queries were computed from is in the keys.

    The innermost of the `frames` in which parameters made one of them says so: a module that is given both sees two
    tensors, its caller one from which both are projected. `projects`: the product has its own projections.
    """
    if query is key:
        return True
    innermost, *callers = frames[::-1]
    q, k = innermost.of(query), innermost.of(key)
    for parent in callers:
        if projects or q.projected or k.projected:
            break
        q_above, k_above = innermost.in_parent(q, parent), innermost.in_parent(k, parent)
        if q_above is None or k_above is None:
            break
        q, k, innermost = q_above, k_above, parent
    return q.roots == k.roots or (bool(q.roots) and q.roots <= k.roots)
