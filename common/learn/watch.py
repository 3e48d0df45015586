"""`learn watch`: judges a chapter on every save, and takes single keys."""
import contextlib
import os
import select
import sys

from learn import background, processes, verdict
from learn.place import Unknown

try:
    from watchdog.events import FileSystemEventHandler
    from watchdog.observers import Observer
except ImportError:
    Observer = None

SETTLES = 0.03  # seconds to wait after a change, because an editor may write a file in several steps
KEYS = "h hint · n next chapter · r judge again · q quit"


class NoWatcher(Exception):
    """The package that watches files is missing; the message is one line."""


@contextlib.contextmanager
def saves(place):
    """A file descriptor that becomes readable when a file in chapters/ changes."""
    if Observer is None:
        raise NoWatcher("watching needs python3-watchdog; get it with: sh common/bootstrap.sh (without it: learn 06)")
    reader, writer = os.pipe()
    os.set_blocking(reader, False)
    os.set_blocking(writer, False)

    class Handler(FileSystemEventHandler):
        def on_any_event(self, event):
            if event.event_type not in ("opened", "closed_no_write") and "kernels.cuh" in str(event):
                with contextlib.suppress(OSError):  # the pipe is full, so the reader will wake up anyway
                    os.write(writer, b"s")

    observer = Observer()
    observer.schedule(Handler(), str(place.source / "chapters"), recursive=True)
    observer.start()
    try:
        yield reader
    finally:
        observer.stop()
        observer.join()
        os.close(writer)
        os.close(reader)


@contextlib.contextmanager
def keys():
    """Standard input that gives key by key, if it is a terminal; else None."""
    if not sys.stdin.isatty() or not sys.stdout.isatty():
        yield None
        return
    import termios
    import tty
    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    try:
        tty.setcbreak(terminal)
        yield terminal
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def version_of(chapter):
    try:
        return chapter.version()
    except OSError:  # an editor has removed the old file and not yet written the new one
        return None


class Watch:
    def __init__(self, screen, place, memory, chapter, on_hint, on_next):
        self.screen, self.place, self.memory, self.chapter = screen, place, memory, chapter
        self.on_hint, self.on_next = on_hint, on_next
        self.judged = {}  # for each chapter, the version whose verdict is on the screen

    def saved_one(self):
        """A chapter whose file was saved and whose new version is not judged yet; the watched chapter comes first."""
        for chapter in [self.chapter, *self.place.chapters]:
            version = version_of(chapter)
            if version and self.judged.get(chapter.stem) != version:
                return chapter
        return None

    def judge(self, chapter):
        """Judges the chapter, again if the file changes meanwhile, and shows the verdict."""
        while True:
            version = version_of(chapter)
            if version is None:
                return
            if self.screen.is_terminal:
                self.screen.clear()
                self.screen.line(f"judging {self.place.shown(chapter.kernels)} …", "dim")
            try:
                outcome, known = verdict.judge(self.place, self.memory, chapter,
                                               is_stale=lambda version=version: version_of(chapter) not in (version, None))
                break
            except processes.Superseded:
                continue
        self.chapter, self.judged[chapter.stem] = chapter, version
        if self.screen.is_terminal:
            self.screen.clear()
            self.screen.line(f"watching {self.place.shown(chapter.kernels)} · {KEYS}", "dim")
        verdict.show(self.screen, self.place, chapter, outcome, known)
        verdict.prove(self.place, chapter, outcome)
        verdict.build_program(self.place, chapter, outcome, lambda: version_of(chapter) not in (version, None))
        background.start(self.place, self.chapter)

    def press(self, key):
        """Does what the key stands for. Returns False if the learner wants to leave."""
        if key in ("q", "\x04"):
            return False
        if key == "h":
            self.on_hint(self.chapter)
        elif key == "r":
            self.judge(self.chapter)
        elif key == "n":
            try:
                self.chapter = self.on_next()
            except Unknown as nothing:
                self.screen.line(str(nothing))
        return True

    def run(self):
        for chapter in self.place.chapters:
            self.judged[chapter.stem] = version_of(chapter)
        with saves(self.place) as saved, keys() as typed:
            self.judge(self.chapter)
            while True:
                ready, _, _ = select.select([saved] + ([typed] if typed is not None else []), [], [])
                if saved in ready:
                    select.select([], [], [], SETTLES)
                    with contextlib.suppress(BlockingIOError):
                        os.read(saved, 4096)
                    chapter = self.saved_one()
                    if chapter:
                        self.judge(chapter)
                elif not self.press(os.read(typed, 1).decode("latin-1")):
                    return
# SPDX-License-Identifier: MIT
