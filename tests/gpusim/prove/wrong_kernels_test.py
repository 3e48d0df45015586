#!/usr/bin/env python3
"""wrong_kernels_test.py SIMCC STAGED [CHAPTER…]

Tries to prove the wrong kernels of tests/wrong, of chapters that have contracts. STAGED is the folder with
NN_topic/NAME/kernels.cuh. Where the first line of one says that it is rejected for a race, a fault or a barrier, at least one
of the kernels in which it differs from the solution must be not proved. Prints how many were looked at, and names those that
differ in no kernel of a contract.
"""
import collections
import pathlib
import re
import sys

import proving
from proving import ROOT  # proving.py says where prove is

from prove.kernels import shared_arrays

MUST_FAIL = re.compile(r"// rejected: (race|fault|barrier)\b")
LOCATION = re.compile(r"^\s*(?:\.loc|\.file|//).*\n", re.MULTILINE)
ENTRY = re.compile(r"\.entry ([\w$]+)\(.*?^\}", re.MULTILINE | re.DOTALL)
LABEL = re.compile(r"LBB\d+_")  # with the kernel's number in the file


def texts(ptx, contracts):
    """The text of each contract's kernel, with its shared arrays and without source lines, or None."""
    ptx = LABEL.sub("LBB_", LOCATION.sub("", ptx))
    entries = {}
    for match in ENTRY.finditer(ptx):
        shared = sorted((n, size) for n, size in shared_arrays(ptx).items() if n in match[0])
        entries[match[1]] = f"{match[0]} {shared}"
    return [next((text for name, text in entries.items() if contract.is_of(name)), None) for contract in contracts]


def proved_though_wrong(simcc, kernels, contracts, solved, chapter):
    """Why the file is left out; or "", and whether all kernels that differ from the solution are proved."""
    ptx = proving.ptx_of(simcc, kernels, chapter, contracts)
    if ptx is None:
        return "it does not compile with what the contracts instantiate", False
    changed = [contract for contract, text, right in zip(contracts, texts(ptx, contracts), solved) if text != right]
    if not changed:
        return "its mistake is in no kernel of a contract", False
    return "", not any(why for _, why, _ in proving.verdicts(ptx, changed))


def main():
    simcc, staged, *chapters = sys.argv[1:]
    counts, wrong = collections.Counter(), []
    for chapter in chapters or sorted(path.stem for path in proving.CONTRACTS.glob("*.json")):
        contracts = proving.contracts_of_chapter(chapter)
        solved = texts(proving.ptx_of(simcc, ROOT / "solutions" / chapter / "kernels.cuh", chapter, contracts), contracts)
        for path in sorted((ROOT / "tests" / "wrong" / chapter).iterdir()):
            reason = MUST_FAIL.match(path.read_text(encoding="utf-8"))
            if not reason:
                continue
            kernels = pathlib.Path(staged, chapter, path.stem, "kernels.cuh")
            why, proved = proved_though_wrong(simcc, kernels, contracts, solved, chapter)
            counts["left out" if why else f"rejected for a {reason[1]}"] += 1
            if why:
                print(f"left out: {chapter}/{path.stem}: {why}")
            elif proved:
                wrong.append(f"{chapter}/{path.stem} is rejected for a {reason[1]}, and all kernels that it changes are proved")
    for said, count in sorted(counts.items()):
        print(f"{count:4} {said}")
    if not counts.keys() - {"left out"}:
        wrong.append(f"no wrong kernel was looked at; are they in {staged}?")
    sys.exit("\n".join(wrong) or 0)


if __name__ == "__main__":
    main()
# SPDX-License-Identifier: MIT
