#!/bin/sh
# Installs what is missing and configures build/. Asks nothing; harmless to repeat.
set -eu
: "${CPPFLAGS:=}" "${CXXFLAGS:=}"

usage="usage: sh common/bootstrap.sh [--book] [--browser] [--cuda] [--format] [--grade] [--libraries] [--mpi]
                    [--notebook] [--playground]
  --book     also get mdBook, for: ninja -C build book
  --browser  also get Node.js and Chromium, to test the book: meson test -C build --suite book
  --cuda     also get nvcc (from PyPI, into build/), to compile for a GPU on a machine that has no CUDA Toolkit
  --libraries
             also get what CUDA's libraries stand on where there is no GPU: OpenBLAS for cuBLAS, FFTW for cuFFT, the
             headers of Thrust, CUB and libcu++, and OpenMP for host threads
  --mpi      also get MPI, for chapter 14 with a process for each GPU: mpirun -n 4 build/chapters/14_many_gpus
  --notebook also get what makes the wheel and runs notebooks (from PyPI, into build/): ninja -C build wheel
  --playground
             also get zig (from PyPI, into build/), which compiles the simulated GPU for the boxes of the book's pages that run kernels
  --grade    also get bubblewrap, in which submissions of students are judged: build/learn grade
  --format   also get what formats and lints (from PyPI, into build/): sh common/format.sh"

want_book=no want_browser=no want_cuda=no want_format=no want_grade=no want_libraries=no want_mpi=no want_notebook=no want_playground=no
for option; do
  case $option in
    --book) want_book=yes ;;
    --browser) want_browser=yes ;;
    --cuda) want_cuda=yes ;;
    --format) want_format=yes ;;
    --grade) want_grade=yes ;;
    --libraries) want_libraries=yes ;;
    --mpi) want_mpi=yes ;;
    --notebook) want_notebook=yes ;;
    --playground) want_playground=yes ;;
    -h | --help) echo "$usage"; exit 0 ;;
    *) echo "bootstrap.sh: unknown option '$option' (--help lists them)" >&2; exit 2 ;;
  esac
done

fail() { echo "bootstrap.sh: $*" >&2; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }
# Looks where Meson will look: wherever the compiler has its headers or, on a machine without a compiler, where Debian puts them.
have_header() {
  if have c++; then printf '#if !__has_include(<%s>)\n#error\n#endif\n' "$1" | c++ $CPPFLAGS $CXXFLAGS -x c++ -E - >/dev/null 2>&1
  else [ -f "/usr/include/$1" ]; fi
}
have_clang() {  # one that can compile for a GPU
  for name in clang++ clang++-23 clang++-22 clang++-21 clang++-20 clang++-19 clang++-18 clang++-17 clang++-16 clang++-15 clang++-14; do
    if have $name && $name --print-targets 2>/dev/null | grep -q nvptx64; then return 0; fi
  done
  return 1
}
cuda_home=${CUDA_HOME:-${CUDA_PATH:-/usr/local/cuda}}
have_nvcc() { have nvcc || [ -x "$cuda_home/bin/nvcc" ] || [ -x build/cuda/bin/nvcc ]; }
cargo_bin=${CARGO_HOME:-${HOME:-/root}/.cargo}/bin
have_zig() { [ -x build/zig/zig ]; }
notebook_packages="build==1.* meson-python==0.* wheel==0.* ipykernel==7.* nbclient==0.* jupyterlab==4.*"
have_notebook() { [ "$(cat build/notebook-venv/packages 2>/dev/null)" = "$notebook_packages" ]; }
have_mdbook() { have mdbook || [ -x "$cargo_bin/mdbook" ]; }
have_new_cargo() {  # mdBook 0.5 needs Rust 1.88
  minor=$(cargo --version 2>/dev/null | sed -n 's/^cargo 1\.\([0-9]*\).*/\1/p')
  [ "${minor:-0}" -ge 88 ]
}
have_chromium() {
  have chromium || have chromium-browser || have google-chrome ||
    ls "${HOME:-/root}"/.cache/ms-playwright/chromium-* >/dev/null 2>&1
}

cd "$(dirname "$0")/.."
if [ -e build ]; then place=build; else place=.; fi
[ -w $place ] || fail "cannot write to $(pwd)/build; from a clone that cannot be written, build elsewhere: meson setup FOLDER $(pwd)"

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
# For build/learn, which does with the system's Python, or with another that has them.
have_module() { python3 -c "import $1" 2>/dev/null || /usr/bin/python3 -c "import $1" 2>/dev/null; }
if have apt-get; then  # without apt-get, build/learn shows plain text and does not watch files
  need python3-rich have_module rich
  need python3-watchdog have_module watchdog
fi
have_venv() { python3 -c 'import ensurepip, venv' 2>/dev/null; }
if [ $want_cuda = yes ] && ! have_nvcc; then need python3-venv have_venv; fi
if [ $want_format = yes ]; then need python3-venv have_venv; fi
if [ $want_notebook = yes ] && ! have_notebook; then need python3-venv have_venv; fi
if [ $want_playground = yes ] && ! have_zig; then need python3-venv have_venv; fi
if [ $want_grade = yes ]; then need bubblewrap have bwrap; fi
have_openmp() { ls /usr/lib/llvm-*/lib/clang/*/include/omp.h >/dev/null 2>&1; }
have_library() { ldconfig -p 2>/dev/null | grep -q "$1"; }
if [ $want_libraries = yes ]; then need libopenblas0-serial have_library 'lib\(open\)\?blas\.so\.[03]'; need libfftw3-double3 have_library 'libfftw3\.so\.3'; need libthrust-dev have_header thrust/version.h; need libcu++-dev have_header cuda/std/atomic; need libomp-dev have_openmp; fi
# Open MPI, except on Debian 12, which gets MPICH: Open MPI 4.1.4 sometimes hangs or crashes there when mpirun ends a job that has
# failed.
have_mpi() { have mpicc && have mpirun; }
if [ $want_mpi = yes ] && ! have_mpi; then
  if grep -qs '^VERSION_CODENAME=bookworm' /etc/os-release; then missing="$missing mpich libmpich-dev"
  else missing="$missing openmpi-bin libopenmpi-dev"; fi
fi
if [ $want_browser = yes ]; then need nodejs have node; need npm have npm; fi

changed=no  # something that configuring looks for has come
as_root=""
if [ "$(id -u)" != 0 ]; then as_root=sudo; fi
apt() { $as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq "$@"; }
install() {
  have apt-get || fail "no apt-get here; install these by the names they have on your system, then run this again: $*"
  [ -z "$as_root" ] || have sudo || fail "neither root nor sudo; as root: apt-get update && apt-get install $*; then run this again"
  echo "Packages: installing $*"
  changed=yes
  { apt update && apt install -y --no-install-recommends "$@" >/dev/null; } ||
    fail "apt-get could not install $*; see its messages above"
}
known() { have apt-cache && apt update >/dev/null && apt-cache show "$1" >/dev/null 2>&1; }
if [ -z "$missing" ]; then
  echo "Packages: all there."
else
  # shellcheck disable=SC2086  # a list of words
  install $missing
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
if [ $want_notebook = yes ] && ! have_notebook; then
  echo "Notebook: installing JupyterLab and what makes wheels into build/notebook-venv"
  mkdir -p build
  python3 -m venv build/notebook-venv
  # shellcheck disable=SC2086  # a list of words
  build/notebook-venv/bin/pip install --quiet --disable-pip-version-check $notebook_packages ||
    fail "pip could not install them; see its message above"
  echo "$notebook_packages" > build/notebook-venv/packages  # last: an interrupted run starts over
  changed=yes
fi
if [ $want_playground = yes ] && ! have_zig; then
  echo "Playground: installing zig 0.17.1 into build/zig"
  mkdir -p build
  python3 -m venv build/zig-venv
  build/zig-venv/bin/pip install --quiet --disable-pip-version-check ziglang==0.17.1 ||
    fail "pip could not install zig; see its message above"
  root=$(build/zig-venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
  ln -sfn "$root/ziglang" build/zig  # last: an interrupted run starts over
  changed=yes
fi
if [ $want_book = yes ] && ! have_mdbook; then
  # Debian 12's own cargo is too old; the one with which it builds its browsers is not.
  if ! have_new_cargo; then
    if known cargo-web; then install cargo-web; else install cargo; fi
  fi
  have_new_cargo || fail "mdBook needs Rust 1.88 or newer, and your system has none to install; rustup brings it"
  echo "Book: installing mdBook (some minutes)"
  # Only what builds a book: a web server and a watcher of files would double the time.
  cargo install --quiet --locked --no-default-features --features search mdbook ||
    fail "cargo could not build mdBook; see its message above"
  changed=yes
fi
if [ $want_browser = yes ]; then
  packages=tests/book/node_modules
  if [ ! -d $packages/playwright-core ]; then
    echo "Browser tests: installing their packages into $packages"
    npm ci --silent --ignore-scripts --prefix tests/book || fail "npm could not install $packages; see its message above"
  fi
  if ! have_chromium; then
    if known chromium; then
      install chromium
    else  # Ubuntu has no package of it
      node $packages/playwright-core/cli.js install --with-deps chromium ||
        fail "there is no package of Chromium, and Playwright could not fetch one; its messages are above"
    fi
  fi
fi

if [ $want_format = yes ]; then sh common/format.sh --install; fi

# 3. build/, configured anew only if something has changed. What follows may run ninja, so nothing else may be building there.
if [ -e build/.learn-lock ]; then PYTHONPATH=common python3 -c 'from learn import build_lock; build_lock.free("build")'; fi
gpu=""
if [ $want_cuda = yes ]; then gpu=-Dgpu=enabled; fi
if [ ! -f build/build.ninja ]; then
  meson setup build $gpu
elif [ $changed = yes ] || { [ -n "$gpu" ] && ! grep -q harness_gpu build/build.ninja; }; then
  meson setup --reconfigure build $gpu
else
  echo "build/: configured already."
fi

echo "
Ready. Next:
  build/learn            where you are, and what is next; \`build/learn watch\` judges on every save
  ninja -C build tour    run every step and print what it cost
  meson test -C build    check your exercises, and what they stand on"
# SPDX-License-Identifier: MIT
