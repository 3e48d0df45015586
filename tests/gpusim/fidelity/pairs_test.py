"""Says whether the diagnosis names what a slow kernel lacks: pairs_test.py BUILD_DIR SOURCE_DIR

outside/pairs.cu has pairs of a slow kernel and one that differs from it in a single thing; unseen/pairs_GPU.json has the times of
both on a GPU. The cost that the pair is about must come first among those of the slow kernel, and what it would save must be near
what the improved kernel saves.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "common"))
import command_line

MACHINES = ("h100", "h200")
# The words that a cost begins with, by pair.
COSTS = {
    "keep_above": "uncoalesced access",
    "energy": "uncoalesced access",
    "invert": "narrow accesses",
    "halve": "narrow accesses",
    "running_averages": "bank conflicts",
    "smooth_octets": "bank conflicts",
    "two_kinds": "idle lanes",
    "own_lengths": "idle lanes",
    "logistic_map": "the tail",
    "soft_sign": "idle multiprocessors",
    "commonest_digit": "local memory",
    "damped_steps": "arithmetic on doubles",
    "add_to_total": "atomics",
    "sum_by_key": "atomics",
    "mean_with_mirror": "too few warps",
    "means_round_ring": "barriers",
    "double_items": "starting blocks",
    "clamp_few": "the launch itself",
}
# Where another cost comes first: either of two changes would mend these.
SECOND = {
    "halve": "8 warps of narrow loads: more warps would help as wider loads do",
    "mean_with_mirror": "16 warps of narrow loads: wider loads would help as more warps do",
}
NEAR = 0.25
# Gains that are further off.
FAR = {
    "keep_above": "the improved kernel is held up by narrow accesses",
    "invert": "on an H200 (5.0 x): an improved thread also computes fewer addresses",
    "commonest_digit": "nvcc keeps this array in registers; clang does not",
    "add_to_total": "without any atomic; the improved kernel still makes one for each warp",
    "sum_by_key": "on an H200 (23 x): without any atomic; the improved kernel makes them in shared memory",
    "double_items": "the improved kernel takes as long as an empty one, of which the model knows less",
    "clamp_few": "no kernel goes without a launch",
}


def rows_of(text):
    return {row["kernel"]: row for row in json.loads(text)["rows"]}


def complaints(machine, name, predicted, measured):
    slow = predicted[f"{name}, slow"]
    savings = {saving["cost"]: saving["milliseconds"] for saving in slow["savings"]}
    ours = next((cost for cost in savings if cost.startswith(COSTS[name])), None)
    if ours is None:
        yield f"{machine}: {name}: {COSTS[name]} is not named, but {'; '.join(savings) or 'nothing'}"
        return
    first = next(iter(savings))
    if first != ours and name not in SECOND:
        yield f"{machine}: {name}: {first} comes before {ours}"
    gain = slow["milliseconds"] / (slow["milliseconds"] - savings[ours])
    real = measured[f"{name}, slow"]["milliseconds"] / measured[f"{name}, improved"]["milliseconds"]
    print(f"{machine} {name:18} {ours.split(':')[0]:40} predicted {gain:6.2f} x  measured {real:6.2f} x")
    if abs(gain / real - 1) > NEAR and name not in FAR:
        yield f"{machine}: {name}: gain {gain:.2f} x, measured {real:.2f} x"


def main(build, source):
    found = []
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder, "pairs")
        file = pathlib.Path(source, "tests/gpusim/fidelity/outside/pairs.cu")
        subprocess.run([pathlib.Path(build, "simcc"), "-O3", file, "-o", program], check=True)
        for machine in MACHINES:
            done = subprocess.run([program], env={**os.environ, "GPUSIM_MACHINE": machine}, capture_output=True, text=True,
                                  check=True)
            data = pathlib.Path(source, f"common/gpusim/timing/unseen/pairs_{machine}.json")
            predicted, measured = rows_of(done.stdout), rows_of(data.read_text(encoding="utf-8"))
            for name in COSTS:
                found += complaints(machine, name, predicted, measured)
    for name, why in SECOND.items():
        print(f"known to come second: {name}: {why}")
    for name, why in FAR.items():
        print(f"known to be off: {name}: {why}")
    for complaint in found:
        print(complaint, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*command_line.arguments("BUILD_DIR SOURCE_DIR")))
# SPDX-License-Identifier: MIT
