"""Tokenizers: small ones are trained, and saved as folders had them (vocab.json, vocab.txt, SentencePiece's file) or as
tokenizer.json; the ids that Headscope reads a text into against AutoTokenizer's of the same folder."""
import contextlib
import json
import os
import shutil

import sentencepiece
import tokenizers
import transformers

from . import models
from .families import BART, ENCODER, KINDS_OF_MODELS, LLAMA, T5, TOKENS, picker

GPT2 = TOKENS | {"n_embd": 8, "n_layer": 1, "n_head": 1, "n_positions": 512}
SMALL = {"hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 1, "num_key_value_heads": 1, "intermediate_size": 8,
         "max_position_embeddings": 514}
STACKS = {"d_model": 8, "encoder_layers": 1, "decoder_layers": 1, "encoder_attention_heads": 1, "decoder_attention_heads": 1,
          "encoder_ffn_dim": 8, "decoder_ffn_dim": 8, "max_position_embeddings": 514}
TIMES = 30  # texts for each tokenizer
BITS = ["The", "cat", " sat", "n't", "'LL", "'s", "ing", " naïve", "café", "Straße", "İstanbul", "ﬁn", "Å", "e\u0301", "ñ", "北京", "人工智能",
        "ひらがな", "カタカナ", "ガ", "한국어", "привет", "Ёлка", "ΣΊΣΥΦΟΣ", "שָׁלוֹם", "مَرحبا", "สวัสดี", "नमस्ते", "👍🏽", "👩‍👩‍👧", "€", "½", "①", "Ⅳ",
        "１２３", "12345", "3.14", "1,000", "٣", "http://a.b/c?d=e", "x_1", "don’t", "“q”", "—", "…", "$", "^", "`", "~", "+", "<", "!?!", "\t", "\n", "\n\n",
        "\r\n", " ", "  ", "   ", "\u00a0", "\u2003", "\u200b", "\u00ad", "\ufeff", "\ufffd", "\u3000", "a", "Z", "_", "\u0130", "ſ", "\U00020000", "\u1e9e"]


def drawn_text(pick, special):
    bits = BITS + [one for one in special if one]
    return "".join(pick.choice(bits) + pick.choice(["", "", " "]) for _ in range(pick.randint(1, 14)))


def corpus():
    """The project's own documents, and all that texts are drawn from."""
    here = os.path.dirname(os.path.dirname(os.path.dirname(__file__)))
    lines = open(os.path.join(here, "docs/models.md"), encoding="utf-8").read().splitlines()
    return lines + open(os.path.join(here, "assets/models/README.zh.md"), encoding="utf-8").read().splitlines() + BITS * 3


def train_bytes(folder, special, **_):
    made = tokenizers.Tokenizer(tokenizers.models.BPE())
    made.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.train_from_iterator(corpus(), tokenizers.trainers.BpeTrainer(
        vocab_size=700, special_tokens=special, initial_alphabet=sorted(tokenizers.pre_tokenizers.ByteLevel.alphabet()),
        show_progress=False))
    made.model.save(str(folder))


def train_words(folder, special, lower=True, **_):
    made = tokenizers.BertWordPieceTokenizer(lowercase=lower)
    made.train_from_iterator(corpus(), vocab_size=500, special_tokens=special, show_progress=False)
    (folder / "vocab.txt").write_text("".join(f"{token}\n" for token, _ in sorted(made.get_vocab().items(), key=lambda one: one[1])))


def train_pieces(folder, special, file="spiece.model", kind="unigram", copies=(), vocab=False, **options):
    with open(os.devnull, "w") as nowhere, contextlib.redirect_stderr(nowhere):
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(corpus()), model_prefix=str(folder / "trained"), vocab_size=1100, model_type=kind,
            character_coverage=0.98, hard_vocab_limit=False, minloglevel=2, **options)
    shutil.move(folder / "trained.model", folder / file)
    for copy in copies:
        shutil.copy(folder / file, folder / copy)
    if vocab:
        read = sentencepiece.SentencePieceProcessor(model_file=str(folder / file))
        pieces = [read.id_to_piece(i) for i in range(len(read))]
        listed = dict.fromkeys(["</s>", *pieces, "<pad>"]) if vocab == "marian" else dict.fromkeys(["<s>", "<pad>", "</s>", "<unk>", *pieces])
        (folder / "vocab.json").write_text(json.dumps({piece: i for i, piece in enumerate(listed)}))
    (folder / "trained.vocab").unlink(missing_ok=True)


ROBERTA = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
BERT = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
GEMMA = {"kind": "bpe", "file": "tokenizer.model", "byte_fallback": True, "pad_id": 0, "eos_id": 1, "bos_id": 2, "unk_id": 3,
         "normalization_rule_name": "identity", "add_dummy_prefix": False, "remove_extra_whitespaces": False}
SPM_T5 = {"pad_id": 0, "eos_id": 1, "unk_id": 2, "bos_id": -1}
LLAMA_SPM = {"kind": "bpe", "file": "tokenizer.model", "byte_fallback": True, "unk_id": 0, "bos_id": 1, "eos_id": 2,
             "normalization_rule_name": "identity", "remove_extra_whitespaces": False, "split_digits": True}
LOWER = [{"do_lower_case": False}, {"strip_accents": False}, {"tokenize_chinese_chars": False}]
# name: family, its sizes, how it is trained, with what, the tokens that it knows by role, and settings of tokenizer_config.json
ROWS = {
    "gpt2": ("gpt2", GPT2, train_bytes, {}, ["<|endoftext|>"], "GPT2Tokenizer", [{"add_prefix_space": True}, {"add_bos_token": True}]),
    "qwen2": ("qwen2", LLAMA | SMALL, train_bytes, {}, ["<|endoftext|>", "<|im_start|>"], "Qwen2Tokenizer", []),
    # The classes of CLIP, RoBERTa and BART of transformers 5.12 do not run with tokenizers 0.23.
    "bert": ("bert", ENCODER | SMALL, train_words, {}, BERT, "BertTokenizer", LOWER),
    "distilbert": ("distilbert", TOKENS | {"dim": 8, "n_layers": 1, "n_heads": 1, "hidden_dim": 8}, train_words, {}, BERT,
                   "DistilBertTokenizer", LOWER[:1]),
    "electra": ("electra", ENCODER | SMALL, train_words, {}, BERT, "ElectraTokenizer", LOWER[:1]),
    "mpnet": ("mpnet", ENCODER | SMALL, train_words, {}, ["<s>", "<pad>", "</s>", "[UNK]", "<mask>"], "MPNetTokenizer", LOWER[:1]),
    "llama": ("llama", LLAMA | SMALL, train_pieces, LLAMA_SPM, ["<s>", "</s>", "<unk>"], "LlamaTokenizer",
              [{"legacy": False}, {"legacy": True}, {"add_bos_token": False}, {"add_eos_token": True}, {"add_prefix_space": False}]),
    "gemma": ("gemma", LLAMA | SMALL | {"head_dim": 8}, train_pieces, GEMMA, ["<bos>", "<eos>", "<unk>", "<pad>"], "GemmaTokenizer", []),
    "t5": ("t5", T5 | {"d_model": 8, "d_kv": 8, "num_heads": 1, "d_ff": 8, "num_layers": 1, "num_decoder_layers": 1}, train_pieces,
           SPM_T5, ["</s>", "<pad>", "<unk>"], "T5Tokenizer", [{"extra_ids": 10}]),
    "albert": ("albert", ENCODER | SMALL | {"embedding_size": 8}, train_pieces,
               {"pad_id": 0, "unk_id": 1, "bos_id": -1, "eos_id": -1, "control_symbols": "[CLS],[SEP],[MASK]", "normalization_rule_name": "nmt_nfkc"},
               ["<pad>", "<unk>", "[CLS]", "[SEP]", "[MASK]"], "AlbertTokenizer", [{"do_lower_case": False}, {"keep_accents": True}]),
    "xlnet": ("xlnet", TOKENS | {"d_model": 8, "n_layer": 1, "n_head": 1, "d_inner": 8}, train_pieces,
              {"unk_id": 0, "bos_id": 1, "eos_id": 2, "pad_id": 5, "control_symbols": "<cls>,<sep>,<mask>,<eod>,<eop>",
               "normalization_rule_name": "nmt_nfkc"},
              ["<unk>", "<sep>", "<cls>", "<mask>"], "XLNetTokenizer", [{"do_lower_case": True}, {"keep_accents": True}]),
    "xlm-roberta": ("xlm-roberta", ENCODER | SMALL, train_pieces, {"file": "sentencepiece.bpe.model"}, ROBERTA, "XLMRobertaTokenizer", []),
    "camembert": ("camembert", ENCODER | SMALL, train_pieces, {"file": "sentencepiece.bpe.model"}, ROBERTA, "CamembertTokenizer", []),
    "deberta-v2": ("deberta-v2", ENCODER | SMALL, train_pieces,
                   {"file": "spm.model", "pad_id": 0, "bos_id": 1, "eos_id": 2, "unk_id": 3, "pad_piece": "[PAD]", "bos_piece": "[CLS]",
                    "eos_piece": "[SEP]", "unk_piece": "[UNK]"}, BERT, "DebertaV2Tokenizer", []),
    "pegasus": ("pegasus", BART | STACKS, train_pieces, SPM_T5, ["</s>", "<pad>", "<unk>"], "PegasusTokenizer", []),
    "mbart": ("mbart", BART | STACKS, train_pieces, {"file": "sentencepiece.bpe.model"}, ROBERTA, "MBartTokenizer",
              [{"src_lang": "en_XX", "tgt_lang": "ro_RO"}]),
    "nllb": ("m2m_100", BART | STACKS, train_pieces, {"file": "sentencepiece.bpe.model", "kind": "bpe"}, ROBERTA, "NllbTokenizer",
             [{"src_lang": "eng_Latn", "tgt_lang": "fra_Latn"}]),
    "marian": ("marian", BART | STACKS, train_pieces, {"file": "source.spm", "copies": ["target.spm"], "vocab": "marian"},
               ["</s>", "<pad>", "<unk>"], "MarianTokenizer", []),
}


# Whose class does nothing to a text before SentencePiece reads it.
BY_PIECES = ["t5", "xlm-roberta", "camembert", "pegasus", "mbart", "nllb", "deberta-v2", "gemma"]


def write_folder(folder, row, settings, old, pick):
    """Files as older folders have them; the new layout is what the real class saves of those."""
    family, sizes, train, options, special, name, _ = ROWS[row]
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    if "do_lower_case" in settings and train is train_words:
        options = options | {"lower": settings["do_lower_case"]}
    train(folder, special, **options)
    (folder / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": name} | settings))
    (folder / "config.json").write_text(json.dumps({"model_type": family}))
    read = transformers.AutoTokenizer.from_pretrained(folder)
    if not old:
        for file in folder.iterdir():
            file.unlink()
        read.save_pretrained(folder)
    write_model(folder, family, sizes, len(read), read, pick)
    return transformers.AutoTokenizer.from_pretrained(folder)


def write_model(folder, family, sizes, count, read, pick):
    """A model of that family around it, which need not be any good."""
    ids = {f"{role}_token_id": getattr(read, f"{role}_token_id") for role in ("pad", "bos", "eos")}
    start = {"decoder_start_token_id": ids["pad_token_id"]} if "decoder_start_token_id" in sizes else {}
    config = transformers.AutoConfig.for_model(family, **{**sizes, **ids, "vocab_size": count, **start})
    kind = next(kind for kind, rows in KINDS_OF_MODELS.items() if family in rows)
    heads = models.classes_of(family, kind)
    name = heads.get("target") or heads["bare"]
    models.with_drawn_weights(getattr(transformers, name)(config), pick).save_pretrained(folder)


def pieces_of(folder, row):
    """SentencePiece's own reading of a folder's file, in the words of its pieces. (The classes of transformers 5 take pieces
    and scores from the file, and not its table of characters.)"""
    read = sentencepiece.SentencePieceProcessor(model_file=str(folder / ROWS[row][3].get("file", "spiece.model")))
    word = lambda i: "?" if i == read.unk_id() else read.id_to_piece(i).replace("▁", " ")
    # Bytes are shown as the characters that they spell: not compared.
    return lambda text: [] if any(map(read.is_byte, read.encode(text))) else [word(i) for i in read.encode(text)]


def compare(program, folder, row, settings, old, pick):
    """How many of some texts are read differently, and the first of them."""
    real = write_folder(folder, row, settings, old, pick)
    own = pieces_of(folder, row) if old and row in BY_PIECES else None
    wrong = []
    for _ in range(TIMES):
        text = drawn_text(pick, [] if own else real.all_special_tokens)
        right = own(text) if own else real(text)["input_ids"]
        if not text.strip() or not right:
            continue
        found, error = program.arrays(folder, "--model", folder, "--sentence", text, *(
            ["--target", "a"] if "decoder_start_token_id" in (ROWS[row][1] or {}) else []))
        if error:
            wrong.append(error)
            continue
        prefix = "" if "token_ids" in found else "encoder_"
        ids = found[prefix + "token_ids"].tolist()
        if own:
            shown = json.loads(found[prefix + "tokens"].tobytes())
            ids = ["?" if i == real.unk_token_id else token for i, token in zip(ids, shown)
                   if i not in real.all_special_ids or i == real.unk_token_id]
        if ids != right:
            wrong.append(f"{text!r}: {ids}, expected {right}")
    return [f"{len(wrong)} of {TIMES} texts, such as {wrong[0]}"] if wrong else []


def run(program, folder, seed, more, report):
    for row, (*_, flags) in ROWS.items():
        for number, settings in enumerate([{}] + flags if "mbart" not in row and "nllb" not in row else flags):
            for old in (False,) if row in ("albert", "xlnet") else (True, False):  # whose classes of version 5 pass over the table, too
                at = folder / f"tokenizer-{row}-{number}-{'old' if old else 'new'}"
                report.case("tokenizers", row, f"{row} {'old' if old else 'new'} {json.dumps(settings)}", at, lambda: compare(
                    program, at, row, settings, old, picker(seed, row, number, old)))
