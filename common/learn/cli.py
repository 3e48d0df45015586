"""The command line of `learn`."""
import contextlib
import sys

import command_line
from learn import background, builder, files, hints, judging, overview, pages, processes, trace, verdict, watch
from learn.grade import command as grading
from learn.memory import Memory
from learn.place import Unknown
from learn.screen import open_screen

HELP = """learn                       where I am: the chapters, what is open in each, and the next one
learn 06                    builds and judges chapter 06 (06_warp_unroll and warp name it, too)
learn read [06] [--all]     the chapter's page, to the end of the exercise; hints stay folded (--all: everything)
learn read machine          another page: machine, exercises, glossary …; --browser shows a page there
learn watch [06]            judges on every save; ^C or q ends it
learn hint [06] [N]         one hint more each time, at last the whole kernel; or hint N
learn next                  the chapter that is begun, else the next open one: what it asks, and where
learn diff [06] [--yes]     what the solution does otherwise, once yours is done (--yes: at once)
learn stretch [06]          a harder target, once yours is done
learn trace [06] [--warp W] [--n N] [--all]
                            what a warp does, step by step: lanes, source line, banks (--all: every instruction)
learn trace [06] --schedule S [--n N]
                            an order that GPUSIM_EXPLORE has found to go wrong, once more, warp by warp
learn reset [06]            the exercise as shipped; your version is kept
learn restore [06]          your last version again
learn grade FOLDER…         judges the submissions of a class (learn grade --help)

Without a number: the chapter of the last command. What is remembered, and what is kept, lies in .learn/."""
OPTIONS = {  # by command: what each takes: a number (True), a word (str) or nothing
    "read": {"--all": False, "--browser": False}, "diff": {"--yes": False},
    "trace": {"--warp": True, "--n": True, "--all": False, "--schedule": str}}
BEGUN = "What you will run by hand is being built in the background. To wait for it: ninja -C build steps"
NAMES = "read, watch, hint, next, diff, stretch, trace, reset, restore, grade, or a chapter's number"


class Wrong(Exception):
    """A wrong command line; the message is one line."""


class Learn:
    def __init__(self, place):
        self.place, self.screen, self.memory = place, open_screen(), Memory(place.source)
        place.screen = self.screen

    def chapter(self, words):
        """The chapter that is named, else the current one, else the first open one."""
        if words:
            return self.place.chapter_called(words[0])
        current = self.memory.current()
        for chapter in self.place.chapters:
            if chapter.stem == current:
                return chapter
        is_open = lambda chapter: not chapter.exists() or chapter.is_as_shipped()
        return next((chapter for chapter in self.place.chapters if is_open(chapter)), self.place.chapters[0])

    def show_judged(self, chapter):
        outcome, known = verdict.judge(self.place, self.memory, chapter)
        verdict.show(self.screen, self.place, chapter, outcome, known)
        verdict.prove(self.place, chapter, outcome)
        verdict.build_program(self.place, chapter, outcome)
        return 0 if outcome["exit_code"] == 0 else 1

    def is_done(self, chapter):
        outcome = verdict.remembered(self.place, self.memory, chapter) or verdict.judge(self.place, self.memory, chapter)[0]
        return judging.state_of(outcome) == "done"

    def where(self):
        overview.show(self.screen, self.place, self.memory)

    def watch(self, words):
        chapter = self.chapter(words)
        more_hints = lambda of_chapter: self.hint_of(of_chapter, more="h")
        with contextlib.suppress(KeyboardInterrupt):  # ^C ends `learn watch`, and is no error
            watch.Watch(self.screen, self.place, self.memory, chapter, more_hints, self.next_while_watching).run()

    def hint_of(self, chapter, wanted=None, more=None):
        starter = files.starter(self.memory, chapter).decode()
        hints.show(self.screen, self.place, self.memory, chapter, starter, wanted, more)

    def next(self, past_begun=False):
        found = list(overview.states(self.place, self.memory))
        opened = [chapter for chapter, state, _ in found if state != "done"]
        if not opened:
            raise Unknown(f"every chapter is done; for more: {self.place.learn} stretch")
        current = self.memory.current() or ""
        begun = next((chapter for chapter, state, _ in found if chapter.stem == current and state in ("begun", "wrong")), None)
        chapter = next((chapter for chapter in opened if chapter.stem > current), opened[0])
        if begun and not past_begun:
            later = f"; {self.place.learn} {chapter.number} goes on all the same" if chapter is not begun else ""
            self.screen.line(f"{begun.number} is begun and not done{later}", "dim")
            chapter = begun
        self.memory.remember(chapter)
        self.announce(chapter)
        return chapter

    def next_while_watching(self):
        chapter = self.next(past_begun=True)
        self.screen.line("Save it, and it is judged.", "dim")
        return chapter

    def announce(self, chapter):
        self.screen.parts((f"{chapter.number} {chapter.title}", "bold"),
                          (f"  its page: {self.place.learn} read {chapter.number}", "dim"))
        self.screen.line()
        for name in ("Question", "Change"):
            self.screen.parts((f"{name:10}", "cyan"), (chapter.heading(name), None))
        self.screen.line()
        for number in chapter.todo_lines():
            self.screen.parts((f"  {self.place.shown(chapter.kernels)}:{number}", "bold"),
                              ("  " + chapter.lines()[number - 1].strip(" /") + " …", None))
        self.screen.line()

    def read(self, words, shows_all, in_browser):
        word = words[0] if words else self.chapter([]).number
        show = pages.browse if in_browser else pages.show
        return show(self.screen, self.place, self.memory, word, shows_all)

    def diff(self, words, yes):
        chapter = self.chapter(words)
        if not yes and not self.is_done(chapter):
            command_line.stop(f"chapter {chapter.number} is not done yet; to see its solution all the same: "
                              f"{self.place.learn} diff {chapter.number} --yes")
        lines = files.difference(self.place, chapter)
        if lines:
            self.screen.diff(lines)
        else:
            self.screen.line("no difference: yours is the solution, to the letter")

    def stretch(self, words):
        chapter = self.chapter(words)
        if not self.place.is_simulated:
            command_line.stop("harder targets are counted, and only the simulated GPU counts")
        self.memory.remember(chapter, stretch=True)
        outcome, known = verdict.judge(self.place, self.memory, chapter)
        if outcome["exit_code"] != 0:
            verdict.show(self.screen, self.place, chapter, outcome, known)
            command_line.stop(f"the harder target comes after `done`; first: {self.place.learn} watch {chapter.number}")
        reached = verdict.show_stretch(self.screen, outcome)
        verdict.build_program(self.place, chapter, outcome)
        if reached:
            self.screen.line(f"✓ {chapter.number} reached, and still done", "bold green")
        else:
            self.screen.line(f"  From now on `{self.place.learn} watch` shows it, too.", "dim")
            self.screen.line(f"◐ {chapter.number} done, and the harder target is open", "bold yellow")
        return 0 if reached else 1


def take_option(words, name, has_value):
    """Removes an option from the arguments. Returns its value, or True if it takes none, or None if it is not there."""
    if name not in words:
        return None
    at = words.index(name)
    words.pop(at)
    if not has_value:
        return True
    if at >= len(words):
        raise Wrong(f"{name} needs " + ("a schedule, as GPUSIM_EXPLORE prints it" if has_value is str else "a number"))
    value = words.pop(at)
    if has_value is str:
        if "/" not in value:
            raise Wrong(f"{name}: '{value}' is not a schedule that GPUSIM_EXPLORE prints, such as 5/b0w0*2,b1w0")
        return value
    if not value.isdecimal():
        raise Wrong(f"{name}: '{value}' is not a number")
    return int(value)


def parse(words):
    """The function to call and its arguments; raises Wrong."""
    if "" in words:
        raise Wrong("what is '' in the command? (learn --help)")
    command, words = (words[0], list(words[1:])) if words else ("", [])
    options = OPTIONS.get(command, {})
    values = {name: take_option(words, name, has_value) for name, has_value in options.items()}
    if command in ("", "next") and not words:
        return command, words, values
    if command in ("read", "watch", "hint", "diff", "stretch", "trace", "reset", "restore"):
        most = 2 if command == "hint" else 1
        strange = [word for word in words if word.startswith("-")]
        if strange or len(words) > most or (len(words) == 2 and not words[1].isdecimal()):
            raise Wrong(f"what is '{(strange or words[-1:])[0]}' in `learn {command}`? (learn --help)")
        return command, words, values
    if command == "next" or words:
        raise Wrong(f"what is '{words[0]}' in `learn {command}`? (learn --help)")
    if command.startswith("-"):
        raise Wrong(f"unknown option '{command}' (learn --help)")
    return "judge", [command], values


def do(learn, command, words, values):
    """Does what the command says, and has built in the background what will be wanted later."""
    try:
        return do_now(learn, command, words, values)
    finally:
        if background.is_needed(learn.place) and background.start(learn.place, learn.chapter([])) and command in ("", "next"):
            learn.screen.line(BEGUN, "dim")


def do_now(learn, command, words, values):
    if command == "read":  # needs no build
        return learn.read(words, bool(values["--all"]), bool(values["--browser"]))
    chapter = None if command in ("", "next", "watch", "diff", "stretch") else learn.chapter(words)
    if command == "watch" and words:
        learn.place.chapter_called(words[0])
    learn.memory.keep_starters(learn.place.chapters)
    if command == "":
        return learn.where()
    if command == "judge":
        return learn.show_judged(chapter)
    if command == "watch":
        return learn.watch(words)
    if command == "hint":
        return learn.hint_of(chapter, int(words[1]) if len(words) == 2 else None)
    if command == "next":
        chapter = learn.next()
        learn.screen.line(f"Edit it while this runs: {learn.place.learn} watch {chapter.number}", "dim")
        return 0
    if command == "diff":
        return learn.diff(words, values["--yes"])
    if command == "stretch":
        return learn.stretch(words)
    if command == "reset":
        return files.reset(learn.screen, learn.place, learn.memory, chapter)
    if command == "restore":
        return files.restore(learn.screen, learn.place, learn.memory, chapter)
    options = ["--n", str(values["--n"])] if values["--n"] is not None else []
    return trace.show(learn.screen, learn.place, chapter, values["--warp"] or 0, values["--all"], options,
                      values["--schedule"])


def main(place, words):
    try:
        if words[:1] == ("grade",):
            place.screen = open_screen()
            return grading.run(place, list(words[1:]))
        command, names, values = parse(words)
        learn = Learn(place)
        status = do(learn, command, names, values)
        if learn.memory.complaint:
            print(f"learn: {learn.memory.complaint}", file=sys.stderr)
        return status or 0
    except Wrong as wrong:
        command_line.stop(f"{wrong}", 2)
    except Unknown as unknown:
        command_line.stop(f"{unknown}; expected {NAMES}" if words and words[0].startswith("-") else str(unknown), 2)
    except (files.Missing, watch.NoWatcher, trace.NoTrace) as nothing:
        command_line.stop(str(nothing))
    except builder.Failed as failed:
        command_line.stop("the build failed: " + "".join(failed.lines[:1]), more=failed.lines[1:])
    return 1


def run(place):
    """Runs the command and ends the program. ^C is an error, except in `learn watch`, which it ends."""
    try:
        processes.raise_on_signals()
        command_line.run(lambda *words: main(place, words), HELP, "", lambda _words: True)
    except processes.Terminated as terminated:
        command_line.end_by(terminated.number)
# SPDX-License-Identifier: MIT
