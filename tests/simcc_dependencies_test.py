#!/usr/bin/env python3
"""simcc_dependencies_test.py BUILD_DIR SIMCC: whatever simcc compiles for this build is made again when simcc changes, in
any of its pieces: what it imports, and the checker that it runs."""
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "common"))
import command_line

PIECES = "common/gpusim/simcc_pieces.sha256"
PACKAGE = pathlib.Path(__file__).resolve().parent.parent / "common/gpusim/simcc"
DIGEST = pathlib.Path(__file__).resolve().parent.parent / "common/gpusim/write_digest.py"


def inputs_of(build, target):
    done = subprocess.run(["ninja", "-C", build, "-t", "inputs", target], stdout=subprocess.PIPE, text=True, check=True)
    return set(done.stdout.split("\n"))


def expect(condition, *what):
    if not condition:
        sys.exit(" ".join(map(str, what)))


def test_edges(build, simcc):
    edges = re.findall(r"^build (.*): CUSTOM_COMMAND\w* (.*)\n(?: .*\n)*? COMMAND = (.*)",
                       (build / "build.ninja").read_text(encoding="utf-8"), re.MULTILINE)
    compiled = [(output, inputs) for output, inputs, command in edges
                if f" {simcc} " in " " + command and " -c " in command]  # also what compile_judged.py has it compile
    expect(len(compiled) > 20, "only", len(compiled), "files are compiled by simcc: does this test still find them?")
    for output, inputs in compiled:
        expect(PIECES in inputs.split(), output, "is not made again when a piece of simcc changes")
    pieces = inputs_of(build, PIECES)
    modules = sorted(path.name for path in PACKAGE.glob("*.py") if path.name != "launcher.py")  # that one is build/simcc
    expect(modules, "simcc has no modules")
    for piece in ["common/gpusim/gpusim_ptxcheck", "standard_streams.py", *("simcc/" + name for name in modules)]:
        expect(any(path.endswith(piece) for path in pieces), piece, "is no input of", PIECES)


def test_digest():
    """It stays as it is, its time included, while the files say the same."""
    with tempfile.TemporaryDirectory() as folder:
        piece, digest = pathlib.Path(folder, "piece"), pathlib.Path(folder, "digest")

        def written():
            subprocess.run([sys.executable, DIGEST, digest, piece], check=True)
            return digest.read_text(encoding="utf-8"), digest.stat().st_mtime_ns
        piece.write_text("one\n", encoding="utf-8")
        first = written()
        piece.write_text("one\n", encoding="utf-8")
        expect(written() == first, "a digest is written anew although its files say the same")
        piece.write_text("two\n", encoding="utf-8")
        expect(written()[0] != first[0], "a digest stays although a file has changed")


def main():
    build, simcc = map(pathlib.Path, command_line.arguments("BUILD_DIR SIMCC"))
    test_edges(build, simcc)
    test_digest()


if __name__ == "__main__":
    main()
# SPDX-License-Identifier: MIT
