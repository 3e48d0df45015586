"""What of the text of C++ is no code."""

# Comments, raw strings, strings, the mark between the digits of a number, and characters. For patterns with re.VERBOSE and
# re.DOTALL, once in each: it has a group named raw.
NO_CODE = r"""//[^\n]* | /\*.*?\*/ | R"(?P<raw>[^(\s]{0,16})\(.*?\)(?P=raw)" | "(?:\\.|[^"\\\n])*"
  | \b'(?=\w) | '(?:\\.|[^'\\\n])*'"""
# SPDX-License-Identifier: MIT
