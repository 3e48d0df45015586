#!/usr/bin/env python3
"""still_proved.py SIMCC TABLE FOLDER [--write] [--sample N] [--refused N] [--seed S]

What the mutants do that are still proved for every launch: TABLE has a row for each, and its first lines explain the columns.
FOLDER has the programs NN_topic.kept that simcc --keep-accesses made. Each mutant, and the kernel as it was, runs in all launches
of launches.py (launch_ptx.cu), and in all interleavings of a few tiny ones. The class of a mutant is
  wrong   a check objects to something that is proved of it, so the proof is wrong
  same    it leaves the same bits as the kernel in all launches
  other   it does not
  open    as other, but GPUSIM_CHECK=proof does not prove one of the launches, and the table's columns do not say why

--sample N draws N rows, proves them again, and fails if a class is not that of the table. --refused N draws N mutants of their
kernels that lack a barrier and are not proved: the launches must show a mistake in each, or they could not show one in a row.
--write fills in class and evidence of the rows that have none.
"""
import argparse
import pathlib
import random
import sys
import tempfile

from changed_kernels import verdict
from mutant_launches import Kernel, Runner

import listed

BAR = " | "
class Row:
    """A mutant in the table."""

    def __init__(self, text):
        cells = [cell.strip() for cell in text.split("|")]
        if len(cells) != 10 or not cells[2].isdigit():
            sys.exit(f"the table's row '{text}' has {len(cells)} columns; its first lines name the 10 that a row has")
        self.program, self.title, self.number, *self.change, self.found, self.evidence, self.reason = cells

    def __str__(self):
        return BAR.join((self.program, self.title, self.number, *self.change, self.found, self.evidence, self.reason)).rstrip()


class Table:
    """The rows, and the reasons that the first lines list: "# reason A: …"."""

    def __init__(self, path, folder):
        self.path, self.folder, self.kernels = path, folder, {}
        lines = path.read_text(encoding="utf-8").splitlines()
        self.head = [line for line in lines if line.startswith("#")]
        self.rows = [Row(line) for line in lines if not line.startswith("#")]
        self.reasons = {line.split()[2].rstrip(":") for line in self.head if line.startswith("# reason ")}

    def kernel(self, row):
        key = row.program, row.title
        if key not in self.kernels:
            self.kernels[key] = Kernel(self.folder, *key)
        return self.kernels[key]

    def write(self):
        self.path.write_text("\n".join([*self.head, *map(str, self.rows)]) + "\n", encoding="utf-8")


def complaint(table, runner, row):
    """What is wrong with a row, or ""."""
    kernel = table.kernel(row)
    *is_now, ptx, name = kernel.changed(int(row.number))
    if is_now != row.change:
        return f"mutant {row.number} is now {is_now}"
    found, evidence = runner.looks_at(kernel, ptx, name)
    if found != row.found:
        return f"its class is now '{found}': {evidence}"
    if found == "same" and row.reason not in table.reasons:
        return "it does the same as the kernel, and none of the table's reasons says why"
    why = verdict(ptx, kernel.contract)
    return f"it is not proved any more: {why}" if why else ""


def not_accused(table, runner, count, seed):
    """Mutants that lack a barrier and are in no row, so not proved: which of those drawn the launches do not accuse."""
    rows = {(row.program, row.title, int(row.number)) for row in table.rows}
    every = [(kernel, number) for key, kernel in table.kernels.items() for number in range(1, len(kernel.mutants) + 1)
             if (*key, number) not in rows and kernel.mutants[number - 1][0].startswith("barrier")]
    missed = []
    for kernel, number in random.Random(seed).sample(every, min(count, len(every))):
        *change, ptx, name = kernel.changed(number)
        if runner.looks_at(kernel, ptx, name)[0] != "wrong":
            missed.append(f"{name}: mutant {number}, {change}, lacks a barrier, but no launch shows it")
    return missed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("simcc")
    parser.add_argument("table", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--refused", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    listed.must_be_of_the_lists_compiler(options.folder / "prove")
    table = Table(options.table, options.folder)
    complaints = []
    with tempfile.TemporaryDirectory() as scratch:
        runner = Runner(options.simcc, scratch)
        if options.write:
            for row in (row for row in table.rows if not row.found):
                kernel = table.kernel(row)
                *row.change, ptx, name = kernel.changed(int(row.number))
                row.found, row.evidence = runner.looks_at(kernel, ptx, name)
                print(row, flush=True)
                table.write()
        drawn = random.Random(options.seed).sample(table.rows, min(options.sample, len(table.rows)))
        for row in drawn:
            if said := complaint(table, runner, row):
                complaints.append(f"{row}: {said}; if that is right, write the table anew with --write")
        missed = not_accused(table, runner, options.refused, options.seed)
    print(f"{len(drawn)} mutants that are still proved, {len(complaints)} not as the table says; "
          f"{options.refused} without a barrier that they need, {len(missed)} not found")
    sys.exit("\n".join(complaints + missed) or 0)


if __name__ == "__main__":
    main()
# SPDX-License-Identifier: MIT
