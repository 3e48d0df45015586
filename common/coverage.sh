#!/bin/sh
# What of the simulated GPU and the harness the tests run: builds both in build/coverage so that they count, runs their
# tests and prints lines and branches by folder. Takes half an hour of a processor; harmless to repeat.
#
# clang counts: a branch is a condition as the source has it, true or false, also each part of `a && b`. (GCC's counters,
# which gcov shows, are those of the program that the compiler makes: most of their branches are destructors and
# exceptions that no line speaks of. Optimisation does not change clang's counts, threads do not spoil them, and a program
# that a signal ends has written them.)
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
build=build/coverage
mkdir -p $build

# Compiler, runtime library and tools of one version. llvm-runtime-counter-relocation: counts go into the file at once.
counting="-fprofile-instr-generate -fcoverage-mapping -mllvm -runtime-counter-relocation"
version=none
for number in 21 20 19 18 17 16 15 14; do
  if command -v llvm-cov-$number >/dev/null && command -v llvm-profdata-$number >/dev/null &&
    echo 'int main() {}' | clang++-$number $counting -x c++ - -o $build/counts 2>/dev/null; then
    version=$number
    break
  fi
done
rm -f $build/counts
[ $version != none ] ||
  fail "no clang here counts lines, or llvm-cov is missing; get both, say, with: apt-get install clang-19 llvm-19 libclang-rt-19-dev"

# Starts over in a folder that another compiler made, or that is incomplete.
if [ "$(cat $build/counted-by 2>/dev/null)" != "clang++-$version" ] || [ ! -f $build/build.ninja ]; then
  rm -rf $build
  CXX=clang++-$version meson setup $build -Doptimization=1 -Dgpu=disabled \
    "-Dcpp_args=$counting" -Dcpp_link_args=-fprofile-instr-generate >/dev/null ||
    fail "Meson could not set up $build: $build/meson-logs/meson-log.txt says why"
  echo "clang++-$version" > $build/counted-by
fi

# %c writes counts as they happen, so that they survive however the program ends. %p gives each process a file, because two that
# count in one file lose some. That makes thousands of files of 2 MB, so those of finished processes are merged in between, before
# another process gets the same number.
profiles=$build/profile
rm -rf $profiles $build/tests.profdata
mkdir -p $profiles/ended
LLVM_PROFILE_FILE="$(pwd)/$profiles/%c%p.profraw"
export LLVM_PROFILE_FILE
merge() {  # ended | all
  for file in $profiles/*.profraw; do
    if [ ! -f "$file" ]; then continue; fi
    if [ "$1" = ended ] && kill -0 "$(basename "$file" .profraw)" 2>/dev/null; then continue; fi
    mv "$file" $profiles/ended/
  done
  if [ -z "$(ls $profiles/ended)" ]; then return; fi
  before=""
  if [ -f $build/tests.profdata ]; then before=$build/tests.profdata; fi
  # (all: a file is empty where its process ended as it began; that is no failure.)
  # shellcheck disable=SC2086  # one word or none
  llvm-profdata-$version merge -sparse -failure-mode=all -o $profiles/merged $before $profiles/ended/*.profraw \
    2>>$build/llvm-profdata.log || fail "llvm-profdata failed: $build/llvm-profdata.log says why"
  mv $profiles/merged $build/tests.profdata
  rm -f $profiles/ended/*.profraw
}
: > $build/llvm-profdata.log
meson test -C $build --timeout-multiplier 4 --suite gpusim --suite harness --suite solutions --logbase coverage >/dev/null &
tests=$!
trap 'kill $tests 2>/dev/null; exit 130' INT TERM
while kill -0 $tests 2>/dev/null; do
  sleep 10
  merge ended
done
wait $tests || echo "some tests failed: $build/meson-logs/coverage.txt"
merge all

libraries=""
for library in common/harness/libharness.a common/harness/libharness_programs.a common/harness/libharness_sim.a common/gpusim/liblane_ops_base.a \
  common/gpusim/liblane_ops_avx2.a common/gpusim/libgpusim_wire.a; do
  if [ -f $build/$library ]; then libraries="$libraries -object $build/$library"; fi
done
# Code in headers that only this program calls, for example the roundings, which it tests on their own.
libraries="$libraries -object $build/tests/gpusim/gpusim_tests"
llvm_cov() {  # COMMAND OPTIONS…, of what the libraries are made of
  command=$1
  shift
  # shellcheck disable=SC2086  # a list of words
  llvm-cov-$version "$command" -instr-profile $build/tests.profdata "$@" $build/common/gpusim/libgpusim.a $libraries
}
# Its one warning counts inline functions of which another file of the library has the counters.
llvm_cov export -format=lcov > $build/tests.lcov 2>$build/llvm-cov.log || fail "llvm-cov failed: $build/llvm-cov.log says why"
for folder in common/gpusim common/harness; do
  python3 common/coverage_table.py $build/tests.lcov $folder $build/$(basename $folder).txt
done
if [ $want_details = yes ]; then
  llvm_cov show -format=html -output-dir=$build/html -ignore-filename-regex='/usr/|/tests/' -show-branches=count \
    2>$build/llvm-cov.log || fail "llvm-cov failed: $build/llvm-cov.log says why"
fi
# SPDX-License-Identifier: MIT
