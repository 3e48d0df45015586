"""What the project's tools in Python share: how they read their command line, and how they end. Scripts of the build
and of its tests take their arguments from `arguments`.

A wrong command line gets one line on stderr and exit status 2; a program or a file that is not there, or output that
cannot be written, one line and exit status 1; ^C and a closed pipe end without a word.
"""
import json
import os
import shutil
import signal
import sys

from standard_streams import open_closed


def name_of_tool():
    return os.path.basename(sys.argv[0])


def stop(message, status=1, more=()):
    """Ends the tool with one line on stderr, whatever is quoted in it, and `more` lines."""
    print(f"{name_of_tool()}: {' '.join(message.splitlines())}", *more, sep="\n", file=sys.stderr)
    sys.exit(status)


def end_by(number):
    """As the signal ends a program that does not catch it, so that a shell sees it."""
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


def options_first(arguments, known=()):
    """Whether every argument before `--`, or before the first that is no option, is one of `known`."""
    for argument in arguments:
        if argument == "--" or not argument.startswith("-"):
            return True
        if argument not in known:
            return False
    return True


ANYTHING = ("NEW_", "CASE", "CHAPTER", "COMMAND", "OPTION", "WHY")  # words of a usage that begin so name no file that is there
PROGRAMS = ("MDBOOK", "MPIRUN", "NM", "PROGRAM", "PTXAS", "PTXCHECK", "SIMCC", "TEST_PROGRAM")


def matched(usage, given):
    """The word of the usage for each argument; None: they do not fit it."""
    words, rest = [], list(given)
    for word in usage.split():
        name = word.strip("[]").removesuffix("…")
        fits = lambda argument, name=name: (name.startswith(("COMMAND", "OPTION")) or not argument.startswith("-")
                                            if name.isupper() else argument in name.split("|"))
        count = 0
        while rest and fits(rest[0]) and (count == 0 or "…" in word):
            words.append(name)
            rest.pop(0)
            count += 1
        if count == 0 and not word.startswith("["):
            return None
    return None if rest else words


def why_not(word, argument):
    """What is wrong with a file or folder that the usage calls so, or None."""
    if not word.isupper() or word.startswith(ANYTHING):
        return None
    if word.endswith("DIR"):
        return None if os.path.isdir(argument) else "no such folder"
    if word in PROGRAMS:
        return None if shutil.which(argument) else "no such program"
    return "it is a folder" if os.path.isdir(argument) else None if os.path.exists(argument) else "no such file"


def arguments(*usages):
    """The command line of a script, which must be as one of the usages has it. In these a word in capitals is a file or a
    program that is there, …DIR a folder, NEW_… what the script makes; `a|b` is one of these words; […] may be missing, and of
    …, at the end, there may be several."""
    given = sys.argv[1:]
    open_closed()
    if given in (["-h"], ["--help"]):
        print((sys.modules["__main__"].__doc__ or "\n".join(usages)).strip())
        sys.exit()
    for words in (matched(usage, given) for usage in usages):
        if words is None:
            continue
        for word, argument in zip(words, given):
            if why := why_not(word, argument):
                stop(f"{argument}: {why}")
        return given
    return stop("expected: " + ", or: ".join(f"{name_of_tool()} {usage}" for usage in usages), 2)


def run(main, description, usage, fits):
    """Calls main with the arguments that `fits` accepts; its result is the exit status."""
    arguments = sys.argv[1:]
    open_closed()
    try:
        if arguments[:1] in (["-h"], ["--help"]):
            print(description.strip())
            status = 0
        elif not fits(arguments):
            stop(f"expected: {name_of_tool()} {usage} (--help says more)", 2)
        else:
            status = main(*arguments)
        sys.stdout.flush()
        sys.exit(status)
    except KeyboardInterrupt:
        end_by(signal.SIGINT)
    except BrokenPipeError:
        end_by(signal.SIGPIPE)
    except json.JSONDecodeError as error:
        stop(f"expected JSON: {error}")
    except OSError as error:
        if not error.filename:  # what Python tries to write when it ends would fail once more
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        stop(f"{error.filename or 'standard output'}: {error.strerror}")
# SPDX-License-Identifier: MIT
