"""A trace (common/gpusim/include/gpusim/trace.h) as a page carries it: some percent of its size.

Steps come in groups of one warp: lanes that run together, or neighbours that run one by one through the same
instructions.
  group         [warp, mask, order, step, step, …]     order 0: together; 1, -1: one by one, lowest, highest first
  step          [instruction, detail …]                instruction: its place in the list of instructions
  detail        a load, store or atomic: where each lane on reaches; a shuffle: the lane that it reads from.
                One number: the same for all. Two: the first, and how much more each further lane is. More: each.
                A conditional branch: the mask of those that jump.
  instruction   [line, op, kind, space, bytes]
theme/stepper_trace.js turns it into steps again.
"""

KINDS_WITH_ADDRESSES = ("load", "store", "atomic")
OUTPUT_BEGINS = 1 << 20  # bytes: where the output begins in a page; the input begins at 0


def lanes_of(mask):
    return [lane for lane in range(32) if mask >> lane & 1]


def spread(values):
    """The detail of a value for each lane."""
    if len(set(values)) == 1:
        return values[:1]
    step = values[1] - values[0]
    if all(b - a == step for a, b in zip(values, values[1:])):
        return [values[0], step]
    return values


class Compact:
    """One launch; its instructions are those of all its schedules."""

    def __init__(self, begins):
        self.begins = begins  # of the input and of the output
        self.instructions = []

    def instruction(self, launch, step):
        line = [launch["files"][step["file"]], step["line"]] if "file" in step else None
        row = (line, step["op"], step["kind"], step.get("space", ""), step.get("bytes", 0))
        if row not in self.instructions:
            self.instructions.append(row)
        return self.instructions.index(row)

    def place(self, address, space):
        """An address of global memory from where its array begins: the same in every run."""
        if space != "global":
            return address
        begin_in, begin_out = self.begins
        is_out = address >= begin_out if begin_out > begin_in else address < begin_in
        return address - begin_out + OUTPUT_BEGINS if is_out else address - begin_in

    def values(self, step):
        if step["kind"] in KINDS_WITH_ADDRESSES and "addresses" in step:
            return [self.place(address, step["space"]) for address in step["addresses"]]
        return step.get("from", [])

    def groups(self, launch):
        found = []
        for segment in segments(launch["steps"]):
            steps = [(self.instruction(launch, s), self.values(s), int(s.get("taken", "0x0"), 16)) for s in segment]
            warp, mask = segment[0]["warp"], int(segment[0]["mask"], 16)
            if not (found and found[-1].takes(warp, mask, steps)):
                found.append(Group(warp, mask, steps))
        return [group.row() for group in found]


def segments(steps):
    """Neighbouring steps of the same lanes of a warp."""
    segment = []
    for step in steps:
        if segment and (step["warp"], step["mask"]) != (segment[0]["warp"], segment[0]["mask"]):
            yield segment
            segment = []
        segment.append(step)
    if segment:
        yield segment


class Group:
    def __init__(self, warp, mask, steps):
        self.warp, self.order = warp, 0
        self.masks, self.runs = [mask], [steps]

    def takes(self, warp, mask, steps):
        """Adds the run of a lane if it goes on with the order of the lanes before, through the same instructions."""
        last = self.masks[-1]
        single = mask & (mask - 1) == 0 and last & (last - 1) == 0
        if warp != self.warp or not single or mask == last:
            return False
        order = 1 if mask > last else -1
        if self.order not in (0, order) or [s[0] for s in steps] != [s[0] for s in self.runs[0]]:
            return False
        if [len(s[1]) for s in steps] != [len(s[1]) for s in self.runs[0]]:
            return False
        self.order = order
        self.masks.append(mask)
        self.runs.append(steps)
        return True

    def row(self):
        runs = sorted(zip(self.masks, self.runs))  # by lane, as the details of lanes that run together are
        mask = sum(self.masks)
        steps = []
        for k, (instruction, first, _) in enumerate(runs[0][1]):
            values = [value for _, run in runs for value in run[k][1]]
            taken = sum(run[k][2] for _, run in runs)
            steps.append([instruction, *(spread(values) if first else [taken] if taken else [])])
        return [self.warp, mask, self.order, *steps]
# SPDX-License-Identifier: MIT
