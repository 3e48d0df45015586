"""Where am I? A line for each chapter, the gaps of those that are begun, and the next one."""
from learn import judging, verdict


def states(place, memory):
    """(chapter, state, outcome or None) for each chapter. Judges those that have been edited since they were judged."""
    for chapter in place.chapters:
        if not chapter.exists():
            yield chapter, "missing", None
            continue
        if chapter.is_as_shipped():
            yield chapter, "not started", None
            continue
        outcome = verdict.remembered(place, memory, chapter)
        if outcome is None:
            with place.screen.busy(f"judging {chapter.number} {chapter.title}, which has changed"):
                outcome, _ = verdict.judge(place, memory, chapter, as_current=False)
        yield chapter, judging.state_of(outcome), outcome


def next_of(found, current):
    """The chapter to work on: the current one if it is open, else the first open one."""
    opened = [chapter for chapter, state, _ in found if state != "done"]
    return next((chapter for chapter in opened if chapter.stem == current), opened[0] if opened else None)


def todos_of(chapter, state, outcome):
    """"1 of 2 TODOs". The verdict counts TODOs, and a gap may have several."""
    if state == "missing":
        return ""
    gaps = (outcome or {}).get("gaps")
    todos = sum(gap["todos"] for gap in gaps) if gaps else len(chapter.todo_lines())
    if not todos:
        return ""
    done = sum(gap["todos"] for gap in gaps or () if not gap["open"])
    return (f"{done} of " if state in ("begun", "done") else "") + f"{todos} TODO{'s' if todos != 1 else ''}"


def show(screen, place, memory):
    found = []
    for chapter, state, outcome in states(place, memory):
        found.append((chapter, state, outcome))
    coming = next_of(found, memory.current())
    for chapter, state, outcome in found:
        style = verdict.STYLES[state]
        screen.parts(("▶ " if chapter is coming else "  ", "bold"), (f"{verdict.SIGNS[state]} ", style),
                     (f"{chapter.number} {chapter.title:16} ", "bold" if chapter is coming else None),
                     (f"{state:12}", style), (todos_of(chapter, state, outcome), "dim"))
        if state == "missing":
            screen.line(f"      {place.shown(chapter.kernels)} is gone; it comes back by: "
                        f"{place.learn} reset {chapter.number}", "dim")
        if outcome and state in ("begun", "wrong"):
            show_open(screen, outcome, state)
        if state == "not started" and memory.last(chapter):
            screen.line(f"      as shipped again; your version is kept: {place.learn} restore {chapter.number}", "dim")
    done = sum(state == "done" for _, state, _ in found)
    begun = sum(state in ("begun", "wrong") for _, state, _ in found)
    screen.line()
    if coming is None:
        screen.line(f"{done} of {len(found)} done. For more: {place.learn} stretch", "bold green")
        return
    screen.line(f"{done} of {len(found)} done, {begun} begun.")
    screen.parts(("Next: ", None), (place.shown(coming.kernels), "bold"),
                 (f"  its page: {place.learn} read {coming.number}", "dim"))
    screen.parts(("Edit it while this runs: ", None), (f"{place.learn} watch {coming.number}", "bold"),
                 (f"  all it can do: {place.learn} --help", "dim"))


def show_open(screen, outcome, state):
    if state == "wrong":
        screen.line("      " + outcome["verdict"], "red")
    for gap in outcome.get("gaps", []) if state == "begun" else []:
        screen.parts(("      open  ", "yellow") if gap["open"] else ("      done  ", "green"), (gap["name"], None))
# SPDX-License-Identifier: MIT
