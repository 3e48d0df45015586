#!/usr/bin/env python3
"""GPUSIM_REPORT=FILE.json: the counters and predicted times of all launches and what was found, whole or not at all.

usage: report_file_test.py SIMCC
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "common"))
import command_line

PROGRAM = r"""
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>
__global__ void twice(float* x) {
  x[threadIdx.x] *= 2;  // line 8
}
__global__ void shift(float* x) {
  x[threadIdx.x] = x[threadIdx.x + 1];  // line 11
}
__global__ void scatter(float* x) {
  const int to = (int)x[95] + threadIdx.x;
  x[to] = 1;  // line 15
}
__global__ void total(float* x) {
  atomicAdd(x, 1.0f);  // line 18
}
int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  float* x;
  cudaMalloc(&x, 96 * sizeof(float));
  cudaMemset(x, 0, 96 * sizeof(float));
  for (int k = 0; k < 3; ++k) twice<<<1, 96>>>(x);
  if (!strcmp(what, "race")) shift<<<1, 64>>>(x);
  if (!strcmp(what, "proof")) scatter<<<1, 32>>>(x), total<<<1, 32>>>(x);
  if (!strcmp(what, "fault")) shift<<<1, 96>>>(x);
  if (!strcmp(what, "abort")) abort();
  if (!strcmp(what, "leave")) { if (chdir("/")) return 9; }
  if (!strcmp(what, "fork")) { if (fork() == 0) exit(0); wait(nullptr); twice<<<1, 96>>>(x); }
  if (!strcmp(what, "remove")) { if (rmdir(argv[2])) return 9; }
  cudaDeviceSynchronize();
}
"""


class Runs:
    def __init__(self, simcc, program, folder):
        self.program, self.folder, self.file = program, folder, folder / "report.json"
        self.simcc = simcc
        self.compile()

    def compile(self, *options):
        subprocess.run([self.simcc, *options, "program.cu", "-o", self.program], cwd=self.folder, check=True)

    def run(self, *arguments, **variables):
        clean = {name: value for name, value in os.environ.items() if not name.startswith("GPUSIM_")}
        environment = {**clean, "GPUSIM_REPORT": "report.json", **variables}
        return subprocess.run([self.program, *arguments], capture_output=True, text=True, cwd=self.folder, env=environment,
                              check=False)

    def report(self, *arguments, status=0, **variables):
        """The file's object, after a run that ends with this status and prints no report."""
        self.file.unlink(missing_ok=True)
        done = self.run(*arguments, **variables)
        if done.returncode != status or "warp instructions" in done.stderr:
            sys.exit(f"{arguments}: exit status {done.returncode}, not {status}: {done.stderr}")
        left = sorted(path.name for path in self.folder.iterdir())
        if left != ["program", "program.cu", "report.json"]:
            sys.exit(f"{arguments}: the folder has {left}")
        return json.loads(self.file.read_text(encoding="utf-8"))


def expect(what, found, expected):
    if found != expected:
        sys.exit(f"{what}: {found!r}, expected {expected!r}")


def launches(runs):
    report = runs.report()
    expect("members", sorted(report), ["faults", "findings", "format", "launches", "links", "proof", "replayed_launches"])
    expect("kernels", [launch["kernel"] for launch in report["launches"]], ["twice"] * 3)
    expect("numbers", [launch["launch"] for launch in report["launches"]], [1, 2, 3])
    first = report["launches"][0]
    # 96 floats in order: 3 warps, 4 sectors each. The element is read and written at line 8.
    for counter, value in {"global.load.requests": 3, "global.load.sectors": 12, "global.store.sectors": 12}.items():
        expect(counter, first["total"][counter], value)
        expect(f"{counter} of line 8", [line["counters"][counter] for line in first["lines"] if line["line"] == 8], [value])
    expect("sectors per request", first["derived"]["global.load.sectors_per_request"], 4)
    expect("machine", first["predicted"]["machine"], "NVIDIA H200")
    if not first["predicted"]["nanoseconds"] > first["predicted"]["launch_nanoseconds"] > 0:
        sys.exit(f"predicted: {first['predicted']}")
    expect("H100", runs.report(GPUSIM_MACHINE="h100")["launches"][0]["predicted"]["machine"], "NVIDIA H100 80GB HBM3")
    expect("GPUSIM_PREDICT=0", ["predicted" in launch for launch in runs.report(GPUSIM_PREDICT="0")["launches"]], [False] * 3)


def mistakes(runs):
    # Under GPUSIM_CHECK findings make the exit status 1, and the file is written all the same.
    report = runs.report("race", status=1, GPUSIM_CHECK="race")
    finding, = report["findings"]
    expect("finding", (finding["check"], finding["severity"], finding["kernel"], finding["place"]["line"]),
           ("race", "error", "shift", 11))
    if not finding["text"].startswith("program.cu:11:") or "\n    x[threadIdx.x] = x[threadIdx.x + 1];" not in finding["text"]:
        sys.exit(f"text of the finding: {finding['text']}")
    expect("faults", report["faults"], [])
    report = runs.report("fault", GPUSIM_CHECK="none", status=0)
    fault, = report["faults"]
    expect("fault", fault["place"]["line"], 11)
    if "out of bounds" not in fault["message"]:
        sys.exit(f"fault: {fault}")
    expect("completed", [launch["completed"] for launch in report["launches"]], [True, True, True, False])


VERDICTS = {"twice": ("proved", "", 0, ""), "scatter": ("not_proved", "program.cu", 15, "takes its address from memory"),
            "total": ("race_free", "program.cu", 18, "adds floats in the order in which threads happen to come")}


def proved(runs):
    """The program is compiled with --keep-accesses here, and then without."""
    said_of = lambda proof: (proof["verdict"], proof["file"], proof["line"], proof["reason"])
    runs.compile("--keep-accesses")
    for checks in ("proof", "all"):
        proof = runs.report("proof", GPUSIM_CHECK=checks)["proof"]
        expect(f"proof, GPUSIM_CHECK={checks}", {one["kernel"]: said_of(one) for one in proof}, VERDICTS)
        expect("of the code", {one["kernel"]: said_of(one["compiled"]) for one in proof}, VERDICTS)
        expect("lines", [[line["line"] for line in one["obstacles"]] for one in proof], [[], [15], []])
        expect("launches", [one["launches"] for one in proof], [3, 1, 1])
    proof = runs.report("proof", GPUSIM_CHECK="race")["proof"]
    expect("one check proves nothing", [one["verdict"] for one in proof], ["not_proved"] * 3)
    expect("the line is known all the same", said_of(proof[1]), VERDICTS["scatter"])
    runs.compile()
    proof = runs.report("proof", GPUSIM_CHECK="all")["proof"]
    expect("without --keep-accesses", {one["verdict"] for one in proof}, {"not_proved"})
    expect("the code", {one["kernel"]: said_of(one["compiled"]) for one in proof}, VERDICTS)
    expect("without checks", runs.report("proof")["proof"], [])
    wrong = runs.report("race", status=1, GPUSIM_CHECK="all")["proof"]
    expect("a race", {one["kernel"]: one["compiled"]["verdict"] for one in wrong}, {"twice": "proved", "shift": "not_proved"})


def other_runs(runs):
    """The line that a report ends with under GPUSIM_CHECK=race. Without a report, nothing is said where nothing is found."""
    lines = lambda *program, **checks: runs.run(*program, **checks).stderr.splitlines()
    said = lambda *program, **checks: [line for line in lines(*program, **checks) if "nothing found" in line]
    asked = "gpusim: nothing found in this run; for all other runs ask GPUSIM_CHECK=proof, which covers "
    expect("covered", said(GPUSIM_CHECK="race", GPUSIM_REPORT="1"), [asked + "1 of 1 kernel"])
    expect("two of three", said("proof", GPUSIM_CHECK="race", GPUSIM_REPORT="1"),
           [asked + "2 of 3 kernels, but not scatter: program.cu:15 takes its address from memory"])
    expect("all checks", said("proof", GPUSIM_CHECK="all", GPUSIM_REPORT="1"), [])
    expect("a race", said("race", GPUSIM_CHECK="race", GPUSIM_REPORT="1"), [])
    expect("no report", runs.run(GPUSIM_CHECK="race").stderr, "")


def ends(runs):
    expect("in another folder", len(runs.report("leave")["launches"]), 3)
    expect("with a child", len(runs.report("fork")["launches"]), 4)
    runs.file.write_text("what was there before", encoding="utf-8")
    done = runs.run("abort")
    if done.returncode >= 0 or runs.file.read_text(encoding="utf-8") != "what was there before":
        sys.exit(f"a program that aborts: exit status {done.returncode}, {runs.file.read_text(encoding='utf-8')[:80]}")
    gone = runs.folder / "gone"
    gone.mkdir()
    done = runs.run("remove", str(gone), GPUSIM_REPORT="gone/report.json")
    expect("a folder that is gone", (done.returncode, done.stderr),
           (1, "gpusim: GPUSIM_REPORT=gone/report.json cannot be written: No such file or directory\n"))


def main():
    simcc, = command_line.arguments("SIMCC")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "program.cu").write_text(PROGRAM, encoding="utf-8")
        runs = Runs(simcc, folder / "program", folder)
        for case in (launches, mistakes, proved, other_runs, ends):
            case(runs)


if __name__ == "__main__":
    main()
# SPDX-License-Identifier: MIT
