"""How good is a model that was derived, not measured? derived_truth_test.py BUILD_DIR SOURCE_DIR [--write] [--others]

Two GPUs have a measured model and measured times: an H200 and an H100. derived/ has a file of each that is derived from the other
one's model, with published values only, as if nobody had measured it. What these predict is held against the measured times, and
against what the measured model predicts.

--write takes every case, also those that the test leaves out for their length, and with --others the kernels of other kinds; it
records what comes out in RECORD. From there programs take the ± of every derived model.

Kernels of other kinds: the ± of a measured model comes from predictions that were made before anybody had measured them, because
today's rules have seen the times. So these predictions are taken again here. Each is changed by as much as the derived model
changes today's.
"""

import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import timing_truth_test as truth_test

sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "common"))
import command_line
import whole_file

errors = truth_test.errors
HERE = pathlib.Path(__file__).resolve().parent
DERIVED = {"h200": HERE / "derived/h200_from_h100.json", "h100": HERE / "derived/h100_from_h200.json"}
RECORD = "common/gpusim/timing/derived_accuracy.json"
MOST_MEAN_ERROR = 0.15
# The test runs the steps at one size, which takes less than a minute; --write runs all.
SHORT = [case for case in truth_test.CASES if case.n == truth_test.N and not case.long]


def rows_of(build, source, cases):
    """What the derived models predict next to what was measured and what the measured models predict."""
    of_model = {truth_test.key(row): row["predicted"] for row in truth_test.record_of(source)["rows"]}
    truth = {machine: truth_test.measured(source, machine) for machine in DERIVED}
    runs = [(case, machine) for machine in DERIVED for case in cases]
    rows = []
    with concurrent.futures.ThreadPoolExecutor(2) as workers:  # a program uses one core
        for (case, machine), (times, _, _) in zip(
            runs, workers.map(lambda run: truth_test.predicted(run[0], str(DERIVED[run[1]]), build), runs)
        ):
            for kernel, milliseconds in times.items():
                row = {"machine": machine, "program": case.program, "kernel": kernel, "n": case.n}
                known = truth[machine].get((case.program, kernel, case.n))
                by_measured_model = of_model.get(truth_test.key(row))
                if known is None or not milliseconds or by_measured_model is None:
                    continue
                row |= {
                    "measured": round(known, 5),
                    "by_measured_model": by_measured_model,
                    "predicted": round(milliseconds, 5),
                }
                rows.append(row)
                print(
                    f"{machine} {case.n:9} {case.program:28} {kernel:38} measured {known:9.4f} ms  derived "
                    f"{milliseconds:9.4f} ms {milliseconds / known - 1:+5.0%}  measured model {by_measured_model:9.4f} ms "
                    f"{milliseconds / by_measured_model - 1:+5.0%}",
                    flush=True,
                )
    return rows


def other_rows(build, source):
    """The same of kernels that the tutorial does not have. predicted_before: the blind prediction of the measured model."""
    record, rows = truth_test.record_of(source), []
    with tempfile.TemporaryDirectory() as folder:
        for name in errors.COLLECTIONS:
            program = pathlib.Path(folder, name)
            subprocess.run(
                [build / "simcc", "-O3", source / f"tests/gpusim/fidelity/outside/{name}.cu", "-o", program], check=True
            )
            for machine, file in DERIVED.items():
                measured_rows = errors.measured_rows(source / "common/gpusim/timing/unseen", name, machine)
                if not measured_rows:
                    print(f"left out: {name}: not measured on the {machine}")
                    continue
                truth = {row["kernel"]: row for row in measured_rows}
                today = {row["kernel"]: row["predicted"] for row in record[f"{name}_rows"] if row["machine"] == machine}
                environment = {**os.environ, "GPUSIM_MACHINE": str(file)}
                done = subprocess.run([program], env=environment, capture_output=True, text=True, check=True)
                rows += [
                    {
                        "machine": machine,
                        "collection": name,
                        "kernel": row["kernel"],
                        "measured": truth[row["kernel"]]["milliseconds"],
                        "predicted_before": truth[row["kernel"]]["predicted_before"],
                        "by_measured_model": today[row["kernel"]],
                        "predicted": round(row["milliseconds"], 5),
                    }
                    for row in json.loads(done.stdout)["rows"]
                ]
                print(f"{name} on the {machine}: done", flush=True)
    return rows


def to_model(rows):
    return errors.summary(row["predicted"] / row["by_measured_model"] - 1 for row in rows)


def figures_of(rows):
    """Of the chapters' kernels: against measured times, and against the measured models' predictions."""
    return truth_test.summary(rows), to_model(rows)


def blind(rows):
    return errors.summary(
        row["predicted_before"] * row["predicted"] / row["by_measured_model"] / row["measured"] - 1 for row in rows
    )


def tell(what, figures):
    print(
        f"{what}: {figures['rows']} rows, mean {figures['mean']:.1%}, median {figures['median']:.1%}, "
        f"nine in ten within {figures['nine_in_ten']:.0%}"
    )


def record_of(rows, others):
    def each(make, of):
        return {machine: make([row for row in of if row["machine"] == machine]) for machine in DERIVED}

    return {
        "what": "an H200 derived from an H100, and back, with published values only (derived_truth_test.py --write); times in ms",
        "compiler": truth_test.COMPILER,
        "known": truth_test.summary(rows),
        "known_by_machine": each(truth_test.summary, rows),
        "known_to_measured_model": to_model(rows),
        "known_to_measured_model_by_machine": each(to_model, rows),
        "others": blind(others),
        "others_by_machine": each(blind, others),
        "others_to_measured_model": to_model(others),
        "rows": rows,
        "other_rows": others,
    }


def main(build, source, *options):
    if set(options) - {"--write", "--others"}:
        command_line.stop(f"{' '.join(options)}: the options are --write and --others", 2)
    writes = "--write" in options
    path = source / RECORD
    before = json.loads(path.read_text(encoding="utf-8"))
    rows = rows_of(build, source, truth_test.CASES if writes else SHORT)
    wrong = []
    if writes:
        others = other_rows(build, source) if "--others" in options else before["other_rows"]
        record = record_of(rows, others)
        whole_file.write(path, json.dumps(record, indent=1) + "\n")
    else:
        record = before
        at = {truth_test.key(row): row["predicted"] for row in before["rows"]}
        wrong += [
            f"{RECORD} is not of this model: {' '.join(truth_test.key(row))}; --write makes it"
            for row in rows
            if abs(row["predicted"] / at.get(truth_test.key(row), float("inf")) - 1) > truth_test.DRIFT_OF_VERSIONS
        ]
    against_times, against_model = figures_of(rows)
    tell("derived models against measured times", against_times)
    tell("derived models against the measured models' predictions", against_model)
    tell("recorded, the chapters' kernels against measured times", record["known"])
    tell("recorded, other kernels as predicted before they were measured, against measured times", record["others"])
    if min(against_times["mean"], against_model["mean"]) > MOST_MEAN_ERROR:
        wrong.append(f"mean error above {MOST_MEAN_ERROR:.0%}")
    sys.exit("\n".join(wrong) if wrong else 0)


if __name__ == "__main__":
    build_dir, source_dir, *writing = command_line.arguments("BUILD_DIR SOURCE_DIR [--write] [--others]")
    main(pathlib.Path(build_dir), pathlib.Path(source_dir), *writing)
# SPDX-License-Identifier: MIT
