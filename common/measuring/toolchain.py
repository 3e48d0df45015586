"""The GPU, its driver and the CUDA Toolkit of this machine: what measurements run, and what they say they are of."""
import datetime
import os
import re
import shutil
import subprocess
import sys


def output_of(*command):
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        sys.exit(f"{command[0]}: {error.strerror}; measuring takes an NVIDIA GPU with its driver, and the CUDA Toolkit")
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: exit status {done.returncode}: {(done.stderr or done.stdout).strip()[-400:]}")
    return done.stdout


def nvcc():
    home = os.environ.get("CUDA_HOME") or os.environ.get("CUDA_PATH") or "/usr/local/cuda"
    return shutil.which("nvcc") or home + "/bin/nvcc"


def toolchain():
    cuda = re.search(r"release ([\d.]+)", output_of(nvcc(), "--version")).group(1)
    # A tree without git (a tarball, a copy) names its commit in the environment.
    commit = os.environ.get("COMMIT") or output_of("git", "rev-parse", "--short=12", "HEAD").strip()
    return {"cuda": cuda, "commit": commit, "date": datetime.date.today().isoformat()}


def provenance():
    gpu, driver = output_of("nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader").splitlines()[0].split(", ")
    return {"gpu": gpu, "driver": driver, **toolchain()}
# SPDX-License-Identifier: MIT
