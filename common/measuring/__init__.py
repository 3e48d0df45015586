"""What common/measure.py measures on a GPU. Its modes are functions that take the build folder and return a document:

steps.py         timings, counters, products: every solved step
experiments.py   sweep, unrolled, tiles, limit, conflicts, changes: experiments of single chapters
many_gpus.py     gpus
rows.py          rows
ptxas.py         registers, which needs no GPU

The other modules are what these share: toolchain.py runs programs and names the versions, programs.py finds the chapters'
programs, ncu.py counts.
"""
# SPDX-License-Identifier: MIT
