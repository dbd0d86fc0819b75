"""The table in docs/models.md: what was held against which version."""
import importlib.metadata
import pathlib
import re
import subprocess

from .families import KINDS_OF_MODELS

DOCS = pathlib.Path(__file__).parents[2] / "docs/models.md"
# The words before the table and after what follows from it: readers in the window see comments of HTML.
BEGIN, END = "Held against the real ones by", "What is apart there"
AGAINST = {"decoders": ("transformers", "torch"), "encoders": ("transformers", "torch"), "translators": ("transformers", "torch"),
           "vision": ("transformers", "torch"), "tokenizers": ("transformers", "tokenizers", "sentencepiece"),
           "generation": ("transformers",), "gguf": ("llama.cpp", "gguf"), "pictures": ("transformers", "pillow")}
WHAT = {"decoders": "decoders: maps, streams, logits, labels", "encoders": "encoders: the same", "translators": "encoder–decoders: the same",
        "vision": "models that read pictures: the same, similarities", "tokenizers": "tokenizers: the ids of 30 texts each",
        "generation": "continuations, with what generation_config.json says of logits",
        "gguf": "GGUF: converted models, and every type of numbers", "pictures": "pixels after resizing, cropping, normalizing"}


def version(name):
    if name != "llama.cpp":
        return f"{name} {importlib.metadata.version(name)}"
    told = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", "llama.cpp"], capture_output=True, text=True).stdout
    return f"llama.cpp {told.split(':')[-1].split('+')[0]}"


def rows_of_docs():
    """The model_types of the table of families."""
    families = DOCS.read_text().split("## Families")[1].split("\n\n")
    table = next(part for part in families if part.startswith("| `model_type`"))
    return {name for line in table.splitlines()[2:] for name in re.findall(r"`([^`]+)`", line.split("|")[1])}


def without_a_case():
    return sorted(rows_of_docs() - {name for rows in KINDS_OF_MODELS.values() for name in rows})


def write(report, seed):
    """The lines of the parts that ran; those of the others stay."""
    text = DOCS.read_text()
    before, rest = text.split(BEGIN)
    held, after = rest.split(END)
    old = {line.split(" | ")[0].removeprefix("| "): line for line in held.splitlines() if line.startswith("| ")}
    rows, apart = [], []
    for part, what in WHAT.items():
        ran = [row for of, row in report.tried if of == part]
        said = f"Not yet in all cases, of {part}: "
        if not ran:
            rows += [old[what]] if what in old else []
            apart += [line for line in held.splitlines() if line.startswith(said)]
            continue
        tried, failed = (sum(counter[part, row] for row in ran) for counter in (report.tried, report.failed))
        rows.append(f"| {what} | {len(ran)} | {tried} | {tried - failed} | {', '.join(map(version, AGAINST[part]))} |")
        failing = [row for of, row in report.failed if of == part]
        apart += [f"{said}{', '.join(f'`{row}`' for row in failing)}."] if failing else []
    lines = [f"{BEGIN} `scripts/referee --table --seed {seed}`, which writes this:", "",
             "| what | rows | cases | agree | against |", "|---|---|---|---|---|", *rows]
    for line in apart:
        lines += ["", line]
    DOCS.write_text(before + "\n".join([*lines, "", END]) + after)
