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
    lines = [f"{BEGIN} `scripts/referee --table --seed {seed}`, which writes this:", "",
             "| what | rows | cases | agree | against |", "|---|---|---|---|---|"]
    for part in dict.fromkeys(part for part, _ in report.tried):
        rows = [row for of, row in report.tried if of == part]
        tried, failed = (sum(counter[part, row] for row in rows) for counter in (report.tried, report.failed))
        lines.append(f"| {WHAT[part]} | {len(rows)} | {tried} | {tried - failed} | {', '.join(map(version, AGAINST[part]))} |")
    apart = {part: [row for of, row in report.failed if of == part] for part in AGAINST}
    for part, rows in apart.items():
        if rows:
            lines += ["", f"Not yet in all cases, of {part}: {', '.join(f'`{row}`' for row in rows)}."]
    text = DOCS.read_text()
    before, rest = text.split(BEGIN)
    DOCS.write_text(before + "\n".join([*lines, "", END]) + rest.split(END)[1])
