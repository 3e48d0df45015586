#!/usr/bin/env python3
"""The tools in Python answer wrong arguments, missing programs and lost output in one line. Suite `build`.

tools_test.py SOURCE_DIR
"""
import concurrent.futures
import os
import pathlib
import re
import signal
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "common"))
import command_line

# Command line, exit status, a part of the only line of complaint.
CASES = [
    ("common/progress.py", 2, "expected: progress.py -- TEST_PROGRAM…"),
    ("common/progress.py --", 2, "expected:"),
    ("common/progress.py --no-such-option", 2, "expected:"),
    ("common/tour.py", 2, "expected: tour.py [--timings] -- PROGRAM…"),
    ("common/tour.py --timings", 2, "expected:"),
    ("common/tour.py --no-such-option /bin/true", 2, "expected:"),
    ("common/measure.py", 2, "expected: measure.py timings|"),
    ("common/measure.py no_such_thing build file.json", 2, "expected:"),
    ("common/measure.py registers build", 2, "expected:"),
    ("common/unroll_ptx.py", 2, "expected: unroll_ptx.py write|"),
    ("common/unroll_ptx.py loop book/data/unroll_ptx.json", 2, "expected:"),
    ("common/unroll_ptx.py table /nowhere/file.json clang", 1, "/nowhere/file.json: No such file or directory"),
    ("common/unroll_ptx.py table README.md clang", 1, "expected JSON"),
    ("common/unroll_ptx.py table book/data/unroll_ptx.json icc", 1, "icc: no compiler of"),
    ("common/unroll_ptx.py loop book/data/unroll_ptx.json clang no_such_kernel", 1, "no kernel with a loop; those are"),
    ("common/unroll_ptx.py check book/data/unroll_ptx.json /nowhere/simcc", 1, "/nowhere/simcc: No such file or directory"),
    ("book/generate.py", 2, "expected: generate.py [--check | --page NN_topic] BUILD_DIR"),
    ("book/generate.py --page 99_none /nowhere", 1, "there is no chapter 99_none; there are 01_global_memory,"),
    ("book/generate.py --no-such-option build", 2, "expected:"),
    ("book/generate.py --check", 2, "expected:"),
    ("book/generate.py /nowhere", 1, "is missing: ninja -C /nowhere"),
    ("common/new_chapter.py", 2, "expected: new_chapter.py NN_topic"),
    ("common/new_chapter.py softmax", 2, "softmax: a chapter is called NN_topic"),
    ("tests/stage_kernels.py", 2, "expected: stage_kernels.py TESTS_DIR"),
    ("tests/stage_kernels.py tests solutions build", 2, "expected:"),
    ("tests/stage_kernels.py tests solutions build no_such_chapter", 1, "no_such_chapter: no such folder"),
]
WITH_HELP = ["common/progress.py", "common/tour.py", "common/measure.py", "common/unroll_ptx.py", "book/generate.py",
             "common/new_chapter.py", "tests/stage_kernels.py"]

NEED_NOTHING = ["claims_test.py"]


def run(source, command, **streams):
    return subprocess.run([sys.executable, *command.split()], cwd=source, text=True, check=False,
                          **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **streams})


def main():
    (source,), failed = command_line.arguments("SOURCE_DIR"), []
    for command, status, part in CASES:
        done = run(source, command)
        lines = done.stderr.splitlines()
        if done.returncode != status or len(lines) != 1 or part not in lines[0] or done.stdout:
            failed.append(f"{command}: exit status {done.returncode}, expected {status} and: {part}\n{done.stdout}{done.stderr}")
    scripts = [path for folder in ("book", "common", "tests") for path in pathlib.Path(source, folder).rglob("*.py")
               if "command_line.arguments(" in path.read_text(encoding="utf-8")]
    if len(scripts) < 20:
        failed.append(f"only {len(scripts)} scripts read their command line as the others do")
    commands = [(script, more) for script in scripts for more in ("", " --no-such-option", " /nowhere" * 9)
                if more or script.name not in NEED_NOTHING]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for (script, more), done in zip(commands, pool.map(lambda each: run(source, str(each[0].relative_to(source)) + each[1]),
                                                           commands)):
            if done.returncode not in (1, 2) or done.stdout or not re.fullmatch(
                    rf"{script.name}: (expected: {script.name} .*|/nowhere: no such \w+)\n", done.stderr):
                failed.append(f"{script}{more}: exit status {done.returncode}, expected one line\n{done.stdout}{done.stderr}")
    for tool in WITH_HELP:
        done = run(source, tool + " --help")
        if done.returncode or done.stderr or os.path.basename(tool) not in done.stdout + tool:
            failed.append(f"{tool} --help: exit status {done.returncode}\n{done.stderr}")
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = run(source, "common/tour.py --help", stdout=full)
    if done.returncode != 1 or done.stderr != "tour.py: standard output: No space left on device\n":
        failed.append(f"a full disk: exit status {done.returncode}\n{done.stderr}")
    done = run(source, "common/tour.py --help", stdout=None, preexec_fn=lambda: os.close(1))
    if done.returncode != 1 or done.stderr != "tour.py: standard output: Bad file descriptor\n":
        failed.append(f"a closed standard output: exit status {done.returncode}\n{done.stderr}")
    reader, writer = os.pipe()
    os.close(reader)
    done = run(source, "common/tour.py --help", stdout=writer)
    os.close(writer)
    if done.returncode != -signal.SIGPIPE or done.stderr:
        failed.append(f"a closed pipe: exit status {done.returncode}\n{done.stderr}")
    sys.exit("\n".join(failed) or 0)


if __name__ == "__main__":
    main()
# SPDX-License-Identifier: MIT
