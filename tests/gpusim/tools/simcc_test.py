#!/usr/bin/env python3
"""simcc as somebody uses it who knows nvcc: what it takes, what it explains, and that it never harms a file.

usage: simcc_test.py SIMCC CASE     (a function below, without its first word)
"""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "common"))
import command_line

PROGRAM = """#include <cstdio>
__global__ void store(int* p, float a, float b, float c) { *p = int(a * b + c) + VALUE; }
int main() {
  int *d, h = 0;
  cudaMalloc(&d, 4);
  store<<<1, 1>>>(d, 2, 3, 4);
  cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
  std::printf("%d\\n", h);
}
"""
# Options of nvcc's, one a line, which a program compiles with.
TAKEN = """
-O0
-O3
-O 3
--optimize 2
-std=c++17
--std=c++20
-std c++20
-std=c++11
-arch=sm_90
-arch sm_80
--gpu-architecture=sm_80
-gencode arch=compute_80,code=sm_80
-gencode=arch=compute_90,code=[sm_90,compute_90]
--generate-code arch=compute_80,code=sm_80
-rdc=false
-rdc=true
--relocatable-device-code=true
-lcudadevrt
--relocatable-device-code=false
-Xcompiler -Wall
-Xcompiler=-Wall,-Wextra
-Xcompiler -Wall,-O3
--compiler-options -fno-strict-aliasing
-Xlinker -s
-Xlinker=--as-needed
--linker-options --as-needed
-Wl,--as-needed
-Xptxas -v
-Xptxas=-v,-O3
--ptxas-options=-v
-lineinfo
--generate-line-info
-G
-g
-use_fast_math
--use_fast_math
--fmad=false
-fmad=true
-ftz=true
-prec-div=false
--prec-sqrt=true
--expt-relaxed-constexpr
--extended-lambda
-ccbin g++
--compiler-bindir /usr/bin/g++
-allow-unsupported-compiler
-maxrregcount=32
--maxrregcount 64
-cudart static
--cudart=shared
-lcudart
-lcudart_static
-lcusparse
-l cublasLt
-l nvrtc
-lm
-lpthread
-L.
-I .
-I.
-isystem .
--include-path .
-DNAME=1
-D NAME
-UNAME
-diag-suppress 177
--diag-suppress=177,550
-Xcudafe --display_error_number
-default-stream per-thread
-t 4
--threads 2
-m64
-Werror all-warnings
-w
-res-usage
-src-in-ptx
-restrict
-time
-pthread
-MD -MF unused.d
"""
# Options, a part of what simcc says, in its only line; exit status 2.
REFUSED = {
    "-rdc=maybe": "true or false",
    "-dlink": "links no device code",
    "-cubin": "no machine code",
    "--fatbin": "no machine code",
    "-E": "only compiles and links",
    "-M": "only compiles and links",
    "--run": "only compiles and links",
    "-m32": "64 bits",
    "-std=c++99": "one of",
    "-O9": "-O0 … -O3",
    "--optimize=9": "-O0 … -O3",
    "-fmad=maybe": "true or false",
    "--no-such-option": "unknown option '--no-such-option'",
    "-Q": "unknown option '-Q'",
    "-x fortran": "cu, c++ and c are known",
    "-arch": "needs a value",
    "nosuch.cu": "no such file",
    "notes.txt": "unknown kind of file",
    "folder.cu": "it is a directory",
    "-o -": "only -ptx writes to standard output",
    "-c -ptx": "not both",
    "-o folder.cu": "it is a directory",
    "-o nowhere/program": "there is no folder 'nowhere'",
    "-o program.cu": "would be overwritten",
    "-c -o ./program.cu": "would be overwritten",
    "-ptx -o link.cu": "would be overwritten",
    "-c other/program.cu": "same output",
}
# What is included or named, and what it is called in the only error.
NOT_SIMULATED = {
    "cuda_fp4.h": "4-bit",
    "cuda/no_such_header": "libcu++", "cuda/std/atomic": "libcu++", "curand_mtgp32_kernel.h": "this part of cuRAND",
    "cublasXt.h": "cuBLASXt", "cublas.h": "cuBLASXt", "cufftw.h": "this part of cuFFT", "cusparse.h": "cuSPARSE",
    "cusolverDn.h": "cuSOLVER", "cudnn.h": "cuDNN",
    "cuda_gl_interop.h": "graphics",
    "nvshmem.h": "NVSHMEM", "nvToolsExtOpenCL.h": "this part of NVTX", "cutlass/cutlass.h": "CUTLASS",
    "helper_gl.h": "cuda-samples",
}
NAMES = {
    "cudaGraphConditionalHandle handle;": "this part of CUDA graphs",
    "void allocate() { cudaGraphAddMemAllocNode(0, 0, 0, 0, 0); }": "this part of CUDA graphs",
    "curandStateSobol32_t state;": "this part of cuRAND",
    "__global__ void __cluster_dims__(2, 1, 1) pair() {}": "thread-block clusters",
    "void invert() { cublasSmatinvBatched(0, 0, 0, 0, 0, 0, 0, 0); }": "this function of cuBLAS",
    "texture<float, 2> reference;": "texture and surface references",
    "void free_it() { cudaFreeMipmappedArray(0); }": "mipmaps",
    "__nv_fp8_e8m0 e;": "scales of 8 bits",
    "__device__ bool arrived() { return __mbarrier_try_wait(0, 0, 0); }": "compute capability 9.0",
    "int direction = CUFFT_FORWARD_ALL;": "this part of cuFFT",
    "__global__ void outer() { cudaDeviceSynchronize(); }": "a kernel cannot wait for kernels that it launches",
    "void share() { cuIpcGetMemHandle(0, 0); }": "this part of the driver API",
    "void give() { nvrtcGetNVVM(0, 0); }": "this part of NVRTC",
}

# Functions called by their address: a warning at the line, and no launch. {}: the program, its kernel's call.
CALLED_BY_ADDRESS = """
#include <cstdio>
typedef int (*Function)(int);
__device__ int twice(int x) { return 2 * x; }
struct Base { int value; __device__ virtual int of(int x) { return x; } __device__ int own() { return value; }
              __device__ int other() { return -value; } };
struct Derived : Base { __device__ int of(int x) override { return 2 * x; } };
__device__ Function table[2] = {twice, twice};
__global__ void k(int* p, int n, Function given) {
  Base base; Derived derived; Base& either = n ? base : derived; base.value = n;
  int (Base::*member)() = n ? &Base::own : &Base::other;
  *p =
      CALL;
}
int main() {
  int* p;
  cudaMalloc(&p, 4);
  k<<<1, 1>>>(p, 1, nullptr);
  std::printf("%s\\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
"""
CALLS_BY_ADDRESS = ["table[n](n)", "either.of(n)", "(base.*member)()", "(n ? twice : given)(n)"]
CALLS_OF_NULL = ["given(n)", "(n ? given : twice)(n)"]

# A kernel, the line of its error and what is said: what ptxas refuses, simcc refuses.
BEYOND_LIMITS = [
    ("__global__ void k(int* p) {\n  __shared__ int tile[12289];\n  tile[threadIdx.x] = *p;\n  __syncthreads();\n"
     "  *p = tile[0];\n}", "shared"),
    ("__constant__ int table[16385];\n__global__ void k(int* p) { *p = table[*p]; }", "constant"),
    ("struct Large { int a[8189]; };\n__global__ void k(Large large, int* p) { *p = large.a[*p & 1023]; }", "param"),
    ("__global__ void k(int* p) {\n  asm volatile(\"frobnicate.u32 %0, 1;\" : \"=r\"(*p));\n}", "frobnicate"),
    ("__global__ void k(int* p) {\n  asm volatile(\"wgmma.commit_group.sync.aligned;\");\n}", "matrix products of warp groups"),
    ("__global__ void k(int* p) {\n  asm volatile(\"cp.async.bulk.commit_group;\");\n}", "bulk copies (TMA)"),
    ("__global__ void k(int* p) {\n  asm volatile(\"barrier.cluster.arrive;\");\n}", "thread-block clusters"),
    ("__global__ void k(int* p) {\n  asm volatile(\"add.u32 %0, 1;\" : \"=r\"(*p));\n}", "expected"),
]
WITHIN_LIMITS = """
__constant__ int table[16384];
struct Fits { int a[8188]; };
__global__ void k(Fits fits, int* p) {
#if __CUDA_ARCH__ >= 900
  asm volatile("wgmma.commit_group.sync.aligned;");
#endif
  __shared__ int tile[12288];
  tile[threadIdx.x] = table[*p] + fits.a[*p & 1];
  __syncthreads();
  *p = tile[0];
}
int main() {}
"""


class Bench:
    """A folder with a program, and simcc run in it."""

    def __init__(self, simcc, folder):
        self.simcc, self.folder = simcc, pathlib.Path(folder)
        self.program = self.folder / "program.cu"
        self.program.write_text(PROGRAM, encoding="utf-8")
        (self.folder / "link.cu").symlink_to("program.cu")
        (self.folder / "notes.txt").write_text("no source\n", encoding="utf-8")
        (self.folder / "folder.cu").mkdir()
        (self.folder / "other").mkdir()
        (self.folder / "other/program.cu").write_text("__global__ void other() {}\n", encoding="utf-8")

    def run(self, *arguments, **options):
        return subprocess.run([self.simcc, *arguments], cwd=self.folder, text=True, check=False,
                              **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options})

    def output_of(self, *command):
        return subprocess.run(command, cwd=self.folder, stdout=subprocess.PIPE, text=True, check=True).stdout


def expect(condition, *what):
    if not condition:
        sys.exit("\n".join(map(str, what)))


def one_line(done, part, status=2):
    lines = done.stderr.splitlines()
    return done.returncode == status and len(lines) == 1 and lines[0].startswith("simcc: ") and part in lines[0]


def test_options(bench):
    """Each alone, to PTX or an object where that is enough; then all of them at once, and the program runs."""
    everything = []
    for line in TAKEN.split("\n"):
        options = line.split()
        everything += [] if line.startswith(("-Werror", "-std", "--std")) else options
        done = bench.run("-dryrun", *options, "-DVALUE=1", "program.cu", "-o", "program")
        expect(done.returncode == 0 and "clang" in done.stderr, f"{line}: not taken", done.stderr)
    done = bench.run(*everything, "-DVALUE=32", "program.cu", "-o", "program")
    expect(done.returncode == 0, "all options together", done.stderr)
    expect(bench.output_of("./program") == "42\n", "the program prints something else")


def test_refused(bench):
    before = bench.program.read_text(encoding="utf-8")
    for line, part in REFUSED.items():
        arguments = line.split()
        files = [] if line == "-arch" else ["program.cu"]
        done = bench.run(*files, *arguments)
        expect(one_line(done, part), f"{line}: expected one line with: {part}", done.returncode, done.stderr)
    expect(one_line(bench.run(), "no input files"), "without arguments")
    expect(bench.program.read_text(encoding="utf-8") == before, "the source has changed")


def test_not_simulated(bench):
    sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "common/gpusim"))
    from simcc.messages import explain  # what simcc makes of clang's messages
    for header, what in NOT_SIMULATED.items():
        said = explain(f"asks.cu:2:10: fatal error: '{header}' file not found\n#include <{header}>")
        expect(what in said.split("\n")[0] and said.startswith(f"asks.cu:2:10: fatal error: '{header}': "), said)
    for header, what in list(NOT_SIMULATED.items())[:1]:
        (bench.folder / "asks.cu").write_text(f"int before;\n#include <{header}>\n", encoding="utf-8")
        done = bench.run("-c", "asks.cu")
        errors = [line for line in done.stderr.splitlines() if "error: " in line]
        expect(done.returncode == 1 and len(errors) == 1 and errors[0].startswith("asks.cu:2:10: ")
               and header in errors[0] and what in errors[0], f"{header}: {done.returncode}", done.stderr)
    (bench.folder / "asks.cu").write_text("\n".join(NAMES) + "\n", encoding="utf-8")
    done = bench.run("-c", "asks.cu")
    for number, (text, what) in enumerate(NAMES.items(), 1):
        errors = [line for line in done.stderr.splitlines() if line.startswith(f"asks.cu:{number}:") and "error: " in line]
        expect(done.returncode == 1 and errors and what in errors[0], f"{text}: {done.returncode}", done.stderr)
    (bench.folder / "asks.cu").write_text("#if 1\n#include <cuda/std/complex>\n#endif\n", encoding="utf-8")
    said = bench.run("-c", "asks.cu").stderr
    expect("from asks.cu:2:\n" in said and "error: \"the simulated GPU does not have cuda::std::complex" in said, said)
    (bench.folder / "asks.cu").write_text("#include <no_such.h>\n", encoding="utf-8")
    expect("'no_such.h' file not found" in bench.run("-c", "asks.cu").stderr, "a header that nobody knows")


def test_missing_library(bench):
    """A library that is not simulated may be named; who calls it is told which it is, when it is linked."""
    asks = bench.folder / "asks.cu"
    asks.write_text("extern \"C\" int cusparseCreate(void**);\nint main() { return cusparseCreate(nullptr); }\n",
                    encoding="utf-8")
    done = bench.run("asks.cu", "-lcusparse", "-lcublas", "-o", "asks")
    last = done.stderr.splitlines()[-1]
    expect(done.returncode == 1 and "cusparseCreate" in done.stderr and last.startswith("simcc: -lcusparse: ") and
           "does not have cuSPARSE" in last, done.returncode, done.stderr)


def test_as_nvcc(bench):
    """What nvcc warns of, or takes without a word: `register`, and the folder of a CUDA Toolkit as one of headers."""
    (bench.folder / "toolkit/crt").mkdir(parents=True)
    (bench.folder / "old_toolkit").mkdir()  # CUDA 8
    headers = ("cuda_runtime_api.h", "cuda_runtime.h")
    for name in [*(f"toolkit/{header}" for header in (*headers, "crt/host_config.h")),
                 *(f"old_toolkit/{header}" for header in (*headers, "host_config.h"))]:
        (bench.folder / name).write_text("#error a header of the Toolkit\n", encoding="utf-8")
    for folder in ("toolkit", "old_toolkit"):
        (bench.folder / folder / "of_toolkit.h").write_text("constexpr int kAnswer = 42;\n", encoding="utf-8")
    (bench.folder / "asks.cu").write_text(
        "#include <cuda_runtime_api.h>\n#include <of_toolkit.h>\n"
        "__global__ void k(int* p) { register int x = kAnswer; *p = x; }\n"
        "int main() { register int* p; cudaMallocManaged(&p, 4); k<<<1, 1>>>(p); cudaDeviceSynchronize(); return *p; }\n",
        encoding="utf-8")
    for options in (["-Itoolkit"], ["-isystem", "toolkit"], ["-I", str(bench.folder / "toolkit")], ["-Iold_toolkit"]):
        done = bench.run(*options, "asks.cu", "-o", "asks")
        expect(done.returncode == 0 and "register" in done.stderr, options, done.stderr)
        expect(subprocess.run(["./asks"], cwd=bench.folder, check=False).returncode == 42, options)


def test_called_by_address(bench):
    """Calls through pointers and of virtual functions run; where there is no function, the launch names the line."""
    asks = bench.folder / "asks.cu"
    line = CALLED_BY_ADDRESS.split("\n").index("      CALL;") + 1
    for call in CALLS_BY_ADDRESS + CALLS_OF_NULL:
        asks.write_text(CALLED_BY_ADDRESS.replace("CALL", call), encoding="utf-8")
        done = bench.run("asks.cu", "-o", "asks")
        expect(done.returncode == 0 and not done.stderr, call, done.stderr)
        run = subprocess.run(["./asks"], cwd=bench.folder, capture_output=True, text=True, check=False)
        refused = re.search(rf"asks\.cu:{line}:\d+: wrong call: calls a null pointer", run.stderr)
        expected = "cudaErrorLaunchFailure" if call in CALLS_OF_NULL else "cudaSuccess"
        expect(run.stdout.strip() == expected and bool(refused) == (call in CALLS_OF_NULL),
               call, run.stdout, run.stderr)


def test_full_disk(bench):
    """A disk that is full is said in one line, without clang's stack, and nothing half-written stays."""
    disk = bench.folder / "disk"
    disk.mkdir()
    # A disk of 64 KiB that only the command sees. Where that may not be made, /dev/full, from which nothing can be removed.
    own = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c",
           'mount -t tmpfs -o size=64k none disk && head -c "$1" /dev/zero > disk/rest && shift && "$@"; status=$?\n'
           "ls disk; exit $status", "sh"]
    may = shutil.which("unshare") and subprocess.run([*own, "1", "true"], cwd=bench.folder, capture_output=True,
                                                     check=False).returncode == 0
    print("a disk of 64 KiB" if may else "no disk of its own (unshare, tmpfs): /dev/full only")
    cases = [(["-c", "program.cu", "-o", "/dev/full"], "/dev/full"),
             (["-c", "program.cu", "-o", "program.o", "-MD", "-MF", "/dev/full"], "/dev/full or program.o")]
    for arguments, where in cases:
        expect(one_line(bench.run("-DVALUE=1", *arguments), f"simcc: {where}: No space left on device"), *arguments)
        expect(not (bench.folder / "program.o").exists(), "program.o, of which half may be missing")
    if not may:
        return
    for room, arguments, where in [
            ("60K", ["-c", "program.cu", "-o", "disk/program.o"], "disk/program.o"),
            ("60K", ["program.cu", "-o", "disk/program"], "disk/program"),
            ("64K", ["-ptx", "program.cu", "-o", "disk/program.ptx"], "disk/program.ptx"),
            ("64K", ["-c", "program.cu", "-o", "program.o", "-MD", "-MF", "disk/program.d"], "disk/program.d or program.o"),
            ("60K", ["-x", "cu", "--create-pch", "disk/program.pch", "program.cu"], "disk/program.pch")]:
        done = subprocess.run([*own, room, bench.simcc, "-DVALUE=1", *arguments], cwd=bench.folder, text=True, check=False,
                              capture_output=True)
        expect(one_line(done, where) and "No space left on device" in done.stderr, *arguments, done.stderr)
        expect(done.stdout == "rest\n", *arguments, "leaves", done.stdout)
    done = subprocess.run([*own, "60K", "env", f"TMPDIR={disk}", bench.simcc, "-DVALUE=1", "-c", "program.cu", "-o", "program.o"],
                          cwd=bench.folder, text=True, check=False, capture_output=True)
    expect(one_line(done, f"simcc: {disk}/simcc.") and "No space left on device" in done.stderr and done.stdout == "rest\n",
           "TMPDIR", done.stderr, done.stdout)


def test_outputs(bench):
    """PTX on standard output, lost output, names with odd characters, and a library that is not there yet."""
    printed = bench.run("-ptx", "-DVALUE=1", "program.cu", "-o", "-")
    expect(printed.returncode == 0 and ".visible .entry" in printed.stdout and not (bench.folder / "-").exists(), printed.stderr)
    device = bench.run("-ptx", "-DVALUE=1", "program.cu", "-o", "/dev/stdout")
    expect(device.stdout == printed.stdout, "-o /dev/stdout prints something else", device.stderr)
    expect(one_line(bench.run("-ptx", "-DVALUE=1", "program.cu", "-o", "/dev/full"), "No space left"), "-o /dev/full")
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = bench.run("-ptx", "-DVALUE=1", "program.cu", "-o", "-", stdout=full)
    expect(one_line(done, "standard output: No space left"), "a full disk", done.stderr)
    closed = bench.run("-c", "program.cu", "-DVALUE=1", preexec_fn=lambda: [os.close(number) for number in (0, 1, 2)])
    expect(closed.returncode == 0, "closed standard streams")
    for options in (["--version"], ["-ptx", "-DVALUE=1", "program.cu", "-o", "-"]):
        expect(one_line(bench.run(*options, preexec_fn=lambda: os.close(1)), "standard output: Bad file descriptor"),
               f"{options}, and standard output is closed")
    expect(one_line(bench.run("no\nsuch.cu"), "no such.cu: no such file"), "a name of two lines")
    for name in ('a "b" c.cu', "größe.cu", "it's $HOME.cu", "-dash.cu"):
        (bench.folder / name).write_text(PROGRAM, encoding="utf-8")
        path = "./" + name
        done = bench.run(path, "-DVALUE=5", "-o", path + ".out", "-MD", "-MF", "d")
        expect(done.returncode == 0, f"{name}: does not compile", done.stderr)
        expect(bench.output_of(path + ".out") == "15\n", f"{name}: prints something else")
    done = bench.run("-c", "program.cu", "-DVALUE=1")
    expect((bench.folder / "program.o").exists() and bench.run("program.o", "-o", "linked").returncode == 0, done.stderr)


def test_device_linking(bench):
    """-rdc=true and -dc are taken; a function of another file's kernels is an error at its line, which says why."""
    (bench.folder / "asks.cu").write_text("extern __device__ int far(int);\n__global__ void k(int* p) {\n"
                                          "  *p = far(*p);\n}\n", encoding="utf-8")
    done = bench.run("-rdc=true", "-dc", "asks.cu")
    expect(done.returncode == 1 and "asks.cu:3:" in done.stderr and "links no device code" in done.stderr
           and not (bench.folder / "asks.o").exists(), done.stderr)
    (bench.folder / "asks.cu").write_text("extern __device__ int far[];\n__global__ void k(int* p) { *p = far[*p]; }\n",
                                         encoding="utf-8")
    done = bench.run("-rdc=true", "-dc", "asks.cu")
    expect(done.returncode == 1 and "asks.cu: error: variable 'far'" in done.stderr and "links no device code" in done.stderr,
           done.stderr)
    done = bench.run("-dc", "program.cu", "-DVALUE=1")
    expect(done.returncode == 0 and (bench.folder / "program.o").exists(), done.stderr)


def test_not_built(bench):
    """The library is looked for before anything is compiled."""
    moved = bench.folder / "simcc"
    text = pathlib.Path(bench.simcc).read_text(encoding="utf-8").split("\n")
    at = next(i for i, line in enumerate(text) if line.startswith("configuration.LIBRARY = "))
    text[at] = 'configuration.LIBRARY = "/nowhere/libgpusim.a"'
    moved.write_text("\n".join(text), encoding="utf-8")
    done = subprocess.run([sys.executable, moved, "program.cu"], cwd=bench.folder, stderr=subprocess.PIPE, text=True, check=False)
    expect(one_line(done, "is not built yet: ninja -C "), done.stderr)


def test_ignored_errors(bench):
    """What clang says of errors that a program ignores is for the simulated GPU, not for the user: no line of it stays."""
    source = bench.folder / "ignored.cu"
    source.write_text("template <int n> void launch() { cudaGetLastError(); }\n"
                      "#define CALL(x) x\nint main() { cudaGetLastError(); CALL(cudaGetLastError()); launch<1>();\n"
                      "cudaGetLastError(); }\n", encoding="utf-8")
    done = bench.run("-c", "ignored.cu", "-o", "ignored.o")
    expect(done.returncode == 0 and not done.stderr, "something is said of ignored errors", done.stderr)
    source.write_text("int main() { cudaGetLastError(); int unused; }\n", encoding="utf-8")
    said = bench.run("-Wall", "-c", "ignored.cu", "-o", "ignored.o").stderr
    expect("unused variable" in said and "ignoring" not in said, "-Wall: another warning should stay alone", said)
    expect(said.count("int main()") == said.count("unused variable"), "-Wall: a source line without its warning", said)


def test_signals(bench):
    """^C and SIGTERM end simcc and its compilers at once, without a traceback and without files left behind."""
    slow = bench.folder / "slow.cu"
    slow.write_text("template <int n> struct S { static constexpr int v = S<n - 1>::v + S<n - 2 + (n & 1)>::v; };\n"
                    "template <> struct S<0> { static constexpr int v = 1; };\n#include <regex>\n#include <iostream>\n"
                    "int main() {}\n", encoding="utf-8")
    scratch = bench.folder / "scratch"
    scratch.mkdir()
    for number in (signal.SIGINT, signal.SIGTERM):
        child = subprocess.Popen([bench.simcc, "slow.cu", "-o", "slow"], cwd=bench.folder, stderr=subprocess.PIPE, text=True,
                                 env={**os.environ, "TMPDIR": str(scratch)})
        while not any(scratch.glob("simcc.*/*")) and child.poll() is None:
            time.sleep(0.01)  # until its compiler writes
        child.send_signal(number)
        complaints = child.communicate(timeout=30)[1]
        expect(child.returncode == -number, f"{number.name}: exit status {child.returncode}", complaints)
        expect("Traceback" not in complaints, complaints)
        expect(not list(scratch.iterdir()) and not (bench.folder / "slow").exists(), f"{number.name}: files left behind")


def test_limits(bench):
    asks = bench.folder / "asks.cu"
    for text, part in BEYOND_LIMITS:
        asks.write_text(text + "\nint main() {}\n", encoding="utf-8")
        done = bench.run("asks.cu", "-o", "asks")
        errors = [line for line in done.stderr.splitlines() if ": error: " in line]
        expect(done.returncode == 1 and len(errors) == 1 and errors[0].startswith("asks.cu:") and part in errors[0]
               and not (bench.folder / "asks").exists(), text, done.returncode, done.stderr)
    asks.write_text(WITHIN_LIMITS, encoding="utf-8")
    done = bench.run("asks.cu", "-o", "asks")
    expect(done.returncode == 0 and not done.stderr, done.stderr)


# Functions of C23 and POSIX whose names CUDA has as well, in a C library that has them already or may get them.
C_LIBRARY = """extern "C" {
double rsqrt(double) noexcept; double sinpi(double) noexcept; double cospi(double) noexcept;
float rsqrtf(float) noexcept; float sinpif(float) noexcept; float cospif(float) noexcept;
double rcbrt(double) noexcept; double exp10(double) noexcept; double normcdf(double) noexcept;
float rcbrtf(float) noexcept; float exp10f(float) noexcept; float normcdff(float) noexcept;
double tanpi(double) noexcept; double erfcx(double) noexcept; double rhypot(double, double) noexcept;
}
"""
CALLS_C_LIBRARY = """#include <cstdio>
__host__ __device__ float both(float a) { return rsqrtf(a) + sinpif(0.5f) + cospif(1.0f); }
__global__ void store(float* p) { *p = both(4.0f) + float(rsqrt(16.0) + sinpi(0.5) + cospi(1.0)); }
int main() {
  float* p;
  cudaMallocManaged(&p, 4);
  store<<<1, 1>>>(p);
  cudaDeviceSynchronize();
  std::printf("%g %g", *p, CALLS);
}
"""


def test_c_library(bench):
    """A newer C library declares functions that CUDA brings for the host: then those are called."""
    asks = bench.folder / "asks.cu"
    for calls in ("both(4.0f) + rsqrt(16.0) + sinpi(0.5) + cospi(1.0)",
                  "both(4) + double(rsqrt(16.0f)) + sinpi(0.5f) + cospi(1)"):
        asks.write_text(CALLS_C_LIBRARY.replace("CALLS", calls), encoding="utf-8")
        done = bench.run("asks.cu", "-o", "asks")
        expect(done.returncode == 0 and not done.stderr, calls, done.stderr)
        expect(bench.output_of("./asks") == "0.75 0.75", calls, bench.output_of("./asks"))
    (bench.folder / "c_library.h").write_text(C_LIBRARY, encoding="utf-8")
    done = bench.run("-c", "-include", "c_library.h", "asks.cu", "-o", "asks.o")
    expect(done.returncode == 0 and not done.stderr, "with a C library that has them", done.stderr)


REMAINDERS = """__global__ void tree(float* data) {
  const unsigned t = threadIdx.x;
  for (unsigned len = 1; len < blockDim.x; len *= 2) {
    if (t % (2 * len) == 0) data[t] += data[t + len];
    __syncthreads();
  }
}
__global__ void halved(float* data) {
  const int t = threadIdx.x;
  for (int width = blockDim.x; width > 1; width /= 2) {
    if (t % width == 0) data[t] += data[t + width / 2];
    __syncthreads();
  }
}
__global__ void known(float* data) {
  const unsigned t = threadIdx.x;
#pragma unroll
  for (unsigned len = 1; len < 32; len *= 2) {
    if (t % (2 * len) == 0) data[t] += data[t + len];
    __syncthreads();
  }
}
__global__ void columns(int* data, int width) { data[threadIdx.x] = threadIdx.x / width + threadIdx.x % width; }
"""


def test_remainders(bench):
    """By a power of two that doubles they are remainders, as nvcc has them; by a constant they are not; with a quotient of the
    same numbers they are its rest."""
    (bench.folder / "remainders.cu").write_text(REMAINDERS, encoding="utf-8")
    done = bench.run("-ptx", "remainders.cu", "-o", "-")
    expect(done.returncode == 0 and not done.stderr, done.stderr)
    kernels = dict(re.findall(r"\.entry _Z\d+([a-z]+)P.*?\{(.*?)^\}", done.stdout, re.MULTILINE | re.DOTALL))
    counts = {name: len(re.findall(r"\brem\.", body)) for name, body in kernels.items()}
    expect(counts == {"tree": 1, "halved": 1, "known": 0, "columns": 0}, counts)


def test_version(bench):
    for option in ("--version", "-V"):
        done = bench.run(option)
        expect(done.returncode == 0 and done.stdout.startswith("simcc ") and "clang version" in done.stdout, done.stdout)
    version = re.search(r"clang version (\d+)", done.stdout)[1]
    bench.program.write_text("__global__ void k(int* p) { *p = 1; }\n", encoding="utf-8")
    ptx = bench.run("-ptx", "program.cu", "-o", "-").stdout
    expect(ptx.endswith(f"\n// simcc: compiled by clang {version}\n"), "the PTX does not name its compiler", ptx[-200:])


def main():
    cases = [name.removeprefix("test_") for name in globals() if name.startswith("test_")]
    simcc, case = command_line.arguments("SIMCC " + "|".join(cases))
    with tempfile.TemporaryDirectory() as folder:
        globals()["test_" + case](Bench(os.path.abspath(simcc), folder))


if __name__ == "__main__":
    main()
# SPDX-License-Identifier: MIT
