"""A judge's test cases in parts that run at the same time, and one outcome made of theirs.

The outcome is the one of a judge that runs them one after another: it stops at the first fault, hazard or wrong result, and
later test cases may ask what earlier ones found. So only the parts before the first that found anything count; if that
part's finding would not have ended the run, all is judged again in one part.
"""
import itertools

ENDS = ("fault", "hazard", "wrong_result")
MOST = 4  # parts; a test case is not divided


def ranges_of(seconds, parts):
    """[(first, last)], from 1, contiguous, so that the longest part is as short as can be."""
    cases = len(seconds)
    cuts = min(itertools.combinations(range(1, cases), min(parts, cases) - 1),
               key=lambda cut: max(sum(seconds[a:b]) for a, b in itertools.pairwise([0, *cut, cases])))
    return [(first + 1, last) for first, last in itertools.pairwise([0, *cuts, cases])]


def is_complete(outcome):
    """Whether a run of this part went to its end: nothing that it found ended it."""
    return not any(finding["kind"] in ENDS for finding in outcome.get("findings", []))


def joined(outcomes):
    """The outcome of all parts; None where only one run in one part can tell."""
    found = next((at for at, outcome in enumerate(outcomes) if outcome["findings"]), len(outcomes) - 1)
    deciding = outcomes[found]
    if is_complete(deciding) and found < len(outcomes) - 1:
        return None
    together = dict(deciding)
    for key in ("test_cases", "measurements"):
        together[key] = [entry for outcome in outcomes[:found + 1] for entry in outcome[key]]
    return together
