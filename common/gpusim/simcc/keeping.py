"""Kernels that make every access to memory that stands in their source (simcc --keep-accesses).

clang may remove an access: a value that is never used is not loaded, an element that is never read is not stored, and the first
of two stores in a row is dropped. No run shows a race of such an access. So clang stops after its first half, with LLVM IR that
is not yet optimised. Here each access becomes a volatile one, which clang must keep ("Volatile Memory Accesses" in LLVM's
Language Reference Manual). In the PTX they become plain again, except in kernels that have volatile accesses of their own.

In that IR every variable is memory. A thread's own variables (alloca) must be told apart from the rest, and stay as they are.
The objects that a pointer may point to are computed by Andersen's method ("Program Analysis and Specialization for the C
Programming Language", 1994), with each call replaced by the body of its function.

What is known of the kernels stands at the end of the PTX text, a comment each, which checking/kept_accesses.h reads.
"""
import re

MOST_CALLS = 20000  # of one kernel, each function counted as often as it is called
MOST_BYTES = 512  # of a copy that becomes loads and stores

ELSEWHERE = 0  # the object that stands for all memory that is not a thread's own

KERNEL = re.compile(r'^!\d+ = !\{.*?(@(?:"[^"]*"|[\w.$]+)), !"kernel", i32 1\}$', re.MULTILINE)
CONSTANT = re.compile(r'^(@(?:"[^"]*"|[\w.$-]+)) = (?:[\w()]+ )*?constant ', re.MULTILINE)
DEFINED = re.compile(r'^define .*?(@(?:"[^"]*"|[\w.$-]+))\((.*)\)(.*)\{$')
RESULT = re.compile(r"^(%[\w.]+|%\"[^\"]*\") = ")
CALLED = re.compile(r'(@(?:"[^"]*"|[\w.$-]+)|%[\w.]+)\(')
ASM = re.compile(r"^(  .*\bcall .*?)\basm (?!sideeffect\b)(.*?\[)")  # with an address
CALL = re.compile(r"^(  (?:%\S+ = )?(?:tail )?call [^\n]*?\))((?: #\d+)?(?:, ![^\n]*)?)$")
COMPUTED = re.compile(r"\b(?:bitcast|addrspacecast|getelementptr|inttoptr|ptrtoint|select|add|sub)\b[a-z ]*\(")
CASTS = ("bitcast", "addrspacecast", "getelementptr", "inttoptr", "ptrtoint", "freeze", "trunc", "zext", "sext")
BINARY = ("add", "sub", "and", "or", "xor", "shl", "lshr", "ashr", "mul", "udiv", "sdiv", "urem", "srem")
NUMBERS = ("icmp", "fcmp", "fadd", "fsub", "fmul", "fdiv", "frem", "fneg", "fpext", "fptrunc", "fptosi", "fptoui", "sitofp",
           "uitofp")
COPIES = ("@llvm.memcpy", "@llvm.memmove")
WORDS = {16: "<4 x i32>", 8: "<2 x i32>", 4: "i32", 2: "i16", 1: "i8"}


def split(text):
    """What stands between commas that are in no brackets."""
    parts, depth, begin, in_string = [], 0, 0, False
    for at, c in enumerate(text):
        if c == '"':
            in_string = not in_string
        elif in_string:
            continue
        elif c in "([{<":
            depth += 1
        elif c in ")]}>":
            depth -= 1
        elif c == "," and depth == 0:
            parts.append(text[begin:at].strip())
            begin = at + 1
    parts.append(text[begin:].strip())
    return [part for part in parts if part]


def value_of(operand):
    """The register of "float* noundef %4", or the global variable, or the constant that is computed of one."""
    if operand.endswith(")") and (computed := COMPUTED.search(operand)):
        return operand[computed.start():]
    return operand.split(" ")[-1]


class Function:
    def __init__(self, head, begin, lines):
        self.name, self.begin = head[1], begin  # of its body: the index of its first line
        self.is_kernel = " ptx_kernel " in head[0]  # from clang 21 on; older ones name kernels in metadata
        self.parameters = split(head[2])
        self.body = [line.strip() if line.startswith("  ") else "" for line in lines]
        self.is_volatile = any(re.search(r"\b(?:load|store) volatile\b|, i1 true\)", line) for line in self.body)


def functions_of(lines):
    found = {}
    for at, line in enumerate(lines):
        if head := DEFINED.match(line):
            found[head[1]] = Function(head, at + 1, lines[at + 1:lines.index("}", at)])
    return found


class TooManyCalls(Exception):
    """The kernel calls too much to be looked at, or itself."""


class Kernel:
    """A kernel in which each call is replaced by its function."""

    def __init__(self, module, function):
        self.module = module
        self.objects = 1
        self.points_to = {}  # (call, register): numbers of objects
        self.holds = {ELSEWHERE: {ELSEWHERE}}  # object: what pointers in it point to
        self.rules = []  # (kind, into, from)
        self.accesses = []  # (index of the line, its operand, pointer)
        self.functions = set()  # names
        self.calls = 0
        self.place(function, [self.own({ELSEWHERE}) if "byval(" in p else {ELSEWHERE} for p in function.parameters], ())
        self.solve()

    def own(self, holds=()):
        """A new object of the thread's own."""
        number, self.objects = self.objects, self.objects + 1
        self.holds[number] = set(holds)
        return {number}

    def place(self, function, arguments, around):
        """The key of what it returns."""
        self.calls += 1
        if self.calls > MOST_CALLS or function.name in around:
            raise TooManyCalls
        call = self.calls
        self.functions.add(function.name)
        for parameter, objects in zip(function.parameters, arguments):
            self.points_to[call, value_of(parameter)] = objects
        for at, instruction in enumerate(function.body):
            if instruction:
                self.instruction(call, function.begin + at, instruction, (*around, function.name))
        return call, "result"

    def objects_of(self, call, value):
        """The set of objects that a value may point to. solve() adds to it."""
        if value.startswith("%"):
            return self.points_to.setdefault((call, value), set())
        globals_in = re.findall(r'@(?:"[^"]*"|[\w.$-]+)', value)
        if globals_in and all(name in self.module.constants for name in globals_in):
            return self.own({ELSEWHERE})  # nothing can write there: it may as well be a thread's own
        return {ELSEWHERE} if globals_in or "inttoptr" in value else set()

    def instruction(self, call, at, text, around):
        result = RESULT.match(text)
        into = self.points_to.setdefault((call, result[1]), set()) if result else set()
        body = text[result.end():] if result else text
        body = re.sub(r"(?:, ![\w.]+ !\d+)+$", "", body)
        word, _, rest = body.partition(" ")
        if word in ("tail", "musttail", "notail"):
            word, _, rest = rest.partition(" ")
        operands = split(rest)

        def of(operand):
            return self.objects_of(call, value_of(operand))

        def follow(*sources):
            self.rules += [("copy", into, source) for source in sources]

        if word == "alloca":
            into |= self.own()
        elif word == "load":
            pointer = of(operands[1])
            self.accesses.append((at, 0, pointer))
            self.rules.append(("load", into, pointer))
        elif word == "store":
            value, pointer = of(operands[0]), of(operands[1])
            self.accesses.append((at, 0, pointer))
            self.rules.append(("store", pointer, value))
        elif word in ("atomicrmw", "cmpxchg"):
            into |= {ELSEWHERE}
            self.accesses.append((at, 0, {ELSEWHERE}))
        elif word in CASTS:
            first = operands[1] if word == "getelementptr" else re.sub(r" to [^%@]*$", "", rest)
            follow(of(first))
            if word == "inttoptr":
                into |= {ELSEWHERE}
        elif word == "phi":
            follow(*(self.objects_of(call, split(value)[0]) for value in re.findall(r"\[ (.*?), %\S+ \]", rest)))
        elif word in ("select", "insertvalue", "insertelement", "shufflevector", *BINARY):
            follow(*map(of, operands))
        elif word in ("extractvalue", "extractelement"):
            follow(of(operands[0]))
        elif word == "ret" and operands and operands[0] != "void":
            self.rules.append(("copy", self.points_to.setdefault((call, "result"), set()), of(operands[0])))
        elif word == "call":
            self.called(call, at, rest, into, around)
        elif word not in NUMBERS:
            into |= {ELSEWHERE}

    def called(self, call, at, text, into, around):
        if re.search(r"\basm\b", text):
            into |= {ELSEWHERE}
            return
        callee = CALLED.search(text)
        if not callee:
            raise TooManyCalls
        end, depth = callee.end(), 1
        while depth:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        arguments = split(text[callee.end():end - 1])
        objects = [self.objects_of(call, value_of(argument)) for argument in arguments]
        name = callee[1]
        function = self.module.functions.get(name)
        if function:
            key = self.place(function, objects, around)
            self.rules.append(("copy", into, self.points_to.setdefault(key, set())))
        elif name.startswith(COPIES):
            self.accesses += [(at, 0, objects[0]), (at, 1, objects[1])]
            self.rules.append(("content", objects[0], objects[1]))
        elif name.startswith("@llvm.memset"):
            self.accesses.append((at, 0, objects[0]))
        elif name.startswith("@llvm.nvvm.ptr."):  # from one space to another
            self.rules.append(("copy", into, objects[0]))
        elif name.startswith("%"):
            raise TooManyCalls  # by address
        elif not name.startswith("@llvm.") or re.search(r"\*|\bptr\b", text[:callee.start()]):
            into |= {ELSEWHERE}

    def solve(self):
        """Until nothing changes."""
        changed = True
        while changed:
            changed = False
            for kind, into, source in self.rules:
                if kind == "copy":
                    pairs = [(into, source)]
                elif kind == "load":
                    pairs = [(into, self.holds.get(o, ())) for o in source]
                elif kind == "store":
                    pairs = [(self.holds[o], source) for o in into if o in self.holds]
                else:
                    pairs = [(self.holds[o], self.holds.get(s, ())) for o in into if o in self.holds for s in source]
                for to, more in pairs:
                    size = len(to)
                    to |= set(more)
                    changed |= len(to) != size

    def of_all_memory(self):
        """(index of the line, its operand) of accesses that may be of memory that other threads see."""
        return {(at, operand) for at, operand, pointer in self.accesses if ELSEWHERE in pointer or not pointer}


class Module:
    def __init__(self, text):
        self.lines = text.split("\n")
        self.functions = functions_of(self.lines)
        self.constants = set(CONSTANT.findall(text))
        named = KERNEL.findall(text) + [name for name, function in self.functions.items() if function.is_kernel]
        self.kernels = [name for name in dict.fromkeys(named) if name in self.functions]


def pieces(size, align):
    """(offset, bytes) of the largest accesses that a copy can be made of."""
    at, largest = 0, min(align, 16)
    while at < size:
        while largest > size - at:
            largest //= 2
        yield at, largest
        at += largest


def copied_by_words(line, at, is_volatile):
    """A copy (memcpy) as loads and stores, of which those of `is_volatile` (operands: 0 stores, 1 loads) are."""
    arguments = split(line[line.index("(") + 1:line.rindex(")")])
    size = re.fullmatch(r"i64 (\d+)", arguments[2])
    if not size or int(size[1]) > MOST_BYTES or "@llvm.memmove" in line:
        return re.sub(r"i1 false\)", "i1 true)", line)
    debug = "".join(re.findall(r", !dbg !\d+", line))
    align = min(int(re.search(r"align (\d+)", a)[1]) if "align" in a else 1 for a in arguments[:2])
    text = []
    for offset, bytes_ in pieces(int(size[1]), align):
        word, names = WORDS[bytes_], []
        for operand, argument in enumerate(arguments[:2]):
            name, kind = f"%kept{at}.{offset}.{operand}", "ptr" if argument.startswith("ptr") else "i8*"
            text.append(f"  {name} = getelementptr i8, {kind} {value_of(argument)}, i64 {offset}{debug}")
            if kind != "ptr":
                text.append(f"  {name}.p = bitcast i8* {name} to {word}*{debug}")
                name, kind = name + ".p", word + "*"
            names.append(f"{kind} {name}")
        how = ["volatile " if operand in is_volatile else "" for operand in (0, 1)]
        value = f"%kept{at}.{offset}.value"
        text.append(f"  {value} = load {how[1]}{word}, {names[1]}, align {bytes_}{debug}")
        text.append(f"  store {how[0]}{word} {value}, {names[0]}, align {bytes_}{debug}")
    return "\n".join(text)


def kept(line, at, operands):
    if re.search(r"\b(?:load|store) volatile\b|\batomicrmw\b|\bcmpxchg\b", line):
        return line
    if any(name in line for name in COPIES) and line.lstrip().startswith(("call", "tail call")):
        return copied_by_words(line, at, operands)
    if "@llvm.memset" in line:
        return line.replace("i1 false)", "i1 true)")
    return re.sub(r"\b(load|store) ", r"\1 volatile ", line, count=1)


def not_merged(line):
    """Keeps inline PTX that has an address, and keeps clang from merging calls (such as barriers) in two branches of an `if`."""
    return CALL.sub(r"\1 nomerge\2", ASM.sub(r"\1asm sideeffect \2", line))


def with_all_accesses(text):
    """LLVM IR whose accesses clang keeps; comments for the end of the PTX; the kernels with volatile accesses of their own."""
    module, comments, volatile = Module(text), [], set()
    wanted = {}  # index of a line: operands
    for name in module.kernels:
        function = module.functions[name]
        plain = name[1:].strip('"').replace(".", "_$_")  # as in the PTX
        try:
            kernel = Kernel(module, function)
        except TooManyCalls:
            comments.append(f"// simcc: {plain} calls too much\n")
            continue
        comments.append(f"// simcc: {plain} keeps its accesses\n")
        for at, operand in kernel.of_all_memory():
            wanted.setdefault(at, set()).add(operand)
        if any(module.functions[called].is_volatile for called in kernel.functions):
            volatile.add(plain)
        restricted = [str(k) for k, parameter in enumerate(function.parameters) if re.search(r"\bnoalias\b", parameter)]
        if restricted:
            comments.append(f"// simcc: {plain} restricts {' '.join(restricted)}\n")
    lines = [kept(line, at, wanted[at]) if at in wanted else not_merged(line) for at, line in enumerate(module.lines)]
    return "\n".join(lines), "".join(comments), volatile


def with_plain_accesses(ptx, volatile):
    """PTX whose accesses are volatile only where the source says so."""
    def plain(entry):
        return entry[0] if entry[1] in volatile else re.sub(r"\b(ld|st)\.volatile\.", r"\1.", entry[0])

    return re.sub(r"^(?:\.visible |\.weak )*\.entry ([\w$.]+)\(.*?^\}", plain, ptx, flags=re.MULTILINE | re.DOTALL)
# SPDX-License-Identifier: MIT
