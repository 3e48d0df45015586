#!/usr/bin/env python3
"""own_kernels_test.py OBSTACLES LIST PROGRAM… [--write]

What stands in the way of a proof in each kernel of the chapters' solved programs and experiments is what LIST says: a line
"kernel: what" for each, in alphabetical order, or "kernel:" where nothing does. (obstacles.cpp finds it in the programs'
instructions.)
"""
import subprocess

import listed


def main():
    obstacles, lines, *programs = listed.arguments()
    listed.must_be_of_the_lists_compiler(obstacles)
    done = subprocess.run([obstacles, *programs], capture_output=True, text=True, check=True)
    listed.compare(sorted(set(done.stdout.splitlines())), lines)


if __name__ == "__main__":
    main()
# SPDX-License-Identifier: MIT
