#!/usr/bin/env python3
"""Compiles a program with one planted fault, and its right twin (-DFIXED), and compares what the checks find. Then follows
the advice of the findings, and looks whether they are gone.

usage: run_faulty.py SIMCC PROGRAM.cu [simcc options…]

  // expect-finding: NAME LINE…           the check and where: each finding must show at one of these lines
  // expect-finding: NAME LINE… warning   the same for a warning
  // expect-finding: NAME LINE… maybe     which comes under some schedules only
  // expect-first: NAME                   the check whose finding is told first
  // expect-text: TEXT                    a part of standard error
  // advice: TEXT                         what a finding advises, as the right twin does it: one alternative of its words
  // advice: (ADVISED) TEXT               the same where the twin does something else: -DADVISED follows it to the letter;
                                          other alternatives may have variants of their own: ADVISED_ATOMIC
  // environment: NAME=VALUE              set for the program
  // needs: LIBRARY…                      skipped where none of these shared libraries is installed

Both run under every schedule. The faulty one must report all findings that are expected and no others; its
exit status is 0 if they are warnings only. The twin must report nothing and exit with status 0, and so must each variant
that follows an advice.

Each clause of a finding that gives advice (advice.py says which) needs an '// advice:' line, and each alternative of it one
in some program of the folder. A line whose words no finding advises is an error as well.

Then all of them run as they do where nobody has set GPUSIM_CHECK: of the checks' errors the faulty one must report one that is
expected, and no second one. The others must be silent again.
"""
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "common"))
import advice
import command_line
from run_program import skip_without

TIMEOUT_S = 60
SAMPLED = ["race", "never written", "barrier", "shuffle", "out of bounds", "division"]  # what is checked by default
SCHEDULES = ["lockstep", "ascending", "descending"]

EXPECTATION = re.compile(r"(?P<check>[a-z ]+?)(?P<lines>( \d+)*)(?P<kind> warning| maybe)?$")
# file:12:3: race: … (the other access: file:10:3) …, or without a place: gpusim: warning: leak: …
FINDING = re.compile(r"(gpusim: )?((?P<file>[^ :][^:]*):(?P<line>\d+):(\d+:)? )?"
                     r"(?P<warning>warning: )?(?P<check>(?!gpusim:)[a-z][a-z0-9 ]*): ")
OTHER_PLACE = re.compile(r"\(the other [a-z]+: [^:()]*:(\d+)")


def read_expectations(path):
    findings, texts, first, environment, advised = [], [], None, {}, []
    with open(path, encoding="utf-8") as file:
        for line in file:
            if followed := advice.read_head_line(line):
                advised.append(followed)
                continue
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
    return findings, texts, first, environment, advised


def read_findings(stderr):
    """(check, lines, is it a warning) of each finding. The source quoted below one begins with spaces."""
    found = []
    for text in stderr.splitlines():
        match = FINDING.match(text)
        if match:
            lines = {int(n) for n in OTHER_PLACE.findall(text) + [match["line"]] if n}
            found.append((match["check"], lines, bool(match["warning"])))
    return found


def read_messages(stderr):
    """The words of each finding, behind its place and the name of its check."""
    return [text[match.end():] for text in stderr.splitlines() if (match := FINDING.match(text))]


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


def compile_variant(simcc, options, program, macro, folder):
    executable = os.path.join(folder, macro or "faulty")
    define = [f"-D{macro}"] if macro else []
    compiled = subprocess.run([simcc, *options, *define, program, "-o", executable], check=False)
    if compiled.returncode != 0:
        sys.exit(f"{program}: does not compile {' '.join(define)} (exit code {compiled.returncode})")
    return executable


def main():
    simcc, program, *options = command_line.arguments("SIMCC PROGRAM.CU [OPTION…]")
    wanted, texts, first, environment, advised = read_expectations(program)
    failed, messages = False, set()

    def tell(title, problems, *more):
        nonlocal failed
        failed |= bool(problems)
        if problems:
            print(f"{program}, {title}:", *problems, *more, sep="\n", file=sys.stderr)

    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))  # ^C in Meson: the folder goes, too
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TMPDIR"] = folder  # what simcc leaves when it is killed
        for macro in dict.fromkeys([None, "FIXED", *(variant for variant, _ in advised)]):
            executable = compile_variant(simcc, options, program, macro, folder)
            for schedule in [*SCHEDULES, None]:
                checked = {"GPUSIM_CHECK": "all", "GPUSIM_SCHEDULE": schedule} if schedule else {}
                ran = run(executable, {**checked, **environment})
                if macro:
                    problems = problems_of_twin(ran)
                elif schedule:
                    messages.update(read_messages(ran.stderr))
                    problems = problems_of_fault(ran, wanted, texts, first)
                else:
                    problems = problems_of_default(ran, wanted, environment)
                title = {None: "faulty", "FIXED": "right twin"}.get(macro, macro)
                tell(f"{title}, {schedule or 'no GPUSIM_CHECK'}", problems, "standard error:", ran.stderr)
    tell("advice", advice.problems(messages, [text for _, text in advised], advice.texts_of_folder(program)))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
# SPDX-License-Identifier: MIT
