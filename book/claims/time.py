"""What the page `time` says in numbers."""

import tables_time
from claims.shared import claims_of
from measured import data

def nine_in_ten_by_class(machine):
    """By how much nine in ten predictions of the tests were off at most, before they were measured: the shortest launches first."""
    rows = [row for name in tables_time.accuracy.COLLECTIONS for row in tables_time.measured_of(name, machine)]
    classes = tables_time.accuracy.by_class((row["predicted_before"], row["milliseconds"]) for row in rows)
    return [tables_time.accuracy.summary(errors)["nine_in_ten"] for errors in classes]


def mean_before(name, machine):
    """By how much the predictions of one of the tests were off on average, before they were measured."""
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


CLAIMS = claims_of(
    "time",
    ("average the predictions are off by {:.0f} %", 100 * data("common/gpusim/timing/accuracy.json")["all"]["mean"]),
    (
        "The four wrong answers among the chapters' own steps (the experiments' are not counted here) come from three pairs, "
        "counted once for each GPU and size timed: chapter 11's `transpose_vector` with `transpose_padded` and with "
        "`transpose_swizzled`, and chapter 13's `gemm_column` and `gemm_vector`",
        sum(not in_order(*pair) for pair in apart()) == 4
        and {frozenset((low["kernel"], high["kernel"])) for low, high in apart() if not in_order(low, high)}
        == {
            frozenset(("transpose_vector", "transpose_padded")),
            frozenset(("transpose_vector", "transpose_swizzled")),
            frozenset(("gemm_column", "gemm_vector")),
        },
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
    (
        "Short launches are predicted better than long ones",
        all(errors == sorted(errors) for errors in map(nine_in_ten_by_class, ("h200", "h100"))),
    ),
)
# SPDX-License-Identifier: MIT
