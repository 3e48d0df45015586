"""Builds with ninja what a command needs, and shows the compiler's messages without those of the build tool."""
import contextlib
import fcntl
import os
import re
import shutil

from learn import processes

STATUS = re.compile(r"^\[(\d+)/(\d+)\] ")
NOISE = ("FAILED: ", "ninja: ", "[", "samu: ")
CHECKER = "common/gpusim/gpusim_ptxcheck"
MANY = 6  # steps, from which on a bar shows progress; a judge after an edit takes two or three
MARK = ".learn-built"  # a file in the build folder: everything that a learner runs by hand has been built


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


@contextlib.contextmanager
def alone(place):
    """Holds a lock on the build folder, because two ninjas there would write the same files."""
    with open(place.build / ".learn-lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def build(place, targets, is_stale=None):
    """Builds the targets. A build of many steps, as after a pull, shows its progress."""
    try:
        with alone(place), contextlib.ExitStack() as shown:
            ninja(place, targets, is_stale, stepper(place.screen, shown))
    except Failed:
        # The compiler calls a tool that ninja does not list as its dependency: after a pull it may be out of date.
        if not place.is_simulated or not is_renewed(place, CHECKER):
            raise
        with alone(place):
            ninja(place, targets, is_stale)


def build_quietly(place, targets, is_stale=None):
    """Builds the targets and shows nothing, not even a failure: they can be built later."""
    with contextlib.suppress(Failed, processes.Superseded), alone(place):
        ninja(place, targets, is_stale)


def stepper(screen, shown):
    """A function to call with the number of steps done and of all steps. If there are many, it opens a bar on the screen."""
    bars = []

    def on_step(done, total):
        if screen and total >= MANY and not bars:
            bars.append(shown.enter_context(screen.progress(f"building {total} files")))
        if bars and bars[0]:
            bars[0](done, total)
    return on_step


def is_renewed(place, target):
    lines = []
    try:
        with alone(place):
            ninja(place, [target], on_line=lines.append)
    except Failed:
        return False
    return not any("no work to do" in line for line in lines)


def ninja(place, targets, is_stale=None, on_step=None, on_line=None):
    """Runs ninja; raises Failed with the compiler's messages."""
    program = shutil.which("ninja") or shutil.which("ninja-build")
    if not program:
        raise Failed(["ninja not found; get it with: sh common/bootstrap.sh"])
    lines = []

    def take(line):
        lines.append(line)
        if on_line:
            on_line(line)
        found = STATUS.match(line)
        if found and on_step:
            on_step(int(found.group(1)), int(found.group(2)))
        if is_stale and is_stale():
            raise processes.Superseded

    environment = os.environ | {"NINJA_STATUS": "[%f/%t] "}
    status = processes.run([program, "-C", str(place.build), *targets], on_line=take, env=environment)
    if status:
        raise Failed(said_by_compiler(lines))


def build_first(place, screen):
    """Builds, on the first run, every program that a learner runs by hand, and the judges."""
    mark = place.build / MARK
    if mark.exists():
        return
    screen.line("The first run builds what you will run by hand, once. This takes a minute or two.", "dim")
    build(place, ["steps", *map(place.judge_of, place.chapters)])
    mark.touch()
# SPDX-License-Identifier: MIT
