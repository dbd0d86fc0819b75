"""The interactive figures: what their data hold, and in Chromium, if it is here, that they can be looked at."""

import base64
import importlib.util
import json
import os
import pathlib
import re
import shutil
import sys
import tempfile
import unittest
from html import escape
from unittest import mock

import numpy

ROOT = pathlib.Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "scripts" / "webpage")]
import headscope  # noqa: E402
from headscope import _html  # noqa: E402

TOKENS = ["The", "<!--<script>", "</script>", "<b>&", "垫子"]


def attention(*shape, causal=False):
    weights = numpy.random.default_rng(0).random(shape)
    if causal:
        weights = numpy.tril(weights)
    return (weights / weights.sum(-1, keepdims=True)).astype(numpy.float32)


def inputs(html):
    return json.loads(re.search(r'\nheadscope\("headscope-\w+", (.*)\);\n</script>', html.data).group(1))


def weights_of(block):
    """The weights that the figure's code reads from a block."""
    queries, keys = len(block["queries"]), len(block["keys"])
    shape = [len(block["layers"]), len(block["heads"])]
    codes = numpy.frombuffer(base64.b64decode(block["cells"]), numpy.uint8)
    largest = numpy.array(block["largests"]).reshape(*shape, 1, 1)
    if not block["causal"]:
        return codes.reshape(*shape, queries, keys) / 255 * largest
    whole = numpy.zeros((*shape, queries, queries))
    whole[(..., *numpy.tril_indices(queries))] = codes.reshape(*shape, -1)
    return whole / 255 * largest


class HtmlTest(unittest.TestCase):
    def test_weights_within_a_step_of_their_heads_largest(self):
        for causal in (False, True):
            weights = attention(2, 3, 5, 5, causal=causal)
            block = inputs(headscope.head_view(weights, TOKENS, html_action="return"))["blocks"][0]
            self.assertEqual(block["causal"], causal)
            self.assertEqual(block["queries"], TOKENS)
            error = numpy.abs(weights_of(block) - weights) / weights.max((-2, -1), keepdims=True)
            self.assertLessEqual(error.max(), 0.5 / 255 + 1e-5)

    def test_one_page_of_ascii_whose_code_is_small(self):
        html = headscope.model_view(attention(2, 3, 5, 5), TOKENS, html_action="return")
        self.assertTrue(html.data.isascii())
        self.assertLess(len(html.data), 300_000)
        self.assertEqual(html.data.count("</script>"), 1)  # also beside a token that begins a comment
        self.assertNotIn("<!--", html.data)
        self.assertNotIn("http", html.data)
        with tempfile.TemporaryDirectory() as folder:
            html.save(folder + "/a.html")
            self.assertEqual(pathlib.Path(folder, "a.html").read_text(), html.data)
            with self.assertRaisesRegex(ValueError, r"expected the extension \.html"):
                html.save(folder + "/a.svg")

    def test_layers_and_heads_keep_their_numbers(self):
        weights = attention(4, 3, 5, 5)
        shown = inputs(headscope.head_view(weights, TOKENS, layer=3, heads=[1], include_layers=[1, 3], html_action="return"))
        self.assertEqual((shown["layer"], shown["chosen"], shown["blocks"][0]["layers"]), (3, [1], [1, 3]))
        block = inputs(headscope.model_view(weights, TOKENS, include_heads=[2, 0], html_action="return"))["blocks"][0]
        self.assertEqual(block["heads"], [2, 0])
        numpy.testing.assert_allclose(weights_of(block), weights[:, [2, 0]], atol=0.01)
        for message, arguments in (
            ("layer is 2; expected one of 1, 3", {"layer": 2, "include_layers": [1, 3]}),
            ("heads has 3; expected 0 to 2", {"heads": 3}),
            ("include_layers is 'a'; expected an integer", {"include_layers": ["a"]}),
            ("include_layers has 4; expected 0 to 3", {"include_layers": 4}),
            ("theme is 'blue'; expected one of auto, light, dark", {"theme": "blue"}),
            ("html_action is 'print'; expected 'view' or 'return'", {"html_action": "print"}),
            ("sentence_b_start is 9; expected 0 to 5", {"sentence_b_start": 9}),
        ):
            with self.subTest(message), self.assertRaisesRegex(ValueError, message):
                headscope.head_view(weights, TOKENS, **{"html_action": "return", **arguments})

    def test_all_blocks_of_an_encoder_decoder(self):
        blocks = {"encoder_attention": attention(2, 3, 5, 5), "decoder_attention": attention(2, 3, 2, 2), "cross_attention": attention(2, 3, 2, 5)}
        html = headscope.model_view(**blocks, encoder_tokens=TOKENS, decoder_tokens=["a", "b"], html_action="return")
        shown = inputs(html)["blocks"]
        self.assertEqual([block["name"] for block in shown], ["Encoder", "Decoder", "Cross-attention"])
        self.assertEqual((shown[2]["queries"], shown[2]["keys"]), (["a", "b"], TOKENS))
        for block, weights in zip(shown, blocks.values()):
            numpy.testing.assert_allclose(weights_of(block), weights, atol=0.01)

    def test_a_query_that_sees_nothing(self):
        weights = attention(1, 2, 5, 5)
        weights[0, 1, 3] = numpy.nan
        self.assertEqual(inputs(headscope.head_view(weights, TOKENS, html_action="return"))["blocks"][0]["empty"], [8])

    def test_a_large_figure_says_so_and_has_the_layers_that_were_asked_for(self):
        weights = attention(6, 2, 9, 9)
        with mock.patch.object(_html, "LARGEST", 700), mock.patch("builtins.print") as said:
            shown = inputs(headscope.head_view(weights, [*TOKENS, *"abcd"], layer=4, html_action="return"))
            self.assertEqual(shown["blocks"][0]["layers"], [3, 4, 5])
            self.assertIn("this one has layers 3 to 5, include_layers=[…] chooses others", said.call_args.args[0])
            shown = inputs(headscope.head_view(weights, [*TOKENS, *"abcd"], include_layers=[0, 1, 2, 5], html_action="return"))
            self.assertEqual(shown["blocks"][0]["layers"], [0, 1, 2, 5])

    def test_a_notebooks_cell_shows_it(self):
        shell = mock.Mock(kernel=object())
        display = mock.Mock()
        modules = {"IPython": mock.Mock(get_ipython=lambda: shell), "IPython.display": mock.Mock(display=display)}
        with mock.patch.dict(sys.modules, modules):
            self.assertIsNone(headscope.head_view(attention(2, 3, 5, 5), TOKENS))
        self.assertIsInstance(display.call_args.args[0], headscope.Html)

    def test_a_notebook_without_a_display_shows_all_blocks(self):
        blocks = {"encoder_attention": attention(2, 3, 5, 5), "cross_attention": attention(2, 3, 2, 5)}
        with mock.patch("headscope._capture.in_notebook", lambda: True), mock.patch.dict(os.environ), mock.patch("builtins.print"):
            for name in ("DISPLAY", "WAYLAND_DISPLAY"):
                os.environ.pop(name, None)
            html = headscope.show(**blocks, heads=[1])
        self.assertEqual([(block["name"], block["heads"]) for block in inputs(html)["blocks"]], [("Encoder", [1]), ("Cross-attention", [1])])

    def test_calls_of_circuitsvis_and_inspectus(self):
        names = ["3.1", "5.0", "9.9"]
        shown = inputs(headscope.attention.attention_heads(attention(3, 5, 5), TOKENS, names, mask_upper_tri=False))
        self.assertEqual((shown["view"], shown["blocks"][0]["headNames"]), ("grid", names))
        for html in (headscope.attention.attention_patterns(TOKENS, attention(3, 5, 5)),
                     headscope.attention.attention_pattern(TOKENS, attention(5, 5), 1, 0)):  # fmt: skip
            self.assertIsInstance(html, headscope.Html)
        with self.assertRaisesRegex(ValueError, "attention_head_names has 1 names; expected 3"):
            headscope.attention.attention_heads(attention(3, 5, 5), TOKENS, ["a"])
        with mock.patch("headscope._bertviz.in_notebook", lambda: True), mock.patch.dict(sys.modules, {"IPython.display": mock.Mock()}):
            self.assertIsNone(headscope.attention(attention(2, 5), ["x", "y"], TOKENS, chart_types=["attention_matrix"]))


@unittest.skipUnless(shutil.which("chromium") and importlib.util.find_spec("browser"), "needs chromium")
class BrowserTest(unittest.TestCase):
    """Drives a figure as a reader does, by its controls and with the pointer."""

    def setUp(self):
        from browser import Browser

        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.browser = Browser(1000, 700)
        self.addCleanup(self.browser.close)

    def open(self, html, before=""):
        path = os.path.join(self.folder.name, "a.html")
        pathlib.Path(path).write_text(before + html.data)
        self.browser.open("file://" + path)
        self.browser.wait_until("!!(document.querySelector('div[id]') || {}).figure?.marks")

    def see(self, expression):
        return self.browser.evaluate("(() => { const figure = document.querySelector('div[id]').figure; return " + expression + "; })()")

    def press(self, text):
        self.see(f"[...figure.figure.querySelectorAll('button')].find((b) => b.textContent === {json.dumps(text)}).click()")

    def choose(self, title, value):
        self.see(f"(() => {{ const s = figure.figure.querySelector('select[title={title}]'); s.value = {value}; s.onchange(); }})()")

    def point(self, x, y):
        left, top = self.see("[figure.canvas.getBoundingClientRect().left, figure.canvas.getBoundingClientRect().top]")
        self.browser.move(left + x, top + y)

    def test_lines_maps_layers_heads_blocks_and_what_the_pointer_is_on(self):
        blocks = {"encoder_attention": attention(2, 3, 5, 5), "decoder_attention": attention(2, 3, 2, 2), "cross_attention": attention(2, 3, 2, 5)}
        self.open(headscope.head_view(**blocks, encoder_tokens=TOKENS, decoder_tokens=["a", "b"], layer=1, html_action="return"))
        self.assertEqual(self.see("[figure.state.view, figure.state.layer, figure.marks.filter((m) => m.token).length]"), ["lines", 1, 10])
        self.assertEqual(self.see("figure.lines.all.length"), 3 * 25)
        self.choose("Block", 2)
        self.assertEqual(self.see("figure.block.name"), "Cross-attention")
        self.press("‹")
        self.assertEqual(self.see("figure.state.layer"), 0)
        self.see("[...figure.figure.querySelectorAll('.head')][2].click()")
        self.assertEqual(self.see("[...figure.chosen]"), [0, 1])
        self.assertEqual(self.see("figure.lines.all.length"), 2 * 10)
        self.press("Layers × heads")
        self.point(80, 30)  # the map of the first head
        self.browser.wait_until("!document.querySelector('div[id]').figure.tip.hidden")
        self.assertRegex(self.see("figure.tip.textContent"), r"Layer 1 · Head 1\n0\.\d\d   a → The")
        left, top = self.see("[figure.canvas.getBoundingClientRect().left, figure.canvas.getBoundingClientRect().top]")
        self.browser.click(left + 80, top + 30)
        self.assertEqual(self.see("[figure.state.view, figure.state.head]"), ["head", 0])
        self.assertEqual(self.browser.failures, [])
        self.assertEqual([one for one in self.browser.requests if not one.startswith("file:")], [])

    def test_a_dark_page_has_a_dark_figure_and_one_name_may_be_there_twice(self):
        html = headscope.head_view(attention(2, 3, 5, 5), TOKENS, html_action="return")
        place = html.data.split("\n")[0]
        self.open(html, '<body style="background: #111"><p>' + place)
        self.assertEqual(self.see("[...document.querySelectorAll('div[id]')].map((host) => host.figure.theme.background)"), ["#17191d"] * 2)
        self.open(html)
        self.assertEqual(self.see("figure.theme.background"), "#ffffff")
        self.assertEqual(self.browser.failures, [])

    def test_a_frame_that_may_do_nothing_but_run_scripts(self):  # as VS Code and Colab have theirs
        policy = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'"
        tell = """setInterval(() => {
            const tokens = document.querySelector('div[id]').figure?.marks.filter((m) => m.token).length;
            if (tokens) parent.postMessage([origin, tokens], '*');
        }, 50)"""
        figure = headscope.head_view(attention(2, 3, 5, 5), TOKENS, html_action="return").data
        page = f'<meta http-equiv="Content-Security-Policy" content="{policy}">{figure}<script>{tell}</script>'
        frame = f'<iframe sandbox="allow-scripts" srcdoc="{escape(page)}"></iframe>'
        path = pathlib.Path(self.folder.name, "frame.html")
        path.write_text(f"<script>onmessage = (event) => {{ window.told = event.data; }}</script>{frame}")
        self.browser.open(path.as_uri())
        self.browser.wait_until("!!window.told")
        self.assertEqual(self.browser.evaluate("window.told"), ["null", 10])
        self.assertEqual(self.browser.failures, [])


if __name__ == "__main__":
    unittest.main()
