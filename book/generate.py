#!/usr/bin/env python3
"""Makes what the pages include from book/generated: output of programs, verdicts, tables.

generate.py BUILD_DIR            writes every file that a page includes, removes the others, and sets the numbers in the pages'
                                 sentences (claims/) and the tour in README
generate.py --check BUILD_DIR    fails if one of them would change, and says which
generate.py --page NN_topic BUILD_DIR    writes what the page of one chapter includes, and nothing else

A page asks for a file by including it; its name says what it holds:
  NN_topic.starter.cuh    what a reader edits, as shipped         NN_topic.starter.txt   what it prints
  NN_topic.run.txt        what the solved program prints
  NN_topic.profile.txt    the solved program with --profile       NN_topic.NAME.txt      experiment NAME
  NN_topic.NAME.SCHEDULE.txt   experiment NAME in another schedule of the simulated GPU
  NN_topic.wrong.NAME.txt      the judge on tests/wrong/NN_topic/NAME.cuh
  NN_topic.counters.md    the step before beside this chapter's kernels, counted by the simulated GPU
  NN_topic.timings.md, NN_topic.ncu.md    the same on a real GPU, from data files
  NN_topic.stepper.md     what the stepper of a page plays (stepper/stepper.py); its data goes to src/steps/NN_topic.js
  NN_topic.predict.md, NN_topic.quiz.md   what the page asks (questions.py), from the tables that the pages show
  NN_topic.NAME.timings.md     experiment NAME on a real GPU
  NN_topic.intensity.md        what a multiply-add of chapter 13 takes of memory, counted by the simulated GPU
  NN_topic.registers.md        what ptxas allots, from book/data/registers_sm90.json
  NN_topic.ptx.COMPILER.md, NN_topic.ptx_loop.COMPILER.KERNEL.txt    from book/data/unroll_ptx.json
  12_bandwidth_limit.limit_GPU.TABLE.md   from book/data/limit_GPU.json (common/measure.py limit)
  08_grid_sizing.unrolled_GPU.md   from book/data/unrolled_GPU.json (common/measure.py unrolled)
  14_many_gpus.gpus_GPU.TABLE.md   from book/data/gpus_GPU.json (common/measure.py gpus)
  15_softmax.rows_GPU.TABLE.md   from book/data/rows_GPU.json (common/measure.py rows)
  04_bank_conflicts.conflicts_GPU.md   from book/data/conflicts_GPU.json (common/measure.py conflicts)
  NN_topic.changes_GPU.NAME.md   experiment NAME, from book/data/changes_GPU.json (common/measure.py changes)
  13_gemm.products_GPU.md      from book/data/products_GPU.json (common/measure.py products)
  time.TABLE.md           from common/gpusim/timing/accuracy.json (tests/gpusim/fidelity/timing_truth_test.py --write)
  program.NAME.txt        tests/gpusim/programs/NAME.cu
  tour.txt, fidelity.md   `ninja tour`; the simulated GPU beside ncu
  metrics.md              our counters and the names that ncu gives them
  mistakes.md             mistakes.json beside the verdicts of the kernels that make them
Programs run on the simulated GPU, and are compiled by one version of clang (compiler.py), so that everybody gets the same
bytes. In a build with another version --check is skipped (exit status 77), and nothing is written.
"""
import difflib
import pathlib
import re
import subprocess
import sys

import compiler
import readme
from maker import Maker

BOOK = pathlib.Path(__file__).resolve().parent
ROOT = BOOK.parent
GENERATED = BOOK / "generated"
STEPS = BOOK / "src/steps"  # beside the pages: mdBook copies them, and a page loads its own
INCLUDED = re.compile(r"\{\{#include \.\./generated/([^\s:}]+)(?::\w+)?\}\}")
LATE = (".predict.md", ".quiz.md")  # made last: they read the tables
sys.path += [str(ROOT / "tests"), str(ROOT / "common")]
import command_line  # common/command_line.py
import whole_file
from chapter_table import stems as chapters


def wanted():
    """The files that pages include, and the data that goes with them."""
    names = {name for page in BOOK.glob("src/*.md") for name in INCLUDED.findall(page.read_text(encoding="utf-8"))}
    return sorted(names | {name.replace(".stepper.md", ".js") for name in names if name.endswith(".stepper.md")})


def edited_starters():
    """Starters that are not as shipped: what is made from them says nothing about the book."""
    from contract import is_edited  # tests/contract.py
    return [stem for stem in chapters() if is_edited(ROOT / "chapters" / stem / "kernels.cuh")]


def place_of(name):
    return (STEPS if name.endswith(".js") else GENERATED) / name


def surplus(names):
    """Files that no page asks for."""
    return [path for folder in (GENERATED, STEPS) for path in sorted(folder.glob("*")) if path.name not in names]


def not_of_edited_starters(names):
    """Without what would be made from a starter that somebody has edited: the book shows it as shipped."""
    edited = edited_starters()
    kept = []
    for name in names:
        stem, what, *_ = name.split(".")
        if what == "starter" and stem in edited:
            print(f"{name}: skipped, since chapters/{stem}/kernels.cuh has been edited")
        else:
            kept.append(name)
    return kept


def check(maker, names):
    changed = []
    for name in not_of_edited_starters(names):
        target = place_of(name)
        old = target.read_text(encoding="utf-8") if target.is_file() else ""
        new = maker.make(name)
        if old != new:
            changed.append(name)
            shown = f"book/{target.relative_to(BOOK)}"
            differences = difflib.unified_diff(old.splitlines(True), new.splitlines(True), shown, "now")
            sys.stdout.writelines([f"{shown}: other data\n"] if name.endswith(".js") else differences)
    extra = surplus(names)
    for path in extra:
        print(f"book/{path.relative_to(BOOK)} is in no page")
    if changed or extra:
        sys.exit(f"{len(changed)} changed, {len(extra)} in no page; make them again: ninja -C BUILD book-refresh")
    print(f"{len(names)} files are what the programs print now")


def write_page(maker, stem):
    """For the author of a page, who has built the programs of one chapter: what the other pages include stays as it is."""
    if stem not in chapters():
        command_line.stop(f"there is no chapter {stem}; there are {', '.join(chapters())}")
    page = (BOOK / f"src/{stem}.md").read_text(encoding="utf-8")
    names = [name for name in INCLUDED.findall(page) if name.startswith(stem + ".")]
    names += [name.replace(".stepper.md", ".js") for name in names if name.endswith(".stepper.md")]
    for name in sorted(set(names), key=lambda name: (name.endswith(LATE), name)):
        place_of(name).parent.mkdir(exist_ok=True)
        whole_file.write(place_of(name), maker.make(name))
    print(f"wrote {len(set(names))} files for book/src/{stem}.md")


def write(maker, names):
    late = [name for name in names if name.endswith(LATE)]
    kept = not_of_edited_starters(names)
    texts = {name: maker.make(name) for name in kept if name not in late}  # all, before the first is written
    for path in surplus(names):
        path.unlink()
    for name in names:
        place_of(name).parent.mkdir(exist_ok=True)
        if name in texts:
            whole_file.write(place_of(name), texts[name])
    for name in late:
        whole_file.write(place_of(name), maker.make(name))
    whole_file.write(readme.README, readme.with_tour())
    print(f"wrote {len(names)} files to {GENERATED} and {STEPS}")
    subprocess.run([sys.executable, ROOT / "tests/book/claims_test.py", "--write"], check=True)


def main(*arguments):
    *options, build = arguments
    build = pathlib.Path(build).resolve()
    if (build / "simcc").exists():  # else the programs are missing, too, and told so
        compiler.must_be_the_books(build, checks=options == ["--check"])
    maker = Maker(build)
    if options[:1] == ["--page"]:
        write_page(maker, options[1])
    else:
        (check if options else write)(maker, wanted())


if __name__ == "__main__":
    command_line.run(main, __doc__, "[--check | --page NN_topic] BUILD_DIR", lambda arguments: (
        arguments and not arguments[-1].startswith("-")
        and (arguments[:-1] in ([], ["--check"]) or (len(arguments) == 3 and arguments[0] == "--page"))))
# SPDX-License-Identifier: MIT
