#!/usr/bin/python3
"""Lines of PyTorch that `headscope pytorch` prints, and what PyTorch computes from them (Debian: python3-torch).

Usage: make_reference_pytorch.py HEADSCOPE. For each case of pytorch/cases.json, the fields of a session, writes
pytorch/NAME.py, as printed, and into pytorch.npz NAME.weights [layers, heads, n_q, n_k] and NAME.output [n_q, d_model],
as it computed them when run. The test in tests/core/test_pytorch.cpp then holds the program to both.
"""
import contextlib
import io
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

HERE = pathlib.Path(__file__).parent


def printed(headscope, fields):
    with tempfile.NamedTemporaryFile("w", suffix=".json") as session:
        json.dump(fields | {"version": 1}, session)
        session.flush()
        return subprocess.run([headscope, "pytorch", session.name, "--language", "en"], check=True, text=True,
                              stdout=subprocess.PIPE).stdout


def main():
    arrays = {}
    for name, fields in json.loads((HERE / "pytorch/cases.json").read_text()).items():
        text = printed(sys.argv[1], fields)
        (HERE / f"pytorch/{name}.py").write_text(text)
        names = {}
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(text, name, "exec"), names)
        arrays[f"{name}.weights"] = names["weights"].numpy()
        arrays[f"{name}.output"] = names["output"][0].numpy()
    np.savez_compressed(HERE / "pytorch.npz", **arrays)


if __name__ == "__main__":
    main()
