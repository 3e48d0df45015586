#!/usr/bin/env python3
"""What `learn grade` takes of a submission: host functions that only compute, kernels of the judge that are unchanged, and text
in which nothing hides. Suite `learn`.

parts_test.py SOURCE_DIR
"""
import pathlib
import sys
import time

sys.path += [str(pathlib.Path(__file__).resolve().parents[up] / name) for up, name in ((2, "common"), (1, "."))]
import command_line
import stage_kernels
from learn.grade import arithmetic, device_code, points, submissions, wording

SLOW = 60  # seconds, on a machine that does other things, too
MODULE = """target triple = "x86_64-pc-linux-gnu"
module asm "call _exit"
@llvm.global_ctors = appending global [1 x i8*] zeroinitializer
define weak_odr dso_local noundef i32 @f(i32 noundef %0, i32 noundef signext %1) local_unnamed_addr #0 comdat {
{}
}
define internal void @other() section ".init_array" {
  call void @_exit(i32 0)
  ret void
}
declare i32 @llvm.smin.i32(i32, i32) #1
attributes #0 = { nounwind }
"""
COMPUTES = ["  %3 = add nsw i32 %0, %1\n  ret i32 %3", "  %3 = sdiv i32 %0, %1, !tbaa !5\n  ret i32 %3 ; %0",
            "  %3 = tail call i32 @llvm.smin.i32(i32 %0, i32 %1) #4\n  ret i32 %3",
            "  br i1 true, label %3, label %4\n\n3:                            ; preds = %2\n  ret i32 1\n\n4:\n  ret i32 2",
            "  switch i32 %0, label %3 [\n    i32 0, label %3\n    i32 -5, label %3\n  ]\n3:\n  ret i32 1",
            "  %3 = fadd fast float 0x3FF0000000000000, 2.0e+00\n  %4 = fptosi float %3 to i32\n  ret i32 %4"]
DOES_MORE = {  # what it is said to have
    "  %3 = alloca i32, align 4\n  ret i32 0": "a variable in memory",
    "  store volatile i32 0, i32* inttoptr (i64 4210752 to i32*), align 64\n  ret i32 0": "a write to memory",
    "  %3 = load i32, i32* @calls\n  ret i32 %3": "a read of memory",
    "  %3 = ptrtoint i32* @judge to i32\n  ret i32 %3": "ptrtoint",
    "  %3 = call i32 @fork()\n  ret i32 %3": "a call of fork",
    "  %3 = tail call i32 @llvm.smin.i32(i32 ptrtoint (i32* @judge to i32), i32 0)\n  ret i32 %3": "a call of llvm.smin.i32",
    "  %3 = call i32 %4(i32 0)\n  ret i32 0": "a call by a pointer",
    '  call void asm sideeffect "syscall", "~{memory}"()\n  ret i32 0': "assembly",
    "  indirectbr i8* %3, [label %4]": "indirectbr",
    "  %3 = add i32 %0, 1 }\ndefine void @g() {\n  ret void": "`%3 = add",
}
REFERENCE = """.visible .entry take(
\t.param .u64 take_param_0
)
{
\t.loc\t2 5 1
LBB3_1:
\tst.global.f32 \t[%rd1], %f1;
\t.loc\t2 6 1
\tbra LBB3_1;

}
.visible .entry sum(
)
{
\t.loc\t1 9 1
\tret;

}
\t.file\t1 "kernels.cuh"
\t.file\t2 "/somewhere/tests/chapters/helpers.cuh"
"""


def host_functions_only_compute():
    for body in COMPUTES:
        text, found = arithmetic.functions(MODULE.replace("{}", body, 1), ["f", "missing"])
        assert found == ["f"] and "define i32 @f(i32 %0, i32 signext %1) {\n" in text, text
        assert not any(word in text for word in ("_exit", "global_ctors", "module asm", "section", "#", "!")), text
    for body, what in DOES_MORE.items():
        try:
            text = arithmetic.functions(MODULE.replace("{}", body, 1), ["f"])
            raise AssertionError(f"taken over: {text}")
        except arithmetic.NotArithmetic as more:
            assert more.args[0] == "f" and what in more.args[1], (body, more.args)
    text, _ = arithmetic.functions(MODULE.replace("{}", "  unreachable", 1), ["f"])
    assert "call void @llvm.trap()\n  unreachable" in text, text


def kernels_of_the_judge_stay():
    moved = REFERENCE.replace("LBB3", "LBB7").replace("\t.loc\t2 5 1", "\t.loc\t2 15 2")
    device_code.compare_judges_own(moved, REFERENCE)
    device_code.compare_judges_own(REFERENCE.replace("ret;", "exit;"), REFERENCE)  # the learner's own
    for changed in (REFERENCE.replace("%f1", "%f2"), REFERENCE.replace("entry take", "entry took"),
                    REFERENCE.replace("%f1", "%f2").replace('2 "/somewhere/tests/chapters/', '2 "')):
        try:
            device_code.compare_judges_own(changed, REFERENCE)
            raise AssertionError(f"not noticed: {changed}")
        except device_code.Strange:
            pass


def kernels_are_called_as_the_judge_launches_them():
    mine, wanted = "\n.visible .entry _Z3sumPfi(\n\t.param .u64 _Z3sumPfi_param_0\n", ".visible .entry _Z3sumPKfi(\n"
    read = lambda names: ["sum(float*, int)" for _ in names]
    assert device_code.as_launched(mine, wanted, read) == mine.replace("_Z3sumPfi", "_Z3sumPKfi")
    try:
        device_code.as_launched(mine, wanted, lambda names: ["sum(int*, int)" for _ in names])
        raise AssertionError("another kernel was taken for it")
    except device_code.Strange as strange:
        assert "sum(float const*, int)" in str(strange), strange
    kept = ".visible .global .align 8 .u64 grade_value_of_"
    given = f"{kept}kA = 18446744073709551615;\n{kept}kB;\n"
    assert device_code.values(given) == {"kA": -1, "kB": 0}


def honest_files_hide_nothing(source):
    count = 0
    for path in [path for pattern in ("solutions/*/kernels.cuh", "tests/right/*/*.edit")
                 for path in source.glob(pattern)]:
        solution = source / "solutions" / path.parent.name / "kernels.cuh"
        text = stage_kernels.edited(path, solution) if path.suffix == ".edit" else path.read_text(encoding="utf-8")
        assert wording.complaint(text) is None, f"{path}: {wording.complaint(text)}"
        assert len(text) < submissions.LARGEST / 5, path
        count += 1
    assert count > 100, f"only {count} files were looked at"
    for text in ("// judge\n", '"doctest"', "/* ## */", "'\\''"):
        assert wording.complaint(text) is None, text
    for text in ("int judge;", "\"\\\"\" judge", "'\"' judge '\"'", "1'000 judge 1'000", "%: include_next <a>", "ju\\\ndge::x",
                 'u8R"(', "a%:%:b", "# 1 \"a\""):
        assert wording.complaint(text), text


def no_text_takes_long():
    """Texts that would take hours if each part of them were looked at from each other."""
    begun, large = time.monotonic(), submissions.LARGEST // 4
    for text in ("/*" * large, '"' + '\\"' * large, "'\\" * large, " " * 4 * large, "R" * large, "#" * large, "0'" * large):
        wording.complaint(text)
    for line in (".visible .entry a(\n", "}\n", "\t.loc\t1 1 1\n", "//\n", "\n", " ", "grade_value_of_", "LBB1_"):
        text = REFERENCE + line * (device_code.LARGEST // 8 // len(line))
        device_code.values(text)
        device_code.as_launched(text, REFERENCE, lambda names: names)
        device_code.compare_judges_own(text, REFERENCE)
    assert time.monotonic() - begun < SLOW, f"{time.monotonic() - begun:.0f} s"


def points_follow_findings():
    gap = lambda name, is_open: {"name": name, "todos": 2, "open": is_open, "kernels": [name]}
    found = lambda kind, at, message="": {"kind": kind, "gap": at, "message": message, "excused": False}
    outcome = lambda opened, *findings: {"gaps": [gap("a", opened[0]), gap("b", opened[1])], "findings": findings,
                                         "measurements": []}
    earned = lambda outcomes, failed: [row["points"] for row in points.of_runs(outcomes, failed)]
    assert earned([outcome((False, False))], {}) == [2, 2]
    assert earned([outcome((True, False), found("unimproved", 0))], {}) == [0, 2]
    assert earned([outcome((True, True), found("unimproved", None))], {}) == [0, 0]
    race = found("hazard", None, "race: here; met by a, n = 1")
    assert points.gap_of(race, outcome((True, False))["gaps"]) == 0
    assert earned([outcome((False, False), race)], {0: "race"}) == [0, 0]  # it ended the only run
    assert earned([outcome((False, False), race), outcome((False, False))], {0: "race"}) == [0, 2]
    assert earned([outcome((False, False), race), outcome((False, True))], {0: "race"}) == [0, 0]


def main(source):
    source = pathlib.Path(source)
    for case in (host_functions_only_compute, kernels_of_the_judge_stay, kernels_are_called_as_the_judge_launches_them,
                 lambda: honest_files_hide_nothing(source), no_text_takes_long, points_follow_findings):
        case()
    print("ok")


if __name__ == "__main__":
    main(*command_line.arguments("SOURCE_DIR"))
# SPDX-License-Identifier: MIT
