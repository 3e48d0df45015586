"""Polynomials with whole coefficients. A polynomial is a dict: a monomial, which is a sorted tuple of variables, to its
coefficient."""


def constant(value):
    return {(): value} if value else {}


def variable(name):
    return {(name,): 1}


def plus(*terms):
    total = {}
    for term in terms:
        for monomial, coefficient in term.items():
            total[monomial] = total.get(monomial, 0) + coefficient
    return {monomial: coefficient for monomial, coefficient in total.items() if coefficient}


def scaled(term, factor):
    return {monomial: coefficient * factor for monomial, coefficient in term.items()} if factor else {}


def minus(left, right):
    return plus(left, scaled(right, -1))


def times(left, right):
    total = {}
    for one, a in left.items():
        for other, b in right.items():
            monomial = tuple(sorted(one + other))
            total[monomial] = total.get(monomial, 0) + a * b
    return {monomial: coefficient for monomial, coefficient in total.items() if coefficient}


def value_of(term):
    """The number, if the polynomial is one, else None."""
    if not term:
        return 0
    return term[()] if len(term) == 1 and () in term else None


def variables(term):
    return {name for monomial in term for name in monomial}


def replaced(term, name, by):
    """The polynomial with another one in place of a variable."""
    total = {}
    for monomial, coefficient in term.items():
        part = {tuple(v for v in monomial if v != name): coefficient}
        for _ in range(monomial.count(name)):
            part = times(part, by)
        total = plus(total, part)
    return total


def renamed(term, names):
    """The polynomial with other names for the variables in the dict `names`."""
    return {tuple(sorted(names.get(v, v) for v in monomial)): coefficient for monomial, coefficient in term.items()}


def key(term):
    return tuple(sorted(term.items()))


def text(term):
    """As a person would write it: 4*t + 1."""
    parts = []
    for monomial, coefficient in sorted(term.items(), key=lambda item: (-len(item[0]), item[0])):
        product = "*".join([str(abs(coefficient))] * (abs(coefficient) != 1 or not monomial) + list(monomial))
        parts.append(("- " if coefficient < 0 else "+ ") + product)
    return " ".join(parts).removeprefix("+ ") or "0"
# SPDX-License-Identifier: MIT
