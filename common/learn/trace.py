"""`learn trace`: what one warp of block 0 did, step by step, from the program's --trace=FILE."""
import collections
import json
import os
import pathlib
import select
import tempfile

from learn import builder, processes
from learn.watch import keys

LANES, BANKS, SECTOR = 32, 32, 32
AROUND = 5  # source lines shown above and below a step
BACK = ("b", "\x7f", "\x1b[D", "\x1b[A", "k")  # keys
SILENT = ("instr", "call")  # kinds of steps that touch no memory and no other lane: only --all shows them


class NoTrace(Exception):
    """The program wrote no trace; the message is one line."""


def record(place, chapter, options, schedule=None):
    """Runs the learner's program. Returns the launches that it traced, and what it said besides."""
    if not place.is_simulated:
        raise NoTrace("only the simulated GPU writes traces; on a GPU use ncu or cuda-gdb")
    builder.build(place, [place.program_of(chapter)])
    with tempfile.TemporaryDirectory(prefix="learn-") as scratch:
        file = pathlib.Path(scratch, "trace.json")
        said = []
        # By a schedule, the race check says what the order leads to.
        environment = {"GPUSIM_CHECK": "race", **os.environ, "GPUSIM_SCHEDULE": schedule} if schedule else None
        status = processes.run([str(place.build / place.program_of(chapter)), f"--trace={file}", *options], on_line=said.append,
                               env=environment)
        if not file.exists():
            raise NoTrace(f"{place.program_of(chapter)} wrote no trace: " + (said[-1] if said else f"exit status {status}"))
        launches = json.loads(file.read_text(encoding="utf-8"))
    if not launches and schedule:
        raise NoTrace(f"launch {schedule.split('/')[0]} of {place.program_of(chapter)}, which the schedule is for, is none of "
                      "the step's kernel; was another --n explored?")
    if not launches:
        raise NoTrace(f"{place.program_of(chapter)} launched no kernel of the step")
    return launches, said


def steps_of(launch, warp, everything):
    return [step for step in launch["steps"] if step["warp"] == warp and (
        everything or (step["kind"] not in SILENT and step.get("space") != "param"))]


def lanes_of(step):
    mask = int(step["mask"], 16)
    return [lane for lane in range(LANES) if mask >> lane & 1]


def picture(on, sign="█", off="·"):
    """Which of the 32 lanes are on, in groups of 8."""
    cells = [(sign(lane) if callable(sign) else sign) if lane in on else off for lane in range(LANES)]
    return " ".join("".join(cells[at:at + 8]) for at in range(0, LANES, 8))


def words_by_bank(step):
    """How many different words of each bank a shared access of 4 bytes per lane touches; they are served one after another."""
    words = collections.defaultdict(set)
    for address in step["addresses"]:
        for word in range(address // 4, (address + step["bytes"] - 1) // 4 + 1):
            words[word % BANKS].add(word)
    return words


def described(step):
    """The step in words."""
    lanes = lanes_of(step)
    who = f"{len(lanes)} lane{'s' if len(lanes) != 1 else ''}"
    if step.get("space") == "shared":
        words = words_by_bank(step)
        most = max(map(len, words.values()))
        conflict = "no conflict" if most == 1 or step["bytes"] > 4 else f"up to {most} words in one bank: {most} turns"
        return f"{who}, {len(words)} bank{'s' if len(words) != 1 else ''}, {conflict}"
    if step.get("addresses") and step["space"] == "global":
        sectors = {byte // SECTOR for address in step["addresses"] for byte in (address, address + step["bytes"] - 1)}
        return f"{who}, {len(sectors)} sector{'s' if len(sectors) != 1 else ''} of 32 bytes"
    if "taken" in step:
        jump = bin(int(step["taken"], 16)).count("1")
        return f"{who}, {jump} jump" if 0 < jump < len(lanes) else f"{who}, {'all' if jump else 'none'} jump"
    if step.get("from"):
        return f"{who}; lane {lanes[0]} reads lane {step['from'][0]}, lane {lanes[-1]} lane {step['from'][-1]}"
    return who


def digit(count):
    return str(count) if count < 10 else "+"


def bank_picture(step):
    words = {bank: len(of_bank) for bank, of_bank in words_by_bank(step).items()}
    return picture(words, sign=lambda bank: digit(words[bank]))


def source_of(launch, step, cache):
    path = launch["files"][step["file"]] if step.get("file") is not None and "line" in step else None
    if path is None:
        return None, []
    if path not in cache:
        try:
            cache[path] = pathlib.Path(path).read_text(encoding="utf-8").splitlines()
        except OSError:
            cache[path] = []
    return pathlib.Path(path).name, cache[path]


def quoted(lines, number):
    return lines[number - 1].strip() if number <= len(lines) else ""


def launch_name(launch):
    size = lambda dims: " x ".join(map(str, dims[:1] if dims[1:] == [1, 1] else dims))
    return f"{launch['kernel']}<<<{size(launch['grid'])}, {size(launch['block'])}>>>"


def title(launch, warp):
    return f"{launch_name(launch)}, block 0, warp {warp}"


def print_all(screen, launch, warp, steps):
    """Prints every step, each under its source line."""
    screen.line(title(launch, warp), "bold")
    cache, line_before = {}, None
    for number, step in enumerate(steps, 1):
        name, lines = source_of(launch, step, cache)
        if name and (name, step["line"]) != line_before:
            line_before = (name, step["line"])
            screen.parts((f"{name}:{step['line']}", "cyan"), (f"  {quoted(lines, step['line'])}", None))
        screen.parts((f"{number:5}  {step['op']:16} ", "dim"), (picture(lanes_of(step)), "green"), (f"  {described(step)}", None))
    if launch["truncated"]:
        screen.line("… and more, which the trace leaves out", "dim")


def show_step(screen, launch, warp, steps, at):
    """Shows one step on a terminal: the source around it, the lanes that are on, the banks that they touch."""
    screen.clear()
    screen.parts((title(launch, warp), "bold"), (f"   step {at + 1} of {len(steps)}", "dim"))
    screen.line("space next · b back · w next warp · q quit", "dim")
    show_place(screen, launch, steps[at], {})
    show_access(screen, steps[at])


def show_place(screen, launch, step, cache):
    """The source around a step."""
    screen.line()
    name, lines = source_of(launch, step, cache)
    if name and lines:
        first = max(1, step["line"] - AROUND)
        screen.code(lines[first - 1:step["line"] + AROUND], first, step["line"])
    screen.line()


def show_access(screen, step):
    """What a step does: its lanes, banks, elements."""
    screen.parts((f"{step['op']}  ", "bold"), (described(step), None))
    screen.parts(("lanes  ", "dim"), (picture(lanes_of(step)), "green"))
    if step.get("space") == "shared":
        screen.parts(("banks  ", "dim"), (bank_picture(step), "yellow"), ("  words in each", "dim"))
    if step.get("addresses"):
        unit, base = ("element", min(step["addresses"])) if step["space"] == "global" else ("element", 0)
        places = [(address - base) // step["bytes"] for address in step["addresses"]]
        shown = ", ".join(map(str, places[:8])) + (" …" if len(places) > 8 else "")
        screen.parts((f"{unit}s ", "dim"), (shown, None), ("  from the first" if step["space"] == "global" else "", "dim"))


def key_from(typed):
    """Reads one key. An arrow key sends three characters."""
    key = os.read(typed, 1)
    if key == b"\x1b" and select.select([typed], [], [], 0.05)[0]:
        key += os.read(typed, 2)
    return key.decode("latin-1")


def walk(screen, launch, warp, everything, typed):
    warps, at = sorted({step["warp"] for step in launch["steps"]}), 0
    while True:
        steps = steps_of(launch, warp, everything)
        at = max(0, min(at, len(steps) - 1))
        show_step(screen, launch, warp, steps, at)
        key = key_from(typed)
        if key in ("q", "\x04", ""):
            return
        if key in BACK:
            at -= 1
        elif key == "w":
            warp, at = warps[(warps.index(warp) + 1) % len(warps)], 0
        else:
            at += 1


def show(screen, place, chapter, warp, everything, options, schedule=None):
    from learn import replay  # which shows steps as this module does
    schedule = schedule or os.environ.get("GPUSIM_SCHEDULE", "")
    if replay.is_schedule(schedule):
        launches, said = record(place, chapter, options, schedule)
        replay.show(screen, launches[-1], said, everything)
        return
    launches, _ = record(place, chapter, options)
    launch = launches[-1]
    steps = steps_of(launch, warp, everything)
    if not steps:
        warps = sorted({step["warp"] for step in launch["steps"]})
        raise NoTrace(f"block 0 has no warp {warp}; its warps are {warps[0]} … {warps[-1]}")
    with keys() as typed:
        if typed is None or not screen.is_terminal:
            print_all(screen, launch, warp, steps)
        else:
            walk(screen, launch, warp, everything, typed)
# SPDX-License-Identifier: MIT
