#!/usr/bin/env python3
"""Every cause in book/causes.py stands on its page, and the data still support it: `meson test -C build --suite book`."""

import re
import sys

import pages_test

sys.path.append(str(pages_test.ROOT / "book"))


def complaints_of(cause, text):
    words = r"\s+".join(re.escape(word) for word in cause.sentence.split())
    if len(re.findall(words, text)) != 1:
        yield f"{cause.page}.md does not say once: {cause.sentence}"
    if not cause.holds:
        yield f"{cause.page}.md: the data no longer support this: {cause.sentence} (what differs: {cause.differs})"


def main():
    from causes import CAUSES, Cause

    complaints = [
        told for cause in CAUSES for told in complaints_of(cause, pages_test.text_of(pages_test.SRC / f"{cause.page}.md"))
    ]
    # The test notices what it is for.
    untrue = Cause("a page", "It is fast.", "nothing", False)
    assert len(list(complaints_of(untrue, "It is\nfast."))) == 1 and len(list(complaints_of(untrue, "It is slow."))) == 2
    print(*complaints, sep="\n")
    print(f"{len(CAUSES)} causes, {len(complaints)} complaints")
    return 1 if complaints or not CAUSES else 0


if __name__ == "__main__":
    sys.exit(main())
# SPDX-License-Identifier: MIT
