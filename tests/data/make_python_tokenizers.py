#!/usr/bin/env python3
"""Writes python_tokenizers.json: what transformers' tokenizers without a tokenizer.json give for small folders.

Debian testing's python3-transformers; the file was made with 5.12.1.
"""
import json
import pathlib
import tempfile

from transformers import AutoTokenizer

texts = ["日本語のテキストを読みます。", "The cat sat, on the MAT!", "A [MASK] here[SEP] <mask>", "", " \t\n\u3000 ",
         "Café cafe\u0301 ÀÉ ΑΣ ΣΑ İ", "ｶﾞ が ﬁ ㎏ ½ Å ´", "a\u00a0b\u2028c\u0085d\u200be\u200df\x1cg\u00adh", "👍🏽 \U0001fae9\u0378\ue000",
         "\u1b4e\u0897a \U0001e5ff", "sat猫cat 中文", "$+<=^`|~ 'll can't", "</s> a </s>", "<extra_id_0>b<pad> <unk>", "end</s>",
         "never SPLIT words", "x" * 101]
pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
letters = [*"日本語のテキストを読みます。猫中文abcdefhlmnopstuwxCTMAS", *",!.'$<>/", "が", "ガ", "f", "i", "é", "e", "ς", "σ", "α", "k", "g"]
words = ["the", "cat", "##s", "sat", "on", "ca", "##fe", "never", "SPLIT", "words", ",", "!", "日", "##本", "ΑΣ", "ας", "a", "b", "中", "##文"]
lines = [*pieces, *dict.fromkeys(letters)]
folders = [
    ({"tokenizer_class": "BertJapaneseTokenizer", "word_tokenizer_type": "basic", "subword_tokenizer_type": "character"},
     lines),
    ({"tokenizer_class": "BertJapaneseTokenizer", "subword_tokenizer_type": "character", "do_word_tokenize": False}, lines),
    ({"tokenizer_class": "BertJapaneseTokenizer", "do_lower_case": True, "never_split": ["SPLIT"]}, [*pieces, *words]),
    ({"tokenizer_class": "ByT5Tokenizer"}, None),
    ({"tokenizer_class": "ByT5Tokenizer", "extra_ids": 2}, None),
]


def case(config, vocabulary):
    with tempfile.TemporaryDirectory() as folder:
        files = {"tokenizer_config.json": json.dumps(config), "config.json": json.dumps({"model_type": "bert"})}
        if vocabulary:
            files["vocab.txt"] = "\n".join(vocabulary) + "\n"
        for name, text in files.items():
            (pathlib.Path(folder) / name).write_text(text)
        tokenizer = AutoTokenizer.from_pretrained(folder)
        read = []
        for text in texts:
            ids = tokenizer(text)["input_ids"]
            read.append([text, ids, tokenizer.decode(ids), tokenizer.decode(ids, skip_special_tokens=True)])
        return {"files": files, "pair": tokenizer(texts[0], texts[1])["input_ids"], "texts": read}


path = pathlib.Path(__file__).with_name("python_tokenizers.json")
cases = [json.dumps(case(*folder), separators=(",", ":"), ensure_ascii=False) for folder in folders]
path.write_text("[\n" + ",\n".join(cases) + "\n]\n")
