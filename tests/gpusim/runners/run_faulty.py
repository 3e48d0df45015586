#!/usr/bin/env python3
"""Compiles a program with one planted fault, and its right twin (-DFIXED), and compares what the checks find.

usage: run_faulty.py SIMCC PROGRAM.cu [simcc options…]

  // expect-finding: NAME LINE…           the check and where: each finding must show at one of these lines
  // expect-finding: NAME LINE… warning   the same for a warning
  // expect-finding: NAME LINE… maybe     which comes under some schedules only
  // expect-first: NAME                   the check whose finding is told first
  // expect-text: TEXT                    a part of standard error
  // environment: NAME=VALUE              set for the program
  // needs: LIBRARY…                      skipped where none of these shared libraries is installed

Both run under every schedule. The faulty one must report all findings that are expected and no others; its
exit status is 0 if they are warnings only. The twin must report nothing and exit with status 0.

Then both run as they do where nobody has set GPUSIM_CHECK: of the checks' errors the faulty one must report one that is
expected, and no second one. The twin must be silent again.
"""
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "common"))
import command_line
from run_program import skip_without

TIMEOUT_S = 60
SAMPLED = ["race", "never written", "barrier", "shuffle", "out of bounds"]  # what is checked by default
SCHEDULES = ["lockstep", "ascending", "descending"]

EXPECTATION = re.compile(r"(?P<check>[a-z ]+?)(?P<lines>( \d+)*)(?P<kind> warning| maybe)?$")
# file:12:3: race: … (the other access: file:10:3) …, or without a place: gpusim: warning: leak: …
FINDING = re.compile(r"(gpusim: )?((?P<file>[^ :][^:]*):(?P<line>\d+):(\d+:)? )?"
                     r"(?P<warning>warning: )?(?P<check>(?!gpusim:)[a-z][a-z0-9 ]*): ")
OTHER_PLACE = re.compile(r"\(the other [a-z]+: [^:()]*:(\d+)")


def read_expectations(path):
    findings, texts, first, environment = [], [], None, {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            match = re.match(r"// (expect-finding|expect-first|expect-text|environment|needs): (.*)\n$", line)
            if not match:
                break
            if match.group(1) == "expect-text":
                texts.append(match.group(2))
            elif match.group(1) == "expect-first":
                first = match.group(2)
            elif match.group(1) == "needs":
                skip_without(match.group(2).split())
            elif match.group(1) == "environment":
                name, value = match.group(2).split("=", 1)
                environment[name] = value
            else:
                wanted = EXPECTATION.match(match.group(2))
                if not wanted:
                    sys.exit(f"{path}: not understood: {line.strip()}")
                findings.append((wanted["check"], {int(n) for n in wanted["lines"].split()}, wanted["kind"]))
    if not findings:
        sys.exit(f"{path}: no '// expect-finding:' line at its top")
    return findings, texts, first, environment


def read_findings(stderr):
    """(check, lines, is it a warning) of each message. The source quoted below one begins with spaces."""
    found = []
    for text in stderr.splitlines():
        match = FINDING.match(text)
        if match:
            lines = {int(n) for n in OTHER_PLACE.findall(text) + [match["line"]] if n}
            found.append((match["check"], lines, bool(match["warning"])))
    return found


def is_expected(found, wanted):
    check, lines, kind = wanted
    return (found[0].startswith(check) and found[2] == (kind == " warning") and
            (not lines and not found[1] or bool(lines & found[1])))


def run(executable, environment):
    environment = {**{name: value for name, value in os.environ.items() if not name.startswith("GPUSIM_")}, **environment}
    try:
        return subprocess.run([executable], check=False, capture_output=True, text=True, timeout=TIMEOUT_S,
                              env=environment)
    except subprocess.TimeoutExpired:
        sys.exit(f"{executable}: still running after {TIMEOUT_S} s, {environment}")


def problems_of_fault(ran, wanted, texts, first):
    found = read_findings(ran.stderr)
    problems = [f"not reported: {w}" for w in wanted
                if w[2] != " maybe" and not any(is_expected(f, w) for f in found)]
    problems += [f"reported, not expected: {f}" for f in found if not any(is_expected(f, w) for w in wanted)]
    problems += [f"standard error lacks: {text}" for text in texts if text not in ran.stderr]
    if first and (not found or found[0][0] != first):
        problems.append(f"told first: {found[0] if found else 'nothing'}, expected {first}")
    is_error = any(kind != " warning" for _, _, kind in wanted)
    if (ran.returncode != 0) != is_error:
        problems.append(f"exit code {ran.returncode}, expected {'another than 0' if is_error else '0'}")
    if ran.returncode < 0:
        problems.append(f"ended by signal {-ran.returncode}")
    return problems


def problems_of_default(ran, wanted, environment):
    """Several GPUs are checked only where somebody asks for it."""
    found = [f for f in read_findings(ran.stderr) if any(f[0].startswith(check) for check in SAMPLED)]
    errors = [w for w in wanted if w[0] in SAMPLED and not w[2]]
    if "GPUSIM_DEVICES" in environment or not errors:
        return [f"reported, not expected: {f}" for f in found if not any(is_expected(f, w) for w in wanted)]
    problems = [f"{len(found)} findings, expected the first one"] if len(found) != 1 else []
    return problems + [f"reported, not expected: {f}" for f in found if not any(is_expected(f, w) for w in errors)]


def problems_of_twin(ran):
    problems = ["reports something"] if ran.stderr else []
    return problems + ([f"exit code {ran.returncode}, expected 0"] if ran.returncode != 0 else [])


def main():
    simcc, program, *options = command_line.arguments("SIMCC PROGRAM.CU [OPTION…]")
    wanted, texts, first, environment = read_expectations(program)
    failed = False
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))  # ^C in Meson: the folder goes, too
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TMPDIR"] = folder  # what simcc leaves when it is killed
        for twin in [False, True]:
            executable = os.path.join(folder, "fixed" if twin else "faulty")
            define = ["-DFIXED"] if twin else []
            compiled = subprocess.run([simcc, *options, *define, program, "-o", executable], check=False)
            if compiled.returncode != 0:
                sys.exit(f"{program}: does not compile {' '.join(define)} (exit code {compiled.returncode})")
            for schedule in [*SCHEDULES, None]:
                if schedule:
                    ran = run(executable, {"GPUSIM_CHECK": "all", "GPUSIM_SCHEDULE": schedule, **environment})
                    problems = problems_of_twin(ran) if twin else problems_of_fault(ran, wanted, texts, first)
                else:
                    ran = run(executable, environment)
                    problems = problems_of_twin(ran) if twin else problems_of_default(ran, wanted, environment)
                if problems:
                    failed = True
                    print(f"{program}, {'right twin' if twin else 'faulty'}, {schedule or 'no GPUSIM_CHECK'}:", *problems,
                          "standard error:", ran.stderr, sep="\n", file=sys.stderr)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
# SPDX-License-Identifier: MIT
