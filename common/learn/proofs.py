"""Asks common/gpusim/prove whether a chapter's kernels are free of races for every n. No verdict needs that: it is an extra."""
import subprocess
import sys

LIMIT = 20  # seconds; the kernels of a chapter take one to five
LAST = 8  # chapter; the proof does not cover all kernels of later ones, so asking would only take time


def proved_for_every_n(place, chapter):
    """True if all the chapter's kernels have contracts and are proved for every launch that these allow."""
    contracts = place.source / "tests" / "gpusim" / "prove" / "contracts" / f"{chapter.stem}.json"
    if not place.is_simulated or int(chapter.number) > LAST or not contracts.exists():
        return False
    command = [sys.executable, place.source / "common" / "gpusim" / "prove", chapter.kernels, "--contracts", contracts,
               "--all", "--simcc", place.build / "simcc", "--", "-std=c++17", "-I", place.source / "common"]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=LIMIT)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0
# SPDX-License-Identifier: MIT
