"""Chapter 14's sums and all-reduces on several GPUs, beside NCCL's."""
import json
import pathlib
import shutil
import sys

from measuring.toolchain import output_of

MANY_GPUS = "chapters/14_many_gpus.sweep.gpu"
# NCCL without NVLink's multicast, which kernels that load and store do not use either, and not every host offers.
MANY_GPUS_ENVIRONMENT = {"NCCL_NVLS_ENABLE": "0"}
ROOT_MAY_MPIRUN = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}  # else Open MPI refuses in a container


def gpus(build):
    program = pathlib.Path(build, MANY_GPUS)
    print(program.name, flush=True)
    settings = [f"{name}={value}" for name, value in (MANY_GPUS_ENVIRONMENT | ROOT_MAY_MPIRUN).items()]
    rows = json.loads(output_of("env", *settings, program))
    if not shutil.which("mpirun"):
        print("no mpirun here: processes are left out (sh common/bootstrap.sh --mpi, then build again)")
        return by_what_is_timed(rows)
    for count in sorted({row["gpus"] for row in rows if "gpus" in row}):
        print(f"mpirun -n {count} {program.name}", flush=True)
        rows += json.loads(output_of("env", *settings, "mpirun", "--bind-to", "none", "-n", str(count), program))
    return by_what_is_timed(rows)


def by_what_is_timed(rows):
    """Chapter 14's rows: sums, all-reduces, what its program makes of them as a model, overlap, and all that by processes."""
    by_gpus, by_processes = ([row for row in rows if of in row] for of in ("gpus", "processes"))
    of = {what: [row for row in by_gpus if key in row]
          for what, key in (("sums", "floats"), ("all_reduces", "bytes"), ("models", "model"), ("overlaps", "row_bytes"))}
    of |= {f"process_{what}": [row for row in by_processes if key in row]
           for what, key in (("sums", "floats"), ("all_reduces", "bytes"))}
    if {"end": True} not in rows or not of["models"] or not any(row["how"] == "nccl" for row in of["all_reduces"]):
        sys.exit(f"{MANY_GPUS}: it takes two GPUs and a build with NCCL (the summary of `meson setup` says whether)")
    wrong = [row for rows in of.values() for row in rows if not row.get("right", True)]
    if wrong:
        sys.exit(f"{MANY_GPUS}: not right: {wrong[0]}")
    return {"what": "microseconds by the host's clock: medians of five series of calls one after another, in which all GPUs are "
                    "busy from the first to the last; gb_s: useful bytes; bus_gb_s: bytes of an array times 2 (N - 1) / N",
            "environment": MANY_GPUS_ENVIRONMENT, **of}
# SPDX-License-Identifier: MIT
