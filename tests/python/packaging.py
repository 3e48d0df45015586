"""Wheels of this build, for tests. Without the tools that make one, a test is skipped."""
import pathlib
import subprocess
import sys

SKIPPED = 77


def tools_python(build):
    """The Python that has what builds wheels and runs notebooks. Ends the test if there is none."""
    python = pathlib.Path(build, "notebook-venv/bin/python")
    if not python.parents[1].joinpath("packages").exists():  # what bootstrap.sh writes last
        print(f"skipped: {python} is not there; get it with: sh common/bootstrap.sh --notebook")
        sys.exit(SKIPPED)
    return python


def run(*command, **options):
    """Standard output and standard error of a command, which must succeed."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **options)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: exit status {done.returncode}:\n{done.stdout[-3000:]}")
    return done.stdout


def built_wheel(source, build, folder):
    """The wheel of the library that lies in the build folder."""
    run(tools_python(build), "-m", "build", "--wheel", "--no-isolation", "--outdir", folder,
        f"-Cbuild-dir={folder}/made", f"-Csetup-args=-Dparts={build}", pathlib.Path(source, "common/python"))
    wheel, = pathlib.Path(folder).glob("*.whl")
    return wheel
# SPDX-License-Identifier: MIT
