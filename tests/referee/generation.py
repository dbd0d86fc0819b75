"""generate against model.generate(do_sample=False, num_beams=1): every decoder, and of some what generation_config.json says
of logits."""
import json

import torch
import transformers

from . import models, real
from .families import BART, DECODERS, LLAMA, T5, TOKENS, WORDS, picker

FAMILIES = {"gpt2": TOKENS | {"n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": 64}, "llama": LLAMA, "qwen2": LLAMA,
            "bart": BART, "t5": T5, "marian": BART | {"pad_token_id": 59, "decoder_start_token_id": 59, "eos_token_id": 0}}
LENGTH = 16
FLAGS = [{}, {"repetition_penalty": 1.4}, {"repetition_penalty": 0.8}, {"no_repeat_ngram_size": 2}, {"no_repeat_ngram_size": 1},
         {"suppress_tokens": [5, 6, 7, 8, 9, 10]}, {"begin_suppress_tokens": list(range(3, 50))}, {"min_new_tokens": 9},
         {"min_length": 12}, {"bad_words_ids": [[7], [8, 9], [10]]}, {"encoder_repetition_penalty": 1.5},
         {"forced_bos_token_id": 11}, {"forced_eos_token_id": 2}, {"eos_token_id": [2, 7, 9]}, {"sequence_bias": [[[7], -9.0]]},
         {"exponential_decay_length_penalty": [3, 1.2]}, {"encoder_no_repeat_ngram_size": 2}]


def chosen(model, ids):
    """The tokens, up to the first whose choice hangs by less than float32 tells apart."""
    with torch.no_grad():
        out = model.generate(torch.tensor([ids]), do_sample=False, num_beams=1, max_new_tokens=LENGTH, return_dict_in_generate=True,
                             output_scores=True, use_cache=False)
    given = out.sequences[0].tolist()[-len(out.scores):]
    for number, scores in enumerate(out.scores):
        best = scores[0].topk(2).values
        if best[0] - best[1] < 1e-4:
            return given[:number], False
    return given, True


def compare(program, folder, family, options, flags, pick):
    translates = family in ("bart", "t5", "marian")
    head = "target" if translates else "text"
    models.write_folder(folder, family, models.classes_of(family, "translators" if translates else "decoders")[head], options, pick,
                        False, torch.float32)
    file = folder / "generation_config.json"
    kept = json.loads(file.read_text()) if file.exists() else {}
    file.write_text(json.dumps(kept | {key: options[key] for key in ("pad_token_id", "eos_token_id", "decoder_start_token_id")
                                       if key in options} | flags))
    ids = pick.choices(range(3, WORDS - 1), k=pick.randint(2, 12))
    model = real.load(folder)
    right, whole = chosen(model, ids)
    found, error = program.json("generate", "--model", folder, "--sentence", models.words(ids), "--max-tokens", LENGTH)
    if error:
        # A flag that is not obeyed may be refused by its name, never passed over.
        return [] if flags and next(iter(flags)) in error else [error]
    got = found["token_ids"]
    ends = model.generation_config.eos_token_id
    ends = ends if isinstance(ends, list) else [ends]
    # The last place of all may be forced to be the end.
    right, got = ([i for i in one if i not in ends][:LENGTH - 1] for one in (right, found["token_ids"]))
    if got[:len(right)] != right or (whole and len(got) != len(right)):
        return [f"tokens {got}, expected {right}"]
    return []


def run(program, folder, seed, more, report):
    plain = {family: sizes for family, (sizes, _) in DECODERS.items() if "text" in models.classes_of(family, "decoders")}
    for family, options in (plain | FAMILIES).items():
        pick = picker(seed, "generation", family)
        drawn = [{**pick.choice(FLAGS), **pick.choice(FLAGS), **pick.choice(FLAGS)} for _ in range(more)]
        for number, flags in enumerate(FLAGS + drawn if family in FAMILIES else [{}] * (1 + more)):
            at = folder / f"generation-{family}-{number}"
            report.case("generation", family, f"{family} {json.dumps(flags)}", at,
                        lambda: compare(program, at, family, options, flags, picker(seed, "generation", family, number)))
