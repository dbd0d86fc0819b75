"""Attention of a model with the interface of transformers."""

from __future__ import annotations

from typing import Any

from ._capture import Capture, make_capture


def capture(
    model: Any, tokenizer: Any, text: str | list[str], *, target: str | None = None, sequence: int = 0
) -> Capture:
    """Runs a model of transformers on a text and returns its attention weights with their tokens.

    An encoder–decoder reads `target` in its decoder, or what it generates where that is None. Of several texts
    `sequence` chooses one; the others are only there for padding. Padding of the chosen one is left out.

    Raises ValueError if the model returns no weights.
    """
    import torch

    several = isinstance(text, (list, tuple))
    inputs = dict(tokenizer(list(text) if several else text, return_tensors="pt", **({"padding": True} if several else {})))
    device = getattr(model, "device", None)
    if device is not None:
        inputs = {name: tensor.to(device) if hasattr(tensor, "to") else tensor for name, tensor in inputs.items()}
    config = getattr(model, "config", None)
    decodes = bool(getattr(config, "is_encoder_decoder", False))
    training = model.training
    model.eval()
    try:
        with torch.no_grad():
            if decodes:
                if target is not None:
                    start = torch.tensor([[config.decoder_start_token_id]])
                    ids = torch.as_tensor(tokenizer(text_target=target)["input_ids"]).reshape(1, -1)
                    decoder_ids = torch.cat([start, ids], 1).expand(len(inputs["input_ids"]), -1)
                else:
                    decoder_ids = model.generate(**inputs)
                inputs["decoder_input_ids"] = decoder_ids.to(inputs["input_ids"].device)
            output = model(**inputs, output_attentions=True)
    finally:
        model.train(training)
    name = getattr(config, "name_or_path", None) or getattr(config, "_name_or_path", None)
    metadata = {"model": name} if name else None
    ids = inputs["input_ids"][sequence]
    kept = _kept(inputs.get("attention_mask"), sequence, len(ids))
    tokens = _texts(tokenizer, ids[kept])
    if not decodes:
        weights = _weights(output, "attentions")
        return make_capture([_cut(w[sequence], kept, kept) for w in weights], tokens, metadata=metadata)
    target_ids = inputs["decoder_input_ids"][sequence]
    everything = _kept(None, 0, len(target_ids))
    return make_capture(
        encoder_attention=[_cut(w[sequence], kept, kept) for w in _weights(output, "encoder_attentions")],
        decoder_attention=[_cut(w[sequence], everything, everything) for w in _weights(output, "decoder_attentions")],
        cross_attention=[_cut(w[sequence], everything, kept) for w in _weights(output, "cross_attentions")],
        encoder_tokens=tokens,
        decoder_tokens=_texts(tokenizer, target_ids),
        metadata=metadata,
    )


def _weights(output: Any, name: str) -> Any:
    weights = getattr(output, name, None)
    if not weights or any(layer is None for layer in weights):
        raise ValueError(
            f"the model returned no {name}: load it with from_pretrained(…, attn_implementation=\"eager\"); "
            "other implementations never have the weights in memory"
        )
    return weights


def _kept(mask: Any, sequence: int, count: int) -> Any:
    """Which positions are no padding."""
    import torch

    return torch.ones(count, dtype=torch.bool) if mask is None else mask[sequence].bool().cpu()


def _cut(layer: Any, queries: Any, keys: Any) -> Any:
    """[heads, n_q, n_k] without what is padded."""
    return layer.detach().float().cpu()[:, queries][:, :, keys]


def _texts(tokenizer: Any, ids: Any) -> list[str]:
    """Each token as it stands in the text; the tokenizer's own form where decoding leaves nothing."""
    numbers = [int(i) for i in ids]
    if hasattr(tokenizer, "decode"):
        texts = [tokenizer.decode([i]) for i in numbers]
        if all(texts):
            return texts
    return [str(token) for token in tokenizer.convert_ids_to_tokens(numbers)]
