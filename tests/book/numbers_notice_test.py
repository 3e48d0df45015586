#!/usr/bin/env python3
"""The tests of numbers and commits notice what they are for: `meson test -C build --suite book`."""

import pathlib
import shutil
import subprocess
import sys
import tempfile

import claims_test
from commits_test import commits_in

sys.path.append(str(claims_test.ROOT / "book"))
from claims.shared import Claim  # noqa: E402, in book/

TEXT = """# A page

The step takes 1,024 instructions
and is 1.88 times as fast. It costs *registers*: 10, and 16.

```text
99 % of this is output, and no claim.
```
"""


def told(sentence, *values, holds=True):
    complaints, corrected, _ = claims_test.check(Claim("page", sentence, values, holds), TEXT)
    return complaints, corrected


def outside(text, spans=(), fixed=()):
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder, "page.md")
        page.write_text(text, encoding="utf-8")
        return list(claims_test.outside_claims(page, list(spans), fixed))


def main():
    right = "takes {} instructions and is {:.2f} times as fast"
    assert told(right, 1024, 1.8812) == ([], TEXT)
    complaints, corrected = told(right, 2048, 1.5)
    assert (
        len(complaints) == 2 and "2,048 in the data" in complaints[0] and "1.50 in the data" in complaints[1]
    ), complaints
    assert "takes 2,048 instructions\nand is 1.50 times as fast" in corrected, (
        "the line breaks stay as they are"
    )
    assert told("*registers*: {}, and {}.", 10, 16)[0] == []
    assert "0 times, expected once" in told("takes {} minutes", 3)[0][0]
    assert "no longer what the data says" in told(right, 1024, 1.8812, holds=False)[0][0]

    assert outside(TEXT) and "1.88 times as" in outside(TEXT)[0], "a figure that no claim covers"
    assert not outside(TEXT, [(0, len(TEXT))]) and not outside(TEXT, fixed=("is 1.88 times as fast",))
    assert not outside("| 12 % | in a table |\n\n`t % 2` and <code>33 % 2</code>, and 12 pages\n")

    assert list(commits_in({"where": {"commit": "abc"}, "runs": [{"commit": "def"}]})) == ["abc", "def"]
    with tempfile.TemporaryDirectory() as folder:  # a history of one commit, and data that names another
        root = pathlib.Path(folder)
        for part in ("tests/book", "book/data"):
            (root / part).mkdir(parents=True)
        (root / "tests/book/commits_test.py").write_bytes(
            (claims_test.ROOT / "tests/book/commits_test.py").read_bytes()
        )
        (root / "book/data/times.json").write_text('{"where": {"commit": "0123456789ab"}}')
        command = [sys.executable, root / "tests/book/commits_test.py"]
        without = subprocess.run(command, capture_output=True, text=True, check=False)
        assert without.returncode == 77 and without.stdout.startswith("skipped: "), without
        if shutil.which("git") is None:
            print("every damage to numbers was noticed; skipped: damage to commits, because git is not installed")
            return
        author = ["-c", "user.name=a", "-c", "user.email=a@b.c"]
        for arguments in (["init", "-q"], ["add", "-A"], [*author, "commit", "-qm", "a"]):
            subprocess.run(["git", "-C", root, *arguments], check=True)
        unknown = subprocess.run(command, capture_output=True, text=True, check=False)
        assert unknown.returncode == 1 and "0123456789ab is not in the history" in unknown.stdout, unknown
        head = subprocess.run(
            ["git", "-C", root, "rev-parse", "HEAD"], capture_output=True, text=True, check=True
        ).stdout.strip()
        (root / "book/data/times.json").write_text(f'{{"where": {{"commit": "{head[:12]}"}}}}')
        known = subprocess.run(command, capture_output=True, text=True, check=False)
        assert known.returncode == 0, known
    print("every damage was noticed")


if __name__ == "__main__":
    main()
# SPDX-License-Identifier: MIT
