#!/usr/bin/env python3
"""run_bertviz_notebooks.py REPOSITORY: executes the notebooks of head_view and model_view in a clone of
github.com/jessevig/bertviz with `from bertviz` as `from headscope`, small random models of the same classes in folders of
the names that they load, and no network. On request; needs transformers, nbconvert and ipykernel (Debian since forky).

Two notebooks call what transformers 5 no longer has (encode_plus, as_target_tokenizer), and one takes the last of BERT's
outputs for its attentions, after which transformers 5 has an empty tuple of cross-attentions: what version 4 did is given
back to the kernel.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import tokenizers
import torch
import transformers

ROOT = pathlib.Path(__file__).parents[2]
NOTEBOOKS = {  # and how many blocks, layers and heads each shows
    "head_view_distilbert": (1, 2, 4), "model_view_bart": (3, 2, 4), "model_view_bert": (1, 2, 4), "model_view_distilbert": (1, 2, 4),
    "model_view_encoder_decoder": (3, 2, 4),
}  # fmt: skip
PAIR = {
    "d_model": 32, "encoder_layers": 2, "decoder_layers": 2, "encoder_attention_heads": 4, "decoder_attention_heads": 4,
    "encoder_ffn_dim": 48, "decoder_ffn_dim": 48, "max_position_embeddings": 128, "pad_token_id": 0, "eos_token_id": 2,
    "decoder_start_token_id": 2, "forced_eos_token_id": 2,
}  # fmt: skip
BERT = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 48}
MODELS = {
    "distilbert-base-uncased": ("DistilBert", {"dim": 32, "n_layers": 2, "n_heads": 4, "hidden_dim": 48}),
    "bert-base-uncased": ("Bert", BERT),
    "facebook/bart-large-cnn": ("Bart", PAIR),
    "Helsinki-NLP/opus-mt-en-de": ("Marian", PAIR),
}
GONE = """
import contextlib, transformers
base = transformers.PreTrainedTokenizerBase
if not hasattr(base, "encode_plus"):
    base.encode_plus = base.__call__
    base.as_target_tokenizer = lambda self: contextlib.nullcontext()
    transformers.utils.ModelOutput.to_tuple = lambda self: tuple(self[key] for key in self.keys() if self[key] != ())
"""


def make_model(folder, kind, settings):
    """A model and a tokenizer of letters, pairs with types as BERT's."""
    letters = ["[PAD]", "[CLS]", "[SEP]", "[UNK]", *(chr(code) for code in range(32, 127))]
    made = tokenizers.Tokenizer(tokenizers.models.WordLevel({letter: i for i, letter in enumerate(letters)}, unk_token="[UNK]"))
    made.pre_tokenizer = tokenizers.pre_tokenizers.Split("", "isolated")
    made.post_processor = tokenizers.processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 1), ("[SEP]", 2)]
    )
    names = ["input_ids", "token_type_ids", "attention_mask"] if kind == "Bert" else ["input_ids", "attention_mask"]
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_object=made, pad_token="[PAD]", unk_token="[UNK]", model_input_names=names)
    tokenizer.save_pretrained(folder)
    torch.manual_seed(0)
    config = getattr(transformers, kind + "Config")(vocab_size=len(letters), **settings)
    getattr(transformers, kind + "Model")(config).save_pretrained(folder)


def execute(notebook, folder):
    """The notebook's outputs, after `from bertviz` has become `from headscope`."""
    text = notebook.read_text()
    assert "from bertviz import" in text, f"{notebook} imports nothing of bertviz"
    path = folder / notebook.name
    path.write_text(text.replace("from bertviz import", "from headscope import"))
    environment = {
        **os.environ, "PYTHONPATH": str(ROOT / "python"), "HOME": str(folder), "IPYTHONDIR": str(folder / "ipython"), "HF_HUB_OFFLINE": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
    }  # fmt: skip
    command = [sys.executable, "-m", "nbconvert", "--to", "notebook", "--execute", "--inplace", "--ExecutePreprocessor.kernel_name=python3"]
    subprocess.run([*command, path.name], cwd=folder, env=environment, check=True, capture_output=True, text=True)
    return [output for cell in json.loads(path.read_text())["cells"] for output in cell.get("outputs", [])]


def check(outputs, blocks, layers, heads):
    figures = ["".join(output["data"]["text/html"]) for output in outputs if "text/html" in output.get("data", {})]
    figures = [figure for figure in figures if 'id="headscope-' in figure]
    assert len(figures) == 1, f"{len(figures)} figures"
    shown = json.loads(re.search(r'\nheadscope\("headscope-\w+", (.*)\);', figures[0]).group(1))["blocks"]
    found = (len(shown), len(shown[0]["layers"]), len(shown[0]["heads"]))
    assert found == (blocks, layers, heads), found
    return [f"{block['name']} {len(block['queries'])} × {len(block['keys'])}" for block in shown]


def main():
    notebooks = pathlib.Path(sys.argv[1]) / "notebooks"
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        startup = folder / "ipython" / "profile_default" / "startup"
        startup.mkdir(parents=True)
        (startup / "gone.py").write_text(GONE)
        for place, (kind, settings) in MODELS.items():
            make_model(folder / place, kind, settings)
        for notebook, expected in NOTEBOOKS.items():
            try:
                print(f"{notebook}: {', '.join(check(execute(notebooks / (notebook + '.ipynb'), folder), *expected))}")
            except subprocess.CalledProcessError as error:
                sys.exit(f"{notebook}: {error.stderr[-3000:]}")


main()
