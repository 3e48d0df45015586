"""What a register of the one symbolic thread holds, and what is known of the variables in it.

A whole number is a polynomial that equals the register modulo 2 to the power of its bits. Whatever does not fit is a new variable
with a definition: clauses that hold for every value. So nothing is assumed that the instruction does not say.
"""
from dataclasses import dataclass
from itertools import product

from . import polynomials as p
from .refutation import GaveUp, refute

MOST_ALTERNATIVES = 16

# On what a variable or a condition depends. Two threads share what does not depend on the thread, two blocks what does not
# depend on the block, and two rounds of a loop what does not depend on the round.
THREAD, BLOCK, ROUND = "thread", "block", "round"
INDICES = ("tid.x", "tid.y", "tid.z")


@dataclass(frozen=True)
class Opaque:
    """A value of which nothing is known: a float, or loaded. `data`: it may come from memory."""
    data: bool
    depends: frozenset = frozenset()
    why: str = "a value that is not understood"


class Whole:
    def __init__(self, term):
        self.term = term

    def __eq__(self, other):
        return isinstance(other, Whole) and self.term == other.term

    __hash__ = None


@dataclass
class Condition:
    """Alternatives of facts for either answer. `raw`: the facts as they would be without wrap-around, to guess invariants."""
    yes: list
    no: list
    depends: frozenset
    data: bool = False
    why: str = ""
    raw: tuple = ([], [])

    def is_known(self):
        """True or False if the condition has one answer, else None."""
        return True if not self.no else False if not self.yes else None

    def opposite(self):
        return Condition(self.no, self.yes, self.depends, self.data, self.why, self.raw[::-1])


def simplified(alternatives):
    """Without facts that always hold, and without alternatives that never do. Too many: one without facts."""
    kept = []
    for facts in alternatives:
        rest = []
        for term, is_equality in facts:
            value = p.value_of(term)
            if value is None:
                rest.append((term, is_equality))
            elif (value != 0) if is_equality else (value < 0):
                break
        else:
            kept.append(rest)
    return [[]] if len(kept) > MOST_ALTERNATIVES else kept


def both(one, other):
    return simplified([a + b for a, b in product(one, other)])


def at_least(left, right):
    """left >= right"""
    return (p.minus(left, right), False)


def less(left, right):
    return (p.minus(p.minus(right, left), p.constant(1)), False)


def equal(left, right):
    return (p.minus(left, right), True)


def opposite(fact):
    """The fact that an inequality does not hold."""
    return (p.minus(p.constant(-1), fact[0]), False)


@dataclass
class Definition:
    clauses: list
    depends: frozenset
    formula: tuple = ()  # how to compute it: ("quotient" or "remainder", polynomial, whole number)


class Symbols:
    """The variables of a kernel, and lemmas: facts that were proved on the way."""

    def __init__(self, contract):
        self.definitions = {}
        self.known = {}  # of an operation: its variable
        self.answers = {}
        self.lanes = {}  # of a mask: the number of its lanes, which are the first of a warp
        self.lemmas = []
        self.contract = contract
        for name, (clauses, depends) in contract.variables.items():
            self.define(name, clauses, depends)

    def define(self, name, clauses, depends, formula=()):
        self.definitions[name] = Definition(clauses, frozenset(depends), formula)
        return p.variable(name)

    def new(self, kind, clauses_of, depends, key=None, formula=()):
        """A new variable, or the one that the same operation has got before."""
        if key in self.known and key is not None:
            return p.variable(self.known[key])
        name = f"{kind}{len(self.definitions)}"
        self.define(name, [], depends, formula)
        self.definitions[name].clauses = clauses_of(p.variable(name))
        if key is not None:
            self.known[key] = name
        return p.variable(name)

    def depends(self, *terms):
        return frozenset().union(*(self.definitions[v].depends for t in terms for v in p.variables(t)))

    def relevant(self, terms, path):
        """(facts, clauses) of the definitions, the path and the contract that have to do with the variables of the terms."""
        names, work = set(), {v for t in terms for v in p.variables(t)}
        clauses, waiting = [], list(path) + self.contract.clauses
        while work:
            names |= work
            found = [c for v in sorted(work) for c in self.definitions[v].clauses]
            near = [c for c in waiting if any(p.variables(t) & names for facts in c for t, _ in facts)]
            waiting = [c for c in waiting if not any(c is n for n in near)]
            clauses += found + near
            work = {v for c in found + near for facts in c for t, _ in facts for v in p.variables(t)} - names
        return flattened(clauses)

    @staticmethod
    def is_free(term, facts, clauses):
        """Whether a variable of the term may be any number, because nothing is said of it. Then nothing follows of the term."""
        every = facts + [fact for clause in clauses for alternative in clause for fact in alternative]
        said = {v for t, _ in every for v in p.variables(t)}
        return any(len(m) == 1 and m[0] not in said and sum(m[0] in other for other in term) == 1 for m in term if m)

    def proves(self, fact, path, budget=24):
        """Whether an inequality follows. The proof is kept as a lemma."""
        value = p.value_of(fact[0])
        if value is not None:
            return value >= 0
        facts, clauses = self.relevant([fact[0]], path)
        if self.is_free(fact[0], facts, clauses):
            return False
        facts.append(opposite(fact))
        key = (tuple((p.key(t), e) for t, e in facts), str(clauses))
        if key not in self.answers:
            try:
                proof = refute(facts, clauses, budget)
                self.lemmas.append({"shows": fact, "facts": facts, "clauses": clauses, "proof": proof})
                self.answers[key] = True
            except GaveUp:
                self.answers[key] = False
        return self.answers[key]


def flattened(clauses):
    """(facts, clauses with more than one alternative); each once."""
    facts, rest, seen = [], [], set()
    for clause in clauses:
        key = str(clause)
        if key in seen:
            continue
        seen.add(key)
        if len(clause) == 1:
            facts += clause[0]
        else:
            rest.append(clause)
    once = {(p.key(t), e): (t, e) for t, e in facts}
    return list(once.values()), rest


class Arithmetic:
    """Operations on whole numbers of registers, exactly as the machine does them."""

    def __init__(self, symbols, path):
        self.symbols, self.path = symbols, path
        self.learned = []  # clauses that follow from the path, worth to be remembered

    def proves(self, fact):
        return self.symbols.proves(fact, self.path)

    def within(self, term, low, high):
        return self.proves(at_least(term, p.constant(low))) and self.proves(at_least(p.constant(high), term))

    def interpreted(self, term, bits, signed):
        """The number that the bits of a register mean."""
        low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
        value = p.value_of(term)
        if value is not None:
            return p.constant((value - low) % (1 << bits) + low)
        if self.within(term, low, high):
            return term
        depends = self.symbols.depends(term)
        turns = self.symbols.new("turns", lambda v: [], depends, ("turns", p.key(term), bits, signed))
        wrapped = p.minus(term, p.scaled(turns, 1 << bits))
        name = next(iter(p.variables(turns)))
        self.symbols.definitions[name].clauses = [[[at_least(wrapped, p.constant(low))]], [[at_least(p.constant(high), wrapped)]]]
        return wrapped

    def divided(self, term, by):
        """(quotient, remainder) of a number that is at least 0, or of any one if rounded down, by a positive whole number."""
        value = p.value_of(term)
        if value is not None:
            return p.constant(value // by), p.constant(value % by)
        whole = {m: c // by for m, c in term.items() if c % by == 0}
        rest = p.minus(term, p.scaled(whole, by))
        if p.value_of(rest) is not None:
            return p.plus(whole, p.constant(rest.get((), 0) // by)), p.constant(rest.get((), 0) % by)
        if whole:
            q, remainder = self.divided(rest, by)
            return p.plus(whole, q), remainder
        if self.within(term, 0, by - 1):
            return {}, term
        inner = self.quotient_of(term)
        if inner:  # a quotient of a quotient
            q = self.divided(inner[0], inner[1] * by)[0]
            return q, p.minus(term, p.scaled(q, by))
        depends = self.symbols.depends(term)
        known = [(p.variable(name), key[2]) for key, name in self.symbols.known.items() if key[:2] == ("divided", p.key(term))]

        def clauses(q):
            rests = [(p.minus(term, p.scaled(q, by)), by)]
            for other, step in known:  # what follows of the two quotients is hard to find
                if by % step == 0:
                    rests.append((p.minus(other, p.scaled(q, by // step)), by // step))
                elif step % by == 0:
                    rests.append((p.minus(q, p.scaled(other, step // by)), step // by))
            return [clause for rest, step in rests for clause in ([[at_least(rest, {})]], [[less(rest, p.constant(step))]])]

        q = self.symbols.new("quotient", clauses, depends, ("divided", p.key(term), by), ("quotient", term, by))
        return q, p.minus(term, p.scaled(q, by))

    def first_lanes(self, gone):
        """The mask 0xffffffff >> gone, or None if that may be 0 or the threads may have different ones."""
        always = Arithmetic(self.symbols, [])
        if self.symbols.depends(gone) or not always.within(gone, 0, 31):
            return None
        clauses = lambda v: [[[at_least(v, {})]], [[at_least(p.constant((1 << 32) - 1), v)]]]
        mask = self.symbols.new("mask", clauses, (), ("mask", p.key(gone)))
        self.symbols.lanes[next(iter(p.variables(mask)))] = p.minus(p.constant(32), gone)
        return mask

    def quotient_of(self, term):
        """(dividend, divisor) of a variable that is a quotient, or None."""
        name = next(iter(p.variables(term))) if len(p.variables(term)) == 1 else None
        formula = self.symbols.definitions[name].formula if name and term == p.variable(name) else ()
        return formula[1:] if formula and formula[0] == "quotient" else None

    def exclusive_or(self, a, b, most_bits=10):
        """a ^ b of two numbers that are below a power of two on every path, or None. A bit of it is a + b - 2 * (a & b)."""
        always = Arithmetic(self.symbols, [])
        count = next((n for n in range(1, most_bits + 1) if all(always.within(t, 0, (1 << n) - 1) for t in (a, b))), None)
        if count is None:
            return None
        depends = self.symbols.depends(a, b)
        key = p.key(a), p.key(b)
        on = {"a": self.symbols.depends(a), "b": self.symbols.depends(b), "c": depends}
        bits = [[self.bit(role, i, of, key) for i in range(count)] for role, of in on.items()]

        def clauses(v):
            total_a, total_b, common = (p.plus(*(p.scaled(bit, 1 << i) for i, bit in enumerate(row))) for row in bits)
            facts = [equal(a, total_a), equal(b, total_b), equal(v, p.minus(p.plus(a, b), p.scaled(common, 2))),
                     at_least(v, {}), at_least(p.constant((1 << count) - 1), v)]
            for one, other, both_set in zip(*bits):
                facts += [at_least(one, both_set), at_least(other, both_set), less(p.plus(one, other, p.constant(-2)), both_set)]
            return [[[fact]] for fact in facts]

        return self.symbols.new("xor", clauses, depends, ("xor", *key))

    def bit(self, role, i, depends, key):
        clauses = lambda v: [[[at_least(v, {})]], [[at_least(p.constant(1), v)]]]
        return self.symbols.new(f"bit.{role}.{i}.", clauses, depends, ("bit", role, i, *key))

    def named(self, term):
        """A variable for a factor of a product, if that is a sum. Learns whether it is at least 0, and below a parameter."""
        if len(term) < 2:
            return term
        clauses = lambda v: [[[equal(v, term)]]]
        factor = self.symbols.new("factor", clauses, self.symbols.depends(term), ("factor", p.key(term)))
        bounds = [name for name in self.symbols.contract.numbers if self.are_compared(name, term)]
        facts = [(factor, False), *(less(factor, p.variable(name)) for name in bounds)]
        self.learned += [[[fact]] for fact in facts if self.proves(fact)]
        return factor

    def are_compared(self, name, term):
        """Whether a fact of the path, or of a definition, mentions a parameter and all of a sum. To ask for others takes long."""
        clauses = self.path + [c for v in p.variables(term) for c in self.symbols.definitions[v].clauses]
        return any((name,) in t and all(m in t for m in term if m) for c in clauses for facts in c for t, _ in facts)

    def same_in_contract(self, term):
        """A variable of the contract that equals the polynomial, if that is the same for all threads; else the polynomial."""
        names = self.symbols.contract.variables.keys()
        if self.symbols.depends(term) or p.value_of(term) is not None or p.variables(term) <= names:
            return term
        for name in self.symbols.contract.variables:
            other = p.variable(name)
            if self.symbols.definitions[name].depends:
                continue
            if self.proves(at_least(other, term)) and self.proves(at_least(term, other)):
                return other
        return term

    def divided_by_term(self, term, by):
        """The same for a divisor that is no constant, or None if it may not be positive, or the term may be negative."""
        by = self.same_in_contract(by)
        if not (self.proves(at_least(by, p.constant(1))) and self.proves(at_least(term, {}))):
            return None
        depends = self.symbols.depends(term, by)

        def clauses(q):
            rest = p.minus(term, p.times(q, by))
            positive = [[[at_least(by, {})]], [[at_least(by, p.constant(1))]]]
            return [[[at_least(q, {})]], [[at_least(rest, {})]], [[less(rest, by)]], *positive]

        # That the divisor is positive is known on this path only, so what follows from it is no definition of the quotient.
        q = self.symbols.new("quotient", lambda v: [], depends, ("divided by", p.key(term), p.key(by)))
        self.learned += clauses(q)
        self.path = [*self.path, *clauses(q)]
        for name in self.multiplied_with(by):
            below = less(q, p.variable(name))
            if self.proves(below):
                self.learned.append([[below]])
        return q, p.minus(term, p.times(q, by))

    def multiplied_with(self, by):
        """Variables of the contract whose product with a divisor is mentioned: a quotient is below one of them, if below any. To
        ask for others takes long."""
        clauses = self.path + self.symbols.contract.clauses
        found = {m for c in clauses for facts in c for t, _ in facts for m in t if len(m) == 2}
        names = [n for n in self.symbols.contract.variables if not self.symbols.definitions[n].depends]
        return [n for n in names if any(tuple(sorted((n, v))) in found for v in p.variables(by))]

    def chosen(self, condition, yes, no):
        """One of two numbers, as the condition says."""
        known = condition.is_known()
        if known is not None:
            return yes if known else no
        if yes == no:
            return yes

        def clauses(v):
            return [[facts + [equal(v, yes)] for facts in condition.yes] + [facts + [equal(v, no)] for facts in condition.no]]

        key = ("chosen", p.key(yes), p.key(no), str(condition.yes), str(condition.no))
        if [] in condition.yes or [] in condition.no:  # not understood: another one that looks the same may differ
            key = None
        return self.symbols.new("chosen", clauses, self.symbols.depends(yes, no) | condition.depends, key)

    def compared(self, how, left, right, bits, signed):
        """The condition `left how right`."""
        raw = compared_facts(how, left, right)
        if how in ("eq", "ne") and p.value_of(p.minus(left, right)) is None:
            signed = not all(self.within(t, 0, (1 << bits) - 1) for t in (left, right))
        left, right = (self.interpreted(t, bits, signed) for t in (left, right))
        yes, no = compared_facts(how, left, right)
        if p.variables(p.minus(left, right)) <= set(INDICES) and len(yes) == len(no) == 1:  # often the same for all threads
            yes, no = ([[]], []) if self.proves(yes[0][0]) else ([], [[]]) if self.proves(no[0][0]) else (yes, no)
        return Condition(simplified(yes), simplified(no), self.symbols.depends(left, right), raw=raw)


def compared_facts(how, left, right):
    how = {"lo": "lt", "ls": "le", "hi": "gt", "hs": "ge"}.get(how, how)
    if how in ("gt", "ge"):
        left, right, how = right, left, {"gt": "lt", "ge": "le"}[how]
    if how == "lt":
        return [[less(left, right)]], [[at_least(left, right)]]
    if how == "le":
        return [[at_least(right, left)]], [[less(right, left)]]
    same, different = [[equal(left, right)]], [[less(left, right)], [less(right, left)]]
    return (same, different) if how == "eq" else (different, same)
# SPDX-License-Identifier: MIT
