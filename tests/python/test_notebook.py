"""The notebook in docs/, executed: each figure's cell holds an SVG."""

import importlib.util
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).parents[2]
NOTEBOOK = ROOT / "docs" / "python.ipynb"


@unittest.skipUnless(all(map(importlib.util.find_spec, ("nbconvert", "ipykernel", "torch"))), "needs nbconvert, ipykernel and torch")
class NotebookTest(unittest.TestCase):
    def test_figures_are_in_the_output(self):
        with tempfile.TemporaryDirectory() as folder:
            environment = {**os.environ, "PYTHONPATH": str(ROOT / "python"), "HOME": folder, "IPYTHONDIR": folder}
            shutil.copy(NOTEBOOK, folder)
            done = subprocess.run(
                [sys.executable, "-m", "nbconvert", "--to", "notebook", "--execute", "--output", "done.ipynb", NOTEBOOK.name],
                cwd=folder,
                env=environment,
                capture_output=True,
                text=True,
            )
            self.assertEqual(done.returncode, 0, done.stderr)
            cells = json.loads(pathlib.Path(folder, "done.ipynb").read_text())["cells"]
            self.assertTrue(pathlib.Path(folder, "layers.pdf").read_bytes().startswith(b"%PDF"))
        code = [cell for cell in cells if cell["cell_type"] == "code"]
        shown = [output["data"] for cell in code for output in cell["outputs"] if "data" in output]
        figures = [data for data in shown if "image/svg+xml" in data]
        self.assertEqual(len(figures), 3)
        for data in figures:
            self.assertTrue("".join(data["image/svg+xml"]).rstrip().endswith("</svg>"))
            self.assertIn("image/png", data)
        interactive = ["".join(data["text/html"]) for data in shown if 'id="headscope-' in "".join(data.get("text/html", ""))]
        self.assertEqual(len(interactive), 1)
        self.assertIn('"layers.0.self_attn"', interactive[0])
        self.assertTrue(">because</text>" in "".join(figures[0]["image/svg+xml"]))


if __name__ == "__main__":
    unittest.main()
