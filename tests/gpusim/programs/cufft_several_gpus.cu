// expect: 1 GPU: nothing to share out
// expect: CUFFT_NOT_IMPLEMENTED: yes
// expect-error: gpusim: cufftXtSetGPUs: cuFFT's transforms on several GPUs are not simulated; run this on GPUs with nvcc
//
// A program for several GPUs compiles, and runs where it finds only one; a call says that it is not simulated.
#include <cufftXt.h>

#include <cstdio>

#if !defined(_CUFFT_H_) || !defined(_CUFFTXT_H_)
#error The helper_cuda.h of NVIDIA's samples asks for these guards.
#endif

void transform(int gpus) {
  cufftHandle plan;
  cufftCreate(&plan);
  int which[] = {0, 1};
  size_t sizes[2];
  cudaLibXtDesc* data;
  if (cufftXtSetGPUs(plan, gpus, which) != CUFFT_SUCCESS) return;
  cufftMakePlan1d(plan, 1024, CUFFT_C2C, 1, sizes);
  cufftXtMalloc(plan, &data, CUFFT_XT_FORMAT_INPLACE);
  for (int i = 0; i < data->descriptor->nGPUs; ++i) cudaSetDevice(data->descriptor->GPUs[i]);
  cufftXtExecDescriptorC2C(plan, data, data, CUFFT_FORWARD);
  cufftXtFree(data);
}

int main() {
  int gpus = 0, which[] = {0, 1};
  cudaGetDeviceCount(&gpus);
  if (gpus < 2) std::printf("%d GPU: nothing to share out\n", gpus);
  else transform(gpus);
  cufftHandle plan;
  cufftCreate(&plan);
  std::printf("CUFFT_NOT_IMPLEMENTED: %s\n", cufftXtSetGPUs(plan, 2, which) == CUFFT_NOT_IMPLEMENTED ? "yes" : "no");
  cufftDestroy(plan);
}
// SPDX-License-Identifier: MIT
