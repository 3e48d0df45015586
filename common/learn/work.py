"""How much work a build is, and how much of it is left: in seconds of one processor, not in files."""
import os
import re
import subprocess
import time

# Seconds that a step takes on a processor of 2023, by words of what ninja says of it: the first row that fits. If the
# file has been built here before, ninja's log knows better.
SECONDS = (
    ("lane_ops_", 22.0), ("gpusim_hot.a.p/meson", 7.5), ("gpusim_cold.a.p/meson", 4.5), ("gpusim_libraries.a.p/meson", 7.0),
    ("libharness_programs.a.p/", 6.0), ("libharness.a.p/", 2.2), ("libharness_sim.a.p/meson", 2.2), ("judge.cpp", 4.5),
    ("outcome.cpp", 4.5),
    ("Compiling C++ object tests/chapters/", 1.5), ("Precompiling", 2.7), ("Linking static", 0.05), ("Linking", 0.1),
    (".pch", 1.5), ("shapes.o", 12.0), ("changes.o", 10.0), ("sweep.o", 6.0), ("13_gemm.p/main.o", 6.0), ("custom command", 0.2),
    (".o", 1.0),
)
UNKNOWN = 1.0
LEARNED = 20.0  # seconds after which the pace of this machine counts as much as the one that is assumed
PARTS = (  # what a step belongs to, by words of what ninja says of it
    ("common/gpusim/", "the simulated GPU"), ("common/harness/", "what all programs share"), ("tests/chapters/", "the judge"),
    ("chapters/", "the chapters' programs"), ("solutions/", "the solved programs"), ("common/playground/", "the playground"))
OUTPUT = re.compile(r"(?:[\w.+-]+/)+[\w.+-]+")


def read_log(build):
    """How many seconds each file took when it was last built here, from ninja's log."""
    seconds = {}
    try:
        with open(build / ".ninja_log", encoding="utf-8", errors="replace") as lines:
            for line in lines:
                fields = line.split("\t")
                if len(fields) == 5 and fields[0].isdecimal() and fields[1].isdecimal():
                    seconds[fields[3]] = (int(fields[1]) - int(fields[0])) / 1000
    except OSError:  # nothing has been built
        pass
    return seconds


def seconds_of(step, log):
    """What a step costs; `step` is what ninja says when it is done."""
    for output in OUTPUT.findall(step):
        if output in log:
            return log[output]
    return next((seconds for words, seconds in SECONDS if words in step), UNKNOWN)


def part_of(step):
    return next((part for words, part in PARTS if words in step), None)


def planned(ninja, build, targets):
    """The steps that ninja has to do, in its words.

    Another ninja may be building at the same time. Even with -n, ninja reads the depfile of a step and then removes it, so the
    other one would find none, and never again notice an edit of a header. Hence keepdepfile.
    """
    command = [ninja, "-C", str(build), "-d", "keepdepfile", "-n", *targets]
    done = subprocess.run(command, env=os.environ | {"NINJA_STATUS": "[%f/%t] "}, text=True, capture_output=True,
                          errors="replace", check=False)
    return [line.split("] ", 1)[1] for line in done.stdout.splitlines() if line.startswith("[") and "] " in line]


class Work:
    """A build under way. `now` is a clock in seconds."""

    def __init__(self, steps, log, jobs, now=time.monotonic):
        self.now, self.jobs = now, jobs
        self.left = {step: seconds_of(step, log) for step in steps}
        self.total, self.done, self.shown = sum(self.left.values()), 0.0, 0.0
        self.begun = self.last = now()
        self.part = next(filter(None, map(part_of, steps)), None)

    def finish(self, step):
        seconds = self.left.pop(step, None)
        if seconds is None:  # it was not planned, or was done before the plan was made
            return
        self.done += seconds
        self.last = self.now()
        self.part = next(filter(None, map(part_of, self.left)), self.part)

    def pace(self):
        """Seconds of work in a second: as many as there are jobs, until this build has shown its own."""
        elapsed = self.last - self.begun
        return (self.done + self.jobs * LEARNED) / (elapsed + LEARNED)

    def done_by_now(self):
        """The work that is done, with a guess for the steps under way: they run at the build's pace, and are not done."""
        running = min(self.pace() * (self.now() - self.last), 0.9 * sum(sorted(self.left.values())[-self.jobs:]))
        self.shown = max(self.shown, self.done + running)  # what was guessed too high stays until the work has caught up
        return self.shown

    def fraction(self):
        return self.done_by_now() / self.total if self.total else 0.0

    def seconds_left(self):
        """Not less than the longest step that is left, which no second processor shortens."""
        waited = self.now() - self.last
        longest = max(self.left.values(), default=0.0) - waited * self.pace() / self.jobs
        return max((self.total - self.done_by_now()) / self.pace(), longest * self.jobs / self.pace(), 0.0)

    def text(self):
        return f"building {self.part or 'what is needed'}: {100 * self.fraction():.0f} %, {duration(self.seconds_left())} left"


def duration(seconds):
    """In words, as roughly as it is known."""
    if seconds < 5:
        return "a few seconds"
    if seconds < 90:
        return f"about {round(seconds / 5) * 5:.0f} s"
    return f"about {seconds / 60:.0f} minutes"
# SPDX-License-Identifier: MIT
