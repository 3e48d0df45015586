"""Builds a chapter's judge, runs it, and gives back what it found: the JSON that tests/chapters/outcome.h describes."""
import json
import pathlib
import subprocess
import tempfile

from learn import processes

NOT_STARTED = 77
PRINTED_LINES = 12  # of what the kernels printed


def without_verdict(program, status):
    how = f"it was ended by signal {-status}" if status < 0 else f"exit status {status}"
    return {"verdict": f"no verdict: {how}; to see why, run {program}", "exit_code": 1}


def outcome_of(program, stretch=False, is_stale=None):
    """What a judge that is built has to say. A judge that says nothing gets a verdict that begins `no verdict`."""
    with tempfile.TemporaryDirectory(prefix="learn-") as scratch:
        file, printed = pathlib.Path(scratch, "outcome.json"), pathlib.Path(scratch, "printed")
        command = [str(program), f"--json={file}"] + (["--stretch"] if stretch else [])
        with open(printed, "wb") as output:
            try:
                status = processes.run(command, is_stale=is_stale, stdout=output, stderr=subprocess.STDOUT)
            except OSError as error:
                return {"verdict": f"no verdict: {program}: {error.strerror}", "exit_code": 1}
        try:
            outcome = json.loads(file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            outcome = without_verdict(program, status)
        with open(printed, encoding="utf-8", errors="replace") as lines:
            shown = [line.rstrip("\n") for _, line in zip(range(PRINTED_LINES + 1), lines)]
        outcome["printed"] = shown[:PRINTED_LINES] + (["…"] if len(shown) > PRINTED_LINES else [])
        return outcome


def state_of(outcome):
    """done, begun, not started or wrong."""
    if outcome["exit_code"] == 0:
        return "done"
    if outcome["exit_code"] == NOT_STARTED:
        return "not started"
    return "begun" if outcome["verdict"].startswith("begun") else "wrong"


def counters_of(outcome):
    """What was counted of each kernel when it was asked first: {"sum_tile|bank conflicts|a block": value}."""
    counters = {}
    for measured in outcome.get("measurements", []):
        if not measured["goal"]:
            counters.setdefault(key_of(measured), measured["value"])
    return counters


def key_of(measured):
    return "|".join((measured["kernel"].split(",")[0], measured["counter"], measured["each"].strip(", ")))
