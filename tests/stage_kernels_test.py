#!/usr/bin/env python3
"""stage_kernels.py applies an edit to the solution as written, and says in one line why one does not apply.

stage_kernels_test.py STAGE_KERNELS_PY
"""
import pathlib
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "common"))
import command_line

SOLUTION = """// A comment.
void first() {
  wait();
  store();
}

void second() {
  wait();
  load();
}
"""
WHY = "// rejected: race\n// Why.\n"

# What the edit says, and what becomes of the solution: its new text after the comment, or the line of complaint.
CASES = {
    "a line goes": ("@@\n   wait();\n-  store();\n", SOLUTION.replace("  store();\n", "")),
    "a line comes": ("@@\n   store();\n+  again();\n", SOLUTION.replace("store();\n", "store();\n  again();\n")),
    "two changes": ("@@\n-  store();\n+  a();\n\n@@\n-  load();\n+  b();\n",
                    SOLUTION.replace("store", "a").replace("load", "b")),
    "an empty line stays": ("@@\n }\n\n-void second() {\n+void other() {\n", SOLUTION.replace("second", "other")),
    "the second of two, by what is before it": ("@@ void second() {\n-  wait();\n",
                                                SOLUTION.replace("  wait();\n  load", "  load")),
    "old lines that occur twice": ("@@\n-  wait();\n", ":3: the old lines occur 2 times"),
    "old lines that occur nowhere": ("@@\n-  weight();\n", ":3: the old lines occur 0 times"),
    "old lines before the text after @@": ("@@ second\n-  store();\n", ":3: the old lines occur 0 times"),
    "a text after @@ that is nowhere": ("@@ third\n-  load();\n", ":3: 0 lines contain `third`"),
    "a text after @@ that is in two lines": ("@@ void\n-  load();\n", ":3: 2 lines contain `void`"),
    "a change that changes nothing": ("@@\n   load();\n", ":3: a change needs an old line"),
    "a change without a place": ("@@\n+  load();\n", ":3: a change needs an old line"),
    "a line without a mark": ("@@\n-  load();\nstore();\n", ":5: expected a line of a change"),
    "no change": ("", ":1: no change"),
    "code in the comment": ("load();\n@@\n-  load();\n", ":3: expected the comment"),
}


def stage(script, folder, files):
    """Exit code, complaint and staged text of a folder with these files in wrong/NN."""
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    done = subprocess.run([sys.executable, script, folder, folder / "solutions", folder / "build", "NN"],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    staged = folder / "build/wrong/NN/name/kernels.cuh"
    return done.returncode, done.stderr, staged.read_text(encoding="utf-8") if staged.exists() else None


def failures(script):
    for case, (edit, expected) in CASES.items():
        with tempfile.TemporaryDirectory() as scratch:
            code, complaint, staged = stage(script, pathlib.Path(scratch), {
                "solutions/NN/kernels.cuh": SOLUTION, "wrong/NN/name.edit": WHY + edit})
        if expected.startswith(":"):
            if code == 0 or complaint.count("\n") != 1 or "name.edit" + expected not in complaint:
                yield f"{case}: expected one line with `name.edit{expected}`, got exit code {code}:\n{complaint}"
        elif staged != WHY + expected:
            yield f"{case}: expected\n{WHY + expected}\ngot exit code {code}, {complaint}\n{staged}"
    with tempfile.TemporaryDirectory() as scratch:
        code, complaint, _ = stage(script, pathlib.Path(scratch), {
            "solutions/NN/kernels.cuh": SOLUTION, "wrong/NN/name.cuh": WHY,
            "wrong/NN/name.edit": WHY + "@@\n-  load();\n"})
        if code == 0 or "are one kernel" not in complaint:
            yield f"a name used twice: expected `are one kernel`, got exit code {code}: {complaint}"


if __name__ == "__main__":
    found = list(failures(*command_line.arguments("STAGE_KERNELS.PY")))
    print(*found, sep="\n")
    sys.exit(1 if found else 0)
# SPDX-License-Identifier: MIT
