"""Runs a chapter's judge and returns its findings: the JSON that tests/chapters/outcome.h describes."""
import json
import os
import pathlib
import subprocess
import tempfile

from learn import parts, processes
from learn.screen import printable

NOT_STARTED = 77
PRINTED_LINES = 12  # of the kernels' output that are shown
LIMIT = 30  # seconds for a verdict; a kernel that never ends is stopped earlier
GRACE = 30  # seconds beyond the limit: a judge keeps the limit itself, but does not count how long it waits for a processor


def without_verdict(program, why):
    return {"verdict": f"no verdict: {why}; to see why, run {program}", "exit_code": 1, "findings": [], "test_cases": [],
            "measurements": []}


def started(program, scratch, options):
    """Starts a judge. Returns the process, the file for its outcome, and the file for what kernels print."""
    name = "_".join(options).replace("-", "")
    file, printed = pathlib.Path(scratch, f"outcome{name}.json"), pathlib.Path(scratch, f"printed{name}")
    with open(printed, "wb") as output:
        process = subprocess.Popen([str(program), f"--json={file}", f"--limit={LIMIT}", *options], stdout=output,
                                   stderr=subprocess.STDOUT)
    return process, file, printed


def ended(program, process, file, printed):
    """The outcome of a judge that has ended."""
    status = process.wait()
    try:
        outcome = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        outcome = without_verdict(program, f"it was ended by signal {-status}" if status < 0 else f"exit status {status}")
    with open(printed, encoding="utf-8", errors="replace") as lines:
        shown = [printable(line.rstrip("\n")) for _, line in zip(range(PRINTED_LINES + 1), lines)]
    outcome["printed"] = shown[:PRINTED_LINES] + (["…"] if len(shown) > PRINTED_LINES else [])
    return outcome


def run_together(program, ranges, stretch, is_stale):
    """Runs the judge on several ranges of test cases at the same time.

    Returns the outcomes in the order of the ranges, up to the first range in which a finding ended the run.
    """
    options = ["--stretch"] if stretch else []
    running = []
    with tempfile.TemporaryDirectory(prefix="learn-") as scratch:
        try:
            for each in ranges:
                limits = [] if each is None else [f"--first={each[0]}"]
                if each and each is not ranges[-1]:
                    limits.append(f"--last={each[1]}")
                running.append(started(program, scratch, options + limits))
            outcomes = []
            for judge in running:
                try:
                    processes.wait(judge[0], is_stale, LIMIT + GRACE)
                except processes.Late:
                    processes.end(judge[0])
                    return [without_verdict(program, f"none came in {LIMIT} seconds: look for a loop in a "
                                                     "function of kernels.cuh that the host runs")]
                outcomes.append(ended(program, *judge))
                if not parts.is_complete(outcomes[-1]) or outcomes[-1]["verdict"].startswith("no verdict"):
                    break
            return outcomes
        finally:
            for process, _, _ in running:
                processes.end(process)


def outcome_of(program, stretch=False, is_stale=None, seconds=()):
    """The outcome of a judge that is built. A judge without an outcome gets a verdict that begins `no verdict`.

    seconds: how long each test case took the last time. If that is known, parts of them run at the same time.
    """
    count = min(parts.MOST, len(os.sched_getaffinity(0)), len(seconds))
    try:
        if count > 1:
            outcomes = run_together(program, parts.ranges_of(seconds, count), stretch, is_stale)
            together = parts.joined(outcomes)
            if together:
                together["printed"] = next((each["printed"] for each in outcomes if each["printed"]), [])
                return together
        return run_together(program, [None], stretch, is_stale)[0]
    except OSError as error:
        return without_verdict(program, f"{program}: {error.strerror}")


def state_of(outcome):
    """The state of the chapter: done, begun, not started or wrong."""
    if outcome["exit_code"] == 0:
        return "done"
    if outcome["exit_code"] == NOT_STARTED:
        return "not started"
    return "begun" if outcome["verdict"].startswith("begun") else "wrong"


def counters_of(outcome):
    """What the judge counted for each kernel, the first time it asked: {"sum_tile|bank conflicts|a block": value}."""
    counters = {}
    for measured in outcome.get("measurements", []):
        if not measured["goal"]:
            counters.setdefault(key_of(measured), measured["value"])
    return counters


def key_of(measured):
    return "|".join((measured["kernel"].split(",")[0], measured["counter"], measured["each"].strip(", ")))


def seconds_of(outcome):
    """How many seconds each test case took, if all of them ran; else an empty list."""
    return [case["seconds"] for case in outcome.get("test_cases", [])] if parts.is_complete(outcome) else []
# SPDX-License-Identifier: MIT
