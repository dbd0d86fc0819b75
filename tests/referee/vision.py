"""Models that read pictures, of just their size: what is done to other pictures is for pictures.py."""
import json
import shutil

import numpy as np
import torch
import transformers
from PIL import Image

from . import models, real
from .families import TOKENS, STACK, VISIONS, picker, settings
from .program import disagreements

# The classes of each row that docs/models.md says are read.
CLASSES = {"vit": ["ViTForImageClassification", "ViTModel"],
           "vit_msn": ["ViTMSNForImageClassification", "ViTMSNModel"],
           "deit": ["DeiTForImageClassification", "DeiTForImageClassificationWithTeacher", "DeiTModel"],
           "vit_mae": ["ViTMAEModel", "ViTMAEForPreTraining"],
           "ijepa": ["IJepaForImageClassification", "IJepaModel"],
           "dinov3_vit": ["DINOv3ViTModel"],
           "beit": ["BeitForImageClassification", "BeitModel", "BeitForMaskedImageModeling"],
           "dinov2": ["Dinov2ForImageClassification", "Dinov2Model"],
           "dinov2_with_registers": ["Dinov2WithRegistersForImageClassification", "Dinov2WithRegistersModel"],
           "clip": ["CLIPModel", "CLIPVisionModel", "CLIPVisionModelWithProjection", "CLIPForImageClassification",
                    "CLIPTextModel", "CLIPTextModelWithProjection"],
           "siglip": ["SiglipModel", "SiglipVisionModel", "SiglipForImageClassification", "SiglipTextModel"],
           "siglip2": ["Siglip2Model", "Siglip2VisionModel", "Siglip2ForImageClassification", "Siglip2TextModel"]}
TEXT = TOKENS | STACK | {"num_hidden_layers": 2, "max_position_embeddings": 16, "bos_token_id": 58, "eos_token_id": 59}
TEXT_FLAGS = [{}, {"eos_token_id": 2}, {"hidden_act": "relu"}]
MEAN, STD = [0.4, 0.5, 0.6], [0.2, 0.25, 0.3]


def config_of(name, family, options, pick):
    cls = getattr(transformers, name).config_class
    if family not in ("clip", "siglip", "siglip2"):
        return cls(**options)
    text = TEXT | (pick.choice(TEXT_FLAGS) if family == "clip" else {"projection_size": 32})
    if "Text" in name:
        return cls(**text, **({"projection_dim": 16} if family == "clip" else {}))
    if "Vision" in name:
        return cls(**options, **({"projection_dim": 16} if family == "clip" else {}))
    return cls(text_config=text, vision_config=options, **({"projection_dim": 16} if family == "clip" else {}))


def write_folder(folder, name, config, pick, dtype):
    shutil.rmtree(folder, ignore_errors=True)
    model = models.with_drawn_weights(getattr(transformers, name)(config), pick)
    for scale in ("logit_scale", "logit_bias"):
        if hasattr(model, scale):
            getattr(model, scale).data.fill_(pick.uniform(0.5, 1.5))
    model.to(dtype).save_pretrained(folder)
    (folder / "tokenizer.json").write_text(json.dumps(models.word_tokenizer()))
    (folder / "tokenizer_config.json").write_text(json.dumps({"pad_token": "w0"}))
    (folder / "preprocessor_config.json").write_text(json.dumps(
        {"do_resize": False, "do_center_crop": False, "image_mean": MEAN, "image_std": STD}))


def drawn_picture(folder, height, width, pick):
    pixels = np.random.default_rng(pick.randrange(2**31)).integers(0, 256, (height, width, 3), dtype=np.uint8)
    Image.fromarray(pixels).save(folder / "picture.png")
    values = (torch.from_numpy(pixels).double() / 255 - torch.tensor(MEAN).double()) / torch.tensor(STD).double()
    return values.permute(2, 0, 1)[None]


def padded(ids, config):
    """SigLIP's texts are filled up to the length it was trained with; CLIP's end with the end token."""
    if config.model_type.startswith("siglip"):
        return ids + [0] * (config.max_position_embeddings - len(ids))
    return ids + [config.eos_token_id if config.eos_token_id != 2 else 59]


def size_of(config, pick):
    """That of the model, or for those that read any, some patches."""
    if config.model_type in ("siglip2_vision_model", "dinov3_vit", "beit"):
        # A table resized to one column is wrong in torch 2.14: upsample_bilinear2d_aa differs from itself in channels_last.
        least = 2 if config.model_type == "siglip2_vision_model" else 1
        return [config.patch_size * pick.randint(least, 5) for _ in range(2)]
    return [config.image_size] * 2


def read_as(config, pixels):
    """What the class of a model reads in place of the pixels."""
    if config.model_type == "vit_mae":  # all patches in their order
        config.mask_ratio = 0.0
        return {"pixel_values": pixels, "noise": torch.arange((config.image_size // config.patch_size) ** 2)[None].double()}
    if config.model_type != "siglip2_vision_model":
        return {"pixel_values": pixels}
    size, (_, channels, height, width) = config.patch_size, pixels.shape
    rows, columns = height // size, width // size
    patches = pixels.reshape(channels, rows, size, columns, size).permute(1, 3, 2, 4, 0).reshape(1, rows * columns, -1)
    return {"pixel_values": patches, "pixel_attention_mask": torch.ones(1, rows * columns, dtype=torch.long),
            "spatial_shapes": torch.tensor([[rows, columns]])}


def tower(model, prefix, found, pairs, **inputs):
    block = real.watched(model, **inputs)[1]["self"]
    pairs[prefix + "attention"] = found[prefix + "attention"], block["attention"]
    pairs[prefix + "layer_x"] = found[prefix + "layer_x"], block["x"]


def compare(program, folder, name, pick):
    model = real.load(folder)
    config, of_text = model.config, "Text" in name
    whole = name in ("CLIPModel", "SiglipModel", "Siglip2Model")
    line, sentences, pairs = ["--model", folder], [], {}
    if whole or of_text:
        text_config = config.text_config if whole else config
        sentences = [padded(pick.choices(range(3, 58), k=pick.randint(1, 9)), text_config) for _ in range(3 if whole else 1)]
        texts = [models.words(one).removesuffix(" w0" * one.count(0)) for one in sentences]
        line += [part for text in texts for part in ("--text", text)] if whole else ["--sentence", texts[0]]
    if not of_text:
        seen = config.vision_config if hasattr(config, "vision_config") else config
        inputs = read_as(seen, drawn_picture(folder, *size_of(seen, pick), pick))
        line += ["--picture", folder / "picture.png"]
    found, error = program.arrays(folder, *line)
    if error:
        return [error]
    if of_text:
        tower(model, "", found, pairs, input_ids=torch.tensor(sentences[:1]))
        return disagreements(pairs)
    seeing = model.vision_model if whole else model.vit if "PreTraining" in name else model
    tower(seeing, "self_" if whole else "", found, pairs, **inputs)
    if whole:
        tower(model.text_model, "text_", found, pairs, input_ids=torch.tensor(sentences[:1]))
    if not whole and "Classification" not in name:
        return disagreements(pairs)
    with torch.no_grad():
        rows = [model(**inputs, input_ids=torch.tensor([one])).logits_per_image[0, 0] for one in sentences] if whole \
            else model(**inputs).logits[0]
    answer, error = program.json("predict", *line)
    if error:
        return disagreements(pairs) + [error]
    expected = answer["positions"][-1]["expected"]
    which = [one["sentence_id" if whole else "label_id"] for one in expected]
    pairs["logits"] = np.array([one["logit"] for one in expected]), np.array([float(rows[i]) for i in which])
    return disagreements(pairs)


def run(program, folder, seed, more, report):
    for family, (sizes, flags) in VISIONS.items():
        pick = picker(seed, family)
        drawn = settings(flags, pick, more)
        drawn += [{}] * (len(CLASSES[family]) - len(drawn))
        for number, given in enumerate(drawn):
            name = (CLASSES[family] + [pick.choice(CLASSES[family])] * number)[number]
            dtype, at = pick.choice(models.DTYPES), folder / f"{family}-{number}"
            case = f"{family} {name} {str(dtype)[6:]} {json.dumps(given)}"
            report.case("vision", family, case, at, lambda: (
                write_folder(at, name, config_of(name, family, sizes | given, picker(seed, family, number)),
                             picker(seed, family, number), dtype),
                compare(program, at, name, picker(seed, family, number, "input")))[1])
