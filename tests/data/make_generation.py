#!/usr/bin/env python3
"""Writes generation.json: what transformers' processors of logits make of logits, for settings at random.

Debian testing's python3-transformers and python3-torch; the file was made with 5.12.1 and 2.14.1.
"""
import json
import pathlib
import random

import torch
from transformers import GenerationConfig, GPT2Config, GPT2LMHeadModel

vocabulary = 16
model = GPT2LMHeadModel(GPT2Config(vocab_size=vocabulary, n_positions=64, n_embd=4, n_layer=1, n_head=1))


def tokens(draw, most, least=1):
    return [draw.randrange(vocabulary) for _ in range(draw.randint(least, most))]


def settings(draw):
    every = {
        "repetition_penalty": lambda: draw.choice([0.7, 1.3, 2.0]),
        "encoder_repetition_penalty": lambda: draw.choice([0.7, 1.5]),
        "no_repeat_ngram_size": lambda: draw.randint(1, 3),
        "encoder_no_repeat_ngram_size": lambda: draw.randint(1, 3),
        "bad_words_ids": lambda: [tokens(draw, 3) for _ in range(draw.randint(1, 4))],
        "sequence_bias": lambda: [[[t + (t == 0) for t in tokens(draw, 2)], draw.choice([-3.5, 0.25, 4.0])]
                                  for _ in range(3)],
        "suppress_tokens": lambda: tokens(draw, 4),
        "begin_suppress_tokens": lambda: tokens(draw, 4),
        "min_length": lambda: draw.randint(1, 9),
        "min_new_tokens": lambda: draw.randint(1, 5),
        "forced_bos_token_id": lambda: draw.randrange(vocabulary),
        "forced_eos_token_id": lambda: draw.randrange(vocabulary),
        "exponential_decay_length_penalty": lambda: [draw.randint(0, 3), draw.choice([1.1, 1.7])],
    }
    names = draw.sample(sorted(every), draw.randint(1, 4))
    return {"eos_token_id": draw.choice([2, [2, 5]]), **{name: every[name]() for name in names}}


def case(seed):
    draw = random.Random(seed)
    stated = settings(draw)
    text = tokens(draw, 9)
    given = draw.randint(1, len(text))
    decoder_only = draw.random() < 0.5
    source = text[:given] if decoder_only else tokens(draw, 8)
    last = draw.random() < 0.3
    config = GenerationConfig(**stated)
    config.max_length = len(text) + (1 if last else 3)
    if config.min_new_tokens is not None:
        config.min_length = config.min_new_tokens + given
    model._prepare_special_tokens(config, device="cpu")
    processors = model._get_logits_processor(config, given, torch.tensor([source]), device="cpu")
    logits = torch.randn(1, vocabulary, generator=torch.Generator().manual_seed(seed)) * 3
    logits = (logits * 64).round() / 64
    scores = processors(torch.tensor([text]), logits.clone())[0]
    return {"config": stated, "text": text, "given": given, "source": source, "last": last,
            "logits": logits[0].tolist(),
            "scores": [None if score == -float("inf") else round(score, 6) for score in scores.tolist()]}


cases = [case(seed) for seed in range(60)]
path = pathlib.Path(__file__).with_name("generation.json")
path.write_text("[\n" + ",\n".join(json.dumps(one, separators=(",", ":")) for one in cases) + "\n]\n")
