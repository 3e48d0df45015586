"""What the stepper plays, page by page: its data, a script beside the pages, and what stands in its place where no
script runs, or on paper. The traces come from steps.cu."""

import functools
import html
import json
import os
import pathlib
import subprocess
import sys

from stepper.compact import Compact, lanes_of

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "book/figures"))
import traced  # noqa: E402

SCHEDULES = ("lockstep", "ascending", "descending")

# From this page on the stepper can also go by PTX instructions: chapter 03 explains what PTX is.
FIRST_PAGE_WITH_PTX = "04"

# Of each page: launches of steps.cu, what they are called there, and how their kernels call input and output. The last
# is what is printed.
PAGES = {
    "01_global_memory": [
        ("sum_atomic", "sum_atomic, 50 elements", "in", "sum"),
        ("sum_runs", "sum_runs, its first steps", "in", "run_sums"),
        ("sum_in_place", "sum_in_place, 64 threads", "data", "sums"),
    ],
    "02_shared_memory": [
        ("sum_in_place", "chapter 01: sum_in_place, 64 threads", "data", "sums"),
        ("sum_tile", "sum_tile, 64 threads", "in", "block_sums"),
    ],
    "03_divergence": [
        ("sum_tile", "chapter 02: sum_tile, 64 threads", "in", "block_sums"),
        ("sum_strided", "sum_strided, 256 threads", "in", "block_sums"),
    ],
    "04_bank_conflicts": [
        ("sum_strided", "chapter 03: sum_strided", "in", "block_sums"),
        ("sum_sequential", "sum_sequential", "in", "block_sums"),
    ],
    "05_idle_threads": [
        ("sum_sequential", "chapter 04: sum_sequential", "in", "block_sums"),
        ("sum_adjacent_tiles", "sum_adjacent_tiles", "in", "block_sums"),
    ],
    "06_warp_unroll": [
        ("sum_adjacent_tiles", "chapter 05: sum_adjacent_tiles", "in", "block_sums"),
        ("no wait after reading", "wrong: nobody waits after reading", "in", "block_sums"),
        ("sum_warp_tail", "sum_warp_tail", "in", "block_sums"),
    ],
    "07_full_unroll": [
        ("sum_looped", "the starter: a loop", "in", "block_sums"),
        ("sum_unrolled", "sum_unrolled<256>", "in", "block_sums"),
    ],
    "08_grid_sizing": [("sum_grid_stride", "sum_grid_stride<64>, block 0 of 2", "in", "block_sums")],
    "09_shuffle": [
        ("sum_grid_stride", "chapter 08: sum_grid_stride<64>", "in", "block_sums"),
        ("sum_shuffle", "sum_shuffle", "in", "block_sums"),
    ],
    "10_scan": [
        ("scan_kogge_stone", "scan_kogge_stone, 64 elements", "in", "out"),
        ("scan_brent_kung", "scan_brent_kung, 64 elements", "in", "out"),
    ],
    "11_transpose": [
        ("transpose_read_rows", "transpose_read_rows, warp 0", "in", "out"),
        ("transpose_tile", "transpose_tile, warp 0", "in", "out"),
        ("transpose_padded", "transpose_padded, warp 0", "in", "out"),
        ("transpose_swizzled", "transpose_swizzled, warp 0", "in", "out"),
    ],
    "12_bandwidth_limit": [("sum_one_launch", "sum_one_launch, warp 0 of the last block", "in", "out")],
    "13_gemm": [("gemm_tile", "gemm_tile, warp 0", "a, b", "c")],
    "14_many_gpus": [("one_shot", "one_shot on GPU 0 of two, warp 0; the other has come already", "data", "out, flags")],
    "15_softmax": [
        ("softmax_warp", "softmax_warp, a row of 64", "in", "out"),
        ("softmax_block", "softmax_block, a row of 512, warp 0", "in", "out"),
    ],
}


class Traces:
    def __init__(self, build):
        self.program = build / "tests/book/steps"

    @functools.cache  # noqa: B019 (as long as the program)
    def launches(self, schedule):
        if not self.program.is_file():
            sys.exit(f"{self.program} is missing: ninja -C {self.program.parents[2]} tests/book/steps")
        done = subprocess.run(
            [self.program],
            stdout=subprocess.PIPE,
            check=False,
            env={**os.environ, "GPUSIM_SCHEDULE": schedule},
        )
        if done.returncode:
            sys.exit(f"{self.program}: exit status {done.returncode}")
        return json.loads(done.stdout)["launches"]

    @functools.cache  # noqa: B019
    def kernel(self, label):
        """As a page carries it, but for what it is called there."""
        compact, schedules = None, {}
        for schedule in SCHEDULES:
            launch = self.launches(schedule)[label]
            begins = (launch["in"], launch["out"])
            compact = compact or Compact(begins)
            compact.begins = begins
            schedules[schedule] = {
                "truncated": launch["trace"]["truncated"],
                "groups": compact.groups(launch["trace"]),
            }
        trace = self.launches("lockstep")[label]["trace"]
        places = [row[0] for row in compact.instructions if row[0]]
        files = sorted({file for file, _ in places})
        lines = [row[0] and [files.index(row[0][0]), row[0][1]] for row in compact.instructions]
        return {
            "block": trace["block"],
            "sources": [source(file, sorted({line for of, line in places if of == file})) for file in files],
            "instructions": [[line, *row[1:]] for line, row in zip(lines, compact.instructions)],
            "schedules": schedules,
        }


def source(file, lines):
    """[name, [[first line, text], …]] of the functions that have these lines."""
    text = pathlib.Path(file).read_text(encoding="utf-8").splitlines()
    wanted = set()
    for line in lines:
        first = last = line - 1
        if text[first][:1] in ("", "#", "/"):  # what comes from a header of the runtime's
            continue
        while text[first][:1] in ("", " ", "}", "#"):
            first -= 1
        while first > 0 and text[first - 1][:1] not in ("", " ", "}", "#", "/"):  # template <…> on a line of its own
            first -= 1
        while last + 1 < len(text) and not text[last].startswith("}") and text[last + 1].startswith((" ", "}", "#")):
            last += 1
        wanted |= set(range(first, last + 1))
    runs = []
    for number in sorted(wanted):
        if not text[number].startswith("// ANCHOR"):
            if runs and runs[-1][0] + len(runs[-1][1]) == number + 1:
                runs[-1][1].append(text[number])
            else:
                runs.append([number + 1, [text[number]]])
    return [str(pathlib.Path(file).resolve().relative_to(ROOT)), [[first, "\n".join(rows)] for first, rows in runs]]


def script(traces, page):
    """What the stepper of a page plays."""
    kernels = [
        {"title": title, "arrays": [input_name, output_name], **traces.kernel(label)}
        for label, title, input_name, output_name in PAGES[page]
    ]
    document = json.dumps({"kernels": kernels}, separators=(",", ":"))
    return f'(window.stepper_data = window.stepper_data || {{}})["{page}"] = {document};\n'


def totals(launch):
    """{(file, line): [warp instructions, lanes on, passes of shared memory, sectors of global memory]}"""
    found = {}
    for step in launch["steps"]:
        if "file" not in step:
            continue
        row = found.setdefault((launch["files"][step["file"]], step["line"]), [0, 0, 0, 0])
        row[0] += 1
        row[1] += len(lanes_of(int(step["mask"], 16)))
        if step.get("space") == "shared" and "addresses" in step:
            if step["bytes"] != 4:
                sys.exit("stepper.py: counts passes for 4 bytes a lane only")
            row[2] += traced.wavefronts(step)
        if step.get("space") == "global" and step["kind"] in ("load", "store") and "addresses" in step:
            last = step["bytes"] - 1
            row[3] += len({b // traced.SECTOR for a in step["addresses"] for b in (a, a + last)})
    return found


def table(traces, page):
    """The last kernel's lines with what they cost: for readers without a script, and on paper."""
    label, title = PAGES[page][-1][:2]
    launch = traces.launches("lockstep")[label]["trace"]
    texts = {file: pathlib.Path(file).read_text(encoding="utf-8").splitlines() for file in launch["files"]}
    rows = []
    for (file, line), (count, lanes, passes, sectors) in sorted(totals(launch).items()):
        code = html.escape(texts[file][line - 1].split("//")[0].strip())
        cells = [f"{count:,}", f"{lanes / count:.1f}", f"{passes or ''}", f"{sectors or ''}"]
        rows.append(
            f"<tr><td>{line}</td><td><code>{code}</code></td>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"
        )
    head = "".join(
        f"<th>{name}</th>" for name in ("line", "source", "warp instructions", "lanes on", "passes", "sectors")
    )
    caption = f"{html.escape(title)}: what its lines cost. (In a browser a script plays it step by step.)"
    return "\n".join(
        [
            "## Step by step {#step-by-step}",
            "",
            "What the kernel does, line by line, on the simulated GPU:",
            "",
            f'<div class="stepper" data-steps="{page}"{" data-ptx" if page >= FIRST_PAGE_WITH_PTX else ""}>',
            f'<div class="table-wrapper"><table><caption>{caption}</caption>',
            f"<thead><tr>{head}</tr></thead><tbody>",
            *rows,
            "</tbody></table></div>",
            "</div>",
            "",
        ]
    )
# SPDX-License-Identifier: MIT
