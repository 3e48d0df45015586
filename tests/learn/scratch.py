"""A learner's clone for the tests of `learn`: its own chapters, and a build that compiles them with the real one's parts."""
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import time

PATIENCE = 60  # seconds, on a machine that does other things, too
STEM = "02_shared_memory"
TREE = [("// TODO(you): the kernel must not change its input. Say so: const float* in.\n__global__ void sum_tile(float*",
         "__global__ void sum_tile(const float*"),
        ("  // TODO(you): give the block a tile, __shared__ float tile[kBlock], and let its threads fill all of it.\n",
         "  __shared__ float tile[kBlock];\n  tile[t] = i < n ? in[i] : 0.0f;\n  __syncthreads();\n"),
        ("    // TODO(you): run the tree in the tile.\n    if (t % (2 * len) == 0 && i + len < n) in[i] += in[i + len];\n",
         "    if (t % (2 * len) == 0) tile[t] += tile[t + len];\n"),
        ("  // TODO(you): take the sum from the tile.\n  if (t == 0) block_sums[blockIdx.x] = i < n ? in[i] : 0.0f;\n",
         "  if (t == 0) block_sums[blockIdx.x] = tile[0];\n")]
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def shipped(source, stem):
    """The exercise as shipped, whatever the learner of this clone has made of it."""
    if has_git():
        git = subprocess.run(["git", "show", f"HEAD:chapters/{stem}/kernels.cuh"], cwd=source, capture_output=True, check=False)
        if git.returncode == 0:
            return git.stdout
    return pathlib.Path(source, "chapters", stem, "kernels.cuh").read_bytes()


def has_git():
    """A learner who has downloaded an archive may have none."""
    return shutil.which("git") is not None


class Scratch:
    def __init__(self, folder, source, build):
        self.root, self.build = pathlib.Path(folder, "clone"), pathlib.Path(folder, "clone/build")
        self.real_source, self.real_build = pathlib.Path(source), pathlib.Path(build)
        self.stems = sorted(path.parent.name for path in self.real_source.glob("chapters/*/kernels.cuh"))
        self.build.mkdir(parents=True)
        for stem in self.stems:
            (self.root / "chapters" / stem).mkdir(parents=True)
            (self.root / "chapters" / stem / "kernels.cuh").write_bytes(shipped(source, stem))
        for name in ("common", "solutions", "tests", "book"):
            (self.root / name).symlink_to(self.real_source / name)
        self.kernels = self.root / "chapters" / STEM / "kernels.cuh"
        text = (self.real_source / "common/learn/learn.py").read_text(encoding="utf-8")
        for name, value in {"PYTHON": sys.executable, "SOURCE": self.root, "BUILD": self.build, "SUFFIX": "",
                            "CHAPTERS": " ".join(self.stems)}.items():
            text = text.replace(f"@{name}@", str(value))
        (self.build / "learn").write_text(text, encoding="utf-8")
        (self.build / "learn").chmod(0o755)
        self.write_ninja()
        (self.build / "simcc").symlink_to(self.real_build / "simcc")  # compiles what is proved
        (self.build / ".learn-built").touch()  # so nothing is built in the background

    def write_ninja(self):
        """Judge and program of one chapter, by the real build's own commands; no others are there to be built."""
        text = "rule make\n  command = cd $real && $how\n\nreal = " + str(self.real_build) + "\n"
        targets = [f"tests/chapters/{STEM}", f"chapters/{STEM}"]
        for target in targets:
            (self.build / target).parent.mkdir(parents=True)
            commands = subprocess.run(["ninja", "-C", str(self.real_build), "-t", "commands", target], text=True,
                                      capture_output=True, check=True).stdout.splitlines()
            name = f"{target}.p/"
            how = " && ".join(line for line in commands if name in line)
            objects = set(re.findall(re.escape(name) + r"\S+\.o", how))
            for written in {*objects, *(path.replace(".o", ".d") for path in objects), *(f"-o {target}",)}:
                own = written.replace("-o ", f"-o {self.build}/") if written.startswith("-o ") else str(
                    self.build / written.replace("/", "_"))
                how = re.sub(re.escape(written) + r"(?=\s|$)", own, how)
            how = how.replace(str(self.real_source / "chapters" / STEM), str(self.kernels.parent))
            escaped = how.replace("$", "$$")
            text += f"build {target}: make {self.kernels}\n  how = {escaped}\n"
        text += "build steps: phony " + " ".join(targets) + "\n"
        text += "".join(f"build tests/chapters/{stem}: phony\n" for stem in self.stems if stem != STEM)
        (self.build / "build.ninja").write_text(text, encoding="utf-8")

    def edit(self, changes=TREE):
        text = self.kernels.read_text(encoding="utf-8")
        for old, new in changes:
            assert old in text, f"{self.kernels} lacks {old}"
            text = text.replace(old, new)
        self.kernels.write_text(text, encoding="utf-8")

    def command(self, *arguments):
        return [str(self.build / "learn"), *arguments]

    def learn(self, *arguments, **environment):
        """Exit status, standard output (without what a slow machine says of its progress), standard error; without a terminal."""
        done = subprocess.run(self.command(*arguments), cwd=self.root, text=True, capture_output=True, check=False,
                              stdin=subprocess.DEVNULL, timeout=PATIENCE, env={**os.environ, **environment})
        lines = [line for line in done.stdout.splitlines(keepends=True) if not line.startswith(("building ", "waiting for "))]
        return done.returncode, "".join(lines), done.stderr


class Terminal:
    """`learn` on a terminal of its own: what it shows, and keys for it."""

    def __init__(self, command, folder):
        self.shown = ""
        self.process, self.master = None, None
        child, self.master = pty.fork()
        if child == 0:
            os.chdir(folder)
            os.environ |= {"TERM": "xterm-256color", "COLUMNS": "100", "LINES": "40"}
            os.environ.pop("NO_COLOR", None)
            os.execv(command[0], command)
        self.child = child

    def read(self, seconds):
        if select.select([self.master], [], [], seconds)[0]:
            try:
                self.shown += os.read(self.master, 65536).decode("utf-8", "replace")
            except OSError:  # the other end is closed
                return False
        return True

    def text(self):
        return ESCAPES.sub("", self.shown).replace("\r", "")

    def wait_for(self, text):
        """Until it shows this text; what it showed up to there is forgotten, what came with it is not."""
        end = time.monotonic() + PATIENCE
        while text not in self.text():
            assert self.read(0.1) and time.monotonic() < end, f"`{text}` was not shown, but:\n{self.text()}"
        self.shown = self.text().split(text, 1)[1]

    def press(self, keys):
        os.write(self.master, keys.encode())

    def kill(self, number):
        os.kill(self.child, number)

    def end(self):
        """Exit status, negative for a signal."""
        limit = time.monotonic() + PATIENCE
        while time.monotonic() < limit:
            open_still = self.read(0.05)
            done, status = os.waitpid(self.child, os.WNOHANG)
            if done:
                os.close(self.master)
                return os.waitstatus_to_exitcode(status)
            if not open_still:
                time.sleep(0.02)
        os.kill(self.child, signal.SIGKILL)
        raise AssertionError(f"it does not end: {self.text()}")


def has_rich():
    return subprocess.run([sys.executable, "-c", "import rich, watchdog"], capture_output=True, check=False).returncode == 0


def run_cases(cases, source, build):
    """Each case gets a clone of its own. Ends the test."""
    import tempfile
    if shutil.which("ninja") is None:
        sys.exit("ninja is not on the PATH")
    for case in cases:
        with tempfile.TemporaryDirectory(prefix="learn-test-") as folder:
            case(Scratch(folder, source, build))
        print(f"{case.__name__.replace('_', ' ')}: ok", flush=True)
# SPDX-License-Identifier: MIT
