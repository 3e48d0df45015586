"""Does a system of linear inequalities have a solution in rational numbers? If not, which multiples of them add up to a
contradiction?

The simplex algorithm for bounds of sums (Dutertre and de Moura, "A Fast Linear-Arithmetic Solver for DPLL(T)", 2006), in exact
fractions, with Bland's rule: so it ends.
"""
from fractions import Fraction

MOST_PIVOTS = 400


class Undecided(Exception):
    """More pivots than allowed."""


class Simplex:
    """Each inequality is a row: its basic variable is the sum without the constant, and has a bound."""

    def __init__(self, inequalities):
        """inequalities: (polynomial, is_equality); a monomial counts as a variable."""
        self.rows = {}  # basic variable: {nonbasic variable: factor}
        self.low, self.high, self.value = {}, {}, {}
        for number, (term, is_equality) in enumerate(inequalities):
            row = {monomial: Fraction(c) for monomial, c in term.items() if monomial}
            for monomial in row:
                self.value[monomial] = Fraction(0)
            bound = Fraction(-term.get((), 0))
            self.rows[number], self.value[number], self.low[number] = row, Fraction(0), bound
            if is_equality:
                self.high[number] = bound

    @staticmethod
    def order(name):
        return (0, name, ()) if isinstance(name, int) else (1, 0, name)

    def too_low(self, name):
        return name in self.low and self.value[name] < self.low[name]

    def too_high(self, name):
        return name in self.high and self.value[name] > self.high[name]

    def may_rise(self, name):
        return name not in self.high or self.value[name] < self.high[name]

    def may_fall(self, name):
        return name not in self.low or self.value[name] > self.low[name]

    def pivot(self, basic, other, target):
        """Moves `basic` to `target`, and exchanges it with the nonbasic variable `other`."""
        row = self.rows.pop(basic)
        factor = row.pop(other)
        change = (target - self.value[basic]) / factor
        self.value[basic] = target
        self.value[other] += change
        inverse = {name: -c / factor for name, c in row.items()}
        inverse[basic] = 1 / factor
        for name, entries in self.rows.items():
            c = entries.pop(other, None)
            if c is None:
                continue
            self.value[name] += c * change
            for column, d in inverse.items():
                total = entries.get(column, 0) + c * d
                if total:
                    entries[column] = total
                else:
                    entries.pop(column, None)
        self.rows[other] = inverse

    def contradiction(self):
        """{number of an inequality: multiplier}, or None if there is a solution, which `value` then holds."""
        for _ in range(MOST_PIVOTS):
            broken = min((name for name in self.rows if self.too_low(name) or self.too_high(name)), key=self.order, default=None)
            if broken is None:
                return None
            low = self.too_low(broken)
            target = self.low[broken] if low else self.high[broken]
            row = self.rows[broken]
            fit = [name for name, c in row.items() if (self.may_rise(name) if (c > 0) == low else self.may_fall(name))]
            if not fit:
                sign = 1 if low else -1
                return {broken: Fraction(sign)} | {name: -sign * c for name, c in row.items()}
            self.pivot(broken, min(fit, key=self.order), target)
        raise Undecided
# SPDX-License-Identifier: MIT
