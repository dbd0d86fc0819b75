"""Models that read texts: decoders, encoders, encoder–decoders. A case is a row of families.py with some flags, a head, a
layout of config.json and a type of numbers; its folder is what the real class saves and loads."""
import copy
import json
import math
import shutil

import numpy as np
import torch
import transformers
from transformers.models.auto import modeling_auto

from . import real
from .families import KINDS_OF_MODELS, WORDS, picker, settings
from .program import disagreements

HEADS = {"text": "CAUSAL_LM", "masked": "MASKED_LM", "target": "SEQ_TO_SEQ_CAUSAL_LM", "label": "SEQUENCE_CLASSIFICATION",
         "tokens": "TOKEN_CLASSIFICATION", "span": "QUESTION_ANSWERING"}
DTYPES = [torch.float32] * 5 + [torch.float16, torch.bfloat16, torch.float64]
HEADS_OF = {"decoders": ("text", "label", "tokens", "span", "bare"), "encoders": ("masked", "label", "tokens", "span", "bare", "text"),
            "translators": ("target", "label", "tokens", "span")}
NAMES = {"attention": "attention", "x": "layer_x"}


def prefix(family, kind):
    return "" if kind == "self" and family != "funnel" else f"{kind}_"


def dtype_of(family, pick):
    """Rounded files of ESM are refused: they have rounded rotary frequencies."""
    return torch.float32 if family == "esm" else pick.choice(DTYPES)


def classes_of(family, kind):
    """The classes that docs/models.md says are read, by head."""
    found = {}
    for head in HEADS_OF[kind]:
        mapping = "MODEL_MAPPING_NAMES" if head == "bare" else f"MODEL_FOR_{HEADS[head]}_MAPPING_NAMES"
        name = getattr(modeling_auto, mapping).get(family)
        if name:
            found[head] = name if isinstance(name, str) else name[0]
    if family == "whisper":
        return {"target": "WhisperForConditionalGeneration"}
    if family == "dpr":
        return {"span": "DPRReader", "bare": "DPRQuestionEncoder", "vector": "DPRContextEncoder"}
    if family == "xlnet":
        found["masked"] = "XLNetLMHeadModel"  # which reads to both sides
    if family == "electra":
        found["replaced"] = "ElectraForPreTraining"
    if family == "funnel":
        found |= {"replaced": "FunnelForPreTraining", "pooled": "FunnelBaseModel"}
    pictured = modeling_auto.MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING_NAMES.get(family)
    return {"text": pictured} if pictured and kind == "decoders" else found  # of which the part for text is read


def with_drawn_weights(model, pick):
    """As initialised all maps are uniform: matrices that keep the size of rows, norms around 1, biases that are felt."""
    torch.manual_seed(pick.randrange(2**31))
    for name, weight in model.named_parameters():
        if not weight.requires_grad:  # sines, which are computed
            continue
        if weight.dim() < 2:
            weight.data.add_(0.25 * torch.randn_like(weight))
        elif "embed" not in name or "project" in name:
            width = weight[0].numel()
            weight.data.normal_(0, (0.5 if name.endswith(".q.weight") else 1.5) / math.sqrt(width))  # T5's is not scaled
        else:
            weight.data.normal_(0, 0.7)
    for name, number in model.named_buffers():
        if name.endswith("layer_scalar"):
            number.uniform_(0.5, 1.5)
    return model.eval()


def old_layout(config):
    """config.json as transformers 4 wrote it, where that says the same."""
    config = dict(config)
    if "text_config" in config:
        text = old_layout(config.pop("text_config"))
        # The first Qwen2-VL had no part of its own for text.
        flat = config["model_type"] in ("qwen2_vl", "qwen2_5_vl")
        return text | config if flat else config | {"text_config": text}
    if config["model_type"] == "modernbert" and "linear" in str(config.get("rope_parameters")):
        return config  # which had no scaling then
    if config["model_type"].startswith("gemma4"):
        return config  # which version 4 did not know
    if "dtype" in config:
        config["torch_dtype"] = config.pop("dtype")
    ropes = config.pop("rope_parameters", None) or {}
    local = ropes.pop("sliding_attention", None)
    ropes = dict(ropes.pop("full_attention", ropes))
    if local:
        first, second = ("global_rope_theta", "local_rope_theta") if config["model_type"] == "modernbert" else (
            "rope_theta", "rope_local_base_freq")
        config |= {first: ropes.pop("rope_theta"), second: local["rope_theta"]}
    if "partial_rotary_factor" in ropes:
        name = "rotary_pct" if config["model_type"] == "gpt_neox" else "partial_rotary_factor"
        config[name] = ropes.pop("partial_rotary_factor")
    if "rope_theta" in ropes:
        config["rotary_emb_base" if config["model_type"] == "gpt_neox" else "rope_theta"] = ropes.pop("rope_theta")
    if ropes.get("rope_type", "default") != "default" or "llama_4_scaling_beta" in ropes:
        config["rope_scaling"] = ropes
    elif "mrope_section" in ropes and config["model_type"] not in ("qwen3_vl_text", "qwen3_5_text", "qwen3_5_moe_text"):
        config["rope_scaling"] = {"type": "mrope", "mrope_section": ropes["mrope_section"]}
    return config | {"transformers_version": "4.48.0"}


def word_tokenizer():
    piece = lambda name, kind: {"Sequence": {"id": name, "type_id": kind}}
    return {"version": "1.0", "added_tokens": [], "normalizer": None, "pre_tokenizer": {"type": "WhitespaceSplit"},
            "post_processor": {"type": "TemplateProcessing", "single": [piece("A", 0)],
                               "pair": [piece("A", 0), piece("B", 1)], "special_tokens": {}}, "decoder": None,
            "model": {"type": "WordLevel", "vocab": {f"w{i}": i for i in range(WORDS)}, "unk_token": "w0"}}


def words(ids):
    return " ".join(f"w{i}" for i in ids)


def write_folder(folder, family, architecture, options, pick, old, dtype):
    """Saved as the real class saves it; then config.json may be written as an older version would have."""
    shutil.rmtree(folder, ignore_errors=True)
    config = transformers.AutoConfig.for_model(family, **copy.deepcopy(options))  # which the class may write into
    model = with_drawn_weights(getattr(transformers, architecture)(config), pick)
    model.to(dtype).save_pretrained(folder)
    file = folder / "config.json"
    saved = json.loads(file.read_text())
    file.write_text(json.dumps(old_layout(saved) if old else saved, indent=1))
    (folder / "tokenizer.json").write_text(json.dumps(word_tokenizer()))


def drawn_text(family, head, options, pick):
    """Ids, and those of a target. A label of BART's and T5's kind is read at the end token, a decoder's may be padded."""
    pad, end, least = options.get("pad_token_id"), options.get("eos_token_id"), 17 if family == "funnel" else 2
    usual = [i for i in range(3, WORDS) if i not in (pad, end, options.get("decoder_start_token_id"))]
    ids = pick.choices(usual, k=pick.randint(least, 30))
    if family == "longformer" and head == "span":  # the question is what comes before the first of three separators
        at = pick.randint(1, len(ids))
        ids = [*ids[:at], end, end, *ids[at:], end]
    if family == "big_bird" and head == "span":
        ids[pick.randrange(len(ids))] = options["sep_token_id"]
    if head == "target":
        return ids, pick.choices(usual, k=pick.randint(1, 12))
    if head == "label" and ("d_kv" in options or "encoder_layers" in options):
        ids.append(end)
    elif head == "label" and pick.random() < 0.4 and pad is not None:
        ids += [pad] * pick.randint(1, 3)
    return ids, None


def logits_of(out, head):
    if head == "span":
        return torch.stack([out.start_logits[0], out.end_logits[0]], 1)
    if head == "replaced":
        return torch.stack([torch.zeros_like(out.logits[0]), out.logits[0]], 1)
    return None if head in ("bare", "pooled", "vector") else out.logits[0]


def labels_agree(program, line, probabilities, values, pairs):
    """What predict says of the likeliest labels, at each position or at the only one."""
    found, error = program.json("predict", *line)
    if error:
        return error
    for at, place in enumerate(found["positions"][-len(values):]):
        for one in place["expected"]:
            kind, right = ("probability", probabilities) if "probability" in one else ("value", values)
            pairs[f"{one['label']} at {at}"] = one[kind], float(right[at][one["label_id"]])
    return None


def compare(program, folder, family, head, options, pick):
    ids, target = drawn_text(family, head, options, pick)
    model = real.load(folder)
    inputs = {"input_ids": torch.tensor([ids])}
    line = ["--model", folder, "--sentence", words(ids)]
    if family == "whisper":
        sound = torch.randn(2 * options["max_source_positions"], options["num_mel_bins"], generator=torch.manual_seed(pick.randrange(2**31)))
        np.save(folder / "features.npy", sound.numpy())
        inputs = {"input_features": sound.double().T[None]}
        line = ["--model", folder, "--features", folder / "features.npy"]
    if target:
        inputs["decoder_input_ids"] = torch.tensor([[options["decoder_start_token_id"], *target]])
        line += ["--target", words(target)]
    elif head in ("masked", "bare", "pooled", "vector") and (options.get("type_vocab_size", 0) > 1 or family in ("xlnet", "funnel")) and len(ids) > 3:
        inputs["token_type_ids"] = torch.tensor([[0] * 2 + [1] * (len(ids) - 2)])
        line = ["--model", folder, "--sentence", words(ids[:2]), "--key-sentence", words(ids[2:])]
    if family in ("longformer", "led") and head not in ("label", "span") and pick.random() < 0.6:
        chosen = sorted(pick.sample(range(len(ids)), pick.randint(1, min(3, len(ids)))))
        inputs["global_attention_mask"] = torch.tensor([[int(i in chosen) for i in range(len(ids))]])
        line += ["--mask", "global:" + ",".join(map(str, chosen))]
    out, blocks = real.watched(model, **inputs)
    found, error = program.arrays(folder, *line)
    if error:
        return [error]
    pairs = {prefix(family, kind) + name: (found[prefix(family, kind) + name], block[own]) for kind, block in blocks.items()
             for own, name in NAMES.items() if own in block}
    logits = logits_of(out, head)
    if head in ("text", "masked", "target"):
        pairs["logits"] = (found["logits"], logits)
    elif head == "bare" and "word_embed_proj_dim" in options:
        pass  # OPT's own last row is projected to the embedding's width
    elif family == "dpr" and head != "span":  # which gives the first row alone
        pairs["stack_output"] = (found["stack_output"][:1], out.pooler_output)
    elif head in ("bare", "pooled"):
        pairs["stack_output"] = (found[(prefix(family, list(blocks)[-1]) if family == "funnel" else "") + "stack_output"], out.last_hidden_state[0])
    else:
        rows = logits.reshape(-1, logits.shape[-1])
        error = labels_agree(program, line, rows.softmax(0 if head == "span" else 1), rows, pairs)
    return disagreements(pairs) + ([error] if error else [])


def cases(kind, seed, more):
    """Each flag of each family alone and some together, every head in turn, layouts and types by chance."""
    for family, (sizes, flags) in KINDS_OF_MODELS[kind].items():
        pick = picker(seed, family)
        heads = classes_of(family, kind)
        turns = list(heads) + [pick.choice(list(heads)) for _ in range(100)]
        drawn = settings(flags, pick, more)
        drawn += [{}] * (len(heads) - len(drawn))
        for head, flags_on in zip([next(iter(heads))] + turns[1:], drawn):
            yield family, head, heads[head], sizes | flags_on, flags_on, pick.random() < 0.5, dtype_of(family, pick)


def run(kind, program, folder, seed, more, report):
    for number, (family, head, name, options, flags, old, dtype) in enumerate(cases(kind, seed, more)):
        case = f"{family} {name} {'old' if old else 'new'} {str(dtype)[6:]} {json.dumps(flags)}"
        at = folder / f"{kind}-{number}"
        report.case(kind, family, case, at, lambda: (
            write_folder(at, family, name, options, picker(seed, family, number), old, dtype),
            compare(program, at, family, head, options, picker(seed, family, number, "text")))[1])
