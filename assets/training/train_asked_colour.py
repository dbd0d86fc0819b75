#!/usr/bin/python3
"""Trains the Longformer of assets/models/asked-colour, which answers a question about a text (Debian: python3-transformers).

    /usr/bin/python3 assets/training/train_asked_colour.py

On one thread that takes about four minutes with OpenBLAS as the system's BLAS. On 2000 held-out texts of each length it
is right for 100.0 %, without a global token for 13 %: one of eight colours.

A text begins with a question, "what colour is the box ?", and goes on with two to six things and their colours, in any
order, among sentences that do not matter. The label is the colour asked for, and it is read off <s>, the one global
token. A window is three tokens to each side, so that in two layers windows alone bring to <s> what is up to six tokens
away: the question. What answers it stands further off, and comes in the row of <s>, or not at all.

The model is the class of transformers. Of itself it stops at guessing one of the colours that it has read, so it is helped
to the first layer's part (helping_loss) for half of the steps, ever less; the second layer's it finds by itself.

Writes config.json, model.safetensors (float16) and tokenizer.json into the folder, and tests/data/models/asked_colour.json:
what the class gives for the stored weights, for the tests.
"""
import argparse
import json
import pathlib
import time

import numpy as np
import torch
from safetensors.torch import save_file
from torch import nn
from transformers import LongformerConfig, LongformerForSequenceClassification

COLOURS = "red blue green yellow black white brown grey".split()
THINGS = "box cup bird hat coat ball car cat boat kite bag key book flower lamp shoe".split()
QUESTION = "what colour is the {} ?"
FACTS = ["a {0} {1} {stood} {there} .", "the {0} {1} {stood} {there} .", "{she} {found} a {0} {1} {there} .",
         "the {1} was {0} {remark} ."]
PARTS = {
    "stood": ["stood", "lay", "was", "waited", "stayed"],
    "she": ["she", "he", "they", "we", "nobody", "everybody"],
    "found": ["found", "saw", "bought", "lost", "wanted", "painted"],
    "there": ["by the door", "near the river", "on the table", "at the market", "in the garden", "under the bridge",
              "behind the house", "at the station"],
    "remark": ["and very old", "and quite heavy", "but not new", "and rather small"],
}
OTHERS = ["the rain fell all night .", "it was a cold morning .", "the children walked home through the forest .",
          "the old man told a long story .", "nobody spoke .", "the bell rang twice .",
          "the bridge was closed for repairs .", "in the evening the wind grew still .", "we waited for the train ."]
EXAMPLE = ("What colour is the box? A green cup stood by the door. The rain fell all night. She found a red box at the "
           "market.")

BEGIN, PAD, END, UNKNOWN = range(4)
VOCABULARY = ["<s>", "<pad>", "</s>", "<unk>"] + sorted(
    {word for text in COLOURS + THINGS + [QUESTION] + FACTS + sum(PARTS.values(), []) + OTHERS for word in text.split()
     if "{" not in word})
IDS = {word: i for i, word in enumerate(VOCABULARY)}
LONGEST, WIDTH, HEADS, LAYERS, INNER, REACH = 80, 48, 2, 2, 96, 3
MOST_FACTS, ASKED = 6, 5  # the latter: the place of the thing that is asked for


def random_text(rng, facts, length):
    """Words, about `length` or as many as the facts take, and the colours of its things, that asked for first."""
    things, colours = rng.permutation(THINGS)[:facts], rng.permutation(COLOURS)[:facts]
    sentences = []
    for colour, thing in zip(colours, things):
        parts = {name: choices[rng.integers(len(choices))] for name, choices in PARTS.items()}
        sentences.append(FACTS[rng.integers(len(FACTS))].format(colour, thing, **parts).split())
    while sum(map(len, sentences)) + 16 < length:
        sentences.append(OTHERS[rng.integers(len(OTHERS))].split())
    words = QUESTION.format(things[0]).split() + sum((sentences[i] for i in rng.permutation(len(sentences))), [])
    # Words that it does not know must not confuse it.
    words = [word if word in COLOURS + THINGS or rng.random() > 0.02 else "<unk>" for word in words]
    return ["<s>"] + words + ["</s>"], dict(zip(things, colours))


def share_right(logits, labels):
    return (logits.argmax(-1) == labels).double().mean().item()


def batch_of(rng, size, facts, length):
    """Ids, labels, and of each thing of a text the row, its place and its colour."""
    rows = [random_text(rng, rng.integers(2, facts + 1), length) for _ in range(size)]
    longest = max(len(words) for words, _ in rows)
    ids = [[IDS[word] for word in words] + [PAD] * (longest - len(words)) for words, _ in rows]
    labels = [COLOURS.index(next(iter(colours.values()))) for _, colours in rows]
    told = [(i, words.index(thing, ASKED + 1), COLOURS.index(colour))
            for i, (words, colours) in enumerate(rows) for thing, colour in colours.items()]
    return torch.tensor(ids), torch.tensor(labels), *torch.tensor(told).T


def new_model():
    model = LongformerForSequenceClassification(LongformerConfig(
        vocab_size=len(VOCABULARY), hidden_size=WIDTH, num_hidden_layers=LAYERS, num_attention_heads=HEADS,
        intermediate_size=INNER, attention_window=2 * REACH, max_position_embeddings=LONGEST + PAD + 1, type_vocab_size=1,
        hidden_dropout_prob=0, attention_probs_dropout_prob=0, layer_norm_eps=1e-5, initializer_range=0.1,
        bos_token_id=BEGIN, pad_token_id=PAD, eos_token_id=END, sep_token_id=END, num_labels=len(COLOURS)))
    # Keys begin equal to queries, and outputs undo values: from the start heads find what is alike and pass it on as it is.
    for layer in model.longformer.encoder.layer:
        attention = layer.attention.self
        for query, key in [(attention.query, attention.key), (attention.query_global, attention.key_global)]:
            nn.init.normal_(query.weight, std=WIDTH**-0.5)
            key.weight.data = query.weight.data.clone()
        nn.init.normal_(attention.value.weight, std=WIDTH**-0.5)
        attention.value_global.weight.data = attention.value.weight.data.clone()
        layer.attention.output.dense.weight.data = attention.value.weight.data.T.clone()
    # And positions as waves: what is near is alike.
    angle = torch.arange(LONGEST)[:, None] * torch.exp(-np.log(30) * torch.arange(0, WIDTH, 2) / WIDTH)
    places = model.longformer.embeddings.position_embeddings.weight.data
    places[PAD + 1:] = 0.12 * torch.stack([angle.sin(), angle.cos()], -1).view(LONGEST, WIDTH)
    return model


def run(model, ids, use_global=True, **options):
    """With <s> as the global token, which the class itself takes, or none."""
    first = torch.zeros_like(ids)
    first[:, 0] = int(use_global)
    return model(ids, attention_mask=(ids != PAD).long(), global_attention_mask=first, **options)


def helping_loss(model, ids, states, row, place, colour):
    """After the first layer <s> should know the thing that is asked for, and each thing of the text its own colour."""
    words = model.longformer.embeddings.word_embeddings.weight
    return (nn.functional.cross_entropy(states[:, 0] @ words.T, ids[:, ASKED]) +
            nn.functional.cross_entropy(model.classifier(states[row, place][:, None]), colour))


def train(options):
    rng = np.random.default_rng(options.seed)
    model = new_model()
    weights = list(model.parameters())
    adam = torch.optim.AdamW([{"params": [w for w in weights if w.dim() == 2], "weight_decay": 0.05},
                              {"params": [w for w in weights if w.dim() == 1], "weight_decay": 0}],
                             lr=0, betas=(0.9, 0.98))
    began, facts, recent = time.time(), 2, 0.0
    for step in range(options.steps):
        share = step / options.steps
        for group in adam.param_groups:
            group["lr"] = 3e-3 * min(1, (step + 1) / 100, 2 - 2 * share)
        # Short texts first, where there is less to search; longer ones once those are answered.
        length = 24 if facts == 2 else rng.integers(24, LONGEST * facts // MOST_FACTS)
        ids, labels, *told = batch_of(rng, 64, facts, length)
        out = run(model, ids, output_hidden_states=True)
        loss = nn.functional.cross_entropy(out.logits, labels)
        if share < 0.5:
            loss = loss + (1 - 2 * share) * helping_loss(model, ids, out.hidden_states[1], *told)
        adam.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(weights, 1)
        adam.step()
        recent += 0.05 * (share_right(out.logits, labels) - recent)
        if step % 100 == 0 or step + 1 == options.steps:
            print(f"step {step}: {facts} facts, loss {loss.item():.3f}, right {recent:.3f}, {time.time() - began:.0f} s",
                  flush=True)
        if recent > 0.95 and facts < MOST_FACTS:
            facts, recent = facts + 1, 0.0
    return model


def save_folder(model, folder):
    folder.mkdir(exist_ok=True)
    config = {"architectures": ["LongformerForSequenceClassification"], "model_type": "longformer",
              "vocab_size": len(VOCABULARY), "hidden_size": WIDTH, "num_hidden_layers": LAYERS,
              "num_attention_heads": HEADS, "intermediate_size": INNER, "attention_window": [2 * REACH] * LAYERS,
              "max_position_embeddings": LONGEST + PAD + 1, "type_vocab_size": 1, "hidden_act": "gelu",
              "layer_norm_eps": 1e-5,
              "bos_token_id": BEGIN, "pad_token_id": PAD, "eos_token_id": END, "sep_token_id": END,
              "id2label": {str(i): name for i, name in enumerate(COLOURS)},
              "label2id": {name: i for i, name in enumerate(COLOURS)},
              "torch_dtype": "float16", "headscope": {"sentence": EXAMPLE}}
    (folder / "config.json").write_text(json.dumps(config, indent=1) + "\n")
    special = [{"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}},
               {"SpecialToken": {"id": "</s>", "type_id": 0}}]
    tokenizer = {
        "version": "1.0", "truncation": None, "padding": None,
        "added_tokens": [{"id": i, "content": VOCABULARY[i], "single_word": False, "lstrip": False, "rstrip": False,
                          "normalized": False, "special": True} for i in range(4)],
        "normalizer": {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True,
                       "strip_accents": None, "lowercase": True},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {"type": "TemplateProcessing", "single": special,
                           "pair": special + [{"Sequence": {"id": "B", "type_id": 0}}, special[2]],
                           "special_tokens": {name: {"id": name, "ids": [IDS[name]], "tokens": [name]}
                                              for name in ("<s>", "</s>")}},
        "decoder": None,
        "model": {"type": "WordLevel", "vocab": IDS, "unk_token": "<unk>"}}
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer, ensure_ascii=False, indent=1) + "\n")
    save_file({name: weight.contiguous() for name, weight in model.state_dict().items()}, folder / "model.safetensors",
              {"format": "pt"})


def held_out(model, rng, length, use_global=True):
    """The share of 2000 texts that the model has not seen."""
    ids, labels, *_ = batch_of(rng, 2000, MOST_FACTS, length)
    return share_right(run(model, ids, use_global).logits, labels)


def report(model, seed):
    for length in (24, 36, LONGEST):
        found, alone = (held_out(model, np.random.default_rng(1000 + seed), length, some) for some in (True, False))
        print(f"held out, about {length} tokens: right for {found:.4f}, without a global token for {alone:.4f}")
    ids, labels, row, place, colour = batch_of(np.random.default_rng(2000 + seed), 500, MOST_FACTS, 60)
    out = run(model, ids, output_attentions=True)
    of_asked = ids[row, place] == ids[row, ASKED]
    color_ids = torch.tensor([IDS[name] for name in COLOURS])
    color_place = (ids[row] == color_ids[colour][:, None]).double().argmax(-1)
    near = REACH + 1 + color_place - place  # in what the class gives: <s>, then the window
    for layer in range(LAYERS):
        for head in range(HEADS):
            first = out.global_attentions[layer][:, head, :, 0]
            print(f"  layer {layer} head {head}: <s> gives the thing in the question {first[:, ASKED].mean():.3f}, in the text "
                  f"{first[row, place][of_asked].mean():.3f}, its colour {first[row, color_place][of_asked].mean():.3f}; a thing "
                  f"gives its colour {out.attentions[layer][row, head, place, near].mean():.3f}")


def words_of(text):
    return ["<s>"] + text.lower().replace("?", " ?").replace(".", " .").split() + ["</s>"]


def save_reference(model, path):
    """The example, the same text with another question, and a longer text; rows of <s>, and of a token in its window."""
    cases = []
    for text in [EXAMPLE, EXAMPLE.replace("the box?", "the cup?"),
                 "What colour is the kite? The bell rang twice. Nobody found a black hat near the river. The kite was yellow "
                 "and rather small. A grey shoe lay under the bridge. We waited for the train. The brown key was on the table."]:
        ids = torch.tensor([[IDS[word] for word in words_of(text)]])
        out, alone = run(model, ids, output_attentions=True), run(model, ids, False)
        cases.append({"text": text, "ids": ids[0].tolist(), "logits": out.logits[0].tolist(),
                      "logits_without_global": alone.logits[0].tolist(),
                      "first_rows": [row[0, :, :ids.shape[1], 0].tolist() for row in out.global_attentions],
                      # The first number is of <s>, the others of the three tokens before and behind.
                      "rows_of_token_10": [row[0, :, 10].tolist() for row in out.attentions]})
    rounded = json.loads(json.dumps(cases), parse_float=lambda number: float(f"{float(number):.7g}"))
    path.write_text(json.dumps(rounded).replace('}, {"text"', '},\n{"text"') + "\n")


def main():
    top = pathlib.Path(__file__).resolve().parents[2]
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=700)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=pathlib.Path, default=top / "assets/models/asked-colour")
    options = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(options.seed)
    model = train(options).half()
    save_folder(model, options.out)
    model = model.double().eval()
    with torch.no_grad():
        report(model, options.seed)
        save_reference(model, top / "tests/data/models/asked_colour.json")


if __name__ == "__main__":
    main()
