"""Runs a program that reads what a stranger has written: what it sees, how long it takes, and how much it writes are limited.

bubblewrap gives it namespaces of its own: no network, no other processes, and a file system that has nothing but the system's
programs and the files that are listed. prlimit limits its memory, its processor time and the size of its files.
"""
import contextlib
import dataclasses
import os
import pathlib
import shutil
import signal
import subprocess
import threading
import time

ADDRESSES = 12 << 30  # bytes of address space: judges of large arrays reserve a lot, and use little of it
MEMORY = 3 << 30  # bytes in memory, of a program and all that it has started
FILE = 64 << 20  # bytes of any file that is written
SAID = 32 << 10  # bytes that are kept of the beginning of what a program says, and of its end
PAUSE = 0.2  # seconds between two looks at a program
GRACE = 3  # times the processor time, on the clock: the machine may be busy
TEMPORARY = 256 << 20  # bytes in /tmp


class Missing(Exception):
    """A tool is not there; the message is one line."""


class Stopped(Exception):
    """Grading has been interrupted."""


@dataclasses.dataclass
class Ended:
    status: int  # negative: the number of the signal
    said: str
    stopped: str  # why the sandbox has ended it; else empty


class Sandbox:
    """Starts programs, and ends all of them when grading is interrupted."""

    def __init__(self, isolates, programs=()):
        """isolates: whether bubblewrap is used. programs: folders outside /usr in which compilers stand."""
        self.bwrap, self.prlimit = shutil.which("bwrap"), shutil.which("prlimit")
        self.isolates, self.programs = isolates, [str(folder) for folder in programs]
        self.lock, self.running, self.is_stopped = threading.Lock(), set(), False
        if not self.prlimit:
            raise Missing("prlimit is not installed, which limits memory and time; get it with: apt-get install util-linux")
        if isolates and not self.bwrap:
            raise Missing("bubblewrap is not installed, and submissions may be hostile; get it with: apt-get install bubblewrap "
                          "(or grade only people whom you trust: --without-sandbox)")

    def check(self, scratch):
        """Raises Missing if the sandbox does not work here, as in most containers."""
        if not self.isolates:
            return
        ended = self.run(["/usr/bin/true"], scratch, (), 5)
        if ended.status:
            why = ended.said.strip().splitlines()[:1] or [f"exit status {ended.status}"]
            raise Missing(f"bubblewrap does not work on this machine: {why[0]} (in a container, allow user namespaces; or grade "
                          "only people whom you trust: --without-sandbox)")

    def enclosed(self, command, folder, readable, writable):
        """The command as bubblewrap runs it. Paths are the same inside and outside."""
        options = ["--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--clearenv"]
        for name, value in environment().items():
            options += ["--setenv", name, value]
        options += ["--ro-bind", "/usr", "/usr"]
        for name in ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"):
            if os.path.islink(name):
                options += ["--symlink", os.readlink(name), name]
            elif os.path.isdir(name):
                options += ["--ro-bind", name, name]
        for name in ("/etc/alternatives", "/etc/ld.so.cache"):
            options += ["--ro-bind-try", name, name]
        options += ["--proc", "/proc", "--dev", "/dev", "--size", str(TEMPORARY), "--tmpfs", "/tmp"]
        for path in (*self.programs, *map(str, readable)):
            options += ["--ro-bind", path, path]
        for path in map(str, writable):
            options += ["--bind", path, path]
        return [self.bwrap, *options, "--remount-ro", "/", "--chdir", str(folder), "--", *command]

    def run(self, command, folder, readable, seconds, writable=()):
        """Runs a command in a folder, which it may read as well as `readable`. `seconds` of processor time are allowed."""
        limits = [self.prlimit, f"--as={ADDRESSES}", f"--fsize={FILE}", "--core=0", f"--cpu={seconds}", "--"]
        inside = [*limits, *map(str, command)]
        if self.isolates:
            inside = self.enclosed(inside, folder, (folder, *readable), writable)
        with self.lock:
            if self.is_stopped:
                raise Stopped
            process = subprocess.Popen(inside, cwd=folder, env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                       stderr=subprocess.STDOUT, start_new_session=True)
            self.running.add(process)
        try:
            said, stopped = listen(process, GRACE * seconds)
            return Ended(process.returncode, said.decode("utf-8", "replace"), stopped)
        finally:
            end(process)
            with self.lock:
                self.running.discard(process)
            if self.is_stopped:
                raise Stopped

    def stop(self):
        """Ends what runs; nothing is started any more."""
        with self.lock:
            self.is_stopped = True
            for process in self.running:
                kill(process)


def environment():
    """What a program finds in its environment, nothing of which is the teacher's."""
    return {"PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": "/tmp", "TMPDIR": "/tmp"}


def listen(process, seconds):
    """Reads what a process says until it ends, and keeps the beginning and the end of that. Ends it when it takes too long or too
    much memory. Returns what it said, and why it was ended."""
    stopped, has_ended = [], threading.Event()

    def watch():
        end = time.monotonic() + seconds
        while not has_ended.wait(PAUSE):
            if time.monotonic() > end:
                stopped.append(f"not within {seconds} seconds")
            elif memory_of(process.pid) > MEMORY:
                stopped.append(f"it needs more than {MEMORY >> 30} GiB of memory")
            if stopped:
                kill(process)
                return

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    said, last = b"", b""
    try:
        while part := process.stdout.read1(SAID):
            room = max(0, SAID - len(said))
            said, last = said + part[:room], (last + part[room:])[-SAID:]
        process.wait()
    finally:
        has_ended.set()
        watcher.join()
    return said + last, "".join(stopped)


def memory_of(number):
    """Bytes in memory of a process and of those that it has started."""
    try:
        pages = int(pathlib.Path(f"/proc/{number}/statm").read_text(encoding="ascii").split()[1])
        children = pathlib.Path(f"/proc/{number}/task/{number}/children").read_text(encoding="ascii").split()
    except (OSError, IndexError):  # it has just ended
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE") + sum(map(memory_of, children))


def kill(process):
    """Ends a process with its group. What has left the group, bubblewrap ends with its own process."""
    with contextlib.suppress(OSError):
        os.killpg(process.pid, signal.SIGKILL)


def end(process):
    kill(process)
    process.wait()
    process.stdout.close()


def outside_usr(path):
    """The folder to show to a sandbox so that the program at this path runs: none if it is the system's."""
    real = pathlib.Path(path).resolve()
    return None if real.is_relative_to("/usr") else real.parents[1]
# SPDX-License-Identifier: MIT
