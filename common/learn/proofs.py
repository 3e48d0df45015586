"""Asks common/gpusim/prove whether a chapter's kernels are free of races for every n. No verdict needs that: it is an extra."""
import subprocess
import sys

LIMIT = 20  # seconds; the kernels of the chapters take less than two


def proved_for_every_n(place, chapter):
    """True if the chapter has contracts and all its kernels are proved for every launch that these allow."""
    contracts = place.source / "tests" / "gpusim" / "prove" / "contracts" / f"{chapter.stem}.json"
    if not place.is_simulated or not contracts.exists():
        return False
    command = [sys.executable, place.source / "common" / "gpusim" / "prove", chapter.kernels, "--contracts", contracts,
               "--simcc", place.build / "simcc", "--", "-std=c++17", "-I", place.source / "common"]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=LIMIT)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0
# SPDX-License-Identifier: MIT
