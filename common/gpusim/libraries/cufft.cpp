// cuFFT. Its plans are in cufft_plan.cpp, its transforms in cufft_transforms.cpp. Here are its version, and what is not simulated.
#include "cufft.h"

#include "cufftXt.h"
#include "runtime/errors.h"

using namespace gpusim;

extern "C" {

#define ON_SEVERAL_GPUS(name, ...)                                                                       \
  cufftResult name(__VA_ARGS__) {                                                                        \
    runtime::tell(#name                                                                                  \
                  ": cuFFT's transforms on several GPUs are not simulated; run this on GPUs with nvcc"); \
    return CUFFT_NOT_IMPLEMENTED;                                                                        \
  }
ON_SEVERAL_GPUS(cufftXtSetGPUs, cufftHandle, int, int*)
ON_SEVERAL_GPUS(cufftXtMalloc, cufftHandle, cudaLibXtDesc**, cufftXtSubFormat)
ON_SEVERAL_GPUS(cufftXtMemcpy, cufftHandle, void*, void*, cufftXtCopyType)
ON_SEVERAL_GPUS(cufftXtFree, cudaLibXtDesc*)
ON_SEVERAL_GPUS(cufftXtExecDescriptor, cufftHandle, cudaLibXtDesc*, cudaLibXtDesc*, int)
ON_SEVERAL_GPUS(cufftXtExecDescriptorC2C, cufftHandle, cudaLibXtDesc*, cudaLibXtDesc*, int)
ON_SEVERAL_GPUS(cufftXtExecDescriptorR2C, cufftHandle, cudaLibXtDesc*, cudaLibXtDesc*)
ON_SEVERAL_GPUS(cufftXtExecDescriptorC2R, cufftHandle, cudaLibXtDesc*, cudaLibXtDesc*)
ON_SEVERAL_GPUS(cufftXtExecDescriptorZ2Z, cufftHandle, cudaLibXtDesc*, cudaLibXtDesc*, int)
ON_SEVERAL_GPUS(cufftXtExecDescriptorD2Z, cufftHandle, cudaLibXtDesc*, cudaLibXtDesc*)
ON_SEVERAL_GPUS(cufftXtExecDescriptorZ2D, cufftHandle, cudaLibXtDesc*, cudaLibXtDesc*)
#undef ON_SEVERAL_GPUS

cufftResult cufftGetVersion(int* version) {
  if (!version) return CUFFT_INVALID_VALUE;
  *version = CUFFT_VERSION;
  return CUFFT_SUCCESS;
}
cufftResult cufftGetProperty(libraryPropertyType type, int* value) {
  const int parts[] = {CUFFT_VER_MAJOR, CUFFT_VER_MINOR, CUFFT_VER_PATCH};
  if (type > PATCH_LEVEL || !value) return CUFFT_INVALID_VALUE;
  *value = parts[type];
  return CUFFT_SUCCESS;
}

}  // extern "C"
// SPDX-License-Identifier: MIT
