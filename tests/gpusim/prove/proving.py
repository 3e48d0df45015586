"""What the tests of common/gpusim/prove share: to compile a chapter's kernels, and to prove them."""
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path += [str(ROOT / "common" / "gpusim"), str(ROOT / "common" / "gpusim" / "prove"), str(HERE.parent / "proof")]
import check_certificate
from prove.contracts import contracts_of
from prove.driver import verdicts

CONTRACTS = HERE / "contracts"
OTHER_CONTRACTS = CONTRACTS / "other_files"  # of kernels elsewhere than in a chapter's kernels.cuh: NN_topic.FILE.json


def contracts_of_chapter(chapter):
    return contracts_of(CONTRACTS / f"{chapter}.json")


def ptx_of(simcc, kernels, chapter, contracts):
    """The PTX of a kernels.cuh, or None if it does not compile."""
    with tempfile.TemporaryDirectory() as scratch:
        source, out = pathlib.Path(scratch, "kernels.cu"), pathlib.Path(scratch, "kernels.ptx")
        lines = [f'#include "{pathlib.Path(kernels).resolve()}"', *(contract.instantiate for contract in contracts)]
        source.write_text("\n".join(lines) + "\n", encoding="utf-8")
        folders = [ROOT / "solutions" / chapter, ROOT / "chapters" / chapter, ROOT / "common", ROOT]
        include = [option for folder in folders for option in ("-I", str(folder))]
        command = [simcc, "--keep-accesses", "-O2", "-lineinfo", "-std=c++17", "-ptx", *include]
        done = subprocess.run([*command, source, "-o", out], capture_output=True, text=True, check=False)
        return None if done.returncode else out.read_text(encoding="utf-8")


def proved_in(simcc, kernels, chapter, contracts):
    """[(kernel and block, why it is not proved or "", certificate)], or None if it does not compile."""
    ptx = ptx_of(simcc, kernels, chapter, contracts)
    return None if ptx is None else list(verdicts(ptx, contracts))


def is_right(certificate):
    """What check_certificate.py says against a certificate, or ""; it is read as if from a file."""
    try:
        check_certificate.Certificate(json.loads(json.dumps(certificate))).check()
    except (check_certificate.Wrong, KeyError, IndexError, TypeError) as error:
        return f"{error!r}"
    return ""
# SPDX-License-Identifier: MIT
