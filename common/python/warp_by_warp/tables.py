"""Results as tables: HTML for notebooks, text for terminals. Both are made of the same blocks."""
import functools
import html
import itertools
import re
import signal
import textwrap

from warp_by_warp import counter_list

# What the simulated GPU prints behind findings.
REMARKS = re.compile(r"^gpusim: (?:\d+ findings?; exit status 1|only the first launches were checked.*)\n", re.MULTILINE)
MOST_COLUMNS = 6  # launches next to each other
TEXT_WIDTH, SOURCE_WIDTH = 100, 48
STYLE = """<style>
.wbw { overflow-x: auto; }
.wbw table { border-collapse: collapse; margin: 0.4em 0; }
.wbw th, .wbw td { padding: 0.15em 0.6em; text-align: right; vertical-align: top; white-space: nowrap; max-width: none; }
.wbw td { font-variant-numeric: tabular-nums; }
.wbw th:first-child, .wbw td:first-child, .wbw th.source, .wbw td.source { text-align: left; }
.wbw td.said { white-space: normal; max-width: 26em; }
.wbw td.source { font-family: monospace; }
.wbw .found { border-left: 4px solid #d33; padding: 0.1em 0.8em; margin: 0.6em 0; max-width: 60em; text-align: left; }
.wbw .found.warning, .wbw .found.note { border-left-color: #c80; }
.wbw .found pre { margin: 0.4em 0 0.2em; overflow-x: auto; }
.wbw .remark { opacity: 0.75; font-size: 0.9em; }
</style>"""


def plain(label):
    """A label of the pages' tables without its HTML."""
    return html.unescape(re.sub(r"<[^>]*>", "", label))


def number(value, decimals=0):
    return f"{value:,.{decimals}f}"


def duration(nanoseconds):
    value, unit = (nanoseconds * 1e-6, "ms") if nanoseconds >= 999_500 else (nanoseconds * 1e-3, "µs")
    return f"{value:,.{0 if value >= 100 else 1 if value >= 10 else 2}f} {unit}"


def extent(size):
    """(32, 8, 1) as 32 x 8."""
    last = max((axis for axis, length in enumerate(size) if length != 1), default=0)
    return " x ".join(number(length) for length in size[:last + 1])


def groups_of(launches):
    """(launch, how many in a row did the same): in the order of the launches."""
    def same(launch):
        return launch.kernel, launch.grid, launch.block, launch.gpu, launch.completed, launch.counters, launch.prediction
    return [(next(alike), 1 + sum(1 for _ in alike)) for _, alike in itertools.groupby(launches, same)]


def launch_rows(launches):
    """(label, texts, whether they are sentences) of the table that has a column for each launch."""
    groups = groups_of(launches)[:MOST_COLUMNS]
    shown = [launch for launch, _ in groups]
    yield "kernel", [launch.kernel + (f" ({count} launches)" if count > 1 else "") for launch, count in groups], False
    yield "grid", [extent(launch.grid) for launch in shown], False
    yield "block", [extent(launch.block) for launch in shown], False
    if any(launch.gpu for launch in launches):
        yield "GPU", [str(launch.gpu) for launch in shown], False
    if not all(launch.completed for launch in shown):
        yield "ended", ["yes" if launch.completed else "stopped by a fault" for launch in shown], False
    for counter, label, _ in counter_list.book_rows():
        values = [getattr(launch.counters, counter.name) for launch in shown]
        if any(values):
            yield label, [number(value, counter.decimals) for value in values], False
    predictions = [launch.prediction for launch in shown]
    if any(predictions):
        yield from prediction_rows(predictions)


def prediction_rows(predictions):
    first = next(p for p in predictions if p)
    machine = first.machine + (f" (derived from {first.derived_from})" if first.derived_from else "")
    # A launch that a fault stopped has no prediction, and one that is not modelled has no time.
    yield (f"predicted time, {machine}",
           [f"{duration(p.nanoseconds)}" + (f" ± {100 * p.error:.0f} %" if p.error else "") if p and p.nanoseconds else "–"
            for p in predictions], False)
    yield "what decides it", [p.bottleneck if p else "–" for p in predictions], True
    yield "could be saved", [savings_of(p) if p and p.nanoseconds else "–" for p in predictions], True
    if any(p and p.not_modelled for p in predictions):
        yield "not modelled", ["; ".join(p.not_modelled) if p else "" for p in predictions], True


def savings_of(prediction):
    """"1.23 µs, 34 %: bank conflicts; …", the largest first."""
    if prediction.savings:
        return "; ".join(f"{duration(each.nanoseconds)}, {100 * each.nanoseconds / prediction.nanoseconds:.0f} %: {each.cost}"
                         for each in prediction.savings)
    return "nothing: this is the limit" if prediction.is_at_limit else "no single cost makes up 5 % of the time"


def remark_on(launches):
    """What the table of launches leaves out."""
    left = len(launches) - sum(count for _, count in groups_of(launches)[:MOST_COLUMNS])
    more = f"{number(left)} more launches are in result.launches. " if left else ""
    compilers = ", ".join(dict.fromkeys(launch.compiler for launch in launches if launch.compiler))
    return more + "Counters that are 0 are left out." + (f" PTX of {compilers}." if compilers else "")


def line_columns():
    """(heading, function of a line that gives its text) of the table of source lines."""
    def cell(line, name, decimals):
        value = getattr(line.counters, name)
        return number(value, decimals) if value else "–"  # most lines make no such access

    for counter, (heading, _, decimals) in counter_list.shown_in("LINES"):
        yield heading, functools.partial(cell, name=counter.name, decimals=decimals)


def line_table(launch, sources):
    """Headings and rows of what each line of a launch cost; `sources`: the lines of the files whose text is known."""
    columns = list(line_columns())
    has_time = any(line.time_share for line in launch.lines)
    headings = ["line", *(heading for heading, _ in columns), *(["time"] if has_time else []), "source"]
    rows = []
    for line in launch.lines:
        text = sources.get(line.file, [])
        code = text[line.line - 1] if 0 < line.line <= len(text) else ""
        file = "" if line.file in sources or not line.line else f"{line.file}:"
        share = [f"{100 * line.time_share:.0f} %"] if has_time else []
        where = f"{file}{line.line}" if line.line else "no line"
        short = textwrap.shorten(code, SOURCE_WIDTH, placeholder=" …")
        rows.append([where, *(text_of(line) for _, text_of in columns), *share, short])
    return headings, rows


def lost_signal(status):
    try:
        name = signal.strsignal(-status)
    except ValueError:
        name = None
    return f"signal {-status}" + (f" ({name})" if name else "")


def remarks(result):
    """Sentences on how the program ended."""
    if result.exit_status < 0:
        yield f"The program was ended by {lost_signal(result.exit_status)}, so there are no counters and no findings."
    elif result.exit_status:
        yield f"The program ended with exit status {result.exit_status}."
    if not result.is_complete and result.exit_status >= 0:
        yield "There are no counters and no findings: the program calls nothing of CUDA, or it ended by _exit."
    if result.is_complete and not result.launches:
        yield "The program launched no kernel."
    if result.is_complete and result.checks not in ("", "none") and not (result.findings or result.faults):
        yield "The checks found no mistake."


def rest_of_stderr(result):
    """Standard error without the findings and faults, which are shown on their own."""
    text = result.stderr
    for found in (*result.findings, *result.faults):
        text = text.replace(f"gpusim: {found.text}\n", "").replace(f"{found.text}\n", "")
    return REMARKS.sub("", text)


def found_in(result):
    """(severity, title, message, quoted source) of the compiler's warnings, findings and faults."""
    for said in result.warnings:
        yield quoted(said.severity, said.severity, said)
    for fault in result.faults:
        yield quoted("error", "fault", fault)
    for finding in result.findings:
        where = f" in {finding.kernel}" * bool(finding.kernel) + f", {finding.place}" * bool(finding.place)
        other = f" (the other place: {finding.other})" if finding.other and finding.other != finding.place else ""
        times = f" Found {number(finding.count)} times." if finding.count > 1 else ""
        yield finding.severity, finding.check + where, f"{finding.message}{other}.{times}", finding.text.partition("\n")[2]


def quoted(severity, title, said):
    first, _, source = said.text.partition("\n")
    message = first.split(f"{said.place}: ", 1)[-1].removeprefix("gpusim: ").removeprefix("warning: ").removeprefix(f"{title}: ")
    return severity, title + (f", {said.place}" if said.place else ""), message, source


# HTML

def escaped(text):
    return html.escape(text, quote=False)


def html_of_found(severity, title, message, source):
    code = f"<pre>{escaped(source)}</pre>" if source else ""
    return f'<div class="found {severity}"><b>{escaped(title)}</b>: {escaped(message)}{code}</div>'


def html_of_launches(launches):
    rows = []
    for label, texts, are_sentences in launch_rows(launches):
        tag = "th" if label == "kernel" else "td"
        cell = '<td class="said">{}</td>' if are_sentences else f"<{tag}>{{}}</{tag}>"
        rows.append(f"<tr><{tag}>{label}</{tag}>" + "".join(cell.format(escaped(text)) for text in texts) + "</tr>")
    return "<table>" + "\n".join(rows) + f'</table><div class="remark">{remark_on(launches)}</div>'


def html_of_lines(launch, sources):
    headings, rows = line_table(launch, sources)
    classes = [""] * (len(headings) - 1) + [' class="source"']
    head = "".join(f"<th{kind}>{escaped(heading)}</th>" for kind, heading in zip(classes, headings))
    body = "\n".join("<tr>" + "".join(f"<td{kind}>{escaped(cell)}</td>" for kind, cell in zip(classes, row)) + "</tr>"
                     for row in rows)
    return f"<p><b>{escaped(launch.kernel)}</b>, line by line:</p><table><tr>{head}</tr>\n{body}</table>"


def html_of_result(result, with_output=True, sources=None):
    parts = []
    if with_output and result.stdout:
        parts.append(f"<pre>{escaped(result.stdout)}</pre>")
    rest = rest_of_stderr(result) if with_output else ""
    if rest:
        parts.append(f"<pre>{escaped(rest)}</pre>")
    parts += [html_of_found(*found) for found in found_in(result)]
    parts += [f"<p>{escaped(remark)}</p>" for remark in remarks(result)]
    if result.launches:
        parts.append(html_of_launches(result.launches))
    if sources is not None:
        parts += [html_of_lines(launch, sources) for launch, _ in groups_of(result.launches)[:MOST_COLUMNS]]
    return f'{STYLE}<div class="wbw">' + "\n".join(parts) + "</div>"


def html_of_error(error):
    parts = [html_of_found(*quoted(said.severity, said.severity, said)) for said in error.diagnostics]
    return f'{STYLE}<div class="wbw">' + "\n".join(parts or [f"<pre>{escaped(error.text)}</pre>"]) + "</div>"


# Text

def aligned(rows, left=()):
    """Rows of texts as columns; those whose numbers are in `left` begin at the left."""
    widths = [max(map(len, column)) for column in itertools.zip_longest(*rows, fillvalue="")]
    return "\n".join("  ".join(cell.ljust(width) if number in left else cell.rjust(width)
                               for number, (cell, width) in enumerate(zip(row, widths))).rstrip() for row in rows)


def text_of_launches(launches):
    rows, sentences = [], []
    for label, texts, are_sentences in launch_rows(launches):
        if not are_sentences:
            rows.append([plain(label), *texts])
            continue
        for kernel, text in zip(rows[0][1:], texts):
            which = f", {kernel}" if len(texts) > 1 else ""
            sentences += textwrap.wrap(f"{label}{which}: {text}", TEXT_WIDTH, subsequent_indent="  ")
    return "\n".join([aligned(rows, left={0}), *sentences, remark_on(launches)])


def text_of_lines(launch, sources):
    headings, rows = line_table(launch, sources)
    return f"{launch.kernel}, line by line:\n" + aligned([headings, *rows], left={len(headings) - 1})


def text_of_result(result, with_output=True, sources=None):
    parts = [part.rstrip("\n") for part in (result.stdout, rest_of_stderr(result)) if with_output and part]
    parts += [said.text for said in (*result.warnings, *result.faults, *result.findings)]
    parts += remarks(result)
    if result.launches:
        parts.append(text_of_launches(result.launches))
    if sources is not None:
        parts += [text_of_lines(launch, sources) for launch, _ in groups_of(result.launches)[:MOST_COLUMNS]]
    return "\n".join(parts)
# SPDX-License-Identifier: MIT
