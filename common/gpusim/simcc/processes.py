"""The compilers that simcc runs: starts them, passes on what they say, and ends them when a signal ends simcc."""
import os
import re
import shlex
import signal
import subprocess
import sys
import threading

from simcc.files import says_lost
from simcc.ignored import without_ignored
from simcc.messages import explain, foreign
from simcc.options import fail

# Where clang ends as by a crash, which it does on a full disk, it would leave two files for the names of its functions.
WITHOUT_FILES_OF_A_CRASH = {"LLVM_DISABLE_SYMBOLIZATION": "1"}


class StalePch(Exception):
    """clang has been upgraded, or a header has changed: the precompiled one no longer fits."""


class Stopped(Exception):
    """A signal asks for an end: ^C, or what closes a terminal or a job."""


class Children:
    """The compilers that run now. A signal ends them; then simcc removes its files and ends as the signal wants."""

    def __init__(self):
        self.lock, self.running, self.signal = threading.Lock(), set(), None
        self.environment = os.environ | WITHOUT_FILES_OF_A_CRASH
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) != signal.SIG_IGN:
                signal.signal(number, self.stop)

    def stop(self, number, _):
        first, self.signal = self.signal is None, number
        for child in list(self.running):
            child.terminate()
        if first:
            raise Stopped

    def start(self, command):
        with self.lock:
            if self.signal is not None:
                raise Stopped
            try:
                child = subprocess.Popen(command, stderr=subprocess.PIPE, encoding="utf-8", errors="surrogateescape",
                                         env=self.environment)
            except OSError as error:
                fail(f"{command[0]}: {error.strerror}")
            self.running.add(child)
        if self.signal is not None:
            child.terminate()
        return child

    def end(self, child):
        """Exit status and standard error of a command that was started."""
        try:
            messages = child.communicate()[1]
            return child.returncode, messages
        finally:
            child.wait()
            self.running.discard(child)

    def drop(self, child):
        """Ends a command whose result is no longer needed."""
        child.terminate()
        self.end(child)


children = None  # of this run of simcc: driver.main() makes it


def announce(command, job):
    if job.verbose or job.dry_run:
        print(shlex.join(command), file=sys.stderr)


def run(command, job, heard=None):
    """Runs a command and returns its exit status. Passes on what clang says, and adds it to `heard`, if given."""
    announce(command, job)
    return 0 if job.dry_run else told(command, *children.end(children.start(command)), heard)


def told(command, status, messages, heard=None):
    """Passes on what clang said; the exit status."""
    if status and "-include-pch" in command and re.search("PCH file|AST file|precompiled header", messages):
        raise StalePch
    if heard is not None:
        heard.append(messages)
        messages = without_ignored(messages)
    if status and says_lost(command, messages):
        return 2
    if messages:
        sys.stderr.write(explain(messages))
        if status and (what := foreign(messages)):
            print(f"simcc: {what}", file=sys.stderr)
    return status
# SPDX-License-Identifier: MIT
