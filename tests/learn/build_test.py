#!/usr/bin/env python3
"""How `learn` builds: what a command needs first, the rest in the background, never two at a time. Suite `learn`.

build_test.py SOURCE_DIR BUILD_DIR: in folders of its own, where a step is a `sleep`. (BUILD_DIR is not used.)
"""
import contextlib
import io
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from multiprocessing.pool import ThreadPool

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "common"))
import command_line
from learn import background, build_lock, builder, processes
from learn.place import Place
from learn.screen import PlainScreen
from learn.work import Work, duration, planned, read_log, seconds_of

PATIENCE = 30
STEMS = ["01_global_memory", "02_shared_memory"]
UNUSED = "".join(f"build unused/{number}: phony\n" for number in range(100_000))  # ninja needs as long for it as for build/'s
RULES = """seconds = 0
rule half
  command = touch $out && sleep 1 && test -e $out
rule step
  command = echo $out >> started && sleep $seconds && touch $out
  description = Compiling C++ object $out
rule fail
  command = echo 'kernels.cuh:3:1: error: no such thing' && false
"""


class Folder:
    """A build folder whose steps are these: {file: (seconds, files that it needs)}."""

    def __init__(self, folder, source, steps):
        self.place = Place(source, folder, STEMS, "")
        self.place.screen = PlainScreen()
        text = RULES
        for file, (seconds, needs) in steps.items():
            rule = "step" if seconds is not None else "fail"
            text += f"build {file}: {rule} {' '.join(needs)}\n" + (f"  seconds = {seconds}\n" if seconds else "")
        for directory in ("tests/chapters", "chapters", "common/gpusim"):
            (self.place.build / directory).mkdir(parents=True)
        (self.place.build / "build.ninja").write_text(text, encoding="utf-8")

    def started(self):
        """Files, in the order in which their steps began."""
        try:
            return (self.place.build / "started").read_text(encoding="utf-8").split()
        except FileNotFoundError:
            return []

    def exists(self, file):
        return (self.place.build / file).exists()

    def wait_until(self, what, condition):
        end = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < end, f"not in {PATIENCE} s: {what}; started: {self.started()}; " \
                                           f"lock: {build_lock.holder_of(self.place.build)}"
            time.sleep(0.02)

    def background(self):
        """Process number of the build in the background, or None."""
        holder = build_lock.holder_of(self.place.build)
        return holder["process"] if holder and holder["in_background"] else None

    def is_free(self):
        lock = build_lock.take_if_free(self.place.build, [])
        if lock:
            lock.release()
        return lock is not None

    def end(self):
        with contextlib.suppress(ProcessLookupError, TypeError):
            os.kill(self.background(), signal.SIGTERM)
        self.wait_until("nobody builds", self.is_free)


def steps_of(judge=0.0, program=0.0, **others):
    library = "common/gpusim/libgpusim_hot.a.p/meson.o"
    steps = {library: (others.get("library", 0.0), [])}
    for stem in STEMS:
        steps |= {f"tests/chapters/{stem}": (judge, [library]), f"chapters/{stem}": (program, [library])}
    return steps | {"steps": (others.get("rest", 0.0), [f"chapters/{stem}" for stem in STEMS])}


def said(function):
    """What it prints."""
    with contextlib.redirect_stdout(io.StringIO()) as out:
        function()
    return out.getvalue()


def runs(process):
    try:
        state = pathlib.Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def what_is_next_is_built_first_then_the_rest(make):
    folder = make(steps_of())
    assert background.start(folder.place, folder.place.chapters[1])
    folder.wait_until("everything is built", lambda: folder.exists(background.MARK))
    assert folder.started()[1] == "tests/chapters/02_shared_memory" and set(folder.started()) == set(steps_of()), folder.started()
    folder.wait_until("the lock is free", folder.is_free)
    assert not background.start(folder.place, folder.place.chapters[1])  # nothing is left


def it_has_low_priority_and_there_is_one(make):
    folder = make(steps_of(rest=20))
    assert background.start(folder.place, folder.place.chapters[0])
    folder.wait_until("the last step runs", lambda: "steps" in folder.started())
    first = folder.background()
    assert os.getpriority(os.PRIO_PROCESS, first) == 19 and os.getsid(first) == first
    background.start(folder.place, folder.place.chapters[0])
    time.sleep(0.5)
    assert folder.background() == first and folder.started().count("steps") == 1, folder.started()
    os.kill(first, signal.SIGINT)  # as by ^C
    folder.wait_until("it has ended", lambda: not runs(first) and folder.is_free())
    assert not folder.exists("steps") and not folder.exists(background.MARK)
    children = pathlib.Path(f"/proc/self/task/{os.getpid()}/children")
    assert not children.exists() or not children.read_text(encoding="utf-8").split(), "a zombie is left"


def it_gives_way_to_a_command(make):
    folder = make(steps_of(rest=60) | {"common/gpusim/other": (0, [])})
    background.start(folder.place, folder.place.chapters[0])
    folder.wait_until("the long step runs", lambda: "steps" in folder.started())
    process, begun = folder.background(), time.monotonic()
    builder.build(folder.place, ["common/gpusim/other"])
    assert folder.exists("common/gpusim/other") and time.monotonic() - begun < 10 and not runs(process)


def a_command_waits_if_it_is_building_what_is_wanted(make):
    folder = make(steps_of(judge=4))
    background.start(folder.place, folder.place.chapters[0])
    judge = folder.place.judge_of(folder.place.chapters[0])
    folder.wait_until("the judge is being built", lambda: judge in folder.started())
    process = folder.background()
    shown = said(lambda: builder.build(folder.place, [judge]))
    assert folder.started().count(judge) == 1 and folder.exists(judge), folder.started()
    assert "waiting for the build in the background: building the judge: " in shown and "left" in shown, shown
    assert process
    folder.end()


def it_gives_way_to_another_ninja_and_goes_on(make):
    folder = make(steps_of(rest=1) | {"common/gpusim/other": (2, [])})
    background.start(folder.place, folder.place.chapters[0])
    folder.wait_until("the last step runs", lambda: "steps" in folder.started())
    subprocess.run(["ninja", "-C", folder.place.build, "common/gpusim/other"], check=True, stdout=subprocess.DEVNULL)
    folder.wait_until("it has gone on to the end", lambda: folder.exists(background.MARK))
    assert folder.started().count("steps") == 2, folder.started()  # the first time it was interrupted


def a_step_that_is_not_loaded_yet_is_no_other_ninja(make):
    """Until its program is loaded, a step has the name and the folder of the ninja that begins it. Here, ours is this process."""
    build = make({}).place.build
    shutil.copy(shutil.which("sleep"), build / "ninja")
    with subprocess.Popen([build / "ninja", "60"], cwd=build) as process:
        try:
            assert not background.other_ninjas(build, os.getpid()) and not background.other_ninjas(build, process.pid)
            assert background.other_ninjas(build)
        finally:
            process.kill()


def what_another_ninja_begins_is_not_removed(make):
    """Both build one file, as compilers do: it is there, empty, before it is complete. Giving way removes it."""
    folder = make(steps_of())
    with open(folder.place.build / "build.ninja", "a", encoding="utf-8") as rules:
        rules.write(UNUSED + "build common/gpusim/half: half\n")
    lock = build_lock.take_if_free(folder.place.build, [], in_background=True)
    for _ in range(3):
        with open(folder.place.build / background.LOG, "w", encoding="utf-8") as log, ThreadPool(1) as pool:
            (folder.place.build / "common/gpusim/half").unlink(missing_ok=True)
            first = pool.apply_async(background.build, (folder.place.build, lock, ["common/gpusim/half"], 1, log))
            folder.wait_until("the file is begun", lambda: folder.exists("common/gpusim/half"))
            subprocess.run(["ninja", "-C", folder.place.build, "common/gpusim/half"], check=True, stdout=subprocess.DEVNULL)
            assert first.get(PATIENCE) is None and folder.exists("common/gpusim/half")
    lock.release()


def bootstrap_ends_it(make):
    folder = make(steps_of(rest=60))
    background.start(folder.place, folder.place.chapters[0])
    folder.wait_until("the long step runs", lambda: "steps" in folder.started())
    process = folder.background()
    assert not said(lambda: build_lock.free(folder.place.build)) and folder.is_free()
    folder.wait_until("it has ended", lambda: not runs(process))
    build_lock.free(folder.place.build)  # nothing is being built any more


def two_commands_build_one_after_the_other(make):
    folder = make(steps_of(library=3))
    library = folder.started
    code = f"import sys; sys.path.insert(0, 'common'); from learn import builder; from learn.place import Place\n" \
           f"builder.build(Place('.', {str(folder.place.build)!r}, {STEMS}, ''), ['chapters/{STEMS[0]}'])"
    with subprocess.Popen([sys.executable, "-c", code], cwd=folder.place.source) as other:
        folder.wait_until("the other one builds", lambda: library())
        shown = said(lambda: builder.build(folder.place, [f"chapters/{STEMS[1]}"]))
        assert other.wait() == 0
    assert f"waiting for another command that builds here (process {other.pid})" in shown, shown
    assert sorted(folder.started()) == sorted(set(folder.started())) and folder.exists(f"chapters/{STEMS[1]}"), folder.started()


def a_killed_command_holds_the_lock_as_long_as_its_ninja_runs(make):
    folder = make(steps_of(library=2))
    code = f"import sys; sys.path.insert(0, 'common'); from learn import builder; from learn.place import Place\n" \
           f"builder.build(Place('.', {str(folder.place.build)!r}, {STEMS}, ''), ['chapters/{STEMS[0]}'])"
    with subprocess.Popen([sys.executable, "-c", code], cwd=folder.place.source) as other:
        folder.wait_until("it builds", folder.started)
        other.kill()
    assert not folder.is_free()
    folder.wait_until("ninja has ended", folder.is_free)


def a_failed_build_says_why_and_the_next_one_works(make):
    folder = make(steps_of() | {"chapters/broken": (None, [])})
    try:
        builder.build(folder.place, ["chapters/broken"])
        raise AssertionError("it did not fail")
    except builder.Failed as failed:
        assert failed.lines == ["kernels.cuh:3:1: error: no such thing"], failed.lines
    builder.build(folder.place, [f"chapters/{STEMS[0]}"])
    assert folder.is_free() and folder.exists(f"chapters/{STEMS[0]}")


def a_failed_step_keeps_no_other_from_being_built(make):
    steps = steps_of()
    folder = make(steps | {f"tests/chapters/{STEMS[0]}": (None, [])})
    background.start(folder.place, folder.place.chapters[0])
    folder.wait_until("the rest is built", lambda: folder.exists("steps") and folder.is_free())
    assert not folder.exists(background.MARK)  # the next command tries again
    assert "no such thing" in (folder.place.build / background.LOG).read_text(encoding="utf-8")


def an_interrupted_wait_leaves_nothing(make):
    folder = make(steps_of())
    lock = build_lock.take_if_free(folder.place.build, ["something"])
    stale = iter([False, False, True])
    try:
        builder.build(folder.place, ["steps"], is_stale=lambda: next(stale))
        raise AssertionError("it did not end")
    except processes.Superseded:
        pass
    lock.release()
    assert folder.is_free() and not folder.started()


def a_process_that_is_no_build_is_left_alone(make):
    folder = make(steps_of())
    with subprocess.Popen(["sleep", "60"]) as other:
        build_lock.stop({"process": other.pid})
        time.sleep(0.1)
        assert other.poll() is None
        other.kill()
    assert folder.is_free()


def progress_counts_work(make):
    now = [0.0]
    steps = ["Compiling C++ object long.o", "Linking target short", "Linking target shorter"]
    log = {"a/long.o": 90.0}
    assert seconds_of("Compiling C++ object a/long.o", log) == 90 and seconds_of("Linking target short", {}) == 0.1
    work = Work([steps[0].replace("long.o", "a/long.o"), *steps[1:]], log, 1, now=lambda: now[0])
    assert work.fraction() == 0 and 85 < work.seconds_left() < 95, (work.fraction(), work.seconds_left())
    work.finish(steps[1])
    assert work.fraction() < 0.01, work.fraction()  # one of three files, and nearly nothing of the work
    now[0] = 45.0
    assert 0.4 < work.fraction() < 0.6 and 35 < work.seconds_left() < 55, (work.fraction(), work.seconds_left())
    now[0] = 1000.0
    high = work.fraction()
    assert high < 1  # it is not done before it is done
    now[0] = 46.0  # as after a guess that was too high
    assert work.fraction() == high  # and never less than it was
    work.finish(steps[0].replace("long.o", "a/long.o"))
    work.finish(steps[2])
    work.finish("a step that was not planned")
    assert work.fraction() == 1 and work.seconds_left() == 0
    # A machine that takes twice as long as assumed: the estimate learns it.
    log = {f"a/{n}.o": 10.0 for n in range(20)}
    work = Work([f"Compiling C++ object a/{n}.o" for n in range(20)], log, 2, now=lambda: now[0])
    assert 90 < work.seconds_left() < 110, work.seconds_left()
    for n in range(10):
        now[0] += 10.0  # two at a time, 20 s each
        work.finish(f"Compiling C++ object a/{n}.o")
    assert 85 < work.seconds_left() < 105, work.seconds_left()
    assert [duration(seconds) for seconds in (1, 23, 88, 200)] == ["a few seconds", "about 25 s", "about 90 s", "about 3 minutes"]
    folder = make(steps_of())
    builder.build(folder.place, [f"chapters/{STEMS[0]}"])
    assert f"chapters/{STEMS[0]}" in read_log(folder.place.build)


KERNELS = "kernels.cuh"
WITH_DEPFILE = f"""rule compile
  command = echo "$out: {KERNELS}" > $out.d && {{ ! test -e hold || sleep 2; }} && cp {KERNELS} $out
  depfile = $out.d
  deps = gcc
build judge.p/judge.o: compile
build judge: step judge.p/judge.o
"""


def folder_with_depfile(make):
    folder = make(steps_of())
    (folder.place.build / "judge.p").mkdir()
    with open(folder.place.build / "build.ninja", "a", encoding="utf-8") as rules:
        rules.write(WITH_DEPFILE)
    (folder.place.build / KERNELS).write_text("first\n", encoding="utf-8")
    return folder


def asking_what_is_planned_leaves_a_build_its_depfiles(make):
    folder = folder_with_depfile(make)
    build, made = folder.place.build, folder.place.build / "judge.p/judge.o"
    (build / "hold").touch()  # the depfile is there for two seconds before ninja reads it
    with ThreadPool(1) as pool:
        done = pool.apply_async(lambda: builder.build(folder.place, ["judge"]))
        folder.wait_until("the step writes its depfile", (build / "judge.p/judge.o.d").exists)
        assert planned(processes.ninja(), build, ["judge"])
        done.get(PATIENCE)
    (build / "hold").unlink()
    (build / KERNELS).write_text("second\n", encoding="utf-8")
    builder.build(folder.place, ["judge"])
    assert made.read_text(encoding="utf-8") == "second\n", "the edit was not noticed"


def a_judge_that_is_older_than_what_it_judges_is_made_anew(make):
    folder = folder_with_depfile(make)
    build, kernels = folder.place.build, folder.place.build / KERNELS
    rules = (build / "build.ninja").read_text(encoding="utf-8")
    (build / "build.ninja").write_text(rules.replace(f"$out: {KERNELS}", "$out:"), encoding="utf-8")  # as if it had been lost
    builder.build_judge(folder.place, "judge", kernels)
    time.sleep(0.01)
    kernels.write_text("second\n", encoding="utf-8")
    builder.build(folder.place, ["judge"])
    assert (build / "judge.p/judge.o").read_text(encoding="utf-8") == "first\n"
    builder.build_judge(folder.place, "judge", kernels)
    assert (build / "judge.p/judge.o").read_text(encoding="utf-8") == "second\n"


def what_takes_long_says_how_far_it_is(make):
    folder = make(steps_of(library=3) | {"tests/little": (2, [])})
    assert said(lambda: builder.build(folder.place, ["tests/little"])) == ""  # it takes as long, but was expected to be short
    shown = said(lambda: builder.build(folder.place, [f"chapters/{STEMS[0]}"]))
    assert shown.startswith("building the simulated GPU: ") and " %, " in shown and shown.rstrip().endswith("left"), shown
    assert said(lambda: builder.build(folder.place, [f"chapters/{STEMS[0]}"])) == ""  # nothing to do, nothing to say


CASES = [what_is_next_is_built_first_then_the_rest, it_has_low_priority_and_there_is_one, it_gives_way_to_a_command,
         a_command_waits_if_it_is_building_what_is_wanted, it_gives_way_to_another_ninja_and_goes_on,
         a_step_that_is_not_loaded_yet_is_no_other_ninja, what_another_ninja_begins_is_not_removed, bootstrap_ends_it,
         two_commands_build_one_after_the_other, a_killed_command_holds_the_lock_as_long_as_its_ninja_runs,
         a_failed_build_says_why_and_the_next_one_works, a_failed_step_keeps_no_other_from_being_built,
         an_interrupted_wait_leaves_nothing, a_process_that_is_no_build_is_left_alone, progress_counts_work,
         asking_what_is_planned_leaves_a_build_its_depfiles, a_judge_that_is_older_than_what_it_judges_is_made_anew,
         what_takes_long_says_how_far_it_is]


def main(source, _build):
    if shutil.which("ninja") is None:
        print("ninja is not on the PATH")
        return 77
    for case in CASES:
        with tempfile.TemporaryDirectory(prefix="learn-test-") as scratch:
            count = iter(range(100))
            case(lambda steps, scratch=scratch, count=count: Folder(f"{scratch}/{next(count)}", source, steps))
        print(f"{case.__name__.replace('_', ' ')}: ok", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(*command_line.arguments("SOURCE_DIR BUILD_DIR")))
# SPDX-License-Identifier: MIT
