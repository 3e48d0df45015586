"""run(): compiles a CUDA source, runs it, and returns what it did."""
import contextlib
import json
import os
import pathlib
import selectors
import signal
import subprocess
import tempfile
import time

from warp_by_warp.compiling import compiled
from warp_by_warp.results import Result, parts_of_report

MOST_OUTPUT = 16 << 20  # bytes


class TimeLimitExceeded(Exception):
    """The program was still running when its time was over. `stdout` and `stderr` hold what it had printed."""

    def __init__(self, seconds, stdout, stderr):
        super().__init__(f"the program was ended after {seconds:g} s; timeout=… gives it more time")
        self.stdout, self.stderr = stdout, stderr


class OutputLimitExceeded(Exception):
    """The program printed more than is kept. `stdout` and `stderr` hold the beginning."""

    def __init__(self, stdout, stderr):
        super().__init__(f"the program was ended because it had printed more than {MOST_OUTPUT >> 20} MiB")
        self.stdout, self.stderr = stdout, stderr


def end(process):
    """Ends the program and what it has started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def outcome(command, environment, stdin, timeout, shorten):
    """Exit status, standard output and standard error of a program, which is ended when it takes too long or prints too much."""
    deadline = None if timeout is None else time.monotonic() + timeout
    said = {"stdout": bytearray(), "stderr": bytearray()}

    def texts():
        stdout, stderr = (bytes(each).decode("utf-8", "replace") for each in said.values())
        return stdout, shorten(stderr)

    with tempfile.TemporaryFile() as given:
        given.write(stdin.encode())
        given.seek(0)
        process = subprocess.Popen(command, stdin=given, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment,
                                   start_new_session=True)

    def seconds_left():
        left = None if deadline is None else deadline - time.monotonic()
        if left is not None and left <= 0:
            raise TimeLimitExceeded(timeout, *texts())
        return left

    with process, selectors.DefaultSelector() as selector:
        try:
            for name in said:
                selector.register(getattr(process, name), selectors.EVENT_READ, name)
            while selector.get_map():
                for key, _ in selector.select(seconds_left()):
                    piece = os.read(key.fd, 1 << 16)
                    said[key.data] += piece
                    if not piece:
                        selector.unregister(key.fileobj)
                if sum(map(len, said.values())) > MOST_OUTPUT:
                    raise OutputLimitExceeded(*texts())
            while process.poll() is None:  # it has closed both, and may go on
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(seconds_left())
        except BaseException:  # also ^C; before `with`, which waits for the program
            end(process)
            raise
    return (process.returncode, *texts())


def checks_named(check):
    """The value of GPUSIM_CHECK; None: as the environment has it."""
    if check is None or isinstance(check, str):
        return check
    if isinstance(check, bool):
        return "all" if check else "none"
    return ",".join(check)


def environment_for(checks, predict, machine, env, report):
    """The program's environment."""
    chosen = {"GPUSIM_CHECK": checks, "GPUSIM_MACHINE": machine and os.fspath(machine),
              "GPUSIM_PREDICT": "1" if predict else "0", "GPUSIM_REPORT": str(report)}
    return {**os.environ, **(env or {}), **{name: value for name, value in chosen.items() if value is not None}}


def refusal(status, stderr):
    """What the simulated GPU says of a value that it does not understand, in the words of run(); None if it ran the program."""
    first = stderr.partition("\n")[0]
    for variable, argument in (("GPUSIM_CHECK", "check"), ("GPUSIM_MACHINE", "machine")):
        if status == 1 and first.startswith(f"gpusim: {variable}="):
            return first.removeprefix("gpusim: ").replace(variable, argument, 1)
    return None


def shortener(*folders):
    """A function that takes the names of these folders out of a text, so that files are called as their owner calls them."""
    def shorten(text):
        for folder in folders:
            text = text.replace(f"{folder}{os.sep}", "")
        return text
    return shorten


def run(source, *, args=(), check=None, predict=True, machine=None, options=(), stdin="", env=None, timeout=60.0,
        name="source.cu"):
    """Compiles a CUDA program and runs it on the simulated GPU.

    source    the text of the program, or a pathlib.Path of its file
    args      its arguments
    check     "all", "none", or names of checks: "race", ["race", "memory"]. True is "all", False is "none". None, which is usual:
              the first launches of each kernel are checked, and the first error is found
    predict   whether to predict times, which takes time
    machine   the GPU whose times are predicted, and as which the simulated one answers: "h200" (which is usual), "h100", "a100",
              "l4", "rtx4090", "rtx5090", "b200", or the path of a machine model
    options   of the compiler, as nvcc takes them: ["-O3", "-Iinclude", "-lcublas"]
    stdin     what the program reads from its standard input
    env       further variables of its environment
    timeout   seconds; None: no limit
    name      what messages call a source that is given as text

    Returns a Result. A program that fails is a Result, too: look at its exit_status. Raises CompileError if the source does not
    compile, MissingTool if clang or g++ is missing, TimeLimitExceeded, OutputLimitExceeded, and ValueError for a check or a
    machine that does not exist.
    """
    with tempfile.TemporaryDirectory(prefix="warp_by_warp.") as scratch:
        # Names of files in messages, PTX and line tables are absolute until `shorten` makes them short.
        here = os.getcwd()
        shorten = shortener(scratch, here)
        if isinstance(source, os.PathLike):
            file = pathlib.Path(here, source)
            if not file.is_file():
                raise FileNotFoundError(f"{source}: there is no such file; a source that is a text is given as str")
        else:
            file = pathlib.Path(scratch, name)
            file.write_text(source, encoding="utf-8")
            options = [*options, f"-I{here}"]
        program, report = pathlib.Path(scratch, "program"), pathlib.Path(scratch, "report.json")
        warnings = compiled(file, program, options, here, shorten)
        checks = checks_named(check)
        environment = environment_for(checks, predict, machine, env, report)
        status, stdout, stderr = outcome([program, *map(str, args)], environment, stdin, timeout, shorten)
        if why := refusal(status, stderr):
            raise ValueError(why)
        is_complete = report.is_file()
        parts = {}
        if is_complete:
            with open(report, encoding="utf-8", errors="replace") as text:
                parts = parts_of_report(json.load(text), shorten)
    return Result(status, stdout, stderr, is_complete, warnings=warnings, checks=checks or "", **parts)
# SPDX-License-Identifier: MIT
