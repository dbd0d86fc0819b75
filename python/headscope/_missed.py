"""Attention that ran while recording without a map of its own, or with parts of one, by name."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ._blocks import Layer, place_of
from ._origins import Frame

# How classes of attention are named: LSHSelfAttention, WindowAttention2d, ClassAttn. Those of linear attention are named
# for their authors' ideas, and the attributes that hold them for what they are.
_NAMED = re.compile(r"(attention|attn|mha)(pool\w*)?(\d+d)?$", re.IGNORECASE)
_HELD = re.compile(r"\blinear_(attention|attn)$")


class Missed:
    """Looks at each module that ran, and keeps the names of those whose attention no map shows, or not whole."""

    def __init__(self) -> None:
        self._ran: list[Frame] = []  # modules of attention in this run, those within before those around them
        self._without: dict[str, str] = {}  # of each module its class
        self._unasked: dict[str, str] = {}
        self._partly: dict[str, str] = {}

    def left(self, frame: Frame) -> list[Layer]:
        """The module has run. Returns what was recorded of it that is no map, as a softmax was multiplied in slices."""
        if frame.caller is not None and _is_of_torch(frame):  # nn.Softmax is the caller's
            frame.caller.softmaxes += frame.softmaxes
        slices = _is_in_slices(frame)
        if slices or _is_attention(frame):
            self._ran.append(frame)
        if frame.caller is None:
            self._look_at_run()
        return [layer for owner, layer in frame.found if owner is frame] if slices else []

    def passed_over(self, frame: Frame) -> None:
        """A softmax of it is multiplied with values, but was not asked for."""
        if attention_around(frame) is not None:
            self._unasked.setdefault(frame.name, type(frame.module).__name__)

    def in_parts(self, frame: Frame) -> None:
        self._partly.setdefault(frame.name, type(frame.module).__name__)

    def _look_at_run(self) -> None:
        around: set[int] = set()  # the callers of those without a map, which need no mention
        for frame in self._ran:
            if id(frame) not in around and _is_without_map(frame):
                self._without.setdefault(frame.name, type(frame.module).__name__)
                around.update(map(id, frame.callers()))
            elif frame.found and any(softmax.products == 0 for softmax in frame.softmaxes):
                self.in_parts(frame)
            for chunked in _in_chunks(frame):
                self.in_parts(chunked)
        self._ran.clear()

    def __str__(self) -> str:
        """Says which these are; empty where all was recorded whole."""
        partly = {name: kind for name, kind in self._partly.items() if name not in self._without}
        said = []
        if self._without:
            said.append(f"not recorded: {_listed(self._without)}, as no whole softmax is multiplied with values there")
        if self._unasked:
            said.append(f"recorded only by record(module, softmax=True): {_listed(self._unasked)}")
        if partly:
            said.append(f"recorded in parts: {_listed(partly)}, whose maps are each of a window, chunk or stream, maybe not of all")
        return "; ".join(said)


def _is_of_torch(frame: Frame) -> bool:
    return type(frame.module).__module__.startswith("torch.nn.")


def _is_attention(frame: Frame) -> bool:
    """Whether the module is named for attention."""
    return bool(_NAMED.search(type(frame.module).__name__) or _HELD.search(frame.name))


def _is_in_slices(frame: Frame) -> bool:
    return not all(softmax.is_whole for softmax in frame.softmaxes)


def _is_without_map(frame: Frame) -> bool:
    if _is_in_slices(frame):
        return True
    if frame.attended or any(softmax.products for softmax in frame.softmaxes):  # maybe a caller's product
        return False
    # What an attention with a softmax or map of its own has in it is a part of that, as a projection.
    around = filter(_is_attention, frame.callers())
    return not any(one.softmaxes or any(attention_around(owner) is one for owner, _ in one.found) for one in around)


def attention_around(frame: Frame) -> Frame | None:
    """The innermost module named for attention, which may be this one."""
    return next(filter(_is_attention, [frame, *frame.callers()]), None)


def _in_chunks(frame: Frame) -> Iterator[Frame]:
    """Modules in it that ran several times, each time on a part of its sequence."""
    within: dict[str, list[tuple[Frame, Layer]]] = {}
    for owner, layer in frame.found:
        if owner is not frame:
            within.setdefault(owner.name, []).append((owner, layer))
    for found in within.values():
        if len(found) > 1 and not any(layer.weights.shape[2] in frame.sizes for _, layer in found):
            yield found[0][0]


def _listed(modules: dict[str, str]) -> str:
    """As "layers.*.attn (FlashAttention)"."""
    places: dict[tuple[str, str], list[str]] = {}
    for name, kind in modules.items():
        places.setdefault((place_of(name), kind), []).append(name)
    return ", ".join(f"{place if len(names) > 1 else names[0]} ({kind})" for (place, kind), names in places.items())
