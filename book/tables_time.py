"""Tables of the page on predicted times, from common/gpusim/timing/accuracy.json (timing_truth_test.py --write)."""

import json
import pathlib
import statistics

ROOT = pathlib.Path(__file__).resolve().parents[1]
FAR = 0.25
NAMES = {"h200": "H200", "h100": "H100"}
WORST = 12


def error(row):
    return row["predicted"] / row["measured"] - 1


def percent(part):
    return f"{100 * part:.1f} %"


def errors(document):
    """How far off: of each GPU, and of all."""
    lines = ["| | kernels | mean error | median | within 25 % | nine in ten within |", "|---|---:|---:|---:|---:|---:|"]
    for name, each in [*((NAMES[key], each) for key, each in document["machines"].items()), ("both", document["all"])]:
        lines.append(
            f"| {name} | {each['rows']} | {percent(each['mean'])} | {percent(each['median'])} | {percent(each['near'])} "
            f"| ± {100 * each['nine_in_ten']:.0f} % |"
        )
    right, asked = document["all"]["pairs_in_order"], document["all"]["pairs"]
    lines += [
        "",
        f"Of two kernels of a chapter whose measured times differ by more than 10 %, the prediction names the faster one in "
        f"{right} of {asked} pairs ({percent(right / asked)}).",
    ]
    return "\n".join(lines) + "\n"


def measured_outside(machine):
    return json.loads((ROOT / f"book/data/outside_{machine}.json").read_text(encoding="utf-8"))["rows"]


def outside(_):
    """Of kernels that the tutorial does not have, before anybody had measured them."""
    lines = ["| | launches | mean error | median | within 25 % | nine in ten within |", "|---|---:|---:|---:|---:|---:|"]
    for machine, name in NAMES.items():
        errors = sorted(abs(row["predicted_before"] / row["milliseconds"] - 1) for row in measured_outside(machine))
        near = sum(each <= FAR for each in errors) / len(errors)
        lines.append(
            f"| {name} | {len(errors)} | {percent(statistics.mean(errors))} | {percent(statistics.median(errors))} "
            f"| {percent(near)} | ± {100 * errors[-(-9 * len(errors) // 10) - 1]:.0f} % |"
        )
    return "\n".join(lines) + "\n"


def outside_kernels(_):
    """Each of them."""
    by_kernel = {}
    for machine in NAMES:
        for row in measured_outside(machine):
            by_kernel.setdefault(row["kernel"], []).append(row)
    lines = ["| kernel | " + " | ".join(f"{name}, ms | predicted | off by" for name in NAMES.values()) + " |"]
    lines.append("|---|" + "---:|---:|---:|" * len(NAMES))
    for kernel, rows in by_kernel.items():
        cells = [
            f"{row['milliseconds']:.4f} | {row['predicted_before']:.4f} "
            f"| {100 * (row['predicted_before'] / row['milliseconds'] - 1):+.0f} %"
            for row in rows
        ]
        lines.append(f"| {kernel} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def worst(document):
    """The kernels that are furthest off, and in which direction."""
    rows = sorted(document["rows"], key=lambda row: -abs(error(row)))[:WORST]
    lines = ["| chapter | kernel | elements | GPU | measured ms | predicted ms | off by |", "|---|---|---|---|---:|---:|---:|"]
    for row in rows:
        power = row["n"].bit_length() - 1
        lines.append(
            f"| {row['program'][:2]} | `{row['kernel']}` | 2<sup>{power}</sup> | {NAMES[row['machine']]} "
            f"| {row['measured']:.4f} | {row['predicted']:.4f} | {100 * error(row):+.0f} % |"
        )
    return "\n".join(lines) + "\n"


TABLES = {"errors": errors, "worst": worst, "outside": outside, "outside_kernels": outside_kernels}
