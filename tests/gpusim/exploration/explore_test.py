#!/usr/bin/env python3
"""GPUSIM_EXPLORE on the chapters' kernels that talk by flags, fences and tickets: the solved ones are right in all
executions, and wrong ones are found, with a schedule that GPUSIM_SCHEDULE runs again.

usage: explore_test.py SIMCC SOURCE_DIR
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parents[2] / "common"))
sys.path.append(str(HERE.parents[1]))
import command_line
import stage_kernels

RIGHT = re.compile(r"gpusim: explored ([\d,]+) executions? of .*no order of operations races, faults or waits for ever; "
                   r"all leave the same bits")
# (program, chapter, arguments, GPUs)
SOLVED = [
    ("scan", "10_scan", ["2"], 1),
    ("scan", "10_scan", ["3"], 1),
    ("sum", "12_bandwidth_limit", ["one_launch", "2"], 1),
    ("sum", "12_bandwidth_limit", ["one_launch", "3"], 1),
    ("sum", "12_bandwidth_limit", ["last_block", "2"], 1),
    ("sum", "12_bandwidth_limit", ["last_block", "3"], 1),
    ("gpus", "14_many_gpus", ["one_shot", "2"], 2),
    ("gpus", "14_many_gpus", ["one_shot", "3"], 3),
    ("gpus", "14_many_gpus", ["two_shot", "2"], 2),
    ("gpus", "14_many_gpus", ["ring", "2"], 2),
]
# (program, chapter, kernel of tests/wrong, arguments, GPUs, what is told)
WRONG = [
    ("scan", "10_scan", "no_fence.cuh", ["2"], 1, "race: "),
    ("scan", "10_scan", "fence_for_the_block_only.cuh", ["2"], 1, "race: "),
    ("scan", "10_scan", "does_not_wait.cuh", ["2"], 1, "2 different results"),
    ("sum", "12_bandwidth_limit", "all_blocks_wait.edit", ["one_launch", "3"], 1, "never ends"),
    ("sum", "12_bandwidth_limit", "takes_empty_words.edit", ["one_launch", "2"], 1, "3 different results"),
    ("gpus", "14_many_gpus", "no_fence_before_the_flag.edit", ["ring", "2"], 2, "race: "),
    ("gpus", "14_many_gpus", "no_fence_behind_the_flag.edit", ["ring", "2"], 2, "race: "),
    ("gpus", "14_many_gpus", "waits_for_equality.edit", ["one_shot", "2"], 2, "never ends"),
]


class Test:
    def __init__(self, simcc, root, scratch):
        self.simcc, self.root, self.scratch = simcc, pathlib.Path(root).resolve(), scratch
        self.failed = 0

    def build(self, program, chapter, kernels):
        """The program with this kernels.cuh's folder."""
        binary = self.scratch / f"{program}_{len(list(self.scratch.iterdir()))}"
        folders = [f"-I{kernels}", f"-I{self.root / 'chapters' / chapter}"]
        subprocess.run([self.simcc, *folders, HERE / f"{program}.cu", "-o", binary], check=True)
        return binary

    def stage(self, chapter, name):
        """A folder with a wrong kernel as kernels.cuh."""
        folder = self.scratch / f"{chapter}_{name.split('.')[0]}"
        folder.mkdir()
        path = self.root / "tests" / "wrong" / chapter / name
        if path.suffix == ".cuh":
            text = f'#include "{path}"\n'
        else:
            text = stage_kernels.edited(path, self.root / "solutions" / chapter / "kernels.cuh")
        (folder / "kernels.cuh").write_text(text, encoding="utf-8")
        return folder

    def run(self, binary, arguments, gpus, **environment):
        environment = {**os.environ, "GPUSIM_CHECK": "none", "GPUSIM_DEVICES": str(gpus), **environment}
        done = subprocess.run([binary, *arguments], env=environment, capture_output=True, text=True, check=False)
        return done.returncode, done.stderr

    def expect(self, is_so, what, said):
        print("ok  " if is_so else "FAIL", what)
        if not is_so:
            print(said)
            self.failed += 1

    def solved(self):
        binaries = {}
        for program, chapter, arguments, gpus in SOLVED:
            if program not in binaries:
                binaries[program] = self.build(program, chapter, self.root / "solutions" / chapter)
            status, said = self.run(binaries[program], arguments, gpus, GPUSIM_EXPLORE="120s")
            found = RIGHT.search(said)
            count = found[1] if found else "no"
            self.expect(found and status == 0, f"{program} {' '.join(arguments)}: {count} executions", said)

    def wrong(self):
        for program, chapter, kernel, arguments, gpus, told in WRONG:
            binary = self.build(program, chapter, self.stage(chapter, kernel))
            status, said = self.run(binary, arguments, gpus, GPUSIM_EXPLORE="120s")
            differs = "results" in told
            self.expect(told in said and (differs or status == 1), f"{chapter} {kernel}: {told}", said)
            if told == "race: ":
                race = re.search(r" goes wrong:\n(.*)", said)
                _, checked = self.run(binary, arguments, gpus, GPUSIM_EXPLORE="120s", GPUSIM_CHECK="race")
                self.expect(race and checked.count(race[1]) == 1, "  … once, although a check finds it, too", checked)
            for schedule in re.findall(r"GPUSIM_SCHEDULE=(\S+)", said):
                status, again = self.run(binary, arguments, gpus, GPUSIM_SCHEDULE=schedule, GPUSIM_CHECK="race")
                self.expect("does not fit" not in again and (differs or told in again), "  … again by its schedule", again)

    def unfit(self):
        binary = self.build("scan", "10_scan", self.root / "solutions" / "10_scan")
        status, said = self.run(binary, ["2"], 1, GPUSIM_SCHEDULE="1/b7w0")
        self.expect(status == 1 and "GPUSIM_SCHEDULE does not fit this launch" in said and said.count("\n") == 1,
                    "a schedule of another launch is one line and exit status 1", said)
        status, said = self.run(binary, ["3"], 1, GPUSIM_EXPLORE="2")
        self.expect(status == 0 and "not finished: explored 2 executions" in said, "a limit is told", said)


def main():
    simcc, root = command_line.arguments("SIMCC SOURCE_DIR")
    with tempfile.TemporaryDirectory() as scratch:
        test = Test(simcc, root, pathlib.Path(scratch))
        test.solved()
        test.wrong()
        test.unfit()
    return 1 if test.failed else 0


if __name__ == "__main__":
    sys.exit(main())
# SPDX-License-Identifier: MIT
