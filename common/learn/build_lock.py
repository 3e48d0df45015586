"""One build at a time in a build folder: two ninjas would write the same files. The file tells who waits what is built."""
import contextlib
import fcntl
import json
import os
import pathlib
import signal
import time

NAME = ".learn-lock"
MODULE = "learn.background"  # what a build in the background runs, by which it is known


class Lock:
    """Held by this process. ninja inherits it, and so holds it as long as it runs, whatever becomes of this process."""

    def __init__(self, descriptor, targets, in_background):
        self.descriptor = descriptor
        self.holder = {"process": os.getpid(), "targets": list(targets), "in_background": in_background}
        self.say("")

    def say(self, text):
        """What is built, and how far that is."""
        content = json.dumps(self.holder | {"text": text}).encode()
        with contextlib.suppress(OSError):  # the disk is full: then others wait without knowing for what
            os.ftruncate(self.descriptor, 0)
            os.pwrite(self.descriptor, content, 0)

    def release(self):
        with contextlib.suppress(OSError):
            os.ftruncate(self.descriptor, 0)
        os.close(self.descriptor)


def holder_of(build):
    """Who builds: {"process", "targets", "in_background", "text"}; or None if that is not known."""
    try:
        holder = json.loads(pathlib.Path(build, NAME).read_text(encoding="utf-8"))
        return holder if {"process", "targets", "in_background", "text"} <= set(holder) else None
    except (OSError, ValueError, TypeError):
        return None


def waiting_for(holder):
    """What somebody who waits is told."""
    if holder is None:
        return "waiting for another command that builds here"
    other = f"another command that builds here (process {holder['process']})"
    who = "the build in the background" if holder["in_background"] else other
    return f"waiting for {who}" + (f": {holder['text']}" if holder["text"] else "")


def take_if_free(build, targets, in_background=False):
    """A Lock, or None if somebody builds."""
    descriptor = os.open(pathlib.Path(build, NAME), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    return Lock(descriptor, targets, in_background)


def stop(holder):
    """Asks a build in the background to end. Its number may belong to another process by now: that one is left alone."""
    process = holder["process"]
    with contextlib.suppress(OSError, ValueError):
        if MODULE in pathlib.Path(f"/proc/{process}/cmdline").read_bytes().decode().split("\0"):
            os.kill(process, signal.SIGTERM)


@contextlib.contextmanager
def held(build, targets, on_wait=lambda holder: None):
    """Holds the lock. A build in the background gives way, unless it builds what is wanted. on_wait(holder): while this waits."""
    stopped = None
    while (lock := take_if_free(build, targets)) is None:
        holder = holder_of(build)
        if holder and holder["in_background"] and holder["process"] != stopped and not set(targets) <= set(holder["targets"]):
            stop(holder)
            stopped = holder["process"]
        on_wait(holder)
        time.sleep(0.05)
    try:
        yield lock
    finally:
        lock.release()


def free(build):
    """Ends a build in the background and waits for any other, so that ninja can be run without this lock."""
    told = False

    def on_wait(holder):
        nonlocal told
        if not told and holder and not holder["in_background"]:
            print(waiting_for(holder), flush=True)
            told = True

    with held(build, ["what comes next"], on_wait):
        pass
# SPDX-License-Identifier: MIT
