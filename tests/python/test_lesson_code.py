"""The code that the lesson "code" shows: run in torch, it gives the program's numbers and says what the lesson says."""

import math
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

import numpy

try:
    import torch
    from torch import nn
except ImportError:
    torch = None

LESSON = pathlib.Path(__file__).parents[2] / "assets" / "lessons" / "code.md"


def blocks(kind):
    """Those of the English and of the Chinese texts, which take turns."""
    found = re.findall(rf"^```{kind}\n(.*?)^```$", LESSON.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    return found[::2], found[1::2]


@unittest.skipIf(torch is None, "needs torch")
class LessonCodeTest(unittest.TestCase):
    def module(self):
        names = {"math": math, "torch": torch, "nn": nn}
        exec("".join(blocks("python")[0]), names)
        return names["Attention"]

    def test_is_the_same_in_both_languages(self):
        for kind in ("python", "pycon"):
            english, chinese = blocks(kind)
            self.assertGreater(len(english), 2)
            self.assertEqual(english, chinese)

    def test_gives_the_numbers_of_the_program(self):
        torch.manual_seed(42)
        layer = self.module()(512, 8)
        x = torch.randn(1, 10, 512)
        for options, blocked in (
            ([], None),
            (["--mask", "causal"], torch.ones(10, 10, dtype=torch.bool).triu(1)),
            (["--mask", "padding:8,9"], torch.arange(10).ge(8).view(1, 1, 1, 10)),
        ):
            with self.subTest(options=options), tempfile.TemporaryDirectory() as folder, torch.no_grad():
                path = pathlib.Path(folder, "arrays.npz")
                subprocess.run([os.environ["HEADSCOPE"], "tensors", "-o", path, *options], check=True)
                arrays = numpy.load(path)
                output, weights = layer(x, x, blocked)
                numpy.testing.assert_allclose(weights[0].numpy(), arrays["attention"].reshape(8, 10, 10), atol=1e-6)
                numpy.testing.assert_allclose(output[0].numpy(), arrays["output"].reshape(10, 512), atol=1e-6)

    def test_refuses_heads_that_do_not_divide(self):
        self.assertRaises(AssertionError, self.module(), 512, 7)

    def test_answers_what_its_dialogues_say(self):
        for dialogue in blocks("pycon")[0]:
            names = {"math": math, "torch": torch}
            for line, answer in re.findall(r"^>>> (.*)\n((?:(?!>>> ).*\n)*)", dialogue, re.MULTILINE):
                with self.subTest(line=line):
                    if not answer:
                        exec(line, names)
                    elif ": " in answer:  # an error; its words are those of one version
                        with self.assertRaises(RuntimeError):
                            eval(line, names)
                    else:
                        try:
                            given = repr(eval(line, names))
                        except RuntimeError as error:  # of an older torch
                            self.assertIn("not implemented for 'Half'", str(error))
                            continue
                        self.assertEqual(given, answer.strip())


if __name__ == "__main__":
    unittest.main()
