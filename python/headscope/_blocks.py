"""Attentions that a recording holds, as the stacks of layers that they form."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Sequence

import numpy

from ._arrays import Array


@dataclasses.dataclass(frozen=True)
class Layer:
    """The attention weights of one call of one attention."""

    name: str  #: of the module in the recorded one: "layers.0.self_attn"; of the recorded one its class
    weights: Array  #: [batch, heads, n_q, n_k]
    kind: str  #: "self", or "cross" where the keys do not come from the queries' sequence
    call: int = 0  #: which of the module's attentions in one run of the model
    run: int = 0  #: which run of the model

    @property
    def title(self) -> str:
        """The module's name; of a layer that runs again, or that attends several times, with the number of the call."""
        return f"{self.name}[{self.call}]" if self.call else self.name


@dataclasses.dataclass(frozen=True)
class Block:
    """Layers of one stack: modules of the same place in their layers, of one kind and shape."""

    name: str  #: "decoder.layers.*.self_attn"
    kind: str  #: "self" or "cross"
    layers: Sequence[Layer]

    @property
    def shape(self) -> tuple[int, int, int]:
        """Heads, queries, keys."""
        _, heads, queries, keys = self.layers[0].weights.shape
        return heads, queries, keys

    def __str__(self) -> str:
        heads, queries, keys = self.shape
        count = len(self.layers)
        return f"{self.name} ({self.kind}, {count} layer{'s' * (count > 1)}, {heads} heads, {queries} × {keys})"


def last_calls(layers: Iterable[Layer]) -> list[Layer]:
    """What each module did in the last run in which it ran; the steps of a generation, each with the keys of those before
    and its own, are put together."""
    runs: dict[tuple[str, int], dict[int, Layer]] = {}
    for layer in layers:
        runs.setdefault((layer.name, layer.call), {})[layer.run] = layer
    last_run: dict[str, int] = {}
    for (name, _), of_run in runs.items():
        last_run[name] = max(last_run.get(name, 0), *of_run)
    last = {place: of_run for place, of_run in runs.items() if last_run[place[0]] in of_run}
    steps = max((_steps(of_run) for of_run in last.values()), key=len, default=[])
    return [
        _together([of_run[run] for run in steps]) if steps and of_run.keys() >= set(steps) else of_run[max(of_run)]
        for of_run in last.values()
    ]


def _steps(of_run: dict[int, Layer]) -> list[int]:
    """The runs of one generation that the last run of a self-attention ends."""
    later, *earlier = sorted(of_run, reverse=True)
    steps = [later]
    for run in earlier:
        (before, _, _, keys), (batch, _, queries, all_keys) = of_run[run].weights.shape, of_run[steps[0]].weights.shape
        if of_run[later].kind == "cross" or queries == all_keys or (before, keys) != (batch, all_keys - queries):
            break
        steps.insert(0, run)
    return steps


def _together(steps: Sequence[Layer]) -> Layer:
    """The queries of all steps, one below the other; keys that did not exist yet have the weight 0."""
    keys = max(step.weights.shape[-1] for step in steps)
    rows = [numpy.pad(step.weights, [(0, 0)] * 3 + [(0, keys - step.weights.shape[-1])]) for step in steps]
    return dataclasses.replace(steps[-1], weights=numpy.concatenate(rows, axis=-2))


def heads_together(layers: Iterable[Layer]) -> list[Layer]:
    """Heads that are modules of their own, in a list named for them ("blocks.0.sa.heads.3"), as the heads of one layer."""
    places: dict[tuple[object, ...], list[Layer]] = {}
    for layer in layers:
        found = re.fullmatch(r"(.*heads?)\.\d+(\..*)?", layer.name) if layer.weights.shape[1] == 1 else None
        name = found[1] + (found[2] or "") if found else layer.name
        alone = None if found else layer.title
        places.setdefault((name, alone, layer.kind, layer.call, layer.run, layer.weights.shape), []).append(layer)
    return [
        heads[0] if alone else _side_by_side(str(name), heads) for (name, alone, *_), heads in places.items()
    ]


def _side_by_side(name: str, heads: Sequence[Layer]) -> Layer:
    weights = numpy.concatenate([head.weights for head in heads], axis=1)
    return dataclasses.replace(heads[0], name=name, weights=weights)


def blocks_of(layers: Iterable[Layer]) -> list[Block]:
    """The stacks of the layers, in the order in which they first ran."""
    stacks: dict[tuple[str, str, tuple[int, ...]], list[Layer]] = {}
    for layer in layers:
        stacks.setdefault((place_of(layer.name), layer.kind, layer.weights.shape[1:]), []).append(layer)
    places = [place for place, _, _ in stacks]
    kinds = [(place, kind) for place, kind, _ in stacks]
    sizes = [(place, kind, shape[1:]) for place, kind, shape in stacks]
    blocks = []
    for (place, kind, shape), members in stacks.items():
        name = place if len({layer.name for layer in members}) > 1 else members[0].name
        if places.count(place) > 1:
            name += f" {kind}"
        if kinds.count((place, kind)) > 1:
            name += f" {shape[1]}x{shape[2]}"
        if sizes.count((place, kind, shape[1:])) > 1:
            name += f" of {shape[0]} heads"
        blocks.append(Block(name, kind, members))
    return blocks


def place_of(name: str) -> str:
    return re.sub(r"\d+", "*", name)


def roles_of(blocks: Sequence[Block]) -> dict[str, Block] | None:
    """Which array of a capture each block is: one stack is "attention"; with one cross-attention "cross_attention", and
    self-attention of its queries "decoder_attention", of its keys "encoder_attention". None if they are no such model."""
    crossing = [block for block in blocks if block.kind == "cross"]
    others = [block for block in blocks if block.kind == "self"]
    if len(blocks) == 1:
        return {"attention": blocks[0]}
    if len(crossing) != 1 or len(others) > 2:
        return None
    cross = crossing[0]
    roles = {"cross_attention": cross}
    others.sort(key=lambda block: len(_shared(block, cross)))  # the decoder's last
    first = blocks.index(cross)
    beside = [block for block in others if _is_beside(block, cross, blocks.index(block) > first)]
    if beside:
        roles["decoder_attention"] = beside[-1]
        others.remove(beside[-1])
    if others:
        roles["encoder_attention"] = others[0]
    fits = len(others) == 0 or (len(others) == 1 and others[0].shape[1] == cross.shape[2])
    return roles if fits else None


def _shared(block: Block, cross: Block) -> list[str]:
    """The path that both are in."""
    shared = []
    for a, b in zip(place_of(block.layers[0].name).split("."), place_of(cross.layers[0].name).split(".")):
        if a != b:
            break
        shared.append(a)
    return shared


def _is_beside(block: Block, cross: Block, later: bool) -> bool:
    """Whether the block's tokens are the queries of the cross-attention: by their number, else by the place of both in
    the model, or because the block ran `later`."""
    _, queries, keys = cross.shape
    if queries != keys:
        return block.shape[1] == queries
    parents = {place_of(one.layers[0].name).rpartition(".")[0] for one in (block, cross)}
    return later or len(parents) == 1 or "*" in _shared(block, cross)
