#!/usr/bin/env python3
"""`learn grade` on a class in which many things go wrong: each student's trouble is that student's alone. Suite `learn`.

class_test.py SOURCE_DIR BUILD_DIR
"""
import csv
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path += [str(pathlib.Path(__file__).resolve().parents[up] / name) for up, name in ((2, "common"), (1, "."), (1, "learn"))]
import command_line
import stage_kernels
from grading import command, grade, needs_a_sandbox

STEM = "02_shared_memory"
RED, BYTES = "\x1b[31mred", b"odd\xff"
PATIENCE = 60  # seconds


class Class:
    """A folder of submissions, and a folder for temporary files that must be empty afterwards."""

    def __init__(self, folder, source, build):
        self.source, self.build = pathlib.Path(source), build
        self.folder, self.temporary = pathlib.Path(folder, "class"), pathlib.Path(folder, "temporary")
        self.folder.mkdir()
        self.temporary.mkdir()
        self.solution = self.source / "solutions" / STEM / "kernels.cuh"

    def submit(self, student, name, content):
        folder = os.path.join(os.fsencode(self.folder), student if isinstance(student, bytes) else os.fsencode(student))
        os.makedirs(os.path.join(folder, os.path.dirname(os.fsencode(name))), exist_ok=True)
        path = os.path.join(folder, os.fsencode(name))
        if content is not None:
            pathlib.Path(os.fsdecode(path)).write_bytes(content)
        return path

    def grade(self, *words):
        told = grade(self.source, self.build, *words, TMPDIR=str(self.temporary))
        assert not list(self.temporary.iterdir()), f"it leaves {list(self.temporary.iterdir())}"
        return told


def everyones_trouble_is_ones_own(one: Class):
    solution = one.solution.read_bytes()
    broken = solution.replace(b"const int t = threadIdx.x;", b"const int t = threadIdx.x")
    one.submit("ada", "02.cuh", solution)
    one.submit("bob", f"{STEM}/kernels.cuh", solution)
    os.symlink(one.solution, one.submit("link", "02.cuh", None))
    os.truncate(one.submit("large", "02.cuh", b"// "), 100 << 20)
    one.submit("latin", "02.cuh", b"// caf\xe9\n" + solution)
    os.mkfifo(one.submit("pipe", "02.cuh", None))
    os.makedirs(one.submit("empty", "02/", None), exist_ok=True)
    (one.folder / "nobody").mkdir()
    one.submit("notes", "notes.txt", b"later")
    one.submit("notes", ".DS_Store", b"")
    one.submit("twice", "02.cuh", broken)
    one.submit("twice", f"{STEM}.cuh", broken)
    for student in (RED, BYTES, "=1+2"):
        one.submit(student, "02.cuh", broken)
    (one.folder / "list.csv").write_text("ada;bob\n", encoding="utf-8")
    os.symlink(one.source, one.folder / "linked")

    files = {kind: one.folder.parent / f"told.{kind}" for kind in ("json", "csv")}
    told = [one.grade(one.folder, "--json", files["json"], "--csv", files["csv"], "--jobs", jobs) for jobs in ("3", "1")]
    assert told[0] == told[1], told  # the same, in parallel or one after another
    status, out, err = told[0]
    assert status == 1 and "\x1b" not in out + err and "\\x1b[31mred" in out, told[0]
    assert len(err.splitlines()) == 6, err
    for line, why in ((f"{one.folder}/linked", "it is a link"), (f"{one.folder}/list.csv", "expected a folder for each student"),
                      (f"{one.folder}/empty/02", "kernels.cuh is missing"), (f"{one.folder}/notes/notes.txt", "names no chapter"),
                      (f"{one.folder}/nobody", "no submission is in it"),
                      (f"{one.folder}/twice/{STEM}.cuh", "submitted chapter 02 already")):
        assert any(f"{line}: " in said and why in said for said in err.splitlines()), (line, why, err)

    results = {result["student"]: result for result in json.loads(files["json"].read_text(encoding="ascii"))}
    assert len(results) == 10, list(results)
    for student, state, points, verdict in (
            ("ada", "done", 4, "done"), ("bob", "done", 4, "done"), ("link", "missing", 0, "not judged: it is a link"),
            ("large", "missing", 0, "not judged: it has 104,857,600 bytes"),
            ("latin", "missing", 0, "not judged: line 1 is not UTF-8"),
            ("pipe", "missing", 0, "not judged: it is not a plain file"), (RED, "wrong", 0, "does not compile: kernels.cuh:"),
            ("twice", "wrong", 0, "does not compile: kernels.cuh:"), ("=1+2", "wrong", 0, "does not compile: kernels.cuh:")):
        result = results[student]
        assert (result["state"], result["points"], result["of"]) == (state, points, 4), result
        assert result["verdict"].startswith(verdict), result
    assert results["bob"]["remarks"] == ["it is the solution, to the letter", "the same file as ada's"], results["bob"]
    counters = [counter["counter"] for gap in results["ada"]["gaps"] for counter in gap["counters"]]
    assert "global load requests a block" in counters, counters
    rows = list(csv.DictReader(files["csv"].read_text(encoding="utf-8").splitlines()))
    assert len(rows) == 10 and "'=1+2" in [row["student"] for row in rows], rows


def points_for_each_gap(one: Class):
    """A race in the first gap does not hide that the second is right; Gradescope gets both."""
    wrong = one.source.joinpath("solutions/01_global_memory/kernels.cuh").read_text(encoding="utf-8")
    first = "    __syncthreads();  // this level's sums are written before the next level reads them\n"
    assert wrong.count(first) == 2, "chapter 01's solution has changed"
    one.submit("submission", "kernels.cuh", wrong.replace(first, "", 1).encode())
    results = one.folder.parent / "results"
    status, _, err = one.grade("--one", "--chapter", "1", "--gradescope", results, one.folder / "submission")
    assert (status, err) == (0, ""), (status, err)
    told = json.loads((results / "results.json").read_text(encoding="utf-8"))
    assert set(told) == {"score", "output", "output_format", "execution_time", "tests"}, told
    assert told["score"] == 1 and told["output"].startswith("01_global_memory: race: kernels.cuh:"), told
    assert [(test["score"], test["max_score"], test["status"], test["number"]) for test in told["tests"]] == [
        (0, 1, "failed", "1.1"), (1, 1, "passed", "1.2")], told
    known = {"score", "max_score", "status", "name", "number", "output", "output_format"}
    assert all(set(test) == known and isinstance(test["output"], str) for test in told["tests"]), told


def an_interruption_leaves_nothing(one: Class):
    attack = one.source / f"tests/grade/attacks/{STEM}/prints_without_end.edit"
    one.submit("ada", "02.cuh", stage_kernels.edited(attack, one.solution).encode())
    for number in (signal.SIGINT, signal.SIGTERM):
        process = subprocess.Popen(command(one.source, one.build, one.folder), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                   env={**os.environ, "TMPDIR": str(one.temporary)}, text=True)
        end = time.monotonic() + PATIENCE
        while not any(one.temporary.glob("learn-grade-*/0/made/judge")):
            assert time.monotonic() < end and process.poll() is None, f"the judge does not begin: {process.stderr.read()}"
            time.sleep(0.05)
        time.sleep(0.5)
        process.send_signal(number)
        said = process.communicate(timeout=PATIENCE)[1]
        assert process.returncode == -number and said == "", (process.returncode, said)
        assert not list(one.temporary.iterdir()), list(one.temporary.iterdir())
        left = [path for path in pathlib.Path("/proc").glob("[0-9]*/cmdline") if str(one.temporary) in text_of(path)]
        assert not left, [text_of(path) for path in left]


def text_of(path):
    try:
        return path.read_bytes().decode("utf-8", "replace")
    except OSError:  # it has ended
        return ""


def wrong_command_lines(one: Class):
    for words, why in ((("--chapter", "99", one.folder), "no chapter is called '99'"), ((), "which folder"),
                       ((one.folder / "nowhere",), "no such folder"), (("--jobs", "0", one.folder), "is not a number of jobs"),
                       ((one.folder, "--csv", one.folder / "no/x.csv"), "there is no folder"),
                       (("--cheat", one.folder), "--cheat")):
        status, out, err = one.grade(*words)
        assert status == 2 and out == "" and err.count("\n") == 1 and why in err, (words, status, out, err)
    status, out, err = one.grade(one.folder)
    assert status == 1 and err.count("\n") == 1 and "no submission to judge" in err, (status, out, err)
    one.submit("ada", "02.cuh", b"")
    os.symlink(shutil.which("prlimit"), one.temporary.parent / "prlimit")  # a PATH with nothing else on it
    status, out, err = grade(one.source, one.build, one.folder, PATH=str(one.temporary.parent))
    assert status == 1 and err.count("\n") == 1 and "bubblewrap is not installed" in err, (status, out, err)


def main(source, build):
    needs_a_sandbox()
    for case in (wrong_command_lines, everyones_trouble_is_ones_own, points_for_each_gap, an_interruption_leaves_nothing):
        with tempfile.TemporaryDirectory(prefix="grade-test-") as folder:
            case(Class(folder, source, build))
        print(f"{case.__name__.replace('_', ' ')}: ok", flush=True)


if __name__ == "__main__":
    main(*command_line.arguments("SOURCE_DIR BUILD_DIR"))
# SPDX-License-Identifier: MIT
