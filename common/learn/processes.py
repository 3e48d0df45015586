"""Runs other programs so that an interruption ends them as well, and leaves nothing half-done."""
import os
import selectors
import shutil
import signal
import subprocess
import time

TICK = 0.2  # seconds


class Terminated(BaseException):
    """The process has received SIGTERM, or SIGHUP because its terminal was closed. `number` is the signal's."""

    def __init__(self, number):
        super().__init__()
        self.number = number


class Superseded(Exception):
    """The result of the running program is no longer wanted."""


class Late(Exception):
    """The running program has taken longer than it may."""


def raise_on_signals():
    """Turns interruptions into exceptions, so that running programs are ended and temporary files removed."""
    def handle(number, _frame):
        raise Terminated(number)
    signal.signal(signal.SIGTERM, handle)
    if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:  # nohup wants it to go on
        signal.signal(signal.SIGHUP, handle)
    signal.signal(signal.SIGINT, signal.default_int_handler)


def end(process):
    """Asks a process to end. ninja then removes what it has half written."""
    if process.poll() is not None:
        return
    process.send_signal(signal.SIGINT)
    try:
        process.wait(timeout=5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def wait(process, is_stale=None, limit=None):
    """Waits for a process and returns its exit status. Meanwhile is_stale() says whether the result is no longer wanted. Raises
    Late after `limit` seconds."""
    end = None if limit is None else time.monotonic() + limit
    while (is_stale or end) and process.poll() is None:
        if is_stale and is_stale():
            raise Superseded
        if end and time.monotonic() > end:
            raise Late
        time.sleep(0.01)
    return process.wait()


def ninja():
    """The path of ninja, or None."""
    return shutil.which("ninja") or shutil.which("ninja-build")


def lines_of(process, on_tick, wake=()):
    """The lines that it prints, as they come. Meanwhile on_tick(process) is called several times a second, and at once when one
    of the descriptors in `wake` can be read."""
    stream, rest = process.stdout, b""
    with selectors.DefaultSelector() as selector:
        for source in (stream, *wake):
            selector.register(source, selectors.EVENT_READ)
        while True:
            if on_tick:
                on_tick(process)
            if stream not in [key.fileobj for key, _ in selector.select(TICK)]:
                continue
            read = os.read(stream.fileno(), 65536)
            *lines, rest = (rest + read).split(b"\n")
            if not read and rest:
                lines.append(rest)
            for line in lines:
                yield line.decode("utf-8", "replace")
            if not read:
                return


def run(command, on_line=None, on_tick=None, wake=(), **options):
    """Runs a command and returns its exit status. on_line gets each line of its output; on_tick and wake: see lines_of()."""
    if on_line:
        options |= {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    with subprocess.Popen(command, **options) as process:
        try:
            if on_line:
                for line in lines_of(process, on_tick, wake):
                    on_line(line)
            return process.wait()
        except BaseException:
            end(process)
            raise
# SPDX-License-Identifier: MIT
