"""Programs of a GPU build: where they are, for which lengths and shapes they are measured, and what they say with --json."""
import json
import pathlib
import sys

from measuring.toolchain import output_of

SIZES = [1 << 25, 1 << 28, 1 << 30]
COUNTED_SIZE = 1 << 25
PRODUCTS = "13_gemm"  # a program of shapes, not of lengths
COUNTED_SHAPE = (768, 1024, 32)  # gemm_chosen takes the same plan with 108 multiprocessors and with 132


def programs(build):
    found = sorted(pathlib.Path(build, "solutions").glob("*.gpu"))
    if not found:
        sys.exit(f"{build}/solutions holds no NN_topic.gpu: configure with -Dgpu=enabled and build first")
    return found


def document_of(program, *options):
    """What a program says with --json."""
    print(pathlib.Path(program).name, *options, flush=True)
    return json.loads(output_of(program, "--json", *options))


def timed(program, n, *options):
    return document_of(program, "--n", str(n), *options)


def shape_options(shape):
    return [word for name, length in zip(("--rows", "--columns", "--depth"), shape) for word in (name, str(length))]
# SPDX-License-Identifier: MIT
