"""The tables of the book, as Markdown: counters of the simulated GPU, of ncu, and times of a real GPU.

Each takes parsed documents (common/harness/summary.h, common/measure.py) and returns text.
"""
import html
import pathlib
import sys

from compiler import COMPILER

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "common"))
import counter_list

# Counters, each with what a page calls it and where the glossary explains it. Those that are 0 everywhere are left out.
COUNTERS = counter_list.book_rows()
UNREMARKABLE = {"global_loads_in_flight": 2}  # left out, too, where no kernel has more
NCU_COUNTERS = [(counter.name, label) for counter, (label, _) in counter_list.shown_in("NCU_TABLE")]
NCU_BRIEF = {counter.name: short for counter, (_, short) in counter_list.shown_in("NCU_TABLE") if short}  # where kernels are many
MOST_COLUMNS = 4  # of kernels beside each other


def markdown(lines, alignment):
    """A table from rows of cells. `alignment`: l or r for each column."""
    rule = ["---" if side == "l" else "---:" for side in alignment]
    return "\n".join("| " + " | ".join(row) + " |" for row in [lines[0], rule, *lines[1:]]) + "\n"


def number(value):
    if value is None:
        return "–"
    decimals = 0 if is_whole(value) else 2 if is_whole(4 * value) and not is_whole(2 * value) else 1  # 0.25 is no 0.2
    return f"{value:,.{decimals}f}"


def is_whole(value):
    return abs(value - round(value)) < 1e-9


def code(name):
    return f"`{name}`"


def headings(names):
    """Kernels above their columns. Where these are many, a name may be broken after each part of it."""
    if len(names) <= MOST_COLUMNS:
        return [code(name) for name in names]
    return [f"<code>{html.escape(name).replace('_', '_<wbr>')}</code>" for name in names]


def counters(rows, n, per=None):
    """Counters of kernels side by side: for every `per` elements where that is given, else for one block where each block has
    as many elements in all of them, else for all n elements. `rows`: rows of summary documents, all for n elements."""
    blocks = [row["counters"]["blocks"] for row in rows]
    per_block = len(set(blocks)) == 1
    parts = n / per if per else blocks[0] if per_block else 1
    lines = [["counter", *headings([row["kernel"] for row in rows])]]
    for counter, label, term in COUNTERS:
        values = [row["counters"][counter.name] for row in rows]
        if not any(value > UNREMARKABLE.get(counter.name, 0) for value in values):
            continue
        if counter.decimals == 0:
            values = [value / parts for value in values]
        lines.append([f"[{label}](glossary.md#{term})", *(number(value) for value in values)])
    what = f"For every {per} elements" if per else f"A block, mean of {blocks[0]:,.0f}" if per_block else "In total"
    return (markdown(lines, "l" + "r" * len(rows)) +
            f"\n*{what}; n = {n:,}; counted by the simulated GPU from the PTX of {COMPILER}.*\n")


def source(where):
    return f"{where['gpu']}, driver {where['driver']}, CUDA {where['cuda']}, commit {where['commit'][:12]}, {where['date']}"


def timings(document, chosen, compared, own, predicted):
    """GB/s at every size, and beside each what the time model predicts, where it does: `predicted`, ms by program, kernel and
    elements. `chosen`: (program, kernel) of each line; `compared`: those of NVIDIA's libraries below; `own`:
    the program whose copies the last line shows. A row's percent are of the copy in its own run."""
    runs = document["runs"]
    sizes = sorted({run["n"] for run in runs})
    found = {(run["program"], row["kernel"], run["n"]): row["timing"] for run in runs for row in run["rows"]}
    copies = {run["n"]: run["copy_gigabytes_per_second"] for run in runs if run["program"] == own}

    columns = [(size, is_predicted) for size in sizes for is_predicted in (False, True)
               if not is_predicted or any((*key, size) in predicted for key in chosen)]

    def cell(key, size, is_predicted):
        timing = found.get((*key, size))
        if not timing or is_predicted and (*key, size) not in predicted:
            return "–"
        measured = timing["gigabytes_per_second"]
        return f"{measured * timing['milliseconds'] / predicted[(*key, size)] if is_predicted else measured:,.0f}"

    def line(label, key):
        timings_of = [found.get((*key, size)) for size in sizes]
        cells = [cell(key, *column) for column in columns]
        of_copy = f"{timings_of[-1]['percent_of_copy']:.0f} %" if timings_of[-1] else "–"
        return [label, *cells, of_copy]

    heading = ["GB/s", *("predicted" if is_predicted else f"n = 2<sup>{size.bit_length() - 1}</sup>"
                         for size, is_predicted in columns), "of a copy"]
    lines = [line(code(kernel), (program, kernel)) for program, kernel in chosen]
    lines += [line(kernel, (program, kernel)) for program, kernel in compared]
    copied = ["–" if is_predicted else f"{copies[size]:,.0f}" for size, is_predicted in columns]
    lines.append(["device-to-device copy", *copied, "100 %"])
    return (markdown([heading, *lines], "l" + "r" * (len(columns) + 1)) +
            f"\n*Medians of {document['runs'][0]['rows'][0]['timing']['samples']} runs each, useful bytes only; percent of the "
            f"copy in the same run of a program, at the largest n. Predicted: [by a model](time.md), not measured. "
            f"{source({'cuda': document['runs'][0]['device']['cuda'], **document['where']})}.*\n")


def ncu(document, launches, per=None):
    """What ncu counted, as counters() has it. `launches`: names in the document's "kernels"."""
    kernels = document["kernels"]
    grids = [kernels[launch]["grid"] for launch in launches]
    per_block = len(set(grids)) == 1
    parts = document["n"] / per if per else grids[0] if per_block else 1
    what = f"{per} elements" if per else "a block" if per_block else "a launch"

    def cell(counter, launch):
        value = kernels[launch]["counters"].get(counter)
        if value is None:
            return number(None)
        return number(value / parts if is_whole(4 * value / parts) else round(value / parts, 1))

    if len(launches) <= MOST_COLUMNS:
        lines = [[f"ncu, {what}", *(code(launch.split(" ", 1)[1]) for launch in launches)]]
        lines += [[label, *(cell(counter, launch) for launch in launches)] for counter, label in NCU_COUNTERS
                  if counter == "divergent_branches" or any(kernels[launch]["counters"].get(counter) for launch in launches)]
    else:  # too wide for a page: a line for each launch
        lines = [[f"ncu, {what}", *NCU_BRIEF.values()]]
        lines += [[code(launch.split(" ", 1)[1]), *(cell(counter, launch) for counter in NCU_BRIEF)] for launch in launches]
    again = (" `#2` is the next launch of a kernel, with another number of blocks."
             if any("#" in launch for launch in launches) else "")
    return (markdown(lines, "l" + "r" * (len(lines[0]) - 1)) +
            f"\n*n = {document['n']:,}.{again} {source(document['where'])}.*\n")


def fidelity(document):
    """Shared memory of the steps' kernels: the simulated GPU beside ncu. Where the two are known to differ, the reason stands
    below. (The calibration set is too long for a page, and so are the counts of global memory, which are all equal.)"""
    lines = [["chapter", "kernel", "counter", "simulated", "ncu", "difference"]]
    reasons = []
    for row in document["rows"]:
        if not row["kernel"][:2].isdigit() or row["counter"].startswith(("global", "local")):
            continue
        difference = 100 * (row["simulated"] - row["ncu"]) / row["ncu"] if row["ncu"] else None
        shown = "–" if difference is None else "0" if difference == 0 else f"{difference:+.2f} %"
        if row.get("why"):
            if row["why"] not in reasons:
                reasons.append(row["why"])
            shown += f" <sup>{reasons.index(row['why']) + 1}</sup>"
        lines.append([row["kernel"][:2], code(row["kernel"].split(" ", 1)[1]), row["counter"].replace("_", " "),
                      number(row["simulated"]), number(row["ncu"]), shown])
    notes = "".join(f"\n<sup>{k}</sup> {why}.\n" for k, why in enumerate(reasons, 1))
    return markdown(lines, "lllrrr") + notes + f"\n*{source(document['where'])}.*\n"


def mistakes(rows):
    """Mistakes in the order of the chapters. `rows`: of book/data/mistakes.json, each with its verdict."""
    lines = [["chapter", "the mistake, and its kernel", "from", "the check says"]]
    for row in rows:
        name = row["chapter"]
        lines.append([f"[{name[:2]}]({name}.md)", row["mistake"] + "<br>" + code(row["kernel"]),
                      ", ".join(row["source"].split()) or "–", code(row["verdict"])])
    return markdown(lines, "llll")


def metrics(names):
    """Each counter beside the metrics of ncu whose sum it equals. `names`: METRICS of common/measuring/ncu.py."""
    known = {counter.name: (label, term) for counter, label, term in COUNTERS}
    lines = [["counter", "metric of ncu"]]
    for counter, theirs in names.items():
        other = (counter.replace("_", " "), "bank-conflict" if counter.endswith("conflicts") else "local-memory")
        label, term = known.get(counter.removesuffix("_sass"), other)
        worked_out = ", from the addresses" if counter.endswith("_sass") else ""
        lines.append([f"[{label}](glossary.md#{term}){worked_out}", " + ".join(map(code, theirs))])
    return markdown(lines, "ll")


def products(document, predicted):
    """Chapter 13's kernels in every shape: in percent of cuBLAS in the same shape, and in TFLOP/s. `predicted`: ms by kernel and
    side."""
    shapes, found, kernels = [], {}, []
    for run in document["runs"]:
        shape = tuple(run["shape"])
        if shape not in shapes:
            shapes.append(shape)
        for row in run["rows"]:
            found[row["kernel"], shape] = row["timing"]["teraflops"]
            if row["kernel"] not in kernels:
                kernels.append(row["kernel"])
    library = "cublasSgemm"
    kernels.sort(key=lambda kernel: kernel == library)  # last

    def name_of(shape):
        return f"{shape[0]:,}<sup>3</sup>" if len(set(shape)) == 1 else " × ".join(f"{side:,}" for side in shape)

    def cell(kernel, shape):
        return f"{found[kernel, shape]:.1f}"

    def percent(kernel, shape):
        return f"{100 * found[kernel, shape] / found[library, shape]:.0f} %"

    def model(kernel, shape):
        milliseconds = predicted.get((kernel, shape[0]))
        return f"{2e-9 * shape[0] * shape[1] * shape[2] / milliseconds:.1f}" if milliseconds else "–"

    def table(heading, columns, rows):
        lines = [[heading, *("predicted" if of is model else name_of(shape) for shape, of in columns)]]
        for kernel in rows:
            lines.append([kernel if kernel == library else code(kernel), *(of(kernel, shape) for shape, of in columns)])
        return markdown(lines, "l" + "r" * len(columns))

    columns = [(shape, of) for shape in shapes for of in (cell, model)
               if of is cell or any((kernel, shape[0]) in predicted for kernel in kernels) and len(set(shape)) == 1]
    samples = document["runs"][0]["rows"][0]["timing"]["samples"]
    told = "Predicted: [by a model](time.md), not measured. " if predicted else ""
    return (table("percent of cuBLAS", [(shape, percent) for shape in shapes], [k for k in kernels if k != library]) + "\n" +
            table("TFLOP/s", columns, kernels) +
            f"\n*Medians of {samples} runs each, 32-bit floats throughout. `{library}` is the product of cuBLAS. {told}"
            f"{source({'cuda': document['runs'][0]['device']['cuda'], **document['where']})}.*\n")


def intensity(rows, shape):
    """What a multiply-add of each kernel takes: bytes of global memory, and shared wavefronts. `shape`: rows, columns and
    depth of the product."""
    fmas = shape[0] * shape[1] * shape[2]
    lines = [["", "global bytes a multiply-add", "multiply-adds a shared wavefront",
              "warp instructions for 32 multiply-adds"]]
    for row in rows:
        counters = row["counters"]
        wavefronts = counters["shared_load_wavefronts"]
        lines.append([code(row["kernel"]), f"{32 * counters['global_load_sectors'] / fmas:.3f}",
                      f"{fmas / wavefronts:.1f}" if wavefronts else "–", f"{32 * counters['warp_instructions'] / fmas:.2f}"])
    sides = " × ".join(f"{side:,}" for side in shape)
    return markdown(lines, "lrrr") + f"\n*The whole launch; {sides}; counted by the simulated GPU from the PTX of {COMPILER}.*\n"


def milliseconds(document, rows, predicted):
    """Times of a laboratory's rows. `document`: of common/measure.py, for its source; `predicted`: ms by kernel, of the same."""
    lines = [["", "ms, median", "quartiles", *(["predicted"] if predicted else [])]]
    for row in rows:
        t = row["timing"]
        model = [f"{predicted[row['kernel']]:.4f}" if row["kernel"] in predicted else "–"] if predicted else []
        lines.append([row["kernel"], f"{t['milliseconds']:.4f}", f"{t['q1']:.4f} … {t['q3']:.4f}", *model])
    told = "Predicted: [by a model](time.md), not measured. " if predicted else ""
    return markdown(lines, "lrrr" if predicted else "lrr") + f"\n*{told}{source(document['where'])}.*\n"


def registers(document):
    """What ptxas allots each kernel."""
    lines = [["kernel", "registers", "local bytes a thread", "spill stores, bytes", "spill loads, bytes"]]
    for kernel, row in document["kernels"].items():
        names = ("registers", "local_bytes", "spill_store_bytes", "spill_load_bytes")
        lines.append([code(kernel), *(number(row[name]) for name in names)])
    where = document["where"]
    return (markdown(lines, "lrrrr") +
            f"\n*ptxas of CUDA {where['cuda']}, {where['architecture']}, commit {where['commit'][:12]}, {where['date']}.*\n")
# SPDX-License-Identifier: MIT
