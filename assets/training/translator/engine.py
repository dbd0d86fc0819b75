"""Runs a model on a sentence with headscope, the program itself."""
import concurrent.futures
import json
import pathlib
import subprocess
import tempfile

import numpy as np

ARRAYS = "encoder_attention,cross_attention,logits,target_token_ids,token_ids"
PROCESSES = 2


class Engine:
    def __init__(self, program, folder):
        self.program, self.folder = str(program), pathlib.Path(folder)
        self.config = json.loads((self.folder / "config.json").read_text())
        tokenizer = json.loads((self.folder / "tokenizer.json").read_text())
        self.words = {i: word for word, i in tokenizer["model"]["vocab"].items()}
        self.pad, self.end = self.config["pad_token_id"], self.config["eos_token_id"]
        self.never = [ids[0] for ids in self.config["bad_words_ids"]]

    def ask(self, *arguments):
        done = subprocess.run([self.program, *arguments], capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"{arguments}: {done.stderr.strip()}")
        return done.stdout

    def text(self, sentence, *more):
        """What `headscope generate` prints."""
        return self.ask("generate", str(self.folder), "--sentence", sentence, *more).rstrip("\n")

    def tokens(self, sentence, *more):
        """The tokens that it generates."""
        made = json.loads(self.ask("generate", str(self.folder), "--sentence", sentence, "--json", *more))
        return [self.words[i] for i in made["token_ids"] if i != self.end]

    def look(self, sentence, *more):
        """Tokens, attention and the probability of each chosen token, the end included."""
        with tempfile.TemporaryDirectory() as folder:
            path = f"{folder}/x.npz"
            self.ask("tensors", str(self.folder), "--sentence", sentence, "-o", path, "--arrays", ARRAYS, *more)
            with np.load(path) as arrays:
                found = {name: arrays[name] for name in arrays.files}
        ids = [int(i) for i in found["target_token_ids"]][1:]  # without the start token
        logits = found["logits"].astype(np.float64)
        logits = np.exp(logits - logits.max(-1, keepdims=True))
        logits /= logits.sum(-1, keepdims=True)
        if ids and ids[-1] == self.end:
            ids.pop()
        chosen = [logits[j, i] for j, i in enumerate([*ids, self.end]) if j < len(logits)]
        return {"tokens": [self.words[i] for i in ids], "encoder": found["encoder_attention"],
                "cross": found["cross_attention"], "probabilities": chosen}


def all_of(function, items):
    """In the order of the items, so many processes at a time."""
    with concurrent.futures.ThreadPoolExecutor(PROCESSES) as pool:
        return list(pool.map(function, items))


def heads_off(heads):
    return ["--heads-off", ",".join(f"encoder:{layer}.{head}" for layer, head in heads)]
