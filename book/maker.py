"""Makes one file that a page includes, by its name: Maker runs the programs and asks the tables (tables*.py).

The head of generate.py says what each part of a name means.
"""
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import questions
import tables
import tables_changes
import tables_conflicts
import tables_gpus
import tables_limit
import tables_processes
import tables_rows
import tables_time
import tables_unrolled
from measured import LABORATORIES, predicted
from stepper import stepper

ROOT = pathlib.Path(__file__).resolve().parents[1]
SCHEDULES = ("ascending", "descending")
LIBRARIES = {"reduction": "cub::DeviceReduce::Sum", "scan": "cub::DeviceScan::InclusiveSum", "transpose": "cublasSgeam",
             "gemm": "cublasSgemm"}
SUMS = (*range(1, 10), 12)  # numbers of the chapters that improve one sum, step by step
PER_ELEMENTS = {"04_bank_conflicts": 256, "05_idle_threads": 512}  # where kernels differ in the elements of a block
sys.path.append(str(ROOT / "common"))
from chapter_table import stems as chapters


def data(path):
    return json.loads((ROOT / path).read_text(encoding="utf-8"))


def without_folders(text, build):
    """The text with every path counted from the root of the repository, wherever that and the build folder are."""
    if not build.is_relative_to(ROOT):
        text = text.replace(os.path.relpath(ROOT, build) + "/", "")
    text = text.replace(str(ROOT) + "/", "")
    return re.sub(r"(?:[\w.-]+/)*\.\./(?=(?:book|chapters|common|solutions|tests)/)", "", text)


class Maker:
    def __init__(self, build):
        self.build = build
        self.traces = stepper.Traces(build)

    def run(self, program, *options, statuses=(0,), **environment):
        path = self.build / program
        if not path.is_file():
            sys.exit(f"{path} is missing: ninja -C {self.build} {program}")
        done = subprocess.run([path, *options], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                              env={**os.environ, "PWD": str(ROOT), **environment})  # files are named from there
        if done.returncode not in statuses:
            sys.exit(f"{program}: exit status {done.returncode}\n{done.stdout}")
        return without_folders(done.stdout, self.build)

    def rows(self, stem):
        return json.loads(self.run(f"solutions/{stem}", "--json"))

    def make(self, name):
        if name.endswith(".js"):
            return stepper.script(self.traces, name.removesuffix(".js"))
        if name == "tour.txt":
            return self.tour()
        if name == "fidelity.md":
            return tables.fidelity(data("book/data/fidelity_h200.json"))
        if name == "metrics.md":
            from measuring.ncu import METRICS  # common/measuring
            return tables.metrics(METRICS)
        if name == "mistakes.md":
            return self.mistakes()
        stem, what, *rest = name.rsplit(".", 1)[0].split(".")
        if stem == "program":
            return self.small_program(what)
        if stem == "time":
            return tables_time.TABLES[what](data("common/gpusim/timing/accuracy.json"))
        if stem not in chapters():
            sys.exit(f"book/generated/{name}: there is no chapter {stem}")
        if what.startswith("products_"):
            return products_table(what)
        if what.startswith("changes_"):
            return self.measured("changes", tables_changes, what, rest[0])
        if what.startswith("conflicts_"):
            return self.measured("conflicts", tables_conflicts, what, "times")
        if what.startswith("unrolled_"):
            return self.measured("unrolled", tables_unrolled, what, "speed")
        if what.startswith("limit_"):
            return self.measured("limit", tables_limit, what, rest[0])
        if what.startswith("rows_"):
            return self.measured("rows", tables_rows, what, rest[0])
        if what.startswith("gpus_processes_"):
            return self.measured("gpus", tables_processes, what, rest[0])
        if what.startswith("gpus_"):
            return self.measured("gpus", tables_gpus, what, rest[0])
        if what in ("ptx", "ptx_loop"):
            return self.ptx({"ptx": "table", "ptx_loop": "loop"}[what], *rest)
        if name.endswith(".md") and rest == ["timings"]:
            return self.laboratory_timings(f"{stem}.{what}")
        if name.endswith(".md"):
            return {"counters": self.counters, "timings": self.timings, "ncu": self.ncu, "intensity": self.intensity,
                    "registers": self.registers, "stepper": lambda page: stepper.table(self.traces, page),
                    "predict": questions.prediction, "quiz": questions.quiz}[what](stem)
        if what == "wrong":
            return self.verdict(stem, rest[0])
        if name.endswith(".starter.cuh"):
            return (ROOT / "chapters" / stem / "kernels.cuh").read_text(encoding="utf-8")
        if what == "starter":
            return self.run(f"chapters/{stem}", statuses=(0, 1))  # 1: a starter with a gap gives wrong sums
        if what == "profile":
            return self.run(f"solutions/{stem}", "--profile")
        if what == "run":
            return self.run(f"solutions/{stem}")
        if rest and rest[0] not in SCHEDULES:
            sys.exit(f"book/generated/{name}: no schedule {rest[0]}, only {' and '.join(SCHEDULES)}")
        environment = {"GPUSIM_SCHEDULE": rest[0]} if rest else {}
        return self.run(f"chapters/{stem}.{what}", **environment)

    def tour(self):
        programs = [self.build / "solutions" / stem for stem in chapters()]
        done = subprocess.run([sys.executable, ROOT / "common/tour.py", "--", *programs], stdout=subprocess.PIPE, text=True,
                              check=True)
        return done.stdout.split("\n\n", 1)[1]  # below the lines that say what runs, and how long

    def small_program(self, name):
        """What a program of one file prints, compiled by simcc as a reader does it."""
        source = ROOT / f"tests/gpusim/programs/{name}.cu"
        with tempfile.TemporaryDirectory() as scratch:
            subprocess.run([self.build / "simcc", source, "-o", pathlib.Path(scratch, name)], check=True)
            return self.run(pathlib.Path(scratch, name))

    @staticmethod
    def mistakes():
        """One row a mistake. The verdict is what the kernel's first line demands and the contract suite proves."""
        rows = [row for row in data("book/data/mistakes.json")["mistakes"] if row["chapter"] in chapters()]
        for row in rows:
            kernel = ROOT / "tests/wrong" / row["chapter"] / row["kernel"]
            files = [file for end in (".cuh", ".edit") if (file := kernel.with_suffix(end)).is_file()]
            if not files:
                sys.exit(f"book/data/mistakes.json: there is no {kernel.relative_to(ROOT)}.cuh and no .edit")
            first = files[0].read_text(encoding="utf-8").splitlines()[0]
            row["verdict"] = first.removeprefix("// rejected: ")
        return tables.mistakes(rows)

    def verdict(self, stem, kernel):
        """The findings of the judge, without the test cases that found nothing."""
        lines = self.run(f"tests/chapters/{stem}.wrong.{kernel}", statuses=(1,)).splitlines()
        return "\n".join(line for line in lines[1:] if not line.startswith("  ok ")) + "\n"

    def counters(self, stem):
        document = self.rows(stem)
        rows = document["rows"]
        before = self.step_before(stem)
        if before:
            step = next(row for row in self.rows(before)["rows"] if row["step"])
            if step["kernel"] not in [row["kernel"] for row in rows]:
                rows = [step, *rows]
        return tables.counters(rows, document["n"], PER_ELEMENTS.get(stem))

    @staticmethod
    def step_before(stem):
        """The chapter whose step this one's improves; None for a chapter that begins something new."""
        sums = [chapter for chapter in chapters() if kind_of(chapter) == "reduction"]  # each improves the one before
        return sums[sums.index(stem) - 1] if stem in sums[1:] else None

    def timings(self, stem):
        if kind_of(stem) == "gemm":
            return self.products(stem)
        document = data("book/data/timings_h200.json")
        of = {run["program"]: run["rows"] for run in document["runs"]}
        if stem not in of:
            return f"*{stem} has not been timed yet.*\n"
        chosen = [(stem, row["kernel"]) for row in of[stem]]
        before = self.step_before(stem)
        steps = [row["kernel"] for row in of.get(before, []) if row["step"]]
        chosen = [(before, kernel) for kernel in steps if (stem, kernel) not in chosen] + chosen
        library = LIBRARIES.get(kind_of(stem))
        return tables.timings(document, chosen, [("libraries", library)] if library and "libraries" in of else [], stem,
                              predicted("h200"))

    @staticmethod
    def products(stem):
        """TFLOP/s in several shapes: `measure.py products`."""
        if not (ROOT / "book/data/products_h200.json").is_file():
            return f"*{stem} has not been timed yet.*\n"
        return products_table("products_h200")

    def intensity(self, stem):
        """What a multiply-add takes, for the shape in which ncu counts."""
        from measuring.programs import COUNTED_SHAPE, shape_options  # common/measuring
        document = json.loads(self.run(f"solutions/{stem}", "--json", *shape_options(COUNTED_SHAPE)))
        return tables.intensity(document["rows"], COUNTED_SHAPE)

    @staticmethod
    def laboratory_timings(program):
        document = data(LABORATORIES)
        timed = [(run["rows"], run["n"]) for run in document["laboratories"] if run["program"] == program]
        if not timed:
            return f"*{program} has not been timed yet.*\n"
        rows, n = timed[0]
        model = {kernel: ms for (of, kernel, size), ms in predicted("h200").items() if (of, size) == (program, n)}
        return tables.milliseconds(document, rows, model)

    @staticmethod
    def measured(mode, module, which, what):
        """A table of a module of its own, from what `measure.py MODE` has written."""
        path = f"book/data/{which}.json"
        if not (ROOT / path).is_file():
            sys.exit(f"{path} is missing; on a GPU: common/measure.py {mode} BUILD_DIR {path}")
        return module.table(data(path), what)

    @staticmethod
    def registers(_):
        return tables.registers(data("book/data/registers_sm90.json"))

    @staticmethod
    def ptx(what, *arguments):
        """A table or a loop of what compilers made of chapter 07's kernels: book/data/unroll_ptx.json."""
        return subprocess.run([sys.executable, ROOT / "common/unroll_ptx.py", what, ROOT / "book/data/unroll_ptx.json",
                               *arguments], stdout=subprocess.PIPE, text=True, check=True).stdout

    def ncu(self, stem):
        """This chapter's launches, after the step before where the program does not launch that itself."""
        document = data("tests/gpusim/data/ncu_h200.json")
        launches = [launch for launch in document["kernels"] if launch.startswith(stem + " ")]
        before = self.step_before(stem)
        timed = data("book/data/timings_h200.json")["runs"]
        steps = {row["kernel"] for run in timed if run["program"] == before for row in run["rows"] if row["step"]}
        for launch in document["kernels"]:
            program, kernel = launch.split(" ", 1)
            plain = kernel.split("<")[0]
            is_step = any(plain == step.split("<")[0] for step in steps) and "#" not in kernel
            launched = any(re.search(rf"(?:^| |::){plain}\b", own) for own in launches)
            if program == before and is_step and not launched:
                launches.insert(0, launch)
        if not launches:
            return f"*{stem} has not been counted by ncu yet.*\n"
        return tables.ncu(document, launches, PER_ELEMENTS.get(stem))


def products_table(name):
    """`name`: products_h200."""
    model = {(kernel, math.isqrt(elements)): ms  # of a square product
             for (program, kernel, elements), ms in predicted(name.split("_")[1]).items() if program == "13_gemm"}
    return tables.products(data(f"book/data/{name}.json"), model)


def kind_of(stem):
    """What the chapter's kernels compute, or None for what no library is timed at."""
    if int(stem[:2]) in SUMS:
        return "reduction"
    return stem[3:] if stem[3:] in LIBRARIES else None
# SPDX-License-Identifier: MIT
