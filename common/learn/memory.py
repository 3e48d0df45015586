"""What `learn` remembers, in .learn/ next to the chapters: git ignores it, and no build or pull removes it.

state.json                    {"current": stem, "chapters": {stem: {…}}}
starters/NN_topic.cuh         the exercise as shipped
kept/NN_topic/DATE.cuh        versions of the learner's file that a command has replaced
kept/NN_topic/last.cuh        the last one that was judged and is not the starter: `learn restore` brings it back

The state of a chapter has: version and judge (the file and the judge that the outcome belongs to), outcome (judging.py),
first and before (counters of the starter and of the version before), seconds (of each test case), hints (how many have
been shown), stretch (whether the learner wants the harder target).
"""
import contextlib
import fcntl
import json
import os
import pathlib
import time

from whole_file import write


class Memory:
    def __init__(self, source):
        self.folder = pathlib.Path(source, ".learn")
        self.file = self.folder / "state.json"
        self.complaint = None  # one line, if the state cannot be read

    def _read(self):
        try:
            state = json.loads(self.file.read_text(encoding="utf-8"))
            if isinstance(state, dict) and isinstance(state.get("chapters"), dict):
                return state
        except FileNotFoundError:
            return {"current": None, "chapters": {}}
        except (ValueError, UnicodeDecodeError):
            pass
        broken = self.file.with_suffix(".broken")
        os.replace(self.file, broken)
        self.complaint = f"what was remembered could not be read, and is begun anew (the old file: {broken})"
        return {"current": None, "chapters": {}}

    @contextlib.contextmanager
    def _locked(self):
        self.folder.mkdir(exist_ok=True)
        with open(self.folder / "lock", "w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def current(self):
        with self._locked():
            return self._read().get("current")

    def of(self, chapter):
        with self._locked():
            return self._read()["chapters"].get(chapter.stem, {})

    def remember(self, chapter, as_current=True, **values):
        """Adds to the state of a chapter. as_current: the learner works on this chapter now."""
        with self._locked():
            state = self._read()
            state["chapters"].setdefault(chapter.stem, {}).update(values)
            if as_current:
                state["current"] = chapter.stem
            write(self.file, json.dumps(state, indent=1).encode())

    def _kept(self, chapter):
        return self.folder / "kept" / chapter.stem

    def keep(self, chapter):
        """Copies the learner's file under the date and time; returns the copy's path."""
        name = time.strftime("%Y-%m-%d_%H-%M-%S")
        path, number = self._kept(chapter) / f"{name}.cuh", 1
        while path.exists():
            path, number = self._kept(chapter) / f"{name}_{number}.cuh", number + 1
        write(path, chapter.content())
        return path

    def keep_last(self, chapter, content):
        write(self._kept(chapter) / "last.cuh", content)

    def last(self, chapter):
        path = self._kept(chapter) / "last.cuh"
        return path if path.exists() else None

    def starter_path(self, chapter):
        return self.folder / "starters" / f"{chapter.stem}.cuh"

    def keep_starters(self, chapters):
        """Copies all exercises that are still as shipped, for `learn reset`."""
        for chapter in chapters:
            if not chapter.exists():
                continue
            path = self.starter_path(chapter)
            content = chapter.content()
            if (not path.exists() or path.read_bytes() != content) and chapter.is_starter(content):
                write(path, content)
# SPDX-License-Identifier: MIT
