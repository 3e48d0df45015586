"""Does a system of linear inequalities have a solution in rational numbers? If not, which multiples of them add up to a
contradiction?

The simplex algorithm for bounds of sums (Dutertre and de Moura, "A Fast Linear-Arithmetic Solver for DPLL(T)", 2006), with
Bland's rule: so it ends. All numbers in the table are whole: a row has a common denominator, and a variable without a row
lies at 0 or at a bound, which are whole.
"""
from fractions import Fraction
from math import gcd

MOST_PIVOTS = 400


class Undecided(Exception):
    """More pivots than allowed."""


class Simplex:
    """Each inequality is a row: its basic variable is the sum without the constant, and has a bound."""

    def __init__(self, inequalities):
        """inequalities: (polynomial, is_equality); a monomial counts as a variable."""
        self.rows = {}  # basic variable: {nonbasic variable: factor}, all of them to be divided by
        self.under = {}  # basic variable: the denominator, which is positive
        self.sums = {}  # basic variable: its value times the denominator
        self.low, self.high, self.at = {}, {}, {}  # at: the values of nonbasic variables
        self.count = len(inequalities)
        for number, (term, is_equality) in enumerate(inequalities):
            row = {monomial: c for monomial, c in term.items() if monomial}
            self.at.update(dict.fromkeys(row, 0))
            self.rows[number], self.under[number], self.sums[number], self.low[number] = row, 1, 0, -term.get((), 0)
            if is_equality:
                self.high[number] = self.low[number]

    @staticmethod
    def order(name):
        return (0, name, ()) if isinstance(name, int) else (1, 0, name)

    def broken(self):
        """The first basic variable that is beyond a bound, and whether it is too low, or None."""
        for name in sorted(name for name in self.rows if isinstance(name, int)):  # a monomial has no bound
            total, under = self.sums[name], self.under[name]
            if total < self.low[name] * under:
                return name, True
            if name in self.high and total > self.high[name] * under:
                return name, False
        return None

    def may_rise(self, name):
        return name not in self.high or self.at[name] < self.high[name]

    def may_fall(self, name):
        return name not in self.low or self.at[name] > self.low[name]

    def pivot(self, basic, other, target):
        """Moves `basic` to `target`, and exchanges it with the nonbasic variable `other`."""
        row, under, _ = self.rows.pop(basic), self.under.pop(basic), self.sums.pop(basic)
        factor = row.pop(other)
        sign = 1 if factor > 0 else -1
        self.at[basic] = target
        del self.at[other]
        inverse = {name: -sign * c for name, c in row.items()}
        inverse[basic] = sign * under
        factor = abs(factor)
        for name, entries in self.rows.items():
            c = entries.pop(other, None)
            if c is not None:
                self.put(name, {n: factor * e for n, e in entries.items()}, c, inverse, self.under[name] * factor)
        self.put(other, {}, 1, inverse, factor)

    def put(self, name, entries, c, more, under):
        """Makes a row: (entries + c * more) / under."""
        for column, d in more.items():
            total = entries.get(column, 0) + c * d
            if total:
                entries[column] = total
            else:
                del entries[column]
        common = gcd(under, *entries.values())
        if common > 1:
            entries, under = {n: e // common for n, e in entries.items()}, under // common
        at = self.at
        self.rows[name], self.under[name], self.sums[name] = entries, under, sum(e * at[n] for n, e in entries.items())

    def values(self):
        """{monomial: its value}"""
        found = {m: Fraction(v) for m, v in self.at.items() if isinstance(m, tuple)}
        return found | {m: Fraction(self.sums[m], self.under[m]) for m in self.rows if isinstance(m, tuple)}

    def contradiction(self):
        """{number of an inequality: multiplier}, or None if there is a solution, which values() then gives."""
        for _ in range(MOST_PIVOTS):
            found = self.broken()
            if found is None:
                return None
            name, low = found
            row = self.rows[name]
            fit = [n for n, c in row.items() if (self.may_rise(n) if (c > 0) == low else self.may_fall(n))]
            if not fit:
                sign = 1 if low else -1
                return {name: Fraction(sign)} | {n: Fraction(-sign * c, self.under[name]) for n, c in row.items()}
            self.pivot(name, min(fit, key=self.order), self.low[name] if low else self.high[name])
        raise Undecided
# SPDX-License-Identifier: MIT
