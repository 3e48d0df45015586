#!/usr/bin/env python3
"""Makes a new chapter that configures, builds and is judged, for its author to change.

new_chapter.py NN_topic      for example: python3 common/new_chapter.py 16_attention

NN is the number after the last chapter's. The chapter comes with a small exercise, a sum by tiles: program, starter, solution,
judge, a kernel that must be rejected, one that must be accepted, and a page (common/chapter_template holds these files). The
script also adds the chapter to every file that names all chapters. It overwrites nothing; if it cannot do all of this, it changes
nothing.
"""
import pathlib
import re

import chapter_table
import command_line
import whole_file
from learn.chapter import AS_SHIPPED, digest_of

ROOT = pathlib.Path(__file__).resolve().parents[1]
TEMPLATES = pathlib.Path(__file__).resolve().parent / "chapter_template"
NAME = re.compile(r"(\d\d)_([a-z][a-z0-9]*(?:_[a-z0-9]+)*)")
LONGEST_NAME = 30  # characters: the tour has a column of names

FILES = {  # template: where its copy goes
    "main.cu": "chapters/NN_topic/main.cu",
    "starter.cuh": "chapters/NN_topic/kernels.cuh",
    "solution.cuh": "solutions/NN_topic/kernels.cuh",
    "test.cu": "tests/chapters/NN_topic.cu",
    "wrong.edit": "tests/wrong/NN_topic/no_barrier_in_the_tree.edit",
    "right.edit": "tests/right/NN_topic/shuffles_in_each_warp.edit",
    "page.md": "book/src/NN_topic.md",
}

PREDICTION = '''\
    "NN_topic": Number(  # TODO(author)
        "Commit yourself: a block sums 1,024 floats. How many sectors do its loads touch at least?",
        Counted("NN_topic", "sum_tile", "global load sectors"),
        "A sector holds eight floats.",
    ),
'''
QUIZ = '''\
    "NN_topic": [
        Choice(  # TODO(author)
            "What do neighbouring lanes change if they load neighbouring floats?",
            ("the number of load requests", "the number of sectors", "both"),
            1,
            "A warp still loads 32 floats with each request.",
        ),
    ],
'''
LAUNCH = '''\
      {"chapter NN", [](float* in, float* out) { cNN::sum_tile<<<1, cNN::kBlock>>>(in, out, cNN::kTile); },
       only_block(0, 0)},
'''
KERNELS = '''\
namespace cNN {
#include "solutions/NN_topic/kernels.cuh"
}
'''
# A file, a pattern that occurs in it once, and what goes behind the part of it that is group 1: behind the last row of a table.
INSERTIONS = [
    (chapter_table.TABLE, r"(?s)(\bchapters = \[.*?\n)\]\n", "  'NN_topic',\n"),
    ("book/src/SUMMARY.md", r"(?s)(.*\n)- \[What you can do now\]", "- [NN · Title](NN_topic.md)\n"),
    ("book/src/index.md", r"(?m)((?:^- for .*\n)+)",
     "- <!-- TODO(author): one line --> for [title](NN_topic.md).\n"),
    ("book/questions.py", r"(?s)(\nPREDICTIONS = \{.*?\n)\}\n", PREDICTION),
    ("book/questions.py", r"(?s)(\nQUIZZES = \{.*?\n)\}\n", QUIZ),
    ("book/figures/chapters.cuh", r"(?s)(.*\n)\Z", KERNELS),
    ("book/stepper/steps.cu", r"(?s)(\nstd::vector<Launch> launches\(\) \{.*?\n)  \};\n\}\n", LAUNCH),
    ("book/stepper/stepper.py", r"(?s)(\nPAGES = \{.*?\n)\}\n",
     '    "NN_topic": [("chapter NN", "sum_tile, warp 0", "in", "tile_sums")],\n'),
]
NEXT = """\
Made chapter NN_topic. It is an example, a sum by tiles; common/CONTRIBUTING.md, "A chapter", says how to make it yours.
  ninja -C build tests/chapters/NN_topic && build/tests/chapters/NN_topic     # verdict: not started
  meson test -C build --suite NN_topic
  git grep --untracked -n 'TODO(author)' book                     # what is left to write"""


def filled(text, stem):
    """A template with the chapter's number and name."""
    number, topic = NAME.fullmatch(stem).groups()
    words = topic.replace("_", " ")
    for name, value in {"NN_topic": stem, "Chapter NN": f"Chapter {number}", "chapter NN": f"chapter {number}",
                        "NN Topic": f"{number} Topic", "cNN": f"c{number}",
                        "NN · Title": f"{number} · Title", "Topic": words.capitalize(), "Title": words.capitalize(),
                        "[title]": f"[{words}]"}.items():
        text = text.replace(name, value)
    return text


def why_not(stem, stems):
    """What is wrong with the name of the new chapter, or None."""
    named = NAME.fullmatch(stem)
    if not named:
        return "a chapter is called NN_topic: two digits, and words of a-z and 0-9 joined by _, like 16_attention"
    if len(stem) > LONGEST_NAME:
        return f"the name has {len(stem)} characters, and at most {LONGEST_NAME} fit the tables"
    following = int(stems[-1][:2]) + 1
    if int(named[1]) != following:
        return f"the last chapter is {stems[-1]}, so the next one's number is {following:02}"
    others = [other for other in stems if other[3:] == named[2]]
    return f"{others[0]} has this topic already" if others else None


def new_files(stem):
    """The chapter's own files: path and text. The judge gets the digest of the starter."""
    files = {filled(path, stem): filled((TEMPLATES / name).read_text(encoding="utf-8"), stem) for name, path in FILES.items()}
    test, starter = files[f"tests/chapters/{stem}.cu"], files[f"chapters/{stem}/kernels.cuh"]
    place = AS_SHIPPED.search(test).span(1)
    files[f"tests/chapters/{stem}.cu"] = f"{test[:place[0]]}0x{digest_of(starter.encode()):016x}{test[place[1]:]}"
    return files


def edited_files(stem, root):
    """The files that name all chapters, with this one added: path and text."""
    files = {}
    for path, pattern, inserted in INSERTIONS:
        text = files.get(path) or (root / path).read_text(encoding="utf-8")
        places = list(re.finditer(pattern, text))
        if len(places) != 1:
            command_line.stop(f"{path}: found {len(places)} places for the new chapter, expected 1; nothing was changed")
        at = places[0].end(1)
        if path.endswith("index.md") and text[at - 2:at] == ".\n":  # it ended the list, which now goes on
            text = text[:at - 2] + ";\n" + text[at:]
        files[path] = text[:at] + filled(inserted, stem) + text[at:]
    return files


def write_all(files, root):
    """Writes every file, or none: first all of them under other names, which may fail, then they are renamed."""
    folders = sorted({folder for path in files for folder in (root / path).parents if not folder.exists()})
    replaced = {path for path in files if (root / path).exists()}
    written = []
    temporary = lambda path, kind: (root / path).with_name(f".{kind}-{pathlib.Path(path).name}")
    try:
        for folder in folders:
            folder.mkdir()
        for path, text in files.items():
            written.append(temporary(path, "new"))
            whole_file.write(written[-1], text)
            if path in replaced:
                written[-1].chmod((root / path).stat().st_mode & 0o7777)
        for path in files:
            if path in replaced:
                (root / path).rename(temporary(path, "old"))
            temporary(path, "new").rename(root / path)
    except BaseException:
        for path in files:
            if path not in replaced:
                (root / path).unlink(missing_ok=True)
            elif temporary(path, "old").exists():
                temporary(path, "old").replace(root / path)
        for path in written:
            path.unlink(missing_ok=True)
        for folder in reversed(folders):
            if folder.exists():
                folder.rmdir()
        raise
    for path in files:
        temporary(path, "old").unlink(missing_ok=True)


def main(stem, root=ROOT):
    complaint = why_not(stem, chapter_table.stems(root))
    if complaint:
        command_line.stop(f"{stem}: {complaint}", 2)
    new = new_files(stem)
    there = [path for path in [*new, *(str(pathlib.Path(path).parent) for path in new if stem in path.split("/")[:-1])]
             if (root / path).exists()]
    if there:
        command_line.stop(f"{there[0]} is there already; nothing was changed")
    write_all({**new, **edited_files(stem, root)}, root)
    print(NEXT.replace("NN_topic", stem))


if __name__ == "__main__":
    command_line.run(main, __doc__, "NN_topic", lambda arguments: len(arguments) == 1 and not arguments[0].startswith("-"))
# SPDX-License-Identifier: MIT
