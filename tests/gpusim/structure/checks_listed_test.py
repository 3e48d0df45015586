#!/usr/bin/env python3
"""checks_listed_test.py COMMON_DIR

Every check that common/gpusim/checking makes is in the table of checks.cpp. Every name of that table, and every name that a
finding has (Finding::check), is where users look for it. A program of tests/gpusim/faulty shows each finding, and run_faulty.py
knows which of them come by default.
"""
import pathlib
import re
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "common"))
import command_line

# Where each check stands, and how: by the name that GPUSIM_CHECK takes …
NAMES = {
    "common/gpusim/include/gpusim/check.h": r"GPUSIM_CHECK=[^\n]*\b{}\b",
    "common/gpusim/checking/README.md": r"^\| `{}` \|",
    "book/src/simulator.md": r"^\| `{}` \|",
}
# … and by that of its findings. The judge of the exercises makes a verdict of those that accuse kernels.
FINDINGS = {
    "common/gpusim/include/gpusim/check.h": r'check;  // [^\n]*"{}"',
    "common/python/warp_by_warp/results.py": r'check: str +# [^\n]*"{}"',
}
VERDICTS = {"book/src/exercises.md": r"^\| `{}: …` \|"}


def main():
    root = pathlib.Path(*command_line.arguments("COMMON_DIR")).parent
    gpusim = root / "common/gpusim"
    table = (gpusim / "checking/checks.cpp").read_text(encoding="utf-8")
    rows = re.findall(r'^ *\{"(\w+)", Judges::(\w+), Runs::(\w+),\s+(\w+),', table, re.MULTILINE)
    names = [name for name, *_ in rows]
    sources = {file.name: file.read_text(encoding="utf-8") for file in (gpusim / "checking").rglob("*.cpp")}
    classes = [(file, name) for file, text in sources.items() for name in re.findall(r"class (\w+) final : public Check<", text)]
    if len(names) < 6 or len(classes) < 4:
        sys.exit(f"{len(names)} rows of checks.cpp and {len(classes)} checks: this test reads them no more")
    complaints = []
    on_request = set()  # the names of findings
    for file, name in classes:
        maker_of_it = rf"^std::unique_ptr<Observer> (make_\w+)\([^{{]*\{{\s*return std::make_unique<{name}>"
        makers = re.findall(maker_of_it, sources[file], re.MULTILINE)
        if not any(re.search(rf"\b{maker}[,}}]", table) for maker in makers):
            complaints.append(f"checking/{file}: {name} is in no row of kChecks (checking/checks.cpp), so nothing turns it on")
        if any(runs == "on_request" and maker in makers for _, _, runs, maker in rows):
            on_request |= set(re.findall(r'\.check = "([^"]+)"', sources[file]))
    # Those that watch no launch are named as their findings are.
    unwatched = {name for name, _, _, maker in rows if maker == "kNoObserver"}
    of_programs = {name for name, judges, *_ in rows if judges == "programs"}
    findings = {found for text in sources.values() for found in re.findall(r'\.check = "([^"]+)"', text)}
    for places, wanted in ((NAMES, names), (FINDINGS, findings), (VERDICTS, findings - of_programs)):
        for document, form in places.items():
            text = (root / document).read_text(encoding="utf-8")
            complaints += [f"{document} does not name the check '{name}'" for name in sorted(wanted)
                           if not re.search(form.format(name), text, re.MULTILINE)]
    faulty = "\n".join(file.read_text(encoding="utf-8") for file in (root / "tests/gpusim/faulty").glob("*.cu"))
    complaints += [f"no program of tests/gpusim/faulty expects a finding '{name}'" for name in sorted(findings)
                   if not re.search(rf"^// expect-finding: {name}\b", faulty, re.MULTILINE)]
    runner = "tests/gpusim/runners/run_faulty.py"
    listed = re.search(r"^SAMPLED = \[(.*)\]", (root / runner).read_text(encoding="utf-8"), re.MULTILINE)
    sampled = set(re.findall(r'"([^"]+)"', listed[1])) if listed else set()
    complaints += [f"{runner}: SAMPLED and what checks find that run by default differ by '{name}'"
                   for name in sorted(sampled ^ (findings - unwatched - on_request))]
    sys.exit("\n".join(complaints) or 0)


if __name__ == "__main__":
    main()
# SPDX-License-Identifier: MIT
