"""Writes machines.h: the machine models that the library has in it, as text.

embed_machines.py OUTPUT.h ACCURACY.json NAME.json...
ACCURACY.json: how far off predictions were where they have been held against measured times (timing_truth_test.py --write).
"""

import json
import pathlib
import sys

output, accuracy, *files = sys.argv[1:]
held = json.loads(pathlib.Path(accuracy).read_text(encoding="utf-8"))["machines"]
machines = [(pathlib.Path(file).stem, pathlib.Path(file).read_text(encoding="utf-8")) for file in sorted(files)]
# What the model asks for, of any machine.
needed = sorted(
    set.intersection(*({name for name, value in json.loads(text).items() if not isinstance(value, str)} for _, text in machines))
)
errors = {name: held[name]["nine_in_ten"] if name in held else 0 for name, _ in machines}
rows = "".join(f'    {{"{name}", {errors[name]}, R"json({text})json"}},\n' for name, text in machines)
names = "".join(f'    "{name}",\n' for name in needed)
pathlib.Path(output).write_text(
    "// Made by embed_machines.py.\n#pragma once\n\nnamespace gpusim::timing {\n\n"
    f"struct KnownMachine {{\n  const char* name;\n  double error;  // 0: not known\n  const char* text;\n}};\n"
    f"inline constexpr KnownMachine kMachines[] = {{\n{rows}}};\n"
    f"inline constexpr const char* kNeeded[] = {{\n{names}}};\n\n}}  // namespace gpusim::timing\n",
    encoding="utf-8",
)
