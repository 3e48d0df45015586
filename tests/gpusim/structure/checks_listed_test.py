#!/usr/bin/env python3
"""checks_listed_test.py COMMON_DIR

Every check that common/gpusim/checking makes is in the table of checks.cpp, and every name of that table is where users look for
them.
"""
import pathlib
import re
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "common"))
import command_line

DOCUMENTS = ("include/gpusim/check.h", "checking/README.md")


def main():
    gpusim = pathlib.Path(*command_line.arguments("COMMON_DIR")) / "gpusim"
    table = (gpusim / "checking/checks.cpp").read_text(encoding="utf-8")
    names = re.findall(r'^ *\{"(\w+)", Judges::', table, re.MULTILINE)
    sources = {file.name: file.read_text(encoding="utf-8") for file in (gpusim / "checking").rglob("*.cpp")}
    classes = [(file, name) for file, text in sources.items() for name in re.findall(r"class (\w+) final : public Check<", text)]
    if len(names) < 6 or len(classes) < 4:
        sys.exit(f"{len(names)} rows of checks.cpp and {len(classes)} checks: this test reads them no more")
    complaints = []
    for file, name in classes:
        maker_of_it = rf"^std::unique_ptr<Observer> (make_\w+)\([^{{]*\{{\s*return std::make_unique<{name}>"
        makers = re.findall(maker_of_it, sources[file], re.MULTILINE)
        if not any(re.search(rf"\b{maker}[,}}]", table) for maker in makers):
            complaints.append(f"checking/{file}: {name} is in no row of kChecks (checking/checks.cpp), so nothing turns it on")
    for document in DOCUMENTS:
        text = (gpusim / document).read_text(encoding="utf-8")
        complaints += [f"common/gpusim/{document} does not name the check {name}" for name in names
                       if not re.search(rf"GPUSIM_CHECK=[^\n]*\b{name}\b", text)]
    sys.exit("\n".join(complaints) or 0)


if __name__ == "__main__":
    main()
# SPDX-License-Identifier: MIT
