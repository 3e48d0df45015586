"""What the project's tools in Python share: how they read their command line, and how they end.

A wrong command line gets one line on stderr and exit status 2; a program or a file that is not there, or output that
cannot be written, one line and exit status 1; ^C and a closed pipe end without a word.
"""
import json
import os
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
