"""Holds predicted times against measured ones: timing_truth_test.py BUILD_DIR SOURCE_DIR [--write] [CASE…]

Every row of the steps and of the laboratories that book/data has the time of, on an H200 and on an H100. Prints each, then the
errors. No constant of the model is fitted to these kernels; but its rules were chosen by somebody who saw their times. --write
takes also what the test leaves to it for its length, and records what comes out in RECORD: from there programs take how far off
a predicted time may be, and the book its figures; the test then compares with it. With CASEs (07_full_unroll.chains, samples)
only these are run, and the rest of the record stays.

Another version of clang makes other PTX, and so other times. The record's rows are of COMPILER; --write in a build with another
version records only how far off its times are.
"""

import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "common/gpusim/timing"))
import errors  # noqa: E402

sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "common"))
import chapter_table
import command_line
import whole_file

# Each file is of one computer and one run; where two have a row, the first counts.
TRUTH = {
    "h200": ["timings_steps_h200.json", "limit_h200.json", "products_h200.json", "softmax_h200.json"],
    "h100": ["timings_h100.json", "limit_h100.json", "products_h100.json", "unrolled_h100.json", "changes_h100.json",
             "conflicts_h100.json"],
}
OTHERS = list(errors.COLLECTIONS)
RECORD = "common/gpusim/timing/accuracy.json"
COMPILER = "clang 14"


def timed_programs():
    """The programs that the files of TRUTH have times of."""
    files = {file for names in TRUTH.values() for file in names}
    documents = [json.loads((chapter_table.ROOT / "book/data" / file).read_text(encoding="utf-8")) for file in files]
    return {run["program"] for document in documents for run in document.get("runs", [])}


NOT_AS_OTHERS = ("13_gemm", "14_many_gpus")  # see Case("13_gemm", …) and LEFT_OUT
# Every other chapter that was timed: a new one is compared as soon as the data have its times.
STEPS = [stem for stem in chapter_table.stems() if stem not in NOT_AS_OTHERS and stem in timed_programs()]
N = 1 << 25
LARGE = 1 << 28
ROWS = ("--rows", "16384")
SHORT_AT_LARGE = ("04_bank_conflicts", "08_grid_sizing", "12_bandwidth_limit")


class Case:
    """A run of a program: of which size, with which options beside it, whether only --write has the time for it."""

    def __init__(self, program, n, *options, long=False):
        self.program, self.n, self.options, self.long = program, n, options, long

    def path(self, build):
        return build / ("chapters" if "." in self.program else "solutions") / self.program

    def arguments(self):
        return [*(() if self.options[:1] == ("--rows",) else ("--n", str(self.n))), *self.options]


CASES = [
    *(Case(program, N) for program in STEPS),
    *(Case(program, LARGE, long=program not in SHORT_AT_LARGE) for program in STEPS),
    Case("13_gemm", 1 << 20, "--rows", "1024", "--columns", "1024", "--depth", "1024", long=True),
    Case("04_bank_conflicts.padding", LARGE),
    Case("07_full_unroll.chains", N, "--rounds", "4096", long=True),
    Case("08_grid_sizing.unrolled", N),
    Case("08_grid_sizing.unrolled", LARGE),
    Case("09_shuffle.exchange", N, "--rounds", "65536"),
    Case("11_transpose.block_order", LARGE, *ROWS),
    Case("11_transpose.swizzle", LARGE, *ROWS),
    Case("12_bandwidth_limit.launches", 1 << 20),
    Case("12_bandwidth_limit.in_flight", LARGE, long=True),
    Case("12_bandwidth_limit.hints", N),
    Case("12_bandwidth_limit.hints", LARGE, long=True),
    Case("12_bandwidth_limit.blocks", 1 << 22),
    Case("12_bandwidth_limit.blocks", N),
    Case("12_bandwidth_limit.blocks", LARGE, long=True),
]
# Laboratories take one kernel in other ways; their order is told, and these are known to be wrong.
WRONG_ORDERS = {
    "09_shuffle.exchange": "a warp alone in shared memory is 15 % too fast",
    "12_bandwidth_limit.blocks": "66 blocks, and 792, whose last round is not full, come within 3 % of each other",
    "12_bandwidth_limit.in_flight": "of an H100, 2 loads a round by 132 blocks come within 1 % of 8",
}
LEFT_OUT = {
    "13_gemm of more than 1024 rows": "2048 of its blocks take many minutes",
    "14_many_gpus": "what GPUs wait for each other is not modelled, and on one GPU it has no measured times",
    "12_bandwidth_limit.async_copies": "bulk copies are not simulated",
    "the other laboratories": "nobody measured their times",
    "kernels of other kinds": "they take minutes; --write holds them against measured times, and the book says what came out",
}
# Off by more than FAR, and why.
OUTLIERS = {
    "sum_fixed<2>": "ptxas makes both loads before it needs one; the model waits for the first before the branch behind it",
    "2 elements a thread (chapter 07)": "the same kernel beside chapter 08's loops",
    "scan_kogge_stone (one block)": "takes 6 microseconds, most of them the launch: on the H200 that measured the chapters "
    "it took 4.5, on the one of the model 2.9",
    "gemm_naive": "a quarter too fast: warps wait for lines that come more often than in the model",
    "gemm_column": "a fifth to a quarter too slow; why is not known yet",
    "softmax_three_passes": "a quarter too slow on an H100 at 2^28, where each lane walks a row of its own; why is not known yet",
    "softmax_online": "the same",
    "1 chain, one warp a scheduler": "a branch waits for its condition while the additions before it go on; in the model "
    "it waits after them",
}
FAR = errors.FAR
MOST_MEAN_ERROR, LEAST_NEAR, LEAST_ORDERED = 0.15, 0.90, 0.97
DIFFER = 1.10  # times of two kernels whose order is asked for
DRIFT = 0.05  # between two releases of a version of clang
DRIFT_OF_VERSIONS = 0.15  # between two versions


def measured(source, machine):
    """Milliseconds by program, kernel and size."""
    truth = {}
    for file in TRUTH[machine]:
        document = json.loads((source / "book/data" / file).read_text(encoding="utf-8"))
        for run in [*document.get("runs", []), *document.get("laboratories", [])]:
            for row in run["rows"]:
                if row["timing"]:
                    truth.setdefault((run["program"], row["kernel"], run["n"]), row["timing"]["milliseconds"])
    return truth


def predicted(case, machine, build):
    """Milliseconds by kernel, and the seconds it took."""
    begin = time.monotonic()
    done = subprocess.run(
        [case.path(build), "--predict", "--json", *case.arguments()],
        env={**os.environ, "GPUSIM_MACHINE": machine},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"{case.program} --predict: exit status {done.returncode}: {(done.stderr or done.stdout).strip()[-400:]}")
    rows = json.loads(done.stdout)["rows"]
    compilers = {row["predicted"]["compiler"] for row in rows if row["predicted"]["machine"]}
    return {row["kernel"]: row["predicted"]["milliseconds"] for row in rows}, compilers, time.monotonic() - begin


def error_of(row):
    return row["predicted"] / row["measured"] - 1


def all_rows(build, source, cases):
    """Rows of kernels, and the compilers that made their PTX."""
    rows, compilers = [], set()
    truth = {machine: measured(source, machine) for machine in TRUTH}
    runs = [(case, machine) for machine in TRUTH for case in cases]
    with concurrent.futures.ThreadPoolExecutor(2) as workers:  # a program uses one core
        results = workers.map(lambda run: predicted(*run, build), runs)
        for (case, machine), (times, by, seconds) in zip(runs, results):
            compilers |= by
            for kernel, milliseconds in times.items():
                known = truth[machine].get((case.program, kernel, case.n))
                if known is None:
                    print(f"left out: {case.program} {case.n} {kernel}: nobody measured it on the {machine}")
                    continue
                if not milliseconds:
                    print(f"left out: {case.program} {case.n} {kernel}: it launches no kernel")
                    continue
                rows.append(
                    {
                        "machine": machine,
                        "program": case.program,
                        "kernel": kernel,
                        "n": case.n,
                        "measured": round(known, 5),
                        "predicted": round(milliseconds, 5),
                    }
                )
                print(
                    f"{machine} {case.n:9} {case.program:28} {kernel:38} measured {known:9.4f} ms  "
                    f"predicted {milliseconds:9.4f} ms  {error_of(rows[-1]):+5.0%}",
                    flush=True,
                )
            print(f"({seconds:.0f} s)", flush=True)
    return rows, compilers


def orders(rows):
    """(right, asked): pairs of a program, a size and a machine whose times differ by enough to be told apart."""
    launch = ("machine", "program", "n")
    right = asked = 0
    for k, row in enumerate(rows):
        for other in rows[:k]:
            if any(row[each] != other[each] for each in launch):
                continue
            low, high = sorted((row, other), key=lambda each: each["measured"])
            if high["measured"] > DIFFER * low["measured"]:
                asked += 1
                is_right = high["predicted"] > low["predicted"]
                right += is_right
                if not is_right:
                    print(f"wrong order: {row['machine']} {row['program']} {row['n']}: {low['kernel']} before {high['kernel']}")
    return right, asked


def summary(rows):
    return errors.summary(error_of(row) for row in rows)


def other_rows(build, source, name):
    """Kernels that the tutorial does not have (tests/gpusim/fidelity/outside/NAME.cu)."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder, name)
        subprocess.run([build / "simcc", "-O3", source / f"tests/gpusim/fidelity/outside/{name}.cu", "-o", program], check=True)
        for machine in TRUTH:
            measured_rows = errors.measured_rows(source / "common/gpusim/timing/unseen", name, machine)
            if not measured_rows:
                print(f"left out: {name}: not measured on the {machine}")
                continue
            truth = {row["kernel"]: row["milliseconds"] for row in measured_rows}
            environment = {**os.environ, "GPUSIM_MACHINE": machine}
            done = subprocess.run([program], env=environment, capture_output=True, text=True, check=True)
            rows += [
                {
                    "machine": machine,
                    "kernel": row["kernel"],
                    "measured": truth[row["kernel"]],
                    "predicted": round(row["milliseconds"], 5),
                }
                for row in json.loads(done.stdout)["rows"]
            ]
    return rows


def by_machine(rows):
    of_machine = {machine: [row for row in rows if row["machine"] == machine] for machine in TRUTH}
    return {machine: summary(found) for machine, found in of_machine.items() if found}


def key(row):
    return row["machine"], row["program"], str(row["n"]), row["kernel"]


def stale(rows, recorded, drift):
    """Where the record says otherwise than the model of today."""
    now = {key(row): row for row in rows}
    return [
        f"{RECORD} is not of this model: {' '.join(each)}; --write makes it"
        for each in sorted(recorded.keys() | now.keys())
        if each not in recorded
        or each not in now
        or abs(now[each]["predicted"] / recorded[each]["predicted"] - 1) > drift
    ]


def record_of(source):
    return json.loads((source / RECORD).read_text(encoding="utf-8"))


def rows_not_run(recorded, only):
    """Rows of the record that stand for the cases which only --write has the time for. Prints which, and which are missing."""
    rows = []
    for program, n in [] if only else sorted((case.program, case.n) for case in CASES if case.long):
        for machine in TRUTH:
            found = [row for row in recorded if (row["machine"], row["program"], row["n"]) == (machine, program, n)]
            how = f"{len(found)} rows as --write has recorded them" if found else "left out: --write has not recorded it"
            print(f"{program} {n} on the {machine}, for the time that it takes: {how}")
            rows += found
    return rows


def with_rows_of_record(rows, recorded, only):
    """These rows, and of the record those of the programs that did not run, in the record's order."""
    order = {key(row): at for at, row in enumerate(recorded)}
    both = rows + [row for row in recorded if row["program"] not in only]
    return sorted(both, key=lambda row: order.get(key(row), len(order)))


def figures_of(rows):
    """What the record says of all rows; and a line that says it."""
    right, asked = orders([row for row in rows if "." not in row["program"]])
    lab_right, lab_asked = orders([row for row in rows if "." in row["program"]])
    figures = {
        **summary(rows),
        "pairs": asked,
        "pairs_in_order": right,
        "laboratory_pairs": lab_asked,
        "laboratory_pairs_in_order": lab_right,
    }
    print(
        f"{figures['rows']} rows: mean error {figures['mean']:.1%}, median {figures['median']:.1%}, within {FAR:.0%}: "
        f"{figures['near']:.1%}, nine in ten within {figures['nine_in_ten']:.0%}; order right in {right} of {asked} pairs of "
        f"steps, {lab_right} of {lab_asked} of laboratories"
    )
    return figures


def write_other_compiler(source, compiler, rows):
    """Records only how far off the times of another version of clang are."""
    record = record_of(source)
    others = {other["compiler"]: other for other in record["other_compilers"]}
    others[compiler] = {"compiler": compiler, "machines": by_machine(rows), "all": summary(rows)}
    record["other_compilers"] = [others[name] for name in sorted(others)]
    whole_file.write(source / RECORD, json.dumps(record, indent=1) + "\n")


def write_record(build, source, rows, figures, only):
    before = record_of(source)
    record = {
        "what": "times in ms; errors as a part of what was measured, whatever their sign (timing_truth_test.py --write)",
        "compiler": COMPILER,
        "other_compilers": before["other_compilers"],
        "machines": by_machine(rows),
        "all": figures,
        "rows": rows,
    }
    for name in OTHERS:
        is_new = not only or name in only or f"{name}_rows" not in before
        record[f"{name}_rows"] = other_rows(build, source, name) if is_new else before[f"{name}_rows"]
        record[name] = by_machine(record[f"{name}_rows"])
    whole_file.write(source / RECORD, json.dumps(record, indent=1) + "\n")


def complaints(rows, figures):
    for row in rows:
        if abs(error_of(row)) > FAR and row["kernel"] not in OUTLIERS:
            yield (
                f"off by more than {FAR:.0%} and not known to be: {row['machine']} {row['program']} {row['n']} {row['kernel']} "
                f"{error_of(row):+.0%}"
            )
    if figures["mean"] > MOST_MEAN_ERROR:
        yield f"mean error above {MOST_MEAN_ERROR:.0%}"
    if figures["near"] < LEAST_NEAR:
        yield f"fewer than {LEAST_NEAR:.0%} of the rows within {FAR:.0%}"
    if figures["pairs_in_order"] < LEAST_ORDERED * figures["pairs"]:
        yield f"order right in fewer than {LEAST_ORDERED:.0%} of the pairs"


def tell_what_is_known():
    for what, why in LEFT_OUT.items():
        print(f"left out: {what}: {why}")
    for program, why in WRONG_ORDERS.items():
        print(f"known to be in a wrong order: {program}: {why}")
    for kernel, why in OUTLIERS.items():
        print(f"known to be off: {kernel}: {why}")


def main(build, source, *options):
    writes, only = "--write" in options, [each for each in options if each != "--write"]
    known = sorted({case.program for case in CASES}) + OTHERS
    for each in only:
        if each not in known:
            command_line.stop(f"{each}: not a case; these are: {' '.join(known)}", 2)
    is_asked = (lambda case: case.program in only) if only else (lambda case: writes or not case.long)
    rows, compilers = all_rows(build, source, list(filter(is_asked, CASES)))
    if len(compilers) != 1:
        named = " ".join(sorted(compilers)) or "none is named"
        command_line.stop(f"these programs were not compiled by one compiler: {named}", 1)
    compiler = compilers.pop()
    print(f"PTX by {compiler}; {RECORD} has the rows of {COMPILER}")
    if writes and only and compiler != COMPILER:
        command_line.stop(f"of {compiler} only all cases together are recorded", 2)
    recorded, wrong = record_of(source)["rows"], []
    if writes and only:
        rows = with_rows_of_record(rows, recorded, only)
    if not writes:
        long = {(case.program, case.n) for case in CASES if case.long}
        of_today = [row for row in recorded if not only and (row["program"], row["n"]) not in long or row["program"] in only]
        drift = DRIFT if compiler == COMPILER else DRIFT_OF_VERSIONS
        wrong += stale(rows, {key(row): row for row in of_today}, drift)
        rows += rows_not_run(recorded, only)
    tell_what_is_known()
    figures = figures_of(rows)
    if writes and compiler != COMPILER:
        write_other_compiler(source, compiler, rows)
    elif writes:
        write_record(build, source, rows, figures, only)
    wrong += complaints(rows, figures)
    sys.exit("\n".join(wrong) if wrong else 0)


if __name__ == "__main__":
    build_dir, source_dir, *writing = command_line.arguments("BUILD_DIR SOURCE_DIR [--write] [CASE…]")
    main(pathlib.Path(build_dir), pathlib.Path(source_dir), *writing)
# SPDX-License-Identifier: MIT
