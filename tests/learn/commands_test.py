#!/usr/bin/env python3
"""What `learn` does without judging a kernel: where one is, hints, the starter back, wrong command lines. Suite `learn`.

commands_test.py SOURCE_DIR BUILD_DIR
"""
import os
import pathlib
import re
import resource
import subprocess
import sys

from scratch import STEM, Scratch, Terminal, has_git, has_rich, run_cases, shipped

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "common"))
import command_line
from learn import parts
from learn.hints import hints_of
from learn.place import Place
from learn.screen import printable

WRONG = {  # arguments: a part of the one line
    ("99",): "no one chapter is called '99'",
    ("nonsense",): "no one chapter is called 'nonsense'",
    ("a",): "no one chapter is called 'a'; there are",
    ("--fast",): "unknown option '--fast'",
    ("06", "07"): "what is '07'",
    ("watch", "99"): "no one chapter is called '99'",
    ("watch", "02", "03"): "what is '03'",
    ("read", "99"): "no one chapter is called '99'",
    ("read", "nothing"): "Pages that are no chapters: exercises,",
    ("read", "02", "--fast"): "what is '--fast'",
    ("hint", "--all"): "what is '--all'",
    ("hint", "02", "99"): "and no hint 99",
    ("next", "02"): "what is '02'",
    ("diff", "--no"): "what is '--no'",
    ("trace", "--warp"): "--warp needs a number",
    ("trace", "--warp", "x"): "'x' is not a number",
    ("trace", "--schedule"): "--schedule needs a schedule",
    ("trace", "--schedule", "lockstep"): "'lockstep' is not a schedule",
    ("trace", "--n", "²"): "'²' is not a number",
    ("²",): "no one chapter is called '²'",
    ("hint", "02", "²"): "what is '²'",
    ("",): "what is ''",
    ("watch", ""): "what is ''",
    ("no\nchapter",): "no one chapter is called 'no chapter'",
}


def wrong_command_lines(clone: Scratch):
    for arguments, part in WRONG.items():
        status, out, err = clone.learn(*arguments)
        assert status == 2 and len(err.splitlines()) == 1 and part in err and not out, (arguments, status, out, err)
    for arguments in ((), ("--help",), ("next",)):
        closed = subprocess.run(clone.command(*arguments), cwd=clone.root, stderr=subprocess.PIPE, text=True, check=False,
                                preexec_fn=lambda: os.close(1))
        assert (closed.returncode, closed.stderr) == (1, "learn: standard output: Bad file descriptor\n"), closed
    status, out, _ = clone.learn("--help")
    words = ("read", "watch", "hint", "next", "diff", "stretch", "trace", "reset")
    assert status == 0 and all(word in out for word in words), out


def where_am_i(clone: Scratch):
    status, out, err = clone.learn()
    assert (status, err) == (0, ""), (status, out, err)
    assert all(stem[:2] in out for stem in clone.stems) and f"0 of {len(clone.stems)} done, 0 begun." in out, out
    assert "Next: chapters/01_global_memory/kernels.cuh" in out and "\x1b" not in out, out
    first = clone.learn("next")[1]
    again = clone.learn("next")[1]
    assert first.startswith("01 global memory") and "Question" in first and "kernels.cuh:" in first, first
    assert again.startswith("02 shared memory"), again
    if has_rich():
        terminal = Terminal(clone.command(), clone.root)
        assert terminal.end() == 0 and "\x1b[" in terminal.shown and "Next:" in terminal.text(), terminal.shown


def hints_are_the_pages_and_end_with_all(clone: Scratch):
    for chapter in Place(clone.root, clone.build, clone.stems, "").chapters:
        starter = chapter.content().decode()
        of_page = len(re.findall(r"<summary>Hint", chapter.page.read_text(encoding="utf-8")))
        hints = hints_of(chapter, starter)
        solution = {line.strip() for line in chapter.solution.read_text(encoding="utf-8").splitlines()}
        written = solution - {line.strip() for line in starter.splitlines()}
        first, whole = hints[0][1], "\n".join(text for _, text in hints)
        lacking = written - {line.strip() for line in whole.splitlines()}
        assert len(hints) >= max(of_page, 2) and not lacking, f"{chapter.stem}: {len(hints)} hints lack {lacking}"
        assert not written & {line.strip() for line in first.splitlines()}, f"{chapter.stem}: hint 1 shows the solution"
        assert "{{#" not in whole and "</details>" not in whole, f"{chapter.stem}: {whole}"


def pages_are_whole_and_spoil_nothing(clone: Scratch):
    html = re.compile(r"</?(div|p|details|summary|svg|td|li|sup|code)\b")
    outside_code = lambda text: re.sub(r"(?ms)^```.*?^```", "", text)
    for chapter in Place(clone.root, clone.build, clone.stems, "").chapters:
        page = chapter.page.read_text(encoding="utf-8")
        headings = [re.sub(r" *\{#.*", "", line) for line in outside_code(page).splitlines() if line.startswith("## ")]
        exercise = max(at for at, line in enumerate(headings) if line.startswith(("## Exercise", "## A second exercise")))
        status, out, err = clone.learn("read", chapter.number)
        assert (status, err) == (0, ""), (chapter.stem, status, err)
        assert not html.search(outside_code(out)) and "{{#" not in out and "{#" not in outside_code(out), chapter.stem
        shown = [line for line in out.splitlines() if line in headings]
        assert shown == headings[:exercise + 1], (chapter.stem, shown)
        starter = {line.strip() for line in chapter.content().decode().splitlines()}
        solution = {line.strip() for line in chapter.solution.read_text(encoding="utf-8").splitlines()}
        # (A short line, as "const int lane = …", may stand in code that the page gives.)
        spoiled = {line for line in solution - starter if len(line) > 45} & {line.strip() for line in out.splitlines()}
        assert not spoiled, (chapter.stem, spoiled)
        assert out.count(f" hint {chapter.number} ") == len(re.findall(r"<summary>Hint", page)), chapter.stem
        whole = clone.learn("read", chapter.number, "--all")[1]
        assert all(line in whole.splitlines() for line in headings), chapter.stem
        assert whole.count(f" trace {chapter.number}`") == page.count(".stepper.md}}"), chapter.stem
    for page in ("machine", "exercises", "glossary", "mistakes"):
        status, out, err = clone.learn("read", page)
        assert (status, err) == (0, "") and out.startswith("# ") and not html.search(outside_code(out)), (page, status, err)
    for code in ("`sum_few<true>`", "`sum_few<false>`"):  # <true> is no tag
        assert code in clone.learn("read", "occupancy", "--all")[1], code
    status, out, err = clone.learn("read", "02", "--browser", BROWSER="/bin/true")
    written = (clone.root / ".learn/pages/02_shared_memory.html").read_text(encoding="utf-8")
    assert (status, out, err) == (0, "", "") and "Shared memory" in written and "<" in written, (status, out, err)


def parts_are_joined_as_one_run(_clone: Scratch):
    assert parts.ranges_of([1, 1, 1, 1], 2) == [(1, 2), (3, 4)] and parts.ranges_of([5, 1, 1], 3) == [(1, 1), (2, 2), (3, 3)]
    assert parts.ranges_of([1, 1, 4], 2) == [(1, 2), (3, 3)] and parts.ranges_of([2], 4) == [(1, 1)]
    part = lambda name, *kinds: {"verdict": name, "test_cases": [name], "measurements": [name],
                                 "findings": [{"kind": kind} for kind in kinds]}
    clean, race, slow = part("clean"), part("race", "hazard"), part("slow", "unimproved")
    verdict = lambda *outcomes: (parts.joined(list(outcomes)) or {}).get("verdict")
    assert verdict(clean, clean) == "clean" and verdict(clean, race) == "race" and verdict(race, clean) == "race"
    assert verdict(race, slow) == "race" and verdict(clean, slow) == "slow" and verdict(slow, clean) is None
    assert verdict(slow, race) is None  # the race alone would say less than both
    assert parts.joined([clean, race])["test_cases"] == ["clean", "race"]
    assert parts.joined([race, clean])["test_cases"] == ["race"]


def a_hint_more_each_time(clone: Scratch):
    shown = [clone.learn("hint", *words)[1] for words in ([], ["02"], [], [], [], ["03"], ["02", "1"], [])]
    titles = [text.splitlines()[0] for text in shown]
    expected = ["01 global memory  Hint 1"] + [f"02 shared memory  Hint {n}" for n in (1, 2, 3, 4)] + [
        "03 divergence  Hint 1", "02 shared memory  Hint 1", "02 shared memory  Hint 2"]
    assert all(title.startswith(wanted) for title, wanted in zip(titles, expected)), titles


def reset_keeps_a_copy(clone: Scratch):
    starter = clone.kernels.read_bytes()
    assert "as shipped already" in clone.learn("reset", "02")[1]
    clone.edit()
    mine = clone.kernels.read_bytes()
    status, out, err = clone.learn("reset", "02")
    assert (status, err) == (0, "") and clone.kernels.read_bytes() == starter, (status, out, err)
    kept = [path for path in (clone.root / ".learn/kept" / STEM).glob("*.cuh") if path.read_bytes() == mine]
    assert len(kept) == 2, kept  # under its date, and as the last one
    assert "learn restore 02" in clone.learn()[1]
    assert clone.learn("restore", "02")[0] == 0 and clone.kernels.read_bytes() == mine
    assert "already" in clone.learn("restore", "02")[1]
    status, out, err = clone.learn("restore", "03")
    assert status == 1 and len(err.splitlines()) == 1 and "nothing is kept of chapter 03" in err, (status, out, err)


def a_missing_exercise_comes_back(clone: Scratch):
    starter = clone.kernels.read_bytes()
    clone.learn("hint", "02")  # keeps the starters
    clone.kernels.unlink()
    status, out, err = clone.learn()
    assert (status, err) == (0, "") and "learn reset 02" in out and "01 global memory" in out, (status, out, err)
    status, out, err = clone.learn("02")
    assert status == 1 and err.count("\n") == 1 and "kernels.cuh is missing; `learn reset 02`" in err, (status, out, err)
    assert clone.learn("hint", "03")[0] == 0  # other chapters do not care
    assert clone.learn("reset", "02")[0] == 0 and clone.kernels.read_bytes() == starter
    clone.edit()
    mine = clone.kernels.read_bytes()
    assert clone.learn("reset", "02")[0] == 0
    clone.kernels.unlink()
    assert clone.learn("restore", "02")[0] == 0 and clone.kernels.read_bytes() == mine


def what_steers_a_terminal_is_written_out(_clone: Scratch):
    assert printable("\x1b[2J✓ 02 done\r") == "\\x1b[2J✓ 02 done\\x0d" and printable("\t|é\u009b") == "\t|é\\x9b"


def a_pull_keeps_what_the_learner_wrote(clone: Scratch):
    if not has_git():
        print("skipped: git is not installed, so nothing can be pulled")
        return
    run = lambda *command: subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *command], cwd=clone.root,
                                          check=True, capture_output=True, text=True)
    (clone.root / ".gitignore").write_text((clone.real_source / ".gitignore").read_text(encoding="utf-8"), encoding="utf-8")
    run("init", "-q", "-b", "main")
    run("add", ".")
    run("commit", "-qm", "as shipped")
    clone.learn("hint", "02")
    clone.edit()
    mine = clone.kernels.read_bytes()
    assert ".learn" not in run("status", "--porcelain").stdout
    run("commit", "-qam", "my solution")  # the history knows the starter, and so does .learn
    for path in (clone.root / ".learn/starters").glob("*"):
        path.unlink()
    assert clone.learn("reset", "02")[0] == 0 and b"TODO(you)" in clone.kernels.read_bytes()
    # The next pull may bring the exercise anew.
    clone.kernels.write_bytes(shipped(clone.real_source, STEM))
    assert clone.learn("restore", "02")[0] == 0 and clone.kernels.read_bytes() == mine


def what_cannot_be_read_is_begun_anew(clone: Scratch):
    (clone.root / ".learn").mkdir()
    (clone.root / ".learn/state.json").write_text("{ half", encoding="utf-8")
    status, out, err = clone.learn("hint", "02")
    assert status == 0 and "Hint 1" in out and len(err.splitlines()) == 1 and "state.broken" in err, (status, out, err)
    assert (clone.root / ".learn/state.broken").read_text(encoding="utf-8") == "{ half"
    status, out, err = clone.learn("hint", "02")
    assert (status, err) == (0, "") and "Hint 2" in out, (status, out, err)


def a_full_disk_is_named_and_harms_nothing(clone: Scratch):
    """No file may be longer than a few bytes, which a program is told as it is told that a disk is full."""
    mine = clone.kernels.read_bytes()
    for command in ("hint", "reset"):
        done = subprocess.run(clone.command(command, "02"), text=True, capture_output=True, check=False,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)))
        assert done.returncode == 1 and re.fullmatch(r"learn: .*/\.learn/\S+: File too large\n", done.stderr), done
        assert [path for path in (clone.root / ".learn").rglob("*") if path.is_file() and path.stat().st_size] == []
        assert clone.kernels.read_bytes() == mine


def without_the_packages(clone: Scratch):
    """Plain text, and one line where watching needs one."""
    hidden = clone.root / "hidden"
    for name in ("rich", "watchdog"):
        (hidden / name).mkdir(parents=True)
        (hidden / name / "__init__.py").write_text("raise ImportError", encoding="utf-8")
    environment = {"PYTHONPATH": str(hidden), "PATH": "/usr/bin:/bin"}
    run = lambda *arguments: subprocess.run(clone.command(*arguments), text=True, capture_output=True, check=False,
                                            env=environment)
    done = run("watch", "02")
    assert done.returncode == 1 and done.stderr.count("\n") == 1 and "python3-watchdog" in done.stderr, done
    done = run()
    assert done.returncode == 0 and "02 shared memory" in done.stdout, done


if __name__ == "__main__":
    run_cases([wrong_command_lines, where_am_i, hints_are_the_pages_and_end_with_all, pages_are_whole_and_spoil_nothing,
               parts_are_joined_as_one_run,
               a_hint_more_each_time, reset_keeps_a_copy, a_missing_exercise_comes_back,
               what_steers_a_terminal_is_written_out,
               a_pull_keeps_what_the_learner_wrote, what_cannot_be_read_is_begun_anew,
               a_full_disk_is_named_and_harms_nothing, without_the_packages],
              *map(pathlib.Path, command_line.arguments("SOURCE_DIR BUILD_DIR")))
# SPDX-License-Identifier: MIT
