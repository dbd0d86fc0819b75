"""GGUF: small models by llama.cpp's own converter against the real class of the folder that it read, and every type of
ggml's against its own reading of what it wrote."""
import ctypes
import json
import logging
import sys

import gguf
import numpy as np
import torch

from . import models, real
from .families import DECODERS, ENCODERS, TOKENS, WORDS, picker, settings
from .program import disagreements

sys.path.append("/usr/share/llama.cpp/llama.cpp-tools")
LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"[:WORDS]
# Rows with a converter, and what it would not convert: then the case is left out.
FAMILIES = ["llama", "mistral", "qwen2", "qwen3", "gemma", "gemma2", "gemma3_text", "olmo", "olmo2", "granite", "smollm3",
            "stablelm", "cohere", "phi", "phi3", "gpt2", "gpt_neox", "bloom", "falcon", "bert", "distilbert", "olmo3", "glm", "glm4",
            "ernie4_5", "arcee", "nemotron", "seed_oss", "starcoder2", "exaone4", "mixtral", "qwen2_moe", "qwen3_moe", "olmoe",
            "granitemoe", "gpt_oss", "deepseek_v2", "deepseek_v3", "qwen2_vl", "qwen2_5_vl", "qwen3_vl", "llava", "mistral3", "ministral3",
            "qwen3_next", "qwen3_5_text", "qwen3_5_moe_text", "lfm2", "granitemoehybrid", "falcon_h1", "gemma3n_text", "gemma3n",
            "gemma4_text", "gemma4", "gemma4_unified"]
# Flags that llama.cpp's format has no field for, or that its converter passes over without a word.
UNWRITTEN = ["rms_norm_eps", "layer_norm", "scale_attn", "activation", "hidden_act", "reorder", "softcapping", "parallel_attn",
             "multi_query", "query_pre_attn", "alibi", "dynamic", "beta_fast", "layer_types", "sliding_window", "no_rope"]
UNWRITTEN_OF = {"llama": ["longrope"], "mistral": ["longrope"], "qwen2": ["longrope", "llama3"], "qwen3": ["longrope", "llama3"],
                "gemma": ["tie"], "gemma2": ["tie"], "gemma3_text": ["tie", "rope"], "olmo": ["attention_bias"], "olmo2": ["llama3"],
                "stablelm": ["rope"], "cohere": ["rope"], "phi": ["key_value", "rope"], "glm": ["partial"], "qwen2_moe": ["norm_topk"],
                "qwen3_moe": ["norm_topk"], "olmoe": ["norm_topk"], "llava": ["longrope"], "olmo3": ["linear", "llama3", "yarn"], "gpt_oss": ["attention_bias", "llama3"],
                "deepseek_v2": ["yarn", "attention_bias", "mlp_bias", "llama3"], "deepseek_v3": ["yarn", "interleave", "attention_bias", "llama3"], "lfm2": ["llama3"], "qwen3_next": ["norm_topk"],
                "granitemoehybrid": ["position_embedding", "step_limit"], "falcon_h1": ["step_limit", "attention_bias", "rope"], "falcon": ["ffn_hidden"]}
BY_LAYERS = ["tie", "\"factor\"", "\"sliding_attention\": {\"rope_type\": \"proportional\"", "altup_correct_scale", "\"global_head_dim\": 0"]
UNWRITTEN_OF |= {family: BY_LAYERS for family in FAMILIES if family.startswith(("gemma3n", "gemma4"))}
# … and that it writes for these alone.
WRITTEN_OF = {family: ["softcapping", "layer_types", "sliding_window", "rms_norm_eps"] for family in UNWRITTEN_OF if UNWRITTEN_OF[family] is BY_LAYERS}
# Sizes that its code takes for granted.
GRANTED = {"phi": {"num_key_value_heads": 4, "intermediate_size": 128}, "gemma2": {"query_pre_attn_scalar": 10},
           "gemma3_text": {"query_pre_attn_scalar": 10}, "glm": {"rms_norm_eps": 1e-5}, "qwen3_moe": {"norm_topk_prob": True}, "gpt_oss": {"rope_parameters": {"rope_type": "default", "rope_theta": 1e4}},
           "deepseek_v3": {"scoring_func": "sigmoid"}, "falcon_h1": {"head_dim": 8, "mamba_norm_before_gate": False}}
QUANTIZED = {"hidden_size": 256, "intermediate_size": 256, "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 64,
             "num_hidden_layers": 2, "max_position_embeddings": 64}
STORED = [one for one in gguf.GGMLQuantizationType
          if one.name not in ("Q8_1", "Q8_K", "F64") and not one.name.startswith(("I8", "I16", "I32", "I64"))]


def vocabulary(writer, bert):
    """A token a letter, and one merge; BERT's are words between [CLS] and [SEP]."""
    if bert:
        tokens = [f"▁{letter}" for letter in LETTERS[:WORDS - 4]] + ["[CLS]", "[SEP]", "[UNK]", "[PAD]"]
        writer.add_tokenizer_model("bert")
        for name, place in (("cls", -4), ("sep", -3), ("unk", -2), ("pad", -1)):
            writer.add_uint32(f"tokenizer.ggml.{ {'cls': 'bos', 'sep': 'seperator', 'unk': 'unknown', 'pad': 'padding'}[name]}_token_id",
                              WORDS + place)
        writer.add_token_type_count(2)
    else:
        tokens = [*LETTERS[:-1], "01"]
        writer.add_tokenizer_model("gpt2")
        writer.add_tokenizer_pre("gpt-2")
        writer.add_token_merges(["0 1"])
        writer.add_add_bos_token(False)
    writer.add_token_list(tokens)
    writer.add_token_types([3 if token.startswith("[") else 1 for token in tokens])


def convert(folder, out, as_type="ALL_F32"):
    """By llama.cpp's converter, with a vocabulary of ours, as a random model has none that it knows."""
    from conversion import ModelBase, ModelType, get_model_architecture, get_model_class
    logging.disable(logging.CRITICAL)
    hparams = ModelBase.load_hparams(folder, False)
    cls = get_model_class(get_model_architecture(hparams, ModelType.TEXT))
    cls.no_mtp = True  # without the layers that predict several tokens at once
    made = cls(folder, getattr(gguf.LlamaFileType, as_type), out, eager=True)
    made = getattr(made, "impl", made)  # one of two, by the model
    made.set_vocab = lambda: vocabulary(made.gguf_writer, "bert" in hparams["model_type"])
    made.prepare_tensors()
    made.prepare_metadata(vocab_only=False)
    finish(made.gguf_writer, out)


def finish(writer, file):
    writer.write_header_to_file(file)
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def compare_file(program, folder, file, model, text):
    found, error = program.arrays(folder, "--model", file, "--sentence", text)
    if error:
        return [error]
    ids = torch.from_numpy(found["token_ids"].astype(np.int64))[None]
    out, blocks = real.watched(model, input_ids=ids)
    pairs = {"attention": (found["attention"], blocks["self"]["attention"]), "layer_x": (found["layer_x"], blocks["self"]["x"])}
    if "logits" in found and "logits" in out:
        pairs["logits"] = found["logits"][:, :WORDS], out.logits[0][:, :WORDS]
    return disagreements(pairs)


def compare_family(program, folder, family, options, pick):
    kind = "encoders" if family in ENCODERS else "decoders"
    name = models.classes_of(family, kind)["bare" if kind == "encoders" else "text"]
    models.write_folder(folder, family, name, options, pick, True, torch.float32)
    try:
        convert(folder, folder / "model.gguf")
    except Exception:  # llama.cpp has no such model
        return None
    text = ("" if kind == "decoders" else " ").join(pick.choices(LETTERS[3:WORDS - 4], k=pick.randint(2, 30)))
    return compare_file(program, folder, folder / "model.gguf", real.load(folder), text)


def ggml():
    library = ctypes.CDLL("libggml-base.so.0")

    class Traits(ctypes.Structure):
        _fields_ = [("name", ctypes.c_char_p), ("block", ctypes.c_int64), ("interleave", ctypes.c_int64), ("size", ctypes.c_size_t),
                    ("quantized", ctypes.c_bool), ("to_float", ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64))]
    library.ggml_get_type_traits.restype = ctypes.POINTER(Traits)
    library.ggml_quantize_chunk.restype = ctypes.c_size_t
    library.ggml_quantize_chunk.argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, *[ctypes.c_int64] * 3, ctypes.c_void_p]
    return library


def quantized(library, kind, rows):
    """The bytes of ggml's type, [rows, bytes], and the numbers that ggml reads in them."""
    traits = library.ggml_get_type_traits(int(kind)).contents
    rows = np.ascontiguousarray(rows, dtype=np.float32)
    width = rows.shape[1] // traits.block * traits.size
    stored, read, even = np.zeros((len(rows), width), np.uint8), np.zeros_like(rows), np.ones(rows.shape[1], np.float32)
    address = lambda array: array.ctypes.data_as(ctypes.c_void_p)
    library.ggml_quantize_chunk(int(kind), address(rows), address(stored), 0, *rows.shape, address(even))
    traits.to_float(address(stored), address(read), rows.size)
    return stored, read


def compare_type(program, folder, kind, pick):
    """Qwen 3: no row or column is moved at conversion, so that a type of ggml's can take the place of each matrix."""
    models.write_folder(folder, "qwen3", "Qwen3ForCausalLM", TOKENS | QUANTIZED, pick, False, torch.float32)
    convert(folder, folder / "plain.gguf")
    model, library = real.load(folder), ggml()
    names = gguf.get_tensor_name_map(gguf.MODEL_ARCH.QWEN3, QUANTIZED["num_hidden_layers"])
    writer = gguf.GGUFWriter(folder / "model.gguf", "qwen3")
    for field in gguf.GGUFReader(folder / "plain.gguf").fields.values():
        if not field.name.startswith(("GGUF.", "general.architecture")):
            parts = field.types
            writer.add_key_value(field.name, field.contents(), parts[0], parts[-1] if parts[0] == gguf.GGUFValueType.ARRAY else None)
    for name, weight in model.named_parameters():
        rows = weight.detach().float().numpy()
        ours = names.get_name(name, try_suffixes=(".weight", ".bias"))
        if rows.ndim < 2 or kind == gguf.GGMLQuantizationType.F32:
            writer.add_tensor(ours, rows)
            continue
        stored, read = quantized(library, kind, rows)
        writer.add_tensor(ours, stored, raw_shape=stored.shape, raw_dtype=kind)
        weight.data.copy_(torch.from_numpy(read))
    finish(writer, folder / "model.gguf")
    wrong = compare_file(program, folder, folder / "model.gguf", model, "".join(pick.choices(LETTERS, k=12)))
    return [] if len(wrong) == 1 and kind.name in wrong[0] and "apart" not in wrong[0] else wrong  # refused by name


def run(program, folder, seed, more, report):
    for family in FAMILIES:
        sizes, flags = (ENCODERS if family in ENCODERS else DECODERS)[family]
        sizes = sizes | GRANTED.get(family, {})
        pick = picker(seed, "gguf", family)
        unwritten = [flag for flag in UNWRITTEN if flag not in WRITTEN_OF.get(family, [])] + UNWRITTEN_OF.get(family, [])
        for number, one in enumerate(settings(flags, pick, more)):
            at, name = folder / f"gguf-{family}-{number}", f"{family} {json.dumps(one)}"
            if not any(word in name for word in unwritten):
                report.case("gguf", family, name, at, lambda: compare_family(
                    program, at, family, sizes | one, picker(seed, "gguf", family, number)))
    for kind in STORED:
        at = folder / f"gguf-{kind.name}"
        report.case("gguf", kind.name, f"quantization {kind.name}", at, lambda: compare_type(program, at, kind, picker(seed, kind.name)))
