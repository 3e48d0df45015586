#!/usr/bin/env python3
"""Whether the sentences on the L2 cache quote what was measured: l2_experiments_test.py SOURCE_DIR

l2_experiments_h200.json has what l2_experiments.cu printed on an H200.
"""
import json
import pathlib
import re
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "common"))
import command_line

HERE = pathlib.Path(__file__).resolve().parent


def quoted(ns):
    """Nanoseconds by (launch, caches), as sentences with these numbers: (file, sentence)."""
    step, behind = "132 blocks read the same lines in step", "132 blocks read the same lines, each 4 lines behind the one before"
    line = {name: round(ns[launch, caches]) for name, launch, caches in (
        ("one", "1 block reads lines", "cold"), ("step", step, "cold"), ("behind", behind, "cold"), ("warm", step, "warm"))}
    common = lambda lanes, words: ns[f"{lanes} lanes store to random words, all lanes to {words} common words", "warm"]
    more = [f"{common(lanes, 1) - common(lanes, 0):.2f}" for lanes in (8, 16, 32)]
    structure = lambda words: (ns[f"{words} stores to structures of {words} words, 24 MiB", "warm"]
                               / ns[f"1 stores to structures of {words} words, 24 MiB", "warm"])
    counters = [f"{ns[f'256 counters from line {first} on', 'warm']:.2f}" for first in (0, 4)]
    model, readme = "common/gpusim/timing/launch_record.h", "common/gpusim/timing/README.md"
    unit = "tests/gpusim/unit/timing_caches.cpp"
    return [
        (model, f"{line['step']} ns where 132 blocks read the same lines in step, {line['behind']} ns where each begins"),
        (model, f"four lines behind the one before, and {line['warm']} ns from the L2 cache"),
        (unit, f"an H200: {line['step']} ns a line, of one block {line['one']}, and {line['behind']} behind one another"),
        (unit, f"an H200, at 24 MiB: {structure(3):.1f} and {structure(8):.1f}"),
        (readme, f"it adds {more[0]}, {more[1]} and {more[2]} ns. With 64 such words, 4 KiB apart, it adds "
                 f"{common(32, 64) - common(32, 0):.2f} ns behind 32 lanes."),
        (readme, f"take {counters[0]} ns for each atomic; 512 bytes further on they lie in four slices and take "
                 f"{counters[1]} ns."),
    ]


def main(source):
    rows = json.loads((HERE / "l2_experiments_h200.json").read_text(encoding="utf-8"))["rows"]
    missing = []
    for file, sentence in quoted({(row["launch"], row["caches"]): row["nanoseconds"] for row in rows}):
        text = re.sub(r"\s+(?:// )?", " ", (pathlib.Path(source) / file).read_text(encoding="utf-8"))
        if sentence not in text:
            missing.append(f"{file} does not say: {sentence}")
    sys.exit("\n".join(missing) if missing else 0)


if __name__ == "__main__":
    main(*command_line.arguments("SOURCE_DIR"))
# SPDX-License-Identifier: MIT
