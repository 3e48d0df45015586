#!/bin/sh
# Installs what is missing and configures build/. Asks nothing; harmless to repeat.
set -eu

usage="usage: sh common/bootstrap.sh [--book] [--cuda]
  --book   also get mdBook, for: ninja -C build book
  --cuda   also get nvcc (from PyPI, into build/), to compile for a GPU on a machine that has no CUDA Toolkit"

want_book=no want_cuda=no
for option; do
  case $option in
    --book) want_book=yes ;;
    --cuda) want_cuda=yes ;;
    -h | --help) echo "$usage"; exit 0 ;;
    *) echo "bootstrap.sh: unknown option '$option' (--help lists them)" >&2; exit 2 ;;
  esac
done

fail() { echo "bootstrap.sh: $*" >&2; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }
have_header() { [ -f "/usr/include/$1" ] || [ -f "/usr/local/include/$1" ]; }
have_clang() {  # one that can compile for a GPU
  for name in clang++ clang++-19 clang++-18 clang++-17 clang++-16 clang++-15 clang++-14; do
    if have $name && $name --print-targets 2>/dev/null | grep -q nvptx64; then return 0; fi
  done
  return 1
}
cuda_home=${CUDA_HOME:-${CUDA_PATH:-/usr/local/cuda}}
have_nvcc() { have nvcc || [ -x "$cuda_home/bin/nvcc" ] || [ -x build/cuda/bin/nvcc ]; }
cargo_bin=${CARGO_HOME:-${HOME:-/root}/.cargo}/bin
have_mdbook() { have mdbook || [ -x "$cargo_bin/mdbook" ]; }

cd "$(dirname "$0")/.."

# 1. Packages, by their names in Debian and Ubuntu.
missing=""
need() { package=$1; shift; "$@" || missing="$missing $package"; }
need clang have_clang
need g++ have c++
need python3 have python3
need meson have meson
need ninja-build have ninja
need doctest-dev have_header doctest/doctest.h
need nlohmann-json3-dev have_header nlohmann/json.hpp
need libcli11-dev have_header CLI/CLI.hpp
have_venv() { python3 -c 'import ensurepip, venv' 2>/dev/null; }
if [ $want_cuda = yes ] && ! have_nvcc; then need python3-venv have_venv; fi
if [ $want_book = yes ] && ! have_mdbook; then need cargo have cargo; fi

if [ -z "$missing" ]; then
  echo "Packages: all there."
elif ! have apt-get; then
  fail "no apt-get here; install these by the names they have on your system, then run this again:$missing"
else
  as_root=""
  if [ "$(id -u)" != 0 ]; then
    have sudo || fail "neither root nor sudo; run as root, then repeat this: apt-get install$missing"
    as_root=sudo
  fi
  echo "Packages: installing$missing"
  apt="$as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq"
  # shellcheck disable=SC2086  # lists of words
  { $apt update && $apt install -y --no-install-recommends $missing >/dev/null; } ||
    fail "apt-get could not install$missing; see its messages above"
fi

# 2. What no package has.
if [ $want_cuda = yes ] && ! have_nvcc; then
  echo "CUDA: installing nvcc 13.0 into build/cuda"
  mkdir -p build
  python3 -m venv build/cuda-venv
  build/cuda-venv/bin/pip install --quiet --disable-pip-version-check \
    'cuda-toolkit[nvcc,crt,nvvm,cudart,cccl]==13.0.*' ||
    fail "pip could not install nvcc; see its message above"
  root=$(build/cuda-venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/nvidia/cu13
  ln -sfn lib "$root/lib64"  # where nvcc looks for its libraries
  ln -sfn "$root" build/cuda  # last: an interrupted run starts over
fi
if [ $want_book = yes ] && ! have_mdbook; then
  echo "Book: installing mdBook (some minutes)"
  cargo install --quiet --locked mdbook ||
    fail "cargo could not build mdBook, which needs Rust 1.88 or newer (rustup brings it)"
fi

# 3. build/, configured anew only if something has changed.
gpu=""
if [ $want_cuda = yes ]; then gpu=-Dgpu=enabled; fi
if [ ! -f build/build.ninja ]; then
  meson setup build $gpu
elif [ -n "$missing" ] || { [ -n "$gpu" ] && ! grep -q harness_gpu build/build.ninja; }; then
  meson setup --reconfigure build $gpu
else
  echo "build/: configured already."
fi

echo "
Ready. Next:
  ninja -C build tour    run every step and print what it cost
  meson test -C build    check everything"
