"""Attention of a model with the interface of transformers."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from typing import Any

from ._arrays import index
from ._capture import Capture, make_capture

_EAGER = (
    'load it with from_pretrained(…, attn_implementation="eager"), as other implementations never have the weights in '
    "memory; or use headscope.record(model)"
)


def capture(model: Any, tokenizer: Any, text: Any, *, target: str | None = None, sequence: int = 0) -> Capture:
    """Runs a model of transformers on a text or a picture and returns its attention weights with their tokens.

    model: in eager attention; tokenizer: its tokenizer or processor, of a picture its image processor.
    text: a text, or a picture (PIL, an array); of a list `sequence` chooses one, which is run alone, without padding. Or
        the model's inputs as a dict.
    target: what the decoder of an encoder–decoder reads; None for what it generates.

    Raises ValueError if the model returns no weights.
    """
    if hasattr(model, "text_model") and hasattr(model, "vision_model"):
        raise ValueError("model has two towers, for text and for pictures; expected model.text_model or model.vision_model")
    inputs = _on_device(_without_padding(_inputs(tokenizer, text, sequence)), model)
    config = getattr(model, "config", None)
    decodes = bool(getattr(config, "is_encoder_decoder", False))
    with _evaluating(model):
        if decodes and "decoder_input_ids" not in inputs:
            inputs["decoder_input_ids"] = _decoder_ids(model, tokenizer, inputs, target)
        output = model(**inputs, output_attentions=True)
    name = getattr(config, "name_or_path", None) or getattr(config, "_name_or_path", None)
    metadata: dict[str, object] = {"model": name} if name else {}
    ids = inputs.get("input_ids")
    tokens = None if ids is None else _texts(tokenizer, ids[0])
    if decodes:
        blocks: dict[str, Any] = {
            f"{kind}_attention": _weights(output, f"{kind}_attentions") for kind in ("encoder", "decoder", "cross")
        }
        _check_whole(blocks["encoder_attention"], "encoder_attentions", tokens)
        return make_capture(
            **blocks, encoder_tokens=tokens, decoder_tokens=_texts(tokenizer, inputs["decoder_input_ids"][0]), metadata=metadata
        )
    weights = _weights(output, "attentions")
    _check_whole(weights, "attentions", tokens)
    queries = weights[0].shape[-1]
    if tokens is None and "pixel_values" in inputs:
        patches = _patches(config, inputs["pixel_values"].shape[-2:], queries)
        tokens = _patch_names(queries, patches)
        metadata.update(patches)
    return make_capture(weights, tokens, metadata=metadata)


def _inputs(tokenizer: Any, text: Any, sequence: int) -> dict[str, Any]:
    """What the model reads, a batch of one."""
    if isinstance(text, Mapping):
        number = index(sequence, "sequence")
        return {name: value[number : number + 1 or None] if hasattr(value, "dim") else value for name, value in text.items()}
    if isinstance(text, (list, tuple)):
        number = index(sequence, "sequence")
        if not -len(text) <= number < len(text):
            raise ValueError(f"sequence is {sequence}; expected 0 to {len(text) - 1}, as text has {len(text)}")
        text = text[number]
    if not isinstance(text, str):
        if "pixel_values" not in getattr(tokenizer, "model_input_names", ["pixel_values"]):
            raise ValueError(f"text is a {type(text).__name__}; expected a str, as tokenizer reads no pictures")
        return dict(tokenizer(images=text, return_tensors="pt"))
    reads_pictures = hasattr(tokenizer, "image_processor")  # its first argument is the picture
    inputs = dict(tokenizer(text=text, return_tensors="pt") if reads_pictures else tokenizer(text, return_tensors="pt"))
    if "input_ids" in inputs and inputs["input_ids"].shape[-1] == 0:
        raise ValueError("text has no tokens; expected at least one")
    return inputs


def _without_padding(inputs: dict[str, Any]) -> dict[str, Any]:
    """The inputs without padded positions: position ids are then those of the text alone."""
    mask, ids = inputs.get("attention_mask"), inputs.get("input_ids")
    if ids is None or mask is None or mask.dim() != 2 or bool(mask.bool().all()):
        return inputs
    kept = mask[0].bool()
    return {
        name: value[:, kept] if hasattr(value, "dim") and value.shape[:2] == ids.shape else value for name, value in inputs.items()
    }


def _on_device(inputs: dict[str, Any], model: Any) -> dict[str, Any]:
    device = getattr(model, "device", None)
    if device is None:
        return inputs
    return {name: value.to(device) if hasattr(value, "to") else value for name, value in inputs.items()}


@contextlib.contextmanager
def _evaluating(model: Any) -> Iterator[None]:
    import torch

    training = model.training
    model.eval()
    try:
        with torch.no_grad():
            yield
    finally:
        model.train(training)


def _decoder_ids(model: Any, tokenizer: Any, inputs: dict[str, Any], target: str | None) -> Any:
    import torch

    if target is None:
        return model.generate(**inputs)
    configs = (model.config, getattr(model, "generation_config", None))
    starts = [getattr(config, "decoder_start_token_id", None) for config in configs]
    start = next((value for value in starts if value is not None), None)
    if start is None:
        raise ValueError("the model's config has no decoder_start_token_id; expected one to begin target with")
    ids = torch.as_tensor(tokenizer(text_target=target)["input_ids"]).reshape(1, -1)
    some = next(value for value in inputs.values() if hasattr(value, "device"))
    return torch.cat([torch.tensor([[start]]), ids], 1).to(some.device)


def _weights(output: Any, name: str) -> list[Any]:
    """[heads, n_q, n_k] of each layer."""
    weights = getattr(output, name, None)
    if not weights or any(layer is None for layer in weights):
        raise ValueError(f"the model returned no {name}: {_EAGER}")
    return [layer.detach().float().cpu()[0] for layer in weights]


def _check_whole(weights: list[Any], name: str, tokens: list[str] | None) -> None:
    """Raises ValueError if these are not the maps of all tokens."""
    axes, (queries, keys) = weights[0].dim(), weights[0].shape[-2:]
    if axes != 3 or queries != keys or (tokens is not None and len(tokens) != queries):
        raise ValueError(f"{name} has {queries} queries and {keys} keys; expected all tokens: the model attends in windows")
    for i, layer in enumerate(weights):
        if layer.shape[-2:] != weights[0].shape[-2:]:
            raise ValueError(
                f"{name}[{i}] has {layer.shape[-2]} queries and {layer.shape[-1]} keys; expected {queries} as {name}[0]: the "
                "model shortens its sequence, so choose layers of one length in headscope.record(model)"
            )


def _texts(tokenizer: Any, ids: Any) -> list[str]:
    """Each token as it stands in the text; the tokenizer's own form where decoding leaves nothing."""
    numbers = [int(i) for i in ids]
    tokenizer = getattr(tokenizer, "tokenizer", tokenizer)  # of a processor
    if hasattr(tokenizer, "decode"):
        texts = [tokenizer.decode([i]) for i in numbers]
        if all(texts):
            return texts
    return [str(token) for token in tokenizer.convert_ids_to_tokens(numbers)]


def _patches(config: Any, size: Any, count: int) -> dict[str, object]:
    """The grid of patches, as a capture's metadata have it; empty if the model has none."""
    patch = getattr(config, "patch_size", None)
    if patch is None:
        return {}
    height, width = patch if isinstance(patch, (list, tuple)) else (patch, patch)
    rows, columns = size[0] // height, size[1] // width
    first = count - rows * columns  # tokens for the whole picture come first
    return {"patch_rows": rows, "patch_columns": columns, "first_patch": first} if first >= 0 else {}


def _patch_names(count: int, patches: dict[str, Any]) -> list[str] | None:
    if not patches:
        return None
    first, columns = patches["first_patch"], patches["patch_columns"]
    whole = ["[CLS]"][:first] + [f"[{i}]" for i in range(1, first)]
    return whole + [f"{i // columns + 1},{i % columns + 1}" for i in range(count - first)]
