"""Runs of a program of kernels, for tests that they do not differ (threads_test.py, kernels_fuzz.py)."""
import itertools
import os
import subprocess


def run(command, **variables):
    """What a run says, with these variables of the simulated GPU and no others."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("GPUSIM_")}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**clean, **variables})
    return f"exit status {done.returncode}\n{done.stdout}{done.stderr}"


def without_counters(said):
    """Counters, which are JSON, have a meaning only in the default schedule."""
    return "\n".join(line for line in said.splitlines() if line.lstrip()[:1] not in tuple('{}[]"'))


def first_run(command, check, budget):
    """The run that others are compared with. `budget`: warp instructions of a launch."""
    return run(command, GPUSIM_CHECK=check, GPUSIM_BUDGET=str(budget), GPUSIM_THREADS="1")


def other_runs(command, check, budget, budget_by_lanes, first, is_right):
    """(how it ran, what it said, what it should have said). Kernels of any kind say the same on 2 and 7 host threads. If they are
    right, they say the same in every order of blocks, and but for the counters in every schedule. `first`: what first_run() said.
    `budget_by_lanes`: for schedules that run lane by lane, which takes more warp instructions."""
    variables = [{"GPUSIM_THREADS": threads} for threads in ("2", "7")]
    if is_right:
        variables += [{"GPUSIM_BLOCK_ORDER": order, "GPUSIM_THREADS": threads}
                      for order, threads in itertools.product(("last_to_first", "shuffled"), ("1", "7"))]
    for each in variables:
        yield each, run(command, GPUSIM_CHECK=check, GPUSIM_BUDGET=str(budget), **each), first
    for schedule in ("ascending", "descending") if is_right else ():
        said = run(command, GPUSIM_CHECK=check, GPUSIM_BUDGET=str(budget_by_lanes), GPUSIM_SCHEDULE=schedule)
        yield {"GPUSIM_SCHEDULE": schedule}, without_counters(said), without_counters(first)
# SPDX-License-Identifier: MIT
