#!/usr/bin/env python3
"""Nobody gets a verdict by force: `learn grade` judges submissions that attack it, and none is done. Suites `learn` and `slow`.

attacks_test.py one|all SOURCE_DIR BUILD_DIR

`one` tries an attack of each kind; `all` tries every file of tests/grade/attacks and every tests/wrong/*/forged*. Their first
lines say, as those of tests/wrong do, how the verdict begins. `all` also shows for every chapter that the solution has all points
and the starter none.
"""
import json
import pathlib
import sys
import tempfile

sys.path += [str(pathlib.Path(__file__).resolve().parents[up] / name) for up, name in ((2, "common"), (1, "."), (1, "learn"))]
import command_line
import stage_kernels
from grading import grade, needs_a_sandbox
from scratch import shipped

ONE_OF_EACH = """forged_constructor_function macro_that_undoes_itself asks_for_the_solution quotes_a_file
second_kernel_of_that_name host_patches_memory host_jumps_by_a_table""".split()
FORGED = "forged_"


def attacks(tests):
    """{name: (chapter, text, how the verdict begins; None: anything but `done`)}"""
    found = {}
    for path in sorted([*tests.glob("grade/attacks/*/*"), *tests.glob(f"wrong/*/{FORGED}*")]):
        solution = tests.parent / "solutions" / path.parent.name / "kernels.cuh"
        text = stage_kernels.edited(path, solution) if path.suffix == ".edit" else path.read_text(encoding="utf-8")
        expected = path.read_text(encoding="utf-8").split("\n", 1)[0].removeprefix(stage_kernels.REASON.strip()).strip()
        assert expected, f"{path}: its first line says nothing of the verdict"
        found[path.stem] = (path.parent.name, text, None if path.stem.startswith(FORGED) else expected)
    return found


def submit(folder, student, chapter, text):
    (folder / student).mkdir(exist_ok=True)
    (folder / student / f"{chapter}.cuh").write_bytes(text if isinstance(text, bytes) else text.encode())


def complaints(found, results, everything):
    for result in results:
        student, state, points = result["student"], result["state"], f"{result['points']} of {result['of']} points"
        chapter = f"{student}, {result['chapter']}: {result['verdict']}, {points}"
        if student == "solution" and (state != "done" or result["points"] != result["of"]):
            yield chapter
        elif student == "starter" and (state != "not started" or result["points"]):
            yield chapter
        elif student in found:
            expected = found[student][2]
            if state == "done" or result["points"] == result["of"] or (expected and not result["verdict"].startswith(expected)):
                yield f"{chapter}; expected: {expected or 'anything but done'}"
            if "root:" in json.dumps(result):
                yield f"{chapter}: it quotes a file of this machine"
    if everything and len(results) < len(found):
        yield f"{len(found)} attacks, but only {len(results)} verdicts"


def main(which, source, build):
    needs_a_sandbox()
    source = pathlib.Path(source)
    found = attacks(source / "tests")
    if which == "one":
        found = {name: attack for name, attack in found.items() if name in ONE_OF_EACH}
    stems = sorted(path.parent.name for path in source.glob("solutions/*/kernels.cuh")) if which == "all" else [
        "02_shared_memory", "08_grid_sizing"]
    with tempfile.TemporaryDirectory(prefix="grade-test-") as scratch:
        folder, told = pathlib.Path(scratch, "class"), pathlib.Path(scratch, "told.json")
        folder.mkdir()
        for name, (chapter, text, _) in found.items():
            submit(folder, name, chapter, text)
        for stem in stems:
            submit(folder, "solution", stem, (source / "solutions" / stem / "kernels.cuh").read_bytes())
            submit(folder, "starter", stem, shipped(source, stem))
        status, out, err = grade(source, build, folder, "--json", told)
        assert (status, err) == (0, ""), (status, out, err)
        results = json.loads(told.read_text(encoding="utf-8"))
        wrong = list(complaints(found, results, which == "all"))
        if len(results) != len(found) + 2 * len(stems):
            wrong.append(f"{len(found) + 2 * len(stems)} submissions, {len(results)} results")
        for student in found:
            verdict = next(result["verdict"] for result in results if result["student"] == student)
            print(f"{student.replace('_', ' ')}: {verdict[:100]}")
    if wrong:
        sys.exit("\n".join(["", *wrong]))
    print(f"{len(found)} attacks, none is done; {len(stems)} solutions have all points, {len(stems)} starters none")


if __name__ == "__main__":
    main(*command_line.arguments("one|all SOURCE_DIR BUILD_DIR"))
# SPDX-License-Identifier: MIT
