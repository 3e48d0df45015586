// NVML: what the runtime knows about the simulated GPUs, under NVML's names. The handle of a device is its
// number plus 1.
#include "nvml.h"

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

#include "cuda_runtime_api.h"

namespace {

int users = 0;  // calls of nvmlInit without their nvmlShutdown

nvmlDevice_t handle(int gpu) { return reinterpret_cast<nvmlDevice_t>(std::uintptr_t(gpu) + 1); }
int number(nvmlDevice_t device) { return int(reinterpret_cast<std::uintptr_t>(device)) - 1; }

int count() {
  int gpus = 0;
  return cudaGetDeviceCount(&gpus) == cudaSuccess ? gpus : 0;
}
nvmlReturn_t asked(bool is_valid) {
  if (users == 0) return NVML_ERROR_UNINITIALIZED;
  return is_valid ? NVML_SUCCESS : NVML_ERROR_INVALID_ARGUMENT;
}
nvmlReturn_t asked(nvmlDevice_t device, bool is_valid) {
  return asked(is_valid && number(device) >= 0 && number(device) < count());
}
nvmlReturn_t not_there(nvmlDevice_t device) {
  const nvmlReturn_t status = asked(device, true);
  return status == NVML_SUCCESS ? NVML_ERROR_NOT_SUPPORTED : status;
}
nvmlReturn_t give(const std::string& text, char* to, unsigned length) {
  if (text.size() >= length) return NVML_ERROR_INSUFFICIENT_SIZE;
  std::memcpy(to, text.c_str(), text.size() + 1);
  return NVML_SUCCESS;
}
std::string version_text() {
  int version = 0;
  cudaDriverGetVersion(&version);
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

}  // namespace

extern "C" {

nvmlReturn_t nvmlInit_v2() { return ++users, NVML_SUCCESS; }
nvmlReturn_t nvmlInitWithFlags(unsigned) { return nvmlInit_v2(); }
nvmlReturn_t nvmlShutdown() {
  if (users == 0) return NVML_ERROR_UNINITIALIZED;
  return --users, NVML_SUCCESS;
}
const char* nvmlErrorString(nvmlReturn_t result) {
  switch (result) {
    case NVML_SUCCESS: return "Success";
    case NVML_ERROR_UNINITIALIZED: return "Uninitialized";
    case NVML_ERROR_INVALID_ARGUMENT: return "Invalid Argument";
    case NVML_ERROR_NOT_SUPPORTED: return "Not Supported";
    case NVML_ERROR_NOT_FOUND: return "Not Found";
    case NVML_ERROR_INSUFFICIENT_SIZE: return "Insufficient Size";
    default: return "Unknown Error";
  }
}

nvmlReturn_t nvmlSystemGetDriverVersion(char* version, unsigned length) {
  const nvmlReturn_t status = asked(version != nullptr);
  return status == NVML_SUCCESS ? give(version_text(), version, length) : status;
}
nvmlReturn_t nvmlSystemGetNVMLVersion(char* version, unsigned length) {
  return version ? give(NVML_API_VERSION_STR "." + version_text(), version, length)
                 : NVML_ERROR_INVALID_ARGUMENT;
}
nvmlReturn_t nvmlSystemGetCudaDriverVersion_v2(int* version) {
  if (!version) return NVML_ERROR_INVALID_ARGUMENT;
  cudaDriverGetVersion(version);
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetCount_v2(unsigned* gpus) {
  const nvmlReturn_t status = asked(gpus != nullptr);
  if (status == NVML_SUCCESS) *gpus = unsigned(count());
  return status;
}
nvmlReturn_t nvmlDeviceGetHandleByIndex_v2(unsigned index, nvmlDevice_t* device) {
  const nvmlReturn_t status = asked(device != nullptr && index < unsigned(count()));
  if (status == NVML_SUCCESS) *device = handle(int(index));
  return status;
}
nvmlReturn_t nvmlDeviceGetHandleByPciBusId_v2(const char* bus, nvmlDevice_t* device) {
  const nvmlReturn_t status = asked(bus && device);
  if (status != NVML_SUCCESS) return status;
  int gpu = 0;
  if (cudaDeviceGetByPCIBusId(&gpu, bus) != cudaSuccess) {
    cudaGetLastError();
    return NVML_ERROR_NOT_FOUND;
  }
  *device = handle(gpu);
  return NVML_SUCCESS;
}
nvmlReturn_t nvmlDeviceGetIndex(nvmlDevice_t device, unsigned* index) {
  const nvmlReturn_t status = asked(device, index != nullptr);
  if (status == NVML_SUCCESS) *index = unsigned(number(device));
  return status;
}
nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t device, char* name, unsigned length) {
  const nvmlReturn_t status = asked(device, name != nullptr);
  if (status != NVML_SUCCESS) return status;
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, number(device));
  return give(properties.name, name, length);
}
nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t device, nvmlMemory_t* memory) {
  const nvmlReturn_t status = asked(device, memory != nullptr);
  if (status != NVML_SUCCESS) return status;
  int current = 0;
  std::size_t free = 0, total = 0;
  cudaGetDevice(&current);
  cudaSetDevice(number(device));
  cudaMemGetInfo(&free, &total);
  cudaSetDevice(current);
  *memory = {total, free, total - free};
  return NVML_SUCCESS;
}
nvmlReturn_t nvmlDeviceGetPciInfo_v3(nvmlDevice_t device, nvmlPciInfo_t* pci) {
  const nvmlReturn_t status = asked(device, pci != nullptr);
  if (status != NVML_SUCCESS) return status;
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, number(device));
  *pci = {};
  pci->domain = unsigned(properties.pciDomainID);
  pci->bus = unsigned(properties.pciBusID);
  pci->device = unsigned(properties.pciDeviceID);
  std::snprintf(pci->busIdLegacy, sizeof pci->busIdLegacy, "%04X:%02X:%02X.0", pci->domain & 0xffff,
                pci->bus & 0xff, pci->device & 0xff);
  std::snprintf(pci->busId, sizeof pci->busId, "%08X:%02X:%02X.0", pci->domain, pci->bus & 0xff,
                pci->device & 0xff);
  return NVML_SUCCESS;
}
nvmlReturn_t nvmlDeviceGetCudaComputeCapability(nvmlDevice_t device, int* major, int* minor) {
  const nvmlReturn_t status = asked(device, major && minor);
  if (status != NVML_SUCCESS) return status;
  cudaDeviceGetAttribute(major, cudaDevAttrComputeCapabilityMajor, number(device));
  cudaDeviceGetAttribute(minor, cudaDevAttrComputeCapabilityMinor, number(device));
  return NVML_SUCCESS;
}
nvmlReturn_t nvmlDeviceGetNumGpuCores(nvmlDevice_t device, unsigned* cores) {
  constexpr unsigned kCoresOfMultiprocessor = 64;  // of compute capability 8.0
  const nvmlReturn_t status = asked(device, cores != nullptr);
  if (status != NVML_SUCCESS) return status;
  int multiprocessors = 0;
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, number(device));
  *cores = unsigned(multiprocessors) * kCoresOfMultiprocessor;
  return NVML_SUCCESS;
}
nvmlReturn_t nvmlDeviceGetComputeMode(nvmlDevice_t device, nvmlComputeMode_t* mode) {
  const nvmlReturn_t status = asked(device, mode != nullptr);
  if (status == NVML_SUCCESS) *mode = NVML_COMPUTEMODE_DEFAULT;
  return status;
}

// Functions for what a simulated GPU does not have.
#define NOT_THERE(name, ...) \
  nvmlReturn_t name(nvmlDevice_t device __VA_OPT__(, ) __VA_ARGS__) { return not_there(device); }
NOT_THERE(nvmlDeviceGetTemperature, nvmlTemperatureSensors_t, unsigned*)
NOT_THERE(nvmlDeviceGetTemperatureThreshold, nvmlTemperatureThresholds_t, unsigned*)
NOT_THERE(nvmlDeviceGetFanSpeed, unsigned*)
NOT_THERE(nvmlDeviceGetPowerUsage, unsigned*)
NOT_THERE(nvmlDeviceGetTotalEnergyConsumption, unsigned long long*)
NOT_THERE(nvmlDeviceGetPowerManagementLimit, unsigned*)
NOT_THERE(nvmlDeviceGetPowerManagementDefaultLimit, unsigned*)
NOT_THERE(nvmlDeviceGetEnforcedPowerLimit, unsigned*)
NOT_THERE(nvmlDeviceSetPowerManagementLimit, unsigned)
NOT_THERE(nvmlDeviceGetClockInfo, nvmlClockType_t, unsigned*)
NOT_THERE(nvmlDeviceGetMaxClockInfo, nvmlClockType_t, unsigned*)
NOT_THERE(nvmlDeviceGetApplicationsClock, nvmlClockType_t, unsigned*)
NOT_THERE(nvmlDeviceSetApplicationsClocks, unsigned, unsigned)
NOT_THERE(nvmlDeviceResetApplicationsClocks)
NOT_THERE(nvmlDeviceGetSupportedMemoryClocks, unsigned*, unsigned*)
NOT_THERE(nvmlDeviceGetSupportedGraphicsClocks, unsigned, unsigned*, unsigned*)
NOT_THERE(nvmlDeviceGetAutoBoostedClocksEnabled, nvmlEnableState_t*, nvmlEnableState_t*)
NOT_THERE(nvmlDeviceGetPerformanceState, nvmlPstates_t*)
NOT_THERE(nvmlDeviceGetUtilizationRates, nvmlUtilization_t*)
NOT_THERE(nvmlDeviceGetPersistenceMode, nvmlEnableState_t*)
NOT_THERE(nvmlDeviceSetPersistenceMode, nvmlEnableState_t)
NOT_THERE(nvmlDeviceGetUUID, char*, unsigned)
NOT_THERE(nvmlDeviceGetSerial, char*, unsigned)
#undef NOT_THERE

}  // extern "C"
// SPDX-License-Identifier: MIT
