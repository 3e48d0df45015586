"""The way of one submission, from a file to a verdict.

    kernels.cuh  --simcc -ptx, in the sandbox-->  PTX, constants     the only code of a stranger that runs: it is interpreted
    host functions  --clang, in the sandbox-->  LLVM IR  --arithmetic.py-->  an object that can only compute
    the solution's host code, with those constants  -->  the judge's object, into which the PTX is put
    the judge, in the sandbox  -->  an outcome, as `learn 02` shows it
"""
import dataclasses
import hashlib
import json
import pathlib
import re
import shutil
import time

from learn import judging, verdict
from learn.chapter import digest_of
from learn.grade import arithmetic, device_code, points, submissions, wording
from learn.grade.exercise import COMPILING, called

JUDGING = 60  # seconds of processor time
UNDECLARED = "use of undeclared identifier '"
MACRO = re.compile(r"error: judged word: (\w+)")
ERROR = re.compile(r"\berror: ")
CRASHED = re.compile(r"^\d+\.\t\S*?(kernels\.cuh:\d+:\d+): ", re.MULTILINE)  # where clang says that it was


@dataclasses.dataclass
class Result:
    student: str
    chapter: str  # 02_shared_memory
    file: str
    state: str = "missing"  # done, begun, not started, wrong; missing: it could not be judged
    verdict: str = ""
    gaps: list = dataclasses.field(default_factory=list)  # points.of_runs
    remarks: list = dataclasses.field(default_factory=list)
    digest: str = ""
    seconds: float = 0

    @property
    def points(self):
        return sum(gap["points"] for gap in self.gaps)

    @property
    def most(self):
        return sum(gap["of"] for gap in self.gaps)


class Refused(Exception):
    """The submission has a verdict without being judged; the message is that verdict."""


class Judgement:
    """One submission, in a folder of its own."""

    def __init__(self, exercise, submission, folder):
        self.exercise, self.submission, self.folder = exercise, submission, pathlib.Path(folder)
        self.tools, self.chapter, self.sandbox = exercise.tools, exercise.chapter, exercise.sandbox
        self.given, self.made, self.told = (self.folder / name for name in ("given", "made", "told"))

    def run(self, command, seconds):
        """In the sandbox: what was submitted can be read, and what is made of it be written."""
        return self.sandbox.run(command, self.given, self.exercise.readable, seconds, [self.made])

    def result(self):
        begun = time.monotonic()
        result = Result(self.submission.student, self.chapter.stem, self.submission.path)
        result.gaps = [dict(gap) for gap in self.exercise.gaps]
        try:
            content = submissions.content_of(self.submission.path)
            result.digest = hashlib.sha256(content).hexdigest()
            if digest_of(content) == digest_of(self.chapter.solution.read_bytes()):
                result.remarks.append("it is the solution, to the letter")
            outcomes, failed = self.outcomes(content)
            result.state, result.verdict = judging.state_of(outcomes[0]), outcomes[0]["verdict"]
            result.gaps = points.of_runs(outcomes, failed) or result.gaps
        except submissions.Unreadable as error:
            result.verdict = f"not judged: {error}"
        except Refused as error:
            result.state, result.verdict = "wrong", str(error)
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)
        result.seconds = time.monotonic() - begun
        return result

    def outcomes(self, content):
        for folder in (self.folder, self.given, self.made, self.told):
            folder.mkdir()
        (self.given / "kernels.cuh").write_bytes(content)
        if why := wording.complaint(content.decode("utf-8")):
            raise Refused(f"not judged: {why}")
        ptx, values = self.device_code()
        try:
            ptx = device_code.as_launched(ptx, self.exercise.reference_ptx, self.readable)
            device_code.compare_judges_own(ptx, self.exercise.reference_ptx)
            host = self.exercise.host_object(values)
        except device_code.Strange as strange:
            raise Refused(f"not judged: {strange}") from None
        return self.judged(host, ptx, self.host_functions())

    def device_code(self):
        """The PTX of the submission with the chapter's test, and the values of the exercise's constants."""
        names = self.exercise.constants
        ended = self.compile(names)
        lacking = [name for name in names if f"{UNDECLARED}{name}'" in ended.said]
        if ended.status and lacking:  # a learner may do without a constant that no test needs
            names = [name for name in names if name not in lacking]
            ended = self.compile(names)
        if ended.status:
            raise Refused(why_not_compiled(ended))
        checked = self.run([self.tools.checker, self.made / "device.ptx"], COMPILING)
        if checked.status:
            said = checked.said.replace(str(self.made / "device.ptx"), "kernels.cuh").strip()
            raise Refused(f"does not compile: {said.splitlines()[0] if said else 'its PTX is refused'}")
        ptx = text_of(self.made / "device.ptx").replace("\0", "")
        values = device_code.values(ptx)
        return ptx, {name: values[name] for name in names if name in values}

    def readable(self, names):
        """Mangled names of a stranger as one reads them."""
        return self.run(["c++filt", *names], COMPILING).said.splitlines() if names else []

    def compile(self, names):
        source = self.made / "judged.cu"
        source.write_text(f'#include "{self.tools.judged_source(self.chapter)}"\n{device_code.probes(names)}', encoding="utf-8")
        return self.run(self.tools.compiling(self.chapter, "-ptx", source, "-o", self.made / "device.ptx"), COMPILING)

    def host_functions(self):
        """The object of what the learner writes and the host calls, or None if there is nothing of that in this chapter."""
        wanted = self.exercise.host_functions
        if not wanted:
            return None
        source, ir, taken = self.made / "host.cu", self.made / "host.ll", self.made / "taken.ll"
        source.write_text("#include <kernels.cuh>\n" + "".join(map(used, range(len(wanted)), wanted.values())), encoding="utf-8")
        ended = self.run(self.tools.host_ir(self.chapter, str(source), str(ir)), COMPILING)
        if ended.status:
            raise Refused(why_not_compiled(ended))
        try:
            text, found = arithmetic.functions(text_of(ir), list(wanted))
        except arithmetic.NotArithmetic as more:
            name, what = more.args
            raise Refused(f"not judged: {base_name(wanted[name])} runs on the host, where a graded function may only compute; "
                          f"it has {what}") from None
        lacking = [read for name, read in wanted.items() if name not in found]
        if lacking:
            raise Refused(f"not judged: it lacks {lacking[0]}, or has changed what that takes or returns")
        taken.write_text(text, encoding="utf-8")
        made = self.run([self.tools.clang, "-x", "ir", "-O0", "-w", "-c", taken, "-o", self.made / "taken.o"], COMPILING)
        if made.status:
            raise Refused(f"not judged: its host functions: {why_not_compiled(made)}")
        return self.made / "taken.o"

    def link(self, host, ptx, functions):
        """The judge's program. Nothing of a stranger runs here: objcopy puts a text into a section."""
        text = self.made / "joined.ptx"
        text.write_text(ptx + "\0", encoding="utf-8")
        called(["objcopy", f"--update-section=.nv_fatbin={text}", host, self.made / "joined.o"])
        called(["c++", self.made / "joined.o", *([functions] if functions else []), self.tools.judges / "libjudge.so",
                "-Wl,--whole-archive", self.tools.judges / "libjudge_supervisor.a", "-Wl,--no-whole-archive",
                f"-Wl,-rpath,{self.tools.judges}", "-pthread", "-o", self.made / "judge"])

    def judged(self, host, ptx, functions):
        """The outcomes of the judge, and which gaps have failed: {index: why}. The first outcome is the submission's. In further
        ones, the kernels of gaps that have failed are the solution's: they tell what the other gaps are worth."""
        outcomes, failed = [], {}
        while ptx:
            self.link(host, ptx, functions)
            outcomes.append(self.outcome(len(outcomes)))
            end = points.ending(outcomes[-1])
            gaps = outcomes[0]["gaps"]
            gap = points.gap_of(end, gaps) if end else None
            if gap is None or gap in failed or len(failed) + 1 == len(gaps):
                if gap is not None:
                    failed.setdefault(gap, points.first_line(end))
                break
            failed[gap] = points.first_line(end)
            ptx = device_code.with_kernels_of(ptx, self.exercise.reference_ptx, gaps[gap]["kernels"])
        return outcomes, failed

    def outcome(self, number):
        """What the linked judge says."""
        file = self.told / f"outcome{number}.json"  # where no program has written that has read the submission
        ended = self.sandbox.run([self.made / "judge", f"--json={file}", f"--limit={judging.LIMIT}"], self.given,
                                 [*self.exercise.readable, self.made], JUDGING, [self.told])
        try:
            outcome = json.loads(file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            outcome = judging.without_verdict("", "") | {"gaps": [], "verdict": f"no verdict: {why_ended(ended)}"}
        if outcome["exit_code"] == 0 and ended.status != 0:
            outcome |= {"exit_code": 1, "verdict": f"no verdict: {why_ended(ended)}"}
        return outcome


def text_of(path):
    """What a compiler has made of a submission."""
    if path.stat().st_size > device_code.LARGEST:
        raise Refused(f"not judged: {path.name} has {path.stat().st_size:,} bytes; at most {device_code.LARGEST:,} are read")
    return path.read_text(encoding="utf-8", errors="replace")


def used(number, read):
    """Source that makes the compiler keep a host function: part_of(int, int, int), or int blocks_for<256>(int, int)."""
    if "<" in read:
        return f"template {read};\n"
    return f"__attribute__((used)) static auto* const grade_taken_{number} = &{read.partition('(')[0]};\n"


def base_name(read):
    """blocks_for of int blocks_for<256>(int, int)"""
    return re.search(r"(\w+)(?:<.*>)?\(", read).group(1)


def why_ended(ended):
    said = ended.said.strip().splitlines()
    return ended.stopped or f"the judge ended with status {ended.status}" + (f": {said[-1]}" if said else "")


def why_not_compiled(ended):
    if macro := MACRO.search(ended.said):
        return f"not judged: it defines the macro `{macro.group(1)}`, a word that the chapter's test uses"
    if ended.stopped:
        return f"does not compile: {ended.stopped}"
    if "Stack dump:" in ended.said:
        place = CRASHED.search(ended.said)
        return "does not compile: the compiler crashed" + (f" at {place.group(1)}" if place else "")
    if not ERROR.search(ended.said):
        return (f"does not compile: the compiler ended with status {ended.status} and names no error; it may have taken more "
                f"than {COMPILING} seconds, or too much memory")
    return verdict.not_compiled([line for line in ended.said.splitlines() if ERROR.search(line)])["verdict"]
# SPDX-License-Identifier: MIT
