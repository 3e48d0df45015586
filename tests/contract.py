#!/usr/bin/env python3
"""The exercise contract, proven for every chapter by `meson test --suite contract`.

contract.py starter  TEST_PROGRAM KERNELS    as shipped, the exercise is `not started`
contract.py todo     STARTER SOLUTION        starter and solution differ only in the paragraphs of a TODO(you)
contract.py wrong    TEST_PROGRAM KERNELS    a wrong kernel gets the verdict on its first line
contract.py right    TEST_PROGRAM KERNELS    a right kernel is `done`
contract.py stretch  SOLUTION PROGRAM…       of a chapter's harder targets the solution reaches none, the right kernels all
contract.py staged   TESTS_DIR LIST          no wrong or right kernel was added since the build was made; counts them

A kernels.cuh that a learner has edited is not as shipped: its tests are skipped, except in CI (CI=true).
"""
import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "common"))
import command_line

SKIP = 77  # Meson's exit code for a skipped test; the test programs' for `not started`
LIMIT, LONGEST_VERDICT = 55, 240  # seconds that a judge counts; by the clock, where other programs take the processors
TODO = re.compile(r"//.*TODO\(you\)")
ONE_OUTCOME = "had the same outcome for all sizes"


def lines_of(path):
    return pathlib.Path(path).read_text(encoding="utf-8").splitlines()


def is_edited(kernels):
    """Whether a kernels.cuh differs from the last commit, or its TODOs are all done."""
    command = ["git", "status", "--porcelain", "--untracked-files=no", "--", os.path.basename(kernels)]
    try:
        changes = subprocess.run(command, cwd=os.path.dirname(kernels), capture_output=True, text=True,
                                 check=False).stdout
    except FileNotFoundError:  # no git: only the TODOs can tell
        changes = ""
    return bool(changes) or not any(TODO.search(line) for line in lines_of(kernels))


def skip_if_edited(kernels):
    """Ends the test for a kernels.cuh that is not as shipped."""
    if not os.environ.get("CI") and is_edited(kernels):
        print(f"{kernels} has been edited: the contract is about the file as shipped")
        sys.exit(SKIP)


def run(program, limit=LIMIT):
    """Exit code, verdict and output of a test program, which gives up after `limit` seconds, as build/learn asks it to."""
    try:
        done = subprocess.run([program, f"--limit={limit}"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              check=False, timeout=LONGEST_VERDICT)
    except subprocess.TimeoutExpired:
        sys.exit(f"{program} had no verdict after {LONGEST_VERDICT} s")
    print(done.stdout, end="")
    verdicts = re.findall(r"^verdict: (.*)$", done.stdout, re.MULTILINE)
    if len(verdicts) != 1:
        sys.exit(f"{program} printed {len(verdicts)} lines `verdict: …`, expected 1; exit code {done.returncode}")
    return done.returncode, verdicts[0], done.stdout


def starter(program, kernels):
    told = subprocess.run([program, "--as-shipped"], capture_output=True, text=True, check=False)
    print(told.stdout, end="")
    if told.returncode != 0 and not os.environ.get("CI"):
        print("it has been edited: the contract is about the file as shipped. To ship it so, put the digest above into "
              "judge::exercise of the chapter's test")
        sys.exit(SKIP)
    code, verdict, output = run(program)
    if code == 0 and "not counted on a GPU" in output:
        print("what this starter lacks shows in its counters, and only the simulated GPU counts")
        sys.exit(SKIP)
    if code != SKIP or not verdict.startswith("not started"):
        sys.exit(f"expected exit code {SKIP} and `not started`, got exit code {code} and `{verdict}`")
    with open("/dev/full", "w", encoding="utf-8") as full:
        lost = subprocess.run([program, "--as-shipped"], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    if lost.returncode != 1 or lost.stderr != "cannot write to standard output: No space left on device\n":
        sys.exit(f"lost output: exit code {lost.returncode}\n{lost.stderr}")


def wrong(program, kernels):
    reason = lines_of(kernels)[0].split("rejected: ", 1)[1].strip()
    late = re.search(r"none came in (\d+) seconds", reason)
    code, verdict, _ = run(program, int(late.group(1))) if late else run(program)
    if code in (0, SKIP):
        sys.exit(f"{kernels} is wrong, and was not rejected: exit code {code}, `{verdict}`")
    if not verdict.startswith(reason):
        sys.exit(f"{kernels} was rejected for another reason: expected `{reason}`, got `{verdict}`")


def right(program, kernels):
    """It is accepted. If the judge has seen one side only of a comparison, the first line says `one outcome`."""
    code, verdict, output = run(program)
    if code != 0:
        sys.exit(f"{kernels} is right, and was not accepted: exit code {code}, `{verdict}`")
    told, expected = ONE_OUTCOME in output, lines_of(kernels)[0].startswith("// one outcome: ")
    if told != expected:
        verb = "says" if told else "does not say"
        sys.exit(f"{kernels}: the judge {verb} that a comparison {ONE_OUTCOME}; its first line expects the opposite")


def goals(program):
    """Whether a kernel, which other tests prove to be right, reaches the harder targets: by their names."""
    with tempfile.TemporaryDirectory() as scratch:
        json_file = pathlib.Path(scratch) / "outcome.json"
        done = subprocess.run([program, "--stretch", "--test-case=stretch: *", f"--json={json_file}"], check=False)
        if done.returncode != 0:
            sys.exit(f"{program} is not `done`: exit code {done.returncode}")
        reached = {}
        for measured in json.loads(json_file.read_text(encoding="utf-8"))["measurements"]:
            if measured["goal"]:
                print(f"{os.path.basename(program)}: {measured['counter']} {measured['value']:g}, target {measured['limit']:g}")
                reached[measured["goal"]] = reached.get(measured["goal"], True) and measured["kept"]
        return reached


def stretch(solution, *programs):
    of_solution, of_others = goals(solution), [goals(program) for program in programs]
    if not of_solution:
        sys.exit("this chapter has no harder target: its test needs a test case whose name begins with `stretch: `")
    for goal, reached in of_solution.items():
        if reached:
            sys.exit(f"the solution reaches `{goal}`: it is not harder than the exercise")
        if not any(others.get(goal) for others in of_others):
            sys.exit(f"no kernel in tests/right says `stretch: reached` on its first line and reaches `{goal}`")


def fixed_parts(lines):
    """The lines outside TODO paragraphs, a list for each stretch between two of them. A paragraph is a TODO(you)
    and what follows, to a blank line or a `}` that ends a function."""
    parts, inside = [[]], False
    for line in lines:
        if inside and (not line.strip() or line.startswith("}")):
            inside = False
            parts.append([])
        inside = inside or bool(TODO.search(line))
        if not inside:
            parts[-1].append(line)
    return parts + [[]] if inside else parts


def find(part, lines, start):
    """Index of the first occurrence of `part` at or after `start`, or None."""
    return next((i for i in range(start, len(lines) - len(part) + 1) if lines[i:i + len(part)] == part), None)


def todo(starter_path, solution_path):
    skip_if_edited(starter_path)
    parts, solution = fixed_parts(lines_of(starter_path)), lines_of(solution_path)
    if len(parts) < 2:
        sys.exit(f"{starter_path} has no TODO(you)")
    if any(TODO.search(line) for line in solution):
        sys.exit(f"{solution_path} still has a TODO(you)")
    first, *middle, last = parts
    at = 0
    for part in [first, *middle]:
        found = find(part, solution, at)
        if found is None or (part is first and found != 0):
            explain(part, solution_path)
        at = found + len(part)
    if last != solution[max(at, len(solution) - len(last)):]:
        explain(last, solution_path)


def explain(part, solution_path):
    print(f"{solution_path} lacks these lines of the starter, which belong to no TODO(you):", *part, sep="\n")
    sys.exit(1)


def staged(tests, list_of_known):
    folder, known = pathlib.Path(tests), lines_of(list_of_known)
    found = {str(path.relative_to(folder).with_suffix("")) for kind in ("wrong", "right")
             for path in folder.glob(f"{kind}/*/*")}
    if found != set(known):
        changes = ", ".join(sorted(found ^ set(known)))
        sys.exit(f"not as configured, or of no chapter: {changes}; run: meson setup --reconfigure build")
    for kind, verb in (("wrong", "must be rejected"), ("right", "must be accepted")):
        chapters = collections.Counter(name.split("/")[1] for name in known if name.startswith(kind))
        each = ", ".join(f"{count} of {chapter}" for chapter, count in sorted(chapters.items()))
        print(f"{sum(chapters.values())} {kind} kernels {verb}, a test each: {each}")


if __name__ == "__main__":
    commands = {"starter": starter, "todo": todo, "wrong": wrong, "right": right, "stretch": stretch, "staged": staged}
    command, *given = command_line.arguments("starter|wrong|right TEST_PROGRAM KERNELS", "todo STARTER SOLUTION",
                                               "stretch TEST_PROGRAM [TEST_PROGRAM…]", "staged TESTS_DIR LIST")
    commands[command](*given)
# SPDX-License-Identifier: MIT
