// NVRTC: programs that are given as text, compiled by simcc to PTX. Which arguments are refused, and with which result, is what
// the NVRTC of CUDA 13.0 answers.
#include "nvrtc.h"

#include <cstring>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cuda_runtime_api.h"
#include "libraries/nvrtc_child.h"
#include "runtime/errors.h"

struct _nvrtcProgram {
  std::string source, name;
  std::vector<std::pair<std::string, std::string>> headers = {};  // name, text
  std::vector<std::string> expressions = {};
  std::map<std::string, std::string> lowered = {};  // of each expression, after a compilation
  std::string ptx = {}, log = {};
  bool is_compiled = false, is_for_real_gpu = false;  // -arch=sm_80 rather than compute_80
  int (*flow)(void*, void*) = nullptr;
  void* flow_payload = nullptr;
};

namespace {

constexpr int kArchitectures[] = {75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121};  // of CUDA 13.0
constexpr const char* kResults[] = {"NVRTC_SUCCESS",
                                    "NVRTC_ERROR_OUT_OF_MEMORY",
                                    "NVRTC_ERROR_PROGRAM_CREATION_FAILURE",
                                    "NVRTC_ERROR_INVALID_INPUT",
                                    "NVRTC_ERROR_INVALID_PROGRAM",
                                    "NVRTC_ERROR_INVALID_OPTION",
                                    "NVRTC_ERROR_COMPILATION",
                                    "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE",
                                    "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
                                    "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
                                    "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID",
                                    "NVRTC_ERROR_INTERNAL_ERROR",
                                    "NVRTC_ERROR_TIME_FILE_WRITE_FAILED",
                                    "NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED",
                                    "NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED",
                                    "NVRTC_ERROR_PCH_CREATE",
                                    "NVRTC_ERROR_CANCELLED",
                                    "NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED"};

// The programs that exist. Several host threads may use NVRTC at the same time, each with programs of its own.
struct NvrtcPrograms {
  std::mutex mutex = {};
  std::map<nvrtcProgram, std::unique_ptr<_nvrtcProgram>> all = {};
  std::size_t precompiled_bytes = std::size_t(256) << 20;
};
NvrtcPrograms& nvrtc_programs() {
  static NvrtcPrograms programs;
  return programs;
}
bool is_nvrtc_program(nvrtcProgram program) {
  const std::lock_guard lock(nvrtc_programs().mutex);
  return nvrtc_programs().all.contains(program);
}

// What a call answers for a program, if `is_valid` says that its other arguments are right.
template <class Body> nvrtcResult for_program(nvrtcProgram program, bool is_valid, Body body) {
  if (!is_nvrtc_program(program)) return NVRTC_ERROR_INVALID_PROGRAM;
  if (!is_valid) return NVRTC_ERROR_INVALID_INPUT;
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return NVRTC_ERROR_OUT_OF_MEMORY;
  }
}

// A text in JSON, each of its bytes a character of Latin-1: the bytes may be anything.
std::string json_text(std::string_view text) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f && c != '"' && c != '\\') {
      quoted += c;
      continue;
    }
    quoted += "\\u00";
    quoted += kDigits[byte >> 4];
    quoted += kDigits[byte & 15];
  }
  return quoted + '"';
}
template <class Items, class ToJson> std::string json_list(const Items& items, ToJson to_json) {
  std::string list;
  for (const auto& item : items) list += (list.empty() ? "" : ",") + to_json(item);
  return "[" + list + "]";
}

std::string request_for(const _nvrtcProgram& program, const std::vector<std::string>& options) {
  const auto text = [](const std::string& item) { return json_text(item); };
  const auto header = [](const auto& item) {
    return "[" + json_text(item.first) + "," + json_text(item.second) + "]";
  };
  return "{\"source\":" + json_text(program.source) + ",\"name\":" + json_text(program.name) +
         ",\"headers\":" + json_list(program.headers, header) + ",\"options\":" + json_list(options, text) +
         ",\"expressions\":" + json_list(program.expressions, text) + "}";
}

// Takes simcc's answer: a word, a line for each name expression, and the PTX.
nvrtcResult take_answer(_nvrtcProgram& program, const gpusim::libraries::SimccAnswer& answer) {
  program.log = answer.said;
  if (!answer.problem.empty()) {
    program.log += "nvrtc: error: " + answer.problem + "\n";
    return NVRTC_ERROR_INTERNAL_ERROR;
  }
  std::istringstream lines(answer.output);
  std::string word;
  std::getline(lines, word);
  if (word == "option") return NVRTC_ERROR_INVALID_OPTION;
  if (word == "error") return NVRTC_ERROR_COMPILATION;
  if (word == "virtual" || word == "real")
    for (const std::string& expression : program.expressions)
      std::getline(lines, program.lowered[expression]);
  const std::streamoff begin = lines.tellg();
  if ((word != "virtual" && word != "real") || begin < 0) {
    if (word != "problem")
      program.log +=
          "nvrtc: error: simcc ended before it answered; was it killed, or is GPUSIM_SIMCC another program?\n";
    return NVRTC_ERROR_INTERNAL_ERROR;
  }
  program.ptx = answer.output.substr(std::size_t(begin));
  program.is_for_real_gpu = word == "real";
  program.is_compiled = true;
  return NVRTC_SUCCESS;
}

bool is_cancelled(const _nvrtcProgram& program) {
  return program.flow && program.flow(program.flow_payload, nullptr) != 0;
}

nvrtcResult compile(_nvrtcProgram& program, const std::vector<std::string>& options) {
  program.ptx.clear();
  program.log.clear();
  program.lowered.clear();
  program.is_compiled = false;
  if (is_cancelled(program)) return NVRTC_ERROR_CANCELLED;
  const nvrtcResult result =
      take_answer(program, gpusim::libraries::ask_simcc(request_for(program, options)));
  return result == NVRTC_SUCCESS && is_cancelled(program) ? NVRTC_ERROR_CANCELLED : result;
}

nvrtcResult give_text(const std::string& text, char* to) {
  std::memcpy(to, text.c_str(), text.size() + 1);
  return NVRTC_SUCCESS;
}

// The size of code that NVRTC has not made, which is 0, unless it would have made some here.
nvrtcResult size_of_missing(const char* function, const char* what, nvrtcProgram program, size_t* size,
                            bool is_made_on_gpu) {
  return for_program(program, size != nullptr, [&] {
    *size = 0;
    if (!is_made_on_gpu) return NVRTC_SUCCESS;
    gpusim::runtime::tell(std::string(function) + ": the simulated GPU has no " + what +
                          "; it runs PTX, which nvrtcGetPTX() gives: load that by cuModuleLoadData()");
    return NVRTC_ERROR_INVALID_PROGRAM;
  });
}
nvrtcResult code_of_missing(const char* function, const char* what, nvrtcProgram program, char* code,
                            bool is_made_on_gpu) {
  size_t size = 0;
  if (!code && is_nvrtc_program(program)) return NVRTC_ERROR_INVALID_INPUT;
  return size_of_missing(function, what, program, &size, is_made_on_gpu);
}
bool has_machine_code_on_gpu(nvrtcProgram program) {
  return is_nvrtc_program(program) && program->is_compiled && program->is_for_real_gpu;
}

}  // namespace

extern "C" {

const char* nvrtcGetErrorString(nvrtcResult result) {
  return result >= 0 && result <= NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED ? kResults[result]
                                                                           : "NVRTC_ERROR unknown";
}
nvrtcResult nvrtcVersion(int* major, int* minor) {
  if (!major || !minor) return NVRTC_ERROR_INVALID_INPUT;
  *major = CUDART_VERSION / 1000;
  *minor = CUDART_VERSION % 1000 / 10;
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetNumSupportedArchs(int* count) {
  if (!count) return NVRTC_ERROR_INVALID_INPUT;
  *count = int(std::size(kArchitectures));
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetSupportedArchs(int* architectures) {
  if (!architectures) return NVRTC_ERROR_INVALID_INPUT;
  std::memcpy(architectures, kArchitectures, sizeof kArchitectures);
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcCreateProgram(nvrtcProgram* program, const char* source, const char* name, int header_count,
                               const char* const* headers, const char* const* include_names) {
  if (!program) return NVRTC_ERROR_INVALID_PROGRAM;
  if (!source || header_count < 0 || (header_count > 0 && (!headers || !include_names)))
    return NVRTC_ERROR_INVALID_INPUT;
  for (int i = 0; i < header_count; ++i)
    if (!headers[i] || !include_names[i]) return NVRTC_ERROR_INVALID_INPUT;
  try {
    auto made = std::make_unique<_nvrtcProgram>(
        _nvrtcProgram{.source = source, .name = name && *name ? name : "default_program"});
    for (int i = 0; i < header_count; ++i) made->headers.emplace_back(include_names[i], headers[i]);
    *program = made.get();
    const std::lock_guard lock(nvrtc_programs().mutex);
    nvrtc_programs().all[*program] = std::move(made);
  } catch (const std::bad_alloc&) {
    return NVRTC_ERROR_OUT_OF_MEMORY;
  }
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcDestroyProgram(nvrtcProgram* program) {
  if (!program) return NVRTC_ERROR_INVALID_PROGRAM;
  const std::lock_guard lock(nvrtc_programs().mutex);
  if (nvrtc_programs().all.erase(*program) == 0) return NVRTC_ERROR_INVALID_PROGRAM;
  *program = nullptr;
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int count, const char* const* options) {
  return for_program(program, count >= 0, [&] {
    if (count > 0 && !options) return NVRTC_ERROR_INVALID_OPTION;
    std::vector<std::string> all;
    for (int i = 0; i < count; ++i) {
      if (!options[i]) return NVRTC_ERROR_INVALID_OPTION;
      all.push_back(options[i]);
    }
    return compile(*program, all);
  });
}

nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, size_t* size) {
  return for_program(program, size != nullptr,
                     [&] { return *size = program->ptx.size() + 1, NVRTC_SUCCESS; });
}
nvrtcResult nvrtcGetPTX(nvrtcProgram program, char* ptx) {
  return for_program(program, ptx != nullptr, [&] { return give_text(program->ptx, ptx); });
}
nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, size_t* size) {
  return for_program(program, size != nullptr,
                     [&] { return *size = program->log.size() + 1, NVRTC_SUCCESS; });
}
nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char* log) {
  return for_program(program, log != nullptr, [&] { return give_text(program->log, log); });
}

nvrtcResult nvrtcAddNameExpression(nvrtcProgram program, const char* const expression) {
  return for_program(program, expression != nullptr, [&] {
    if (program->is_compiled) return NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
    program->expressions.push_back(expression);
    return NVRTC_SUCCESS;
  });
}
nvrtcResult nvrtcGetLoweredName(nvrtcProgram program, const char* const expression, const char** lowered) {
  return for_program(program, expression && lowered, [&] {
    *lowered = nullptr;
    if (!program->is_compiled) return NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
    const auto found = program->lowered.find(expression);
    if (found == program->lowered.end()) return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
    *lowered = found->second.c_str();
    return NVRTC_SUCCESS;
  });
}
nvrtcResult nvrtcSetFlowCallback(nvrtcProgram program, int (*callback)(void*, void*), void* payload) {
  return for_program(program, callback != nullptr, [&] {
    program->flow = callback;
    program->flow_payload = payload;
    return NVRTC_SUCCESS;
  });
}

nvrtcResult nvrtcGetPCHHeapSize(size_t* size) {
  if (!size) return NVRTC_ERROR_INVALID_INPUT;
  const std::lock_guard lock(nvrtc_programs().mutex);
  *size = nvrtc_programs().precompiled_bytes;
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcSetPCHHeapSize(size_t size) {
  const std::lock_guard lock(nvrtc_programs().mutex);
  nvrtc_programs().precompiled_bytes = size;
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetPCHCreateStatus(nvrtcProgram program) {
  return for_program(program, true, [] { return NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED; });
}
nvrtcResult nvrtcGetPCHHeapSizeRequired(nvrtcProgram program, size_t* size) {
  return for_program(program, size != nullptr, [&] { return *size = 0, NVRTC_SUCCESS; });
}

nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t* size) {
  return size_of_missing(__func__, "machine code", program, size, has_machine_code_on_gpu(program));
}
nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char* code) {
  return code_of_missing(__func__, "machine code", program, code, has_machine_code_on_gpu(program));
}
// The options for these are refused, so no program has them.
nvrtcResult nvrtcGetLTOIRSize(nvrtcProgram program, size_t* size) {
  return size_of_missing(__func__, "LTO-IR", program, size, true);
}
nvrtcResult nvrtcGetLTOIR(nvrtcProgram program, char* code) {
  return code_of_missing(__func__, "LTO-IR", program, code, true);
}
nvrtcResult nvrtcGetOptiXIRSize(nvrtcProgram program, size_t* size) {
  return size_of_missing(__func__, "OptiX-IR", program, size, true);
}
nvrtcResult nvrtcGetOptiXIR(nvrtcProgram program, char* code) {
  return code_of_missing(__func__, "OptiX-IR", program, code, true);
}

}  // extern "C"
// SPDX-License-Identifier: MIT
