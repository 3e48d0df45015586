"""Chapter 15's softmax and RMSNorm beside PyTorch's."""
import json
import pathlib
import sys

from measuring.ncu import launches_under_ncu
from measuring.programs import timed
from measuring.toolchain import output_of

ROWS, ROWS_SIZE, ROWS_REPEATS, ROWS_COUNTED = "15_softmax", 1 << 28, 20, 1 << 20


def rows(build):
    """Ours and PyTorch's in one run; what ncu counts of fewer elements."""
    build, repeats = pathlib.Path(build), ("--repeat", str(ROWS_REPEATS))
    program = build / f"solutions/{ROWS}.gpu"
    steps = timed(program, ROWS_SIZE, *repeats)
    shapes, parts = (timed(build / f"chapters/{ROWS}.{name}.gpu", ROWS_SIZE, *repeats) for name in ("shapes", "parts"))
    print("pytorch_rows.py", flush=True)
    script = pathlib.Path(__file__).resolve().parents[1] / "pytorch_rows.py"
    pytorch = json.loads(output_of(sys.executable, script, str(ROWS_SIZE), str(ROWS_REPEATS)).splitlines()[-1])
    print(f"ncu {program.name} --n {ROWS_COUNTED}", flush=True)
    kernels = {f"{ROWS} {kernel}": launch
               for kernel, launch in launches_under_ncu(program, "--n", str(ROWS_COUNTED), "--repeat", "0")}
    return {"what": f"medians of {ROWS_REPEATS} timed runs; GB/s of useful bytes, each element read and written once. counted: "
                    "counters of ncu, summed over one launch",
            "elements": ROWS_SIZE, "runs": [steps], "shapes": shapes, "parts": parts,
            "pytorch": pytorch, "counted": {"n": ROWS_COUNTED, "kernels": kernels}}
# SPDX-License-Identifier: MIT
