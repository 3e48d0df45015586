"""One exercise: its files, and what the files say about themselves."""
import hashlib
import pathlib
import re

TODO = "TODO(you)"
AS_SHIPPED = re.compile(r"judge::exercise\s*=\s*\{\s*(0x[0-9a-f]+)")
HEADING = re.compile(r"^// (\w+)  +(.*)$")


def digest_of(content):
    """The digest that the judge computes: FNV-1a, 64 bits, of all bytes but white space."""
    digest = 0xcbf29ce484222325
    for byte in content.translate(None, b" \t\n\v\f\r"):
        digest = (digest ^ byte) * 0x100000001b3 & 0xffffffffffffffff
    return digest


class Missing(OSError):
    """A file is not there; the message is one line, and says how it comes back."""


class Chapter:
    def __init__(self, stem, source):
        self.stem = stem
        self.number, name = stem.split("_", 1)
        self.title = name.replace("_", " ")
        self.kernels = pathlib.Path(source, "chapters", stem, "kernels.cuh")
        self.solution = pathlib.Path(source, "solutions", stem, "kernels.cuh")
        self.page = pathlib.Path(source, "book/src", stem + ".md")
        self.test = pathlib.Path(source, "tests/chapters", stem + ".cu")

    def exists(self):
        return self.kernels.exists()

    def content(self):
        try:
            return self.kernels.read_bytes()
        except FileNotFoundError:
            raise Missing(f"{self.kernels} is missing; `learn reset {self.number}` brings it back as shipped, "
                          f"`learn restore {self.number}` as you had it last") from None

    def version(self):
        """A text that is the same for two versions of the exercise exactly if the versions are the same."""
        return hashlib.sha256(self.content()).hexdigest()

    def is_starter(self, content):
        """Whether this is the exercise as shipped. The judge's source holds the digest of that."""
        found = AS_SHIPPED.search(self.test.read_text(encoding="utf-8"))
        return bool(found) and digest_of(content) == int(found.group(1), 16)

    def is_as_shipped(self):
        return self.is_starter(self.content())

    def lines(self):
        return self.content().decode("utf-8", "replace").splitlines()

    def todo_lines(self):
        return [number for number, line in enumerate(self.lines(), 1) if TODO in line]

    def heading(self, name):
        """`Question` or `Change` of the comment at the head of the file, in one line."""
        words = []
        for line in self.lines():
            if not line.startswith("//"):
                break
            found = HEADING.match(line)
            if found and words:
                break
            if found and found.group(1) == name:
                words.append(found.group(2))
            elif words:
                words.append(line.lstrip("/ "))
        return " ".join(words)
# SPDX-License-Identifier: MIT
