#!/usr/bin/env python3
"""Draws the figures that the pages include, from runs on the simulated GPU and from book/data.

draw.py BUILD_DIR            writes book/figures/NAME.svg for every figure in a page, and removes the others
                             (ninja -C BUILD book-figures)
draw.py BUILD_DIR --check    fails if one of them would change, and says which

A page includes a figure, and says in a comment below what it shows. The text after "alt:" is read aloud to
those who cannot see it, and becomes the figure's title and description:
  {{#include ../figures/04_bank_conflicts_map.svg}}
  <!-- figure 04_bank_conflicts_map: … alt: "…" -->
"""

import functools
import json
import os
import pathlib
import re
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))  # book, where the tables are made
sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "common"))  # measuring
import compiler  # noqa: E402
from pages import FIGURES as DRAW  # noqa: E402

FIGURES = pathlib.Path(__file__).resolve().parent
BOOK = FIGURES.parent
INCLUDED = re.compile(
    r"^\{\{#include \.\./figures/(\w+)\.svg\}\}\n(?:<!-- figure (\w+):(.*?)-->)?", re.MULTILINE | re.DOTALL
)
ALT = re.compile(r'alt:\s*"(.*)"\s*$', re.DOTALL)


def alts():
    """{name: alternative text} of the figures in pages."""
    found = {}
    for page in sorted(BOOK.glob("src/*.md")):
        for name, described, comment in INCLUDED.findall(page.read_text(encoding="utf-8")):
            alt = ALT.search(comment)
            if described != name or not alt:
                sys.exit(f'{page.name}: below {name}.svg there is no <!-- figure {name}: … alt: "…" -->')
            if name in found:
                sys.exit(f"{page.name}: {name}.svg is included a second time; its ids would not be unique")
            found[name] = " ".join(alt.group(1).split())
    return found


class MissingData(Exception):
    """A figure shows a data file that is not there; says which."""


class Sources:
    """What figures are drawn from."""

    def __init__(self, build):
        self.program = build / "tests/book/traces"
        if not self.program.is_file():
            sys.exit(f"{self.program} is missing: ninja -C {build} tests/book/traces")
        self.traces = self.scheduled("lockstep")

    @functools.cache  # noqa: B019 (one drawing lives as long as the program)
    def scheduled(self, schedule):
        """What kernels did where the simulated GPU orders lanes in this way: {label: launch}."""
        done = subprocess.run(
            [self.program],
            stdout=subprocess.PIPE,
            text=True,
            check=False,
            env={**os.environ, "GPUSIM_SCHEDULE": schedule},
        )
        if done.returncode:
            sys.exit(f"{self.program}: exit status {done.returncode}")
        return json.loads(done.stdout)

    @staticmethod
    def data(name, folder="book/data"):
        path = BOOK.parent / folder / name
        if not path.is_file():
            raise MissingData(f"{folder}/{name} is missing; common/measure.py makes it on a GPU")
        return json.loads(path.read_text(encoding="utf-8"))

    @staticmethod
    def counted(name):
        return Sources.data(name, "tests/gpusim/data")


def draw_all(build):
    """{file name: text} of every figure in a page."""
    texts = alts()
    for name in texts:
        if name not in DRAW:
            sys.exit(f"a page includes figures/{name}.svg, and no module of book/figures/pages draws it")
    for name in DRAW:
        if name not in texts:
            sys.exit(f"book/figures/pages draws {name}, and no page includes it")
    sources = Sources(build)
    drawn = {}
    for name, alt in texts.items():
        try:
            drawn[f"{name}.svg"] = DRAW[name](name, sources).figure(alt)
        except MissingData as missing:
            print(f"{name}.svg: skipped, since {missing}")
    return drawn


def check(drawn):
    def as_it_is(name):
        path = FIGURES / name
        return path.read_text(encoding="utf-8") if path.is_file() else None

    changed = [name for name, text in drawn.items() if as_it_is(name) != text]
    surplus = [path.name for path in FIGURES.glob("*.svg") if path.name not in drawn]
    for name in changed:
        print(f"book/figures/{name} is not what draw.py draws now")
    for name in surplus:
        print(f"book/figures/{name} is in no page")
    if changed or surplus:
        sys.exit("draw them again: ninja -C BUILD book-figures")
    print(f"{len(drawn)} figures are what the traces and the data say")


def write(drawn):
    for path in FIGURES.glob("*.svg"):
        if path.name not in drawn:
            path.unlink()
    for name, text in drawn.items():
        (FIGURES / name).write_text(text, encoding="utf-8")
    print(f"wrote {len(drawn)} figures to {FIGURES}")


def main():
    arguments = sys.argv[1:]
    options = [argument for argument in arguments if argument.startswith("-")]
    if len(arguments) - len(options) != 1 or options not in ([], ["--check"]):
        sys.exit("usage: draw.py BUILD_DIR [--check]")
    build = pathlib.Path(next(argument for argument in arguments if argument not in options)).resolve()
    if (build / "simcc").exists():
        compiler.must_be_the_books(build, checks=bool(options))
    (check if options else write)(draw_all(build))


if __name__ == "__main__":
    main()
# SPDX-License-Identifier: MIT
