"""What the page `time` says in numbers."""

import tables_time
from claims.shared import claims_of
from measured import data

def off_outside(machine):
    """Percent by which nine in ten predictions of the three tests were off at most, before they were measured."""
    rows = [row for name in tables_time.accuracy.COLLECTIONS for row in tables_time.measured_of(name, machine)]
    errors = (row["predicted_before"] / row["milliseconds"] - 1 for row in rows)
    return 100 * tables_time.accuracy.summary(errors)["nine_in_ten"]


def mean_before(name, machine):
    """By how much the predictions of one of the three tests were off on average, before they were measured."""
    errors = (row["predicted_before"] / row["milliseconds"] - 1 for row in tables_time.measured_of(name, machine))
    return tables_time.accuracy.summary(errors)["mean"]


def apart():
    """Pairs of a chapter's kernels on one GPU, at one size, whose measured times differ by over 10 %; the faster first."""
    rows = [row for row in data("common/gpusim/timing/accuracy.json")["rows"] if "." not in row["program"]]
    same = [
        sorted((row, other), key=lambda each: each["measured"])
        for k, row in enumerate(rows)
        for other in rows[:k]
        if all(row[key] == other[key] for key in ("machine", "program", "n"))
    ]
    return [(low, high) for low, high in same if high["measured"] > 1.10 * low["measured"]]


def in_order(low, high):
    """Whether what was measured and what was predicted agree on which is faster."""
    return (low["measured"] < high["measured"]) == (low["predicted"] < high["predicted"])


def far_off(machine):
    """Kernels of the three tests whose predictions of today are off by more than half."""
    accuracy = data("common/gpusim/timing/accuracy.json")
    rows = [
        row for name in tables_time.accuracy.COLLECTIONS for row in accuracy[f"{name}_rows"] if row["machine"] == machine
    ]
    return {row["kernel"] for row in rows if abs(tables_time.error(row)) > 0.5}

CLAIMS = claims_of(
    "time",
    ("average the predictions are off by {:.0f} %", 100 * data("common/gpusim/timing/accuracy.json")["all"]["mean"]),
    (
        "The six wrong answers among the chapters' own steps (the experiments' are not counted here) come from only two pairs, "
        "counted once for each GPU and size timed: chapter 03's `sum_masked` and `sum_strided`, and chapter 13's `gemm_column` and `gemm_vector`",
        sum(not in_order(*pair) for pair in apart()) == 6
        and {frozenset((low["kernel"], high["kernel"])) for low, high in apart() if not in_order(low, high)}
        == {frozenset(("sum_masked", "sum_strided")), frozenset(("gemm_column", "gemm_vector"))},
    ),
    (
        "off by more than half on both GPUs even today: `chase, 132 warps`, `heat_shared`, `gemm_double`, `bfs_level` and `bodies_plain`",
        far_off("h200") & far_off("h100") == {"chase, 132 warps", "heat_shared", "gemm_double", "bfs_level", "bodies_plain"},
    ),
    (
        "On average the model was even further off",
        all(mean_before("samples", machine) > mean_before("outside", machine) for machine in ("h200", "h100")),
    ),
    (
        "On average their predictions for the chapters' kernels differ by {:.1f} % from those of the measured models. The measured "
        "times are {:.1f} % away on average",
        100 * data("common/gpusim/timing/derived_accuracy.json")["known_to_measured_model"]["mean"],
        100 * data("common/gpusim/timing/derived_accuracy.json")["known"]["mean"],
    ),
    ("prints ± {:.0f} % for an H200 and ± {:.0f} % for an H100", off_outside("h200"), off_outside("h100")),
)
# SPDX-License-Identifier: MIT
