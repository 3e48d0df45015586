"""Which calls of CUDA ignore the error that they return. clang says so in the device pass, where it reads host code, too:
only there is the type of CUDA's errors one whose values must be used (GPUSIM_ASK_IF_IGNORED in driver_types.h)."""
import re

# These come last among the options of warnings.
OPTIONS = ["-Wunused-result", "-Wno-error=unused-result"]

COLOUR = re.compile(r"\x1b\[[0-9;]*[mK]")
WARNING = re.compile(r"(?:\./)?(?P<place>\S.*:\d+:\d+: )warning: ignoring return value of .* \[-Wunused-result\]$")
PLACE = re.compile(r"\S.*:\d+:\d+: ")
NOTE = re.compile(r"\S.*: note: ")  # from which macro, in which instantiation
BELOW = re.compile(r"[\s~^]|\d+ *\|")  # the caret; since clang 16 the source line, too
INCLUDED = re.compile(r"In file included from ")
COUNT = re.compile(r"(?P<warnings>\d+) warnings? generated(?P<rest>.*)$")


def ignored(said):
    """Comments for the end of the PTX text: where such a call is refused, the simulated GPU says that the program ignores it."""
    matches = [WARNING.match(line) for line in COLOUR.sub("", said).split("\n")]
    return "".join(f"// simcc: {place}ignores the error\n" for place in dict.fromkeys(m["place"] for m in matches if m))


def without_ignored(said):
    """What clang said of anything else, which is for the user."""
    kept, above, count = [], [], 0
    is_below = is_source = False  # the line belongs to such a warning; it is the source line, which need not be indented
    for line in said.split("\n"):
        plain = COLOUR.sub("", line)
        total = COUNT.match(plain)
        if WARNING.match(plain):
            above, is_below, is_source = [], True, True
            count += 1
        elif INCLUDED.match(plain):
            above, is_below, is_source = [*above, line], False, False
        elif total and count:
            rest = int(total["warnings"]) - count
            if rest > 0:
                kept.append(f"{rest} warning{'s' * (rest > 1)} generated{total['rest']}")
        elif is_below and NOTE.match(plain):
            is_source = True
        elif is_below and (BELOW.match(plain) or is_source and not PLACE.match(plain)):
            is_source = False
        else:
            kept += [*above, line]
            above, is_below, is_source = [], False, False
    return "\n".join(kept + above)
# SPDX-License-Identifier: MIT
