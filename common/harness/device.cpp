// The build sets HARNESS_SIM to 1 for the simulated GPU and to 0 for a real one. No other file uses the
// macro: the others call is_simulated().
#include "harness/device.h"

#include <cstdio>
#include <cstdlib>

#include "harness/check.h"
#if HARNESS_SIM
#include <gpusim/check.h>
#include <gpusim/fresh_memory.h>
#endif

#ifndef HARNESS_SIM
#error "define HARNESS_SIM: 1 for the simulated GPU, 0 for a real one"
#endif

namespace harness {

bool is_simulated() { return HARNESS_SIM != 0; }

DeviceInfo device_info() {
  DeviceInfo info;
  cudaDeviceProp properties;
  CUDA_CHECK(cudaGetDeviceProperties(&properties, 0));
  info.name = properties.name;
  info.simulated = is_simulated();
#if !HARNESS_SIM
  int version = 0;  // 13020 is CUDA 13.2
  CUDA_CHECK(cudaRuntimeGetVersion(&version));
  info.cuda = std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
#endif
  return info;
}

void require_gpu(int exit_status) {
#if HARNESS_SIM
  // These programs are judged, counted and timed, so checks run only if somebody asks for them. Uninitialised memory shows as
  // NaN, which every comparison of the harness rejects.
  if (!std::getenv("GPUSIM_CHECK")) gpusim::enable_checks("none");
  if (!std::getenv("GPUSIM_FRESH_MEMORY")) gpusim::set_fresh_memory(gpusim::FreshMemory::nan);
#endif
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status == cudaSuccess && count > 0) return;
  const cudaError_t reason = status == cudaSuccess ? cudaErrorNoDevice : status;
  std::fprintf(stderr,
               "no NVIDIA GPU here: %s: %s (the program of the same name without .gpu does not need one)\n",
               cudaGetErrorName(reason), cudaGetErrorString(reason));
  std::exit(exit_status);
}

}  // namespace harness
// SPDX-License-Identifier: MIT
