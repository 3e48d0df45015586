"""What each instruction of PTX does to the registers of the symbolic thread. One that is not here is not understood."""
import re

from . import polynomials as p
from .kernels import NotUnderstood
from .states import Decision, number
from .values import Arithmetic, Condition, Opaque, Whole, both, simplified

BITS = re.compile(r"\.[subf](\d+)$")
IMMEDIATE = re.compile(r"-?\d+|0x[0-9a-fA-F]+")
# Their result is of no importance here: no address, branch or mask may come from it, because it is opaque.
ON_FLOATS = re.compile(r"(add|sub|mul|fma|div|min|max|abs|neg|sqrt|rcp|rsqrt|ex2|lg2|sin|cos|tanh|copysign|mad)"
                       r"\.(\w+\.)*f(16|32|64)(x2)?$|"
                       r"cvt\.(\w+\.)*f\d+\.\w+$|cvt\.(\w+\.)*\w+\.f\d+$|cvt\.\w+\.f\d+\.f\d+$")

# Where these spaces begin among generic addresses.
WINDOWS = ["window.shared", "window.local", "window.const", "window.param"]

# On whole numbers. One with another word, such as .sat or .cc, is not understood.
WHOLE = re.compile(r"(add|sub|neg|not|shl|shr|div|rem|and|or|xor|min|max|selp|bfe|popc)\.[subf](16|32|64)|"
                   r"(mul|mad)\.(lo|hi|wide)\.[su](16|32|64)")


def bits_of(opcode):
    """(bits, whether signed) of an instruction on whole numbers."""
    kind = opcode.rsplit(".", 1)[-1]
    return int(kind[1:]), kind[0] == "s"


class Operations:
    """Executes instructions that only compute. `symbols`: of the kernel; `kernel`: for the names of shared arrays."""

    def __init__(self, symbols, kernel, contract):
        self.symbols, self.kernel, self.contract = symbols, kernel, contract
        self.special = {}
        self.learned = 0  # how many times a path was told what follows from it
        for axis, size, grid in zip("xyz", contract.block, ("grid", 1, 1)):
            self.special[f"%ntid.{axis}"] = p.constant(size)
            self.special[f"%tid.{axis}"] = p.variable(f"tid.{axis}") if size > 1 else {}
            self.special[f"%nctaid.{axis}"] = contract.fixed.get(grid, p.variable("grid")) if grid == "grid" else p.constant(1)
            self.special[f"%ctaid.{axis}"] = p.variable("ctaid.x") if grid == "grid" else {}

    def value(self, state, operand, instruction):
        if operand in state.registers:
            return state.registers[operand]
        if IMMEDIATE.fullmatch(operand):
            return Whole(p.constant(int(operand, 0)))
        if match := re.fullmatch(rf"{re.escape(self.kernel.name)}_param_(\d+)", operand):
            return Whole(p.variable(f"&parameter.{match[1]}"))
        if operand in self.kernel.shared or operand in self.kernel.local:
            return Whole(p.variable("&" + operand))
        if re.fullmatch(r"0[fd][0-9a-fA-F]+", operand):
            return Opaque(False)
        if operand == "%laneid":
            return Whole(Arithmetic(self.symbols, []).divided(self.thread_number(), 32)[1])
        if self.special.get(operand) is not None:
            return Whole(self.special[operand])
        if operand.startswith("%") and not re.match(r"%(p|r|f|rd|rs|fd|h)\d+$", operand):
            return Opaque(True, why=f"{operand}, which differs from run to run")
        raise NotUnderstood(f"{operand} has no value here", instruction)

    def thread_number(self):
        """Of the thread in its block: 32 in a row are a warp."""
        x, y, z = (self.special[f"%tid.{axis}"] for axis in "xyz")
        across, down, _ = self.contract.block
        return p.plus(x, p.scaled(y, across), p.scaled(z, across * down))

    def execute(self, state, instruction):
        """True if it was one of these instructions."""
        opcode, operands = instruction.opcode, instruction.operands
        name = opcode.split(".")[0]
        if name == "mov" and not operands[0].startswith("{") and not operands[1].startswith("{"):
            state.registers[operands[0]] = self.moved(opcode, self.value(state, operands[1], instruction))
            return True
        if name == "mov":
            return self.packed(state, instruction)
        if opcode.startswith("cvta."):
            state.registers[operands[0]] = self.converted(opcode, self.value(state, operands[1], instruction))
            return True
        if ON_FLOATS.fullmatch(opcode):
            state.registers[operands[0]] = opaque([self.value(state, o, instruction) for o in operands[1:]])
            return True
        if name in ("setp", "and", "or", "not", "xor") and (name == "setp" or opcode.endswith(".pred")):
            state.registers[operands[0]] = self.condition(state, instruction)
            return True
        method = getattr(self, "do_" + name, None)
        if method is None or not (WHOLE.fullmatch(opcode) or name == "cvt"):
            return False
        values = [self.value(state, o, instruction) for o in operands[1:]]
        if name == "selp":
            result = self.do_selp(state, opcode, values)
        elif all(isinstance(v, Whole) for v in values):
            exact = Arithmetic(self.symbols, state.clauses())
            result = method(exact, opcode, *(v.term for v in values))
            if exact.learned:
                self.learned += 1
                learned = Decision(("learned", instruction.number, self.learned), None, exact.learned, frozenset())
                state.path = (*state.path, learned)
            result = opaque(values, f"the result of {opcode}, which is not understood") if result is None else Whole(result)
        else:
            result = opaque(values)
        state.registers[operands[0]] = self.reduced(result, opcode)
        return True

    def reduced(self, result, opcode):
        """Coefficients of a register of 32 bits modulo 2^32."""
        match = BITS.search(opcode.replace(".b", ".u"))
        if not isinstance(result, Whole) or ".wide" in opcode or opcode.startswith("cvt") or not match:
            return result
        bits = int(match[1])
        half = 1 << bits - 1
        return Whole({m: r for m, c in result.term.items() if (r := (c + half) % (1 << bits) - half)})

    @staticmethod
    def converted(opcode, value):
        """An address in another space. A global one stays the same; each other space begins at an address of its own."""
        space = opcode.split(".")[-2]
        if space == "global" or not isinstance(value, Whole):
            return value
        window = p.variable(f"window.{space}")
        return Whole(p.minus(value.term, window) if ".to." in opcode else p.plus(value.term, window))

    def moved(self, opcode, value):
        if opcode == "mov.pred" and isinstance(value, Whole):
            if number(value) is None:
                return unknown_condition([value], self.symbols)
            answer = number(value) != 0
            return Condition([[]] if answer else [], [] if answer else [[]], frozenset())
        return value

    def packed(self, state, instruction):
        """mov between a register and a pair: of values that are opaque or stay so."""
        to, source = instruction.operands
        names = [n.strip() for n in source.strip("{}").split(",")]
        result = opaque([self.value(state, n, instruction) for n in names], "a part of a register")
        for n in to.strip("{}").split(","):
            state.registers[n.strip()] = result
        return True

    def condition(self, state, instruction):
        opcode = instruction.opcode
        values = [self.value(state, o, instruction) for o in instruction.operands[1:]]
        values = [self.moved("mov.pred", v) if opcode.endswith(".pred") else v for v in values]
        if opcode.startswith("setp"):
            parts = opcode.split(".")
            if len(parts) == 3 and parts[2][0] in "sub" and all(isinstance(v, Whole) for v in values):
                bits, signed = bits_of(opcode)
                return Arithmetic(self.symbols, state.clauses()).compared(parts[1], values[0].term, values[1].term, bits, signed)
            return unknown_condition(values, self.symbols)
        if not all(isinstance(v, Condition) for v in values):
            return unknown_condition(values, self.symbols)
        name = opcode.split(".")[0]
        if name == "not":
            return values[0].opposite()
        if name == "xor":
            return unknown_condition(values, self.symbols)
        a, b = values
        depends, data = a.depends | b.depends, a.data or b.data
        if name == "or":
            return Condition(simplified(a.yes + b.yes), both(a.no, b.no), depends, data, a.why or b.why)
        return Condition(both(a.yes, b.yes), simplified(a.no + b.no), depends, data, a.why or b.why)

    def do_selp(self, state, opcode, values):
        yes, no, condition = values
        if isinstance(condition, Condition) and condition.is_known() is not None:
            return yes if condition.is_known() else no
        if all(isinstance(v, Whole) for v in (yes, no)) and isinstance(condition, Condition):
            return Whole(Arithmetic(self.symbols, state.clauses()).chosen(condition, yes.term, no.term))
        return opaque(values)

    def do_add(self, exact, opcode, a, b):
        return p.plus(a, b)

    def do_sub(self, exact, opcode, a, b):
        return p.minus(a, b)

    def do_neg(self, exact, opcode, a):
        return p.scaled(a, -1)

    def do_not(self, exact, opcode, a):
        return p.minus(p.constant(-1), a)

    def do_mul(self, exact, opcode, a, b):
        bits, signed = bits_of(opcode)
        if ".wide." in opcode:
            a, b = (exact.interpreted(t, bits, signed) for t in (a, b))
        if ".hi." in opcode:
            return None
        if p.value_of(a) is None and p.value_of(b) is None:
            a, b = (exact.named(exact.same_in_contract(factor)) for factor in (a, b))
        return p.times(a, b)

    def do_mad(self, exact, opcode, a, b, c):
        product = self.do_mul(exact, opcode, a, b)
        return None if product is None else p.plus(product, c)

    def do_shl(self, exact, opcode, a, b):
        shift = p.value_of(b)
        return None if shift is None or not 0 <= shift < bits_of(opcode)[0] else p.scaled(a, 1 << shift)

    def do_shr(self, exact, opcode, a, b):
        bits, signed = bits_of(opcode)
        shift = p.value_of(b)
        if shift is None and opcode in ("shr.u32", "shr.b32") and p.value_of(a) in (-1, (1 << 32) - 1):
            return exact.first_lanes(b)
        if shift is None or not 0 <= shift < bits:
            return None
        return exact.divided(exact.interpreted(a, bits, signed), 1 << shift)[0]

    def do_div(self, exact, opcode, a, b):
        found = self.quotient(exact, opcode, a, b)
        return found and found[0]

    def do_rem(self, exact, opcode, a, b):
        found = self.quotient(exact, opcode, a, b)
        return found and found[1]

    def quotient(self, exact, opcode, a, b):
        bits, signed = bits_of(opcode)
        a, b = (exact.interpreted(t, bits, signed) for t in (a, b))
        by = p.value_of(b)
        if by is None:
            return exact.divided_by_term(a, b)
        if by <= 0 or not exact.proves((a, False)):
            return None
        return exact.divided(a, by)

    def do_bfe(self, exact, opcode, a, first, count):
        """Some bits in a row, as a number. If that is signed, the last bit counts as a negative number."""
        bits, signed = bits_of(opcode)
        first, count = p.value_of(first), p.value_of(count)
        if first is None or count is None or first < 0 or count < 1 or first + count > bits:
            return None
        field = exact.divided(exact.divided(exact.interpreted(a, bits, False), 1 << first)[0], 1 << count)[1]
        return p.minus(field, p.scaled(exact.divided(field, 1 << count - 1)[0], 1 << count)) if signed else field

    def do_popc(self, exact, opcode, a):
        """How many bits are 1: of that nothing is said."""

    def do_and(self, exact, opcode, a, b):
        bits = bits_of(opcode)[0]
        if p.value_of(a) is not None:
            a, b = b, a
        mask = p.value_of(b)
        if mask is None:
            return None
        mask %= 1 << bits
        if mask & (mask + 1) == 0:  # the lowest bits
            return exact.divided(exact.interpreted(a, bits, False), mask + 1)[1]
        rest = (1 << bits) - mask
        if rest & (rest - 1) == 0:  # all but the lowest bits
            a = exact.interpreted(a, bits, False)
            return p.minus(a, exact.divided(a, rest)[1])
        lowest = mask & -mask
        if mask and mask + lowest & mask == 0 and mask + lowest < 1 << bits:  # some bits in a row
            return p.minus(exact.divided(a, mask + lowest)[1], exact.divided(a, lowest)[1])
        return None

    def do_or(self, exact, opcode, a, b):
        """Where the two have no bit in common, it adds them."""
        for high, low in ((a, b), (b, a)):
            step = 1
            while all(c % (step * 2) == 0 for c in high.values()) and step < 1 << 20:
                step *= 2
            if step > 1 and exact.within(low, 0, step - 1):
                return p.plus(high, low)
            bits = p.value_of(high)
            if bits is not None and 0 < bits < 1 << 20:  # only the other's bits below the highest of these matter
                step = bits & -bits
                if exact.within(exact.divided(low, 1 << bits.bit_length())[1], 0, step - 1):
                    return p.plus(high, low)
        return None

    def do_xor(self, exact, opcode, a, b):
        for x, y in ((a, b), (b, a)):
            if p.value_of(x) == -1:
                return p.minus(p.constant(-1), y)
            mask = p.value_of(x)
            if mask is not None and mask > 0 and (common := self.do_and(exact, opcode, y, x)) is not None:
                return p.minus(p.plus(x, y), p.scaled(common, 2))
        return exact.exclusive_or(a, b)

    def do_min(self, exact, opcode, a, b):
        bits, signed = bits_of(opcode)
        a, b = (exact.interpreted(t, bits, signed) for t in (a, b))
        return exact.chosen(exact.compared("le", a, b, bits, signed), a, b)

    def do_max(self, exact, opcode, a, b):
        bits, signed = bits_of(opcode)
        a, b = (exact.interpreted(t, bits, signed) for t in (a, b))
        return exact.chosen(exact.compared("ge", a, b, bits, signed), a, b)

    def do_cvt(self, exact, opcode, a):
        if not (match := re.fullmatch(r"cvt\.([su]\d+)\.([su]\d+)", opcode)):
            return None
        to, source = match.groups()
        if int(to[1:]) > int(source[1:]):
            return exact.interpreted(a, int(source[1:]), source[0] == "s")
        return a if int(to[1:]) == int(source[1:]) or int(to[1:]) >= 32 else None


def opaque(values, why="a value that is not understood"):
    data = any(getattr(v, "data", False) for v in values)
    depends = frozenset().union(*(v.depends for v in values if not isinstance(v, Whole)))
    whys = [v.why for v in values if getattr(v, "data", False) and v.why]
    varies = any(isinstance(v, Whole) and v.term for v in values)
    return Opaque(data, depends | ({"thread", "block", "round"} if varies else frozenset()), whys[0] if whys else why)


def unknown_condition(values, symbols):
    every = frozenset().union(*(symbols.depends(v.term) if isinstance(v, Whole) else v.depends for v in values))
    data = any(getattr(v, "data", False) for v in values)
    return Condition([[]], [[]], every, data, next((v.why for v in values if getattr(v, "data", False)), ""))


# SPDX-License-Identifier: MIT
