"""Tables of the experiments whose kernels differ in one thing each, from book/data/changes_*.json (common/measure.py changes)."""
from measured import runs_of
from tables import markdown, number, source


def heading(options, counts_operations):
    """The unit and, of a product, the side of its matrices: options are those of chapter 13's experiment, ["--rows", SIDE]."""
    return f"TFLOP/s, {int(options[1]):,}<sup>3</sup>" if counts_operations else "GB/s"


def table(document, experiment):
    """A row for each kernel, a column for each run: TFLOP/s where operations are counted, else GB/s of useful bytes."""
    runs = runs_of(document, experiment)
    if not runs:
        raise LookupError(f"no run of an experiment {experiment}")
    operations = any(row["timing"].get("teraflops") for run in runs for row in run["rows"])
    value = (lambda t: f"{t['teraflops']:.1f}") if operations else (lambda t: number(round(t["gigabytes_per_second"])))
    lines = [["kernel", *(heading(run["options"], operations) for run in runs)]]
    for rows in zip(*(run["rows"] for run in runs), strict=True):
        lines.append([rows[0]["kernel"], *(value(row["timing"]) for row in rows)])
    repeats = document["what"].split()[2]
    return markdown(lines, "l" + "r" * len(runs)) + f"\n*Medians of {repeats} runs each. {source(document['where'])}.*\n"
# SPDX-License-Identifier: MIT
