"""Headscope, run on this machine from inside the chroot, and how its numbers are held against the real ones."""
import json
import pathlib
import subprocess

import numpy as np

HOST = "/host"
# Both compute in their own order; Headscope in float32, of which a pass of a few layers loses up to 7e-6 of the largest
# number, and transformers takes some steps (softmax, norms, rotary tables) in float32 even in a double model: 1e-6.
TOLERANCE = 2e-5


class Program:
    def __init__(self, path):
        self.path = path

    def run(self, *arguments):
        """The output, and the error line or None."""
        told = [str(one).removeprefix(HOST) for one in arguments]
        done = subprocess.run(["chroot", HOST, self.path, *told], capture_output=True, text=True, errors="replace", timeout=300)
        return done.stdout, (done.stderr.strip() or f"status {done.returncode}") if done.returncode else None

    def json(self, *arguments):
        out, error = self.run(*arguments, "--json")
        return (None, error) if error else (json.loads(out), None)

    def arrays(self, folder, *arguments):
        file = pathlib.Path(folder) / "headscope.npz"
        _, error = self.run("tensors", *arguments, "-o", file)
        return (None, error) if error else (dict(np.load(file)), None)


def distance(found, right):
    """The largest difference as a share of the scale, or why there is none."""
    found, right = np.asarray(found, dtype=np.float64), np.asarray(right, dtype=np.float64)
    if found.shape != right.shape:
        return f"shape {list(found.shape)}, expected {list(right.shape)}"
    if not np.isfinite(found).all():
        return "not finite"
    return float(abs(found - right).max() / max(abs(right).max(), 1e-3)) if right.size else 0.0


def disagreements(pairs):
    """Of {name: (found, right)}: a text for each that is further apart than the tolerance."""
    texts = []
    for name, (found, right) in pairs.items():
        apart = distance(found, right)
        if isinstance(apart, str) or apart > TOLERANCE:
            texts.append(f"{name}: {apart if isinstance(apart, str) else f'{apart:.1e} apart'}")
    return texts
