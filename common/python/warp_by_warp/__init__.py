"""CUDA C++ without a GPU: compiles a source, runs it on the simulated GPU, and says what it cost.

    import warp_by_warp

    result = warp_by_warp.run(source, check="all", machine="h100")
    result.stdout                                      # what the program printed
    result.launches[0].counters.global_load_sectors    # what NVIDIA's profiler would count
    result.launches[0].prediction.milliseconds         # how long an H100 would take, ± prediction.error
    result.findings                                    # races and other mistakes, with their lines
    result.proofs                                      # with check=True: is a kernel proved free of races, or what prevents that?

In a notebook: %load_ext warp_by_warp, then cells that begin with %%cuda.
"""
from warp_by_warp.compiling import CompileError
from warp_by_warp.results import (
    Conclusion,
    Counters,
    Diagnostic,
    Fault,
    Finding,
    Launch,
    Line,
    LinkTraffic,
    Place,
    Prediction,
    Proof,
    Result,
)
from warp_by_warp.running import OutputLimitExceeded, TimeLimitExceeded, run
from warp_by_warp.toolchain import MissingTool

__all__ = ["CompileError", "Conclusion", "Counters", "Diagnostic", "Fault", "Finding", "Launch", "Line", "LinkTraffic",
           "MissingTool", "OutputLimitExceeded", "Place", "Prediction", "Proof", "Result", "TimeLimitExceeded", "run"]


def load_ipython_extension(shell):
    """What %load_ext warp_by_warp calls."""
    from warp_by_warp.magic import CudaMagic
    shell.register_magics(CudaMagic)
# SPDX-License-Identifier: MIT
