"""Builds what a test needs when the test runs, then runs it.

built.py NINJA BUILD all TARGET
built.py NINJA BUILD TARGET… -- COMMAND…

Meson 1.7.0 to 1.9.1 builds what *all* tests need before it runs the first, and Debian 13 has 1.7.0: for a learner's
`meson test` these would be 1,600 programs of tests that do not run. So tests of other suites than the learner's name their
programs by path, and are built here. Where these are many, a test of its own builds `all` of them first, two at a time; the
others then see that in this run of `meson test` there is nothing left to do.
"""
import os
import pathlib
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "common"))
from learn import build_lock


def this_run():
    """What is different in each run of `meson test`: the process that started this one, and when it began."""
    parent = os.getppid()
    try:
        began = pathlib.Path(f"/proc/{parent}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[19]
    except OSError:  # no Linux: no run is known to be this one
        began = f"unknown, {os.getpid()}"
    return f"{parent} {began}\n"


def build_targets(ninja, build, targets, *options):
    """Exit status. What the compilers said is printed only if they failed."""
    with build_lock.held(build, targets):  # build/learn's: two Ninjas write the same files
        done = subprocess.run([ninja, "-C", build, *options, *targets], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, errors="replace", check=False)
    if done.returncode:
        print(done.stdout, end="")
    return done.returncode


def main(ninja, build, *arguments):
    build = pathlib.Path(build)
    mark = build / ".built-for-tests"
    if arguments[0] == "all":
        mark.unlink(missing_ok=True)
        failed = build_targets(ninja, build, arguments[1:], "-k", "0")
        if not failed:
            mark.write_text(this_run(), encoding="utf-8")
        return failed
    at = arguments.index("--")
    targets, command = arguments[:at], arguments[at + 1:]
    names = [os.path.relpath(target, build) if os.path.isabs(target) else target for target in targets]
    all_built = mark.exists() and mark.read_text(encoding="utf-8") == this_run()
    if not (all_built and all((build / name).exists() for name in names)):
        if failed := build_targets(ninja, build, names):
            return failed
    os.execv(command[0], command)
    return 1  # never reached


if __name__ == "__main__":
    if len(sys.argv) < 5 or (sys.argv[3] != "all" and "--" not in sys.argv):
        sys.exit(f"usage: {' or '.join(__doc__.splitlines()[2:4])}")
    sys.exit(main(*sys.argv[1:]))
# SPDX-License-Identifier: MIT
