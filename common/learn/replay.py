"""`learn trace --schedule S`: a launch that GPUSIM_EXPLORE has found to go wrong, once more in that order. Shown are the warps
that the schedule names, of whichever block and GPU, as they take turns."""
import re

from learn import trace

WHERE = re.compile(r"^.*?:\d+:\d+ ")  # of what an operation did: its source line, which is shown above it
FOUND = re.compile(r"^(?:.*/)?([^/\s:]+):(\d+):\d+: (.+)$")
KEYS = ("space next · b back · o next operation", "r to what went wrong · q quit")


def is_schedule(text):
    """Not "lockstep" and its like, which GPUSIM_SCHEDULE takes as well."""
    return "/" in text


class Replay:
    def __init__(self, launch, said, everything):
        self.launch, self.cache = launch, {}
        self.operations = {op["step"]: (number, op) for number, op in enumerate(launch["operations"], 1)
                           if op["step"] < len(launch["steps"]) and is_of(launch["steps"][op["step"]], op)}
        self.has_gpus = len({op["gpu"] for op in launch["operations"]}) > 1
        self.has_warps = launch["block"][0] * launch["block"][1] * launch["block"][2] > trace.LANES
        self.named = sum(op["named"] for op in launch["operations"])
        self.steps = [(at, step) for at, step in enumerate(launch["steps"])
                      if everything or at in self.operations or
                      (step["kind"] not in trace.SILENT and step.get("space") != "param")]
        # The first finding, or the fault: what the order leads to.
        self.found = next((found for line in said if (found := FOUND.match(line))), None)

    def agent(self, step):
        """As the schedule's printed steps name it: "GPU 0, block 1, warp 2"."""
        gpu = f"GPU {step['gpu']}, " if self.has_gpus else ""
        return gpu + f"block {step['block']}" + (f", warp {step['warp']}" if self.has_warps else "")

    def title(self):
        return trace.launch_name(self.launch) + ", by a schedule"

    def did(self, at):
        """What the operation at this step did; None: the step is no operation."""
        if at not in self.operations:
            return None
        number, op = self.operations[at]
        what = WHERE.sub("", op["text"].split(": ", 1)[1], count=1)
        return f"operation {number}{f' of {self.named}' if op['named'] else ', behind the schedule'}: {what}"

    def goes_wrong(self, step):
        """What was found where this step stands; None: nothing."""
        name, _ = trace.source_of(self.launch, step, self.cache)
        if not self.found or (name, step.get("line")) != (self.found[1], int(self.found[2])):
            return None
        return self.found_text() if re.search(rf"\bblock {step['block']}\b", self.found[3].split(" while ")[0]) else None

    def found_text(self):
        return f"{self.found[1]}:{self.found[2]}: {self.found[3].split(';')[0]}"

    def print_all(self, screen):
        """Every step, under its source line, under the warp whose turn it is."""
        screen.line(self.title(), "bold")
        agent_before = line_before = None
        for at, step in self.steps:
            name, lines = trace.source_of(self.launch, step, self.cache)
            if self.agent(step) != agent_before:
                agent_before, line_before = self.agent(step), None
                screen.line()
                screen.line(agent_before, "bold yellow")
            if name and (name, step["line"]) != line_before:
                line_before = (name, step["line"])
                screen.parts((f"{name}:{step['line']}", "cyan"), (f"  {trace.quoted(lines, step['line'])}", None))
            if did := self.did(at):
                screen.line(f"  {did}", "bold")
            screen.parts((f"  {step['op']:16} ", "dim"), (trace.picture(trace.lanes_of(step)), "green"),
                         (f"  {trace.described(step)}", None))
        if self.launch["truncated"]:
            screen.line("… and more, which the trace leaves out", "dim")
        screen.line()
        screen.line(f"found: {self.found_text()}" if self.found else "nothing was found: it went right in this order", "bold red")

    def show_step(self, screen, shown):
        at, step = self.steps[shown]
        screen.clear()
        screen.line(self.title(), "bold")
        for keys in KEYS:
            screen.line(keys, "dim")
        screen.parts((self.agent(step), "bold yellow"), (f"   step {shown + 1} of {len(self.steps)}", "dim"))
        trace.show_place(screen, self.launch, step, self.cache)
        screen.line(self.did(at) or "", "bold")
        trace.show_access(screen, step)
        if wrong := self.goes_wrong(step):
            screen.line(wrong, "bold red")

    def next_where(self, shown, holds):
        """The next step for which that holds; the same one if there is none."""
        return next((k for k in range(shown + 1, len(self.steps)) if holds(*self.steps[k])), shown)

    def walk(self, screen, typed):
        shown = 0
        while True:
            shown = max(0, min(shown, len(self.steps) - 1))
            self.show_step(screen, shown)
            key = trace.key_from(typed)
            if key in ("q", "\x04", ""):
                return
            if key in trace.BACK:
                shown -= 1
            elif key == "o":
                shown = self.next_where(shown, lambda at, step: at in self.operations)
            elif key == "r":
                shown = self.next_where(shown, lambda at, step: bool(self.goes_wrong(step)))
            else:
                shown += 1


def is_of(step, op):
    return all(step[name] == op[name] for name in ("gpu", "block", "warp"))


def show(screen, launch, said, everything):
    replay = Replay(launch, said, everything)
    for line in said:
        if "GPUSIM_SCHEDULE does not fit" in line:
            screen.line(line.removeprefix("gpusim: "), "yellow")
    with trace.keys() as typed:
        if typed is None or not screen.is_terminal:
            replay.print_all(screen)
        else:
            replay.walk(screen, typed)
# SPDX-License-Identifier: MIT
