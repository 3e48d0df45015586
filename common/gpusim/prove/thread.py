"""Executes a kernel by one symbolic thread, and collects its accesses to memory."""
import re
from dataclasses import dataclass, field

from . import polynomials as p
from .kernels import NotUnderstood
from .loops import Loops
from .operations import WINDOWS, Operations
from .states import Decision, Merger, State, number
from .values import BLOCK, ROUND, THREAD, Arithmetic, Condition, Opaque, Symbols, Whole

ADDRESS = re.compile(r"\[([%\w$]+)(?:\+(-?\d+))?\]")
ACCESS = re.compile(r"(ld|st|atom|red)((?:\.\w+)*?)\.(global|shared|const|local|param)((?:\.\w+)*?)"
                    r"(?:\.(v2|v4))?\.([busf]\d+|f16x2|b128)$")
# A message to other threads: who reads it may wait for it, and what is ordered then is not looked at here.
MESSAGES = {"acquire", "release", "acq_rel", "relaxed", "mmio"}
ANYTHING = frozenset({THREAD, BLOCK, ROUND})
WITHOUT_EFFECT = ("membar", "fence", "prefetch", "prefetchu", "nanosleep", "discard", "applypriority")


@dataclass
class Access:
    instruction: object
    kind: str  # read, write or atomic
    space: str
    array: str
    offset: dict  # in bytes
    width: int
    clauses: list
    segments: frozenset
    warp_segments: frozenset
    members: list = field(default_factory=list)  # of a family: the accesses, and the value of each of its numbers


class Thread(Loops):
    def __init__(self, kernel, contract):
        self.kernel, self.contract = kernel, contract
        self.symbols = Symbols(contract)
        self.merger = Merger(self.symbols)
        self.operations = Operations(self.symbols, kernel, contract)
        self.accesses = []
        self.context = ()  # the loops around, and in which turn of them the thread is
        self.rounds = ()  # the rounds of loops with a barrier
        self.quiet = False  # while a loop's steps are looked for, nothing is collected and nothing is asked
        self.stays = []  # what must hold for a loop to go on: facts
        self.shared = {name: (p.constant(size), align) for name, (size, align) in kernel.shared.items() if size is not None}
        self.shared |= {name: (size, kernel.shared[name][1]) for name, size in contract.shared.items()}
        for name in [*kernel.shared, *(f"parameter.{n}" for n in range(len(kernel.parameters)))]:
            self.symbols.define("&" + name, [], ())
        for name in ["&" + name for name in kernel.local] + WINDOWS:
            self.symbols.define(name, [], {THREAD, BLOCK})

    def run(self):
        begin = State(segments=frozenset({("begin", ())}), warp_segments=frozenset({"begin"}))
        self.region(0, begin, set(self.kernel.order), None)

    def region(self, entry, state, body, header):
        """Executes blocks of `body` from `entry` on: the states that come to `header` again, and (block, state) of others."""
        pending, back, exits = {entry: [state]}, [], []
        while pending:
            n = min(pending, key=self.kernel.order.get)
            state = self.merger.merged(pending.pop(n), (n, self.context))
            inner = self.kernel.loops.get(n) if n != header else None
            for target, after in self.loop(inner, state) if inner else self.block(n, state, body):
                if target == header:
                    back.append(after)
                elif target in body:
                    pending.setdefault(target, []).append(after)
                else:
                    exits.append((target, after))
        return back, exits

    def block(self, n, state, body):
        block = self.kernel.blocks[n]
        state = State(dict(state.registers), state.path, state.segments, state.warp_segments)
        *first, last = block.instructions
        for instruction in first:
            state = self.guarded(state, instruction)
        if last.opcode.startswith("bra") or last.opcode in ("ret", "exit", "trap"):
            jumps = last.opcode.startswith("bra")
            if not last.guard:
                return [(n, state) for n in block.next] if jumps else []
            condition = self.condition_of(state, last)
            sides = [(block.next[0] if jumps else None, condition, last.guard_is),
                     (block.next[-1], condition, not last.guard_is)]
            return self.branch(state, last, sides, body)
        return [(block.next[0], self.guarded(state, last))]

    @staticmethod
    def condition_of(state, instruction):
        """Of one that comes from memory, or from another lane, nothing is known: then both sides are looked at."""
        condition = state.registers.get(instruction.guard)
        if not isinstance(condition, Condition):
            raise NotUnderstood(f"the condition {instruction.guard} has no value here", instruction)
        return condition

    def branch(self, state, instruction, sides, body):
        found, known = [], sides[0][1].is_known()
        for i, (target, condition, answer) in enumerate(sides):
            if known is not None:
                if known == answer and target is not None:
                    found.append((target, state))
                continue
            if target in body and sides[1 - i][0] not in body:
                self.stays += condition.raw[0 if answer else 1]
            if target is not None:
                found.append((target, state.with_decision(self.decision(condition, answer, instruction))))
        return found

    def decision(self, condition, answer, instruction):
        alternatives = condition.yes if answer else condition.no
        exact = [] not in condition.yes and [] not in condition.no
        clauses = [] if [] in alternatives else [alternatives]
        return Decision((instruction.number, self.context), answer, clauses, condition.depends, exact)

    def guarded(self, state, instruction):
        """The state after an instruction that is not a branch. One with a guard is like a branch around it."""
        if not instruction.guard:
            self.instruction(state, instruction)
            return state
        condition = self.condition_of(state, instruction)
        known = condition.is_known()
        if known is not None:
            if known == instruction.guard_is:
                self.instruction(state, instruction)
            return state
        executes = state.with_decision(self.decision(condition, instruction.guard_is, instruction))
        skips = state.with_decision(self.decision(condition, not instruction.guard_is, instruction))
        self.instruction(executes, instruction)
        for name in executes.registers.keys() - skips.registers.keys():
            skips.registers[name] = Opaque(False, why="a register that a guarded instruction sets, or not")
        return self.merger.merged([executes, skips], (instruction.number, self.context))

    def instruction(self, state, instruction):
        opcode = instruction.opcode
        if opcode.startswith(("ld.param", "ldu.param")):
            self.parameter(state, instruction)
        elif match := ACCESS.fullmatch(opcode):
            self.access(state, instruction, match)
        elif opcode in ("bar.sync", "barrier.sync", "barrier.sync.aligned"):
            self.barrier(state, instruction)
        elif opcode == "bar.warp.sync":
            self.warp_meets(state, instruction, instruction.operands[0])
            state.warp_segments = frozenset({(instruction.number, self.context)})
        elif opcode.startswith(("shfl.sync.", "vote.sync.")):
            self.exchange(state, instruction)
        elif opcode.split(".")[0] not in WITHOUT_EFFECT and not self.operations.execute(state, instruction):
            raise NotUnderstood(f"the instruction {opcode} is not understood", instruction)

    def parameter(self, state, instruction):
        to, source = instruction.operands
        match = ADDRESS.fullmatch(source)
        value = self.operations.value(state, match[1], instruction) if match else None
        if not isinstance(value, Whole):
            raise NotUnderstood(f"the contract says nothing of {source}", instruction)
        begin = p.plus(value.term, p.constant(int(match[2] or 0)))
        bits = int(re.search(r"\d+$", instruction.opcode)[0])
        for n, register in enumerate(to.strip("{}").split(",")):  # some neighbours at once, as ld.param.v2 loads
            part = self.parameter_at(p.plus(begin, p.constant(n * bits // 8)), bits, instruction)
            state.registers[register.strip()] = part

    def parameter_at(self, at, bits, instruction):
        """The part of a parameter that begins at an address."""
        found = next((part for (n, offset), part in self.contract.at.items()
                      if at == p.plus(p.variable(f"&parameter.{n}"), p.constant(offset))), None)
        if found is None:
            raise NotUnderstood(f"the contract says nothing of {instruction.operands[1]}", instruction)
        kind, name, size = found
        if kind != "opaque" and size != bits:
            raise NotUnderstood(f"the contract gives {name} another size than {instruction.opcode}", instruction)
        return Opaque(False) if kind == "opaque" else Whole(p.variable(name))

    def access(self, state, instruction, match):
        what, before, space, after, vector, of = match.groups()
        words = set((before + after).split(".")) - {""}
        if words & MESSAGES and what in ("ld", "st") or "cta" in words or space in ("const", "param"):
            raise NotUnderstood(f"{instruction.opcode}: such accesses are not looked at", instruction)
        result = instruction.operands[0] if what in ("ld", "atom") else None
        at = instruction.operands[0 if what in ("st", "red") else 1]
        width = int(re.search(r"\d+", of)[0]) // 8 * int((vector or "v1")[1:]) * (2 if of == "f16x2" else 1)
        if not self.quiet:
            kind = {"ld": "read", "st": "write"}.get(what, "atomic")
            array, offset = self.address(state, instruction, at, space)
            offset = self.without_turns(state, offset)
            self.accesses.append(Access(instruction, kind, space, array, offset, width, state.clauses(), state.segments,
                                        state.warp_segments))
        for name in result.strip("{}").split(",") if result else ():
            state.registers[name.strip()] = Opaque(True, ANYTHING, "a value from memory")

    def address(self, state, instruction, text, space):
        """(array, offset in bytes)"""
        match = ADDRESS.fullmatch(text)
        value = self.operations.value(state, match[1], instruction) if match else None
        if not isinstance(value, Whole):
            why = value.why if value else "an address that is not understood"
            raise NotUnderstood(f"takes its address from {why}", instruction)
        term = p.plus(value.term, p.constant(int(match[2] or 0)))
        bases = [v for v in p.variables(term) if v.startswith("&")]
        known = {"global": self.contract.arrays, "shared": self.shared, "local": self.kernel.local}[space]
        if len(bases) != 1 or term.get((bases[0],)) != 1 or any(bases[0] in m for m in term if len(m) > 1):
            raise NotUnderstood(f"the address {text} is not an array of the contract and an offset", instruction)
        if known.get(bases[0][1:]) is None:
            raise NotUnderstood(f"how long {bases[0][1:]} is in {space} memory is not known", instruction)
        return bases[0][1:], p.minus(term, p.variable(bases[0]))

    def without_turns(self, state, offset):
        """An index may have been computed before a branch that tells that it has not wrapped around."""
        exact = self.exact(state)
        for name in sorted(v for v in p.variables(offset) if v.startswith("turns")):
            if exact.within(p.variable(name), 0, 0):
                offset = p.replaced(offset, name, {})
        return offset

    def barrier(self, state, instruction):
        if instruction.operands != ["0"]:
            raise NotUnderstood("a barrier with a number or for some threads only is not looked at", instruction)
        if not self.quiet and any(THREAD in decision.depends for decision in state.path):
            raise NotUnderstood("it does not follow that all threads of the block come to this barrier", instruction)
        name = (instruction.number, self.context)
        state.segments, state.warp_segments = frozenset({(name, self.rounds)}), frozenset({name})

    def exchange(self, state, instruction):
        self.warp_meets(state, instruction, instruction.operands[-1])
        for name in instruction.operands[0].split("|"):
            if instruction.opcode.endswith(".pred") or name.startswith("%p"):
                state.registers[name] = Condition([[]], [[]], ANYTHING, True, "a value from another lane")
            else:
                state.registers[name] = Opaque(True, ANYTHING, "a value from another lane")

    def warp_meets(self, state, instruction, mask):
        """All lanes of a warp must come here, or none; or, at a shuffle or vote, just those that its mask names."""
        mask = self.operations.value(state, mask, instruction)
        decisions = [d for d in state.path if THREAD in d.depends]
        if not instruction.opcode.startswith("bar") and isinstance(mask, Whole) and len(mask.term) == 1:
            lanes = next((lanes for name, lanes in self.symbols.lanes.items() if mask.term == p.variable(name)), None)
            if lanes is not None:
                if not self.quiet and not self.are_first_lanes(state, decisions, lanes):
                    raise NotUnderstood("it does not follow that just the lanes that the mask names come here", instruction)
                return
        if number(mask) is None or number(mask) % (1 << 32) != 0xffffffff:
            raise NotUnderstood("a mask that does not name all lanes is not looked at", instruction)
        if decisions and not self.quiet and not self.same_for_warps(decisions):
            raise NotUnderstood("it does not follow that all lanes of the warp come here together", instruction)

    def are_first_lanes(self, state, decisions, lanes):
        """Whether a thread comes here, outside of loops, if and only if its lane is below a number, for which all lanes exist."""
        across, down, deep = self.contract.block
        if self.context or (across * down * deep) % 32 or not all(d.exact for d in decisions):
            return False
        lane = Arithmetic(self.symbols, []).divided(self.operations.thread_number(), 32)[1]
        inside = (p.minus(lanes, p.plus(lane, p.constant(1))), False)
        given = [clause for d in state.path if d.exact and THREAD not in d.depends for clause in d.clauses] + [[[inside]]]
        wanted = [clause for d in decisions for clause in d.clauses]
        if any(len(clause) != 1 or any(is_equality for _, is_equality in clause[0]) for clause in wanted):
            return False
        return (self.symbols.proves(inside, state.clauses())
                and all(self.symbols.proves(fact, given) for clause in wanted for fact in clause[0]))

    def same_for_warps(self, decisions):
        """Whether the decisions hold for all threads of a warp or for none. Decides it for each thread of a block by itself."""
        if not all(d.exact for d in decisions):
            return False
        threads = [{"tid.x": x, "tid.y": y, "tid.z": z} for z in range(self.contract.block[2])
                   for y in range(self.contract.block[1]) for x in range(self.contract.block[0])]
        answers = []
        for values in threads:
            found = [self.holds(clause, values) for d in decisions for clause in d.clauses]
            if None in found:
                return False
            answers.append(all(found))
        return all(len(set(answers[i:i + 32])) == 1 for i in range(0, len(answers), 32))

    def holds(self, clause, values):
        numbers = [[(self.evaluated(term, values), is_equality) for term, is_equality in facts] for facts in clause]
        if any(n is None for facts in numbers for n, _ in facts):
            return None
        return any(all(n == 0 if is_equality else n >= 0 for n, is_equality in facts) for facts in numbers)

    def evaluated(self, term, values):
        """The value of a polynomial for one thread, or None if more than the thread's indices decides it."""
        total = 0
        for monomial, coefficient in term.items():
            for name in monomial:
                if name not in values:
                    formula = self.symbols.definitions[name].formula
                    inner = self.evaluated(formula[1], values) if formula else None
                    values[name] = None if inner is None else inner // formula[2]
                if values[name] is None:
                    return None
                coefficient *= values[name]
            total += coefficient
        return total

    def exact(self, state):
        return Arithmetic(self.symbols, state.clauses())
# SPDX-License-Identifier: MIT
