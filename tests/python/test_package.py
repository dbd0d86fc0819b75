"""The Python package against the program; what needs torch is in test_record.py."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "python"))
import headscope  # noqa: E402
from headscope import _program  # noqa: E402

TOKENS = ["The", "cat", "sat", "<b>&", "垫子"]


def attention(*shape):
    weights = numpy.random.default_rng(0).random(shape)
    return (weights / weights.sum(-1, keepdims=True)).astype(numpy.float32)


def tensors(path, *options):
    """The arrays that the program reads from a file."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out.npz")
        _program.run(["tensors", "-o", out, "--capture", path, *options])
        with numpy.load(out) as file:
            return {name: file[name] for name in file.files}


class PackageTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        for name in ("DISPLAY", "WAYLAND_DISPLAY"):
            patch = mock.patch.dict(os.environ)
            patch.start()
            self.addCleanup(patch.stop)
            os.environ.pop(name, None)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def test_save_gives_the_program_the_same_numbers_and_tokens(self):
        weights = attention(2, 3, 5, 5)
        headscope.save(self.path("a.npz"), weights, TOKENS)
        read = tensors(self.path("a.npz"))
        numpy.testing.assert_array_equal(read["attention"], weights)
        self.assertEqual(json.loads(read["tokens"].tobytes()), TOKENS)

    def test_arrays_of_two_and_three_axes(self):
        for shape, whole in (((5, 5), (1, 1, 5, 5)), ((3, 5, 5), (1, 3, 5, 5))):
            weights = attention(*shape)
            headscope.save(self.path("a.npz"), weights, TOKENS)
            numpy.testing.assert_array_equal(tensors(self.path("a.npz"))["attention"], weights.reshape(whole))

    def test_tuple_of_layers_with_a_batch(self):
        batch = attention(2, 4, 3, 5, 5)  # [layers, batch, heads, n, n]
        headscope.save(self.path("a.npz"), tuple(batch), [TOKENS] * 4, sequence=2)
        numpy.testing.assert_array_equal(tensors(self.path("a.npz"))["attention"], batch[:, 2])

    def test_one_tensor_with_a_batch(self):
        batch = attention(4, 3, 5, 5)  # [batch, heads, n, n], as one attention returns it
        for tokens, chosen, sequence in ((TOKENS, {"sequence": 2}, 2), ([TOKENS] * 4, {}, 0)):
            headscope.save(self.path("a.npz"), batch, tokens, **chosen)
            numpy.testing.assert_array_equal(tensors(self.path("a.npz"))["attention"], batch[sequence][None])

    def test_the_steps_of_generate(self):
        whole = numpy.tril(attention(2, 3, 6, 6))  # [layers, heads, n, n]
        steps = [(0, 4), (4, 5), (5, 6)]
        given = tuple(tuple(layer[None, :, a:b, :b] for layer in whole) for a, b in steps)
        for tokens in (list("abcdef"), list("abcdefg")):  # the token made last was not read
            headscope.save(self.path("a.npz"), given, tokens)
            read = tensors(self.path("a.npz"))
            numpy.testing.assert_array_equal(read["attention"], whole)
            self.assertEqual(json.loads(read["tokens"].tobytes()), list("abcdef"))
        given = (*given[:2], tuple(layer[..., 1:] for layer in given[2]))
        with self.assertRaisesRegex(ValueError, r"attention\[2\] has 5 keys after 6 tokens; expected 6, or 4 .*a window"):
            headscope.save(self.path("a.npz"), given, list("abcdef"))

    def test_blocks_that_a_model_does_not_have(self):
        weights = attention(2, 3, 5, 5)
        headscope.save(self.path("a.npz"), weights, TOKENS, cross_attention=(), decoder_attention=None)
        self.assertNotIn("cross_attention", tensors(self.path("a.npz")))
        with self.assertRaisesRegex(ValueError, r"attention is empty; expected a tuple of layers.*outputs\.attentions"):
            headscope.figure((), TOKENS)
        with self.assertRaisesRegex(ValueError, "attention has no weights for layer 0.*eager"):
            headscope.figure((None, None), TOKENS)

    def test_keys_of_their_own(self):
        weights = attention(1, 2, 2, 5)
        headscope.save(self.path("a.npz"), weights, ["x", "y"], TOKENS)
        read = tensors(self.path("a.npz"))
        numpy.testing.assert_array_equal(read["attention"], weights)
        self.assertEqual(json.loads(read["key_tokens"].tobytes()), TOKENS)

    def test_encoder_decoder_by_the_names_that_bertviz_has(self):
        blocks = {"encoder": attention(2, 3, 5, 5), "decoder": attention(2, 3, 2, 2), "cross": attention(2, 3, 2, 5)}
        headscope.save(
            self.path("a.npz"),
            encoder_attention=blocks["encoder"],
            decoder_attention=blocks["decoder"],
            cross_attention=blocks["cross"],
            encoder_tokens=TOKENS,
            decoder_tokens=["a", "b"],
        )
        read = tensors(self.path("a.npz"))
        for name, weights in blocks.items():
            numpy.testing.assert_array_equal(read[name + "_attention"], weights)
        self.assertEqual(json.loads(read["target_tokens"].tobytes()), ["a", "b"])

    def test_queries_and_keys_come_along(self):
        weights, q = attention(2, 3, 5, 5), numpy.ones((2, 3, 5, 4), numpy.float32)
        headscope.save(self.path("a.npz"), weights, TOKENS, q=q, k=2 * q)
        numpy.testing.assert_array_equal(tensors(self.path("a.npz"), "--arrays=k")["k"], 2 * q)

    def test_layers_are_chosen(self):
        weights = attention(4, 3, 5, 5)
        headscope.save(self.path("a.npz"), weights, TOKENS, include_layers=[3, 1])
        numpy.testing.assert_array_equal(tensors(self.path("a.npz"))["attention"], weights[[3, 1]])

    def test_a_figure_is_shown_by_a_notebook_and_saved(self):
        figure = headscope.figure(attention(2, 3, 5, 5), TOKENS, layer=1, title="Layer two", size="two-columns")
        shown = figure._repr_mimebundle_()
        self.assertIn("Layer two", shown["image/svg+xml"])
        self.assertTrue(shown["image/svg+xml"].startswith("<svg"))
        self.assertIn("垫子", shown["image/svg+xml"])
        self.assertTrue(shown["image/png"].startswith(b"\x89PNG"))
        for ending, begin in ((".svg", b"<?xml"), (".png", b"\x89PNG"), (".pdf", b"%PDF")):
            figure.save(self.path("f" + ending))
            self.assertTrue(pathlib.Path(self.path("f" + ending)).read_bytes().startswith(begin))
        self.assertEqual(sorted(os.listdir(self.folder.name)), ["f.pdf", "f.png", "f.svg"])
        with self.assertRaisesRegex(ValueError, r"path is .*f\.bmp; expected the extension \.svg, \.png or \.pdf"):
            figure.save(self.path("f.bmp"))

    def test_an_svg_is_shown_where_the_png_has_no_font(self):
        figure = headscope.figure(attention(3, 5, 5), TOKENS)
        with mock.patch.object(_program, "run", side_effect=RuntimeError("no font has 垫")):
            shown = figure._repr_mimebundle_()
        self.assertIn("垫子", shown["image/svg+xml"])
        self.assertNotIn("image/png", shown)

    def test_a_window_that_does_not_come_is_an_error(self):
        with mock.patch.dict(os.environ, {"DISPLAY": ":93641"}), self.assertRaisesRegex(RuntimeError, "isplay|window"):
            headscope.show(attention(3, 5, 5), TOKENS)

    def test_a_title_has_the_models_name_and_no_temporary_file(self):
        weights = attention(2, 3, 5, 5)
        self.assertNotIn(".npz", headscope.figure(weights, TOKENS).svg)
        self.assertIn("· tiny", headscope.figure(weights, TOKENS, metadata={"model": "tiny"}).svg)

    def test_only_some_heads_are_shown_by_their_own_numbers(self):
        drawn = headscope.figure(attention(2, 3, 5, 5), TOKENS, heads=[0, 2]).svg
        self.assertIn("Head 1", drawn)
        self.assertNotIn("Head 2", drawn)
        self.assertIn("Head 3", drawn)

    def test_calls_of_bertviz_without_a_notebook_are_what_show_gives(self):
        weights = attention(2, 3, 5, 5)
        with mock.patch("builtins.print"):
            shown = headscope.head_view(weights, TOKENS, 3, True, 1, [1])
            self.assertEqual(shown.svg, headscope.figure(weights, TOKENS, view="lines", layer=1, heads=1).svg)
            self.assertIsInstance(headscope.model_view(weights, TOKENS), headscope.Figure)

    def test_a_row_of_nan_is_that_of_a_query_with_no_key(self):
        weights = attention(1, 2, 5, 5)
        weights[0, 1, 2] = numpy.nan
        self.assertIn("no key to attend to", headscope.figure(weights, TOKENS).svg)

    def test_a_file_is_written_whole_beside_those_of_others(self):
        with tempfile.TemporaryDirectory() as folder:
            kept = pathlib.Path(folder) / ".attention.npz.partial"
            kept.write_text("a user's")
            headscope.save(kept.with_name("attention.npz"), attention(2, 3, 5, 5), TOKENS)
            self.assertEqual(kept.read_text(), "a user's")
            self.assertEqual(sorted(os.listdir(folder)), [".attention.npz.partial", "attention.npz"])

    def test_what_is_wrong_is_a_value_error_with_what_was_found_and_expected(self):
        weights = attention(2, 3, 5, 5)
        bad = weights.copy()
        bad[1, 0, 2, 3] = numpy.nan
        for message, arguments, options in (
            ("tokens has 4 tokens; expected 5", (weights, TOKENS[:4]), {}),
            ("tokens is a str; expected a list of 5 strings", (weights, "abcde"), {}),
            (r"attention\[1, 0, 2, 3\] is nan; expected a weight", (bad, TOKENS), {}),
            (r"attention has the shape \[5\]; expected \[layers, heads, n_q, n_k\]", (weights[0, 0, 0], TOKENS), {}),
            (r"attention\[0, 0, 0, 0\] is -", (-weights, TOKENS), {}),
            ("expected either attention, or some of encoder_attention", (), {}),
            ("2 queries and 5 keys; expected key_tokens", (attention(2, 5), ["a", "b"]), {}),
            ("sequence is 7; expected 0 to 1", ((attention(2, 3, 5, 5),), TOKENS), {"sequence": 7}),
            ("include_layers has 2; expected 0 to 1", (weights, TOKENS), {"include_layers": [2]}),
            ("--head is 9; expected 0 to 2", (weights, TOKENS), {"head": 9}),
            ("heads has 3; expected 0 to 2", (weights, TOKENS), {"heads": [3]}),
            ("heads is 'a'; expected an integer", (weights, TOKENS), {"heads": ["a"]}),
            ("tokens is a int; expected a list of 5 strings", (weights, 5), {}),
            ("--hed=1", (weights, TOKENS), {"hed": 1}),
        ):
            with self.subTest(message), self.assertRaisesRegex(ValueError, message):
                headscope.figure(*arguments, **options)

    def test_without_a_display_show_returns_a_figure_and_says_so(self):
        with mock.patch("builtins.print") as said:
            shown = headscope.show(attention(3, 5, 5), TOKENS)
        self.assertIsInstance(shown, headscope.Figure)
        self.assertIn("no display", said.call_args.args[0])

    def test_open_draws_sessions_figures_models_and_captures(self):
        figure = self.path("f.png")
        _program.run(["export", "-o", figure, "--sentence", "a b c", "--heads", "4", "--d-model", "64"])
        capture = self.path("a.npz")
        headscope.save(capture, attention(3, 5, 5), TOKENS)
        for path in (figure, capture, pathlib.Path(capture), "induction"):
            self.assertIsInstance(headscope.open(path), headscope.Figure)
        with self.assertRaises(FileNotFoundError):
            headscope.open(self.path("none.json"))
        pathlib.Path(self.path("bad.json")).write_text("{")
        with self.assertRaisesRegex(ValueError, "bad.json"):
            headscope.open(self.path("bad.json"))

    def test_a_missing_program_is_named_with_the_places(self):
        with mock.patch.dict(os.environ, {"PATH": self.folder.name}), \
                mock.patch.object(_program, "BUNDLED", pathlib.Path(self.path("bundle"))):  # fmt: skip
            os.environ.pop("HEADSCOPE", None)
            with self.assertRaisesRegex(FileNotFoundError, "HEADSCOPE is not set.*none on the PATH"):
                headscope.program()
            os.environ["HEADSCOPE"] = self.path("nothing")
            with self.assertRaisesRegex(FileNotFoundError, r"\$HEADSCOPE is .*nothing"):
                headscope.program()


@unittest.skipUnless(subprocess.run(["which", "Xvfb"], capture_output=True).returncode == 0, "needs Xvfb")
class WindowTest(unittest.TestCase):
    def setUp(self):
        read, write = os.pipe()
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x800x24", "-nolisten", "tcp"],
            pass_fds=[write],
            stderr=subprocess.DEVNULL,
        )
        os.close(write)
        self.addCleanup(self.server.wait)
        self.addCleanup(self.server.terminate)
        with os.fdopen(read) as file:
            display = file.readline().strip()
        self.home = tempfile.TemporaryDirectory()
        self.addCleanup(self.home.cleanup)
        patch = mock.patch.dict(
            os.environ,
            {"DISPLAY": ":" + display, "TMPDIR": self.home.name, "XDG_CONFIG_HOME": self.home.name + "/config",
             "XDG_STATE_HOME": self.home.name + "/state", "HEADSCOPE_STATE_DUMP": self.home.name + "/dump.json"},
        )  # fmt: skip
        patch.start()
        self.addCleanup(patch.stop)
        tempfile.tempdir = None

    def tearDown(self):
        tempfile.tempdir = None

    def shown(self):
        """The session in the window, when it is there."""
        import time

        for _ in range(300):
            try:
                state = json.loads(pathlib.Path(self.home.name, "dump.json").read_text())
                if "capture" in json.dumps(state["session"]):
                    return state["session"]
            except (OSError, ValueError, KeyError):
                pass
            time.sleep(0.05)
        self.fail("no window came")

    def test_show_opens_a_window_whose_files_live_until_it_closes(self):
        window = headscope.show(attention(2, 3, 5, 5), TOKENS, view="layers")
        self.addCleanup(window.close)
        self.assertTrue(list(pathlib.Path(self.home.name).glob("headscope-*/ready")))  # it was waited for
        self.assertEqual(self.shown()["view"]["kind"], "layers")
        files = list(pathlib.Path(self.home.name).glob("headscope-*/The cat sat*.npz"))  # which the window's title has
        self.assertEqual(len(files), 1)
        self.assertFalse(window.closed)
        window.close()
        self.assertTrue(window.closed)
        self.assertFalse(files[0].parent.exists())
        # The user's own session stays what the next start continues.
        self.assertFalse(pathlib.Path(self.home.name, "state").exists())

    def test_a_wrong_option_is_a_value_error(self):
        with self.assertRaisesRegex(ValueError, "--view is \"nonsense\"; expected one of: grid"):
            headscope.show(attention(3, 5, 5), TOKENS, view="nonsense")

    def test_files_live_as_long_as_the_window_after_python_has_ended(self):
        script = (
            "import sys, numpy; sys.path.insert(0, sys.argv[1]); import headscope\n"
            "print(headscope.show(numpy.full((2, 3, 3), 1 / 3), list('abc'))._process.pid)"
        )
        package = str(pathlib.Path(headscope.__file__).parents[1])
        pid = int(subprocess.run([sys.executable, "-c", script, package], capture_output=True, text=True, check=True).stdout)
        self.shown()
        file = next(pathlib.Path(self.home.name).glob("headscope-*/a b c.npz"))
        self.assertTrue(file.exists())
        os.killpg(pid, 15)
        for _ in range(200):
            if not file.parent.exists():
                break
            __import__("time").sleep(0.05)
        self.assertFalse(file.parent.exists())


if __name__ == "__main__":
    unittest.main()
