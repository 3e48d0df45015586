"""Runs other programs so that an interruption ends them, too, and nothing is left half-done."""
import signal
import subprocess
import time


class Terminated(BaseException):
    """SIGTERM came."""


class Superseded(Exception):
    """What runs is no longer wanted."""


def raise_on_signals():
    """From now on an interruption is an exception, so that what runs is ended and what was begun is tidied up."""
    def handle(_number, _frame):
        raise Terminated
    signal.signal(signal.SIGTERM, handle)
    signal.signal(signal.SIGINT, signal.default_int_handler)


def end(process):
    """Asks it to end; ninja removes what it has half written."""
    if process.poll() is not None:
        return
    process.send_signal(signal.SIGINT)
    try:
        process.wait(timeout=5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def wait(process, is_stale=None):
    """Its exit status; is_stale is asked meanwhile whether it is still wanted."""
    while is_stale and process.poll() is None:
        if is_stale():
            raise Superseded
        time.sleep(0.01)
    return process.wait()


def run(command, on_line=None, **options):
    """Exit status. on_line gets each line of its output."""
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
