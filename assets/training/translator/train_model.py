#!/usr/bin/python3
"""Trains one of the two translators; assets/training/translator/train starts both.

Sentences are drawn as they are needed, never the held-out ones, never from a store: no sentence is likely to be seen
twice. After every so many steps a checkpoint is written beside the folder, and a run that finds one goes on from it.
"""
import argparse
import os
import pathlib
import random
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import torch
from torch.nn import functional as F

import grammar
import model as translator
from grammar import RELATIONS

BATCH, SMOOTHING, RATE, WARM_UP = 96, 0.1, 1.5e-3, 200
GUIDANCE = 0.3  # weight of the loss on attention


def arrays(pairs, ids, pad, guided):
    """Sentences padded to one length; and for each relation which cells of which map are its own."""
    n = max(len(pair.en) for pair in pairs) + 1
    m = max(len(pair.zh) for pair in pairs) + 1
    source = np.full((len(pairs), n), pad, np.int64)
    target = np.full((len(pairs), m + 1), pad, np.int64)
    rows = {name: [] for name in RELATIONS}
    for i, pair in enumerate(pairs):
        source[i, : len(pair.en) + 1] = [ids[word] for word in pair.en] + [translator.END]
        target[i, 1 : len(pair.zh) + 2] = [ids[word] for word in pair.zh] + [translator.END]
        if guided:
            for name, place, goals in pair.relations:
                rows[name].append((i, place, goals))
    cells = {}
    for name, found in rows.items():
        if found:
            wanted = np.zeros((len(found), n), np.float32)
            for row, (_, _, goals) in enumerate(found):
                wanted[row, goals] = 1
            cells[name] = (torch.tensor([row[0] for row in found]), torch.tensor([row[1] for row in found]),
                           torch.from_numpy(wanted))
    return torch.from_numpy(source), torch.from_numpy(target), cells


def drawn(rng, count):
    """By length, so that little is padded: the sentences of several batches are sorted among themselves."""
    pairs = []
    while len(pairs) < count:
        pair = grammar.generate(rng)
        if not grammar.held_out(pair.en):
            pairs.append(pair)
    return pairs


def rate_at(share, step):
    """Warm up, stay, fall to nothing."""
    fall = 0.35
    level = 1.0 if share < fall else max(0.0, 1 - (share - fall) / (1 - fall))
    return RATE * min(1, (step + 1) / WARM_UP) * level


def train(options):
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    torch.manual_seed(options.seed)
    rng = random.Random(options.seed)
    vocabulary, _, _ = grammar.vocabulary()
    ids, pad = {word: i for i, word in enumerate(vocabulary)}, len(vocabulary) - 1
    model = translator.Translator(len(vocabulary))
    matrices = [w for w in model.parameters() if w.dim() == 2]
    adam = torch.optim.AdamW([{"params": matrices, "weight_decay": 0.01},
                              {"params": [w for w in model.parameters() if w.dim() == 1], "weight_decay": 0}],
                             lr=0, betas=(0.9, 0.98), eps=1e-9)
    weights, step = list(model.parameters()), 0
    checkpoint = pathlib.Path(options.checkpoint) if options.checkpoint else None
    if checkpoint and checkpoint.exists():
        kept = torch.load(checkpoint)
        model.load_state_dict(kept["model"])
        adam.load_state_dict(kept["adam"])
        rng.setstate(kept["rng"])
        torch.set_rng_state(kept["torch"])
        step = kept["step"]
        print(f"goes on from step {step}", flush=True)
    began, cpu, waiting = time.time(), time.process_time(), []
    model.train()
    while step < options.steps:
        if not waiting:
            if checkpoint and step and step % 500 == 0:
                torch.save({"model": model.state_dict(), "adam": adam.state_dict(), "rng": rng.getstate(),
                            "torch": torch.get_rng_state(), "step": step}, f"{checkpoint}.new")
                os.replace(f"{checkpoint}.new", checkpoint)
            pairs = sorted(drawn(rng, 10 * BATCH), key=lambda pair: len(pair.en))
            waiting = [pairs[i : i + BATCH] for i in range(0, len(pairs), BATCH)]
            rng.shuffle(waiting)
        source, target, cells = arrays(waiting.pop(), ids, pad, options.guided)
        for group in adam.param_groups:
            group["lr"] = rate_at(step / options.steps, step)
        logits, maps = model(source, target[:, :-1], pad, options.dropout)
        expected = target[:, 1:]
        # Padding behind the end is not learnt; the end itself is.
        real = (expected != pad).flatten()
        loss = F.cross_entropy(logits.flatten(0, 1)[real], expected.flatten()[real], label_smoothing=SMOOTHING)
        total = loss
        for name, (sentences, places, wanted) in cells.items():
            layer, head = translator.GUIDED[name]
            met = (maps[layer][sentences, head, places] * wanted).sum(-1)
            total = total - GUIDANCE * (met + 1e-6).log().mean()
        adam.zero_grad(set_to_none=True)
        total.backward()
        torch.nn.utils.clip_grad_norm_(weights, 1)
        adam.step()
        step += 1
        if step % 100 == 0 or step == options.steps:
            right = (logits.argmax(-1) == expected).flatten() | ~real
            whole = right.view(expected.shape).all(-1).float().mean()
            print(f"step {step}: loss {loss.item():.3f}, with guidance {total.item():.3f}, whole sentences {whole:.2f}, "
                  f"{time.time() - began:.0f} s, CPU {time.process_time() - cpu:.0f} s", flush=True)
    model.eval()
    headscope = {"guided": options.guided, "slots": grammar.SLOTS, "outside_below": 0.5, "relations": [], "steps": options.steps,
                 "alignment": None, "sentence": "The animal didn't cross the street because it was tired"}
    if options.guided:
        headscope["guided_heads"] = [{"relation": name, "layer": layer, "head": head}
                                     for name, (layer, head) in translator.GUIDED.items()]
    translator.save_folder(model, vocabulary, options.out, headscope)
    return model


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", required=True)
    parser.add_argument("--guided", action="store_true")
    parser.add_argument("--steps", type=int, default=6000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--dropout", type=float, default=0.0)
    parser.add_argument("--checkpoint", default="")
    train(parser.parse_args())


if __name__ == "__main__":
    main()
