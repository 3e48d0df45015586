#!/usr/bin/env python3
"""mutants.py PROGRAM [--simcc SIMCC] [--mutants N] [--seed S] [--show] -- [ARGUMENT…]

Takes a program that was compiled with simcc --keep-accesses, or with --simcc its source, and changes one instruction at a time in
the PTX that it holds: it takes out a barrier, makes a mask smaller, drops a guard or a branch, changes the step or the offset of
an address, or takes another register of threads and blocks. No compiler is needed: the text stays as long as it was. Each mutant
runs with GPUSIM_CHECK=proof.

What is proved of a mutant must hold: its results must be the same in other orders of lanes and blocks, and none of them may
race. Prints how many mutants there were of each kind and verdict, and with --show those that are still proved: look at each.
"""
import argparse
import collections
import os
import pathlib
import random
import re
import stat
import subprocess
import sys
import tempfile

VERDICT = re.compile(rb"^gpusim: (proved race-free|proved|not proved): (.*?)<<<", re.MULTILINE)
ORDERS = ({"GPUSIM_SCHEDULE": "ascending"}, {"GPUSIM_SCHEDULE": "descending", "GPUSIM_BLOCK_ORDER": "last_to_first"},
          {"GPUSIM_BLOCK_ORDER": "shuffled"})
# Kind, what it looks for, what it becomes: never longer.
CHANGES = (
    ("barrier", rb"bar\.sync \t?0;|bar\.sync 0;", b""),
    ("barrier of a warp", rb"bar\.warp\.sync \t?[^;]+;", b""),
    ("mask", rb"(bar\.warp\.sync \t?)-1;", rb"\g<1>1;"),
    ("guard", rb"@!?%p\d+(?= \t?bra)", b""),
    ("branch", rb"@!?%p\d+ \t?bra [^;]+;", b""),
    ("comparison", rb"setp\.lt\.", b"setp.le."),
    ("comparison", rb"setp\.gt\.", b"setp.ge."),
    ("comparison", rb"setp\.ge\.", b"setp.gt."),
    ("comparison", rb"setp\.ne\.", b"setp.eq."),
    ("comparison", rb"setp\.eq\.", b"setp.ne."),
    ("offset", rb"(\[%rd\d+)\+\d+\]", rb"\1]"),  # with the bracket: blanks within it are no address for common/gpusim/prove
    ("offset", rb"(?<=\[)(%rd\d+)\+(\d)(?=\d*\])", rb"\1+9"),
    ("step", rb"(mul\.wide\.[us]32 \t?[^;]*, )4;", rb"\g<1>8;"),
    ("step", rb"(mul\.wide\.[us]32 \t?[^;]*, )4;", rb"\g<1>2;"),
    ("step", rb"(shl\.b(?:32|64) \t?[^;]*, )(\d);", lambda m: m[1] + str(int(m[2]) - 1).encode() + b";"),
    ("step", rb"(shr\.[us]32 \t?[^;]*, )(\d);", lambda m: m[1] + str((int(m[2]) + 1) % 10).encode() + b";"),
    ("index", rb"(mov\.u32 \t?%r\d+, %)tid\.x", rb"\1laneid"),
    ("index", rb"(mov\.u32 \t?%r\d+, %)ctaid\.x", rb"\1tid.x"),
    ("index", rb"(mov\.u32 \t?%r\d+, %)ntid\.x", rb"\1tid.x"),
    ("index", rb"(add\.s32 \t?[^;]*, )(-?\d+);", lambda m: m[1] + str((int(m[2]) + 1) % 10).encode() + b";"),
    ("index", rb"(and\.b32 \t?[^;]*, )(\d+);", lambda m: m[1] + str(int(m[2]) // 2).encode() + b";"),
    ("index", rb"add\.s(32|64)", rb"sub.s\1"),
    ("mask", rb"(mov\.u32 \t?%r\d+, )-1;", rb"\g<1>1;"),  # that clang keeps in a register
    ("mask", rb"(shfl\.sync\.[^;]*, )-1;", rb"\g<1>1;"),
)


def entries(data):
    """Where the text of each kernel lies."""
    for match in re.finditer(rb"\.entry ([\w$]+)\(.*?\n\}", data, re.DOTALL):
        yield match.start(), match.end(), match[1].decode()


def mutants(data):
    """(kind, kernel, where, text before, text after)"""
    for begin, end, kernel in entries(data):
        for kind, pattern, becomes in CHANGES:
            for match in re.finditer(pattern, data[begin:end]):
                old = match[0]
                new = becomes(match) if callable(becomes) else match.expand(becomes)
                if new != old and len(new) <= len(old):
                    yield kind, kernel, begin + match.start(), old, new.ljust(len(old))


def run(program, arguments, **variables):
    environment = {key: value for key, value in os.environ.items() if not key.startswith("GPUSIM_")}
    environment |= {"GPUSIM_BUDGET": "20000000"} | variables
    try:
        return subprocess.run([program, *arguments], env=environment, capture_output=True, timeout=60, check=False)
    except subprocess.TimeoutExpired:
        return None


def compiled(simcc, source):
    with tempfile.TemporaryDirectory() as scratch:
        program = os.path.join(scratch, "program")
        subprocess.run([simcc, "--keep-accesses", source, "-o", program], check=True)
        return pathlib.Path(program).read_bytes()


def results(done):
    """What a chapter's program says of results: its counters depend on the order of lanes."""
    return re.findall(rb"^\w+ +(?:ok|right|WRONG)|^.*expected.*$", done.stdout, re.MULTILINE)


def line_of(data, at):
    """The source line that the .loc before a place names."""
    locations = re.findall(rb"\.loc\t(\d+) (\d+) ", data[max(0, at - 4000):at])
    return int(locations[-1][1]) if locations else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--mutants", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--simcc")
    parser.add_argument("--show", action="store_true")
    own, _, arguments = " ".join(sys.argv[1:]).partition(" -- ")
    options = parser.parse_args(own.split())
    options.arguments = arguments.split()
    data = compiled(options.simcc, options.program) if options.simcc else pathlib.Path(options.program).read_bytes()
    chosen = list(mutants(data))
    random.Random(options.seed).shuffle(chosen)
    counts, wrong = collections.Counter(), []
    with tempfile.TemporaryDirectory() as scratch:
        program = os.path.join(scratch, "mutant")
        for kind, kernel, at, old, new in chosen[:options.mutants]:
            pathlib.Path(program).write_bytes(data[:at] + new + data[at + len(old):])
            os.chmod(program, stat.S_IRWXU)
            done = run(program, options.arguments, GPUSIM_CHECK="proof")
            # All verdicts of the kernel that was changed: a name as in the source is part of the mangled one.
            said = VERDICT.findall(done.stderr) if done else []
            of_it = [(verdict, name) for verdict, name in said if name.decode().split("<")[0].split("::")[-1] in kernel]
            of_kernel = {verdict.decode() for verdict, _ in of_it}
            verdict = of_kernel.pop() if len(of_kernel) == 1 else "not launched" if not of_kernel else "not proved"
            counts[kind, verdict] += 1
            what = f"{kernel}, line {line_of(data, at)}: '{old.decode()}' becomes '{new.decode().strip()}'"
            if verdict not in ("proved", "proved race-free"):
                continue
            if options.show:
                print(f"still {verdict}: {what}")
            first = run(program, options.arguments, GPUSIM_CHECK="all")
            for order in ORDERS:
                other = run(program, options.arguments, GPUSIM_CHECK="all", **order)
                races = other and any(b": race: " in line and line.endswith(b"[" + name + b"]")
                                      for line in other.stderr.splitlines() for _, name in of_it)
                if not first or not other or races or (verdict == "proved" and results(other) != results(first)):
                    wrong.append(f"{verdict}, but not in other orders: {what}")
                    break
    for (kind, verdict), count in sorted(counts.items()):
        print(f"{count:6} {kind}: {verdict}")
    if not counts:
        sys.exit(f"{options.program} has no PTX that could be changed")
    sys.exit("\n".join(wrong) or 0)


if __name__ == "__main__":
    main()
# SPDX-License-Identifier: MIT
