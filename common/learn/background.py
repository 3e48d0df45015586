"""Builds in the background what a learner will want later: first the judge that comes next, then everything that is run by hand.

python3 -m learn.background BUILD FIRST TARGET…

It runs at low priority, one step at a time once FIRST is built, and gives way: `learn` ends it before it builds something else,
and it ends its own ninja as soon as another one opens build.ninja. That one needs 40 ms to read it; later, both would write the
same files. There is at most one; a next command starts it again.
"""
import os
import pathlib
import subprocess
import sys
import time

from learn import build_lock, processes
from learn.opens import Opens
from learn.work import Work, planned, read_log

MARK = ".learn-built"  # a file in the build folder: everything that a learner runs by hand has been built
LOG = ".learn-background.log"
LOOKS = 0.3  # seconds between two looks for another ninja, where nothing tells that build.ninja is opened


def is_needed(place):
    return not (place.build / MARK).exists() and (place.build / "build.ninja").exists() and bool(processes.ninja())


def start(place, chapter):
    """Starts it, unless everything is built. It outlives this command, and ends at once if somebody builds already."""
    if not is_needed(place):
        return False
    targets = [place.judge_of(chapter), place.program_of(chapter), *map(place.judge_of, place.chapters), "steps"]
    try:
        done = subprocess.run([sys.executable, "-m", build_lock.MODULE, str(place.build), *targets], cwd=place.source / "common",
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    except OSError:  # no more processes: then everything is built when it is wanted
        return False
    return done.returncode == 0


def other_ninjas(build, mine=None):
    """Whether a ninja that is not ours runs in the build folder. A step that ours begins has ninja's name until its program is
    loaded, which takes a while at low priority on a busy machine: it is ours as well."""
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            name, _, fields = (process / "stat").read_text(encoding="utf-8").partition("(")[2].rpartition(")")
            if name in ("ninja", "ninja-build", "samu") and mine not in (int(process.name), int(fields.split()[1])) and \
                    os.path.samefile(process / "cwd", build):
                return True
        except OSError:  # it has ended, or belongs to somebody else
            continue
    return False


def build(folder, lock, targets, jobs, log):
    """ninja's exit status; None if it gave way to another ninja."""
    ninja = processes.ninja()
    work = Work(planned(ninja, folder, targets), read_log(folder), jobs)
    looked = 0.0
    opens = Opens(folder / "build.ninja")

    def on_tick(process):
        nonlocal looked
        lock.say(work.text())
        if opens.take() or time.monotonic() - looked > LOOKS:
            looked = time.monotonic()
            if other_ninjas(folder, process.pid):
                raise processes.Superseded

    def on_line(line):
        print(line, file=log, flush=True)
        if line.startswith("["):
            work.finish(line.split("] ", 1)[-1])

    try:
        return processes.run([ninja, "-C", str(folder), "-j", str(jobs), "-k", "0", *targets], on_line=on_line, on_tick=on_tick,
                             wake=opens.descriptors(), env=os.environ | {"NINJA_STATUS": "[%f/%t] "}, pass_fds=[lock.descriptor])
    except processes.Superseded:
        return None
    finally:
        opens.close()


def run(folder, lock, first, targets):
    with open(folder / LOG, "w", encoding="utf-8") as log:
        for wanted, jobs in ([first], len(os.sched_getaffinity(0))), (targets, 1):
            lock.holder["targets"] = wanted
            while True:
                while other_ninjas(folder):
                    time.sleep(LOOKS)
                status = build(folder, lock, wanted, jobs, log)
                if status is not None:
                    break
        if status == 0:
            (folder / MARK).touch()


def main(folder, first, *targets):
    folder = pathlib.Path(folder)
    if os.fork():  # the command that has started this does not wait, and whoever adopts this process takes note of its end
        return 0
    os.setsid()
    lock = build_lock.take_if_free(folder, [first], in_background=True)
    if lock is None:
        return 0
    os.nice(19)
    processes.raise_on_signals()
    try:
        run(folder, lock, first, list(targets))
    except processes.Terminated:
        pass
    finally:
        lock.release()
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
# SPDX-License-Identifier: MIT
