"""Points for each gap of an exercise: one for each of its TODO(you).

A gap has its points if the judge has run to its end and found nothing about it. But a fault, a race or a wrong result ends
the judge. So that one gap does not hide what the others are worth, the kernels of that gap are then replaced by the solution's,
and the judge runs again (judge.py).
"""
import re

from learn import judging, parts

MET = re.compile(r"met by (\w+)")  # what the judge was about to do when a check found something


def gap_of(finding, gaps):
    """Index of the gap that a finding is about; None: that is not known."""
    if finding["gap"] is not None:
        return finding["gap"]
    met = MET.findall(finding["message"])
    return next((at for at, gap in enumerate(gaps) if met and met[-1] in gap["kernels"]), None)


def first_line(finding):
    return finding["message"].partition("\n")[0]


def ending(outcome):
    """The finding that has ended a judge early, or None."""
    return next((finding for finding in outcome["findings"] if finding["kind"] in parts.ENDS), None)


def of_runs(outcomes, failed):
    """[{"gap", "points", "of", "reason", "counters"}] of all runs of the judge. failed: {index of a gap: why it has failed}."""
    first, last = outcomes[0], outcomes[-1]
    is_complete = bool(last["gaps"]) and ending(last) is None
    rows = []
    for index, gap in enumerate(first["gaps"]):
        run = first if index in failed else last
        about = [finding for finding in run["findings"] if gap_of(finding, first["gaps"]) in (index, None)]
        is_open = not is_complete or index in failed or bool(about) or last["gaps"][index]["open"]
        reason = failed.get(index) or (first_line(about[0]) if about else "not tested" if is_open else "")
        rows.append({"gap": gap["name"], "points": 0 if is_open else gap["todos"], "of": gap["todos"], "reason": reason,
                     "counters": counters(run, gap["kernels"])})
    return rows


def counters(outcome, kernels):
    """What was counted of these kernels, each counter once: [{"kernel", "counter", "value", "limit", "at_most", "kept"}]."""
    found = {}
    for measured in outcome["measurements"]:
        if not measured["goal"] and measured["kernel"].startswith(tuple(kernels)):
            found.setdefault(judging.key_of(measured), measured)
    return [{"kernel": measured["kernel"], "counter": f"{measured['counter']} {measured['each']}".strip(),
             **{key: measured[key] for key in ("value", "limit", "at_most", "kept")}} for measured in found.values()]
# SPDX-License-Identifier: MIT
