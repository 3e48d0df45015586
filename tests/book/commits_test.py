#!/usr/bin/env python3
"""Every commit that a data file names is in the history: `meson test -C build --suite book`.

A file of measured data says at which commit it was measured, {"where": {"commit": …}}, so that anyone
can do it again. Without a history, as in a tarball or a shallow clone, there is nothing to look it up
in: the test says so and is skipped.
"""

import json
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SKIP = 77


def git(*arguments):
    if shutil.which("git") is None:
        print("skipped: git is not installed, so nobody can ask for commits")
        sys.exit(SKIP)
    return subprocess.run(["git", "-C", ROOT, *arguments], capture_output=True, text=True, check=False)


def commits_in(value):
    """The values of every key "commit", at any depth."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from [inner] if key == "commit" else commits_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from commits_in(inner)


def skipped(why):
    print(f"skipped: {why}")
    return SKIP


def main():
    files = [
        path
        for folder in ("book/data", "tests")
        for path in sorted((ROOT / folder).rglob("*.json"))
        if "node_modules" not in path.parts
    ]
    named = [
        (file.relative_to(ROOT), commit)
        for file in files
        for commit in sorted(set(commits_in(json.loads(file.read_text(encoding="utf-8")))))
    ]
    if not named:
        sys.exit("no data file names a commit: where was it measured?")
    try:
        shallow = git("rev-parse", "--is-shallow-repository")
    except OSError:
        return skipped("git is not installed")
    if shallow.returncode:
        return skipped("there is no history: " + (shallow.stderr.splitlines() or ["no clone"])[0])
    if shallow.stdout.strip() == "true":
        return skipped("this clone is shallow: git fetch --unshallow brings the history")
    missing = [
        f"{file}: commit {commit} is not in the history"
        for file, commit in named
        if git("merge-base", "--is-ancestor", f"{commit}^{{commit}}", "HEAD").returncode
    ]
    print(*missing, sep="\n")
    print(f"{len(named)} commits in {len(files)} data files, {len(missing)} of them unknown")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
# SPDX-License-Identifier: MIT
