#!/usr/bin/env python3
"""`learn 02` from the starter to the harder target, in a clone of its own; diff and trace. Suite `learn`.

judging_test.py SOURCE_DIR BUILD_DIR
"""
import json
import os
import pathlib
import re
import subprocess
import sys

from scratch import STEM, TREE, Scratch, Terminal, has_rich, run_cases

sys.path += [str(pathlib.Path(__file__).resolve().parents[up] / name) for up, name in ((2, "common"), (1, "."))]
import command_line
import stage_kernels
from learn import judging, parts

REACHED = "tests/right/02_shared_memory/sums_its_warp_first.cuh"


def last(out):
    return out.rstrip("\n").splitlines()[-1]


def from_the_starter_to_the_harder_target(clone: Scratch):
    status, out, err = clone.learn("02")
    assert (status, err) == (1, "") and last(out) == "○ 02 not started", (status, out, err)
    assert "kernels.cuh:25: 94" in out and "  next  " in out, out
    assert "ninja" not in out and "FAILED" not in out and "[1/" not in out, out

    clone.edit([("const int t = threadIdx.x;", "const int t = threadIdx.x")])
    status, out, err = clone.learn("02")
    assert (status, err) == (1, "") and last(out).startswith("✗ 02 does not compile: kernels.cuh:19:"), (status, out, err)
    assert "ninja" not in out and "FAILED" not in out and str(clone.root) not in out.split("\n", 1)[1], out
    clone.edit([("const int t = threadIdx.x", "const int t = threadIdx.x;")])

    clone.edit([(old, new.replace("  __syncthreads();\n", "")) for old, new in TREE])
    status, out, _ = clone.learn("02")
    assert status == 1 and last(out).startswith("✗ 02 race: kernels.cuh:24:"), out
    refused = clone.learn("diff", "02")
    assert refused[0] == 1 and refused[2].count("\n") == 1 and "not done yet" in refused[2], refused
    assert clone.learn("diff", "02", "--yes")[1].startswith("--- chapters/02_shared_memory/kernels.cuh\n+++ solutions/")
    refused = clone.learn("stretch", "02")
    assert refused[0] == 1 and "comes after `done`" in refused[2] and "race:" in refused[1], refused

    clone.edit([("0.0f;\n\n", "0.0f;\n  __syncthreads();\n\n")])
    status, out, _ = clone.learn("02")
    assert status == 0 and last(out) == "✓ 02 done, and proved for every n", out
    row = next(line.split() for line in out.splitlines() if "global load requests" in line)
    assert row[-5:] == ["95", "8", "at", "most", "8"], out  # as shipped, now, asked
    assert "const int t" in clone.learn("diff")[1]
    assert "✓ 02 shared memory" in clone.learn()[1]

    status, out, err = clone.learn("stretch")
    assert (status, err) == (1, "") and "72" in out and "harder target is open" in last(out), (status, out, err)
    clone.kernels.write_text((clone.root / REACHED).read_text(encoding="utf-8"), encoding="utf-8")
    status, out, err = clone.learn("stretch")
    assert (status, err) == (0, "") and "★" in out and last(out).startswith("✓ 02 reached"), (status, out, err)
    state = json.loads((clone.root / ".learn/state.json").read_text(encoding="utf-8"))
    assert state["current"] == STEM, state["current"]


def what_a_warp_did(clone: Scratch):
    clone.edit()
    status, out, err = clone.learn("trace", "02", "--n", "4096")
    assert (status, err) == (0, "") and "sum_tile<<<16, 256>>>, block 0, warp 0" in out, (status, out, err)
    assert "kernels.cuh:25  if (t % (2 * len) == 0) tile[t] += tile[t + len];" in out, out
    assert "█·█·█·█· █·█·█·█· █·█·█·█· █·█·█·█·  16 lanes, 16 banks, no conflict" in out, out
    everything = clone.learn("trace", "02", "--n", "4096", "--all")[1]
    assert len(everything.splitlines()) > 50 + len(out.splitlines()), everything
    status, out, err = clone.learn("trace", "02", "--warp", "9")
    assert status == 1 and err.count("\n") == 1 and "its warps are 0 … 7" in err, (status, out, err)
    status, out, err = clone.learn("trace", "02", "--n", "99999999999")
    assert status == 1 and err.count("\n") == 1 and "is not in 0…" in err, (status, out, err)
    if has_rich():
        terminal = Terminal(clone.command("trace", "02"), clone.root)
        terminal.wait_for("step 1 of")
        terminal.press(" ")
        terminal.wait_for("step 2 of")
        terminal.wait_for("lanes")
        terminal.press("b")
        terminal.wait_for("step 1 of")
        terminal.press("  \x1b[D\x1b[C")
        terminal.wait_for("step 3 of")
        terminal.wait_for("step 2 of")
        terminal.wait_for("step 3 of")
        terminal.press("w")
        terminal.wait_for("warp 1")
        terminal.press("q")
        assert terminal.end() == 0


MESSAGE = [("  if (t == 0) block_sums[blockIdx.x] = tile[0];\n", """  if (t == 0) block_sums[blockIdx.x] = tile[0];
  if (t == 0 && blockIdx.x == 0) {
    *(volatile int*)&sent = 1;
    __threadfence();
    payload = 7.0f;
  }
  if (t == 0 && blockIdx.x == 1 && *(volatile int*)&sent == 1) {
    __threadfence();
    block_sums[1] += payload;
  }
"""), ("__global__ void sum_tile(", "__device__ int sent;\n__device__ float payload;\n__global__ void sum_tile(")]


def an_order_that_goes_wrong(clone: Scratch):
    """Block 0 sets a flag before the value that it announces."""
    clone.edit()
    clone.edit(MESSAGE)
    clone.learn("trace", "02", "--n", "512")  # builds it
    explored = subprocess.run([clone.build / "chapters" / STEM, "--n", "512"], capture_output=True, text=True, check=False,
                              env={**os.environ, "GPUSIM_EXPLORE": "60s"})
    schedule = re.search(r"GPUSIM_SCHEDULE=(\S+) runs it again", explored.stderr)
    assert schedule and "race: block 1" in explored.stderr, explored.stderr
    for arguments, environment in ((("--schedule", schedule[1]), {}), ((), {"GPUSIM_SCHEDULE": schedule[1]})):
        status, out, err = clone.learn("trace", "02", "--n", "512", *arguments, **environment)
        assert (status, err) == (0, "") and out.startswith("sum_tile<<<2, 256>>>, by a schedule\n"), (status, out, err)
        stores = out.index("operation 1 of 2: stores to sent: 1")
        reads = out.index("operation 2 of 2: reads sent as 1")
        assert "\nblock 0, warp 0\n" in out[:stores] and "\nblock 1, warp 0\n" in out[stores:reads], out
        assert "warp 1" not in out, out
        assert re.search(r"^found: kernels\.cuh:\d+: race: block 1, thread 0 \(warp 0, lane 0\) reads payload", last(out)), out
    status, out, err = clone.learn("trace", "02", "--n", "512", "--schedule", "9/b0w0")
    assert status == 1 and err.count("\n") == 1 and "launch 9 of" in err and "none of the step's kernel" in err, (status, err)
    if has_rich():
        terminal = Terminal(clone.command("trace", "02", "--n", "512", "--schedule", schedule[1]), clone.root)
        terminal.wait_for("step 1 of")
        terminal.press("oo")
        terminal.wait_for("operation 2 of 2: reads sent as 1")
        terminal.press("r")
        terminal.wait_for("race: block 1")
        terminal.press("q")
        assert terminal.end() == 0


def an_order_that_never_ends(clone: Scratch):
    """The program ends with a fault, and the trace is written all the same."""
    clone.edit()
    clone.edit([(MESSAGE[0][0], MESSAGE[0][0] + "  if (t == 0 && blockIdx.x == 1) while (*(volatile int*)&sent == 0) {\n  }\n"),
                MESSAGE[1]])
    clone.learn("trace", "02", "--n", "256")
    status, out, err = clone.learn("trace", "02", "--n", "512", "--schedule", "1/b1w0")
    assert (status, err) == (0, "") and "operation 1 of 1: reads sent as 0" in out, (status, out, err)
    assert last(out).startswith("found: kernels.cuh:") and "ends" in last(out), last(out)


def what_the_kernels_print_is_shown(clone: Scratch):
    clone.edit([("const int t = threadIdx.x;", "const int t = threadIdx.x;\n"
                 "  if (t == 0 && n == 31) printf(\"thirty-one\\n\");")])
    out = clone.learn("02")[1]
    assert "printed by the kernels:" in out and "    thirty-one\n" in out, out


def a_file_cannot_speak_for_its_judge(clone: Scratch):
    """Of a kernel that stores 0, and has host code that would say `done`; tests/wrong has more of them."""
    starter = clone.kernels.read_text(encoding="utf-8")
    solution = clone.root / f"solutions/{STEM}/kernels.cuh"
    for name in ("forged_writes_the_json", "forged_macro_of_a_test_case"):
        forged = stage_kernels.edited(clone.root / f"tests/wrong/{STEM}/{name}.edit", solution)
        clone.kernels.write_text(forged, encoding="utf-8")
        status, out, err = clone.learn("02")
        assert (status, err) == (1, "") and last(out).startswith("✗ 02 not judged: "), (name, status, out, err)
    clone.kernels.write_text(f'#include "../../solutions/{STEM}/kernels.cuh"\n', encoding="utf-8")
    status, out, err = clone.learn("02")
    assert status == 1 and "✗ 02 not judged: " in out and f"solutions/{STEM}/kernels.cuh" in last(out), (status, out, err)
    clone.kernels.write_text(starter, encoding="utf-8")
    clone.edit()
    status, out, err = clone.learn("02")  # and then it is judged again
    assert (status, err) == (0, "") and last(out) == "✓ 02 done, and proved for every n", (status, out, err)


def a_kernel_prints_no_verdict(clone: Scratch):
    clone.edit([("const int t = threadIdx.x;", "const int t = threadIdx.x;\n"
                 "  if (t == 0 && n == 31) printf(\"verdict: done\\n\\x1b[2J✓ 02 done\\n\");")])
    judge = clone.build / "tests/chapters" / STEM
    status, out, _ = clone.learn("02")
    assert status == 1 and "\x1b" not in out and "\\x1b[2J" in out and not last(out).startswith("✓"), out
    printed = subprocess.run([judge], stdout=subprocess.PIPE, text=True, check=False)
    assert printed.stdout.count("\nverdict: ") == 1 and "\x1b" not in printed.stdout, printed
    assert "printed: verdict: done" in printed.stdout and printed.returncode == 1, printed


def parts_say_what_one_run_says(clone: Scratch):
    """Of a right kernel, a racy one and one that is not improved: whichever way the judge is run."""
    judge = clone.build / "tests/chapters" / STEM
    racy = [(old, new.replace("  __syncthreads();\n", "")) for old, new in TREE]
    for changes in (TREE, racy, [("TODO(you)", "TODO")]):
        starter = clone.kernels.read_text(encoding="utf-8")
        clone.edit(changes)
        clone.learn("02")
        whole = judging.outcome_of(judge)
        cases = len(whole["test_cases"])
        for cut in (cases - 1,) if changes is TREE else (cases // 2,):
            outcomes = judging.run_together(judge, [(1, cut), (cut + 1, cases)], False, None)
            joined = parts.joined(outcomes)
            if joined is None:  # then the judge is run as a whole
                assert whole["findings"] and parts.is_complete(whole), (cut, outcomes)
                continue
            names = [[case["name"] for case in outcome["test_cases"]] for outcome in (whole, joined)]
            assert names[0] == names[1], (cut, names)
            for key in ("verdict", "exit_code", "findings", "measurements", "gaps"):
                assert whole[key] == joined[key], (cut, key, whole[key], joined[key])
        clone.kernels.write_text(starter, encoding="utf-8")


if __name__ == "__main__":
    run_cases([from_the_starter_to_the_harder_target, what_a_warp_did, an_order_that_goes_wrong, an_order_that_never_ends,
               what_the_kernels_print_is_shown, a_file_cannot_speak_for_its_judge, a_kernel_prints_no_verdict,
               parts_say_what_one_run_says],
              *map(pathlib.Path, command_line.arguments("SOURCE_DIR BUILD_DIR")))
# SPDX-License-Identifier: MIT
