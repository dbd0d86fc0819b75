"""record() and capture() against what PyTorch's modules return when asked for their weights."""

import pathlib
import sys
import tempfile
import unittest
import warnings

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "python"))
import headscope  # noqa: E402

try:
    import torch
except ImportError:
    torch = None
if torch is not None:
    import stand_in

warnings.filterwarnings("ignore", message=".*nested tensor.*")


@unittest.skipIf(torch is None, "needs torch")
class RecordTest(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(0)

    def assert_close(self, found, expected, tolerance=5e-7):
        self.assertEqual(tuple(found.shape), tuple(expected.shape))
        self.assertLessEqual(numpy.abs(numpy.asarray(found) - numpy.asarray(expected)).max(), tolerance)

    def encoder(self, **options):
        layer = torch.nn.TransformerEncoderLayer(32, 4, 64, **options)
        return torch.nn.TransformerEncoder(layer, 3).eval()

    def expected(self, encoder, x, padded=None):
        """Each layer's weights, asked of its attention with need_weights."""
        weights = []
        with torch.no_grad():
            for layer in encoder.layers:
                options = {"key_padding_mask": padded, "average_attn_weights": False}
                weights.append(layer.self_attn(x, x, x, **options)[1])
                x = layer(x, src_key_padding_mask=padded)
        return weights

    def test_encoder_on_the_fast_path(self):
        for batch_first in (True, False):
            for padded in (None, torch.tensor([[False] * 5, [False] * 3 + [True] * 2])):
                with self.subTest(batch_first=batch_first, padded=padded is not None), torch.no_grad():
                    encoder = self.encoder(batch_first=batch_first)
                    x = torch.randn((2, 5, 32) if batch_first else (5, 2, 32))
                    before = encoder(x, src_key_padding_mask=padded)
                    with headscope.record(encoder) as seen:
                        during = encoder(x, src_key_padding_mask=padded)
                    after = encoder(x, src_key_padding_mask=padded)
                    self.assertTrue(torch.equal(before, during))
                    self.assertTrue(torch.equal(before, after))
                    self.assertEqual([layer.name for layer in seen], [f"layers.{i}.self_attn" for i in range(3)])
                    for layer, weights in zip(seen, self.expected(encoder, x, padded)):
                        self.assert_close(layer.weights, weights)

    def test_all_is_as_before_also_after_an_exception(self):
        encoder = self.encoder(batch_first=True)
        before = [{name: id(value) for name, value in part.__dict__.items()} for part in encoder.modules()]
        with self.assertRaises(ZeroDivisionError), headscope.record(encoder):
            raise ZeroDivisionError
        with self.assertRaises((RuntimeError, AssertionError)), headscope.record(encoder):
            encoder(torch.randn(2, 5, 31))
        after = [{name: id(value) for name, value in part.__dict__.items()} for part in encoder.modules()]
        self.assertEqual(after, before)

    def test_attention_returns_what_the_caller_asked_for(self):
        attention = torch.nn.MultiheadAttention(32, 4, batch_first=True)
        x = torch.randn(2, 5, 32)
        for training in (False, True):
            attention.train(training)
            for options in ({"need_weights": False}, {}, {"average_attn_weights": False}):
                plain = attention(x, x, x, **options)
                with headscope.record(attention) as seen:
                    output, weights = attention(x, x, x, **options)
                self.assert_close(output.detach(), plain[0].detach())
                self.assertEqual(weights is None, plain[1] is None)
                if weights is not None:
                    self.assert_close(weights.detach(), plain[1].detach())
                each = attention(x, x, x, average_attn_weights=False)[1]
                self.assert_close(seen[0].weights, each.detach())

    def test_training_goes_on_under_recording(self):
        encoder = self.encoder(batch_first=True, dropout=0.1).train()
        with headscope.record(encoder) as seen:
            encoder(torch.randn(2, 5, 32)).sum().backward()
        self.assertEqual(len(seen), 3)
        self.assertTrue(all(p.grad is not None for p in encoder.parameters()))

    def test_encoder_decoder(self):
        model = torch.nn.Transformer(32, 4, 2, 2, 64, batch_first=True).eval()
        source, target = torch.randn(1, 5, 32), torch.randn(1, 3, 32)
        with torch.no_grad():
            plain = model(source, target)
            with headscope.record(model) as seen:
                self.assertTrue(torch.equal(model(source, target), plain))
        arrays = seen.capture(list("abcde"), decoder_tokens=list("xyz")).arrays
        self.assertEqual(arrays["encoder_attention"].shape, (2, 4, 5, 5))
        self.assertEqual(arrays["decoder_attention"].shape, (2, 4, 3, 3))
        self.assertEqual(arrays["cross_attention"].shape, (2, 4, 3, 5))

    def test_the_last_call_and_a_sequence_of_the_batch(self):
        encoder = self.encoder(batch_first=True)
        x = torch.randn(4, 5, 32)
        with torch.no_grad(), headscope.record(encoder) as seen:
            encoder(torch.zeros(1, 2, 32))
            encoder(x)
        self.assertEqual(len(seen), 6)
        expected = torch.stack(self.expected(encoder, x))[:, 3]
        self.assert_close(seen.capture(list("abcde"), sequence=3).arrays["attention"], expected)
        with self.assertRaisesRegex(ValueError, "sequence is 4; expected 0 to 3"):
            seen.capture(list("abcde"), sequence=4)

    @unittest.skipUnless(hasattr(getattr(torch, "nn", None), "functional")
                         and hasattr(torch.nn.functional, "scaled_dot_product_attention"), "PyTorch before 2.0")  # fmt: skip
    def test_scaled_dot_product_attention(self):
        product = torch.nn.functional.scaled_dot_product_attention  # imported by name, as models do

        class Model(torch.nn.Module):
            def forward(self, q, k, v, **options):
                return product(q, k, v, **options)

        model, (q, k) = Model(), torch.randn(2, 1, 2, 5, 8)
        eye = torch.eye(5).expand(1, 2, 5, 5)  # as values, it gives the weights themselves
        for options in ({}, {"is_causal": True}, {"attn_mask": torch.rand(5, 5) > 0.3}, {"attn_mask": torch.randn(5, 5)}, {"scale": 0.5}):
            options.get("attn_mask", torch.ones(1))[..., 0] = True if options.get("attn_mask", torch.ones(1)).dtype == torch.bool else 1
            with self.subTest(options), headscope.record(model) as seen:
                weights = model(q, k, eye, **options)
                self.assert_close(seen[0].weights, weights, 1e-6)
        product(q, k, eye)
        self.assertEqual(len(seen), 1)

    def test_nothing_recorded_and_wrong_modules(self):
        with headscope.record(torch.nn.Linear(2, 2)) as seen:
            pass
        with self.assertRaisesRegex(ValueError, "nothing was recorded"):
            seen.figure(["a"])
        with self.assertRaisesRegex(TypeError, "module is a str; expected a torch.nn.Module"):
            with headscope.record("model"):
                pass

    def test_tensors_of_any_type(self):
        weights = torch.softmax(torch.randn(2, 3, 4, 4), -1)
        with tempfile.TemporaryDirectory() as folder:
            for kind in (torch.bfloat16, torch.float16, torch.float64, torch.float32):
                rounded = weights.to(kind)
                headscope.save(folder + "/a.npz", rounded.requires_grad_(), list("abcd"))
                with numpy.load(folder + "/a.npz") as file:
                    self.assert_close(file["attention"], rounded.detach().double(), 0)


@unittest.skipIf(torch is None, "needs torch")
class TransformersTest(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(0)

    def test_decoder(self):
        model = stand_in.Decoder().train()
        arrays = headscope.capture(model, stand_in.Tokenizer(), "the cat sat").arrays
        numpy.testing.assert_array_equal(arrays["attention"], torch.cat(model.made).numpy())
        self.assertEqual(bytes(arrays["tokens"]).decode(), '["the", "cat", "sat"]')
        self.assertIn("stand-in", bytes(arrays["metadata"]).decode())
        self.assertTrue(model.training)

    def test_one_sequence_of_a_batch_without_its_padding(self):
        model = stand_in.Decoder(dtype=torch.bfloat16)
        arrays = headscope.capture(model, stand_in.Tokenizer(), ["a b c d", "x y"], sequence=1).arrays
        self.assertEqual(bytes(arrays["tokens"]).decode(), '["x", "y"]')
        expected = torch.stack([w[1, :, :2, :2].float() for w in model.made])
        numpy.testing.assert_array_equal(arrays["attention"], expected.numpy())

    def test_encoder_decoder(self):
        arrays = headscope.capture(stand_in.EncoderDecoder(), stand_in.Tokenizer(), "the cat sat").arrays
        self.assertEqual(arrays["cross_attention"].shape, (2, 2, 3, 3))
        arrays = headscope.capture(stand_in.EncoderDecoder(), stand_in.Tokenizer(), "the cat sat", target="die katze").arrays
        self.assertEqual(bytes(arrays["target_tokens"]).decode(), '["<s>", "die", "katze"]')
        self.assertEqual(arrays["cross_attention"].shape, (2, 2, 3, 3))

    def test_without_weights_the_remedy_is_named(self):
        with self.assertRaisesRegex(ValueError, 'attn_implementation="eager"'):
            headscope.capture(stand_in.Decoder(eager=False), stand_in.Tokenizer(), "a b")


if __name__ == "__main__":
    unittest.main()
