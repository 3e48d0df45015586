#!/usr/bin/env python3
"""constants_test.py COMMON_DIR

The constants of a machine model (gpusim/timing/constants.def) are those that the code reads, each is in every measured file of
machines/, and calibrate/ measures it; what an instruction takes is compared in tests/gpusim/unit/timing_model.cpp. (That a
constant which the code reads is in the list, the compiler says. A file with a base has what is different, and is read by a test
of unit/derived_machines.cpp.)
"""
import json
import pathlib
import re
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "common"))
import command_line

ROW = re.compile(r"^(COUNT|WHOLE|RATE|REAL|OPERATION|FUNCTION|ATOMIC)\((\w+),", re.MULTILINE)
LIST = ("constants.def", "constants.h", "constants.cpp")


def names_in(kind, name, atomics):
    """What a row is called in a file."""
    if kind == "OPERATION":
        return [f"{name}_latency", f"{name}_interval"]
    if kind == "FUNCTION":
        return [f"call_{name}_latency", f"call_{name}_interval"]
    return [f"{name}_{words}_nanoseconds" for words in atomics] if kind == "ATOMIC" else [name]


def main():
    gpusim = pathlib.Path(*command_line.arguments("COMMON_DIR")) / "gpusim"
    text = (gpusim / "timing/constants.def").read_text(encoding="utf-8")
    atomics = re.findall(r'^ *ATOMIC_ON\(name, "(\w+)"', text, re.MULTILINE)
    rows = ROW.findall(text)
    if len(rows) < 100 or len(atomics) < 10:
        sys.exit(f"{len(rows)} constants and {len(atomics)} numbers of an atomic: this test reads constants.def no more")
    files = [file for folder in ("timing", "runtime") for file in (gpusim / folder).glob("*.[ch]*") if file.name not in LIST]
    code = "\n".join(file.read_text(encoding="utf-8") for file in files)
    measured = "\n".join(file.read_text(encoding="utf-8") for file in (gpusim / "timing/calibrate").iterdir())
    # An operation or a function of calibrate that nothing calls measures nothing: its name stands there once.
    complaints = [f"timing/calibrate: nothing calls {name}" for found in
                  re.findall(r"CALIBRATE_\w+\((\w+),|\bvoid (measure_\w+)\(", measured) for name in found
                  if name and len(re.findall(rf"\b{name}\b", measured)) < 2]
    costs = (gpusim / "timing/issue_costs.cpp").read_text(encoding="utf-8")
    compared = (gpusim.parents[1] / "tests/gpusim/unit/timing_model.cpp").read_text(encoding="utf-8")
    # calibrate puts names together, of texts, of the names of operations and of numbers.
    pieces = {piece for found in re.findall(r'"(\w+)"|CALIBRATE_\w+\((\w+),', measured) for piece in found
              if len(piece) > 2 or piece == "_"}
    is_measured = re.compile("(?:" + "|".join(sorted(map(re.escape, pieces), key=len, reverse=True)) + r"|\d+)+")
    for kind, name in rows:
        # A function is read by the name that a program calls it by.
        if kind != "FUNCTION" and not re.search(rf"\b{name}\b", code):
            complaints.append(f"{name}: no code reads it; take it out of constants.def")
        if kind == "OPERATION" and re.search(rf"\bmachine_\.{name}\b", costs) and not re.search(rf"\b{name}\b", compared):
            complaints.append(f"{name}: kMeasured of tests/gpusim/unit/timing_model.cpp has no instruction that takes it")
        complaints += [f"{each}: nothing in calibrate/ measures it" for each in names_in(kind, name, atomics)
                       if not is_measured.fullmatch(each)]
        for file in sorted((gpusim / "timing/machines").glob("*.json")):
            there = json.loads(file.read_text(encoding="utf-8"))
            if "base" in there:
                continue
            complaints += [f"{file.name} lacks {each}" for each in names_in(kind, name, atomics) if each not in there]
    sys.exit("\n".join(complaints) or 0)


if __name__ == "__main__":
    main()
# SPDX-License-Identifier: MIT
