"""Remainders by powers of two that a loop doubles stay remainders, whichever clang compiles them.

    for (unsigned len = 1; len < blockDim.x; len *= 2)
      if (t % (2 * len) == 0) …

From version 15 on, LLVM sees that `len` is a power of two, and makes `t & (2 * len - 1)` of the remainder: two instructions
in place of about twenty. nvcc does not, and the time of chapters 01 and 02 is the time of that remainder. So clang stops
after its first half, with LLVM IR that is not yet optimised, and here each remainder by such a variable becomes an
instruction of PTX that LLVM does not look into; unless the divisor turns out to be a constant ("llvm.is.constant" in LLVM's
Language Reference Manual), which nvcc makes use of, too.

A divisor that a function is given as a parameter is left as it is.
"""
import re

MENTION = re.compile(r"[\w)\]]\s*%=?\s*[A-Za-z_(]")
FUNCTION = re.compile(r"^define .*?^}", re.MULTILINE | re.DOTALL)
REMAINDER = re.compile(r"^  (?P<result>%\S+) = (?P<sign>[us])rem i(?P<bits>32|64) (?P<a>\S+), (?P<b>%[^\s,]+)(?P<rest>.*)$",
                       re.MULTILINE)
VALUE = re.compile(r"^  (%\S+) = (\w+) (.*)$", re.MULTILINE)
STORE = re.compile(r"^  store i\d+ (%[^\s,]+), (?:i\d+\*|ptr) (%[^\s,]+)", re.MULTILINE)
LOADED = re.compile(r"(?:i\d+\*|ptr) (%[^\s,]+)")
# What makes a power of two of another one, if the other operand is a constant.
DOUBLES = {"mul", "shl", "lshr", "ashr", "udiv", "sdiv"}
KEEPS = {"zext", "sext", "trunc"}


def mention_remainders(sources):
    """Whether sources, (path, text), may take one. (A number behind % is a constant, and those are left alone.)"""
    return any(MENTION.search(text) for _, text in sources)


def variable(name, values):
    """The variable from which a value comes by such steps, and whether there were any; None if it comes otherwise."""
    doubled = False
    while name in values:
        operation, operands = values[name]
        if operation == "load":
            loaded = LOADED.search(operands)  # not where it comes from shared or constant memory
            return (loaded[1] if loaded else None), doubled
        registers = re.findall(r"%[^\s,]+", operands)
        if operation not in DOUBLES | KEEPS or len(registers) != 1:
            break
        doubled |= operation in DOUBLES
        name = registers[0]
    return None, False


def opaque(match):
    result, bits, a, b, rest = match["result"], match["bits"], match["a"], match["b"], match["rest"]
    name = result.removeprefix("%").strip('"')
    known, folded, kept = (f'%"remainder.{part}.{name}"' for part in ("known", "folded", "kept"))
    register = "r" if bits == "32" else "l"
    assembly = f'asm "rem.{match["sign"]}{bits} $0, $1, $2;", "={register},{register},{register}"'
    return (f"  {known} = call i1 @llvm.is.constant.i{bits}(i{bits} {b}){rest}\n"
            f"  {folded} = {match['sign']}rem i{bits} {a}, {b}{rest}\n"
            f"  {kept} = call i{bits} {assembly}(i{bits} {a}, i{bits} {b}) nounwind readnone{rest}\n"
            f"  {result} = select i1 {known}, i{bits} {folded}, i{bits} {kept}{rest}")


def of_function(text):
    if not REMAINDER.search(text):
        return text
    values = {name: (operation, operands) for name, operation, operands in VALUE.findall(text)}
    doubling = set()
    for value, place in STORE.findall(text):
        origin, doubled = variable(value, values)
        if doubled and origin == place:
            doubling.add(place)
    return REMAINDER.sub(lambda match: opaque(match) if variable(match["b"], values)[0] in doubling else match[0], text)


def with_opaque_remainders(text):
    """LLVM IR in which such a remainder is an instruction of PTX."""
    text = FUNCTION.sub(lambda function: of_function(function[0]), text)
    for bits in (32, 64):
        name = f"@llvm.is.constant.i{bits}("
        if name in text and not re.search(rf"^declare .*{re.escape(name)}", text, re.MULTILINE):
            text += f"\ndeclare i1 {name}i{bits})\n"
    return text
# SPDX-License-Identifier: MIT
