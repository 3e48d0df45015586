#!/usr/bin/env python3
"""own_kernels_test.py SIMCC LIST [--write]

Proves the chapters' solved kernels for every launch that contracts/NN_topic.json allows, and the kernels of other files of the
chapters for what contracts/other_files/NN_topic.FILE.json allows. LIST has the verdict on each: a line "NN_topic kernel: proved"
or "NN_topic/FILE kernel: proved", or "not proved" and why. Each certificate must be right.
"""
import re
import sys

import proving
from proving import ROOT  # proving.py says where listed.py is

import listed


def sources():
    """(what to call it, file, chapter, its contracts) of all files with kernels that have contracts."""
    for path in proving.CONTRACTS.glob("*.json"):
        yield path.stem, ROOT / "solutions" / path.stem / "kernels.cuh", path.stem, proving.contracts_of(path)
    for path in proving.OTHER_CONTRACTS.glob("*.json"):
        chapter, file = path.stem.split(".", 1)
        yield f"{chapter}/{file}", ROOT / "chapters" / chapter / file, chapter, proving.contracts_of(path)


def main():
    simcc, lines = listed.arguments()
    listed.must_be_of_the_lists_compiler(ROOT / "build" / "tests" / "gpusim" / "prove")
    found, checked = [], 0
    for name, file, chapter, contracts in sorted(sources(), key=lambda source: source[0]):
        said = proving.proved_in(simcc, file, chapter, contracts)
        if said is None:
            sys.exit(f"{file.relative_to(ROOT)} does not compile")
        for title, why, certificate in said:
            why = re.sub(r"\S*/(solutions|chapters)/", r"\1/", why).split(" (perhaps")[0]
            title = title.replace("_GLOBAL__N_1::", "")  # how clang names what has no namespace's name
            found.append(f"{name} {title}: {'not proved: ' + why if why else 'proved'}")
            if not why:
                if complaint := proving.is_right(certificate):
                    sys.exit(f"{name} {title}: the certificate is not accepted: {complaint}")
                checked += 1
    print(f"{checked} of {len(found)} kernels are proved for every launch; all certificates are accepted")
    listed.compare(sorted(found), lines)


if __name__ == "__main__":
    main()
# SPDX-License-Identifier: MIT
