"""Small folders as the classes of transformers save them, and what those give: tests/data/models/saved. Also
pictures.json and pictures.npz, what image processors make of photo.png, and moving.webp, an animation.

    python3 save_encoders.py        # transformers 5.12, torch 2.14

Each folder has expected.npz: token_ids and, of one run, attention and logits ([layers, heads, n, n]; encoder_,
decoder_, cross_ and target_token_ids where there are two stacks), or similarity of a picture and sentences.
"""
import json
import os
import shutil

import numpy
import torch
import transformers
from PIL import Image
from tokenizers import Tokenizer, models, pre_tokenizers, processors

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "saved")
WORDS = ["<pad>", "<s>", "</s>", "<unk>"] + ["w%d" % i for i in range(4, 12)]
SENTENCE, PAIR, TARGET = "w4 w7 w5 w9", "w11 w6", "w8 w10"
SMALL = dict(vocab_size=12, hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=8,
             max_position_embeddings=16, pad_token_id=0)
TWO = dict(vocab_size=12, d_model=8, encoder_layers=1, decoder_layers=1, encoder_attention_heads=2,
           decoder_attention_heads=2, encoder_ffn_dim=8, decoder_ffn_dim=8, max_position_embeddings=16,
           pad_token_id=0, bos_token_id=1, eos_token_id=2)
T5 = dict(vocab_size=12, d_model=8, d_kv=4, num_heads=2, num_layers=1, d_ff=8, relative_attention_num_buckets=8,
          pad_token_id=0, eos_token_id=2, decoder_start_token_id=0)
TOWER = dict(hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=8)
TEXT_TOWER = dict(TOWER, vocab_size=12, max_position_embeddings=8, bos_token_id=1, eos_token_id=2)
PICTURE_TOWER = dict(TOWER, image_size=12, patch_size=6)


def draw(model, seed):
    random = torch.Generator().manual_seed(seed)
    tensors = [p for n, p in model.named_parameters() if p.requires_grad or "embed_positions" not in n]
    tensors += [b for n, b in model.named_buffers() if "final_logits_bias" in n]
    with torch.no_grad():
        for tensor in tensors:
            tensor.copy_(torch.randn(tensor.shape, generator=random) * 0.7)
        if hasattr(model, "logit_scale"):
            model.logit_scale.copy_(torch.full(model.logit_scale.shape, 2.0))
    return model


def write_tokenizer(folder, template, **config):
    tokenizer = Tokenizer(models.WordLevel({word: i for i, word in enumerate(WORDS)}, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    single, pair = template
    tokenizer.post_processor = processors.TemplateProcessing(
        single=single, pair=pair, special_tokens=[("<s>", 1), ("</s>", 2), ("w11", 11)])
    tokenizer.add_special_tokens(WORDS[:4])
    tokenizer.save(os.path.join(folder, "tokenizer.json"), pretty=False)
    json.dump(dict({"tokenizer_class": "TokenizersBackend", "pad_token": "<pad>"}, **config),
              open(os.path.join(folder, "tokenizer_config.json"), "w"))
    return tokenizer


def maps(states):
    return torch.cat(states).numpy()


def of_text(outputs):
    result = {}
    for name in ("attentions", "encoder_attentions", "decoder_attentions", "cross_attentions"):
        if outputs.get(name):
            result[name[:-1]] = maps(outputs[name])
    if "logits" in outputs:
        result["logits"] = outputs.logits[0].numpy()
    return result


FRAMED = ("<s> $A </s>", "<s> $A </s> $B:1 </s>:1")
ENDED = ("$A </s>", "$A </s> $B </s>")


def save(name, model, template=FRAMED, target=None, edit=None, **tokens):
    folder = os.path.join(HERE, name)
    shutil.rmtree(folder, ignore_errors=True)
    model.save_pretrained(folder)
    path = os.path.join(folder, "config.json")
    config = json.load(open(path))
    if edit:
        config.update(edit)
    json.dump(config, open(path, "w"))
    if os.path.exists(os.path.join(folder, "generation_config.json")):
        os.remove(os.path.join(folder, "generation_config.json"))
    tokenizer = write_tokenizer(folder, template, **tokens)
    real = type(model).from_pretrained(folder, attn_implementation="eager", dtype=torch.float32).eval()
    return folder, tokenizer, real


def text_case(name, cls, config, seed=1, template=FRAMED, pair=False, target=None, types=False,
              dtype=torch.float32, **more):
    model = draw(cls._from_config(config), seed).to(dtype).eval()
    folder, tokenizer, real = save(name, model, template, **more)
    encoding = tokenizer.encode(SENTENCE, PAIR) if pair else tokenizer.encode(SENTENCE)
    inputs = {"input_ids": torch.tensor([encoding.ids])}
    result = {"token_ids": numpy.array(encoding.ids)}
    if types:
        inputs["token_type_ids"] = torch.tensor([encoding.type_ids])
    if target is not None:
        ids = target + tokenizer.encode(TARGET, add_special_tokens=False).ids
        inputs["decoder_input_ids"] = torch.tensor([ids])
        result["target_token_ids"] = numpy.array(ids)
    with torch.no_grad():
        result.update(of_text(real(**inputs, output_attentions=True)))
    numpy.savez(os.path.join(folder, "expected.npz"), **result)


def picture_case(name, cls, config, processor=None, nested=False, sentences=(), seed=1, pads=False, **tokens):
    model = draw(cls._from_config(config), seed).eval()
    folder, tokenizer, real = save(name, model, ENDED if pads else ("<s> $A </s>", "<s> $A $B </s>"), **tokens)
    if not sentences:
        for file in ("tokenizer.json", "tokenizer_config.json"):
            os.remove(os.path.join(folder, file))
    settings = json.loads(processor.to_json_string())
    file = "processor_config.json" if nested else "preprocessor_config.json"
    json.dump({"image_processor": settings, "processor_class": "CLIPProcessor"} if nested else settings,
              open(os.path.join(folder, file), "w"))
    picture = Image.open(os.path.join(HERE, "..", "..", "pictures", "photo.png")).convert("RGB")
    pixels = processor(picture, return_tensors="pt")["pixel_values"]
    result, similarity = {}, []
    with torch.no_grad():
        for sentence in sentences:
            ids = tokenizer.encode(sentence).ids
            if pads:
                ids += [0] * (TEXT_TOWER["max_position_embeddings"] - len(ids))
            outputs = real(input_ids=torch.tensor([ids]), pixel_values=pixels, output_attentions=True)
            similarity.append(outputs.logits_per_image[0, 0].item())
            result.setdefault("text_attention", maps(outputs.text_model_output.attentions))
        outputs = outputs.vision_model_output if sentences else real(pixel_values=pixels, output_attentions=True)
        result["attention"] = maps(outputs.attentions)
    if sentences:
        result["similarity"] = numpy.array(similarity)
    numpy.savez(os.path.join(folder, "expected.npz"), **result)


def prepared_pictures():
    t = transformers
    processors_of = {
        "two edges": t.CLIPImageProcessorPil(size={"shortest_edge": 14, "longest_edge": 15}, do_center_crop=False),
        "two edges that fit": t.BitImageProcessorPil(size={"shortest_edge": 11, "longest_edge": 40}, crop_size=11),
        "inside": t.ViTImageProcessorPil(size={"max_height": 17, "max_width": 13}),
        "a number that is an edge": t.SiglipImageProcessorPil(size=9),
        "height and width": t.ViTImageProcessorPil(size={"height": 9, "width": 14}),
    }
    picture = Image.open(os.path.join(HERE, "..", "..", "pictures", "photo.png")).convert("RGB")
    settings = {name: json.loads(processor.to_json_string()) for name, processor in processors_of.items()}
    settings["a number that is an edge"]["size"] = 9
    json.dump(settings, open(os.path.join(HERE, "pictures.json"), "w"), indent=1)
    arrays = {name: processor(picture, return_tensors="pt")["pixel_values"][0].numpy()
              for name, processor in processors_of.items()}
    frames = [Image.new("RGBA", (9, 7), (0, 0, 0, 0)) for _ in range(2)]
    frames[0].paste(picture.crop((0, 0, 4, 3)), (4, 2))
    frames[1].paste(picture.crop((3, 3, 9, 9)), (0, 0))
    moving = os.path.join(HERE, "moving.webp")
    frames[0].save(moving, save_all=True, append_images=frames[1:], lossless=True, duration=100, minimize_size=True)
    arrays["moving.webp"] = numpy.asarray(Image.open(moving).convert("RGBA")).astype(numpy.float32)
    numpy.savez(os.path.join(HERE, "pictures.npz"), **arrays)


def main():
    t = transformers
    os.makedirs(HERE, exist_ok=True)
    prepared_pictures()
    untied = dict(SMALL, tie_word_embeddings=False)
    text_case("bert-untied", t.BertForMaskedLM, t.BertConfig(**untied))
    text_case("roberta-untied", t.RobertaForMaskedLM, t.RobertaConfig(**untied, type_vocab_size=1))
    text_case("albert-untied", t.AlbertForMaskedLM, t.AlbertConfig(**untied, embedding_size=8))
    text_case("mpnet-untied", t.MPNetForMaskedLM, t.MPNetConfig(**untied))
    text_case("deberta-untied", t.DebertaV2ForMaskedLM, t.DebertaV2Config(**untied))
    text_case("deberta-terms", t.DebertaV2Model, t.DebertaV2Config(**SMALL, pos_att_type=["p2c", "c2p"]))
    text_case("deberta-text", t.DebertaV2Model, t.DebertaV2Config(**SMALL, relative_attention=True),
              edit={"pos_att_type": "C2P | p2c", "share_att_key": True})
    text_case("bert-no-types", t.BertModel, t.BertConfig(**SMALL), pair=True,
              model_input_names=["input_ids", "attention_mask"])
    text_case("bart-untied", t.BartForConditionalGeneration, t.BartConfig(**TWO, tie_word_embeddings=False),
              target=[2])
    text_case("bart-labels", t.BartForSequenceClassification, t.BartConfig(**TWO))
    text_case("m2m_100-flag", t.M2M100ForConditionalGeneration, t.M2M100Config(**TWO, tie_word_embeddings=False),
              target=[2], edit={"tie_word_embeddings": True})
    text_case("t5-unscaled", t.T5ForConditionalGeneration,
              t.T5Config(**T5, feed_forward_proj="gated-gelu", tie_word_embeddings=False), template=ENDED, target=[0])
    mt5 = t.MT5ForConditionalGeneration._from_config(t.MT5Config(**T5))
    mt5.lm_head.weight = torch.nn.Parameter(torch.zeros_like(mt5.lm_head.weight))
    original = t.MT5ForConditionalGeneration._from_config
    t.MT5ForConditionalGeneration._from_config = lambda config: mt5
    text_case("mt5-own-output", t.MT5ForConditionalGeneration, mt5.config, template=ENDED, target=[0])
    t.MT5ForConditionalGeneration._from_config = original
    # Its file has a table of rounded sinusoids.
    text_case("pegasus-rounded", t.PegasusForConditionalGeneration, t.PegasusConfig(**TWO, decoder_start_token_id=0), template=ENDED,
              target=[0], dtype=torch.bfloat16)
    picture = dict(size={"height": 12, "width": 12}, do_center_crop=False)
    picture_case("clip-tower", t.CLIPVisionModel, t.CLIPVisionConfig(**PICTURE_TOWER),
                 t.CLIPImageProcessorPil(**picture))
    text_case("clip-projected-text", t.CLIPTextModelWithProjection,
              t.CLIPTextConfig(**TEXT_TOWER, projection_dim=6), template=("<s> $A </s>", "<s> $A $B </s>"))
    whole = t.CLIPConfig(text_config=TEXT_TOWER, vision_config=PICTURE_TOWER).to_dict()
    text_case("clip-text-of-two", t.CLIPTextModel, t.CLIPTextConfig(**TEXT_TOWER), template=("<s> $A </s>", "<s> $A $B </s>"),
              edit={"model_type": "clip", "text_config": whole["text_config"],
                    "vision_config": whole["vision_config"]})
    picture_case("clip-nested", t.CLIPModel,
                 t.CLIPConfig(text_config=TEXT_TOWER, vision_config=PICTURE_TOWER, projection_dim=6),
                 t.CLIPImageProcessorPil(**picture), nested=True, sentences=[SENTENCE, PAIR])
    picture_case("siglip-padded", t.SiglipModel,
                 t.SiglipConfig(text_config=dict(TEXT_TOWER, projection_size=8), vision_config=PICTURE_TOWER),
                 t.SiglipImageProcessorPil(size={"height": 12, "width": 12}), sentences=[SENTENCE, PAIR], pads=True)


main()
