// expect: mapped: 0 of 1024 wrong, registered: 0 of 1024 wrong
// expect: host 1, device 1, managed 1, of nobody 1
// expect: managed, used by both: 0 of 1024 wrong
//
// Memory of the host that kernels use, and what pointers say of themselves.
#include <cstdio>
#include <vector>

__global__ void triple(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] *= 3;
}

int main() {
  constexpr int n = 1024, bytes = n * sizeof(int);
  int *pinned, *seen, *seen_registered, *device, *managed;
  std::vector<int> own(n);
  cudaHostAlloc((void**)&pinned, bytes, cudaHostAllocMapped);
  cudaHostRegister(own.data(), bytes, cudaHostRegisterMapped);
  cudaHostGetDevicePointer((void**)&seen, pinned, 0);
  cudaHostGetDevicePointer((void**)&seen_registered, own.data(), 0);
  cudaMalloc(&device, bytes);
  cudaMallocManaged(&managed, bytes);
  for (int i = 0; i < n; ++i) pinned[i] = own[i] = managed[i] = i;
  triple<<<4, 256>>>(seen, n);
  triple<<<4, 256>>>(seen_registered, n);
  cudaDeviceSynchronize();
  int wrong[3] = {};
  for (int i = 0; i < n; ++i) wrong[0] += pinned[i] != 3 * i, wrong[1] += own[i] != 3 * i;
  std::printf("mapped: %d of %d wrong, registered: %d of %d wrong\n", wrong[0], n, wrong[1], n);
  const auto type = [](const void* pointer) {
    cudaPointerAttributes attributes;
    cudaPointerGetAttributes(&attributes, pointer);
    return attributes.type;
  };
  cudaHostUnregister(own.data());
  std::vector<int> other(n);
  std::printf("host %d, device %d, managed %d, of nobody %d\n", type(pinned) == cudaMemoryTypeHost,
              type(device) == cudaMemoryTypeDevice, type(managed) == cudaMemoryTypeManaged,
              type(other.data()) == cudaMemoryTypeUnregistered);
  for (int round = 0; round < 3; ++round) {
    triple<<<4, 256>>>(managed, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; ++i) managed[i] += 1;
  }
  for (int i = 0; i < n; ++i) wrong[2] += managed[i] != 27 * i + 13;
  std::printf("managed, used by both: %d of %d wrong\n", wrong[2], n);
}
// SPDX-License-Identifier: MIT
