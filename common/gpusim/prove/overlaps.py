# SPDX-License-Identifier: MIT
"""Shows that two threads do not touch the same byte. A proof of that is short if it begins with the right cases: two places in a
matrix are equal only if their rows are, and two numbers only if their digits are."""
from math import gcd

from . import polynomials as p
from .refutation import GaveUp, Search

MOST_NEAR = 60  # nodes of a search among the nearest facts
MOST_TRIED = 30  # nodes of a search that begins with a digit


def refute_overlap(facts, clauses, names, budget):
    """The same where two threads touch the same byte, as the last two facts say: (facts, clauses, proof), of which the first
    two are those that the proof uses. It tries facts about the variables `names` first, which are often enough, and begins
    with the cases of a difference that may have to be 0."""
    bits = orders_of_bits(facts)
    if bits:
        names = names.union(*(m for m in (p.variables(t) for t, _ in facts) if any(v.startswith(("xor", "bit.")) for v in m)))
    near = near_to(names, facts, clauses)
    factors, digits = differences_in(facts[-1][0]), digits_in(facts[-1][0])
    before = ("number", "quotient") if bits else ("number",)
    numbers = [{(v,): 1, (v[:-1] + "2",): -1} for v in sorted(names)
               if v.startswith(before) and v.endswith("'1") and v[:-1] + "2" in names]
    first = [factors[:1]] if factors else [[d] for d in digits] if bits else [[], *([d] for d in digits)]
    most = MOST_NEAR if factors or bits else MOST_TRIED
    ways = [(near, most, plan + numbers + order) for order in bits or [[]] for plan in first]
    for (some_facts, some_clauses), most, plan in [*ways, ((facts, clauses), budget, factors[:1])]:
        try:
            return some_facts, some_clauses, Search(some_clauses, most, bool(bits)).planned(list(some_facts), plan)
        except GaveUp as error:
            last = error
    raise last


def orders_of_bits(facts):
    """Orders in which to compare the bits of a ^ b, of two threads: those of a first, from the lowest on, then those of b and of
    a & b; and those of b first."""
    names = {v for t, _ in facts for v in p.variables(t)}
    rows = {}
    for role in ("xor", "bit.a", "bit.b", "bit.c"):
        one, other = (sorted((v for v in names if v.startswith(role) and v.endswith(suffix)), key=place_of_bit)
                      for suffix in ("'1", "'2"))
        if not one or len(one) != len(other):
            return []
        rows[role] = [{(a,): 1, (b,): -1} for a, b in zip(one, other)]
    both = [list(zip(rows[role], rows["bit.c"])) for role in ("bit.b", "bit.a")]
    return [rows["xor"] + rows[role] + [d for pair in pairs for d in pair] for role, pairs in zip(("bit.a", "bit.b"), both)]


def place_of_bit(name):
    """How to sort bits: bit.a.3.61'1 by its place 3."""
    return int(name.split(".")[2]) if name.startswith("bit.") else 0


def differences_in(term):
    """What a variable is multiplied with, where that is the difference of sums of two threads."""
    found = []
    for common in sorted({v for m in term if len(m) > 1 for v in m}):
        part = {without(m, common): c for m, c in term.items() if common in m}
        suffixes = {v[-2:] for m in part for v in m if v.startswith("factor")}
        if {"'1", "'2"} <= suffixes:
            largest = gcd(*part.values())
            found.append({m: c // largest for m, c in part.items()})
    return found


def without(monomial, name):
    at = monomial.index(name)
    return monomial[:at] + monomial[at + 1:]


def digits_in(term):
    """Differences of two threads' digits: a sum that is close to 0 is digit * step + rest, where the rest may be smaller than a
    step. Each coefficient may be the step. And a quotient of one thread and that of the other."""
    steps = sorted({abs(c) for m, c in term.items() if m})
    found = [{m: digit for m, c in term.items() if m and (digit := (2 * c + step) // (2 * step))} for step in steps
             if any(c % step for m, c in term.items() if m)]
    quotients = [m[0] for m in term if len(m) == 1 and m[0].startswith(("quotient", "xor")) and m[0].endswith("'1")]
    found += [{(a,): 1, (a[:-1] + "2",): -1} for a in sorted(quotients)]
    return [d for n, d in enumerate(found) if len(d) > 1 and d not in found[:n]]


def near_to(names, facts, clauses):
    """Facts and clauses that have one of the variables, and no variable further than one fact away from them."""
    every = [[[fact]] for fact in facts] + clauses
    mentioned = [{v for f in c for t, _ in f for v in p.variables(t)} for c in every]
    around = names.union(*(m for m in mentioned if m & names))
    every = [c for c, m in zip(every, mentioned) if m & names and m <= around]
    return [c[0][0] for c in every if len(c) == 1], [c for c in every if len(c) > 1]
