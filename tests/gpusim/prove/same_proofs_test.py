#!/usr/bin/env python3
"""same_proofs_test.py SIMCC

A kernel has the same certificate in each run. Python gives its strings other hashes in each process, and so its sets another
order; a search that follows the order of a set finds a proof in one run and none in the next.
"""
import concurrent.futures
import hashlib
import json
import os
import subprocess
import sys

import aimed_kernels_test
from proving import HERE  # proving.py says where the prover is

KERNELS = ["block_reduction", "family_of_neighbours", "vector_rows_in_fours", "xor_of_packs"]
SEEDS = ["1", "2", "3"]


def said_of(simcc, name):
    """Each contract of the kernel, with the reason why it is not proved or the digest of its certificate."""
    digest = lambda certificate: hashlib.sha256(json.dumps(certificate).encode()).hexdigest()
    found = aimed_kernels_test.verdicts_on(simcc, HERE / "right" / f"{name}.cu")
    return [f"{title}: {why or digest(certificate)}" for title, why, certificate in found]


def said_with(seed, simcc, name):
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    done = subprocess.run([sys.executable, __file__, simcc, name], env=environment, capture_output=True, text=True, check=True)
    return done.stdout


def main():
    if len(sys.argv) == 3:
        print("\n".join(said_of(*sys.argv[1:])))
        return
    runs = [(seed, sys.argv[1], name) for name in KERNELS for seed in SEEDS]
    with concurrent.futures.ThreadPoolExecutor(2) as workers:
        said = dict(zip(runs, workers.map(lambda run: said_with(*run), runs)))
    different = [name for name in KERNELS if len({said[seed, sys.argv[1], name] for seed in SEEDS}) > 1]
    print(f"{len(KERNELS)} kernels, each with {len(SEEDS)} orders of sets")
    sys.exit("\n".join(f"{name}: the certificate depends on the order of a set" for name in different) or 0)


if __name__ == "__main__":
    main()
# SPDX-License-Identifier: MIT
