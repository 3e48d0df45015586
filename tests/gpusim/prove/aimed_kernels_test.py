#!/usr/bin/env python3
"""aimed_kernels_test.py SIMCC

Kernels written for the prover, most of them by strangers. Those in wrong/ race, leave their array or meet in the wrong way in
some launch that their contract allows, and were written to get them proved all the same: none may be. Those in right/ are
proved, so that a prover which proves nothing fails as well. The second line of each file is its contract.
"""
import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from proving import HERE, is_right  # proving.py says where the prover is

sys.path.append(str(HERE.parents[2] / "common"))
import command_line
from prove.contracts import contracts_of
from prove.driver import verdicts

LEAST_WRONG, LEAST_RIGHT = 242, 48  # with fewer files the test would not say much


def verdicts_on(simcc, path):
    """[(kernel and block, why it is not proved or "", certificate)] of a file, by the contract in its second line."""
    contract = re.match(r"// (?:wrong|right): .*\n// contract: (.*)\n", path.read_text(encoding="utf-8"))
    if not contract:
        raise ValueError("has no contract in its second line")
    with tempfile.TemporaryDirectory() as scratch:
        written, ptx = pathlib.Path(scratch, "contracts.json"), pathlib.Path(scratch, "kernel.ptx")
        written.write_text(json.dumps(json.loads(contract[1])), encoding="utf-8")
        command = [simcc, "--keep-accesses", "-w", "-O2", "-lineinfo", "-std=c++17", "-ptx", path, "-o", ptx]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise ValueError(f"does not compile:\n{done.stderr}")
        return list(verdicts(ptx.read_text(encoding="utf-8"), contracts_of(written)))


def complaint_about(simcc, path):
    """What is wrong with the verdicts on a file, or ""."""
    try:
        said = verdicts_on(simcc, path)
    except ValueError as error:
        return str(error)
    unproved = [f"{title}: {why}" for title, why, _ in said if why]
    if path.parent.name == "wrong":
        return "" if unproved else "is proved"
    wrong = [complaint for _, why, certificate in said if not why and (complaint := is_right(certificate))]
    return "\n".join(unproved + wrong) or ("" if said else "has no kernel of its contract")


def main():
    (simcc,) = command_line.arguments("SIMCC")
    wrong, right = (sorted((HERE / folder).glob("*.cu")) for folder in ("wrong", "right"))
    if len(wrong) < LEAST_WRONG or len(right) < LEAST_RIGHT:
        sys.exit(f"{len(wrong)} wrong and {len(right)} right kernels, where {LEAST_WRONG} and {LEAST_RIGHT} are expected")
    files = wrong + right
    with concurrent.futures.ProcessPoolExecutor(2) as workers:
        complaints = list(workers.map(complaint_about, [simcc] * len(files), files))
    told = [f"{path.parent.name}/{path.name}: {complaint}" for path, complaint in zip(files, complaints) if complaint]
    print(f"{len(wrong)} wrong kernels and {len(right)} right ones")
    sys.exit("\n".join(told) or 0)


if __name__ == "__main__":
    main()
# SPDX-License-Identifier: MIT
