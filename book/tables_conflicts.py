"""Chapter 04's table of bank conflicts and instructions, from book/data/conflicts_*.json (common/measure.py conflicts)."""
from measured import machine_of, predicted
from tables import markdown, number, source


def table(document, _):
    """Milliseconds; counters of one block."""
    model = predicted(machine_of(document))
    (run,) = document["laboratories"]
    lines = [["kernel", "wavefronts of loads", "instructions", "ms", "predicted ms"]]
    for row in run["rows"]:
        launch = document["counted"]["kernels"][row["kernel"]]
        per_block = (launch["counters"][name] / launch["grid"] for name in ("shared_load_wavefronts", "warp_instructions"))
        lines.append([row["kernel"], *(number(round(value)) for value in per_block), f"{row['timing']['milliseconds']:.2f}",
                      f"{model[run['program'], row['kernel'], run['n']]:.2f}"])
    repeats = document["what"].split()[2]
    return markdown(lines, "lrrrr") + (
        f"\n*Medians of {repeats} runs each at n = 2<sup>28</sup>; counted by ncu, for one block. "
        f"{source(document['where'])}.*\n")
# SPDX-License-Identifier: MIT
