"""record() and capture() against the real transformers, which Debian has since forky; skipped where it is missing."""

import importlib.util
import json
import pathlib
import re
import sys
import unittest
import warnings

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "python"))
import headscope  # noqa: E402

NEEDED = ("torch", "transformers", "tokenizers")
HERE = all(map(importlib.util.find_spec, NEEDED))
if HERE:
    import torch
    import transformers
    from transformers import PreTrainedTokenizerFast

    transformers.utils.logging.set_verbosity_error()

SIZES = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 48}
PAIR = {
    "d_model": 32, "encoder_layers": 2, "decoder_layers": 2, "encoder_attention_heads": 4, "decoder_attention_heads": 4,
    "encoder_ffn_dim": 48, "decoder_ffn_dim": 48, "max_position_embeddings": 64, "pad_token_id": 0,
}  # fmt: skip
PICTURES = {**SIZES, "image_size": 16, "patch_size": 4}
GPT = {"n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": 64, "bos_token_id": 1, "eos_token_id": 2, "pad_token_id": 0}
# The class before "Model" and "Config", and what its config has besides the vocabulary.
MODELS = {
    "GPT2": GPT, "GPTJ": {**GPT, "rotary_dim": 4}, "CTRL": {**GPT, "dff": 48}, "Bloom": {"hidden_size": 32, "n_layer": 2, "n_head": 4},
    "GPTNeo": {"hidden_size": 32, "num_layers": 2, "attention_types": [[["global", "local"], 1]], "num_heads": 4, "window_size": 3},
    "GPTNeoX": SIZES, "Llama": {**SIZES, "num_key_value_heads": 2}, "Gemma2": {**SIZES, "num_key_value_heads": 2, "head_dim": 8},
    "Qwen3": {**SIZES, "num_key_value_heads": 2, "head_dim": 8}, "Falcon": {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4},
    "Mpt": {"d_model": 32, "n_heads": 4, "n_layers": 2, "max_seq_len": 64}, "Bert": SIZES, "Roberta": SIZES, "MPNet": SIZES,
    "GptOss": {**SIZES, "num_key_value_heads": 2, "head_dim": 8, "num_local_experts": 2, "num_experts_per_tok": 1},
    "Mixtral": {**SIZES, "num_key_value_heads": 2, "num_local_experts": 2}, "Albert": {**SIZES, "embedding_size": 16},
    "DistilBert": {"dim": 32, "n_layers": 2, "n_heads": 4, "hidden_dim": 48}, "ModernBert": {**SIZES, "pad_token_id": 0},
    "Deberta": {**SIZES, "relative_attention": True, "pos_att_type": ["c2p", "p2c"], "max_relative_positions": 16},
    "DebertaV2": {**SIZES, "relative_attention": True, "pos_att_type": ["c2p", "p2c"], "max_relative_positions": 16},
    "XLNet": {"d_model": 32, "n_layer": 2, "n_head": 4, "d_inner": 48},
    "T5": {"d_model": 32, "num_layers": 2, "num_heads": 4, "d_kv": 8, "d_ff": 48}, "Bart": PAIR, "Marian": PAIR, "Pegasus": PAIR,
    "ViT": PICTURES, "CLIPVision": PICTURES, "SiglipVision": PICTURES, "Dinov2": PICTURES,
}  # fmt: skip


def model_of(name, implementation, kind="Model", **config):
    words = {} if name in PICTURE_MODELS else {"vocab_size": 60}
    settings = {**words, **MODELS.get(name, {}), **config}
    configuration = getattr(transformers, name + "Config")(**settings)
    model = getattr(transformers, name + kind)._from_config(configuration, attn_implementation=implementation).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.dim() > 1:
                parameter.mul_(5)  # else all maps are nearly even
    return model


PICTURE_MODELS = ("ViT", "CLIPVision", "SiglipVision", "Dinov2")


def inputs_of(name, model):
    if name in PICTURE_MODELS:
        return {"pixel_values": torch.randn(2, 3, 16, 16)}
    ids = {"input_ids": torch.randint(5, 60, (2, 6))}
    return {**ids, "decoder_input_ids": torch.randint(5, 60, (2, 6))} if model.config.is_encoder_decoder else ids


def tokenizer_of(side="right"):
    from tokenizers import Tokenizer, models, pre_tokenizers

    words = ["<pad>", "<s>", "</s>"] + [f"w{i}" for i in range(30)]
    made = Tokenizer(models.WordLevel({word: i for i, word in enumerate(words)}, unk_token="<pad>"))
    made.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    return PreTrainedTokenizerFast(tokenizer_object=made, pad_token="<pad>", padding_side=side)


@unittest.skipUnless(HERE, f"needs {', '.join(NEEDED)}: scripts/test --on forky python has them")
class RecordTransformersTest(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(0)

    def test_each_attention_is_the_one_that_the_model_returns(self):
        for name in MODELS:
            with self.subTest(name), torch.no_grad():
                model = model_of(name, "eager")
                inputs = inputs_of(name, model)
                output = model(**inputs, output_attentions=True)
                with headscope.record(model) as seen:
                    self.assertTrue(torch.equal(model(**inputs)[0], output[0]))
                self.assertEqual(str(seen.missed), "")
                kinds = ("encoder", "decoder", "cross") if model.config.is_encoder_decoder else ("",)
                expected = {f"{kind}_attention".lstrip("_"): getattr(output, f"{kind}_attentions".lstrip("_")) for kind in kinds}
                arrays = seen.capture(sequence=1).arrays
                if name == "SiglipVision":  # whose head pools by attention of its own, and is not returned
                    self.assertEqual(arrays["cross_attention"].shape, (1, 4, 1, 16))
                    expected = {"encoder_attention": output.attentions}
                for block, layers in expected.items():
                    numpy.testing.assert_array_equal(arrays[block], torch.stack([layer[1] for layer in layers]))

    def test_scaled_dot_product_attention_gives_the_maps_of_eager(self):
        for name in MODELS:
            with self.subTest(name), torch.no_grad():
                eager = model_of(name, "eager")
                if not eager._supports_sdpa or name == "Gemma2":  # whose sdpa leaves a function of its scores out
                    continue
                model = model_of(name, "sdpa")
                model.load_state_dict(eager.state_dict())
                inputs = inputs_of(name, model)
                with headscope.record(model) as seen:
                    model(**inputs)
                with headscope.record(eager) as expected:
                    eager(**inputs)
                self.assertEqual([(a.title, a.kind) for a in seen], [(a.title, a.kind) for a in expected])
                for found, right in zip(seen, expected):
                    numpy.testing.assert_allclose(found.weights, right.weights, atol=2e-5)

    def test_attention_that_is_no_one_product_is_named(self):
        windows = {"attention_window": 4, "max_position_embeddings": 80, "pad_token_id": 1}
        blocks = {"block_size": 4, "num_random_blocks": 2, "attention_type": "block_sparse", "max_position_embeddings": 64}
        buckets = {"attn_layers": ["local", "lsh"], "axial_pos_embds": False, "num_attention_heads": 2, "attention_head_size": 16}
        missed = {
            "Longformer": ({**SIZES, **windows}, "encoder.layer.*.attention.self (LongformerSelfAttention)"),
            "BigBird": ({**SIZES, **blocks}, "encoder.layer.*.attention.self (BigBirdBlockSparseAttention)"),
            "Nystromformer": ({**SIZES, "num_landmarks": 4, "segment_means_seq_len": 64}, "encoder.layer.*.attention.self (Nystrom"),
            "Reformer": ({"hidden_size": 32, **buckets}, "encoder.layers.0.attention.self_attention (LocalSelfAttention), encoder"),
        }  # fmt: skip
        for name, (config, module) in missed.items():
            with self.subTest(name), torch.no_grad():
                model = model_of(name, "eager", **config)
                with self.assertWarnsRegex(UserWarning, f"not recorded: {re.escape(module)}"), headscope.record(model) as seen:
                    model(input_ids=torch.randint(5, 60, (1, 64)))
                self.assertEqual(len(seen), 0)

    def test_the_encoder_of_led_is_named_and_its_decoder_recorded(self):
        places = {"max_encoder_position_embeddings": 64, "max_decoder_position_embeddings": 64}
        model = model_of("LED", "eager", **{**PAIR, **places, "attention_window": 4})
        ids = {"input_ids": torch.randint(5, 60, (1, 16)), "decoder_input_ids": torch.randint(5, 60, (1, 6))}
        said = r"not recorded: encoder\.layers\.\*\.self_attn\.longformer_self_attn \(LEDEncoderSelfAttention\)"
        with torch.no_grad(), self.assertWarnsRegex(UserWarning, said), headscope.record(model) as seen:
            output = model(**ids, output_attentions=True)
        arrays = seen.capture().arrays
        for block in ("decoder", "cross"):
            numpy.testing.assert_array_equal(arrays[f"{block}_attention"], torch.cat(output[f"{block}_attentions"]))
        with self.assertRaisesRegex(ValueError, "encoder_attentions has 16 queries and 5 keys; .*: the model attends in windows"):
            headscope.capture(model, tokenizer_of(), ids)

    def test_chunks_of_a_sequence_are_self_attention(self):
        hashes = {"num_hash_functions": 2, "num_hash_buckets": 64}
        model = model_of("Canine", "eager", **{**SIZES, **hashes, "local_transformer_stride": 16, "max_position_embeddings": 64})
        for count in (16, 48):
            ids = torch.randint(5, 60, (1, count))
            with torch.no_grad(), warnings.catch_warnings(record=True) as caught, headscope.record(model) as seen:
                warnings.simplefilter("always")
                output = model(ids, output_attentions=True)
            self.assertEqual({layer.kind for layer in seen}, {"self"})
            whole = [layer.weights for layer in seen if not layer.call]  # of chunks the model returns the first
            for found, expected in zip(whole, output.attentions):
                numpy.testing.assert_array_equal(found, expected)
            self.assertEqual(len(caught), 1 if count > 16 else 0)
        self.assertIn("recorded in parts: initial_char_encoder.layer.0.attention.self (CanineSelfAttention)", str(caught[0].message))

    def test_training_draws_the_same_numbers(self):
        for implementation in ("eager", "sdpa"):
            model = model_of("GPT2", implementation)
            inputs = inputs_of("GPT2", model)
            with headscope.record(model) as quiet:
                model(**inputs)
            model.train()
            torch.manual_seed(1)
            plain, state = model(**inputs)[0], torch.get_rng_state()
            torch.manual_seed(1)
            with headscope.record(model) as seen:
                self.assertTrue(torch.equal(model(**inputs)[0], plain))
            self.assertTrue(torch.equal(torch.get_rng_state(), state))
            numpy.testing.assert_allclose(seen[0].weights.sum(-1), 1, atol=1e-6)  # before dropout
            self.assertEqual(seen[0].weights.shape, quiet[0].weights.shape)

    def test_the_steps_of_generate_are_one_map(self):
        model = model_of("GPT2", "sdpa", "LMHeadModel", eos_token_id=None)
        ids = torch.randint(5, 60, (1, 6))
        plain = model.generate(ids, max_new_tokens=3, do_sample=False)
        with headscope.record(model) as seen:
            self.assertTrue(torch.equal(model.generate(ids, max_new_tokens=3, do_sample=False), plain))
        self.assertEqual({layer.kind for layer in seen}, {"self"})
        self.assertEqual([(one.name, one.shape) for one in seen.blocks], [("transformer.h.*.attn", (4, 8, 8))])
        with torch.no_grad(), headscope.record(model) as whole:
            model(plain[:, :-1])
        numpy.testing.assert_allclose(seen.capture().arrays["attention"], whole.capture().arrays["attention"], atol=1e-6)

    def test_the_steps_of_an_encoder_decoder(self):
        model = model_of("T5", "eager", "ForConditionalGeneration", decoder_start_token_id=0, eos_token_id=None)
        ids = torch.randint(5, 60, (1, 6))
        with headscope.record(model) as seen:
            made = model.generate(ids, max_new_tokens=4, do_sample=False, num_beams=1)
        with torch.no_grad(), headscope.record(model) as whole:
            model(input_ids=ids, decoder_input_ids=made[:, :-1])
        expected = whole.capture().arrays
        self.assertEqual(expected["cross_attention"].shape, (2, 4, 4, 6))
        for name in ("encoder_attention", "decoder_attention", "cross_attention"):
            numpy.testing.assert_allclose(seen.capture().arrays[name], expected[name], atol=2e-6)


@unittest.skipUnless(HERE, f"needs {', '.join(NEEDED)}: scripts/test --on forky python has them")
class CaptureTransformersTest(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(0)

    def test_padding_at_either_side_changes_nothing(self):
        short, long = "w3 w5 w7", "w1 w2 w3 w4 w5 w6 w7"
        for name in ("GPT2", "Llama", "Bert"):
            model = model_of(name, "eager")
            alone = headscope.capture(model, tokenizer_of(), short).arrays
            for side in ("left", "right"):
                padded = tokenizer_of(side)([long, short], padding=True, return_tensors="pt")
                for given in ([long, short], padded):
                    arrays = headscope.capture(model, tokenizer_of(side), given, sequence=1).arrays
                    numpy.testing.assert_array_equal(arrays["attention"], alone["attention"])
                    self.assertEqual(json.loads(bytes(arrays["tokens"])), short.split())

    def test_an_encoder_decoder_reads_its_target_or_what_it_generates(self):
        model = model_of("Bart", "eager", "ForConditionalGeneration", decoder_start_token_id=2, forced_eos_token_id=None)
        arrays = headscope.capture(model, tokenizer_of(), "w1 w2 w3", target="w4 w5").arrays
        self.assertEqual(json.loads(bytes(arrays["target_tokens"])), ["</s>", "w4", "w5"])
        self.assertEqual(arrays["cross_attention"].shape, (2, 4, 3, 3))
        with torch.no_grad():
            ids = tokenizer_of()("w1 w2 w3", return_tensors="pt").input_ids
            target = torch.tensor([[2, *tokenizer_of()("w4 w5").input_ids]])
            output = model(input_ids=ids, decoder_input_ids=target, output_attentions=True)
        numpy.testing.assert_array_equal(arrays["cross_attention"], torch.cat(output.cross_attentions))
        self.assertIn("target_tokens", headscope.capture(model, tokenizer_of(), "w1 w2 w3").arrays)

    def test_what_generate_returns_is_assembled(self):
        model = model_of("GPT2", "eager", "LMHeadModel", eos_token_id=None)
        options = {"output_attentions": True, "return_dict_in_generate": True, "do_sample": False}
        made = model.generate(torch.randint(5, 60, (1, 6)), max_new_tokens=4, **options)
        with torch.no_grad():
            whole = model(made.sequences[:, :-1], output_attentions=True).attentions
        from headscope._capture import make_capture

        arrays = make_capture(made.attentions, [str(i) for i in made.sequences[0].tolist()]).arrays
        numpy.testing.assert_allclose(arrays["attention"], torch.cat(whole), atol=1e-6)

    def test_pictures(self):
        for name, first in (("ViT", 1), ("CLIPVision", 1), ("SiglipVision", 0), ("Dinov2", 1)):
            with self.subTest(name):
                model, pixels = model_of(name, "eager"), {"pixel_values": torch.randn(1, 3, 16, 16)}
                capture = headscope.capture(model, None, pixels)
                with torch.no_grad():
                    expected = torch.cat(model(**pixels, output_attentions=True).attentions)
                numpy.testing.assert_array_equal(capture.arrays["attention"], expected)
                metadata = json.loads(bytes(capture.arrays["metadata"]))
                self.assertEqual([metadata[key] for key in ("patch_rows", "patch_columns", "first_patch")], [4, 4, first])
                self.assertEqual(json.loads(bytes(capture.arrays["tokens"]))[first], "1,1")

    def test_what_cannot_be_captured_is_said(self):
        with self.assertRaisesRegex(ValueError, "text has no tokens; expected at least one"):
            headscope.capture(model_of("GPT2", "eager"), tokenizer_of(), "")
        with self.assertRaisesRegex(ValueError, "text is a int; expected a str, as tokenizer reads no pictures"):
            headscope.capture(model_of("GPT2", "eager"), tokenizer_of(), 5)
        with self.assertRaisesRegex(ValueError, "sequence is 2; expected 0 to 1"):
            headscope.capture(model_of("GPT2", "eager"), tokenizer_of(), ["w1", "w2"], sequence=2)
        with self.assertRaisesRegex(ValueError, 'attn_implementation="eager"'):
            headscope.capture(model_of("GPT2", "sdpa"), tokenizer_of(), "w1 w2")


if __name__ == "__main__":
    unittest.main()
