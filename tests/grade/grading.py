"""Runs `learn grade` for its tests, with the parts that the build has made."""
import os
import pathlib
import shutil
import subprocess
import sys

DRIVER = """import sys
sys.path.insert(0, sys.argv[1] + "/common")
from learn import builder, cli
from learn.place import Place
builder.build = lambda *_, **__: None  # Meson has built what is needed, and may be building more
stems = sys.argv[3].split()
place = Place(sys.argv[1], sys.argv[2], stems, "")
sys.argv[:] = ["learn", *sys.argv[4:]]
cli.run(place)
"""
PATIENCE = 1100  # seconds


def needs_a_sandbox():
    """Ends a test that this machine cannot run."""
    if not shutil.which("bwrap"):
        print("bubblewrap is missing; get it with: apt-get install bubblewrap")
        sys.exit(77)
    works = ["bwrap", "--unshare-all", "--ro-bind", "/", "/", "true"]
    if subprocess.run(works, capture_output=True, check=False).returncode:
        print("bubblewrap does not work here: in this container nobody may make namespaces")
        sys.exit(77)


def command(source, build, *words):
    stems = sorted(path.parent.name for path in pathlib.Path(source).glob("solutions/*/kernels.cuh"))
    return [sys.executable, "-c", DRIVER, str(source), str(build), " ".join(stems), "grade", *map(str, words)]


def grade(source, build, *words, **environment):
    """Exit status, standard output, standard error."""
    done = subprocess.run(command(source, build, *words), capture_output=True, text=True, errors="replace", check=False,
                          stdin=subprocess.DEVNULL, timeout=PATIENCE, env={**os.environ, **environment})
    return done.returncode, done.stdout, done.stderr
# SPDX-License-Identifier: MIT
