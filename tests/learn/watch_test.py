#!/usr/bin/env python3
"""`learn watch` judges on every save, with and without a terminal, and harms nothing when it is interrupted. Suite `learn`.

watch_test.py SOURCE_DIR BUILD_DIR
"""
import contextlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

from scratch import PATIENCE, TREE, Scratch, Terminal, has_rich, run_cases

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "common"))
import command_line

SKIP = 77


def follow(process, text):
    """The lines that it prints, up to the one that contains this text."""
    lines = []
    for line in process.stdout:
        lines.append(line)
        if text in line:
            return "".join(lines)
    raise AssertionError(f"`{text}` was not printed, but:\n{''.join(lines)}")


def of_others(clone):
    """Command lines of processes that run a program of this clone's build."""
    for process in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            words = process.read_bytes().decode("utf-8", "replace").split("\0")
            if words[0].startswith(str(clone.build)):
                yield " ".join(words)


def start(clone, *arguments):
    return subprocess.Popen(clone.command(*arguments), cwd=clone.root, text=True, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=os.environ | {"TMPDIR": str(clone.root)})


def judges_on_every_save(clone: Scratch):
    with start(clone, "watch", "02") as watching:
        follow(watching, "○ 02 not started")
        clone.edit([(old, new.replace("  __syncthreads();\n", "")) for old, new in TREE])
        follow(watching, "✗ 02 race:")
        beside = clone.kernels.with_suffix(".new")  # as many editors save
        beside.write_text(clone.kernels.read_text(encoding="utf-8").replace("0.0f;\n\n", "0.0f;\n  __syncthreads();\n\n"),
                          encoding="utf-8")
        os.replace(beside, clone.kernels)
        saved = time.monotonic()
        shown = follow(watching, "✓ 02 done")
        print(f"from save to verdict: {time.monotonic() - saved:.1f} s")
        assert shown.rstrip("\n").splitlines()[-1] == "✓ 02 done", shown
        follow(watching, "✓ 02 done, and proved for every n")
        watching.send_signal(signal.SIGTERM)
        assert watching.wait(PATIENCE) == -signal.SIGTERM


def on_a_terminal_it_takes_keys(clone: Scratch):
    watching = Terminal(clone.command("watch", "02"), clone.root)
    watching.wait_for("02 not started")
    clone.edit([("const int t = threadIdx.x;", "const int t = threadIdx.x;  // mine")])
    watching.wait_for("02 begun: 0 of 4")
    watching.press("h")
    watching.wait_for("Hint 1")
    watching.press("h")
    watching.wait_for("Hint 2")
    watching.press("n")
    watching.wait_for("03 divergence")
    watching.press("\x03")  # ^C is how one leaves it
    assert watching.end() == 0, watching.text()
    watching = Terminal(clone.command("watch", "02"), clone.root)
    watching.wait_for("02 begun")
    watching.press("q")
    assert watching.end() == 0, watching.text()


def an_interruption_harms_nothing(clone: Scratch):
    """At any moment: what is remembered can be read, the file is the learner's, and the next run works."""
    clone.learn("02")
    clone.edit()
    mine = clone.kernels.read_bytes()
    lock = clone.root / ".learn/lock"  # `learn` takes it soon after it has begun; before that, Python starts
    for number, after in ((signal.SIGINT, 0), (signal.SIGTERM, 0.1), (signal.SIGINT, 0.3), (signal.SIGTERM, 0.6),
                          (signal.SIGHUP, 0.3), (signal.SIGHUP, 1.2)):
        clone.kernels.write_bytes(mine + b"// %d\n" % int(after * 100))
        untouched = lock.stat().st_mtime_ns
        with start(clone, "02") as judging:
            end = time.monotonic() + PATIENCE
            while lock.stat().st_mtime_ns == untouched and time.monotonic() < end:
                time.sleep(0.005)
            time.sleep(after)
            judging.send_signal(number)
            out = judging.communicate(timeout=PATIENCE)[0]
            assert judging.returncode in (-number, 0), (number, after, judging.returncode, out)
            assert "Traceback" not in out, out
        json.loads((clone.root / ".learn/state.json").read_text(encoding="utf-8"))
        assert clone.kernels.read_bytes().startswith(mine)
    left = [path.name for path in [*(clone.root / ".learn").rglob(".whole-*"), *clone.root.glob("learn-*")]]
    end = time.monotonic() + PATIENCE
    while list(of_others(clone)) and time.monotonic() < end:
        time.sleep(0.05)
    left += of_others(clone)
    assert not left, left
    status, out, err = clone.learn("02")
    assert (status, err) == (0, "") and "✓ 02 done" in out, (status, out, err)


if __name__ == "__main__":
    folders = map(pathlib.Path, command_line.arguments("SOURCE_DIR BUILD_DIR"))
    if not has_rich():
        print("python3-rich and python3-watchdog are not there: sh common/bootstrap.sh")
        sys.exit(SKIP)
    run_cases([judges_on_every_save, on_a_terminal_it_takes_keys, an_interruption_harms_nothing], *folders)
# SPDX-License-Identifier: MIT
