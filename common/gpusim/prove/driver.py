"""prove FILE --contracts CONTRACTS.json [options]

Proves kernels race-free, and within their arrays, for every launch that their contracts allow.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from .contracts import BadContract, contracts_of
from .kernels import kernels_of
from .prover import prove, summary

ROOT = pathlib.Path(__file__).resolve().parents[3]
DESCRIPTION = """Proves kernels race-free, and within their arrays, for every launch that their contracts allow
(prove/contracts.py says what a contract is). FILE is CUDA C++, a header of kernels, or PTX made by simcc --keep-accesses -ptx.
Prints a line for each contract. The exit status is 1 if one of them is not proved, and 2 if there is nothing to prove."""


def arguments():
    parser = argparse.ArgumentParser(prog="prove", description=DESCRIPTION)
    parser.add_argument("file", metavar="FILE")
    parser.add_argument("--contracts", required=True, metavar="FILE", help="JSON, one contract for each kernel")
    parser.add_argument("--kernel", help="only contracts of this kernel")
    parser.add_argument("--all", action="store_true", help="a kernel without a contract is not proved, either")
    parser.add_argument("--certificates", metavar="FOLDER", help="where to write a certificate for each proved contract")
    parser.add_argument("--simcc", default=str(ROOT / "build" / "simcc"), metavar="FILE", help="which simcc compiles CUDA C++")
    parser.add_argument("options", nargs="*", metavar="-- OPTION", help="for simcc, behind --: -I FOLDER")
    own, _, options = "\0".join(sys.argv[1:]).partition("\0--\0")
    parsed = parser.parse_args(own.split("\0"))
    parsed.options = options.split("\0") if options else []
    return parsed


def fail(text):
    print(f"prove: {text}", file=sys.stderr)
    sys.exit(2)


def ptx_of(file, contracts, simcc, options):
    if file.endswith(".ptx"):
        try:
            return pathlib.Path(file).read_text(encoding="utf-8")
        except OSError as error:
            fail(error)
    if not os.path.exists(simcc):
        fail(f"{simcc} does not exist; make it with `sh common/bootstrap.sh`, or name another with --simcc")
    with tempfile.TemporaryDirectory() as scratch:
        source, out = (os.path.join(scratch, name) for name in ("kernels.cu", "kernels.ptx"))
        lines = [f'#include "{os.path.abspath(file)}"', *(c.instantiate for c in contracts)]
        pathlib.Path(source).write_text("\n".join(lines) + "\n", encoding="utf-8")
        done = subprocess.run([simcc, "--keep-accesses", "-O2", "-lineinfo", "-ptx", *options, source, "-o", out], check=False)
        if done.returncode:
            fail(f"simcc cannot compile {file}; see its messages above")
        return pathlib.Path(out).read_text(encoding="utf-8")


def keeps_its_accesses(ptx, name):
    return f"// simcc: {name} keeps its accesses\n" in ptx


def verdicts(ptx, contracts):
    """(contract, kernel's name, why it is not proved or "", certificate) of each contract, in order."""
    kernels = kernels_of(ptx)
    for contract in contracts:
        found = [name for name in kernels if contract.is_of(name)]
        block = "x".join(str(size) for size in contract.block if size > 1)
        title = f"{contract.kernel}{contract.template and ' ' + contract.template}<<<grid, {block}>>>"
        if len(found) != 1:
            yield title, f"{'no kernel' if not found else 'more than one kernel'} of the file fits the contract", None
        elif not keeps_its_accesses(ptx, found[0]):
            yield title, "its accesses may have been removed: compile with --keep-accesses", None
        else:
            verdict = prove(kernels[found[0]], contract)
            yield title, verdict.why, verdict.certificate


def main():
    options = arguments()
    try:
        contracts = contracts_of(options.contracts)
    except BadContract as error:
        fail(error)
    contracts = [c for c in contracts if options.kernel in (None, c.kernel)]
    if not contracts:
        fail(f"{options.contracts} has no contract{f' of {options.kernel}' if options.kernel else ''}")
    failed = False
    ptx = ptx_of(options.file, contracts, options.simcc, options.options)
    for name in kernels_of(ptx) if options.all else ():
        if not any(contract.is_of(name) for contract in contracts):
            print(f"not proved: {name}: it has no contract")
            failed = True
    if failed:
        return 1
    for number, (title, why, certificate) in enumerate(verdicts(ptx, contracts)):
        failed |= bool(why)
        print(f"not proved: {title}: {why}" if why else f"proved for every launch: {title}: {summary(certificate)}", flush=True)
        if options.certificates and not why:
            name = re.sub(r"\W", "_", certificate["kernel"])
            path = pathlib.Path(options.certificates) / f"{number:02}{name}.json"
            path.write_text(json.dumps(certificate), encoding="utf-8")
    return int(failed)
# SPDX-License-Identifier: MIT
