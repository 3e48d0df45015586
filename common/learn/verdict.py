"""Judges a chapter, remembers the outcome, and shows it: only what matters now, and the verdict last."""
import re
import time

from learn import builder, judging, proofs

STYLES = {"done": "bold green", "not started": "bold cyan", "begun": "bold yellow", "wrong": "bold red", "missing": "bold red"}
SIGNS = {"done": "✓", "not started": "○", "begun": "◐", "wrong": "✗", "missing": "✗"}
SEVERITY = ["fault", "hazard", "wrong_result", "as_shipped", "unimproved"]
PLACE = re.compile(r"[\w.]+\.cuh:\d+(?::\d+)?")
COMPILE_ERROR = re.compile(r"^(?:.*/)?([\w.]+:\d+(?::\d+)?): (?:fatal )?error: (.*)$")
BESIDE = re.compile(r"^In file included from|^\d+ errors? generated")
COMPILER_LINES = 14  # of the compiler's that are shown: its first error matters most


def judge(place, memory, chapter, is_stale=None, as_current=True):
    """Builds and runs the judge, and remembers its outcome."""
    content, version = chapter.content(), chapter.version()
    known = memory.of(chapter)
    begun = time.monotonic()
    try:
        builder.build_judge(place, place.judge_of(chapter), chapter.kernels, is_stale)
        # While a TODO is open, later test cases depend on what earlier ones found, so they run one after another.
        seconds = [] if chapter.todo_lines() else known.get("seconds", [])
        outcome = judging.outcome_of(place.build / place.judge_of(chapter), known.get("stretch", False), is_stale, seconds)
    except builder.Failed as failed:
        outcome = not_compiled(failed.lines)
    outcome["seconds"] = time.monotonic() - begun
    values = {"version": version, "judge": stamp_of(place, chapter), "outcome": outcome}
    if judging.seconds_of(outcome):
        values["seconds"] = judging.seconds_of(outcome)
    old = known.get("outcome")
    if old and known.get("version") != version and judging.counters_of(old):
        values["before"] = judging.counters_of(old)
    if outcome.get("as_shipped"):
        values["first"] = judging.counters_of(outcome)
    else:
        memory.keep_last(chapter, content)
    memory.remember(chapter, as_current, **values)
    return outcome, known | values


def prove(place, chapter, outcome):
    """Says whether the kernels are proved for every n. This comes after the verdict, which need not wait for it."""
    if judging.state_of(outcome) == "done":
        with place.screen.busy("proving the kernels for every n"):
            is_proved = proofs.proved_for_every_n(place, chapter)
        if is_proved:
            place.screen.line(f"✓ {chapter.number} done, and proved for every n", STYLES["done"])


def build_program(place, chapter, outcome, is_stale=None):
    """Builds the program that a learner runs by hand. This comes after the verdict, which need not wait for it."""
    if "compiler" not in outcome:
        program = place.program_of(chapter)
        with place.screen.busy(f"building {place.shown(place.build / program)}, which you may run by hand"):
            builder.build_quietly(place, [program], is_stale)


def stamp_of(place, chapter):
    """A text that changes when the judge is built anew."""
    try:
        status = (place.build / place.judge_of(chapter)).stat()
    except OSError:
        return None
    return [status.st_mtime_ns, status.st_size]


def remembered(place, memory, chapter):
    """The outcome for the current version of the file, if it is known; else None."""
    known = memory.of(chapter)
    if known.get("outcome") and known.get("version") == chapter.version() and known.get("judge") == stamp_of(place, chapter):
        return known["outcome"]
    return None


def not_compiled(lines):
    errors = [found for found in map(COMPILE_ERROR.match, lines) if found]
    what = f"{errors[0].group(1)}: {errors[0].group(2)}" if errors else (lines[0] if lines else "the build failed")
    return {"verdict": f"does not compile: {what}", "exit_code": 1, "compiler": lines}


def gap_in_focus(outcome):
    """Index of the gap to show: that of the worst finding, else the first open one."""
    findings = outcome.get("findings", [])
    worst = [finding for finding in findings if not finding["excused"]]
    if worst:
        return min(worst, key=lambda finding: SEVERITY.index(finding["kind"]))["gap"]
    about = [finding["gap"] for finding in findings if finding["gap"] is not None]
    opened = [at for at, gap in enumerate(outcome.get("gaps", [])) if gap["open"]]
    return min(about, default=opened[0] if opened else None)


def findings_in_focus(outcome):
    """The findings to show: what is wrong, or else what the gap in focus lacks, but not what later gaps lack."""
    findings = outcome.get("findings", [])
    wrong = [finding for finding in findings if not finding["excused"]]
    if wrong:
        worst = min(SEVERITY.index(finding["kind"]) for finding in wrong)
        gap = gap_in_focus(outcome)
        return [finding for finding in wrong
                if SEVERITY.index(finding["kind"]) == worst and finding["gap"] == gap][:1 if worst < 3 else None]
    return [finding for finding in findings if finding["gap"] == gap_in_focus(outcome)]


def show(screen, place, chapter, outcome, known):
    state = judging.state_of(outcome)
    title = f"{chapter.number} {chapter.title}"
    screen.parts((title, "bold"), (f"  {place.shown(chapter.kernels)}", "dim"),
                 (f"  {outcome['seconds']:.1f} s" if "seconds" in outcome else "", "dim"))
    show_compiler(screen, chapter, outcome)
    show_printed(screen, outcome)
    if state != "done":
        show_findings(screen, chapter, outcome)
    show_counters(screen, outcome, known)
    show_gaps(screen, outcome, state)
    if known.get("stretch"):
        show_stretch(screen, outcome)
    if state == "done":
        commands = ("next", f"stretch {chapter.number}", f"diff {chapter.number}")
        screen.line("  What next?  " + " · ".join(f"{place.learn} {command}" for command in commands), "dim")
    screen.line(f"{SIGNS[state]} {chapter.number} {outcome['verdict']}", STYLES[state])


def short(chapter, text):
    """The text with the learner's file called kernels.cuh: it is clear which one is meant."""
    return text.replace(str(chapter.kernels), chapter.kernels.name)


def show_compiler(screen, chapter, outcome):
    lines = [short(chapter, line) for line in outcome.get("compiler", []) if not BESIDE.match(line)]
    for line in lines[:COMPILER_LINES]:
        screen.line("  " + line, "red" if COMPILE_ERROR.match(line) else None)
    if len(lines) > COMPILER_LINES:
        screen.line(f"  … and {len(lines) - COMPILER_LINES} lines more", "dim")


def show_printed(screen, outcome):
    if outcome.get("printed"):
        screen.line("  printed by the kernels:", "dim")
        for line in outcome["printed"]:
            screen.line("    " + line)


def show_findings(screen, chapter, outcome):
    shown = set()
    for finding in findings_in_focus(outcome):
        if finding["text"] in shown:
            continue
        shown.add(finding["text"])
        for line in short(chapter, finding["text"]).splitlines():
            place = PLACE.search(line)
            if place:
                start, end = place.span()
                screen.parts(("  " + line[:start], None), (line[start:end], "bold cyan"), (line[end:], None))
            else:
                screen.line("  " + line)
    if shown:
        screen.line()


def number(value):
    return "" if value is None else f"{value:,.0f}" if value == int(value) else f"{value:,.4g}"


def show_counters(screen, outcome, known):
    """Shows counters as shipped, before the last edit and now, of the kernels of the gap in focus; of all, when done."""
    gap = gap_in_focus(outcome)
    kernels = None if gap is None else tuple(outcome["gaps"][gap]["kernels"])
    first, before = known.get("first", {}), known.get("before", {})
    if outcome.get("as_shipped"):
        first, before = {}, {}  # the current version is the starter
    rows, seen = [], set()
    for measured in outcome.get("measurements", []):
        key = judging.key_of(measured)
        if measured["goal"] or key in seen or (kernels and not measured["kernel"].startswith(kernels)):
            continue
        seen.add(key)
        changed = any(old.get(key, measured["value"]) != measured["value"] for old in (first, before))
        if not changed and measured["kept"]:
            continue  # it was within its limit, and has not changed
        each = f" {measured['each'].strip(', ')}" if measured["each"] not in ("", "a block") else ""
        rows.append([measured["kernel"].split(",")[0], measured["counter"] + each,
                     number(first.get(key)), number(before.get(key)),
                     (number(measured["value"]), "green" if measured["kept"] else "red"),
                     ("at most " if measured["at_most"] else "at least ") + number(measured["limit"])])
    if not rows or not (first or before):
        return  # there is nothing to compare with, and the findings say what is asked
    headings = ["kernel", "counted for each block", "as shipped", "before", "now", "asked"]
    empty = [at for at in (2, 3) if not any(row[at] for row in rows)]
    if 2 not in empty and 3 not in empty and all(row[2] == row[3] for row in rows):
        empty.append(3)
    keep = [at for at in range(len(headings)) if at not in empty]
    numbers = [at for at, column in enumerate(keep) if column in (2, 3, 4)]
    screen.table([headings[at] for at in keep], [[row[at] for at in keep] for row in rows], numbers)
    screen.line()


def todo_lines_of(outcome, focus):
    """Lines of the TODO(you) of a gap, since gaps are in the order of the file; all that are left, if some were removed."""
    lines, gaps = outcome.get("todo_lines", []), outcome["gaps"]
    if len(lines) != sum(gap["todos"] for gap in gaps):
        return lines
    before = sum(gap["todos"] for gap in gaps[:focus])
    return lines[before:before + gaps[focus]["todos"]]


def show_gaps(screen, outcome, state):
    gaps = outcome.get("gaps", [])
    focus = gap_in_focus(outcome)
    if state not in ("begun", "not started") or focus is None:
        return
    lines = todo_lines_of(outcome, focus)
    where = f" (TODO at line {', '.join(map(str, lines))})" if lines else ""
    screen.parts(("  next  ", "dim"), (gaps[focus]["name"], None), (where, "dim"))


def show_stretch(screen, outcome):
    """Shows the harder targets. Returns whether all of them are reached, or None if nothing was counted."""
    goals = [measured for measured in outcome.get("measurements", []) if measured["goal"]]
    if outcome["exit_code"] != 0 or not goals:
        return None
    for name in dict.fromkeys(measured["goal"] for measured in goals):
        of_goal = [measured for measured in goals if measured["goal"] == name]
        reached = all(measured["kept"] for measured in of_goal)
        screen.parts(("  ★ " if reached else "  ☆ ", "yellow"), (name, "bold"))
        screen.table(["kernel", "counted", "now", "target"],
                     [[measured["kernel"], " ".join((measured["counter"], measured["each"].strip(", "))).strip(),
                       (number(measured["value"]), "green" if measured["kept"] else "yellow"),
                       ("at most " if measured["at_most"] else "at least ") + number(measured["limit"])]
                      for measured in of_goal], (2,))
    return all(measured["kept"] for measured in goals)
# SPDX-License-Identifier: MIT
