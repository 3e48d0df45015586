"""Tables of the page on predicted times, from common/gpusim/timing/accuracy.json (timing_truth_test.py --write)."""

import functools
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "common/gpusim/timing"))
import errors as accuracy  # noqa: E402
NAMES = {"h200": "H200", "h100": "H100"}
WORST = 12
ONE_BLOCK = 10  # chapter 10's scan by a single block takes 2^10 elements, whatever n is


def error(row):
    return row["predicted"] / row["measured"] - 1


def percent(part):
    return f"{100 * part:.1f} %"


def errors(document):
    """How far off: of each GPU, and of all."""
    lines = ["| | launches | mean error | median | within 25 % | nine in ten within |", "|---|---:|---:|---:|---:|---:|"]
    for name, each in [*((NAMES[key], each) for key, each in document["machines"].items()), ("both", document["all"])]:
        lines.append(
            f"| {name} | {each['rows']} | {percent(each['mean'])} | {percent(each['median'])} | {percent(each['near'])} "
            f"| ± {100 * each['nine_in_ten']:.0f} % |"
        )
    right, asked = document["all"]["pairs_in_order"], document["all"]["pairs"]
    lines += [
        "",
        f"We also compared kernels of the same chapter in pairs. In {asked} pairs the measured times differ by more than 10 %. "
        f"In {right} of these ({percent(right / asked)}) the prediction names the faster kernel.",
    ]
    return "\n".join(lines) + "\n"


def measured_of(collection, machine):
    return accuracy.measured_rows(ROOT / "common/gpusim/timing/unseen", collection, machine)


def names_of(collection):
    """The GPUs that the collection was measured on."""
    return {machine: name for machine, name in NAMES.items() if measured_of(collection, machine)}


def before_and_today(document, collection):
    """Of kernels that the tutorial does not have: before anybody had measured them, and today."""
    lines = ["| | launches | mean error | median | within 25 % | nine in ten within |", "|---|---:|---:|---:|---:|---:|"]
    for machine, name in names_of(collection).items():
        before = accuracy.summary(row["predicted_before"] / row["milliseconds"] - 1 for row in measured_of(collection, machine))
        for when, each in (("before they were measured", before), ("today", document[collection][machine])):
            lines.append(
                f"| {name}, {when} | {each['rows']} | {percent(each['mean'])} | {percent(each['median'])} "
                f"| {percent(each['near'])} | ± {100 * each['nine_in_ten']:.0f} % |"
            )
    return "\n".join(lines) + "\n"


def classes(document):
    """By how long a launch is predicted to take: how far off blind predictions were, of all tests together."""
    del document  # the measured files have it
    ends = [f"{1000 * end:.0f} µs" for end in accuracy.CLASSES]
    names = [f"below {ends[0]}", *(f"{low} to {high}" for low, high in zip(ends, ends[1:])), f"from {ends[-1]} on"]
    lines = ["| predicted time | " + " | ".join(f"{name}, launches | nine in ten within" for name in NAMES.values()) + " |",
             "|---|" + "---:|---:|" * len(NAMES)]
    by_machine = []
    for machine in NAMES:
        launches = [row for collection in accuracy.COLLECTIONS for row in measured_of(collection, machine)]
        by_machine.append(accuracy.by_class((row["predicted_before"], row["milliseconds"]) for row in launches))
    for name, *found in zip(names, *by_machine):
        cells = [f"{len(each)} | ± {100 * accuracy.summary(each)['nine_in_ten']:.0f} %" for each in found]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def each_kernel(document, collection):
    """Each of them."""
    today = {(row["machine"], row["kernel"]): row["predicted"] for row in document[f"{collection}_rows"]}
    by_kernel = {}
    names = names_of(collection)
    for machine in names:
        for row in measured_of(collection, machine):
            by_kernel.setdefault(row["kernel"], []).append((machine, row))
    lines = ["| kernel | " + " | ".join(f"{name}, ms | off by, before | today" for name in names.values()) + " |"]
    lines.append("|---|" + "---:|---:|---:|" * len(names))
    for kernel, rows in by_kernel.items():
        cells = [
            f"{row['milliseconds']:.4f} | {100 * (row['predicted_before'] / row['milliseconds'] - 1):+.0f} % "
            f"| {100 * (today[machine, kernel] / row['milliseconds'] - 1):+.0f} %"
            for machine, row in rows
        ]
        lines.append(f"| {kernel} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def worst(document):
    """The kernels that are furthest off, and in which direction."""
    rows = sorted(document["rows"], key=lambda row: -abs(error(row)))[:WORST]
    lines = ["| chapter | kernel | elements | GPU | measured ms | predicted ms | off by |", "|---|---|---|---|---:|---:|---:|"]
    for row in rows:
        power = ONE_BLOCK if "(one block)" in row["kernel"] else row["n"].bit_length() - 1
        lines.append(
            f"| {row['program'][:2]} | `{row['kernel']}` | 2<sup>{power}</sup> | {NAMES[row['machine']]} "
            f"| {row['measured']:.4f} | {row['predicted']:.4f} | {100 * error(row):+.0f} % |"
        )
    return "\n".join(lines) + "\n"


TABLES = {
    "errors": errors,
    "worst": worst,
    "classes": classes,
    **{name: functools.partial(before_and_today, collection=name) for name in accuracy.COLLECTIONS},
    **{f"{name}_kernels": functools.partial(each_kernel, collection=name) for name in accuracy.COLLECTIONS},
}
# SPDX-License-Identifier: MIT
