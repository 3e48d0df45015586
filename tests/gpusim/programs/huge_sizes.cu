// options: -lcuda
// expect: 0 of 62 calls did otherwise
// expect: memory used by them: 0 bytes
// expect: read far away: 0 of 144 numbers are not of the texture
// expect: 4 GiB, 300 times: 0 failed, on GPU 0 all; the one kept is as it was: yes
//
// Sizes whose products wrap round, and others that no memory has: each call refuses them, as the CUDA Runtime API
// documents, and none wraps, crashes, or allocates what nobody asked for.
#include <cuda.h>

#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdio>

constexpr size_t kHalf = size_t(1) << 63, kRoot = size_t(1) << 32, kMost = SIZE_MAX;

int calls = 0, wrong = 0;
void expect(const char* what, cudaError_t wanted, cudaError_t got) {
  ++calls;
  if (got == wanted) return;
  ++wrong;
  std::printf("%s: %s, not %s\n", what, cudaGetErrorName(got), cudaGetErrorName(wanted));
}
#define REFUSED(call) expect(#call, cudaErrorInvalidValue, call)
#define NO_MEMORY(call) expect(#call, cudaErrorMemoryAllocation, call)
// The driver's numbers are the runtime's.
#define DRIVER_REFUSES(call) expect(#call, cudaErrorInvalidValue, cudaError_t(call))
#define DRIVER_NO_MEMORY(call) expect(#call, cudaErrorMemoryAllocation, cudaError_t(call))

__global__ void nothing(int) {}
__device__ int variable[4];

__constant__ float far_away[9] = {INFINITY, -INFINITY, NAN, 1e30f, -1e30f, 3e38f, -3e38f, -0.0f, -1e-30f};
__global__ void read(cudaTextureObject_t texture, float* out) {
  for (int i = 0; i < 9; ++i) out[i] = tex2D<float>(texture, far_away[i], far_away[8 - i]);
}

void allocations() {
  void* pointer = nullptr;
  size_t pitch = 0;
  cudaPitchedPtr pitched;
  for (const size_t size : {kMost, kMost - 1, kMost - 511, kHalf, size_t(1) << 40}) {
    NO_MEMORY(cudaMalloc(&pointer, size));
    NO_MEMORY(cudaMallocHost(&pointer, size));
    NO_MEMORY(cudaMallocManaged(&pointer, size));
    NO_MEMORY(cudaMallocAsync(&pointer, size, nullptr));
    DRIVER_NO_MEMORY(cuMemAlloc((CUdeviceptr*)&pointer, size));
  }
  NO_MEMORY(cudaMallocPitch(&pointer, &pitch, kRoot, kRoot));
  NO_MEMORY(cudaMallocPitch(&pointer, &pitch, 1, kMost));
  REFUSED(cudaMallocPitch(&pointer, &pitch, kMost, 1));
  NO_MEMORY(cudaMalloc3D(&pitched, {kRoot, kRoot, 1}));
  NO_MEMORY(cudaMalloc3D(&pitched, {1, kRoot, kRoot}));
  NO_MEMORY(cudaMalloc3D(&pitched, {512, kHalf, 2}));
  cudaArray_t array;
  const cudaChannelFormatDesc four = cudaCreateChannelDesc<float4>();
  REFUSED(cudaMallocArray(&array, &four, kRoot, kRoot));
  REFUSED(cudaMallocArray(&array, &four, kMost));
  REFUSED(cudaMalloc3DArray(&array, &four, {kRoot, kRoot, kRoot}));
  NO_MEMORY(cudaMalloc3DArray(&array, &four, {131072, 65536, 16384}));
  for (const cudaChannelFormatDesc& format :
       {cudaChannelFormatDesc{8, -8, 0, 0, cudaChannelFormatKindUnsigned}, {32, INT_MAX, INT_MAX, 34, cudaChannelFormatKindFloat}})
    expect("a format of such bits", cudaErrorInvalidChannelDescriptor, cudaMallocArray(&array, &format, 8));
}

void copies(char* memory) {
  static char host[64];
  REFUSED(cudaMemset(memory, 0, kMost));
  REFUSED(cudaMemset2D(memory, kHalf, 0, 1, 3));
  REFUSED(cudaMemset2D(memory, kRoot, 0, 1, kRoot + 1));
  REFUSED(cudaMemset3D({memory, kRoot, kRoot, kRoot}, 0, {1, 1, 2}));
  REFUSED(cudaMemcpy2D(memory, kHalf, host, 1, 1, 3, cudaMemcpyHostToDevice));
  REFUSED(cudaMemcpy(memory, host, kMost, cudaMemcpyHostToDevice));
  REFUSED(cudaMemcpyToSymbol(variable, host, 16, kMost - 7));
  cudaMemcpy3DParms box = {};
  box.srcPtr = {host, 8, 8, 8}, box.dstPtr = {memory, 8, 8, 8}, box.kind = cudaMemcpyHostToDevice;
  box.extent = {8, 1, 1}, box.dstPos = {0, kRoot, kRoot};
  REFUSED(cudaMemcpy3D(&box));
  box.dstPos = {0, kHalf / 4, 0};
  REFUSED(cudaMemcpy3D(&box));
  REFUSED(cudaHostRegister(host, kMost, 0));
  REFUSED(cudaHostRegister((void*)4096, 4096, 0));  // the process has nothing there
  DRIVER_REFUSES(cuMemsetD32((CUdeviceptr)memory, 7, kMost / 4 + 2));
  DRIVER_REFUSES(cuMemsetD32((CUdeviceptr)memory, 7, size_t(1) << 40));
  DRIVER_REFUSES(cuMemcpyHtoD((CUdeviceptr)memory, host, kMost));
}

void nodes(char* memory) {
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  cudaGraphNode_t node;
  for (const size_t width : {kHalf, kMost / 4 + 2}) {
    const cudaMemsetParams fill = {memory, kMost, 7, 4, width, 2};
    cudaGraphCreate(&graph, 0);
    cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &fill);
    cudaGraphInstantiate(&ready, graph, 0);
    REFUSED(cudaGraphLaunch(ready, nullptr));
    cudaGraphExecDestroy(ready);
    cudaGraphDestroy(graph);
  }
}

void objects(char* memory) {
  cudaTextureObject_t texture;
  const cudaTextureDesc how = {};
  cudaResourceDesc what = {};
  what.resType = cudaResourceTypePitch2D;
  what.res.pitch2D = {memory, cudaCreateChannelDesc<float4>(), kRoot, kRoot, kRoot};
  REFUSED(cudaCreateTextureObject(&texture, &what, &how, nullptr));
  what.res.pitch2D.desc = {32, -32, 0, 0, cudaChannelFormatKindFloat};
  REFUSED(cudaCreateTextureObject(&texture, &what, &how, nullptr));
  what.resType = cudaResourceTypeLinear;
  what.res.linear = {memory, cudaCreateChannelDesc<float>(), kMost};
  REFUSED(cudaCreateTextureObject(&texture, &what, &how, nullptr));
}

// In every address mode, with every filter: an element, something between two, what is beyond the border, or no number.
void far_coordinates() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  const float elements[6] = {1, 2, 3, 4, 5, 6};
  cudaArray_t array;
  float* out;
  cudaMallocArray(&array, &format, 3, 2);
  cudaMemcpyToArray(array, 0, 0, elements, sizeof elements, cudaMemcpyHostToDevice);
  cudaMallocManaged(&out, 9 * sizeof(float));
  int numbers = 0, others = 0;
  for (int which = 0; which < 16; ++which) {
    cudaResourceDesc what = {};
    what.resType = cudaResourceTypeArray, what.res.array.array = array;
    cudaTextureDesc how = {};
    how.addressMode[0] = how.addressMode[1] = cudaTextureAddressMode(which % 4);
    how.filterMode = cudaTextureFilterMode(which / 4 % 2), how.normalizedCoords = which / 8;
    cudaTextureObject_t texture;
    cudaCreateTextureObject(&texture, &what, &how, nullptr);
    read<<<1, 1>>>(texture, out);
    const bool works = cudaDeviceSynchronize() == cudaSuccess;
    for (int i = 0; i < 9; ++i, ++numbers) others += !works || out[i] < 0 || out[i] > 6;
    cudaDestroyTextureObject(texture);
  }
  cudaFreeArray(array), cudaFree(out);
  std::printf("read far away: %d of %d numbers are not of the texture\n", others, numbers);
}

void launches() {
  void* none[] = {nullptr};
  REFUSED(cudaLaunchKernel((void*)nothing, 1, 1, nullptr, 0, nullptr));
  REFUSED(cudaLaunchKernel((void*)nothing, 1, 1, none, 0, nullptr));
  REFUSED(cudaLaunchKernel((void*)nothing, 1, 1, none, kRoot, nullptr));
  int blocks = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 32, kMost);
  CUmodule module;  // files without an end, or that are none
  expect("a folder as a module", cudaErrorFileNotFound, cudaError_t(cuModuleLoad(&module, "/")));
  expect("a device as a module", cudaErrorFileNotFound, cudaError_t(cuModuleLoad(&module, "/dev/zero")));
  expect("no block with so much shared memory", cudaSuccess, blocks == 0 ? cudaSuccess : cudaErrorUnknown);
}

// Addresses come again after a terabyte: they stay those of this GPU, and what is live keeps its own.
void many_times() {
  int *kept, failed = 0, elsewhere = 0, value = 42;
  cudaMalloc(&kept, sizeof value);
  cudaMemcpy(kept, &value, sizeof value, cudaMemcpyHostToDevice);
  for (int i = 0; i < 300; ++i) {
    void* pointer = nullptr;
    cudaPointerAttributes attributes = {};
    failed += cudaMalloc(&pointer, size_t(4) << 30) != cudaSuccess;
    elsewhere += cudaPointerGetAttributes(&attributes, pointer) != cudaSuccess || attributes.device != 0 ||
                 attributes.type != cudaMemoryTypeDevice;
    failed += cudaFree(pointer) != cudaSuccess;
  }
  value = 0;
  cudaMemcpy(&value, kept, sizeof value, cudaMemcpyDeviceToHost);
  cudaFree(kept);
  std::printf("4 GiB, 300 times: %d failed, on GPU 0 %s; the one kept is as it was: %s\n", failed,
              elsewhere == 0 ? "all" : "not all", value == 42 ? "yes" : "no");
}

int main() {
  CUdevice device;
  CUcontext context;
  cuInit(0), cuDeviceGet(&device, 0), cuDevicePrimaryCtxRetain(&context, device);
  char* memory;
  cudaMalloc(&memory, 64);
  void* address;
  cudaGetSymbolAddress(&address, variable);  // from now on it has its memory
  size_t before, after, total;
  cudaMemGetInfo(&before, &total);
  allocations();
  copies(memory);
  nodes(memory);
  objects(memory);
  launches();
  cudaMemGetInfo(&after, &total);
  std::printf("%d of %d calls did otherwise\nmemory used by them: %zu bytes\n", wrong, calls, before - after);
  far_coordinates();
  many_times();
}
// SPDX-License-Identifier: MIT
