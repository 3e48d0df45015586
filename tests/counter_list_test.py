#!/usr/bin/env python3
"""counter_list_test.py ROOT_DIR

Every counter (gpusim/detail/counters.def) is where its row says that it is: the glossary explains it, what is combined is worked
out, what ncu counts as well was measured, and a program moves it by an amount that was counted by hand.
"""
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path += [str(ROOT / "common"), str(ROOT / "book")]
import command_line
import counter_list
import tables
import tour  # noqa: F401  (stops where it has no function for what is combined)

# Counters that no such program names: those of every kernel, and those that a program sees in what follows from them.
WITHOUT_PROGRAM = {
    "warp_instructions", "thread_instructions", "global_load_ideal_sectors", "global_store_ideal_sectors", "global_atomic_lanes",
    "global_loads_awaited", "shared_load_ideal_wavefronts", "shared_store_ideal_wavefronts", "shared_atomic_lanes",
    "local_load_ideal_sectors", "local_store_ideal_sectors",
}


def main():
    root = pathlib.Path(*command_line.arguments("ROOT_DIR"))
    complaints = []
    glossary = (root / "book/src/glossary.md").read_text(encoding="utf-8")
    terms = set(re.findall(r'(?:id="|\{#)([\w-]+)', glossary))
    for counter, _, term in counter_list.book_rows():
        if term not in terms:
            complaints.append(f"{counter.name}: book/src/glossary.md has no entry '{term}'")
    measured = json.loads((root / "tests/gpusim/data/ncu_h200.json").read_text(encoding="utf-8"))["kernels"]
    for name in counter_list.ncu_metrics():
        if lacking := [kernel for kernel, row in measured.items() if name not in row["counters"]]:
            complaints.append(f"{name}: tests/gpusim/data/ncu_h200.json lacks it for {len(lacking)} kernels; "
                              "common/measure.py counters asks ncu for it")
    for place in ("PROGRAMS", "TOUR", "BOOK", "BOOK_BEHIND"):
        for counter, _ in counter_list.shown_in(place):
            if counter.kind == "HIDDEN_COUNTER" or counter.kind == "COMBINED" and place != "TOUR":
                complaints.append(f"{counter.name}: {place} takes it from the JSON of programs, where it is not")
    programs = "\n".join(file.read_text(encoding="utf-8") for file in (root / "tests/gpusim/programs").glob("counters_*.cu"))
    # A member of a struct is named by its last word alone: const gpusim::SectorTraffic& load = …; load.sectors
    members = re.findall(r"^(?:HIDDEN_)?COUNTER\(([\w.]+),", counter_list.FILE.read_text(encoding="utf-8"), re.MULTILINE)
    unmoved = {counter_list.json_name(member) for member in members
               if not re.search(rf"\b{member.rpartition('.')[2]}\b", programs)}
    complaints += [f"{name}: no program tests/gpusim/programs/counters_*.cu names it: write one that moves it by an amount"
                   " counted by hand" for name in sorted(unmoved - WITHOUT_PROGRAM)]
    complaints += [f"{name}: take it out of WITHOUT_PROGRAM of tests/counter_list_test.py"
                   for name in sorted(WITHOUT_PROGRAM - unmoved)]
    unknown = set(tables.UNREMARKABLE) - {counter.name for counter in counter_list.ALL}
    complaints += [f"book/tables.py: there is no counter {name}" for name in unknown]
    # What a row leaves out is told by its name.
    for broken, expected in (("COUNTER(votes)", "votes"), ("COUNTER(votes, )", "votes"), ("COUNTER(votes, SOMEWHERE)", "votes"),
                             ("COUNTER(votes, TOTAL(1) TOTAL(2))", "votes")):
        try:
            counter_list.read(broken)
            complaints.append(f"{broken} is taken")
        except SystemExit as error:
            if expected not in str(error):
                complaints.append(f"{broken}: {error}")
    sys.exit("\n".join(complaints) or 0)


if __name__ == "__main__":
    main()
# SPDX-License-Identifier: MIT
