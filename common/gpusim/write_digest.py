#!/usr/bin/env python3
"""write_digest.py OUTPUT FILE…: writes a digest of the files' bytes, unless OUTPUT has it already: what depends on OUTPUT is
then made again where the files have changed, not where they were only written once more."""
import hashlib
import pathlib

import command_line


def main():
    output, *files = map(pathlib.Path, command_line.arguments("NEW_OUTPUT FILE…"))
    digest = hashlib.sha256()
    for file in files:
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    text = digest.hexdigest() + "\n"
    if not output.exists() or output.read_text(encoding="utf-8") != text:
        output.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
# SPDX-License-Identifier: MIT
