#!/usr/bin/env python3
"""Times PyTorch's softmax and RMSNorm for the shapes of chapters/15_softmax/shapes.cu: eager, and by torch.compile.

pytorch_rows.py ELEMENTS REPEATS     prints JSON: a row for each operation, type, number of columns and way

Measured as harness/timing.h does: before each run the L2 cache is read full of something else, and the median counts.
Needs PyTorch and an NVIDIA GPU. Compiling takes a minute or two.
"""
import json
import statistics
import sys

import command_line

COLUMNS = [1 << k for k in (10, 12, 14, 16, 18)]
WARM_UPS = 3


def milliseconds(torch, run, repeats, flush):
    for _ in range(WARM_UPS):
        run()
    times = []
    for _ in range(repeats):
        flush.sum()
        start, stop = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        start.record()
        run()
        stop.record()
        torch.cuda.synchronize()
        times.append(start.elapsed_time(stop))
    return statistics.median(times)


def rows(torch, elements, repeats):
    operations = {
        "softmax": lambda x, _: torch.softmax(x, -1),
        "RMSNorm": lambda x, weights: torch.nn.functional.rms_norm(x, (x.shape[-1],), weights, 1e-5),
    }
    cache = torch.cuda.get_device_properties(0).L2_cache_size
    flush = torch.zeros(2 * cache, dtype=torch.uint8, device="cuda")
    for name, dtype in (("float", torch.float32), ("bfloat16", torch.bfloat16)):
        values = (torch.rand(elements, device="cuda") * 2 - 1).to(dtype)
        for columns in COLUMNS:
            matrix = values.view(-1, columns)
            weights = matrix[0].clone()
            for operation, function in operations.items():
                torch._dynamo.reset()  # each shape is compiled for itself
                for way, run in (("eager", function), ("compiled", torch.compile(function, dynamic=False))):
                    time = milliseconds(torch, lambda run=run, x=matrix, w=weights: run(x, w), repeats, flush)
                    yield {"operation": operation, "type": name, "columns": columns, "way": way, "milliseconds": time}


def main(elements, repeats):
    try:
        import torch
    except ImportError:
        sys.exit("pytorch_rows.py: there is no PyTorch here (pip install torch)")
    if not torch.cuda.is_available():
        sys.exit("pytorch_rows.py: PyTorch finds no GPU")
    document = {"torch": torch.__version__, "rows": list(rows(torch, int(elements), int(repeats)))}
    print(json.dumps(document))


if __name__ == "__main__":
    command_line.run(main, __doc__, "ELEMENTS REPEATS",
                     lambda arguments: len(arguments) == 2 and all(number.isdigit() for number in arguments))
# SPDX-License-Identifier: MIT
