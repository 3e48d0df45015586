"""Tables of the experiments whose kernels differ in one thing each, from book/data/changes_*.json (common/measure.py changes)."""
from tables import markdown, number, source


def runs_of(document, experiment):
    """Of the program NN_topic.EXPERIMENT, by the options it was started with."""
    found = {" ".join(run["options"]): run for run in document["laboratories"] if run["program"].split(".")[1] == experiment}
    if not found:
        raise LookupError(f"no run of an experiment {experiment}")
    return found


def heading(options, counts_operations):
    side = options.removeprefix("--rows ") if options.startswith("--rows") else ""
    return ("TFLOP/s" if counts_operations else "GB/s") + (f", {int(side):,}<sup>3</sup>" if side else "")


def table(document, experiment):
    """A row for each kernel, a column for each run: TFLOP/s where operations are counted, else GB/s of useful bytes."""
    runs = runs_of(document, experiment)
    operations = any(row["timing"].get("teraflops") for run in runs.values() for row in run["rows"])
    value = (lambda t: f"{t['teraflops']:.1f}") if operations else (lambda t: number(round(t["gigabytes_per_second"])))
    lines = [["kernel", *(heading(options, operations) for options in runs)]]
    for rows in zip(*(run["rows"] for run in runs.values()), strict=True):
        lines.append([rows[0]["kernel"], *(value(row["timing"]) for row in rows)])
    repeats = document["what"].split()[2]
    return markdown(lines, "l" + "r" * len(runs)) + f"\n*Medians of {repeats} runs each. {source(document['where'])}.*\n"
# SPDX-License-Identifier: MIT
