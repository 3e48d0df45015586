"""ptxcheck_test.py PTXCHECK FILE.ptx…: what gpusim_ptxcheck prints of each file is what its `//!` lines say, FILE
standing for its path; it exits with 1 if it prints an error."""
import pathlib
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "common"))
import command_line

tool, *files = command_line.arguments("PTXCHECK FILE.PTX…")
wrong = 0
for file in files:
    lines = pathlib.Path(file).read_text(encoding="utf-8").splitlines()
    expected = [line.removeprefix("//! ").replace("FILE:", file + ":") for line in lines if line.startswith("//! ")]
    done = subprocess.run([tool, file], capture_output=True, text=True, check=False)
    printed = done.stdout.splitlines()
    if printed == expected and not done.stderr and done.returncode == any(": error: " in line for line in expected):
        continue
    wrong += 1
    print(f"{file}: exit {done.returncode}, prints\n  " + "\n  ".join(printed + [done.stderr]))
    print("expected\n  " + "\n  ".join(expected))

for arguments, words in ([], "usage"), (["/no/such/file"], "cannot be read"):
    done = subprocess.run([tool, *arguments], capture_output=True, text=True, check=False)
    if done.returncode != 2 or words not in done.stderr:
        wrong += 1
        print(f"{arguments}: exit {done.returncode}: {done.stderr}")
sys.exit(bool(wrong))
# SPDX-License-Identifier: MIT
