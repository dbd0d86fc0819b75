"""Runs the parts that are asked for; see scripts/referee."""
import argparse
import collections
import functools
import os
import pathlib
import shutil
import sys
import tempfile
import traceback

import torch
import transformers

from . import arrays, gguf_files, generation, models, picture_arrays, pictures, table, texts, vision
from .program import HOST, Program

PARTS = {kind: functools.partial(models.run, kind) for kind in ("decoders", "encoders", "translators")} | {
    "vision": vision.run, "tokenizers": texts.run, "generation": generation.run, "gguf": gguf_files.run,
    "pictures": pictures.run}


class Report:
    """What was tried, by part and row; a line for each disagreement."""

    def __init__(self, only, keep):
        self.only, self.keep = only, keep
        self.tried, self.failed = collections.Counter(), collections.Counter()

    def case(self, part, row, name, folder, check):
        if self.only not in name:
            return
        try:
            wrong = check()
        except Exception as problem:  # a case that the real ones cannot make is a fault of the referee's, and said
            wrong = [f"not made: {type(problem).__name__}: {str(problem).splitlines()[0] if str(problem) else ''}"]
            if os.environ.get("REFEREE_TRACE"):
                traceback.print_exc()
        if wrong is None:  # the real ones have no such thing
            return
        self.tried[part, row] += 1
        if wrong:
            self.failed[part, row] += 1
            print(f"{part}: {name}: {'; '.join(wrong[:4])}{f' … ({len(wrong)})' if len(wrong) > 4 else ''}", flush=True)
        if not self.keep and folder:
            shutil.rmtree(folder, ignore_errors=True)

    def summary(self):
        for part in dict.fromkeys(part for part, _ in self.tried):
            tried, failed = (sum(count for (of, _), count in counter.items() if of == part) for counter in (self.tried, self.failed))
            print(f"{part}: {tried - failed} of {tried} agree")


def arguments():
    parser = argparse.ArgumentParser(prog="scripts/referee")
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--more", type=int, default=2)
    parser.add_argument("--only", default="")
    parser.add_argument("--keep")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--tests", action="store_true")
    parser.add_argument("--program", required=True)
    given = parser.parse_args()
    for part in given.parts:
        if part not in PARTS:
            parser.error(f"there is no part {part}; expected one of: {', '.join(PARTS)}")
    return given


def main():
    transformers.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    torch.set_num_threads(1)
    given = arguments()
    if given.tests:
        arrays.write(given.only)
        return picture_arrays.write()
    for row in table.without_a_case():
        print(f"{row}: a row of docs/models.md without a case")
    folder = pathlib.Path(HOST + (given.keep or tempfile.mkdtemp(prefix="headscope-referee.", dir=HOST + "/tmp").removeprefix(HOST)))
    folder.mkdir(parents=True, exist_ok=True)
    report = Report(given.only, given.keep)
    try:
        for part in given.parts or PARTS:
            PARTS[part](Program(given.program), folder, given.seed, given.more, report)
    finally:
        if not given.keep:
            shutil.rmtree(folder, ignore_errors=True)
    report.summary()
    if given.table:
        table.write(report, given.seed)
    return 1 if report.failed else 0


sys.exit(main())
