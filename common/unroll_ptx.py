#!/usr/bin/env python3
"""What the compilers make of chapter 07's kernels: counts the instructions in their PTX.

unroll_ptx.py write FILE.json SIMCC NVCC       compiles with both and writes what it counted
unroll_ptx.py check FILE.json SIMCC [NVCC]     the loops are unrolled as their pragmas ask, and FILE.json says
                                               what compilers of the versions in it make of them
unroll_ptx.py table FILE.json COMPILER         the counts as a Markdown table; COMPILER: clang or nvcc
unroll_ptx.py loop FILE.json COMPILER KERNEL   the PTX of a kernel's largest loop

SIMCC compiles with clang, for sm_80. Registers are those of ptxas, for sm_90: PTX has as many as it likes.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import command_line
import whole_file

SKIP = 77
ROOT = pathlib.Path(__file__).resolve().parents[1]
CHAPTER = "chapters/07_full_unroll"
SOURCES = ["unroll.cu", "chains.cu", "main.cu"]  # main.cu: with the solved kernels
GPU = "sm_90"
NOT_CODE = (".loc", "Lfunc", "Ltmp")  # for debuggers
ITEMS = 32  # a thread's, in unroll.cu
# Kernel: loads in one pass of each of its loops, in the order of the text; with any version of a compiler.
PROMISED_LOOPS = {
    "sum_rolled": [1],
    "sum_by_four": [4],
    "sum_whole": [],
    "sum_any_rolled": [1],
    "sum_with_remainder": [4, 1],
}


def output_of(*command):
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        try:
            output, errors = running.communicate()
        except KeyboardInterrupt:
            running.terminate()  # not killed, as subprocess.run() would: a compiler removes its own files
            raise
    if running.returncode:
        sys.exit(f"{' '.join(map(str, command))}: exit status {running.returncode}: {errors.strip()[-400:]}")
    return output + errors


def readable(mangled):
    """_Z12sum_unrolledILi256EEvPKfPfi -> sum_unrolled<256>"""
    length, rest = re.match(r"_Z(\d+)(.*)", mangled).groups()
    argument = re.match(r"ILi(\d+)E", rest[int(length):])
    return rest[:int(length)] + (f"<{argument[1]}>" if argument else "")


def instructions(lines):
    return [line for line in lines if not line.endswith(":") and not line.startswith(".")]


def count(lines):
    opcodes = [re.sub(r"^@!?%p\d+\s+", "", line).split()[0].rstrip(";") for line in instructions(lines)]
    return {
        "instructions": len(opcodes),
        "branches": sum(line.startswith("@") and " bra" in line.replace("\t", " ") for line in lines),
        "loads": sum(op.startswith(("ld.global", "ld.shared")) for op in opcodes),
        "additions": sum(op.startswith("add.") and op.endswith("f32") for op in opcodes),
    }


def loops(lines):
    """The stretches from a label to a branch back to it, in the order of the text."""
    labels = {line[:-1]: at for at, line in enumerate(lines) if line.endswith(":")}
    ends = {}
    for at, line in enumerate(lines):
        target = re.search(r"\bbra(?:\.uni)?\s+([$\w]+);", line)
        if target and labels[target[1]] < at:
            ends[labels[target[1]]] = at
    return [lines[start:end + 1] for start, end in sorted(ends.items())]


def kernels_of(ptx):
    found = {}
    for name, body in re.findall(r"^\.visible \.entry (\w+)\(.*?^\{(.*?)^\}", ptx, re.MULTILINE | re.DOTALL):
        lines = [line.split("//")[0].strip() for line in body.splitlines()]
        lines = [re.sub(r"\s+", " ", line) for line in lines if line and not line.startswith(NOT_CODE)]
        found[readable(name)] = {
            **count(lines),
            "loops": [count(loop) for loop in loops(lines)],
            "largest_loop": max(loops(lines), key=len, default=[]),
        }
    return found


def registers_of(nvcc, ptx, scratch):
    ptxas = pathlib.Path(nvcc).parent / "ptxas"
    text = output_of(ptxas, "-v", f"-arch={GPU}", ptx, "-o", scratch / "kernels.cubin")
    return {readable(name): int(number) for name, number in
            re.findall(r"Compiling entry function '(\w+)'.*?Used (\d+) registers", text, re.DOTALL)}


def compiled(compiler, program):
    """What `program` makes of every kernel, by the kernel's name."""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for source in SOURCES:
            ptx = pathlib.Path(folder, source + ".ptx")
            output_of(program, "-ptx", "-O2", "-std=c++17", f"-arch={GPU}", "-I", ROOT / "common", "-I", ROOT,
                      "-I", ROOT / "solutions/07_full_unroll", ROOT / CHAPTER / source, "-o", ptx)
            found.update(kernels_of(ptx.read_text(encoding="utf-8")))
            if compiler == "nvcc":
                for kernel, registers in registers_of(program, ptx, pathlib.Path(folder)).items():
                    found[kernel]["registers"] = registers
    return found


def version(compiler, program):
    if compiler == "clang":  # simcc shows, with -v, which clang it calls
        program = output_of(program, "-v", "-c", "-x", "cu", "/dev/null", "-o", "/dev/null").split()[0]
    return re.search(r"(?:version |V)(\d+\.\d+\.\d+)", output_of(program, "--version"))[1]


def result_of(compiler, program):
    return {"version": version(compiler, program), "kernels": compiled(compiler, program)}


def write(file, simcc, nvcc):
    data = {
        "what": f"instructions in the PTX of {CHAPTER}/*.cu; loops: in one pass; registers: ptxas, {GPU}",
        "compilers": {"clang": result_of("clang", simcc), "nvcc": result_of("nvcc", nvcc)},
    }
    whole_file.write(file, json.dumps(data, indent=1) + "\n")


def check(file, simcc, *nvcc):
    expected = read(file)
    skipped = []
    for compiler, program in zip(("clang", "nvcc"), (simcc, *nvcc)):
        found = result_of(compiler, program)
        who = f"{compiler} {found['version']}"
        for kernel, loads in PROMISED_LOOPS.items():
            got = [loop["loads"] for loop in found["kernels"][kernel]["loops"]]
            if got != loads:
                sys.exit(f"{who}: {kernel} has loops of {got} loads, expected {loads}")
        if (loads := found["kernels"]["sum_whole"]["loads"]) != ITEMS:
            sys.exit(f"{who}: sum_whole has {loads} loads, expected {ITEMS}")
        for kernel, counts in found["kernels"].items():
            if kernel.startswith("sum_unrolled") and counts["loops"]:
                sys.exit(f"{who}: {kernel} still has a loop")
        if found["version"] != expected[compiler]["version"]:
            skipped.append(f"{who} is here, {file} is of {expected[compiler]['version']}")
        elif found != expected[compiler]:
            sys.exit(f"{file} is not what {who} makes of the sources: renew it with unroll_ptx.py write")
    if skipped:
        print("loops as promised; counts not compared: " + "; ".join(skipped))
        sys.exit(SKIP)


def read(file):
    compilers = json.loads(pathlib.Path(file).read_text(encoding="utf-8")).get("compilers")
    return compilers or command_line.stop(f"{file}: holds no counts, which unroll_ptx.py write makes")


def of_compiler(file, compiler):
    compilers = read(file)
    return compilers.get(compiler) or command_line.stop(f"{compiler}: no compiler of {file}, only {' and '.join(compilers)}")


def table(file, compiler):
    result = of_compiler(file, compiler)
    columns = ["instructions", "branches", "loads", "additions"]
    print(f"| kernel | {' | '.join(columns)} | one round of each loop: instructions / loads | registers |")
    print("|---|" + "---:|" * len(columns) + "---|---:|")
    for kernel, counts in result["kernels"].items():
        passes = ", ".join(f"{each['instructions']} / {each['loads']}" for each in counts["loops"]) or "no loop"
        cells = [f"`{kernel}`", *(counts[c] for c in columns), passes, counts.get("registers", "–")]
        print("| " + " | ".join(map(str, cells)) + " |")
    registers = f"; registers: ptxas, {GPU}" if compiler == "nvcc" else ""
    print(f"\nCounted in the PTX of {compiler} {result['version']}{registers}.")


def loop(file, compiler, kernel):
    kernels = of_compiler(file, compiler)["kernels"]
    if "largest_loop" not in kernels.get(kernel, {}):
        with_loops = [name for name, counts in kernels.items() if "largest_loop" in counts]
        command_line.stop(f"{kernel}: no kernel with a loop; those are {', '.join(with_loops)}")
    print("\n".join(kernels[kernel]["largest_loop"]))


if __name__ == "__main__":
    COMMANDS = {"write": (write, [3]), "check": (check, [2, 3]), "table": (table, [2]), "loop": (loop, [3])}
    command_line.run(lambda command, *arguments: COMMANDS[command][0](*arguments), __doc__,
                     "write|check|table|loop FILE.json …",
                     lambda arguments: bool(arguments) and arguments[0] in COMMANDS
                     and len(arguments) - 1 in COMMANDS[arguments[0]][1])
# SPDX-License-Identifier: MIT
