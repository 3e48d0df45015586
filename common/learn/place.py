"""Where things are: the sources that a learner edits, and the build that judges them."""
import dataclasses
import os
import pathlib
import sys

from learn.chapter import Chapter


class Unknown(Exception):
    """A word on the command line that names nothing; the message is one line."""


@dataclasses.dataclass
class Place:
    source: pathlib.Path
    build: pathlib.Path
    stems: list  # 01_global_memory, …
    suffix: str  # of programs and judges: "" for the simulated GPU, ".gpu" if the build has only a real one

    screen: object = None  # shows what takes long

    def __post_init__(self):
        self.source, self.build = pathlib.Path(self.source), pathlib.Path(self.build)
        self.chapters = [Chapter(stem, self.source) for stem in self.stems]

    @property
    def learn(self):
        """The command that started this, for messages that say what to type next."""
        return sys.argv[0] if os.sep in sys.argv[0] and len(sys.argv[0]) < 30 else "learn"

    @property
    def is_simulated(self):
        return not self.suffix

    def judge_of(self, chapter):
        """The program's path as ninja knows it, from the build folder."""
        return f"tests/chapters/{chapter.stem}{self.suffix}"

    def program_of(self, chapter):
        return f"chapters/{chapter.stem}{self.suffix}"

    def chapter_called(self, word):
        """The chapter that a word names: 6, 06, 06_warp_unroll, or a part of one name alone, such as warp."""
        if word.isdecimal():
            found = [chapter for chapter in self.chapters if int(chapter.number) == int(word)]
        else:
            found = [chapter for chapter in self.chapters if chapter.stem == word] or [
                chapter for chapter in self.chapters if word and word in chapter.stem]
        if len(found) == 1:
            return found[0]
        which = ", ".join(chapter.stem for chapter in found) or f"{self.stems[0]} … {self.stems[-1]}"
        raise Unknown(f"no one chapter is called '{word}'; there are {which}")

    def chapter_of(self, path):
        """The chapter whose exercise has this path, or None."""
        return next((chapter for chapter in self.chapters if str(chapter.kernels) == str(path)), None)

    def shown(self, path):
        """A path as a person would type it."""
        try:
            return str(pathlib.Path(path).relative_to(self.source))
        except ValueError:
            return str(path)
# SPDX-License-Identifier: MIT
