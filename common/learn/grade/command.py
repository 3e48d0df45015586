"""The command line of `learn grade`."""
import argparse
import concurrent.futures
import contextlib
import os
import pathlib
import sys
import tempfile

import command_line
from learn import builder
from learn.grade import exercise, reports, sandbox, submissions
from learn.grade.judge import Judgement, Result
from learn.place import Unknown
from learn.screen import printable

HELP = """learn grade FOLDER…        judges submissions, of people whom you need not trust, and prints verdicts and points

  FOLDER/STUDENT/02.cuh  or 02_shared_memory.cuh, or 02_shared_memory/kernels.cuh: a folder for each student
  --chapter 02           grades this chapter alone; then FOLDER/STUDENT.cuh and FOLDER/STUDENT/kernels.cuh do as well
  --one                  FOLDER is that of one student, as on Gradescope
  --csv FILE             writes a row for each student and gap; --json FILE the same with all counters
  --gradescope FOLDER    writes results.json there; of several students, to FOLDER/STUDENT/results.json
  --jobs N               so many at the same time (as many as there are processors)
  --without-sandbox      without bubblewrap, where it does not work: only for code that you trust

Ends with status 1 if something could not be graded. The book's page for teachers says what a cheater could still do."""


class Parser(argparse.ArgumentParser):
    def error(self, message):
        command_line.stop(f"grade: {message} (learn grade --help)", 2)


def positive(text):
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of jobs")
    return int(text)


def parsed(words):
    parser = Parser(prog="learn grade", add_help=False, allow_abbrev=False)
    parser.add_argument("folders", nargs="*", metavar="FOLDER")
    parser.add_argument("--chapter")
    parser.add_argument("--one", action="store_true")
    for name in ("--csv", "--json", "--gradescope"):
        parser.add_argument(name)
    parser.add_argument("--jobs", type=positive, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--without-sandbox", action="store_true")
    options = parser.parse_args(words)
    if not options.folders:
        parser.error("which folder of submissions?")
    for folder in options.folders:
        if not os.path.isdir(folder):
            why = "it is a file; expected a folder" if os.path.exists(folder) else "no such folder"
            command_line.stop(f"grade: {folder}: {why}", 2)
    for name in ("csv", "json"):
        parent = os.path.dirname(getattr(options, name) or "") or "."
        if not os.path.isdir(parent):
            command_line.stop(f"grade: --{name}: there is no folder {parent}", 2)
    return options


def found_in(options, chapters):
    called = lambda chapter: (chapter.number, chapter.stem, str(int(chapter.number)))
    only = next((chapter for chapter in chapters if options.chapter in called(chapter)), None)
    if options.chapter and not only:
        raise Unknown(f"--chapter: no chapter is called '{options.chapter}'; "
                      f"there are {chapters[0].number} … {chapters[-1].number}")
    finder = submissions.Finder(chapters, only)
    for folder in options.folders:
        if options.one:
            finder.look_into_student(folder, os.path.basename(os.path.abspath(folder)))
        else:
            finder.look_into(folder)
    return list(finder.found.values()), finder.complaints


def grade(place, options, found, scratch):
    """The results, in the order of the submissions."""
    chapters = {submission.chapter.stem: submission.chapter for submission in found}
    tools = exercise.Tools(place, scratch)
    cage = sandbox.Sandbox(not options.without_sandbox, tools.programs)
    cage.check(scratch)
    exercises = {stem: exercise.Exercise(tools, chapter, cage, scratch) for stem, chapter in chapters.items()}

    def result(number, submission):
        try:
            return Judgement(exercises[submission.chapter.stem], submission, pathlib.Path(scratch, str(number))).result()
        except sandbox.Stopped:
            raise
        except Exception as error:  # whatever it is, the other submissions are graded all the same
            return Result(submission.student, submission.chapter.stem, submission.path, verdict=f"not judged: {error}",
                          gaps=exercises[submission.chapter.stem].gaps)

    pool = concurrent.futures.ThreadPoolExecutor(options.jobs)
    try:
        futures = [pool.submit(result, number, submission) for number, submission in enumerate(found)]
        with contextlib.ExitStack() as shown:
            show = shown.enter_context(place.screen.progress()) if place.screen.is_terminal else None
            for count, _ in enumerate(concurrent.futures.as_completed(futures), 1):
                if show:
                    show(f"grading: {count} of {len(futures)} submissions", count / len(futures))
        return [future.result() for future in futures]
    finally:  # also where an interruption has ended this early
        cage.stop()
        pool.shutdown(cancel_futures=True)


def remark_twins(results):
    """Two students with the same file have talked to each other, or one has not been asked."""
    first = {}
    for result in results:
        if result.digest:
            other = first.setdefault((result.chapter, result.digest), result)
            if other is not result and result.state != "not started":
                result.remarks.append(f"the same file as {other.student}'s")


def run(place, words):
    if words in (["--help"], ["-h"]):
        print(HELP)
        return 0
    options = parsed(words)
    if not place.is_simulated:
        command_line.stop("grade: submissions are judged on the simulated GPU, which this build lacks")
    found, complaints = found_in(options, place.chapters)
    results = []
    if found:
        builder.build(place, ["grading"])
        try:
            with tempfile.TemporaryDirectory(prefix="learn-grade-") as scratch:
                results = grade(place, options, found, scratch)
        except (sandbox.Missing, exercise.Failed) as missing:
            command_line.stop(f"grade: {missing}")
        remark_twins(results)
        reports.show(place.screen, results)
        if options.csv:
            reports.write_text(options.csv, reports.as_csv(results))
        if options.json:
            reports.write_text(options.json, reports.as_json(results))
        if options.gradescope:
            reports.write_gradescope(options.gradescope, results)
    for complaint in complaints:
        print(f"learn: grade: {printable(complaint)}", file=sys.stderr)
    if not found:
        command_line.stop("grade: no submission to judge (learn grade --help says where they are looked for)")
    return 1 if complaints or any(result.state == "missing" for result in results) else 0
# SPDX-License-Identifier: MIT
