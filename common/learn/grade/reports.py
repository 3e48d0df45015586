"""What is said of all submissions: a table, CSV, JSON, and Gradescope's results.json."""
import csv
import io
import json
import pathlib
import re

from learn import verdict
from learn.memory import write

SHOWN = 3  # counters of a gap in the table
HEADINGS = ["student", "chapter", "state", "points of chapter", "verdict", "gap", "points", "of", "reason", "counters", "remarks",
            "file"]
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # what a spreadsheet would take for the beginning of one


def short(text):
    """A text in one line, as it fits a table."""
    return re.sub(r"\s+", " ", text)


def counter_text(counter):
    sign = "at most" if counter["at_most"] else "at least"
    return f"{counter['counter']} {verdict.number(counter['value'])} ({sign} {verdict.number(counter['limit'])})"


def counted(gap):
    """The counters of a gap: those that miss their limit first."""
    return [counter_text(counter) for counter in sorted(gap["counters"], key=lambda counter: counter["kept"])]


def show(screen, results):
    rows = []
    for result in results:
        state = result.state
        style = verdict.STYLES.get(state)
        remarks = "".join(f" ({remark})" for remark in result.remarks)
        rows.append([result.student, result.chapter[:2], f"{result.points}/{result.most}",
                     (f"{verdict.SIGNS[state]} {short(result.verdict)}{remarks}", style)])
        if state in ("done", "missing"):
            continue
        for gap in result.gaps:
            missed = [counter_text(counter) for counter in gap["counters"] if not counter["kept"]][:SHOWN]
            why = short(gap["reason"])
            rows.append(["", "", f"{gap['points']}/{gap['of']}", ": ".join(filter(None, [f"    {gap['gap']}", why]))])
            rows += [["", "", "", f"        {text}"] for text in missed if text.split(" ")[0] not in why]
    screen.table(["student", "ch", "points", "verdict"], rows, (2,))


def as_csv(results):
    """A row for each gap. A cell that would be a formula begins with an apostrophe."""
    def cell(value):
        text = str(value)
        return "'" + text if isinstance(value, str) and text.startswith(FORMULA) else text

    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(HEADINGS)
    for result in results:
        for gap in result.gaps:
            row = [result.student, result.chapter, result.state, f"{result.points}/{result.most}", result.verdict, gap["gap"],
                   gap["points"], gap["of"], gap["reason"], "; ".join(counted(gap)), "; ".join(result.remarks), result.file]
            writer.writerow(map(cell, row))
    return out.getvalue()


def as_json(results):
    return json.dumps([{"student": result.student, "chapter": result.chapter, "file": result.file, "state": result.state,
                        "verdict": result.verdict, "points": result.points, "of": result.most, "gaps": result.gaps,
                        "remarks": result.remarks} for result in results], indent=1, ensure_ascii=True) + "\n"


def of_gradescope(results):
    """results.json of one student, as https://gradescope-autograders.readthedocs.io/en/latest/specs has it."""
    tests = []
    for result in results:
        for number, gap in enumerate(result.gaps, 1):
            lines = [gap["reason"] or ("done" if gap["points"] else result.verdict), *counted(gap)]
            tests.append({"name": f"{result.chapter}: {gap['gap']}", "number": f"{int(result.chapter[:2])}.{number}",
                          "score": gap["points"], "max_score": gap["of"],
                          "status": "passed" if gap["points"] == gap["of"] else "failed",
                          "output": "\n".join(lines), "output_format": "text"})
    said = "\n".join(f"{result.chapter}: {result.verdict}" for result in results)
    return json.dumps({"score": sum(result.points for result in results), "output": said, "output_format": "text",
                       "execution_time": round(sum(result.seconds for result in results)), "tests": tests}, indent=1) + "\n"


def write_text(path, text):
    """The whole file or none. A name that is not UTF-8, as files may have, is written with escapes."""
    write(pathlib.Path(path), text.encode("utf-8", "backslashreplace"))


def write_gradescope(folder, results):
    """One student's results.json in the folder; of several, each in a folder with the student's name."""
    students = dict.fromkeys(result.student for result in results)
    for student in students:
        place = pathlib.Path(folder, student) if len(students) > 1 else pathlib.Path(folder)
        place.mkdir(parents=True, exist_ok=True)
        write_text(place / "results.json", of_gradescope([result for result in results if result.student == student]))
# SPDX-License-Identifier: MIT
