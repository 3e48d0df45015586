// Run-time compilation (NVRTC): a program gives CUDA C++ as text, and gets PTX for cuModuleLoadData(). simcc compiles it. What each
// function does is described in NVIDIA's "NVRTC" manual.
#pragma once
#define __NVRTC_H__

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  NVRTC_SUCCESS = 0,
  NVRTC_ERROR_OUT_OF_MEMORY = 1,
  NVRTC_ERROR_PROGRAM_CREATION_FAILURE = 2,
  NVRTC_ERROR_INVALID_INPUT = 3,
  NVRTC_ERROR_INVALID_PROGRAM = 4,
  NVRTC_ERROR_INVALID_OPTION = 5,
  NVRTC_ERROR_COMPILATION = 6,
  NVRTC_ERROR_BUILTIN_OPERATION_FAILURE = 7,
  NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION = 8,
  NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION = 9,
  NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID = 10,
  NVRTC_ERROR_INTERNAL_ERROR = 11,
  NVRTC_ERROR_TIME_FILE_WRITE_FAILED = 12,
  NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED = 13,
  NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED = 14,
  NVRTC_ERROR_PCH_CREATE = 15,
  NVRTC_ERROR_CANCELLED = 16,
  NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED = 17
} nvrtcResult;

typedef struct _nvrtcProgram* nvrtcProgram;

const char* nvrtcGetErrorString(nvrtcResult result);
nvrtcResult nvrtcVersion(int* major, int* minor);
nvrtcResult nvrtcGetNumSupportedArchs(int* numArchs);
nvrtcResult nvrtcGetSupportedArchs(int* supportedArchs);

nvrtcResult nvrtcCreateProgram(nvrtcProgram* prog, const char* src, const char* name, int numHeaders,
                               const char* const* headers, const char* const* includeNames);
nvrtcResult nvrtcDestroyProgram(nvrtcProgram* prog);
nvrtcResult nvrtcCompileProgram(nvrtcProgram prog, int numOptions, const char* const* options);
nvrtcResult nvrtcGetPTXSize(nvrtcProgram prog, size_t* ptxSizeRet);
nvrtcResult nvrtcGetPTX(nvrtcProgram prog, char* ptx);
nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram prog, size_t* logSizeRet);
nvrtcResult nvrtcGetProgramLog(nvrtcProgram prog, char* log);
nvrtcResult nvrtcAddNameExpression(nvrtcProgram prog, const char* const name_expression);
nvrtcResult nvrtcGetLoweredName(nvrtcProgram prog, const char* const name_expression,
                                const char** lowered_name);
nvrtcResult nvrtcSetFlowCallback(nvrtcProgram prog, int (*callback)(void*, void*), void* payload);

// Nothing is precompiled, so these only keep what they are given.
nvrtcResult nvrtcGetPCHHeapSize(size_t* ret);
nvrtcResult nvrtcSetPCHHeapSize(size_t size);
nvrtcResult nvrtcGetPCHCreateStatus(nvrtcProgram prog);
nvrtcResult nvrtcGetPCHHeapSizeRequired(nvrtcProgram prog, size_t* size);

// The simulated GPU runs PTX and nothing else: a call for the code of a program that has been compiled is refused.
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram prog, size_t* cubinSizeRet);
nvrtcResult nvrtcGetCUBIN(nvrtcProgram prog, char* cubin);
nvrtcResult nvrtcGetLTOIRSize(nvrtcProgram prog, size_t* LTOIRSizeRet);
nvrtcResult nvrtcGetLTOIR(nvrtcProgram prog, char* LTOIR);
nvrtcResult nvrtcGetOptiXIRSize(nvrtcProgram prog, size_t* optixirSizeRet);
nvrtcResult nvrtcGetOptiXIR(nvrtcProgram prog, char* optixir);

#ifdef __cplusplus
}
#endif

// The name of a type, as a name expression wants it: "kernel<" + name + ">". As in NVIDIA's header, only where a program asks for it.
#if defined(__cplusplus) && defined(NVRTC_GET_TYPE_NAME) && NVRTC_GET_TYPE_NAME
#include <cxxabi.h>

#include <cstdlib>
#include <string>
#include <typeinfo>

inline nvrtcResult nvrtcGetTypeName(const std::type_info& info, std::string* result) {
  if (!result) return NVRTC_ERROR_INVALID_INPUT;
  int status = 0;
  char* const name = abi::__cxa_demangle(info.name(), nullptr, nullptr, &status);
  if (!name) return status == -1 ? NVRTC_ERROR_OUT_OF_MEMORY : NVRTC_ERROR_INTERNAL_ERROR;
  *result = name;
  std::free(name);
  return NVRTC_SUCCESS;
}

namespace gpusim::detail {
template <class T> struct NamedType {};  // typeid alone would drop const and references
}  // namespace gpusim::detail

template <class T> nvrtcResult nvrtcGetTypeName(std::string* result) {
  std::string whole;
  const nvrtcResult status = nvrtcGetTypeName(typeid(gpusim::detail::NamedType<T>), &whole);
  if (status != NVRTC_SUCCESS) return status;
  if (!result) return NVRTC_ERROR_INVALID_INPUT;
  const std::size_t begin = whole.find('<') + 1, end = whole.rfind('>');
  *result = whole.substr(begin, end - begin);
  return NVRTC_SUCCESS;
}
#endif
// SPDX-License-Identifier: MIT
