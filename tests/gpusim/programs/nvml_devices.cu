// expect: before it is set up: Uninitialized
// expect: 1 GPU, the same name, compute capability 8.0, the same memory: yes
// expect: its number: 0, by its bus: 0, an unknown bus: Not Found
// expect: no GPU 1: Invalid Argument
// expect: a name of 4 letters: Insufficient Size
// expect: power, temperature, clock: Not Supported, Not Supported, Not Supported
// expect: shut down: Success, again: Uninitialized
//
// What the management library says of a simulated GPU, and that it has no sensors.
#include <nvml.h>

#include <cstdio>
#include <cstring>

int main() {
  unsigned count = 0, value = 0;
  std::printf("before it is set up: %s\n", nvmlErrorString(nvmlDeviceGetCount(&count)));
  nvmlInit();
  nvmlDeviceGetCount(&count);
  nvmlDevice_t gpu, other;
  nvmlDeviceGetHandleByIndex(0, &gpu);

  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  char name[NVML_DEVICE_NAME_BUFFER_SIZE] = "";
  nvmlDeviceGetName(gpu, name, sizeof name);
  int major = 0, minor = 0;
  nvmlDeviceGetCudaComputeCapability(gpu, &major, &minor);
  nvmlMemory_t memory = {};
  nvmlDeviceGetMemoryInfo(gpu, &memory);
  const bool same_memory = memory.total == properties.totalGlobalMem && memory.free + memory.used == memory.total;
  std::printf("%u GPU, %s name, compute capability %d.%d, the same memory: %s\n", count,
              std::strcmp(name, properties.name) ? "another" : "the same", major, minor, same_memory ? "yes" : "no");

  unsigned index = 7, by_bus = 7;
  nvmlPciInfo_t pci = {};
  nvmlDeviceGetIndex(gpu, &index);
  nvmlDeviceGetPciInfo(gpu, &pci);
  char bus[32];
  cudaDeviceGetPCIBusId(bus, sizeof bus, 0);
  nvmlDeviceGetHandleByPciBusId(bus, &other);
  nvmlDeviceGetIndex(other, &by_bus);
  std::printf("its number: %u, by its bus: %u, an unknown bus: %s\n", index, by_bus,
              nvmlErrorString(nvmlDeviceGetHandleByPciBusId("0000:fe:1d.0", &other)));
  std::printf("no GPU 1: %s\n", nvmlErrorString(nvmlDeviceGetHandleByIndex(1, &other)));
  std::printf("a name of 4 letters: %s\n", nvmlErrorString(nvmlDeviceGetName(gpu, name, 4)));
  std::printf("power, temperature, clock: %s, %s, %s\n", nvmlErrorString(nvmlDeviceGetPowerUsage(gpu, &value)),
              nvmlErrorString(nvmlDeviceGetTemperature(gpu, NVML_TEMPERATURE_GPU, &value)),
              nvmlErrorString(nvmlDeviceGetClockInfo(gpu, NVML_CLOCK_SM, &value)));
  const nvmlReturn_t first = nvmlShutdown(), second = nvmlShutdown();
  std::printf("shut down: %s, again: %s\n", nvmlErrorString(first), nvmlErrorString(second));
}
// SPDX-License-Identifier: MIT
