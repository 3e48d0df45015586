#!/usr/bin/env python3
"""own_kernels_test.py SIMCC LIST [--write]

Proves the chapters' solved kernels for every launch that contracts/NN_topic.json allows. LIST has the verdict on each: a line
"NN_topic kernel: proved", or "not proved" and why. Each certificate must be right.
"""
import re
import sys

import proving
from proving import ROOT  # proving.py says where listed.py is

import listed


def main():
    simcc, lines = listed.arguments()
    listed.must_be_of_the_lists_compiler(ROOT / "build" / "tests" / "gpusim" / "prove")
    found, checked = [], 0
    for chapter in sorted(path.stem for path in proving.CONTRACTS.glob("*.json")):
        said = proving.proved_in(simcc, ROOT / "solutions" / chapter / "kernels.cuh", chapter)
        if said is None:
            sys.exit(f"solutions/{chapter}/kernels.cuh does not compile")
        for title, why, certificate in said:
            why = re.sub(r"\S*/(solutions|chapters)/", r"\1/", why).split(" (perhaps")[0]
            found.append(f"{chapter} {title}: {'not proved: ' + why if why else 'proved'}")
            if not why:
                if complaint := proving.is_right(certificate):
                    sys.exit(f"{chapter} {title}: the certificate is not accepted: {complaint}")
                checked += 1
    print(f"{checked} of {len(found)} kernels are proved for every launch; all certificates are accepted")
    listed.compare(sorted(found), lines)


if __name__ == "__main__":
    main()
# SPDX-License-Identifier: MIT
