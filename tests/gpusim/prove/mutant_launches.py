"""What a mutant of a proved kernel does in the launches of launches.py, for still_proved.py."""
import collections
import os
import pathlib
import re
import subprocess
import sys

import launches
import proving
from changed_kernels import PTX

from mutants import line_of, mutants
from prove.kernels import kernels_of

EXPLORED = re.compile(r"gpusim: (not finished: )?explored ([\d,]+) executions? of [^\n]*?"
                      r"(?:(: no order of operations races|, and nothing was found so far)|$)", re.MULTILINE)


def plain(text):
    return " ".join(text.split())


class Kernel:
    """A kernel of a program, as it was: its PTX, its mutants, and what it does in each launch."""

    def __init__(self, folder, program, title):
        self.data = pathlib.Path(folder, f"{program}.kept").read_bytes()
        self.described, self.contract = next(
            pair for pair in zip(launches.described_in(proving.CONTRACTS, program), proving.contracts_of_chapter(program))
            if title_of(pair[1]) == title)
        texts = [match for match in PTX.finditer(self.data) if any(map(self.contract.is_of, kernels_of(match[0].decode())))]
        self.begin, self.end = texts[0].span()
        self.ptx = self.data[self.begin:self.end]
        self.mutants = [mutant for mutant in mutants(self.ptx) if self.contract.is_of(mutant[1])]
        self.lines, self.tiny = launches.launches(self.described), launches.tiny_launches(self.described)
        self.does = None

    def changed(self, number):
        """(line, kind, old, new, PTX, name) of a mutant."""
        kind, name, at, old, new = self.mutants[number - 1]
        ptx = self.ptx[:at] + new + self.ptx[at + len(old):]
        line = line_of(self.data, self.begin + at)
        return str(line), kind, plain(old.decode()), plain(new.decode()), ptx, name


def title_of(contract):
    return f"{contract.kernel} {contract.template}".strip()


class Runner:
    def __init__(self, simcc, scratch):
        self.program, self.file = pathlib.Path(scratch, "launch_ptx"), pathlib.Path(scratch, "kernel.ptx")
        source = pathlib.Path(__file__).with_name("launch_ptx.cu")
        subprocess.run([simcc, source, "-lcuda", "-o", self.program], check=True)

    def run(self, ptx, name, lines, **variables):
        environment = {key: value for key, value in os.environ.items() if not key.startswith("GPUSIM_")}
        self.file.write_bytes(ptx)
        return subprocess.run([self.program, self.file, name], input="\n".join(lines) + "\n", env=environment | variables,
                              capture_output=True, text=True, check=False)

    def does(self, ptx, name, lines):
        """{launch: (hash, status, proof)}, and the objections. One that is endless is not tried in the other order."""
        does, objections = {}, []
        for order in "01":
            asked = [line for line in lines if line[0] == order and does.get("0" + line[1:], ("", ""))[1] != "endless"]
            done = self.run(ptx, name, asked)
            said = done.stdout.splitlines()
            answers = [tuple(line.split()) for line in said if line[0] != "!"]
            if len(answers) != len(asked):
                sys.exit(f"{name}: launch_ptx answered {len(answers)} of {len(asked)} launches, and said: {done.stderr[-500:]}")
            does |= zip(asked, answers)
            objections += [line[2:] for line in said if line[0] == "!"]
        return does, objections

    def explores(self, ptx, name, lines):
        """How many interleavings ran, in words, and the launches of which one is wrong."""
        done = self.run(ptx, name, lines, GPUSIM_EXPLORE="300")
        explored = EXPLORED.findall(done.stderr)
        if len(explored) != len(lines):
            sys.exit(f"{name}: launch_ptx explored {len(explored)} of {len(lines)} launches, and said: {done.stderr[-500:]}")
        count = sum(int(count.replace(",", "")) for _, count, _ in explored)
        more = " of more" if any(unfinished for unfinished, _, _ in explored) else ""
        return f"{count}{more} explored", sum(not right for *_, right in explored)

    def looks_at(self, kernel, ptx, name):
        """(class, evidence) of a mutant."""
        if kernel.does is None:
            kernel.does = self.does(kernel.ptx, name, kernel.lines)
            if kernel.does[1] or any(status != "ends" for _, status, _ in kernel.does[0].values()):
                sys.exit(f"{name}: it must run without a mistake before it is changed: {kernel.does[1][:1]}")
        does, objections = self.does(ptx, name, kernel.lines)
        if objections:
            return "wrong", objections[0]
        ends = all(status == "ends" for _, status, _ in does.values())
        executions, unlike = self.explores(ptx, name, kernel.tiny) if ends else ("0 explored", 0)
        if unlike:
            return "wrong", "an interleaving of a tiny launch"
        differ = sum(does[launch][:2] != kernel.does[0][launch][:2] for launch in does)
        said = collections.Counter(status if status == "endless" else proof for _, status, proof in does.values())
        evidence = [f"{len(does)} launches", f"{differ} differ", *(f"{count} {what}" for what, count in sorted(said.items()))]
        found = "open" if said["not_proved"] else "other" if differ else "same"
        return found, ", ".join([*evidence, executions])
# SPDX-License-Identifier: MIT
