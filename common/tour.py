#!/usr/bin/env python3
"""Runs programs of the tutorial in order and prints one table: `ninja -C build tour`, `ninja -C build bench`.

tour.py [--timings] -- PROGRAM…

Each PROGRAM understands --json (common/harness/summary.h describes the document). The kernels that it marks as
steps make a line each: what the simulated GPU counted, whether it proves that no run of this launch can race, and, from a
PROGRAM.gpu, how long a GPU took. Without one a second
table says how long an H200 is predicted to take for each step, at a size where the memory is what counts. With
--timings every kernel makes a line. Exits with 1 if a program failed or a result was wrong.
"""
import collections
import concurrent.futures
import json
import pathlib
import subprocess
import time

import command_line
import counter_list

Column = collections.namedtuple("Column", "heading cell")


def sectors_per_request(row):
    """Mean over the global loads and stores of a kernel."""
    total = lambda what: sum(row["counters"][f"global_{way}_{what}"] for way in ("load", "store"))
    return f"{total('sectors') / total('requests'):.1f}" if total("requests") else None


def measured(name, decimals):
    def cell(row):
        value = row["timing"].get(name)
        return None if value is None else f"{value:,.{decimals}f}"
    return cell


COMBINED = {"global_sectors_per_request": sectors_per_request}  # in no JSON: worked out here


def counted(counter):
    if counter.kind == "COMBINED":
        return COMBINED[counter.name]
    return lambda row: f"{row['counters'][counter.name]:,.{counter.decimals}f}"


PROOF = "proof"
VERDICTS = {"proved": "proved", "race_free": "race-free", "not_proved": "not proved"}
MEANINGS = {
    "proved": "no order of threads and no input of this size can race in the code that clang made, and the same input always "
              "gives the same bits",
    "race_free": "the same, but one input may give different bits",
}
PROOFS = [Column(PROOF, lambda row: VERDICTS[row["proof"]["verdict"]])]
COUNTERS = [Column(heading, counted(counter)) for counter, (_, heading) in counter_list.shown_in("TOUR")]
TIMES = [
    Column("ms", measured("milliseconds", 4)),
    Column("GB/s", measured("gigabytes_per_second", 1)),
    Column("% of copy", measured("percent_of_copy", 1)),
    Column("TFLOP/s", measured("teraflops", 2)),
    Column("x step before", lambda row: f"{row['speedup']:.2f}" if row["speedup"] else None),
]
QUARTILES = [Column("q1 ms", measured("q1", 4)), Column("q3 ms", measured("q3", 4))]


SAVING = "largest cost that could go"


def largest_saving(predicted):
    """"34 %: bank conflicts", without the figures behind a colon; None: no cost makes up 5 % of the time."""
    if not predicted["saving"]:
        return None
    return f"{100 * predicted['saved_part']:.0f} %: {predicted['saving'].split(':')[0]}"


PREDICTED = [
    Column("predicted ms", lambda row: f"{row['predicted']['milliseconds']:,.4f}"),
    Column("±", lambda row: f"{100 * row['predicted']['error']:.0f} %" if row["predicted"]["error"] else "unknown"),
    Column("GB/s", lambda row: f"{row['predicted']['gigabytes_per_second']:,.1f}"),
    Column("% of copy", lambda row: f"{row['predicted']['percent_of_copy']:.1f}"),
    Column(SAVING, lambda row: largest_saving(row["predicted"])),
]
PREDICTED_SIZE = ["--n", "2^25"]
OTHER_SIZES = {"13_gemm": []}  # of matrices: as it is counted
NOT_PREDICTED = {"14_many_gpus": "how long GPUs wait for each other is not modelled"}


def run(program, *options):
    """The program's JSON document, or one line that says why there is none."""
    try:
        done = subprocess.run([program, "--json", *options], capture_output=True, text=True, check=False)
        return json.loads(done.stdout), None
    except OSError as error:
        return None, error.strerror
    except json.JSONDecodeError:
        complaint = done.stderr.strip().splitlines() or ["no output"]
        return None, f"exit status {done.returncode}: {complaint[-1]}"


def predict(path):
    """The document of its predicted step; None where none is predicted."""
    if path.suffix == ".gpu" or path.name in NOT_PREDICTED:
        return None
    return run(path, "--predict", "--only-step", *OTHER_SIZES.get(path.name, PREDICTED_SIZE))


def run_all(programs):
    """Yields (path, document, error) for each program, and shows which one runs."""
    for number, program in enumerate(programs, 1):
        path = pathlib.Path(program)
        print(f"[{number}/{len(programs)}] {path.name} …", end="", flush=True)
        start = time.monotonic()
        document, error = run(program, *([] if path.suffix == ".gpu" else ["--proof"]))
        print(f" {time.monotonic() - start:.1f} s", flush=True)
        yield path, document, error


def add_speedups(rows):
    """How much faster than the timed row before: by GB/s, since steps may differ in n."""
    before = None
    for row in rows:
        if row["timing"]:
            bandwidth = row["timing"]["gigabytes_per_second"]
            row["speedup"] = bandwidth / before if before else None
            before = bandwidth


def table(rows, groups):
    """`groups`: lists of columns and the key of a row without which these columns stay empty."""
    headings = [column.heading for _, columns in groups for column in columns]
    is_judged = any(row["verified"] is not None for row in rows)
    lines = [["step", "kernel", "n", *(["result"] if is_judged else []), *headings]]
    for row in rows:
        cells = [row["step"], row["kernel"], f"{row['n']:,}"]
        if is_judged:
            cells.append("right" if row["verified"] else "WRONG")
        for key, columns in groups:
            cells += [(column.cell(row) if row[key] else None) or "-" for column in columns]
        lines.append(cells)
    widths = [max(map(len, column)) for column in zip(*lines)]
    # Columns of text are aligned left, numbers right.
    names = {0, 1, *([3] if is_judged else []), *(at for at, heading in enumerate(lines[0]) if heading in (SAVING, PROOF))}
    aligned = ["  ".join(cell.ljust(width) if at in names else cell.rjust(width)
                         for at, (cell, width) in enumerate(zip(cells, widths))).rstrip() for cells in lines]
    return "\n".join(aligned[:1] + ["-" * len(aligned[0])] + aligned[1:])


def about_proofs(rows):
    """Below the table: what the words of its column mean, and what prevents the proof of a step."""
    met = {row["proof"]["verdict"] for row in rows if row["proof"]}
    lines = [f"{VERDICTS[verdict]}: {meaning}" for verdict, meaning in MEANINGS.items() if verdict in met]
    for row in rows:
        if row["proof"] and row["proof"]["verdict"] != "proved":
            proof = row["proof"]
            place = f"{pathlib.Path(proof['file']).name}:{proof['line']} " if proof["file"] else ""
            lines.append(f"{VERDICTS[proof['verdict']]}: {row['step']}: {place}{proof['reason']}")
    return "\n".join(lines)


def predictions(documents, failures):
    """The table of predicted times, and the line below it."""
    rows, machine = [], None
    for path, (document, error) in documents:
        if error:
            failures.append(f"{path.name} --predict: {error}")
            continue
        for result in document["rows"]:
            machine, compiler = result["predicted"]["machine"], result["predicted"]["compiler"]
            rows.append({**result, "step": path.name, "n": document["n"], "verified": None})
    if not rows:
        return ""
    missing = "".join(f"; {name}: {why}" for name, why in NOT_PREDICTED.items())
    return (f"\n{table(rows, [('predicted', PREDICTED)])}\n\n"
            f"Predicted for an {machine}: computed by a model from the PTX of {compiler}, not measured (book/src/time.md)"
            f"{missing}")


def main(*arguments):
    timings = "--timings" in arguments
    programs = [argument for argument in arguments if argument not in ("--timings", "--")]

    rows, devices, failures = {}, {}, []  # a row for each (step, kernel), in the order of the programs
    paths = [pathlib.Path(program) for program in programs]
    measures = any(path.suffix == ".gpu" for path in paths)
    pool = concurrent.futures.ThreadPoolExecutor(1)  # while this one counts
    predicted = [] if measures else [(path, pool.submit(predict, path)) for path in paths]
    for path, document, error in run_all(programs):
        step = path.name.removesuffix(".gpu")
        if error:
            failures.append(f"{path.name}: {error}")
            continue
        device, ceiling = document["device"], document["copy_gigabytes_per_second"]
        devices[device["name"]] = f", a copy moves {ceiling:,.1f} GB/s" if ceiling else ""
        for result in document["rows"]:
            if not result["verified"]:
                failures.append(f"{path.name}: {result['kernel']}: {result['message']}")
            if not (result["step"] or timings):
                continue
            row = rows.setdefault((step, result["kernel"]), {
                "step": step, "kernel": result["kernel"], "n": document["n"], "verified": True,
                "counters": None, "proof": None, "timing": None})
            row["verified"] = row["verified"] and result["verified"]
            row["counters"] = result["counters"] or row["counters"]
            row["proof"] = result.get("proof") or row["proof"]
            row["timing"] = result["timing"] or row["timing"]

    rows = list(rows.values())
    add_speedups(rows)
    groups = [("proof", PROOFS), ("counters", COUNTERS), ("timing", TIMES + QUARTILES if timings else TIMES)]
    if rows:
        print("\n" + table(rows, [(key, columns) for key, columns in groups if any(row[key] for row in rows)]))
        if text := about_proofs(rows):
            print("\n" + text)
        print("\nRan on: " + "; ".join(name + note for name, note in devices.items()))
    if text := predictions([(path, done.result()) for path, done in predicted if done.result()], failures):
        print(text)
    for failure in failures:
        print(f"FAILED {failure}")
    return 1 if failures else 0


if __name__ == "__main__":
    command_line.run(main, __doc__, "[--timings] -- PROGRAM…", lambda arguments: (
        set(arguments) - {"--", "--timings"} and command_line.options_first(arguments, ("--timings",))))
# SPDX-License-Identifier: MIT
