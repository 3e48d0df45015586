"""Loops of the symbolic thread. One whose turns are known is executed turn by turn. Any other is executed once, in round k, for
every k: a register then holds what it held at first plus k times what a turn adds, and invariants are guessed and proved."""
from dataclasses import replace

from . import polynomials as p
from .kernels import NotUnderstood
from .states import Decision, State
from .values import ROUND, THREAD, Opaque, Whole

MOST_TURNS = 128
MOST_PASSES = 16
WAITS = ("bar.", "barrier.", "shfl.", "vote.")


class Loops:
    """A part of Thread."""

    def loop(self, loop, entry):
        """(block, state) of each way out of the loop."""
        mark, state, around = len(self.accesses), entry, self.context
        for turn in range(MOST_TURNS):
            self.context = (*around, (loop.header, turn))
            back, exits = self.region(loop.header, state, loop.body, loop.header)
            self.context = around
            if back and exits:
                del self.accesses[mark:]
                return self.summarised(loop, entry)
            if not back:
                return exits
            state = self.merger.merged(back, (loop.header, self.context))
        del self.accesses[mark:]
        return self.summarised(loop, entry)

    def instructions_in(self, loop):
        return [i for n in loop.body for i in self.kernel.blocks[n].instructions]

    def summarised(self, loop, entry):
        around, rounds, mark = self.context, self.rounds, len(self.accesses)
        self.context = (*around, (loop.header, "every turn"))
        waits = [i for i in self.instructions_in(loop) if i.opcode.startswith(WAITS)]
        has_barrier = any(not i.opcode.startswith(("shfl", "vote", "bar.warp")) for i in waits)
        summary, quiet = Summary(self, loop, entry, has_barrier), self.quiet
        for _ in range(MOST_PASSES):
            guesses = summary.invariants is None  # without invariants an address need not be understood
            self.quiet = quiet or guesses
            del self.accesses[mark:]
            self.stays = []
            start = summary.start()
            self.rounds = (*rounds, (summary.round_name, 0)) if summary.has_barrier else rounds
            back, exits = self.region(loop.header, start, loop.body, loop.header)
            agrees = summary.agrees(back, exits)
            self.quiet = quiet
            if agrees and not guesses:
                break
        else:
            raise NotUnderstood("what the loop does in each turn is not understood",
                                self.kernel.blocks[loop.header].instructions[0])
        self.context, self.rounds = around, rounds
        if summary.varies and waits and not self.quiet:
            raise NotUnderstood("waits for other threads in a loop that not all of them leave at the same time", waits[0])
        return summary.ways_out(exits)


class Summary:
    """A loop in round k: what each register holds then, the invariants, and the segments with which a turn begins."""

    def __init__(self, thread, loop, entry, has_barrier):
        self.thread, self.loop, self.entry, self.has_barrier = thread, loop, entry, has_barrier
        self.symbols = thread.symbols
        self.modified = {name.strip() for i in thread.instructions_in(loop) for name in results_of(i)}
        self.varies = False
        self.invariants = None  # not guessed yet
        self.back_segments, self.back_warp_segments = frozenset(), frozenset()
        self.new_round()
        self.before = set(self.symbols.definitions)
        self.steps = self.find_steps()

    def new_round(self):
        depends = {ROUND, THREAD} if self.varies else {ROUND}
        k = self.symbols.new("round", lambda k: [[[(k, False)]]], depends)
        self.round_name = next(iter(p.variables(k)))

    def find_steps(self):
        """{register: what a turn adds to it}; None for one of which nothing is known at the beginning of a turn. Those of which
        nothing was known before the loop are left out."""
        thread = self.thread
        whole = [r for r in sorted(self.modified) if isinstance(self.entry.registers.get(r), Whole)]
        marks = {r: self.symbols.new("mark", lambda v: [], {THREAD, ROUND}) for r in whole}
        registers = self.unknown_registers() | {r: Whole(mark) for r, mark in marks.items()}
        quiet, thread.quiet = thread.quiet, True
        back, _ = thread.region(self.loop.header, replace(self.entry, registers=registers), self.loop.body, self.loop.header)
        thread.quiet = quiet
        steps = dict.fromkeys(whole)
        after = thread.merger.merged(back, (self.loop.header, thread.context)).registers if back else {}
        for r in whole:
            if isinstance(after.get(r), Whole):
                term = after[r].term
                for other, mark in marks.items():  # what it is after the first turn; agrees() looks at the later turns
                    term = p.replaced(term, next(iter(p.variables(mark))), self.entry.registers[other].term)
                step = p.minus(term, self.entry.registers[r].term)
                if p.variables(step) <= self.before:
                    steps[r] = step
        return steps

    def unknown_registers(self):
        """The registers before the loop, where those that it modifies hold anything."""
        kept = {r: v for r, v in self.entry.registers.items() if r not in self.modified}
        return kept | {r: Opaque(True, frozenset({THREAD, ROUND}), "a value that a loop changes in a way that is not understood")
                       for r in self.modified if isinstance(self.entry.registers.get(r), (Whole, Opaque))}

    def at_round(self, r, k):
        return p.plus(self.entry.registers[r].term, p.times(k, self.steps[r]))

    def start(self):
        """The state at the beginning of round k."""
        k = p.variable(self.round_name)
        registers = self.unknown_registers()
        for r, step in self.steps.items():
            if step is not None:
                registers[r] = Whole(self.at_round(r, k))
        clauses = [[[(k, False)]]] + [[[fact]] for fact in self.invariants or ()]
        path = (*self.entry.path, Decision(("loop", self.thread.context), None, clauses, frozenset()))
        segments = self.entry.segments
        if self.has_barrier:
            begun = {(name, (*rounds, (self.round_name, 0))) for name, rounds in segments}
            segments = frozenset(begun | {(name, (*rounds[:-1], (self.round_name, -1))) for name, rounds in self.back_segments})
        return State(registers, path, segments, self.entry.warp_segments | self.back_warp_segments)

    def agrees(self, back, exits):
        """Whether a turn that was executed from start() is as start() supposes. If not, the next start() supposes less."""
        decisions = [d for s in [*back, *(s for _, s in exits)] for d in s.path[len(self.entry.path):]]
        if not back:
            return True
        if not self.varies and any(THREAD in d.depends for d in decisions):
            self.varies, self.invariants, self.back_segments = True, None, frozenset()
            self.new_round()
            return False
        agreed = True
        after = p.plus(p.variable(self.round_name), p.constant(1))
        for r, step in self.steps.items():
            if step is not None and any(s.registers.get(r) != Whole(self.at_round(r, after)) for s in back):
                self.steps[r], agreed = None, False
        if self.invariants is None and not agreed:
            return False
        if self.invariants is None:
            self.invariants = self.guessed()
            return False
        kept = [fact for fact in self.invariants if self.is_invariant(fact, back, after)]
        agreed &= len(kept) == len(self.invariants)
        self.invariants = kept
        return self.same_segments(back) and agreed

    def guessed(self):
        """Facts that hold for the loop to go on, one round earlier."""
        k = p.variable(self.round_name)
        facts = []
        for alternatives in self.thread.stays:
            for term, is_equality in alternatives:
                earlier = p.replaced(term, self.round_name, p.minus(k, p.constant(1)))
                fact = (earlier, False)
                if not is_equality and p.variables(earlier) <= self.before | {self.round_name} and fact not in facts:
                    facts.append(fact)
        return [fact for fact in facts if self.holds_at_first(fact)]

    def holds_at_first(self, fact):
        return self.symbols.proves((p.replaced(fact[0], self.round_name, {}), False), self.entry.clauses(), 200)

    def is_invariant(self, fact, back, after):
        later = (p.replaced(fact[0], self.round_name, after), False)
        return all(self.symbols.proves(later, s.clauses(), 200) for s in back)

    def same_segments(self, back):
        segments = frozenset().union(*(s.segments for s in back))
        warps = frozenset().union(*(s.warp_segments for s in back))
        if self.has_barrier:
            outside = {name for name, _ in self.entry.segments}
            if any(name in outside or rounds[-1] != (self.round_name, 0) for name, rounds in segments):
                raise NotUnderstood("there are turns of the loop in which no thread comes to its barrier",
                                    self.thread.kernel.blocks[self.loop.header].instructions[0])
        same = warps <= self.back_warp_segments and (not self.has_barrier or segments == self.back_segments)
        self.back_segments, self.back_warp_segments = segments, warps | self.back_warp_segments
        return same

    def ways_out(self, exits):
        """After the loop its conditions are facts about the thread's last round. If there is one way out, all threads take it."""
        targets = {target for target, _ in exits}
        leaves = any(i.opcode in ("ret", "exit", "trap") for i in self.thread.instructions_in(self.loop))
        found = []
        for target in sorted(targets):
            state = self.thread.merger.merged([s for t, s in exits if t == target], (target, self.thread.context))
            decisions = state.path[len(self.entry.path):]
            clauses = [clause for d in decisions for clause in d.clauses]
            depends = frozenset().union(*(d.depends for d in decisions))
            if self.varies:
                depends |= {THREAD}
            one = len(targets) == 1 and not leaves
            decision = Decision(("left", self.loop.header, target, self.thread.context), None if one else True, clauses,
                                frozenset() if one else depends)
            found.append((target, replace(state, path=(*self.entry.path, decision))))
        return found


def results_of(instruction):
    """The registers that an instruction sets."""
    if not instruction.operands or instruction.opcode.startswith(("st.", "red.", "bar", "bra")):
        return []
    names = instruction.operands[0].strip("{}").replace("|", ",").split(",")
    return [name for name in names if name.strip().startswith("%")]
# SPDX-License-Identifier: MIT
