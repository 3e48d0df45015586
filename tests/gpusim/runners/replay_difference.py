#!/usr/bin/env python3
"""Runs programs with and without GPUSIM_REPLAY=0 and compares all that they print: results, counters, predicted times, findings.
Launches that are left out because an earlier one has shown what they give must make no difference.

usage: replay_difference.py PROGRAM…
"""
import difflib
import os
import pathlib
import re
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "common"))
import command_line

TIMEOUT_S = 300
OTHER_RUNS = (4, 16)  # of each kind, which tell the lines that a program prints anew each time; the second lot only where the
# first has found a difference: threads that launch in one order five times may launch in another the sixth time
MODES = {
    "counters and predicted times": {"GPUSIM_REPORT": "1", "GPUSIM_CHECK": "none"},
    "default checks": {},
    "all checks": {"GPUSIM_CHECK": "all"},
}
SUMMARY = re.compile(r"gpusim: ([\d,]+) of [\d,]+ launches were not run again")


def printed(command, variables):
    """What it prints, line by line, and its exit status; and how many launches were replayed, if it says so."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("GPUSIM_")}
    ran = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=TIMEOUT_S, check=False,
                         stdin=subprocess.DEVNULL, env={**clean, **variables})
    errors = ran.stderr.splitlines()
    replayed = sum(int(found.group(1).replace(",", "")) for line in errors if (found := SUMMARY.match(line)))
    kept = [line for line in errors if not SUMMARY.match(line)]
    return ran.stdout.splitlines() + kept + [f"exit status {ran.returncode}"], replayed


def steady(runs):
    """The numbers of the lines that all these runs print alike: times, addresses, how often a GPU looked at a flag, and which of
    several threads launched first, are not among them. None: not even the number of lines is the same."""
    if len({len(lines) for lines in runs}) != 1:
        return None
    return {k for k, lines in enumerate(zip(*runs)) if len(set(lines)) == 1}


def steady_difference(without, with_replays):
    """The lines of a diff between what all runs `without` print alike and what all runs `with_replays` do. None: nothing is."""
    same_without, same_with = steady(without), steady(with_replays)
    if same_without is None or same_with is None:
        return None
    expected, found = without[0], with_replays[0]
    if len(expected) == len(found):
        same = sorted(same_with & same_without)
        expected, found = [expected[k] for k in same], [found[k] for k in same]
    return list(difflib.unified_diff(expected, found, lineterm="", n=1))


def difference(command, count=None):
    """What differs, as lines for a person; none if nothing does. Adds the number of replayed launches to count[0]."""
    for mode, variables in MODES.items():
        with_replays, replayed = printed(command, {**variables, "GPUSIM_REPLAY": "1"})
        if count:
            count[0] += replayed
        without, _ = printed(command, {**variables, "GPUSIM_REPLAY": "0"})
        if with_replays == without:
            continue
        runs = {"1": [with_replays], "0": [without]}
        for count_of_runs in OTHER_RUNS:
            for _ in range(count_of_runs):
                for replay, lots in runs.items():  # by turns, so that both meet the same load of the machine
                    lots.append(printed(command, {**variables, "GPUSIM_REPLAY": replay})[0])
            found = steady_difference(runs["0"], runs["1"])
            if not found:
                break
        if found is None:
            print(f"{' '.join(command)}: {mode}: prints other lines in each run, so nothing is compared")
        elif found:
            return [f"{mode}: with replayed launches it prints something else (- GPUSIM_REPLAY=0, + 1):", *found[:40]]
    return []


def main():
    programs = command_line.arguments("PROGRAM…")
    count = [0]
    problems = []
    for program in programs:
        if found := difference([program], count):
            problems += [f"{program}:", *found]
    if problems:
        sys.exit("\n".join(problems))
    print(f"{len(programs)} programs print the same, {count[0]} launches of which were replayed")


if __name__ == "__main__":
    main()
# SPDX-License-Identifier: MIT
