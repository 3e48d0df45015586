// options: -std=c++17 -lnvrtc
// expect: results: NVRTC_SUCCESS … NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED, then NVRTC_ERROR unknown and NVRTC_ERROR unknown
// expect: null pointers: 33 of 33 refused
// expect: destroyed: null, again NVRTC_ERROR_INVALID_PROGRAM
// expect: before: sizes 1 1, texts empty, NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION
// expect: added late: NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION, not added: NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID null
// expect: wrong text: NVRTC_ERROR_COMPILATION, PTX of 1 byte, NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION
// expect: its log: default_program:2:20: error: use of undeclared identifier 'undeclared'
// expect: its warning: default_program:2:5: warning: expression result unused [-Wunused-value]
// expect: no more than the texts' size: yes
// expect: only a warning: NVRTC_SUCCESS, w.cu:1:33: warning: unused variable 'u' [-Wunused-variable]
// expect: without warnings: NVRTC_SUCCESS, empty
// expect: in a header: NVRTC_ERROR_COMPILATION, part/a.h:2:34: error: use of undeclared identifier 'wrong'
// expect: missing header: NVRTC_ERROR_COMPILATION, h.cu:1:10: fatal error: 'nowhere.h' file not found
// expect: absolute header: NVRTC_ERROR_COMPILATION, nvrtc: error: the header '/root.h' has an absolute name
// expect: --nonsense: NVRTC_ERROR_INVALID_OPTION, nvrtc: error: unknown option '--nonsense'
// expect: -O3: NVRTC_ERROR_INVALID_OPTION, nvrtc: error: unknown option '-O3'
// expect: -Xptxas -v: NVRTC_ERROR_INVALID_OPTION, nvrtc: error: unknown option '-Xptxas -v'
// expect: -arch=compute_42: NVRTC_ERROR_INVALID_OPTION, nvrtc: error: option '-arch' has the value 'compute_42'
// expect: --gpu-architecture: NVRTC_ERROR_INVALID_OPTION, nvrtc: error: option '--gpu-architecture' needs a value
// expect: -std=c++98: NVRTC_ERROR_INVALID_OPTION, nvrtc: error: option '-std' has the value 'c++98'
// expect: -maxrregcount=few: NVRTC_ERROR_INVALID_OPTION, nvrtc: error: option '-maxrregcount' has the value 'few'
// expect: --fmad=maybe: NVRTC_ERROR_INVALID_OPTION, nvrtc: error: option '--fmad' has the value 'maybe'
// expect: --use_fast_math=true: NVRTC_ERROR_INVALID_OPTION, nvrtc: error: option '--use_fast_math' takes no value
// expect: -dlto: NVRTC_ERROR_INVALID_OPTION, nvrtc: error: option '-dlto' is refused
// expect: --create-pch=k.pch: NVRTC_ERROR_INVALID_OPTION, nvrtc: error: option '--create-pch' is refused
// expect: compiled after all: NVRTC_SUCCESS
// expect: no cubin for compute_80: NVRTC_SUCCESS 0, for sm_80: NVRTC_ERROR_INVALID_PROGRAM 0 and NVRTC_ERROR_INVALID_PROGRAM
// expect: LTO-IR: NVRTC_ERROR_INVALID_PROGRAM, OptiX-IR: NVRTC_ERROR_INVALID_PROGRAM
// expect: precompiled headers: NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED, 0 bytes needed, 1000 kept
// expect: no simcc there: NVRTC_ERROR_INTERNAL_ERROR, nvrtc: error: /nowhere/simcc: No such file or directory
// expect: another program there: NVRTC_ERROR_INTERNAL_ERROR, nvrtc: error: simcc ended before it answered
// expect: nothing left behind: yes
// expect-error: gpusim: nvrtcGetCUBINSize: the simulated GPU has no machine code; it runs PTX, which nvrtcGetPTX() gives
// expect-error: gpusim: nvrtcGetOptiXIR: the simulated GPU has no OptiX-IR
// What NVRTC refuses, with which result, and what its log says. (The results for wrong arguments are those of CUDA 13.0.)
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "nvrtc_program.cuh"

const char* const kRight = "extern \"C\" __global__ void k(int* p) { *p = 1; }\n";

void null_pointers() {
  int number = 0, refused = 0;
  size_t size = 0;
  char buffer[8] = "";
  const char* text = nullptr;
  const char* const none[] = {nullptr};
  const char* const one[] = {"x.h"};
  nvrtcProgram made = nullptr, nothing = nullptr;
  Program p(kRight, nullptr);
  nvrtcProgram right = p.program;
  const auto flow = [](void*, void*) { return 0; };
  const std::pair<nvrtcResult, nvrtcResult> calls[] = {
      {nvrtcVersion(nullptr, &number), NVRTC_ERROR_INVALID_INPUT},
      {nvrtcVersion(&number, nullptr), NVRTC_ERROR_INVALID_INPUT},
      {nvrtcGetNumSupportedArchs(nullptr), NVRTC_ERROR_INVALID_INPUT},
      {nvrtcGetSupportedArchs(nullptr), NVRTC_ERROR_INVALID_INPUT},
      {nvrtcCreateProgram(nullptr, "", nullptr, 0, nullptr, nullptr), NVRTC_ERROR_INVALID_PROGRAM},
      {nvrtcCreateProgram(&made, nullptr, nullptr, 0, nullptr, nullptr), NVRTC_ERROR_INVALID_INPUT},
      {nvrtcCreateProgram(&made, "", nullptr, -1, nullptr, nullptr), NVRTC_ERROR_INVALID_INPUT},
      {nvrtcCreateProgram(&made, "", nullptr, 1, nullptr, one), NVRTC_ERROR_INVALID_INPUT},
      {nvrtcCreateProgram(&made, "", nullptr, 1, one, nullptr), NVRTC_ERROR_INVALID_INPUT},
      {nvrtcCreateProgram(&made, "", nullptr, 1, none, one), NVRTC_ERROR_INVALID_INPUT},
      {nvrtcDestroyProgram(nullptr), NVRTC_ERROR_INVALID_PROGRAM},
      {nvrtcDestroyProgram(&nothing), NVRTC_ERROR_INVALID_PROGRAM},
      {nvrtcCompileProgram(nullptr, 0, nullptr), NVRTC_ERROR_INVALID_PROGRAM},
      {nvrtcCompileProgram(right, 1, nullptr), NVRTC_ERROR_INVALID_OPTION},
      {nvrtcCompileProgram(right, 1, none), NVRTC_ERROR_INVALID_OPTION},
      {nvrtcCompileProgram(right, -1, nullptr), NVRTC_ERROR_INVALID_INPUT},
      {nvrtcGetPTXSize(nullptr, &size), NVRTC_ERROR_INVALID_PROGRAM},
      {nvrtcGetPTXSize(right, nullptr), NVRTC_ERROR_INVALID_INPUT},
      {nvrtcGetPTX(nullptr, buffer), NVRTC_ERROR_INVALID_PROGRAM},
      {nvrtcGetPTX(right, nullptr), NVRTC_ERROR_INVALID_INPUT},
      {nvrtcGetProgramLogSize(nullptr, &size), NVRTC_ERROR_INVALID_PROGRAM},
      {nvrtcGetProgramLogSize(right, nullptr), NVRTC_ERROR_INVALID_INPUT},
      {nvrtcGetProgramLog(right, nullptr), NVRTC_ERROR_INVALID_INPUT},
      {nvrtcAddNameExpression(nullptr, "k"), NVRTC_ERROR_INVALID_PROGRAM},
      {nvrtcAddNameExpression(right, nullptr), NVRTC_ERROR_INVALID_INPUT},
      {nvrtcGetLoweredName(nullptr, "k", &text), NVRTC_ERROR_INVALID_PROGRAM},
      {nvrtcGetLoweredName(right, nullptr, &text), NVRTC_ERROR_INVALID_INPUT},
      {nvrtcGetLoweredName(right, "k", nullptr), NVRTC_ERROR_INVALID_INPUT},
      {nvrtcSetFlowCallback(nullptr, flow, nullptr), NVRTC_ERROR_INVALID_PROGRAM},
      {nvrtcSetFlowCallback(right, nullptr, nullptr), NVRTC_ERROR_INVALID_INPUT},
      {nvrtcGetPCHHeapSize(nullptr), NVRTC_ERROR_INVALID_INPUT},
      {nvrtcGetCUBINSize(nullptr, &size), NVRTC_ERROR_INVALID_PROGRAM},
      {nvrtcGetCUBIN(right, nullptr), NVRTC_ERROR_INVALID_INPUT},
  };
  for (const auto& [result, expected] : calls) refused += result == expected;
  std::printf("null pointers: %d of %zu refused\n", refused, std::size(calls));
  nvrtcDestroyProgram(&p.program);
  std::printf("destroyed: %s, again %s\n", p.program ? "?" : "null", nvrtcGetErrorString(nvrtcGetPTXSize(right, &size)));
}

void order_of_calls() {
  Program p(kRight, nullptr);
  size_t log = 9, ptx = 9;
  char text[2] = "?", other[2] = "?";
  const char* name = "?";
  nvrtcGetProgramLogSize(p.program, &log);
  nvrtcGetPTXSize(p.program, &ptx);
  nvrtcGetProgramLog(p.program, text);
  nvrtcGetPTX(p.program, other);
  std::printf("before: sizes %zu %zu, texts %s, %s\n", log, ptx, *text || *other ? "?" : "empty",
              nvrtcGetErrorString(nvrtcGetLoweredName(p.program, "k", &name)));
  p.compile();
  const nvrtcResult late = nvrtcAddNameExpression(p.program, "k"), unknown = nvrtcGetLoweredName(p.program, "k", &name);
  std::printf("added late: %s, not added: %s %s\n", nvrtcGetErrorString(late), nvrtcGetErrorString(unknown), name ? name : "null");
}

void wrong_texts() {
  Program p("extern \"C\" __global__ void k(int* p) {\n  p + 1;      *p = undeclared;\n}\n", "");
  p.with("k");
  const nvrtcResult result = p.compile();
  size_t size = 9;
  const char* name = nullptr;
  nvrtcGetPTXSize(p.program, &size);
  std::printf("wrong text: %s, PTX of %zu byte, %s\n", nvrtcGetErrorString(result), size,
              nvrtcGetErrorString(nvrtcGetLoweredName(p.program, "k", &name)));
  std::printf("its log: %s\n", p.line("undeclared'").c_str());
  std::printf("its warning: %s\n", p.line("[-Wunused-value]").c_str());
  size_t bytes = 0;
  nvrtcGetProgramLogSize(p.program, &bytes);
  std::vector<char> buffer(bytes + 1, '!');  // behind the size nothing is written
  nvrtcGetProgramLog(p.program, buffer.data());
  std::printf("no more than the texts' size: %s\n", buffer[bytes] == '!' && buffer[bytes - 1] == 0 ? "yes" : "no");
  const char* const unused = "__global__ void k(int* p) { int u; *p = 1; }\n";
  Program(unused, "w.cu").show("only a warning", "[-Wunused-variable]");
  Program(unused, "w.cu").show("without warnings", "", {"-w"});
  Program("#include \"part/a.h\"\n", "h.cu", {{"part/a.h", "#pragma once\n__device__ void f(int* p) { *p = wrong; }\n"}})
      .show("in a header", "'wrong'");
  Program("#include \"nowhere.h\"\n", "h.cu").show("missing header", "file not found");
  Program("", "h.cu", {{"/root.h", ""}}).show("absolute header", "absolute name");
}

void options() {
  Program p(kRight, "o.cu");
  for (const char* option : {"--nonsense", "-O3", "-Xptxas -v", "-arch=compute_42", "--gpu-architecture", "-std=c++98",
                             "-maxrregcount=few", "--fmad=maybe", "--use_fast_math=true", "-dlto", "--create-pch=k.pch"}) {
    const std::string name(option, std::strchr(option, '=') ? size_t(std::strchr(option, '=') - option) : std::strlen(option));
    const nvrtcResult result = p.compile({option});
    std::string line = p.log();
    for (const char* end : {" is refused", " takes no value", " needs a value", ", and takes", "; "})
      if (const size_t at = line.find(end); at != line.npos) line.resize(*end == ',' || *end == ';' ? at : at + std::strlen(end));
    std::printf("%s: %s, %s\n", option, nvrtcGetErrorString(result), line.find(name) == line.npos ? "?" : line.c_str());
  }
  std::printf("compiled after all: %s\n", nvrtcGetErrorString(p.compile()));
}

void other_code() {
  Program p(kRight, "c.cu");
  size_t size = 9, real_size = 9;
  char buffer[8] = "";
  p.compile({"-arch=compute_80"});
  const nvrtcResult of_virtual = nvrtcGetCUBINSize(p.program, &size);
  p.compile({"-arch=sm_80"});
  const nvrtcResult of_real = nvrtcGetCUBINSize(p.program, &real_size), code = nvrtcGetCUBIN(p.program, buffer);
  std::printf("no cubin for compute_80: %s %zu, for sm_80: %s %zu and %s\n", nvrtcGetErrorString(of_virtual), size,
              nvrtcGetErrorString(of_real), real_size, nvrtcGetErrorString(code));
  const nvrtcResult lto = nvrtcGetLTOIRSize(p.program, &size), lto_code = nvrtcGetLTOIR(p.program, buffer),
                    optix = nvrtcGetOptiXIRSize(p.program, &size), optix_code = nvrtcGetOptiXIR(p.program, buffer);
  std::printf("LTO-IR: %s, OptiX-IR: %s\n", nvrtcGetErrorString(lto == lto_code ? lto : NVRTC_SUCCESS),
              nvrtcGetErrorString(optix == optix_code ? optix : NVRTC_SUCCESS));
  size_t needed = 9, kept = 0;
  nvrtcSetPCHHeapSize(1000);
  nvrtcGetPCHHeapSize(&kept);
  nvrtcGetPCHHeapSizeRequired(p.program, &needed);
  std::printf("precompiled headers: %s, %zu bytes needed, %zu kept\n", nvrtcGetErrorString(nvrtcGetPCHCreateStatus(p.program)), needed,
              kept);
}

void without_simcc() {
  Program p(kRight, "s.cu");
  setenv("GPUSIM_SIMCC", "/nowhere/simcc", 1);
  p.show("no simcc there", "No such file or directory");
  setenv("GPUSIM_SIMCC", "/bin/true", 1);
  p.show("another program there", "ended before it answered");
  unsetenv("GPUSIM_SIMCC");
}

size_t files_in(const std::string& folder) {
  size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    count += entry.path().filename().string().rfind("simcc.", 0) == 0;
  return count;
}

int main() {
  std::printf("results: %s … %s, then %s and %s\n", nvrtcGetErrorString(NVRTC_SUCCESS),
              nvrtcGetErrorString(NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED), nvrtcGetErrorString(nvrtcResult(18)),
              nvrtcGetErrorString(nvrtcResult(-1)));
  null_pointers();
  order_of_calls();
  wrong_texts();
  options();
  other_code();
  without_simcc();
  const char* const folder = std::getenv("TMPDIR");
  const std::string own = folder ? folder : "/tmp";
  std::printf("nothing left behind: %s\n", files_in(own) == 0 ? "yes" : "no");
}
// SPDX-License-Identifier: MIT
