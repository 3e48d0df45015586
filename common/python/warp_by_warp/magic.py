"""%%cuda: a notebook's cell is a CUDA program. `%load_ext warp_by_warp` makes it known."""
import pathlib
import shlex
import sys

from IPython.core.error import UsageError
from IPython.core.magic import Magics, cell_magic, magics_class
from IPython.core.magic_arguments import argument, magic_arguments, parse_argstring
from IPython.display import display

from warp_by_warp import running, tables, toolchain
from warp_by_warp.compiling import CompileError

NAME = "cell.cu"  # what messages call the cell


class CellFailed(Exception):
    """Ends the cell, and what was to run after it, with one line in place of a traceback: what is wrong is shown above it."""

    def _render_traceback_(self):
        return [f"{type(self).__name__}: {self}"]


class Shown:
    """Something with two forms, of which the notebook takes the one that it can show."""

    def __init__(self, as_html, as_text):
        self.as_html, self.as_text = as_html, as_text

    def _repr_html_(self):
        return self.as_html

    def __repr__(self):
        return self.as_text


def show_error(error):
    display(Shown(tables.html_of_error(error), error.text.rstrip("\n")))
    count = sum(said.severity == "error" for said in error.diagnostics)
    return CellFailed("the cell does not compile" + (f": {count} error{'s' * (count != 1)}" if count else ""))


def words_of(text):
    """The words of an argument of the magic, around which IPython leaves the quotation marks."""
    is_quoted = len(text) > 1 and text[0] == text[-1] and text[0] in "'\""
    return shlex.split(text[1:-1] if is_quoted else text)


@magics_class
class CudaMagic(Magics):
    @magic_arguments()
    @argument("--check", nargs="?", const="all", metavar="CHECKS",
              help="look for all mistakes: races, reads of memory that nothing wrote, and others; or only for race,memory")
    @argument("--predict", action="store_true", help="predict how long a GPU would take")
    @argument("--machine", metavar="NAME",
              help="that GPU: h200, which is usual, h100, a100, l4, rtx4090, rtx5090, b200, or a file with a machine model")
    @argument("--lines", action="store_true", help="also show what each source line cost")
    @argument("--args", default="", metavar="TEXT", help="the program's arguments")
    @argument("--options", default="", metavar="TEXT", help="options of the compiler: --options \"-O3 -Iinclude\"")
    @argument("--timeout", type=float, default=60.0, metavar="SECONDS", help="the program's time")
    @argument("--result", metavar="NAME", help="keep what the run gave in a variable of this name")
    @cell_magic
    def cuda(self, line, cell):
        """Compile the cell, run it on the simulated GPU, and show what it printed, what is wrong with it, and what it cost.

        The cell is a whole program, with a main function. Files that it includes are looked for in the folder of the notebook.
        """
        asked = parse_argstring(self.cuda, line)
        source = "\n" + cell  # so that lines are numbered as the notebook numbers them: %%cuda is the first
        try:
            result = running.run(
                source, name=NAME, args=words_of(asked.args), options=words_of(asked.options), check=asked.check,
                predict=asked.predict, machine=asked.machine, timeout=asked.timeout)
        except CompileError as error:
            failed = show_error(error)
        except (toolchain.MissingTool, ValueError) as error:
            raise UsageError(str(error)) from None
        except (running.TimeLimitExceeded, running.OutputLimitExceeded) as error:
            print(error.stdout, end="")
            print(error.stderr, end="", file=sys.stderr)
            failed = CellFailed(str(error))
        else:
            if asked.result:
                self.shell.user_ns[asked.result] = result
            return self.show(result, {NAME: source.splitlines()} if asked.lines else None)
        raise failed

    @staticmethod
    def show(result, sources):
        print(result.stdout, end="")
        print(tables.rest_of_stderr(result), end="", file=sys.stderr)
        if sources is not None:
            for launch in result.launches:
                for file in {line.file for line in launch.lines} - set(sources):
                    if pathlib.Path(file).is_file():
                        sources[file] = pathlib.Path(file).read_text(encoding="utf-8", errors="replace").splitlines()
        display(Shown(tables.html_of_result(result, with_output=False, sources=sources),
                      tables.text_of_result(result, with_output=False, sources=sources)))
# SPDX-License-Identifier: MIT
