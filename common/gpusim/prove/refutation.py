"""Shows that facts contradict each other, and writes down why, so that check_certificate.py can follow it without searching.

A fact is (polynomial, is_equality): the polynomial is at least 0, or is 0, for whole numbers. A clause is a list of alternatives,
each a list of facts: in one of them all hold. A proof is a tree: steps, each of which derives a fact from those before, then an
end.
"""
from fractions import Fraction
from functools import reduce
from math import ceil, floor, gcd, lcm

from . import polynomials as p
from .simplex import Simplex, Undecided

MOST_FACTS = 1500
MOST_DEPTH = 60
MOST_CUTS = 8
MOST_TERMS = 6  # of a fact that is multiplied
MOST_PRODUCTS = 8  # at a time


class GaveUp(Exception):
    """No contradiction was found. `model` has values of the variables with which the search ended, where it has."""

    def __init__(self, model=None):
        super().__init__()
        self.model = model or {}


class Facts:
    """Facts on one path through the tree, and the steps that derived them."""

    def __init__(self, facts):
        self.all = list(facts)
        self.steps = []

    def add(self, step, fact):
        self.steps.append(step)
        self.all.append(fact)
        return len(self.all) - 1

    def sum(self, parts, is_equality=False):
        """Adds the sum of multiples of facts, with the common factor of its coefficients taken out."""
        total = p.plus(*(p.scaled(self.all[i][0], c) for i, c in parts))
        common = reduce(gcd, (c for m, c in total.items() if m), 0) or 1
        if is_equality and total.get((), 0) % common:
            common = 1
        fact = p.plus({m: c // common for m, c in total.items()})
        return self.add(["sum", [[i, c] for i, c in parts], common, is_equality], (fact, is_equality))

    def times(self, i, factor):
        """Adds an equality times a polynomial."""
        return self.add(["times", i, [[list(m), c] for m, c in factor.items()]], (p.times(self.all[i][0], factor), True))

    def join_opposites(self):
        """Where a sum is at least 0 and at most 0, adds that it is 0."""
        found = {p.key(term): i for i, (term, is_equality) in enumerate(self.all) if not is_equality}
        for i, (term, is_equality) in enumerate(list(self.all)):
            j = found.get(p.key(p.scaled(term, -1)))
            if not is_equality and term and j is not None and j < i:
                self.add(["equal", i, j], (term, True))

    def product(self, i, j):
        """Adds the product of two facts that are at least 0."""
        return self.add(["product", i, j], (p.times(self.all[i][0], self.all[j][0]), False))


def contradicts(fact):
    """Whether the fact alone cannot hold."""
    term, is_equality = fact
    value = p.value_of(term)
    if value is not None:
        return value != 0 if is_equality else value < 0
    return is_equality and term.get((), 0) % reduce(gcd, (c for m, c in term.items() if m)) != 0


def choose(facts, live):
    """(equality, variable that it gives, its sign), or None. A factor of a product stays, or the product would become a sum."""
    factors = {v for i in live for m in facts.all[i][0] if len(m) > 1 for v in m}
    for i in sorted(live, key=lambda i: len(facts.all[i][0])):
        term, is_equality = facts.all[i]
        if not is_equality:
            continue
        names = [m[0] for m, c in term.items() if len(m) == 1 and abs(c) == 1 and m[0] not in factors]
        if names:
            name = min(names, key=lambda v: ("'" not in v, v))
            return i, name, term[(name,)]
    return None


def eliminate(facts, live):
    """Puts what an equality says in place of a variable, until no equality has one with coefficient 1. Returns the facts that
    are left, and the substitutions in order."""
    substitutions = []
    while found := choose(facts, live):
        e, name, sign = found
        live.remove(e)
        substitutions.append((name, p.scaled(p.minus(facts.all[e][0], {(name,): sign}), -sign)))
        for i in list(live):
            term, is_equality = facts.all[i]
            if (name,) not in term:
                continue
            live.remove(i)
            new = facts.sum([(i, 1), (e, -sign * term[name,])], is_equality)
            if contradicts(facts.all[new]):
                return [new], substitutions
            if facts.all[new][0]:
                live.append(new)
        if len(facts.all) > MOST_FACTS:
            raise GaveUp
    return live, substitutions


def tighten(facts, live):
    """Divides each inequality by the common factor of its coefficients, rounding its constant down, and keeps the strongest."""
    best = {}
    for i in live:
        term, is_equality = facts.all[i]
        common = reduce(gcd, (c for m, c in term.items() if m), 0)
        if common > 1 and not is_equality:
            i = facts.sum([(i, 1)])
            term = facts.all[i][0]
        form = (tuple(sorted((m, c) for m, c in term.items() if m)), is_equality)
        if form not in best or facts.all[best[form]][0].get((), 0) > term.get((), 0) or is_equality:
            best[form] = i
    return list(best.values())


def multiply_signs(facts, live):
    """For each product of variables that are at least 0: so is the product."""
    signs = {m[0]: i for i in live for m in facts.all[i][0] if facts.all[i] == ({m: 1}, False) and len(m) == 1}
    known = {m for i in live for m in facts.all[i][0] if facts.all[i] == ({m: 1}, False)}
    for monomial in sorted({m for i in live for m in facts.all[i][0] if len(m) > 1}):
        if monomial in known or not all(v in signs for v in monomial):
            continue
        i = signs[monomial[0]]
        for v in monomial[1:]:
            i = facts.product(i, signs[v])
        live.append(i)


def values_of(model, substitutions):
    """The model with values of the variables that were eliminated."""
    model = dict(model)
    for name, term in reversed(substitutions):
        model[name,] = evaluate(term, model)
    return model


def evaluate(term, model):
    """The value of a polynomial. A monomial of which the model has no value is the product of its variables."""
    total = Fraction(0)
    for monomial, coefficient in term.items():
        if monomial in model:
            total += coefficient * model[monomial]
            continue
        product = Fraction(coefficient)
        for name in monomial:
            product *= model.get((name,), 0)
        total += product
    return total


def holds(fact, model):
    value = evaluate(fact[0], model)
    return value == 0 if fact[1] else value >= 0


def cuts(facts, live, model):
    """Sums of two facts in which something cancels, and whose constant rounds down so far that the model breaks them."""
    found = []
    for n, i in enumerate(live):
        for j in live[n + 1:]:
            if facts.all[i][1] and facts.all[j][1]:
                continue
            for first, second in ((1, 1), (1, -1) if facts.all[j][1] else (-1, 1) if facts.all[i][1] else (0, 0)):
                one, other = p.scaled(facts.all[i][0], first), p.scaled(facts.all[j][0], second)
                if not any(m and other.get(m, 0) == -c for m, c in one.items()):
                    continue
                total = p.plus(one, other)
                common = reduce(gcd, (c for m, c in total.items() if m), 0)
                if common > 1 and total.get((), 0) % common:
                    cut = {m: c // common for m, c in total.items()}
                    if evaluate(cut, model) < 0 and cut not in [facts.all[k][0] for k in found]:
                        found.append(facts.sum([(i, first), (j, second)]))
    return found


def products(facts, live, model):
    """Facts about one factor of a product times its other factor, which is at least 0, where the model breaks the result."""
    pairs = sorted({(m[1 - k], m[k]) for i in live for m in facts.all[i][0] if len(m) == 2 for k in (0, 1)})
    known = {m for i in live for m in facts.all[i][0]}
    signs = {v: next((i for i, fact in enumerate(facts.all) if fact == ({(v,): 1}, False)), None) for _, v in pairs}
    found = []
    for x, y in pairs:
        for i in live:
            term, is_equality = facts.all[i]
            if (x,) not in term or len(term) > MOST_TERMS or any(len(m) > 1 for m in term):
                continue
            result = p.times(term, {(y,): 1})
            value = evaluate(result, model)
            if (is_equality and value) or (value < 0 and signs[y] is not None):
                found.append((sum(m not in known for m in result), len(found), i, y, is_equality))
    return [facts.times(i, {(y,): 1}) if is_equality else facts.product(i, signs[y])
            for _, _, i, y, is_equality in sorted(found)[:MOST_PRODUCTS]]


def factors_to_split(facts, live, model, used):
    """The difference of a variable of one thread and that of the other, which products have with a common factor, if the products
    do not differ as these do."""
    monomials = sorted({m for i in live for m in facts.all[i][0] if len(m) == 2})
    for n, one in enumerate(monomials):
        for other in monomials[n + 1:]:
            for common in sorted(set(one) & set(other)):
                a, b = (m[1 - m.index(common)] for m in (one, other))
                difference = {(a,): 1, (b,): -1}
                if not are_of_two_threads(a, b) or p.key(difference) in used:
                    continue
                if evaluate({one: 1, other: -1}, model) != evaluate(difference, model) * model.get((common,), 0):
                    return difference
    return None


def are_of_two_threads(a, b):
    """Whether two variables stand for the same of two threads; two sums that are multiplied do, too."""
    (one, _, first), (other, _, second) = a.partition("'"), b.partition("'")
    return first != second and (one == other or (one.startswith("factor") and other.startswith("factor")))


def split(term, branches):
    return ["split", [[list(m), c] for m, c in term.items()], branches]


def part_to_split(facts, live, model):
    """A polynomial whose value in the model is no whole number: best, a part of a fact that many values of the rest fit."""
    parts = []
    for i in live:
        term = facts.all[i][0]
        for factor in sorted({abs(c) for m, c in term.items() if m} - {1}):
            part = {m: c // factor for m, c in term.items() if m and c % factor == 0}
            if len(part) > 1 and evaluate(part, model).denominator != 1:
                parts.append(part)
    parts.sort(key=len)
    names = sorted(m for i in live for m in facts.all[i][0] if m and model.get(m, 0) != int(model.get(m, 0)))
    return parts[0] if parts else {names[0]: 1} if names else None


def pruned(steps, begin, wanted):
    """The steps on which the wanted facts depend, and the new numbers of these. Facts before `begin` were given."""
    needed, work = set(), [i for i in wanted if i >= begin]
    while work:
        i = work.pop()
        if i not in needed:
            needed.add(i)
            work += [j for j in sources(steps[i - begin]) if j >= begin]
    number = {old: begin + new for new, old in enumerate(sorted(needed))}
    name = lambda i: number.get(i, i)
    return [renumbered(steps[i - begin], name) for i in sorted(needed)], [name(i) for i in wanted]


def sources(step):
    return [i for i, _ in step[1]] if step[0] == "sum" else [step[1]] if step[0] == "times" else step[1:]


def renumbered(step, name):
    if step[0] == "sum":
        return ["sum", [[name(i), c] for i, c in step[1]], *step[2:]]
    return ["times", name(step[1]), step[2]] if step[0] == "times" else [step[0], name(step[1]), name(step[2])]


class Search:
    def __init__(self, clauses, budget, joins=False):
        """joins: whether a sum that is at least 0 and at most 0 is put in place of a variable, as bits need it."""
        self.clauses, self.budget, self.joins = clauses, budget, joins

    def refute(self, given, used=(), depth=0):
        """The proof that facts and clauses contradict each other, a dict. Raises GaveUp."""
        self.budget -= 1
        if self.budget < 0 or depth > MOST_DEPTH:
            raise GaveUp
        facts = Facts(given)
        for i, fact in enumerate(facts.all):
            if contradicts(fact):
                return {"steps": [], "keep": [], "end": ["false", i]}
        if self.joins:
            facts.join_opposites()
        live, substitutions = eliminate(facts, [i for i, fact in enumerate(facts.all) if fact[0]])
        multiply_signs(facts, live)
        live = tighten(facts, live)
        kept = []
        for _ in range(MOST_CUTS):
            last, simplex = self.contradiction(facts, live)
            if last is not None:
                steps, (last,) = pruned(facts.steps, len(given), [last])
                return {"steps": steps, "keep": [], "end": ["false", last]}
            model = simplex.values()
            found = cuts(facts, live, model) or products(facts, live, model)
            if not found:
                break
            kept += found
            live = live + found
        part = part_to_split(facts, live, model)
        factors = factors_to_split(facts, live, model, used)
        steps, keep = pruned(facts.steps, len(given), kept)
        known = given + [facts.all[i] for i in kept]
        wrong = {v for i in live for m in facts.all[i][0] if len(m) == 2 and evaluate({m: 1}, model) !=
                 model.get(m[:1], 0) * model.get(m[1:], 0) for v in m}
        end = self.branch(known, used, depth, values_of(model, substitutions), part, factors, wrong)
        return {"steps": steps, "keep": keep, "end": end}

    @staticmethod
    def contradiction(facts, live):
        """(number of a fact that cannot hold, None), or (None, the system with its solution)."""
        for i in live:
            if contradicts(facts.all[i]):
                return i, None
        simplex = Simplex([facts.all[i] for i in live])
        try:
            multipliers = simplex.contradiction()
        except Undecided:
            raise GaveUp from None
        if multipliers is None:
            return None, simplex
        scale = lcm(*(m.denominator for m in multipliers.values()))
        return facts.sum([(live[n], int(m * scale)) for n, m in multipliers.items() if m]), simplex

    def planned(self, known, plan, depth=0, used=()):
        """The proof that begins with the cases of some differences: of the next one where those before it are 0."""
        if not plan:
            return self.refute(known, used, depth)
        return {"steps": [], "keep": [], "end": self.ordered(known, used, depth, plan[0], plan[1:])}

    def ordered(self, known, used, depth, difference, then=()):
        """Splits by whether a difference is positive, negative or 0."""
        used = (*used, p.key(difference))
        above = p.minus(difference, p.constant(1))
        below = p.minus(p.scaled(difference, -1), p.constant(1))
        not_above = (p.scaled(difference, -1), False)
        first = self.refute([*known, (above, False)], used, depth + 1)
        second = self.refute([*known, not_above, (below, False)], used, depth + 1)
        third = self.planned([*known, not_above, (difference, False)], then, depth + 1, used)
        return split(above, [first, {"steps": [], "keep": [], "end": split(below, [second, third])}])

    def branch(self, known, used, depth, model, part, factors, wrong):
        """Splits cases, so that the model fits none of them. `wrong`: factors of products that have other values in the model."""
        if factors:
            return self.ordered(known, used, depth, factors)
        broken = [c for c, alternatives in enumerate(self.clauses) if c not in used
                  and not any(all(holds(f, model) for f in facts) for facts in alternatives)]
        if not broken and part is None:  # what a case says of a factor may be multiplied
            broken = [c for c, alternatives in enumerate(self.clauses) if c not in used
                      and wrong & {v for facts in alternatives for term, _ in facts for v in p.variables(term)}]
        if broken:
            c = min(broken, key=lambda c: len(self.clauses[c]))
            return ["clause", c, [self.refute(known + facts, (*used, c), depth + 1) for facts in self.clauses[c]]]
        if part is None:
            raise GaveUp({m[0]: v for m, v in model.items() if len(m) == 1})
        value = evaluate(part, model)
        above = p.minus(part, p.constant(ceil(value)))
        below = p.minus(p.constant(floor(value)), part)
        branches = [self.refute(known + [(term, False)], used, depth + 1) for term in (above, below)]
        return split(above, branches)


def refute(facts, clauses, budget=300):
    """The proof that no whole numbers satisfy the facts and the clauses. Raises GaveUp."""
    return Search(clauses, budget).refute(list(facts))
# SPDX-License-Identifier: MIT
