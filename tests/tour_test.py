#!/usr/bin/env python3
"""The tour's column *proof*, and the lines below its table, from programs that are scripts and print what is given here.

tour_test.py SOURCE_DIR
"""
import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "common"))
import command_line
import counter_list

SAID = {  # a step: what is proved of it, as a program's --json has it; None: the program proves nothing
    "01_proved": {"verdict": "proved", "file": None, "line": 0, "reason": ""},
    "02_rounds": {"verdict": "race_free", "file": "../chapters/02/kernels.cuh", "line": 9, "reason": "adds floats in any order"},
    "03_flags": {"verdict": "not_proved", "file": "/x/look_back.cuh", "line": 31, "reason": "is a flag"},
    "04_gpus": {"verdict": "not_proved", "file": None, "line": 0, "reason": "several GPUs share memory"},
    "05_measured.gpu": None,
}


def program(folder, name, proof):
    """A script that prints the document of a program whose step this is. It wants --proof, except for a GPU's."""
    step = {"kernel": "sum_" + name[:2], "step": True, "verified": True, "message": "", "timing": None,
            "counters": {counter.name: 1 for counter, _ in counter_list.shown_in("TOUR")} | dict.fromkeys(
                [f"global_{way}_{what}" for way in ("load", "store") for what in ("sectors", "requests")], 1)}
    predicted = {"machine": "H200", "compiler": "clang 14", "milliseconds": 1, "error": 0.1, "gigabytes_per_second": 1,
                 "percent_of_copy": 1, "saving": None, "saved_part": 0}
    document = {"n": 64, "device": {"name": "a GPU"}, "copy_gigabytes_per_second": None}
    counted = document | {"rows": [step | ({"proof": proof} if proof else {}), step | {"kernel": "other", "step": False}]}
    predicts = document | {"rows": [step | {"predicted": predicted}]}
    path = pathlib.Path(folder, name)
    path.write_text(f"#!{sys.executable}\nimport sys\n"
                    f"if '--predict' not in sys.argv and ('--proof' in sys.argv) != {proof is not None}:\n"
                    "    sys.exit('--proof is missing, or not wanted')\n"
                    f"print({json.dumps(predicts)!r} if '--predict' in sys.argv else {json.dumps(counted)!r})\n",
                    encoding="utf-8")
    path.chmod(0o755)
    return path


def tour(source, programs):
    done = subprocess.run([sys.executable, pathlib.Path(source, "common/tour.py"), "--", *programs], capture_output=True,
                          text=True, check=False)
    if done.returncode:
        sys.exit(f"exit status {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def main(source):
    with tempfile.TemporaryDirectory() as folder:
        shown = tour(source, [program(folder, name, proof) for name, proof in SAID.items()])
        lines = shown.splitlines()
        rows = {line.split()[0]: line for line in lines if line[:3] in {name[:3] for name in SAID}}
        wanted = {"01_proved": "proved", "02_rounds": "race-free", "03_flags": "not proved", "04_gpus": "not proved",
                  "05_measured": "-"}
        at = next(line for line in lines if line.startswith("step ")).index("proof ")
        found = {step: row[at:at + 11].strip() for step, row in rows.items()}
        if found != wanted:
            sys.exit(f"the column has {found}\n{shown}")
        below = ["proved: no order of threads and no input of this size can race in the code that clang made, and the same input "
                 "always gives the same bits", "race-free: the same, but one input may give different bits",
                 "race-free: 02_rounds: kernels.cuh:9 adds floats in any order",
                 "not proved: 03_flags: look_back.cuh:31 is a flag",
                 "not proved: 04_gpus: several GPUs share memory"]
        if "\n\n" + "\n".join(below) + "\n\nRan on: " not in shown:
            sys.exit(f"the lines below the table are others:\n{shown}")
        alone = tour(source, [program(folder, "05_measured.gpu", None)])
        if "proof" in alone or "proved" in alone:
            sys.exit(f"without proofs the tour speaks of them:\n{alone}")


if __name__ == "__main__":
    main(*command_line.arguments("SOURCE_DIR"))
# SPDX-License-Identifier: MIT
