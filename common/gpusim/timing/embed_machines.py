"""Writes machines.h: the machine models that the library has in it, as text.

embed_machines.py OUTPUT.h ACCURACY.json UNSEEN NAME.json...
ACCURACY.json: how far off predictions of the chapters' kernels are (timing_truth_test.py --write).
UNSEEN: a folder with COLLECTION_NAME.json, times of other kernels next to what was predicted before anybody had measured them
(errors.py lists the collections).
"""

import json
import pathlib
import sys

import errors

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import command_line

output, accuracy, unseen, *files = command_line.arguments("NEW_OUTPUT.H ACCURACY.JSON UNSEEN_DIR MACHINE.JSON…")
record = json.loads(pathlib.Path(accuracy).read_text(encoding="utf-8"))
# By version of the compiler that made the PTX. Programs say the largest error of them: of a version that is not among them nobody
# knows whether it is smaller.
held = [record["machines"], *(other["machines"] for other in record["other_compilers"])]
machines = [(pathlib.Path(file).stem, pathlib.Path(file).read_text(encoding="utf-8")) for file in sorted(files)]
errors_of_known = {
    name: max((machines[name]["nine_in_ten"] for machines in held if name in machines), default=0) for name, _ in machines
}


def error_of_unseen(name):
    """Nine in ten were off by no more; 0: not known."""
    files = [pathlib.Path(unseen) / f"{collection}_{name}.json" for collection in errors.COLLECTIONS]
    if not all(file.exists() for file in files):
        return 0
    launches = [row for file in files for row in json.loads(file.read_text(encoding="utf-8"))["rows"]]
    return errors.summary(launch["predicted_before"] / launch["milliseconds"] - 1 for launch in launches)["nine_in_ten"]


rows = "".join(
    f'    {{"{name}", {error_of_unseen(name)}, {errors_of_known[name]}, R"json({text})json"}},\n' for name, text in machines
)
pathlib.Path(output).write_text(
    "// Made by embed_machines.py.\n#pragma once\n\nnamespace gpusim::timing {\n\n"
    "struct KnownMachine {\n  const char* name;\n  double error, error_of_known;  // 0: not known\n  const char* text;\n};\n"
    f"inline constexpr KnownMachine kMachines[] = {{\n{rows}}};\n\n"
    "}  // namespace gpusim::timing\n",
    encoding="utf-8",
)
# SPDX-License-Identifier: MIT
