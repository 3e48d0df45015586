#!/bin/sh
# What of the simulated GPU and the harness the tests run: builds both for gcov in build/coverage, runs their tests and
# prints lines and branches by folder. Takes half an hour of a processor; harmless to repeat.
set -eu

usage="usage: sh common/coverage.sh [--details]
  --details  also write build/coverage/html/index.html: every line, and how often it ran"

want_details=no
for option; do
  case $option in
    --details) want_details=yes ;;
    -h | --help) echo "$usage"; exit 0 ;;
    *) echo "coverage.sh: unknown option '$option' (--help lists them)" >&2; exit 2 ;;
  esac
done
fail() { echo "coverage.sh: $*" >&2; exit 1; }
cd "$(dirname "$0")/.."

tools=build/coverage-tools
wanted="gcovr==8.3"
if [ "$(cat $tools/versions 2>/dev/null)" != "$wanted" ]; then
  mkdir -p build && python3 -m venv $tools || fail "python3 cannot make $tools; get it with: apt-get install python3-venv"
  $tools/bin/pip install --quiet --disable-pip-version-check "$wanted" || fail "pip could not install it; see its message above"
  echo "$wanted" > $tools/versions
fi

# Not optimised, also where the build asks for it: a line of the source is a line of the program.
[ -f build/coverage/build.ninja ] || CXXFLAGS=-O0 meson setup build/coverage -Db_coverage=true -Dgpu=disabled >/dev/null
find build/coverage -name '*.gcda' -delete
meson test -C build/coverage --suite gpusim --suite harness --suite solutions --logbase coverage >/dev/null ||
  echo "some tests failed: build/coverage/meson-logs/coverage.txt"

# Threads that count at the same time may leave a count below zero: gcovr would give up there.
gcovr() {
  $tools/bin/gcovr --root . --object-directory build/coverage --exclude-throw-branches --exclude-unreachable-branches \
    --gcov-ignore-errors=no_working_dir_found --gcov-ignore-parse-errors=negative_hits.warn_once_per_file -j "$(nproc)" "$@"
}
for folder in common/gpusim common/harness; do
  echo
  echo "== $folder"
  gcovr --filter "$folder/" --txt-summary --txt build/coverage/$(basename $folder).txt
done
if [ $want_details = yes ]; then
  mkdir -p build/coverage/html
  gcovr --filter common/gpusim/ --filter common/harness/ --html-details build/coverage/html/index.html
fi
