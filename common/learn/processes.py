"""Runs other programs so that an interruption ends them as well, and leaves nothing half-done."""
import signal
import subprocess
import time


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


def run(command, on_line=None, **options):
    """Runs a command and returns its exit status. on_line gets each line of its output."""
    if on_line:
        options |= {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True, "errors": "replace"}
    with subprocess.Popen(command, **options) as process:
        try:
            if on_line:
                for line in process.stdout:
                    on_line(line.rstrip("\n"))
            return process.wait()
        except BaseException:
            end(process)
            raise
# SPDX-License-Identifier: MIT
