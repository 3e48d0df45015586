"""Which forms of each instruction exist: type by type, modifier by modifier.

instruction_forms.py PTXCHECK OPCODES.DEF FORMS     the simulated GPU takes exactly the forms that the file FORMS lists
instruction_forms.py --operands PTXCHECK FILE       … and lines of the file that begin with "ok" or "taken", no others
instruction_forms.py --ask PTXAS OPCODES.DEF        prints the first list as NVIDIA's assembler has it

Every row of opcodes.def is tried with every type, or pair of types, and with every modifier that any instruction has.
"""
import concurrent.futures
import itertools
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "common"))
import command_line

HEAD = """.version {version}
.target sm_80
.address_size 64
.global .align 16 .b8 g[64];
.func called() {{ ret; }}
"""
FUNCTION = """.visible .entry k{number}() {{
.reg .pred %p<4>; .reg .b16 %h<8>; .reg .b32 %r<8>; .reg .b64 %d<8>; .reg .f32 %f<8>; .reg .f64 %e<8>; .reg .b8 %c<4>;
.reg .u16 %uh<3>; .reg .s16 %sh<3>; .reg .u32 %ur<3>; .reg .s32 %sr<3>; .reg .u64 %ud<3>; .reg .s64 %sd<3>;
table: .branchtargets L;
"""
SIZE = {"b8": 1, "u8": 1, "s8": 1, "b16": 2, "u16": 2, "s16": 2, "f16": 2, "bf16": 2, "b32": 4, "u32": 4, "s32": 4, "f32": 4,
        "f16x2": 4, "b64": 8, "u64": 8, "s64": 8, "f64": 8, "pred": 0}
TYPES = list(SIZE)
WIDER = {"u16": "u32", "s16": "s32", "u32": "u64", "s32": "s64"}
FLOAT = ["rn", "rz", "rm", "rp", "rni", "rzi", "rmi", "rpi", "ftz", "sat", "approx", "full", "NaN", "cc"]
FLOAT += [f"{r}.{m}" for r in ("rn", "rz", "rni", "rzi") for m in ("ftz", "sat", "ftz.sat")] + ["ftz.sat", "ftz.NaN"]
SPACES = ["global", "shared", "local", "const", "param"]
SCOPES = ["cta", "gpu", "sys"]
ACCESS = SPACES + ["volatile", "weak", "relaxed", "acquire", "release", "acq_rel", "nc", "ca", "cg", "cs", "cv", "lu", "wb", "wt", "v2", "v4"]  # noqa: E501
ACCESS += [f"{m}.{s}" for m in ("volatile", "weak", "relaxed", "acquire", "release", "acq_rel") for s in SCOPES + SPACES]
ACCESS += [f"{s}.{m}" for s in SPACES for m in ("nc", "ca", "cg", "cs", "cv", "lu", "wb", "wt", "v2", "v4")]
ACCESS += ["relaxed.gpu.global", "acquire.cta.shared", "release.sys.global", "global.nc.v2", "global.ca.nc", "volatile.global.ca"]
HINTS = [".".join((*space, "L2::cache_hint")) for space in ([], ["global"], ["shared"], ["local"])]
EVICTIONS = ["evict_last", "evict_normal", "evict_first", "evict_unchanged", "evict_never"]
COMPARES = ["eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"]
PRMT = ["f4e", "b4e", "rc8", "ecl", "ecr", "rc16"]


def register(type_name, number=1):
    return {0: "%p", 1: "%h", 2: "%h", 4: "%r", 8: "%d"}[SIZE[type_name]] + str(number)


def rows(opcodes):
    """(mnemonic, shape) of every row."""
    return re.findall(r'^OP\(\w+,\s*"([^"]+)",\s*(\w+),', pathlib.Path(opcodes).read_text(encoding="utf-8"), re.MULTILINE)


def operands(mnemonic, shape, d, t, modifier):
    """The operands of a form with the types d and t, or None where there are none of such types."""
    a, b, c = (register(t, n) for n in (1, 2, 3))
    if mnemonic == "createpolicy.fractional":
        return a
    if shape in ("unary", "binary", "ternary", "permute", "carry2", "carry3"):
        count = {"unary": 1, "binary": 2, "carry2": 2}.get(shape, 3)
        sources = [a, b, "%r3" if mnemonic.startswith("shf") else c][:count]
        return ", ".join([register(t)] + sources)
    vector = re.search(r"v([24])", modifier)
    value = "{" + ", ".join(register(t, n) for n in range(int(vector[1]))) + "}" if vector else a
    wide = register(WIDER.get(t, t))
    where = "[g]" if "const" not in modifier and not any(s in modifier for s in ("shared", "local", "param")) else "[%d1]"
    policy = ", %d3" if "cache_hint" in modifier else ""
    table = {
        "widening2": f"{wide}, {a}, {b}", "widening3": f"{wide}, {a}, {b}, {wide}",
        "shift": f"{a}, {a}, %r2", "extract": f"{a}, {a}, %r2, %r3", "insert": f"{a}, {a}, {b}, %r2, %r3",
        "count": f"%r1, {a}", "lut": f"{a}, {a}, {b}, {c}, 150", "testp": f"%p1, {a}",
        "compare": f"%p1, {a}, {b}", "compare_set": f"{register(d)}, {a}, {b}", "select": f"{a}, {a}, {b}, %p1",
        "slct": f"{register(d)}, {register(d)}, {register(d, 2)}, {a}", "move": f"{a}, {b}",
        "convert": f"{register(d)}, {a}", "address": f"{a}, {a}", "space_test": "%p1, %d1",
        "load": f"{value}, {where}{policy}", "store": f"{where}, {value}{policy}",
        "atomic": f"{a}, {where}, {b}" + (f", {c}" if "cas" in mnemonic else ""), "reduction": f"{where}, {b}",
        "shuffle": f"{a}, {a}, 1, 2, 3", "vote": f"{'%r1' if 'ballot' in modifier else '%p1'}, %p1, 1",
        "match": f"%r1, {a}, 1" if "any" in mnemonic else f"%r1|%p1, {a}, 1", "activemask": f"{a}",
        "redux": f"{a}, {a}, 1", "warp_barrier": "1", "barrier": "0", "sleep": "1",
        "barrier_arrive": "0, 64", "async_copy": "[%d1], [%d2], 16", "async_group": "0" if "wait_group" in mnemonic else "",
        "barrier_red": f"{a}, 0, %p1", "dot": "%r1, %r1, %r2, %r3",
        "branch": "L", "branch_table": "%r1, table", "call": "called", "leave": "", "fence": "", "hint": where,
    }
    if shape == "mbarrier":
        state = "%p1, " if "wait" in mnemonic else "%d1, " if mnemonic.startswith("mbarrier.arrive") else ""
        last = (", 1" if "init" in mnemonic or "noComplete" in modifier or "parity" in modifier
                else ", %d2" if "wait" in mnemonic else "")
        return f"{state}[%d3]{last}"
    return table[shape]


def products(mnemonic):
    """Products that are simulated, and others with the registers that they would have."""
    shapes = [(16, 4), (16, 8), (16, 16), (16, 32), (8, 4), (8, 16)]
    bits = {"f16": 16, "bf16": 16, "tf32": 32, "f64": 64, "s8": 8, "u8": 8}
    for (m, k), (a, b), s, saturated in itertools.product(shapes, [*((t, t) for t in bits), ("s8", "u8"), ("u8", "s8")],
                                                          ["f32", "f16", "s32", "f64"], ["", "satfinite."]):
        if m == 8 and bits[a] == 16:
            continue  # m8n8k4, of the first tensor cores, has fragments of its own
        file, each = ("%e", 64) if a == "f64" else ("%r", 32)
        counts = [max(1, rows * k * bits[a] // 32 // each) for rows in (m, 8)]
        sums = m * 8 // 32 // (2 if s == "f16" else 1)
        kind = {"f32": "%f", "f64": "%e"}.get(s, "%r")
        registers = [f"{{{', '.join(f'{name}{i}' for i in range(count))}}}"
                     for name, count in ((kind, sums), (file, counts[0]), (file, counts[1]), (kind, sums))]
        suffix = f".m{m}n8k{k}.row.col.{saturated}{s}.{a}.{b}.{s}"
        yield suffix, f"{mnemonic}{suffix} {', '.join(registers)};"


def forms(mnemonic, shape):
    """(suffix, instruction) of everything that is tried of a row."""
    pairs = [(t, t) for t in TYPES]
    names = [f".{t}" for t in TYPES]
    if shape in ("compare_set", "slct", "convert", "dot"):
        pairs = list(itertools.product(TYPES, TYPES))
        names = [f".{d}.{t}" for d, t in pairs]
    modifiers = [""] + [m for m in FLOAT if m not in mnemonic]  # ptxas takes rcp.approx.approx
    if mnemonic == "createpolicy.fractional":
        modifiers = ["", "ftz", "L2::cache_hint"] + [f"{level}::{name}" for level in ("L1", "L2") for name in EVICTIONS]
    if mnemonic == "fma":
        modifiers += ["relu", "rn.relu", "rn.ftz.relu", "rn.sat.relu"]
    if shape in ("load", "store", "atomic", "reduction"):
        modifiers = [""] + FLOAT[:14] + ACCESS + (HINTS if shape in ("load", "store") else [])
    if shape in ("address", "space_test"):
        modifiers = [""] + SPACES + ["generic", "ftz", "sat"]
    if shape == "space_test":
        pairs, names = [("u64", "u64")] * 2, ["", ".u64"]
    if shape in ("branch", "branch_table", "call", "leave", "sleep", "warp_barrier", "barrier", "barrier_arrive"):
        modifiers, pairs, names = ["", "uni", "aligned", "ftz", "sat", "rn", "gl", "cta"], pairs[-5:-4] + [("u32", "u32")], ["", ".u32"]  # noqa: E501
    if shape in ("async_copy", "async_group", "matrix_load"):
        spaces = ["", "shared", "shared.global", "global.shared", "global", "shared::cta.global", "local"]
        modifiers = [".".join(filter(None, part)) for part in itertools.product(["", "ca", "cg", "cs"], spaces, ["", "L2::128B", "L1::no_allocate"])]  # noqa: E501
        pairs, names = [("u32", "u32")] * 2, ["", ".b32"]
    if shape == "mbarrier":
        variants, spaces = ["", "noComplete", "parity", "noinc"], ["", "shared", "shared::cta", "global"]
        orders = ["", "release.cta", "acquire.cta", "release", "cta", "acquire.gpu"]
        modifiers = [".".join(filter(None, part)) for part in itertools.product(variants, orders, spaces)]
        pairs, names = [("b64", "b64"), ("b32", "b32")], [".b64", ".b32"]
    if shape == "matrix_load":
        for x, trans, space, name in itertools.product(["", "x1", "x2", "x4", "x8"], ["", "trans"], ["", "shared", "shared::cta", "global"], ["b16", "b8", "b32"]):  # noqa: E501
            suffix = "".join("." + part for part in ("m8n8", x, trans, space, name) if part)
            yield suffix, f"{mnemonic}{suffix} {{{', '.join(f'%r{i}' for i in range(int(x[1:] or 1)))}}}, [%d1];"
        return
    if shape == "matrix_multiply":
        yield from products(mnemonic)
        return
    if shape == "fence":
        modifiers, pairs, names = ["", "cta", "gl", "gpu", "sys", "sc", "acq_rel", "sc.cta", "sc.gpu", "acq_rel.sys", "acq_rel.gl", "ftz", "rn"], [("u32", "u32")] * 2, ["", ".u32"]  # noqa: E501
    if shape == "hint":
        levels = ["L1", "L2", "L3", "L1.L2"]
        modifiers = [".".join(filter(None, pair)) for pair in itertools.product(["", "global", "local", "shared", "const"], ["", *levels])]  # noqa: E501
        pairs, names = [("u32", "u32")] * 2, ["", ".u32"]
    if shape in ("compare", "compare_set"):
        few = COMPARES if shape == "compare" else ["eq", "ltu", "hi"]
        modifiers = ["", "and", "ftz"] + few + ["eq.ftz", "hi.ftz", "num.ftz", "ltu.ftz", "eq.sat", "eq.rn", "eq.eq"]
    if shape == "shuffle":
        modifiers = ["", "up", "down", "bfly", "idx", "all", "idx.ftz", "idx.up"]
    if shape == "vote":
        modifiers = ["", "all", "any", "uni", "ballot", "idx", "all.ftz", "ballot.any"]
    if shape in ("redux", "barrier_red"):
        modifiers = ["", "add", "min", "max", "and", "or", "xor", "popc", "inc", "add.sat", "min.ftz", "abs"]
    if shape in ("match", "activemask", "select", "dot", "testp"):
        modifiers = ["", "ftz", "sat", "rn", "approx", "cc", "lo", "hi", "wrap", "clamp"]
    if shape in ("convert", "slct"):
        modifiers = ["", "rn", "rz", "rni", "rzi", "rpi", "ftz", "sat", "rn.ftz", "rn.sat", "rzi.ftz", "rzi.sat", "ftz.sat", "rn.ftz.sat", "rp", "approx", "NaN"]  # noqa: E501
    for modifier in modifiers:
        for (d, t), name in zip(pairs, names):
            if (t == "pred" or d == "pred") and shape in ("load", "store"):
                continue  # no register fits
            m = "." + modifier if modifier else ""
            head, tail = mnemonic, ""
            if shape in ("atomic", "reduction"):  # the operation stands last
                head, operation = mnemonic.split(".")
                tail = "." + operation
            yield m + name, f"{head}{m}{tail}{name} {operands(mnemonic, shape, d, t, modifier)};"
    if shape == "permute":
        for mode in PRMT + ["f4", "hi", "ftz"]:
            for t in ("b32", "u32", "b64"):
                yield f".{t}.{mode}", f"{mnemonic}.{t}.{mode} {operands(mnemonic, 'ternary', t, t, '')};"


def text_of(lines, version, per_function):
    text, where = HEAD.format(version=version), []
    for begin in range(0, len(lines), per_function):
        text += FUNCTION.format(number=begin)
        for line in lines[begin:begin + per_function]:
            where.append(text.count("\n") + 1)
            text += line + "\n"
        text += "L:\nret;\n}\n"
    return text, where


def run(tool, lines, version, per_function):
    """Exit status, output and the lines' numbers in the file."""
    text, where = text_of(lines, version, per_function)
    with tempfile.NamedTemporaryFile("w", suffix=".ptx", delete=False) as file:
        file.write(text)
    done = subprocess.run([*tool, file.name], capture_output=True, text=True, check=False)
    os.unlink(file.name)
    return done.returncode, done.stdout + done.stderr, where


def asked(ptxas, lines):
    """Which lines NVIDIA's assembler takes. A fatal error hides those behind it; some name no line."""
    taken, left = set(lines), list(lines)
    tool = [ptxas, "-arch=sm_80", "-O0", "-o", "/dev/null"]
    while left:
        status, text, where = run(tool, left, "8.8", len(left))
        bad, fatal, lost = set(), False, False
        for number, kind in re.findall(r"line (\d+); (error|fatal)", text):
            if int(number) in where:
                bad.add(left[where.index(int(number))])
                fatal |= kind == "fatal"
            else:
                lost = True
        taken -= bad
        left = [line for line in left if line not in bad]
        if (lost or (status and not bad)) and len(left) > 1:
            return taken & (asked(ptxas, left[:len(left) // 2]) | asked(ptxas, left[len(left) // 2:]))
        if status and not bad:
            taken -= set(left)
        if not fatal and not lost:
            break
        if lost and not bad:
            break
    return taken & set(lines)


def ask(ptxas, opcodes):
    def of_row(row):
        tried = list(forms(*row))
        lines = list(dict.fromkeys(line for _, line in tried))
        taken = set()
        for begin in range(0, len(lines), 60):
            part = lines[begin:begin + 60]
            taken |= asked(ptxas, part)
        return [suffix for suffix, line in tried if line in taken]

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        table = list(rows(opcodes))
        for (mnemonic, _), suffixes in zip(table, pool.map(of_row, table)):
            print(mnemonic + ": " + " ".join(s or "-" for s in suffixes), flush=True)


# What NVIDIA's assembler takes although the manual has no such instruction.
ODD = {"rcp": [".rn.ftz.f64", ".rz.ftz.f64"]}
ODD["cvt"] = [f".{rounding}.f32.bf16" for rounding in ("rn", "rz", "rp")]
ODD["fma"] = [f".{rounding}.bf16" for rounding in ("rz", "rm", "rp")]
ODD["mma.sync.aligned"] = [".m16n8k16.row.col.f32.tf32.tf32.f32"]
ODD |= {op: [".u16", ".s16", ".sat.s32"] for op in ("addc", "subc", "madc.lo", "madc.hi")}

# Rows whose forms of 16 bits are not simulated.
WITHOUT_HALVES = ("set",)


def check(ptxcheck, opcodes, listed):
    """The number of forms that ptxcheck takes and should not, or the other way round."""
    exist = {}
    for line in pathlib.Path(listed).read_text(encoding="utf-8").splitlines():
        mnemonic, _, suffixes = line.partition(":")
        exist[mnemonic] = {"" if s == "-" else s for s in suffixes.split()}
    wrong = count = 0
    for mnemonic, shape in rows(opcodes):
        if not exist.get(mnemonic):
            print(f"{mnemonic}: not in {listed}; see --ask")
            wrong += 1
            continue
        tried = list(forms(mnemonic, shape))
        untried = sorted(exist[mnemonic] - {suffix for suffix, _ in tried})
        wrong += len(untried)
        for suffix in untried:
            print(f"exists, and forms() of this script does not try it: {mnemonic}{suffix}")
        _, text, where = run([ptxcheck], [line for _, line in tried], "7.0", 50)
        refused = {int(number) for number in re.findall(r":(\d+): (?:error|warning): ", text)}
        for (suffix, line), number in zip(tried, where):
            half = any(part in ("f16", "bf16", "f16x2") for part in suffix.split("."))
            left_out = half and mnemonic in WITHOUT_HALVES or suffix in ODD.get(mnemonic, [])
            wanted = suffix in exist[mnemonic] and not left_out
            count += 1
            if (number not in refused) == wanted:
                continue
            wrong += 1
            print(f"{'refused, and exists' if wanted else 'taken, and does not exist'}: {line}")
    print(f"{count} forms of {len(list(rows(opcodes)))} rows, {wrong} wrong")
    return wrong


def check_operands(ptxcheck, listed):
    cases = [line.partition(" ") for line in pathlib.Path(listed).read_text(encoding="utf-8").splitlines() if not line.startswith("#")]  # noqa: E501
    _, text, where = run([ptxcheck], [line for _, _, line in cases], "7.0", 1)
    said = dict(re.findall(r":(\d+): (?:error|warning): (.*)", text))
    wrong = 0
    for (kind, _, line), number in zip(cases, where):
        wanted = kind in ("ok", "taken")
        if (str(number) in said) == wanted:
            wrong += 1
            print(f"{'refused' if wanted else 'taken'}: {line} {said.get(str(number), '')}")
    print(f"{len(cases)} lines, {wrong} wrong")
    return wrong


def main():
    given = command_line.arguments("PTXCHECK OPCODES.DEF FORMS", "--operands PTXCHECK FILE", "--ask PTXAS OPCODES.DEF")
    if given[0] == "--ask":
        return ask(*given[1:])
    if given[0] == "--operands":
        return bool(check_operands(*given[1:]))
    return bool(check(*given))


if __name__ == "__main__":
    sys.exit(main())
# SPDX-License-Identifier: MIT
