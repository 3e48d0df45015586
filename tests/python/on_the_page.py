"""What the page notebook.md shows: module_checks.py runs it next to a sum.cu."""
# ANCHOR: run
import pathlib
import warp_by_warp

result = warp_by_warp.run(pathlib.Path("sum.cu"), args=[1000], check="all", machine="h100")
for launch in result.launches:
    print(launch.kernel, launch.counters.global_load_sectors, launch.prediction.milliseconds)
for finding in result.findings:
    print(finding.place.line, finding.message)
# ANCHOR_END: run
# SPDX-License-Identifier: MIT
