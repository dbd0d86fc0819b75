"""record() and capture() against what PyTorch's modules return when asked for their weights."""

import json
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
        with self.assertRaisesRegex(ValueError, "module is a str; expected a torch.nn.Module"):
            with headscope.record("model"):
                pass
        module = torch.nn.Sequential(torch.nn.Linear(2, 2))
        with headscope.record(module), self.assertRaisesRegex(ValueError, "module is being recorded"):
            with headscope.record(module[0]):
                pass

    def test_tensors_of_any_type(self):
        weights = torch.softmax(torch.randn(2, 3, 4, 4), -1)
        with tempfile.TemporaryDirectory() as folder:
            for kind in (torch.bfloat16, torch.float16, torch.float64, torch.float32):
                rounded = weights.to(kind)
                headscope.save(folder + "/a.npz", rounded.requires_grad_(), list("abcd"))
                with numpy.load(folder + "/a.npz") as file:
                    self.assert_close(file["attention"], rounded.detach().double(), 0)


class Block(torch.nn.Module if torch else object):
    """A decoder's block as a class writes it."""

    def __init__(self):
        super().__init__()
        self.self_attn = torch.nn.MultiheadAttention(16, 4, batch_first=True)
        self.cross_attn = torch.nn.MultiheadAttention(16, 4, batch_first=True)
        self.norms = torch.nn.ModuleList(torch.nn.LayerNorm(16) for _ in range(2))

    def forward(self, x, memory):
        y = x + self.self_attn(self.norms[0](x), self.norms[1](x), x)[0]  # two tensors of one sequence
        return y + self.cross_attn(y, memory, memory)[0]


class Product(torch.nn.Module if torch else object):
    """softmax(Q Kᵀ) V in a module of its own, as courses have it."""

    def __init__(self, dropout=0.0, in_place=False):
        super().__init__()
        self.dropout = torch.nn.Dropout(dropout, in_place)

    def forward(self, q, k, v):
        return self.dropout(torch.softmax(q @ k.transpose(-1, -2) / 2, -1)) @ v


class Written(torch.nn.Module if torch else object):
    """Attention written by hand; `how` multiplies."""

    def __init__(self, how=None, heads=4):
        super().__init__()
        self.projections = torch.nn.ModuleList(torch.nn.Linear(16, 16) for _ in range(3))
        self.product, self.heads = how or Product(), heads

    def forward(self, x, memory=None):
        memory = x if memory is None else memory
        q, k, v = (
            p(t).view(*t.shape[:2], self.heads, -1).transpose(1, 2) for p, t in zip(self.projections, (x, memory, memory))
        )
        return self.product(q, k, v).transpose(1, 2).reshape(x.shape)

    def weights(self, x, memory):
        q, k = (p(t).view(*t.shape[:2], self.heads, -1).transpose(1, 2) for p, t in zip(self.projections, (x, memory)))
        return torch.softmax(q @ k.transpose(-1, -2) / 2, -1)


@unittest.skipIf(torch is None, "needs torch")
class KeptApartTest(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(0)

    def kinds(self, seen):
        return [(layer.title, layer.kind) for layer in seen]

    def test_self_and_cross_attention_of_a_block_of_ones_own(self):
        block, x = Block().eval(), torch.randn(1, 5, 16)
        for memory in (torch.randn(1, 7, 16), torch.randn(1, 5, 16)):
            with self.subTest(memory.shape), torch.no_grad(), headscope.record(block) as seen:
                block(x, memory)
            self.assertEqual(self.kinds(seen), [("self_attn", "self"), ("cross_attn", "cross")])
            keys = [f"m{i}" for i in range(memory.shape[1])]
            arrays = seen.capture(list("abcde"), keys).arrays
            numpy.testing.assert_array_equal(arrays["decoder_attention"], seen[0].weights)
            numpy.testing.assert_array_equal(arrays["cross_attention"], seen[1].weights)
            self.assertEqual(json.loads(bytes(arrays["tokens"])), keys)
            self.assertEqual(json.loads(bytes(arrays["target_tokens"])), list("abcde"))
            self.assertEqual(seen.capture(keys, decoder_tokens=list("abcde")).arrays.keys(), arrays.keys())
            self.assertEqual(json.loads(bytes(arrays["metadata"]))["modules"]["cross_attention"], ["cross_attn"])
            table = repr(seen)
            self.assertIn("cross_attn", table)
            self.assertIn(f"5 × {memory.shape[1]}", seen._repr_html_())

    def test_a_shared_module_is_a_layer_each_time_it_runs(self):
        class Shared(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.attention = torch.nn.MultiheadAttention(16, 4, batch_first=True)

            def forward(self, x):
                for _ in range(3):
                    x = x + self.attention(x, x, x)[0]
                return x

        model = Shared()
        with headscope.record(model) as seen:
            model(torch.randn(1, 4, 16))
            model(torch.randn(1, 5, 16))
        self.assertEqual([layer.title for layer in seen.last], ["attention", "attention[1]", "attention[2]"])
        self.assertEqual(seen.capture(list("abcde")).arrays["attention"].shape, (3, 4, 5, 5))

    def test_a_step_with_more_keys_is_no_cross_attention(self):
        class Step(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.attention = torch.nn.MultiheadAttention(16, 4, batch_first=True)

            def forward(self, x, past):
                keys = torch.cat([past, x], 1)
                return self.attention(x, keys, keys)[0]

        step = Step()
        with headscope.record(step) as seen:
            step(torch.randn(1, 1, 16), torch.randn(1, 4, 16))
        self.assertEqual(self.kinds(seen), [("attention", "self")])
        arrays = seen.capture(["e"], list("abcde")).arrays
        self.assertEqual(arrays["attention"].shape, (1, 4, 1, 5))

    def test_queries_scaled_by_their_places_are_the_sequences_own(self):
        class Scaled(Written):
            def forward(self, x, places):
                return super().forward(x * (1 + places)[..., None], x)

        model = Scaled()
        with headscope.record(model, softmax=True) as seen:
            model(torch.randn(1, 5, 16), torch.arange(5))
        self.assertEqual(self.kinds(seen), [("product", "self")])

    def test_a_learned_query_is_cross_attention(self):
        class Pool(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.layers = torch.nn.ModuleList(torch.nn.MultiheadAttention(16, 4, batch_first=True) for _ in range(2))
                self.probe = torch.nn.Parameter(torch.randn(1, 1, 16))
                self.head = torch.nn.MultiheadAttention(16, 2, batch_first=True)

            def forward(self, x):
                for layer in self.layers:
                    x = x + layer(x, x, x)[0]
                return self.head(self.probe.repeat(len(x), 1, 1), x, x)[0]

        pool = Pool()
        with headscope.record(pool) as seen:
            pool(torch.randn(1, 5, 16))
        self.assertEqual([(one.name, one.kind, len(one.layers)) for one in seen.blocks], [("layers.*", "self", 2), ("head", "cross", 1)])
        arrays = seen.capture(["pooled"], list("abcde")).arrays
        self.assertEqual(arrays["encoder_attention"].shape, (2, 4, 5, 5))
        self.assertEqual(arrays["cross_attention"].shape, (1, 2, 1, 5))

    def test_two_stacks_that_no_capture_holds_are_chosen_by_name(self):
        towers = torch.nn.ModuleDict({n: torch.nn.MultiheadAttention(16, 4, batch_first=True) for n in ("text", "image")})
        towers.forward = lambda x, y: (towers["text"](x, x, x), towers["image"](y, y, y))
        with headscope.record(towers) as seen:
            towers(torch.randn(1, 5, 16), torch.randn(1, 5, 16))
        with self.assertRaisesRegex(ValueError, r"choose by block=…: text \(self, 1 layer, 4 heads, 5 × 5\); image \(self"):
            seen.capture(list("abcde"))
        numpy.testing.assert_array_equal(seen.capture(block="image").arrays["attention"], seen[1].weights)
        self.assertEqual(seen.capture(block=["text", "image"]).arrays["attention"].shape, (2, 4, 5, 5))
        with self.assertRaisesRegex(ValueError, "block is 'sound'; expected one of: text"):
            seen.capture(block="sound")

    def test_softmax_written_by_hand(self):
        def summed(q, k, v):
            return torch.einsum("bhqk,bhkd->bhqd", torch.softmax(torch.einsum("bhqd,bhkd->bhqk", q, k) / 2, 3), v)

        def flat(q, k, v):  # [batch · heads, n, n], as bmm needs it
            q, k, v, shape = *(t.reshape(-1, *t.shape[2:]) for t in (q, k, v)), q.shape
            return torch.bmm(torch.softmax(torch.bmm(q, k.transpose(1, 2)) / 2, -1), v).view(shape)

        for how in (None, summed, flat):
            model, x, memory = Written(how).eval(), torch.randn(2, 5, 16), torch.randn(2, 5, 16)
            for arguments, kind in (((x,), "self"), ((x, memory), "cross")):
                with self.subTest(how=how, kind=kind), torch.no_grad():
                    plain = model(*arguments)
                    with headscope.record(model, softmax=True) as seen:
                        self.assertTrue(torch.equal(model(*arguments), plain))
                    self.assertEqual([layer.kind for layer in seen], [kind])
                    numpy.testing.assert_allclose(seen[0].weights, model.weights(x, arguments[-1]), atol=1e-6)
        with headscope.record(model) as seen:
            model(x)
        with self.assertRaisesRegex(ValueError, r"multiplied with values in Written: record\(module, softmax=True\)"):
            seen.capture()

    def test_heads_that_are_modules_are_the_heads_of_a_layer(self):
        blocks = torch.nn.ModuleList(torch.nn.ModuleDict({"heads": torch.nn.ModuleList(Written(heads=1) for _ in range(3))}) for _ in range(2))
        blocks.forward = lambda x: [x := sum(head(x) for head in block["heads"]) for block in blocks][-1]
        with headscope.record(blocks, softmax=True) as seen:
            blocks(torch.randn(1, 5, 16))
        self.assertEqual([(one.name, one.shape, len(one.layers)) for one in seen.blocks], [("*.heads.product", (3, 5, 5), 2)])
        weights = seen.capture(list("abcde")).arrays["attention"]
        numpy.testing.assert_array_equal(weights[1, 2], seen[5].weights[0, 0])

    def test_a_softmax_that_is_no_attention_is_left_out(self):
        class Router(torch.nn.Module):
            def forward(self, x):
                return (torch.softmax(x, -1) * x).sum(-1), torch.softmax(x, 0) @ x.T

        with headscope.record(Router(), softmax=True) as seen:
            seen  # noqa: B018
        self.assertEqual(len(seen), 0)
        router = Router()
        with headscope.record(router, softmax=True) as seen:
            router(torch.randn(3, 3))
        self.assertEqual(len(seen), 0)

    def test_a_librarys_softmax_of_no_product_and_in_no_attention_is_none(self):
        def forward(self, x):
            return torch.softmax(self.choice(x), -1) @ x

        for name, count in (("Router", 0), ("PoolingAttention", 1)):
            model = type(name, (torch.nn.Module,), {"forward": forward, "__module__": "transformers.models"})()
            model.choice = torch.nn.Linear(16, 5)
            with headscope.record(model) as seen:
                model(torch.randn(1, 5, 16))
            self.assertEqual(len(seen), count)

    def test_training_gives_weights_before_dropout_and_draws_the_same_numbers(self):
        torch_attention = torch.nn.MultiheadAttention(16, 4, dropout=0.5, batch_first=True)
        torch_attention.forward_one = lambda x: torch_attention(x, x, x)[0]
        written = [Written(Product(0.5, in_place)) for in_place in (False, True)]
        for model, run in ((torch_attention, torch_attention.forward_one), *((w, w) for w in written)):
            x = torch.randn(2, 5, 16)
            torch.manual_seed(3)
            plain, state = run(x), torch.get_rng_state()
            torch.manual_seed(3)
            with headscope.record(model, softmax=True) as seen:
                self.assertTrue(torch.equal(run(x), plain))
            self.assertTrue(torch.equal(torch.get_rng_state(), state))
            with headscope.record(model.eval(), softmax=True) as quiet:
                run(x)
            numpy.testing.assert_allclose(seen[0].weights, quiet[0].weights, atol=1e-6)

    def test_a_head_that_sees_nothing_has_rows_of_zeros(self):
        attention, x = torch.nn.MultiheadAttention(6, 3, batch_first=True).eval(), torch.randn(1, 5, 6)
        mask = torch.zeros(3, 5, 5, dtype=torch.bool)
        mask[2] = True
        for options in ({"average_attn_weights": False}, {"need_weights": False}):
            with torch.no_grad(), headscope.record(attention) as seen:
                attention(x, x, x, attn_mask=mask, **options)
            sums = seen[0].weights[0].sum(-1)
            numpy.testing.assert_allclose(sums[:2], 1, atol=1e-6)
            numpy.testing.assert_array_equal(sums[2], 0)
            self.assertEqual(seen.capture(list("abcde")).arrays["attention"].shape, (1, 3, 5, 5))
        with torch.no_grad(), headscope.record(attention) as seen:  # NaN that comes in is no mask
            attention(x * torch.nan, x, x)
        self.assertTrue(numpy.isnan(seen[0].weights).all())


class WindowAttention(Written):
    """Attention whose product is not seen: a sum over the keys."""

    def __init__(self):
        super().__init__(lambda q, k, v: ((torch.softmax(q @ k.transpose(-1, -2), -1))[..., None] * v[..., None, :, :]).sum(-2))


class BlockAttention(Written):
    """The keys of each half of a softmax by themselves."""

    def __init__(self):
        def halves(q, k, v):
            weights, half = torch.softmax(q @ k.transpose(-1, -2), -1), k.shape[-2] // 2
            return weights[..., :half] @ v[..., :half, :] + weights[..., half:] @ v[..., half:, :]

        super().__init__(halves)


class ChunkAttention(torch.nn.Module if torch else object):
    """Attention within chunks of four tokens."""

    def __init__(self):
        super().__init__()
        self.inner = Written()

    def forward(self, x):
        return torch.cat([self.inner(chunk, torch.cat([x[:, :1], chunk], 1)) for chunk in x.split(4, 1)], 1)


@unittest.skipIf(torch is None, "needs torch")
class MissedTest(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(0)

    def recorded(self, *modules, message=None, **options):
        """What is recorded of the modules, each the next one's layer."""
        model = torch.nn.Sequential(*modules).eval()
        with torch.no_grad(), warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            with headscope.record(model, **{"softmax": True, **options}) as seen:
                model(torch.randn(1, 8, 16))
        self.assertEqual([str(one.message) for one in caught], [f"headscope.record: {message}"] if message else [])
        self.assertEqual([one.filename for one in caught], [__file__] * len(caught))
        if message and not seen.passed_over:
            self.assertIn(message, repr(seen))
            self.assertIn(message, seen._repr_html_())
        return [(layer.title, layer.kind, layer.weights.shape) for layer in seen]

    def test_attention_without_a_map_is_named(self):
        whole = ("1", "self", (1, 4, 8, 8))
        for kind in (WindowAttention, BlockAttention):
            message = f"not recorded: 0 ({kind.__name__}), as no whole softmax is multiplied with values there"
            self.assertEqual(self.recorded(kind(), Written(lambda q, k, v: torch.softmax(q @ k.mT, -1) @ v), message=message), [whole])
            self.recorded(kind(), kind(), message=message.replace("0", "*"))

    def test_attention_that_was_not_asked_for_is_named(self):
        class HandAttention(Written):
            pass

        message = "recorded only by record(module, softmax=True): 0.product (Product)"
        self.assertEqual(self.recorded(HandAttention(), softmax=False, message=message), [])

    def test_chunks_are_the_sequences_own_and_named(self):
        message = "recorded in parts: 0.inner.product (Product), whose maps are each of a window, chunk or stream, maybe not of all"
        shape = (1, 4, 4, 5)
        found = [("0.inner.product", "self", shape), ("0.inner.product[1]", "self", shape)]
        self.assertEqual(self.recorded(ChunkAttention(), message=message), found)

    def test_a_softmax_of_several_products_is_one_map(self):
        def with_places(q, k, v):
            weights = torch.softmax(q @ k.transpose(-1, -2), -1)
            return weights @ v + weights @ torch.ones(v.shape[-2:])

        def head_by_head(q, k, v):
            weights = torch.softmax(q @ k.transpose(-1, -2), -1)
            return torch.stack([weights[:, head] @ v[:, head] for head in range(4)], 1)

        for how in (with_places, head_by_head):
            model = Written(how)
            self.assertEqual(self.recorded(model), [("0", "self", (1, 4, 8, 8))])

    def test_what_was_recorded_whole_needs_no_word(self):
        class Projection(torch.nn.Linear):
            pass

        class ProjectionAttention(Projection):  # part of one
            pass

        model = Written()
        model.projections[0] = ProjectionAttention(16, 16)
        model.__class__ = type("CourseAttention", (Written,), {})
        self.recorded(model)
        self.recorded(torch.nn.TransformerEncoderLayer(16, 4, batch_first=True), softmax=False)


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
        expected = torch.cat(model.made).float()  # of the sequence alone
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
