"""The options that a program gives to nvrtcCompileProgram(): what simcc makes of them, and why the rest is refused.

The names and their values are those of CUDA 13.0, where a long name begins with two signs and a short one with one. So an option
that passes here passes there, except for the architectures of CUDA 12.
"""
import re

NO_EFFECT = None
SWITCHES = {  # name: simcc's options
    "-w": ["-w"], "--disable-warnings": ["-w"],
    **dict.fromkeys([
        "-G", "--device-debug", "-lineinfo", "--generate-line-info", "-use_fast_math", "--use_fast_math",
        "-extra-device-vectorization", "--extra-device-vectorization", "-dopt", "--dopt", "-restrict", "--restrict",
        "-dc", "--device-c", "-dw", "--device-w", "-ewp", "--extensible-whole-program",
        "-no-cache", "--no-cache", "-device-int128", "--device-int128", "-minimal", "--minimal", "-pch", "--pch",
        "-err-no", "--display-error-number", "-no-err-no", "--no-display-error-number",
    ], []),
}
DEFAULT_DEVICE = ("-default-device", "--device-as-default-execution-space")
NO_SOURCE_INCLUDE = ("-no-source-include", "--no-source-include")
VALUES = {  # name: what its value is, and simcc's option for it
    "-D": ("text", "-D"), "--define-macro": ("text", "-D"), "-U": ("text", "-U"), "--undefine-macro": ("text", "-U"),
    "-I": ("text", "-I"), "--include-path": ("text", "-I"),
    "-include": ("text", "-include"), "--pre-include": ("text", "-include"),
    "-arch": ("architecture", NO_EFFECT), "--gpu-architecture": ("architecture", NO_EFFECT),
    "-std": ("standard", "-std="), "--std": ("standard", "-std="),
    "-fmad": ("boolean", "-fmad="), "--fmad": ("boolean", "-fmad="),
    "-maxrregcount": ("number", NO_EFFECT), "--maxrregcount": ("number", NO_EFFECT),
    **dict.fromkeys([
        "-ftz", "--ftz", "-prec-sqrt", "--prec-sqrt", "-prec-div", "--prec-div", "-rdc", "--relocatable-device-code",
        "-modify-stack-limit", "--modify-stack-limit", "-builtin-move-forward", "--builtin-move-forward",
        "-builtin-initializer-list", "--builtin-initializer-list", "-device-stack-protector", "--device-stack-protector",
        "-brief-diag", "--brief-diagnostics", "-pch-verbose", "--pch-verbose", "-pch-messages", "--pch-messages",
        "-instantiate-templates-in-pch", "--instantiate-templates-in-pch", "--version-ident",
    ], ("boolean", NO_EFFECT)),
    **dict.fromkeys([
        "-dopt", "--dopt", "-Xptxas", "--ptxas-options", "-split-compile", "--split-compile", "-diag-error", "--diag-error",
        "-diag-suppress", "--diag-suppress", "-diag-warn", "--diag-warn", "-jtd", "--jump-table-density", "-pch-dir", "--pch-dir",
        "-frandom-seed", "--frandom-seed", "-Ofc", "--Ofast-compile",
    ], ("text", NO_EFFECT)),
}
BY_TWO_WORDS = ("-D", "-U", "-I")  # also in one: -DNAME
NOT_MADE = "the simulated GPU runs PTX, and this option asks for other code"
NO_FILES = "simcc writes and reads no file for it"
REFUSED = {
    **dict.fromkeys(["-dlto", "--dlink-time-opt", "-gen-opt-lto", "--gen-opt-lto", "-optix-ir", "--optix-ir",
                     "-fdevice-syntax-only", "--fdevice-syntax-only"], NOT_MADE),
    **dict.fromkeys(["-create-pch", "--create-pch", "-use-pch", "--use-pch", "-time", "--time",
                     "-fdevice-time-trace", "--fdevice-time-trace"], NO_FILES),
}
ARCHITECTURES = (50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 88, 89, 90, 100, 101, 103, 110, 120, 121)
STANDARDS = ("c++03", "c++11", "c++14", "c++17", "c++20")


class RefusedOption(Exception):
    """Names the option and says why it is refused."""


def wrong_value(kind, value):
    """What the value of an option has to be, in words, if it is something else."""
    if kind == "boolean" and value not in ("true", "false"):
        return "true or false"
    if kind == "number" and not re.fullmatch(r"\d+", value):
        return "a number"
    if kind == "standard" and value not in STANDARDS:
        return "one of " + ", ".join(STANDARDS)
    if kind == "architecture":
        found = re.fullmatch(r"(?:compute|sm)_(\d+)[af]?", value)
        if not found or int(found[1]) not in ARCHITECTURES:
            return "compute_80 or sm_80, or another architecture of CUDA 12 or 13"
    return None


class Options:
    """What the options of a program ask for."""

    def __init__(self, words):
        self.simcc = []  # the options of simcc
        self.is_default_device = self.is_for_real_gpu = False
        self.includes_source_folder = True
        queue = list(words)
        while queue:
            self.take(queue.pop(0), queue)

    def take(self, word, queue):
        name, equals, value = word.partition("=")
        if name in REFUSED:
            raise RefusedOption(f"option '{name}' is refused: {REFUSED[name]}; leave it out, or compile this with NVIDIA's NVRTC")
        short = next((option for option in BY_TWO_WORDS if word.startswith(option) and word != option), None)
        if short and name not in VALUES:
            self.set_value(short, word[2:].removeprefix("=" if short == "-I" else ""))
        elif word in DEFAULT_DEVICE:
            self.is_default_device = True
        elif word in NO_SOURCE_INCLUDE:
            self.includes_source_folder = False
        elif word in SWITCHES:
            self.simcc += SWITCHES[word]
        elif name in VALUES and (equals or queue):
            self.set_value(name, value if equals else queue.pop(0))
        elif name in VALUES:
            raise RefusedOption(f"option '{name}' needs a value: {name}=VALUE")
        elif name in (*SWITCHES, *DEFAULT_DEVICE, *NO_SOURCE_INCLUDE):
            raise RefusedOption(f"option '{name}' takes no value: leave out '={value}'")
        else:
            raise RefusedOption(f"unknown option '{word}'; NVRTC's manual lists those that exist, each with its one or two signs")

    def set_value(self, name, value):
        kind, option = VALUES[name]
        wanted = wrong_value(kind, value)
        if wanted:
            raise RefusedOption(f"option '{name}' has the value '{value}', and takes {wanted}")
        if kind == "architecture":
            self.is_for_real_gpu = value.startswith("sm_")
        if option is NO_EFFECT:
            return
        self.simcc += [option + value] if option.endswith("=") else [option, value]
# SPDX-License-Identifier: MIT
