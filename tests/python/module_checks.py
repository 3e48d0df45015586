"""What warp_by_warp.run() promises. wheel_test.py runs this where the wheel is installed."""
import pathlib
import sys
import time

import warp_by_warp

PROGRAM = """#include <cstdio>
#include <cstdlib>
#include "scale.h"
__global__ void scale(float* x) {
  x[threadIdx.x] *= kScale;
}
__global__ void shift(float* x) {
  x[threadIdx.x] = x[threadIdx.x + 1];
}
int main(int argc, char** argv) {
  char word[20] = "";
  if (scanf("%19s", word) == 1) printf("read %s\\n", word);
  printf("%d arguments, NAME=%s\\n", argc - 1, getenv("NAME") ? getenv("NAME") : "");
  float* x;
  cudaMalloc(&x, 128 * sizeof(float));
  cudaMemset(x, 0, 128 * sizeof(float));
  scale<<<1, 96>>>(x);
  scale<<<1, 96>>>(x);
  if (argc > 1) shift<<<1, 64>>>(x);
  if (argc > 2) shift<<<1, 128>>>(x);
  cudaDeviceSynchronize();
  cudaFree(x);
  return argc > 3 ? 7 : 0;
}
"""
ENDLESS = """#include <cstdio>
#include <unistd.h>
int main() {
  puts("begun");
  fflush(stdout);
  for (;;) sleep(1);
}
"""
WRONG = """int main() {
  return nothing;
}
"""


def expect(what, found, expected):
    if found != expected:
        sys.exit(f"{what}: {found!r}, expected {expected!r}")


def raised(kind, *arguments, **options):
    try:
        warp_by_warp.run(*arguments, **options)
    except kind as error:
        return error
    return sys.exit(f"run(…, {options}) did not raise {kind.__name__}")


def counts():
    result = warp_by_warp.run(PROGRAM, machine="h100", stdin="words", env={"NAME": "value"})
    expect("output", (result.exit_status, result.stdout), (0, "read words\n0 arguments, NAME=value\n"))
    expect("mistakes", (result.findings, result.faults, result.warnings), ((), (), ()))
    first, second = result.launches
    expect("launches", (first.kernel, first.grid, first.block, first.number, second.number),
           ("scale", (1, 1, 1), (96, 1, 1), 1, 2))
    # 96 floats: 3 warps, of which each loads and stores 4 sectors.
    expect("requests", (first.counters.global_load_requests, first.counters.global_load_sectors), (3, 12))
    expect("sectors per request", first.counters.global_load_sectors_per_request, 4.0)
    expect("bank conflicts", first.counters.shared_bank_conflicts, 0)
    line = max(first.lines, key=lambda each: each.counters.global_load_sectors)
    expect("line", (line.file, line.line, line.counters.global_load_sectors), ("source.cu", 5, 12))
    expect("machine", first.prediction.machine, "NVIDIA H100 80GB HBM3")
    if not first.prediction.nanoseconds > first.prediction.launch_nanoseconds > 0 or not first.prediction.bottleneck:
        sys.exit(f"prediction: {first.prediction}")
    saving = max(first.prediction.savings, key=lambda each: each.nanoseconds)
    expect("largest saving", (saving, saving.cost), (first.prediction.savings[0], "the launch itself"))
    if "global load sectors" not in str(result) or "<table>" not in result._repr_html_():
        sys.exit(f"a result as text and as HTML:\n{result}\n{result._repr_html_()}")
    expect("a measured model", first.prediction.derived_from, None)
    derived = warp_by_warp.run(PROGRAM, machine="l4", stdin="words")
    expect("a derived model", (derived.launches[0].prediction.machine, derived.launches[0].prediction.derived_from),
           ("NVIDIA L4", "h100"))
    if "NVIDIA L4 (derived from h100)" not in str(derived):
        sys.exit(f"a result that does not say that its model is derived:\n{derived}")
    without = warp_by_warp.run(pathlib.Path("program.cu"), predict=False)
    expect("without predictions", [launch.prediction for launch in without.launches], [None, None])
    expect("a file's name", {line.file for launch in without.launches for line in launch.lines}, {"program.cu"})


def mistakes():
    result = warp_by_warp.run(PROGRAM, args=[1], check=["race", "memory"])
    finding, = result.findings
    expect("race", (finding.check, finding.severity, finding.kernel, finding.place.file, finding.place.line, result.exit_status),
           ("race", "error", "shift", "source.cu", 8, 1))
    if not finding.text.startswith("source.cu:8:") or "^" not in finding.text:
        sys.exit(f"text of the race: {finding.text}")
    proofs = {proof.kernel: proof for proof in result.proofs}
    expect("proofs", (proofs["shift"].source.verdict, proofs["shift"].obstacles), ("not_proved", ()))
    result = warp_by_warp.run(PROGRAM, args=[1, 2, 3], check=False)
    fault, = result.faults
    expect("fault", (fault.place.line, result.launches[-1].completed, result.launches[-1].prediction, result.exit_status),
           (8, False, None, 7))
    expect("no checks", warp_by_warp.run(PROGRAM, args=[1], check="none").findings, ())
    error = raised(warp_by_warp.CompileError, WRONG)
    expect("compile error", [(said.severity, str(said.place)) for said in error.diagnostics], [("error", "source.cu:2:10")])
    if str(error).split("\n")[1:3] != ["  return nothing;", "         ^"]:
        sys.exit(f"text of the compile error: {error}")
    for name in ("undefined", "no_such_function"):
        error = raised(warp_by_warp.CompileError, f"void {name}();\nint main() {{ {name}(); }}\n")
        if not error.diagnostics or name not in error.diagnostics[0].message:
            sys.exit(f"a function that nothing defines: {error.diagnostics}, {error}")
    expect("a machine that does not exist", str(raised(ValueError, PROGRAM, machine="h900")).split(" ")[0], "machine=h900")
    expect("a check that does not exist", str(raised(ValueError, PROGRAM, check="races")).split(" ")[0], "check=races")
    raised(FileNotFoundError, pathlib.Path("nowhere.cu"))


def ends():
    started = time.monotonic()
    error = raised(warp_by_warp.TimeLimitExceeded, ENDLESS, timeout=0.5)
    expect("output until the time limit", error.stdout, "begun\n")
    if time.monotonic() - started > 30:
        sys.exit("the time limit did not end the program")
    raised(warp_by_warp.OutputLimitExceeded, "#include <cstdio>\nint main() { for (;;) puts(\"again and again\"); }")
    result = warp_by_warp.run("#include <cstdlib>\nint main() { abort(); }")
    expect("a program that aborts", (result.exit_status, result.is_complete, result.launches), (-6, False, ()))


def page():
    """The example of the page notebook.md runs; what it prints is looked at in wheel_test.py."""
    pathlib.Path("sum.cu").write_text(PROGRAM, encoding="utf-8")
    example = pathlib.Path(__file__).with_name("on_the_page.py")
    exec(compile(example.read_text(encoding="utf-8"), example, "exec"), {})


pathlib.Path("scale.h").write_text("constexpr float kScale = 2;\n", encoding="utf-8")  # beside us, so that the source finds it
pathlib.Path("program.cu").write_text(PROGRAM, encoding="utf-8")
for case in (counts, mistakes, ends, page):
    case()
print(f"{warp_by_warp.__name__}: counts, mistakes and ends are as promised")
# SPDX-License-Identifier: MIT
