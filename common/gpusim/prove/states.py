"""Where the one symbolic thread is: its registers, how it came there, and which barriers it has passed."""
from dataclasses import dataclass, field, replace
from itertools import product

from . import polynomials as p
from .values import MOST_ALTERNATIVES, Condition, Opaque, Whole, equal


@dataclass(frozen=True)
class Decision:
    """A branch that was taken. `side` None: facts that hold for every thread that comes here, of a loop that has ended."""
    branch: tuple
    side: bool
    clauses: list
    depends: frozenset
    exact: bool = False  # whether the clauses hold for no thread that took another side

    def same(self, other):
        return self.branch == other.branch and self.side == other.side


@dataclass
class State:
    registers: dict = field(default_factory=dict)
    path: tuple = ()
    # Accesses of two threads of a block may meet if they have a segment in common, in the same rounds of the loops around it.
    segments: frozenset = frozenset()  # (barrier that begins it, ((round variable, added to it), …))
    warp_segments: frozenset = frozenset()  # the same for threads of a warp, without rounds

    def clauses(self):
        return [clause for decision in self.path for clause in decision.clauses]

    def with_decision(self, decision):
        return replace(self, registers=dict(self.registers), path=(*self.path, decision))


def without_ended_loops(path):
    end = len(path)
    while end and path[end - 1].side is None:
        end -= 1
    return path[:end]


def common_length(one, other):
    return next((i for i, (a, b) in enumerate(zip(one, other)) if not a.same(b)), min(len(one), len(other)))


def alternatives_of(decisions):
    """The facts of some decisions as alternatives: too many become none."""
    found = [[]]
    for decision in decisions:
        for clause in decision.clauses:
            found = [a + b for a, b in product(found, clause)]
            if len(found) > MOST_ALTERNATIVES:
                return [[]]
    return found


class Merger:
    """Makes one state of those that come to the same block."""

    def __init__(self, symbols):
        self.symbols = symbols

    def merged(self, states, where):
        states = list(states)
        while len(states) > 1:
            one, other, length = self.best_pair(states)
            states = [s for s in states if s is not one and s is not other] + [self.pair(one, other, length, where)]
        return states[0]

    @staticmethod
    def is_complete(one, other, length):
        """Whether the two have taken the two sides of one branch, and nothing else."""
        a, b = without_ended_loops(one.path), without_ended_loops(other.path)
        return len(a) == len(b) == length + 1 and a[-1].branch == b[-1].branch and a[-1].side != b[-1].side

    def best_pair(self, states):
        pairs = [(a, b, common_length(a.path, b.path)) for i, a in enumerate(states) for b in states[i + 1:]]
        complete = [pair for pair in pairs if self.is_complete(*pair)]
        return max(complete or pairs, key=lambda pair: pair[2])

    def pair(self, one, other, length, where):
        tails = [s.path[length:] for s in (one, other)]
        depends = frozenset().union(*(d.depends for tail in tails for d in tail))
        alternatives = [alternatives_of(tail) for tail in tails]
        path = one.path[:length]
        if not self.is_complete(one, other, length) and (tails[0] or tails[1]):
            either = alternatives[0] + alternatives[1]
            clauses = [] if [] in either else [either]
            path = (*path, Decision(("join", where, len(self.symbols.definitions)), True, clauses, depends))
        # What is said of new variables holds on this path, and not where a later join comes from elsewhere: it is no
        # definition.
        registers, self.made = {}, []
        for name in sorted(one.registers.keys() & other.registers.keys()):
            registers[name] = self.value(one.registers[name], other.registers[name], alternatives, depends)
        if self.made:
            path = (*path, Decision(("made", where, len(self.symbols.definitions)), None, self.made, frozenset()))
        return State(registers, path, one.segments | other.segments, one.warp_segments | other.warp_segments)

    def value(self, a, b, alternatives, depends):
        if a is b or (isinstance(a, Whole) and a == b):  # two values that are not understood are never the same
            return a
        if isinstance(a, Whole) and isinstance(b, Whole):
            def clauses(v):
                return [[facts + [equal(v, x.term)] for x, side in zip((a, b), alternatives) for facts in side]]

            v = self.symbols.new("either", lambda v: [], self.symbols.depends(a.term, b.term) | depends)
            self.made += clauses(v)
            return Whole(v)
        data = any(getattr(x, "data", False) for x in (a, b))
        every = depends.union(*(self.symbols.depends(x.term) if isinstance(x, Whole) else x.depends for x in (a, b)))
        if isinstance(a, Condition) and isinstance(b, Condition):
            return Condition([[]], [[]], every, data, a.why or b.why)
        whys = [x.why for x in (a, b) if isinstance(x, Opaque)]
        return Opaque(data, every, whys[0] if whys else "a value that is not understood")


def number(value):
    """The number that a value is, or None."""
    return p.value_of(value.term) if isinstance(value, Whole) else None
# SPDX-License-Identifier: MIT
