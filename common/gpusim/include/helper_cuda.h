// What programs take from NVIDIA's cuda-samples (Common/): looking at errors, and choosing a GPU.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <type_traits>

#include "cuda_runtime.h"
#include "helper_string.h"

// The name of an error; of another library's its number.
template <class T>
const char* _cudaGetErrorEnum(T error) {
  if constexpr (std::is_same_v<T, cudaError_t>) return cudaGetErrorName(error);
  static char number[24];
  snprintf(number, sizeof number, "%lld", (long long)error);
  return number;
}

template <class T>
void check(T result, const char* const call, const char* const file, const int line) {
  if (!result) return;
  fprintf(stderr, "CUDA error at %s:%d code=%d(%s) \"%s\" \n", file, line, int(result),
          _cudaGetErrorEnum(result), call);
  exit(EXIT_FAILURE);
}
#ifndef checkCudaErrors
#define checkCudaErrors(val) check((val), #val, __FILE__, __LINE__)
#endif

#define getLastCudaError(msg) __getLastCudaError(msg, __FILE__, __LINE__)
#define printLastCudaError(msg) __printLastCudaError(msg, __FILE__, __LINE__)
inline bool __printLastCudaError(const char* message, const char* file, const int line) {
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess)
    fprintf(stderr, "%s(%i) : getLastCudaError() CUDA error : %s : (%d) %s.\n", file, line, message,
            int(error), cudaGetErrorString(error));
  return error != cudaSuccess;
}
inline void __getLastCudaError(const char* message, const char* file, const int line) {
  if (__printLastCudaError(message, file, line)) exit(EXIT_FAILURE);
}

#ifndef MAX
#define MAX(a, b) (a > b ? a : b)
#endif
inline int ftoi(float value) { return value >= 0 ? int(value + 0.5f) : int(value - 0.5f); }

// Of a multiprocessor: lanes that compute with floats; and what NVIDIA calls its generation.
inline int _ConvertSMVer2Cores(int major, int minor) {
  switch (major) {
    case 3: return 192;
    case 5: return 128;
    case 6: return minor == 0 ? 64 : 128;
    case 7: return 64;
    case 8: return minor == 0 ? 64 : 128;
    default: return 128;
  }
}
inline const char* _ConvertSMVer2ArchName(int major, int minor) {
  switch (major) {
    case 3: return "Kepler";
    case 5: return "Maxwell";
    case 6: return "Pascal";
    case 7: return minor == 5 ? "Turing" : minor == 2 ? "Xavier" : "Volta";
    case 8: return minor == 9 ? "Ada" : "Ampere";
    case 9: return "Hopper";
    default: return "Graphics Device";
  }
}

inline int gpuDeviceInit(int device) {
  int count = 0;
  checkCudaErrors(cudaGetDeviceCount(&count));
  if (device < 0) device = 0;
  if (device > count - 1) {
    fprintf(stderr, ">> gpuDeviceInit (-device=%d) is not a valid GPU device: there are %d. <<\n", device,
            count);
    return -device;
  }
  checkCudaErrors(cudaSetDevice(device));
  printf("gpuDeviceInit() CUDA Device [%d]\n", device);
  return device;
}
// The GPU with the most multiprocessors.
inline int gpuGetMaxGflopsDeviceId() {
  int count = 0, best = 0, most = -1;
  checkCudaErrors(cudaGetDeviceCount(&count));
  for (int device = 0; device < count; ++device) {
    int processors = 0;
    checkCudaErrors(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
    if (processors > most) most = processors, best = device;
  }
  return best;
}
// The GPU that -device=N names, else the best.
inline int findCudaDevice(int argc, const char** argv) {
  int device;
  if (checkCmdLineFlag(argc, argv, "device")) {
    device = gpuDeviceInit(getCmdLineArgumentInt(argc, argv, "device"));
    if (device < 0) exit(EXIT_FAILURE);
  } else {
    device = gpuGetMaxGflopsDeviceId();
    checkCudaErrors(cudaSetDevice(device));
    int major = 0, minor = 0;
    checkCudaErrors(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
    checkCudaErrors(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device));
    printf("GPU Device %d: \"%s\" with compute capability %d.%d\n\n", device,
           _ConvertSMVer2ArchName(major, minor), major, minor);
  }
  return device;
}
inline bool checkCudaCapabilities(int major_version, int minor_version) {
  int device = 0, major = 0, minor = 0;
  checkCudaErrors(cudaGetDevice(&device));
  checkCudaErrors(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
  checkCudaErrors(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device));
  const bool enough = major > major_version || (major == major_version && minor >= minor_version);
  printf(enough ? "  Device %d: <%16s >, Compute SM %d.%d detected\n"
                : "  Device %d: <%16s >: SM %d.%d is less than the sample wants\n",
         device, _ConvertSMVer2ArchName(major, minor), major, minor);
  return enough;
}
// SPDX-License-Identifier: MIT
