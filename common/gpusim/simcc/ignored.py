"""Which calls of CUDA ignore the error that they return. clang says so in the device pass, where it reads host code, too:
only there is the type of CUDA's errors one whose values must be used (GPUSIM_ASK_IF_IGNORED in driver_types.h)."""
import re

# These come last among the options of warnings.
OPTIONS = ["-Wunused-result", "-Wno-error=unused-result"]

COLOUR = re.compile(r"\x1b\[[0-9;]*[mK]")
WARNING = re.compile(r"(?:\./)?(?P<place>\S.*:\d+:\d+: )warning: ignoring return value of .* \[-Wunused-result\]$")
BELOW = re.compile(r"\s|\d+ *\||.*: note: ")  # the source line, the caret, from which macro
INCLUDED = re.compile(r"In file included from ")
COUNT = re.compile(r"(?P<warnings>\d+) warnings? generated(?P<rest>.*)$")


def ignored(said):
    """Comments for the end of the PTX text: where such a call is refused, the simulated GPU says that the program ignores it."""
    matches = [WARNING.match(line) for line in COLOUR.sub("", said).split("\n")]
    return "".join(f"// simcc: {place}ignores the error\n" for place in dict.fromkeys(m["place"] for m in matches if m))


def without_ignored(said):
    """What clang said of anything else, which is for the user."""
    kept, above, count, is_below = [], [], 0, False
    for line in said.split("\n"):
        plain = COLOUR.sub("", line)
        total = COUNT.match(plain)
        if WARNING.match(plain):
            above, is_below = [], True
            count += 1
        elif INCLUDED.match(plain):
            above, is_below = [*above, line], False
        elif total and count:
            rest = int(total["warnings"]) - count
            if rest > 0:
                kept.append(f"{rest} warning{'s' * (rest > 1)} generated{total['rest']}")
        elif not (is_below and BELOW.match(plain)):
            kept += [*above, line]
            above, is_below = [], False
    return "\n".join(kept + above)
# SPDX-License-Identifier: MIT
