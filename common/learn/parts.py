"""Runs a judge's test cases in parts at the same time, and joins the outcomes to one.

The outcome is the one of a judge that runs them one after another: it stops at the first fault, hazard or wrong result, and
later test cases may ask what earlier ones found. So only the parts before the first that found anything count; if that
part's finding would not have ended the run, all is judged again in one part.
"""
import itertools

ENDS = ("fault", "hazard", "wrong_result")
MOST = 4  # parts at the same time; no test case is divided


def ranges_of(seconds, parts):
    """Ranges [(first, last)] of test cases, counted from 1 and contiguous, so that the longest part is as short as possible."""
    cases = len(seconds)
    cuts = min(itertools.combinations(range(1, cases), min(parts, cases) - 1),
               key=lambda cut: max(sum(seconds[a:b]) for a, b in itertools.pairwise([0, *cut, cases])))
    return [(first + 1, last) for first, last in itertools.pairwise([0, *cuts, cases])]


def is_complete(outcome):
    """Whether this part ran to its end: no finding ended it early."""
    return not any(finding["kind"] in ENDS for finding in outcome.get("findings", []))


def joined(outcomes):
    """The outcome of all parts together; None if only a run in one part can tell."""
    found = next((at for at, outcome in enumerate(outcomes) if outcome["findings"]), len(outcomes) - 1)
    deciding = outcomes[found]
    if is_complete(deciding) and found < len(outcomes) - 1:
        return None
    together = dict(deciding)
    for key in ("test_cases", "measurements"):
        together[key] = [entry for outcome in outcomes[:found + 1] for entry in outcome[key]]
    return together
# SPDX-License-Identifier: MIT
