#!/usr/bin/env python3
"""--profile, --proof and --trace of a program, as a user runs it.

inspection_test.py sim PROGRAM    what is printed, what is written, what is refused
inspection_test.py gpu PROGRAM    all three are refused, with or without a GPU
"""
import json
import math
import os
import pathlib
import pty
import subprocess
import sys
import tempfile
import threading

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "common"))
import command_line

N = "200"  # one block, in most chapters


CLEAN = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "GPUSIM_REPORT")}


def run(program, *options):
    return subprocess.run([program, *options, "--n", N], capture_output=True, text=True, check=False, env=CLEAN)


def on_a_terminal(program, *options, **environment):
    """What the program prints on a terminal."""
    mine, its = pty.openpty()
    child = subprocess.Popen([program, *options, "--n", N], stdout=its,
                             env={**CLEAN, "TERM": "xterm", **environment})
    # The terminal stays open here: where its last user leaves, what has not been read yet may be lost. So the end is a mark that
    # this test writes behind all that the program has written.
    end = b"\0"
    ended = threading.Thread(target=lambda: (child.wait(), os.write(its, end)))
    ended.start()
    text = b""
    while not text.endswith(end):
        text += os.read(mine, 65536)
    ended.join()
    os.close(its)
    os.close(mine)
    expect(child.returncode == 0, f"exit status {child.returncode}")
    return text.removesuffix(end).decode().replace("\r\n", "\n")


def expect(holds, message):
    if not holds:
        sys.exit(message)


def refused(program, options, words):
    done = run(program, *options)
    is_one_line = not done.stdout and len(done.stderr.splitlines()) == 1 and words in done.stderr
    expect(done.returncode == 2 and is_one_line, f"{options}: exit status {done.returncode}, expected 2 and one "
           f"line with '{words}':\n{done.stdout}{done.stderr}")


def check_profile(program, folder):
    usual, plain = run(program).stdout, run(program, "--profile")
    expect(plain.returncode == 0 and "\033" not in plain.stdout,
           f"an error, or colours in a pipe:\n{plain.stdout}{plain.stderr}")
    # The profile follows the table; a program may print more after it.
    table = os.path.commonprefix([usual, plain.stdout])
    rest = usual[len(table):]
    profile = plain.stdout[len(table):len(plain.stdout) - len(rest)]
    expect(len(table.splitlines()) > 4 and plain.stdout.endswith(rest), f"not as without:\n{plain.stdout}")
    expect(" __global__ void " in profile and "kernels.cuh\n" in profile, f"no kernel's source:\n{profile}")
    expect(on_a_terminal(program, "--profile", NO_COLOR="1") == plain.stdout, "NO_COLOR: not the plain text")
    coloured = on_a_terminal(program, "--profile")
    expect("\033[1m" in coloured, f"no colours on a terminal:\n{coloured}")

    file = os.path.join(folder, "profile.json")
    done = run(program, f"--profile={file}", "--json")
    rows = json.loads(done.stdout)["rows"]
    launches = json.load(open(file, encoding="utf-8"))
    for counter in ("warp_instructions", "barriers"):
        counted = sum(row["counters"][counter] for row in rows)
        total = sum(launch["total"][counter] for launch in launches)
        of_lines = sum(line["counters"][counter] for launch in launches for line in launch["lines"])
        expect(total == of_lines == counted, f"{counter}: {counted}, written: {total}, on lines: {of_lines}")


def check_proof(program, folder):
    """What --proof says of the step is what the profile says of its kernels, the worst of these."""
    file = os.path.join(folder, "profile.json")
    done = run(program, f"--profile={file}", "--json")
    profiled = {launch["kernel"]: launch["proof"] for launch in json.load(open(file, encoding="utf-8"))}
    for proof in profiled.values():
        said, lines = proof["compiled"], [line["line"] for line in proof["obstacles"]]
        expect(said["verdict"] == "proved" or said["reason"], f"no reason: {proof}")
        expect(not (lines and said["verdict"] != "not_proved"), f"an obstacle, and yet proved: {proof}")
    rows = json.loads(run(program, "--proof", "--json").stdout)["rows"]
    expect([row["kernel"] for row in rows if "proof" in row] == [row["kernel"] for row in rows if row["step"]],
           f"not what is proved of the step: {rows}")
    for row, with_profile in zip(rows, json.loads(done.stdout)["rows"]):
        expect(row["counters"] == with_profile["counters"], f"other counters: {row}")
        if row["step"]:
            expect(row["proof"] == with_profile["proof"], f"{row['proof']}, and with --profile {with_profile['proof']}")
    text = run(program, "--proof").stdout
    for row in rows:
        if row["step"]:
            words = {"proved": "proved: ", "race_free": "proved race-free: ", "not_proved": "not proved: "}
            expect(f"\n{row['kernel']}: {words[row['proof']['verdict']]}" in text, f"nothing is said of {row['kernel']}:\n{text}")


def check_trace(program, folder):
    file = os.path.join(folder, "trace.json")
    done = run(program, f"--trace={file}", "--json")
    step = next(row for row in json.loads(done.stdout)["rows"] if row["step"])
    kernels = json.load(open(file, encoding="utf-8"))
    expect(kernels, "an empty trace")
    trace = kernels[0]
    expect(trace["completed"] and not trace["truncated"] and trace["traced_block"] == 0, "not all of block 0")
    warps = {each["warp"] for each in trace["steps"]}
    expect(warps == set(range(-(-math.prod(trace["block"]) // 32))), f"warps {warps}")
    if step["counters"]["blocks"] == 1:
        expect(len(trace["steps"]) == step["counters"]["warp_instructions"], "steps are not warp instructions")
    for each in trace["steps"]:
        lanes = bin(int(each["mask"], 16)).count("1")
        for one_a_lane in ("addresses", "banks", "from"):
            expect(len(each.get(one_a_lane, [0] * lanes)) == lanes, f"{one_a_lane}: not one a lane: {each}")
        expect(("banks" in each) == (each.get("space") == "shared"), f"banks: {each}")


def check_refusals(program, folder):
    for option in ("--profile", "--trace"):
        refused(program, [f"{option}={folder}/none/a.json"], f"{option}: cannot write '{folder}/none/a.json'")
        refused(program, [f"{option}={folder}"], "it is a directory")
        refused(program, [f"{option}=/dev/null"], "not a file")
    refused(program, ["--trace"], "--trace: name a file, --trace=FILE")
    refused(program, ["--profile", "--json"], "name a file, --profile=FILE")
    expect(not os.listdir(folder), f"left behind: {os.listdir(folder)}")


if __name__ == "__main__":
    device, tested = command_line.arguments("sim|gpu PROGRAM")
    if device == "gpu":
        refused(tested, ["--profile"], "--profile: only the simulated GPU counts; use ncu")
        refused(tested, ["--proof"], "--proof: only the simulated GPU proves")
        refused(tested, ["--trace=t.json"], "--trace: only the simulated GPU")
    else:
        for check in (check_refusals, check_profile, check_proof, check_trace):
            with tempfile.TemporaryDirectory() as empty:
                check(tested, empty)
# SPDX-License-Identifier: MIT
