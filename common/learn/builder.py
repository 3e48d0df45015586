"""Builds with ninja what a command needs, and shows the compiler's messages without those of the build tool."""
import contextlib
import os
import re
import time

from learn import build_lock, processes
from learn.work import Work, planned, read_log

STATUS = re.compile(r"^\[(\d+)/(\d+)\] ")
NOISE = ("FAILED: ", "ninja: ", "[", "samu: ")
CHECKER = "common/gpusim/gpusim_ptxcheck"
MOMENT = 1.5  # seconds after which a build or waiting for one shows how far it is
LITTLE = 4.0  # seconds of work that are not worth a bar: a judge after an edit takes less


class Failed(Exception):
    """The build failed; `lines` are the compiler's messages."""

    def __init__(self, lines):
        super().__init__(lines[0] if lines else "the build failed")
        self.lines = lines


def said_by_compiler(lines):
    """The compiler's lines: without ninja's own, and without the command that follows each FAILED."""
    kept, skip = [], False
    for line in lines:
        if skip:
            skip = False
        elif line.startswith("FAILED: "):
            skip = True
        elif not line.startswith(NOISE):
            kept.append(line)
    return kept or [line for line in lines if line.startswith("ninja: ")] or lines[-1:]


def build(place, targets, is_stale=None):
    """Builds the targets. What takes longer than a moment shows how far it is, and so does waiting for another build."""
    with showing(place.screen) as show:
        try:
            ninja(place, targets, is_stale, show)
        except Failed:
            # The compiler calls a tool that ninja does not list as its dependency: after a pull it may be out of date.
            if not place.is_simulated or not is_renewed(place, CHECKER):
                raise
            ninja(place, targets, is_stale, show)


def build_judge(place, judge, kernels, is_stale=None):
    """Builds a judge. If it is older than the file that it judges, ninja has lost sight of what it is made of. Then its objects
    are made anew."""
    build(place, [judge], is_stale)
    program = place.build / judge
    with contextlib.suppress(FileNotFoundError):
        if program.stat().st_mtime >= kernels.stat().st_mtime:
            return
        for made in program.with_name(program.name + ".p").glob("*.o"):
            made.unlink()
        build(place, [judge], is_stale)


def build_quietly(place, targets, is_stale=None):
    """Builds the targets and shows nothing, not even a failure: they can be built later."""
    with contextlib.suppress(Failed, processes.Superseded):
        ninja(place, targets, is_stale)


@contextlib.contextmanager
def showing(screen):
    """A function to call with a text and a fraction from 0 to 1. The first call opens a bar on the screen."""
    with contextlib.ExitStack() as opened:
        bars = []

        def show(text, fraction=None):
            if not bars and screen:
                bars.append(opened.enter_context(screen.progress()))
            if bars:
                bars[0](text, fraction)
        yield show


def is_renewed(place, target):
    lines = []
    try:
        ninja(place, [target], on_line=lines.append)
    except Failed:
        return False
    return not any("no work to do" in line for line in lines)


def ninja(place, targets, is_stale=None, show=None, on_line=None):
    """Runs ninja, when no other command does in this build folder; raises Failed with the compiler's messages."""
    program = processes.ninja()
    if not program:
        raise Failed(["ninja not found; get it with: sh common/bootstrap.sh"])
    begun = time.monotonic()
    lines, work = [], None

    def check():
        if is_stale and is_stale():
            raise processes.Superseded

    def on_wait(holder):
        check()
        if show and time.monotonic() - begun > MOMENT:
            show(build_lock.waiting_for(holder))

    def take(line):
        lines.append(line)
        if on_line:
            on_line(line)
        found = STATUS.match(line)
        if found and work:
            work.finish(line[found.end():])

    with build_lock.held(place.build, targets, on_wait) as lock:
        started = time.monotonic()

        def on_tick(_process):
            nonlocal work
            check()
            if show and time.monotonic() - started > MOMENT:
                work = work or Work(planned(program, place.build, targets), read_log(place.build), len(os.sched_getaffinity(0)))
                lock.say(work.text())
                if work.total > LITTLE:
                    show(work.text(), work.fraction())

        status = processes.run([program, "-C", str(place.build), *targets], on_line=take, on_tick=on_tick,
                               env=os.environ | {"NINJA_STATUS": "[%f/%t] "}, pass_fds=[lock.descriptor])
    if status:
        raise Failed(said_by_compiler(lines))
# SPDX-License-Identifier: MIT
