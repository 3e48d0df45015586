#!/bin/sh
# Formats the C++ and CUDA sources in place and looks at the Python ones. Asks nothing; harmless to repeat.
set -eu

usage="usage: sh common/format.sh [--check] [--install]
  --check    change nothing; fail, and say where, if something would change
  --install  only get clang-format and ruff"

mode=write
for option; do
  case $option in
    --check) mode=check ;;
    --install) mode=install ;;
    -h | --help) echo "$usage"; exit 0 ;;
    *) echo "format.sh: unknown option '$option' (--help lists them)" >&2; exit 2 ;;
  esac
done
fail() { echo "format.sh: $*" >&2; exit 1; }
cd "$(dirname "$0")/.."

# One fixed version of each tool, because other versions format differently.
tools=build/format-tools
wanted="clang-format==19.1.7 ruff==0.14.6"
if [ "$(cat $tools/versions 2>/dev/null)" != "$wanted" ]; then
  echo "Format: installing $wanted into $tools"
  mkdir -p build && python3 -m venv $tools || fail "python3 cannot make $tools; get it with: apt-get install python3-venv"
  # shellcheck disable=SC2086  # a list of words
  $tools/bin/pip install --quiet --disable-pip-version-check $wanted || fail "pip could not install them; see its message above"
  echo "$wanted" > $tools/versions  # last: an interrupted run starts over
fi

# A kernels.cuh is the learner's, tests/wrong and tests/right quote the solutions' line by line, and what is found in
# programs and faulty is told by their lines.
sources() {
  git ls-files --cached --others --exclude-standard '*.cpp' '*.h' '*.cu' '*.cuh' |
    grep -v -e '/kernels\.cuh$' -e '^book/generated/' -e '^tests/wrong/' -e '^tests/right/' -e '^tests/gpusim/programs/' -e '^tests/gpusim/faulty/'
}
if [ $mode = install ]; then exit 0; fi
if [ $mode = check ]; then
  if ! sources | xargs $tools/bin/clang-format --dry-run --Werror 2> build/format.log; then
    sed -n 's/^\([^: ]*\):[0-9]*:[0-9]*: error: .*/\1/p' build/format.log | sort -u
    fail "these are not formatted; sh common/format.sh does it (what is wrong where: build/format.log)"
  fi
  $tools/bin/ruff check --quiet . || fail "mend these; some mend themselves: $tools/bin/ruff check --fix ."
else
  sources | xargs $tools/bin/clang-format -i
  $tools/bin/ruff check --quiet --fix .
fi
# SPDX-License-Identifier: MIT
