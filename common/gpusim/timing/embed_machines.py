"""Writes machines.h: the machine models that the library has in it, as text.

embed_machines.py OUTPUT.h ACCURACY.json UNSEEN DERIVED.json NAME.json...
ACCURACY.json: how far off predictions of the chapters' kernels are (timing_truth_test.py --write).
UNSEEN: a folder with COLLECTION_NAME.json, times of other kernels next to what was predicted before anybody had measured them
(errors.py lists the collections; not all of them were measured on every GPU).
DERIVED.json: how far off predictions of derived machines are (derived_truth_test.py --write). A file with a base takes its errors
from there, because nobody has measured that GPU. They are the largest that the check found, and no smaller than those of a
measured machine.
"""

import json
import pathlib
import sys

import errors

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import command_line

output, accuracy, unseen, derived, *files = command_line.arguments(
    "NEW_OUTPUT.H ACCURACY.JSON UNSEEN_DIR DERIVED.JSON MACHINE.JSON…"
)
record = json.loads(pathlib.Path(accuracy).read_text(encoding="utf-8"))
of_derived = json.loads(pathlib.Path(derived).read_text(encoding="utf-8"))
# By version of the compiler that made the PTX. Programs say the largest error of them: of a version that is not among them nobody
# knows whether it is smaller.
held = [record["machines"], *(other["machines"] for other in record["other_compilers"])]
machines = [(pathlib.Path(file).stem, pathlib.Path(file).read_text(encoding="utf-8")) for file in sorted(files)]


def is_derived(text):
    return "base" in json.loads(text)


def error_of_known(name):
    """Nine in ten of the chapters' kernels were off by no more; 0: not known."""
    return max((machines[name]["nine_in_ten"] for machines in held if name in machines), default=0)


def errors_of_unseen(name):
    """Nine in ten of other kernels were off by no more, for each class of duration; 0: not known."""
    launches = [row for collection in errors.COLLECTIONS for row in errors.measured_rows(unseen, collection, name)]
    if not launches:
        return [0] * (len(errors.CLASSES) + 1)
    classes = errors.by_class((launch["predicted_before"], launch["milliseconds"]) for launch in launches)
    return [errors.summary(each)["nine_in_ten"] for each in classes]


def error_of_derived(kernels, measured):
    return max([*measured, *(each["nine_in_ten"] for each in of_derived[f"{kernels}_by_machine"].values())])


def as_array(numbers):
    return "{" + ", ".join(map(str, numbers)) + "}"


measured_machines = [name for name, text in machines if not is_derived(text)]
derived_known = error_of_derived("known", map(error_of_known, measured_machines))
derived_unseen = [error_of_derived("others", each) for each in zip(*map(errors_of_unseen, measured_machines))]
rows = "".join(
    f'    {{"{name}", {as_array(derived_unseen if is_derived(text) else errors_of_unseen(name))}, '
    f'{derived_known if is_derived(text) else error_of_known(name)}, R"json({text})json"}},\n'
    for name, text in machines
)
pathlib.Path(output).write_text(
    "// Made by embed_machines.py.\n#pragma once\n\n#include <array>\n\nnamespace gpusim::timing {\n\n"
    "// Errors are parts of the time; 0: not known. Of other kernels each class of duration has its own.\n"
    f"inline constexpr double kEndsOfClasses[] = {as_array(round(1e6 * end) for end in errors.CLASSES)};  // ns\n"
    f"using Errors = std::array<double, {len(errors.CLASSES) + 1}>;\n"
    "struct KnownMachine {\n  const char* name;\n  Errors errors;\n  double error_of_known;\n  const char* text;\n};\n"
    f"inline constexpr KnownMachine kMachines[] = {{\n{rows}}};\n"
    "// Of every machine that is derived from another.\n"
    f"inline constexpr Errors kDerivedErrors = {as_array(derived_unseen)};\n"
    f"inline constexpr double kDerivedErrorOfKnown = {derived_known};\n\n"
    "}  // namespace gpusim::timing\n",
    encoding="utf-8",
)
# SPDX-License-Identifier: MIT
