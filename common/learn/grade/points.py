"""Points for each gap of an exercise: one for each of its TODO(you).

A gap has its points if nothing was found about it. The judge stops at the first fault, race or wrong result. Then it is asked to
go on with the next test case, so that a mistake in one gap does not hide what the others are worth.
"""
from learn import judging, parts


def is_about(finding, index):
    """A finding that names no gap is about all of them."""
    return finding["gap"] in (index, None)


def of_outcomes(outcomes):
    """[{"gap", "points", "of", "reason"}] of all parts of one judgement, and the counters of each gap's kernels."""
    first = outcomes[0]
    rows = []
    for index, gap in enumerate(first.get("gaps", [])):
        about = [finding for outcome in outcomes for finding in outcome["findings"] if is_about(finding, index)]
        is_open = any(outcome["gaps"][index]["open"] for outcome in outcomes if outcome.get("gaps"))
        is_judged = all(outcome.get("gaps") for outcome in outcomes)
        earned = gap["todos"] if is_judged and not about and not is_open else 0
        reason = about[0]["message"].splitlines()[0] if about else "" if earned else "not tested"
        rows.append({"gap": gap["name"], "points": earned, "of": gap["todos"], "reason": reason,
                     "counters": counters(outcomes, gap["kernels"])})
    return rows


def counters(outcomes, kernels):
    """What was counted of these kernels, each counter once: [{"counter", "value", "limit", "at_most", "kept"}]."""
    found = {}
    for outcome in outcomes:
        for measured in outcome.get("measurements", []):
            if not measured["goal"] and measured["kernel"].startswith(tuple(kernels)):
                found.setdefault(judging.key_of(measured), measured)
    return [{"counter": f"{measured['counter']} {measured['each']}".strip(), "kernel": measured["kernel"],
             **{key: measured[key] for key in ("value", "limit", "at_most", "kept")}} for measured in found.values()]


def next_case(outcome, first):
    """The number of the test case behind the one that ended a run which began with number `first`; None if it ran to its end."""
    return None if parts.is_complete(outcome) or not outcome["test_cases"] else first + len(outcome["test_cases"])
# SPDX-License-Identifier: MIT
