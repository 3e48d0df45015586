"""A host function of a submission, as LLVM IR: whether it computes and does nothing else, and then the function alone.

Some exercises have a function that the host calls: how many blocks, whose part. It has to run in the judge's process. So it is
taken over only if each of its instructions is arithmetic, a comparison or a branch: no memory, no call, no assembly. Nothing else
of the module is taken over. What the compiler thinks unreachable becomes a trap, or it would run into the code behind it.
"""
import re

OPERATIONS = """add sub mul udiv sdiv urem srem shl lshr ashr and or xor fneg fadd fsub fmul fdiv frem trunc zext sext fptrunc
fpext fptoui fptosi uitofp sitofp ptrtoint bitcast icmp fcmp select phi freeze extractvalue insertvalue br switch ret""".split()
INTRINSIC = (r"@llvm\.(?:smin|smax|umin|umax|abs|ctpop|ctlz|cttz|fsh[lr]|bswap|bitreverse|"
             r"[us](?:add|sub|mul)\.with\.overflow|[us](?:add|sub)\.sat|fabs|floor|ceil|trunc|round|rint|nearbyint|sqrt|copysign|minnum|maxnum)\.(?:i|f)\d+")
TYPE = r"(?:i(?:1|8|16|32|64|128)|float|double|ptr|(?:float|double|i\d+)\*+|\{ [^{}@\"#!]* \})"
PLAIN = r"[^@\"#!]*"  # an operand that names no global, no metadata and no attributes
LINE = re.compile(rf"  (?:%[\w.]+ = )?({'|'.join(OPERATIONS)})\b{PLAIN}")
CALL = re.compile(rf"  %[\w.]+ = (?:tail |notail )?call (?:[a-z]+ )*{TYPE} {INTRINSIC}\({PLAIN}\)")
CASE = re.compile(rf"    {TYPE} -?\d+, label %[\w.]+|  \]")
LABEL = re.compile(r"[\w.]+:")
COMMENT = re.compile(r"\s*;.*$")
NOTES = re.compile(r"(?: #\d+)?(?:, ![\w.]+ ![\w.]+)*\s*$")  # attributes and metadata behind an instruction
ASSUMED = re.compile(r"  (?:tail )?call void @llvm\.assume\(")
DEFINED = re.compile(rf"^define [^@\n]*?((?:signext |zeroext )?{TYPE}) @([\w.$]+)\(([^)\n]*)\)[^\n]*\{{\n(.*?)^\}}",
                     re.MULTILINE | re.DOTALL)
DECLARED = re.compile(rf"^declare [^@\n]*?({TYPE}) ({INTRINSIC})\(([^)\n]*)\)", re.MULTILINE)
PARAMETER = re.compile(rf"({TYPE})((?: (?:noundef|nonnull|signext|zeroext|nocapture|readnone|readonly|returned|immarg|"
                       rf"captures\(none\)))*)(?: (%[\w.]+))?")
TARGET = re.compile(r'^target (?:datalayout|triple) = "[\w.:-]+"$', re.MULTILINE)


class NotArithmetic(Exception):
    """The message says what the function does besides computing."""


def parameters(text, keeps):
    """A list of parameters without the attributes that `keeps` lacks."""
    shown = []
    for one in filter(None, map(str.strip, text.split(","))):
        found = PARAMETER.fullmatch(one)
        if not found:
            raise NotArithmetic(f"it has a parameter or a result that is kept in memory: {one}")
        attributes = [word for word in found.group(2).split() if word in keeps]
        shown.append(" ".join([found.group(1), *attributes, *filter(None, [found.group(3)])]))
    return ", ".join(shown)


def checked(line):
    """The line, if it only computes; None if it says nothing to a compiler."""
    line = NOTES.sub("", COMMENT.sub("", line))
    if not line or ASSUMED.match(line):
        return None
    if line.strip() == "unreachable":
        return "  call void @llvm.trap()\n  unreachable"
    if any(kind.fullmatch(line) for kind in (LINE, CALL, CASE, LABEL)) and line.count("{") == line.count("}"):
        return line
    raise NotArithmetic(what(line))


def what(line):
    """What an instruction does, in words that its author knows."""
    callee = re.search(r"@([\w.$]+)\(", line)
    if re.search(r"\bcall\b.* asm ", line):
        return "assembly"
    if re.search(r"\b(?:call|invoke)\b", line):
        return f"a call of {callee.group(1)}" if callee else "a call by a pointer"
    word = re.search(r"^  (?:\S+ = )?(alloca|load|store|getelementptr|atomicrmw|cmpxchg|fence|indirectbr|inttoptr)\b", line)
    names = {"load": "a read of memory", "store": "a write to memory", "alloca": "a variable in memory",
             "getelementptr": "an address that it computes"}
    return names.get(word.group(1), word.group(1)) if word else f"`{line.strip()[:60]}`"


def functions(ir, wanted):
    """A module with the functions that have these mangled names and nothing else, and which of them it has.

    Raises NotArithmetic with the name of one that does more than to compute, and with what it does.
    """
    parts, bodies = TARGET.findall(ir), {name: (kind, given, body) for kind, name, given, body in DEFINED.findall(ir)}
    for name in wanted:
        if name not in bodies:
            continue
        kind, given, body = bodies[name]
        try:
            lines = [line for line in map(checked, body.splitlines()) if line is not None]
            head = f"define {kind} @{name}({parameters(given, ('signext', 'zeroext'))}) {{"
        except NotArithmetic as more:
            raise NotArithmetic(name, str(more)) from None
        parts += [head, *lines, "}"]
    used = set(re.findall(INTRINSIC, "\n".join(parts)))
    for kind, name, given in DECLARED.findall(ir):
        if name in used:
            parts.append(f"declare {kind} {name}({parameters(given, ('immarg',))})")
    return "\n".join([*parts, "declare void @llvm.trap()"]) + "\n", [name for name in wanted if name in bodies]
# SPDX-License-Identifier: MIT
