# SPDX-License-Identifier: MIT
"""Accesses that differ only in whole numbers, as those of an unrolled loop do, become one access: each of the numbers becomes a
variable between the least and the largest. What holds for all its values holds for each of the accesses, and one proof for a
pair of families stands for thousands of pairs.
"""
from dataclasses import replace
from math import gcd

from . import polynomials as p
from .values import BLOCK, ROUND, THREAD, at_least

MOST_PAIRS = 300  # that are proved one by one
MOST_NUMBERS = 3


def families_of(thread):
    """The accesses, with families in place of their members."""
    if len(thread.accesses) ** 2 < 2 * MOST_PAIRS:
        return thread.accesses
    groups = {}
    for access in thread.accesses:
        groups.setdefault(form(thread.symbols, access), []).append(access)
    return [one for group in groups.values() for one in (family(thread.symbols, group) if len(group) > 1 else group)]


def apart(accesses, numbers):
    """The accesses, with the members of some families in place of them."""
    return [one for n, access in enumerate(accesses)
            for one in ([member for member, _ in access.members] if n in numbers and access.members else [access])]


def form(symbols, access):
    """What members of a family have in common."""
    offset = frozenset((m, c) for m, c in access.offset.items() if symbols.depends({m: c}))
    clauses = tuple(tuple(tuple((frozenset(t) - {()}, e) for t, e in facts) for facts in clause) for clause in access.clauses)
    return access.kind, access.space, access.array, access.width, access.segments, access.warp_segments, offset, clauses


def terms_of(access):
    return [access.offset, *(t for clause in access.clauses for facts in clause for t, _ in facts)]


def family(symbols, group):
    """[the family] or, if it takes too many numbers to tell its members apart, the members."""
    columns = list(zip(*map(terms_of, group)))
    numbers, found = [], []  # the value of each number in all members; for each term {monomial: (number, factor, summand)}
    for column in columns:
        parts = {}
        for monomial in sorted(set().union(*column)):
            parts[monomial] = place_of([term.get(monomial, 0) for term in column], numbers)
        found.append(parts)
    if len(numbers) > MOST_NUMBERS:
        return group
    # Families share their variables, of which each thread has its own.
    variables = [symbols.new("number", lambda v: [], {THREAD, BLOCK, ROUND}, ("number", n)) for n in range(len(numbers))]
    terms = iter([p.plus(*(p.times({monomial: 1}, p.plus(p.constant(summand), p.scaled(variables[n], factor) if factor else {}))
                           for monomial, (n, factor, summand) in parts.items())) for parts in found])
    offset = next(terms)
    clauses = [[[(next(terms), e) for _, e in facts] for facts in clause] for clause in group[0].clauses]
    for variable, values in zip(variables, numbers):
        clauses += [[[(variable, False)]], [[at_least(p.constant(max(values)), variable)]]]
    names = [next(iter(p.variables(variable))) for variable in variables]
    values = zip(*numbers) if numbers else [()] * len(group)
    members = [(access, dict(zip(names, of))) for access, of in zip(group, values)]
    return [replace(group[0], offset=offset, clauses=clauses, members=members)]


def place_of(values, numbers):
    """(number, factor, summand) of a coefficient's values in the members; makes a new number if none fits."""
    if len(set(values)) == 1:
        return 0, 0, values[0]
    for n, known in enumerate(numbers):
        i = next(i for i, value in enumerate(known) if value != known[0])
        factor = (values[i] - values[0]) // (known[i] - known[0])
        summand = values[0] - factor * known[0]
        if factor and all(value == factor * one + summand for value, one in zip(values, known)):
            return n, factor, summand
    step = gcd(*(value - values[0] for value in values))
    numbers.append([(value - min(values)) // step for value in values])
    return len(numbers) - 1, step, min(values)
