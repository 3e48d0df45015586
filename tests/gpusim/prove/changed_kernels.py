#!/usr/bin/env python3
"""changed_kernels.py CONTRACTS PROGRAM… [--mutants N] [--seed S] [--show]

Takes a chapter's program, NN_topic.kept, which was compiled with simcc --keep-accesses, and changes one instruction at a time
in the PTX that it holds, as ../proof/mutants.py does. CONTRACTS is the folder with contracts/NN_topic.json. A changed kernel
may still be proved for every launch, because it is as free of races as before, though its sums are wrong. Then the changed
program runs in several sizes, in two orders, with all checks: none may find a race or an access outside of an array.

Prints how many mutants of each kind are proved, and with --show which these are.
"""
import argparse
import collections
import os
import pathlib
import random
import re
import stat
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve()
sys.path += [str(HERE.parent.parent / "proof"), str(HERE.parents[3] / "common" / "gpusim")]
from mutants import line_of, mutants, run
from prove.contracts import contracts_of
from prove.kernels import kernels_of
from prove.prover import prove

SIZES = ["0", "1", "31", "255", "256", "257", "1000", "4097", "70001"]
ORDERS = ({}, {"GPUSIM_SCHEDULE": "descending", "GPUSIM_BLOCK_ORDER": "last_to_first"})
PTX = re.compile(rb"\.version \d[^\0]*", re.DOTALL)


def sizes_of(program):
    if "11_transpose" in program:
        return [["--rows", r, "--columns", c] for r, c in (("1", "1"), ("31", "33"), ("64", "64"), ("68", "100"), ("0", "7"))]
    if "13_gemm" in program:
        shapes = ("1", "1", "1"), ("33", "65", "17"), ("96", "80", "40")
        return [["--rows", m, "--columns", n, "--depth", k] for m, n, k in shapes]
    return [["--n", n] for n in SIZES]


def is_accused(text, kernel):
    """What a run says against a kernel: a race, or an access that must not be."""
    for line in text.split(b"\n"):
        if re.search(rb"\b(?:race|bounds|fault|illegal|outside|beyond|misaligned|multiple)\b", line) and kernel.encode() in line:
            return line.decode(errors="replace")
    return ""


def runs_badly(program, name, kernel):
    """What the first run says that shows a mistake of the kernel, or ""."""
    for size in sizes_of(name):
        for order in ORDERS:
            done = run(program, size, GPUSIM_CHECK="all", **order)
            accused = is_accused(done.stderr, kernel) if done else ""
            if accused:
                return f"{' '.join(size)}: {accused}"
    return ""


def chosen(programs, folder):
    """(program, data, contract, mutant) of all mutants of kernels that are proved as they are."""
    for program in programs:
        stem = pathlib.Path(program).name.removesuffix(".kept")
        data = pathlib.Path(program).read_bytes()
        for contract in contracts_of(folder / f"{stem}.json"):
            texts = [m for m in PTX.finditer(data) if any(map(contract.is_of, kernels_of(m[0].decode())))]
            if len(texts) != 1 or verdict(texts[0][0], contract):
                print(f"{stem} {contract.kernel} {contract.template}: left out: "
                      f"{verdict(texts[0][0], contract) if texts else 'the program does not launch it'}")
                continue
            begin, end = texts[0].span()
            for mutant in mutants(data[begin:end]):
                if contract.is_of(mutant[1]):
                    yield program, data, (begin, end), contract, mutant


def verdict(text, contract):
    """Why a kernel is not proved, or ""."""
    made = [make for name, make in kernels_of(text.decode()).items() if contract.is_of(name)]
    return prove(made[0], contract).why if len(made) == 1 else "there is more than one such kernel"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("contracts", type=pathlib.Path)
    parser.add_argument("programs", nargs="+")
    parser.add_argument("--mutants", type=int, default=10000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    every = list(chosen(options.programs, options.contracts))
    random.Random(options.seed).shuffle(every)
    counts, wrong = collections.Counter(), []
    with tempfile.TemporaryDirectory() as scratch:
        changed = os.path.join(scratch, "mutant")
        for program, data, (begin, end), contract, (kind, _, at, old, new) in every[:options.mutants]:
            at += begin
            mutated = data[:at] + new + data[at + len(old):]
            why = verdict(mutated[begin:end], contract)
            counts[kind, "not proved" if why else "still proved"] += 1
            if why:
                continue
            what = (f"{pathlib.Path(program).name} {contract.kernel} {contract.template}, line {line_of(data, at)}: "
                    f"'{old.decode()}' becomes '{new.decode().strip()}'")
            if options.show:
                print(f"still proved: {what}", flush=True)
            pathlib.Path(changed).write_bytes(mutated)
            os.chmod(changed, stat.S_IRWXU)
            if accused := runs_badly(changed, program, contract.kernel):
                wrong.append(f"proved, but {what}: {accused}")
    for (kind, said), count in sorted(counts.items()):
        print(f"{count:6} {kind}: {said}")
    if not any(said == "not proved" for _, said in counts):
        wrong.append("every mutant is still proved, which cannot be")
    sys.exit("\n".join(wrong) or 0)


if __name__ == "__main__":
    main()
# SPDX-License-Identifier: MIT
