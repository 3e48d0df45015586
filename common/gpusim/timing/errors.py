"""How far off predicted times are: in one place for the programs, the book and the test."""

import json
import pathlib
import statistics

FAR = 0.25
# Kernels that the tutorial does not have, predicted before they were measured: tests/gpusim/fidelity/outside/NAME.cu.
COLLECTIONS = ("outside", "samples", "reuse", "pairs", "practice", "homework", "fields")
# Short launches are predicted better than long ones, so each class of duration has an error of its own. Ends of classes, ms.
CLASSES = (0.02, 0.1)


def measured_rows(unseen, collection, machine):
    """The rows of UNSEEN/COLLECTION_MACHINE.json. Empty if the collection was not measured on that GPU and has no such file."""
    file = pathlib.Path(unseen) / f"{collection}_{machine}.json"
    return json.loads(file.read_text(encoding="utf-8"))["rows"] if file.exists() else []


def by_class(launches):
    """Of (predicted, measured) in ms: their errors, by the class that the predicted time is in."""
    errors_of = [[] for _ in range(len(CLASSES) + 1)]
    for predicted, measured in launches:
        errors_of[sum(predicted >= end for end in CLASSES)].append(predicted / measured - 1)
    return errors_of


def summary(errors):
    """Of errors as parts of what was measured, whatever their sign. nine_in_ten: so many were off by no more."""
    errors = sorted(abs(error) for error in errors)
    return {
        "rows": len(errors),
        "mean": round(statistics.mean(errors), 3),
        "median": round(statistics.median(errors), 3),
        "near": round(sum(error <= FAR for error in errors) / len(errors), 3),
        "nine_in_ten": round(errors[-(-9 * len(errors) // 10) - 1], 2),
    }
# SPDX-License-Identifier: MIT
