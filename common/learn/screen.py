"""Where `learn` prints: a terminal with colours, by rich; or plain text if there is no terminal or no rich."""
import contextlib
import html
import io
import os
import sys
import time

try:
    from rich.console import Console
    from rich.markdown import Markdown
    from rich.progress import BarColumn, Progress, TextColumn
    from rich.syntax import Syntax
    from rich.table import Table
    from rich.text import Text
except ImportError:
    Console = None

EVERY = 10  # seconds, between two lines of progress where there is no terminal


def printable(text):
    """With what would steer a terminal, as a kernel's printf may contain it, written out: \\x1b."""
    return "".join(c if c.isprintable() or c in "\t\n" else f"\\x{ord(c):02x}" for c in text)


def open_screen():
    dumb = os.environ.get("TERM", "") in ("", "dumb")
    return RichScreen() if Console and sys.stdout.isatty() and not dumb else PlainScreen()


class PlainScreen:
    """Text for pipes, logs, and terminals without colours."""
    is_terminal = False

    def clear(self):
        self.line()

    def line(self, text="", style=None):
        print(printable(text), flush=True)

    def parts(self, *parts):
        """One line of several parts, each (text, style)."""
        self.line("".join(text for text, _ in parts))

    def table(self, headings, rows, numbers=()):
        """Cells are text or (text, style); `numbers` are the columns that align right."""
        texts = [headings, *([cell[0] if isinstance(cell, tuple) else cell for cell in row] for row in rows)]
        widths = [max(map(len, column)) for column in zip(*texts)]
        for cells in texts:
            self.line(("  " + "  ".join(cell.rjust(width) if at in numbers else cell.ljust(width)
                                        for at, (cell, width) in enumerate(zip(cells, widths)))).rstrip())

    def code(self, lines, first=1, mark=None):
        """Lines of a kernel with their numbers. `mark` is the number of the line to look at."""
        for number, line in enumerate(lines, first):
            self.line(f"{'>' if number == mark else ' '}{number:4}  {line}".rstrip())

    def markdown(self, text):
        self.line(text)

    def html(self, text):
        """A page for a browser with this text in Markdown."""
        if not Console:
            return f"<!doctype html><meta charset=utf-8><pre>{html.escape(printable(text))}</pre>"
        console = Console(record=True, width=100, file=io.StringIO(), force_terminal=True)
        console.print(Markdown(text, code_theme="default"))
        return console.export_html()

    def pager(self):
        """A long text fills a terminal page by page while this lasts."""
        return contextlib.nullcontext()

    def diff(self, lines):
        for line in lines:
            self.line(line)

    @contextlib.contextmanager
    def progress(self):
        """A function to call with what is being done and, if it is known, which fraction is. Prints a text every few seconds."""
        shown, since = None, 0.0

        def show(text, _fraction=None):
            nonlocal shown, since
            if shown is None or (text != shown and time.monotonic() - since > EVERY):
                shown, since = text, time.monotonic()
                self.line(text)
        yield show

    def busy(self, what):
        """A terminal shows `what` while this lasts, and removes it afterwards. Without a terminal nothing is shown."""
        return contextlib.nullcontext(what)


class RichScreen(PlainScreen):
    is_terminal = True

    def __init__(self):
        self.console = Console(highlight=False)
        self.shown = None  # the busy line on the terminal: there is at most one

    def clear(self):
        self.console.clear()

    def line(self, text="", style=None):
        self.console.print(Text(printable(text), style=style or ""))

    def parts(self, *parts):
        self.console.print(Text.assemble(*((printable(text), style or "") for text, style in parts)))

    def table(self, headings, rows, numbers=()):
        table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
        for at, heading in enumerate(headings):
            table.add_column(heading, justify="right" if at in numbers else "left", overflow="fold")
        for row in rows:
            table.add_row(*(Text(*cell) if isinstance(cell, tuple) else Text(cell) for cell in row))
        self.console.print(table)

    def code(self, lines, first=1, mark=None):
        self.console.print(Syntax("\n".join(lines), "cuda", theme="ansi_dark", background_color="default", line_numbers=True,
                                  start_line=first, highlight_lines={mark} if mark else None))

    def markdown(self, text):
        self.console.print(Markdown(text, code_theme="ansi_dark"))

    @contextlib.contextmanager
    def pager(self):
        os.environ["LESS"] = "-R " + os.environ.get("LESS", "")  # colours reach the terminal
        with self.console.pager(styles=True):
            yield

    def diff(self, lines):
        styles = {"+": "green", "-": "red", "@": "cyan"}
        for line in lines:
            self.line(line, "bold" if line.startswith(("+++", "---")) else styles.get(line[:1]))

    @contextlib.contextmanager
    def progress(self):
        if self.shown:
            self.shown.stop()
        columns = (TextColumn("{task.description}", markup=False), BarColumn(bar_width=None))
        with Progress(*columns, console=self.console, transient=True, expand=True) as progress:
            task = progress.add_task("", total=None)
            yield lambda text, fraction=None: progress.update(task, description=printable(text), completed=fraction or 0.0,
                                                              total=None if fraction is None else 1.0)

    @contextlib.contextmanager
    def busy(self, what):
        with self.console.status(Text(what, style="dim")) as self.shown:
            yield
# SPDX-License-Identifier: MIT
