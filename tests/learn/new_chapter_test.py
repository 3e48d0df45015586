#!/usr/bin/env python3
"""A new chapter (common/new_chapter.py) configures, builds, and is judged as its files say. Suite `learn`.

new_chapter_test.py SOURCE_DIR BUILD_DIR    (BUILD_DIR has the libraries that the chapter's programs are linked with)
"""
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile

sys.path += [str(pathlib.Path(__file__).resolve().parents[2] / folder) for folder in ("common", "book")]
import chapter_table
import command_line
import compiler

NOT_COPIED = re.compile(r"build.*|\.git|\.learn|\.cache")
NOT_STARTED = 77
STEPS = "tests/book/steps"  # what the book's stepper plays
LIBRARY = re.compile(r"(?<=\s)[\w/.-]+\.a(?=\s|$)")


def next_name(root):
    return f"{len(chapter_table.stems(root)) + 1:02}_softmax_of_rows"


def copy_of(source, folder):
    """The repository without what is built; not a symbolic link, for the script writes into it."""
    root = pathlib.Path(folder, "copy")
    left_out = lambda path, names: [name for name in names if name in ("node_modules", "__pycache__")
                                    or (path == str(source) and NOT_COPIED.fullmatch(name))]
    shutil.copytree(source, root, ignore=left_out)
    return root


def state(root):
    """When each file was written last, and its size."""
    paths = [pathlib.Path(folder, name) for folder, _, names in os.walk(root) if "__pycache__" not in folder for name in names]
    return {path: (path.stat().st_mtime_ns, path.stat().st_size) for path in paths}


def new_chapter(root, *arguments, **options):
    return subprocess.run([sys.executable, "-B", root / "common/new_chapter.py", *arguments], text=True, capture_output=True,
                          check=False, **options)


def refuses(root, before, names, part, **options):
    """One line that says why, an exit status that is not 0, and not a byte changed."""
    done = new_chapter(root, *names, **options)
    assert done.returncode in (1, 2) and len(done.stderr.splitlines()) == 1 and not done.stdout, (names, done)
    assert part in done.stderr, f"{names}: expected `{part}` in: {done.stderr}"
    now = state(root)
    changed = [path for path in {*before, *now} if before.get(path) != now.get(path)]
    assert not changed, f"{names} was refused, and changed {changed}"
    assert not list(root.glob("*/" + next_name(root))), "a folder was left behind"


def test_refusals(root):
    stem, before = next_name(root), state(root)
    number = stem[:2]
    for names, part in {(): "expected:", (stem, stem): "expected:", ("--help-me",): "expected:", ("softmax",): "NN_topic",
                        (f"{number}_Softmax",): "NN_topic", (f"{number}_",): "NN_topic", (f"{number}_a b",): "NN_topic",
                        (f"{number}_../x",): "NN_topic", (f"{number}_ä",): "NN_topic", (f"{number}_{'x' * 40}",): "characters",
                        ("99_softmax",): f"number is {number}", ("01_softmax",): f"number is {number}",
                        (f"{number}_scan",): "10_scan"}.items():
        refuses(root, before, names, part)

    # What is in the way stays, whichever of the files it is.
    for path in (f"book/src/{stem}.md", f"tests/wrong/{stem}/no_barrier_in_the_tree.edit"):
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_text("mine", encoding="utf-8")
        done = new_chapter(root, stem)
        assert done.returncode == 1 and f"{path} is there already" in done.stderr, done
        (root / path).unlink()
    (root / f"tests/wrong/{stem}").rmdir()

    # A table that is not where it was.
    summary = root / "book/src/SUMMARY.md"
    text = summary.read_text(encoding="utf-8")
    summary.write_text(text.replace("- [What you can do now]", "- [Recap]"), encoding="utf-8")
    refuses(root, state(root), (stem,), "SUMMARY.md: found 0 places")
    summary.write_text(text, encoding="utf-8")

    # The disk is full when some of the files have been written.
    small = max(size for _, size in state(root / "common/chapter_template").values()) + 1000
    refuses(root, state(root), (stem,), "File too large",
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (small, small)))


def test_format(root, real, stem):
    """The new files are formatted, however long the name is. (Only where `sh common/format.sh` has brought its tools.)"""
    formatter = real / "format-tools/bin/clang-format"
    files = [f"chapters/{stem}/main.cu", f"tests/chapters/{stem}.cu", "book/stepper/steps.cu", "book/figures/chapters.cuh"]
    if formatter.exists():
        done = subprocess.run([formatter, "--dry-run", "--Werror", *files], cwd=root, text=True, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr


def build(root, real, stem):
    """Configures the copy, and builds the new chapter's programs alone: libraries are those of the real build."""
    folder = root / "build"
    options = [f"-D{name}={value}" for name, value in options_of(real).items()]
    done = subprocess.run(["meson", "setup", folder, root, "-Dgpu=disabled", *options], text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert done.returncode == 0, done.stdout
    for shared in ("common/gpusim/gpusim_ptxcheck", "tests/chapters/libjudge.so"):
        (folder / shared).symlink_to(real / shared)
    targets = subprocess.run(["ninja", "-C", folder, "-t", "targets", "all"], text=True, capture_output=True, check=True).stdout
    programs = [target for target in re.findall(r"^(\S+): cpp_LINKER", targets, re.MULTILINE) if stem in target]
    assert len(programs) == 7, programs  # two programs, four judges, and one with all accesses kept
    programs.append(STEPS)
    commands = subprocess.run(["ninja", "-C", folder, "-t", "commands", *programs], text=True, capture_output=True, check=True)
    for command in commands.stdout.splitlines():
        if not any(part in command for part in (stem, STEPS, ".pch ")):
            continue  # of the libraries
        in_real_build = lambda found: str(real / found[0]) if (real / found[0]).exists() else found[0]
        done = subprocess.run(LIBRARY.sub(in_real_build, command), shell=True, cwd=folder, text=True, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        assert done.returncode == 0, f"{command}\n{done.stdout}"


def options_of(real):
    """The options of the real build that decide which compilers a build needs."""
    told = json.loads(subprocess.run(["meson", "introspect", "--buildoptions", real], capture_output=True, check=True).stdout)
    return {option["name"]: option["value"] for option in told if option["name"] in ("clang", "b_sanitize") and option["value"]}


def judge(program, status, verdict):
    done = subprocess.run([program], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    assert done.returncode == status and f"\nverdict: {verdict}" in done.stdout, f"{program}: {done.returncode}\n{done.stdout}"


def contract(root, *arguments):
    done = subprocess.run([sys.executable, root / "tests/contract.py", *arguments], text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False, env={**os.environ, "CI": "true"})
    assert done.returncode == 0, done.stdout


def test_programs(root, stem):
    judges, chapter = root / "build/tests/chapters", root / "chapters" / stem / "kernels.cuh"
    wrong, right = f"wrong/{stem}/no_barrier_in_the_tree", f"right/{stem}/shuffles_in_each_warp"
    program_of = lambda name: judges / ".".join([stem, name.split("/")[0], name.split("/")[2]])
    judge(judges / stem, NOT_STARTED, "not started")
    judge(judges / f"{stem}.solution", 0, "done")
    contract(root, "starter", judges / stem, chapter)
    contract(root, "todo", chapter, root / "solutions" / stem / "kernels.cuh")
    contract(root, "wrong", program_of(wrong), root / "tests" / f"{wrong}.edit")
    contract(root, "right", program_of(right), root / "tests" / f"{right}.edit")
    contract(root, "stretch", judges / f"{stem}.solution", program_of(right))
    for program in ("chapters", "solutions"):
        told = subprocess.run([root / "build" / program / stem, "--json"], capture_output=True, check=True).stdout
        assert [(row["kernel"], row["step"]) for row in json.loads(told)["rows"]] == [("sum_tile", True)], told


def test_registered(root, stem):
    """The tests, `learn` and the book know the chapter."""
    told = subprocess.run(["meson", "introspect", "--tests", root / "build"], capture_output=True, check=True).stdout
    names = [test["name"] for test in json.loads(told)] + [suite for test in json.loads(told) for suite in test["suite"]]
    for name in (f"{stem} is not started, as shipped", f"{stem} rejects no barrier in the tree",
                 f"{stem} accepts shuffles in each warp", f"warp-by-warp:{stem}"):
        assert name in names, f"no test is called {name}"
    assert stem in (root / "build/learn").read_text(encoding="utf-8"), "learn does not know the chapter"
    for check in ("chapters", "anchors", "code", "links"):
        status, said = checked_pages(root, check)
        assert status == 0, said
    status, said = checked_pages(root, "finished")
    assert status == 1 and f"{stem}.md:3: TODO(author)" in said, said


def checked_pages(root, check):
    """Exit status and output of a check of the book's pages."""
    done = subprocess.run([sys.executable, root / "tests/book/pages_test.py", check], text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode, done.stdout


def test_page(root, stem):
    """What the page shows can be made from the chapter's programs, and then every include finds something."""
    done = subprocess.run([sys.executable, "book/generate.py", "--page", stem, "build"], text=True, check=False, cwd=root,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if compiler.of_build(root / "build") != compiler.COMPILER:
        assert done.returncode == 1 and done.stdout.startswith("the book shows what "), done.stdout
        print(f"skipped: the page of a new chapter; {done.stdout.strip()}")
        return
    assert done.returncode == 0, done.stdout
    status, said = checked_pages(root, "includes")
    assert status == 0, said
    heading = (root / f"book/generated/{stem}.counters.md").read_text(encoding="utf-8").splitlines()[0]
    assert heading == "| counter | `sum_tile` |", f"the chapter's table counts {heading}"
    assert (root / f"book/src/steps/{stem}.js").stat().st_size > 1000


def main():
    source, real = map(pathlib.Path, command_line.arguments("SOURCE_DIR BUILD_DIR"))
    with tempfile.TemporaryDirectory() as folder:
        root = copy_of(source, folder)
        test_refusals(root)
        stem = next_name(root)
        done = new_chapter(root, stem)
        assert done.returncode == 0 and stem in done.stdout, done
        refuses(root, state(root), (stem,), "number is")
        test_format(root, real.resolve(), stem)
        build(root, real.resolve(), stem)
        test_programs(root, stem)
        test_registered(root, stem)
        test_page(root, stem)
    print("a new chapter is judged as its files say")


if __name__ == "__main__":
    main()
# SPDX-License-Identifier: MIT
