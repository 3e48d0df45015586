// expect: float2  1 request of 8 bytes, 1 of 4
// expect: int2    1 request of 8 bytes, 1 of 4
// expect: float4  1 request of 16 bytes, 2 of 4
// expect: int4    1 request of 16 bytes, 2 of 4
// expect: double2 1 request of 16 bytes, 1 of 8
// expect: ternary 1 request of 8 bytes, 1 of 4
// A vector that only some lanes may read whole is one access for these, though the others read a part of it: as nvcc
// has it. Read apart, the element that both sides share would cost another request, and race where only the owner of
// the whole may touch it.
#include <cstdio>

#include <gpusim/report.h>

__device__ __align__(16) unsigned char bytes[1024];

// 31 lanes read a vector of T, the last one reads its first elements.
template <class Vector, class T>
__global__ void sum(T* out) {
  const T* in = reinterpret_cast<const T*>(bytes);
  constexpr int width = sizeof(Vector) / sizeof(T);
  const int i = width * threadIdx.x;
  Vector v;
  if (i + width < 32 * width) {
    v = *reinterpret_cast<const Vector*>(in + i);
  } else {
    T* elements = reinterpret_cast<T*>(&v);
    elements[0] = in[i];
    for (int k = 1; k < width; ++k) elements[k] = k == 1 && width == 4 ? in[i + k] : T{};
  }
  T total = v.x + v.y;
  if constexpr (width == 4) total += v.z + v.w;
  out[threadIdx.x] = total;
}

// Assigned by what a ?: chooses.
__global__ void choose(float* out) {
  const float* in = reinterpret_cast<const float*>(bytes);
  const int i = 2 * threadIdx.x;
  float2 v;
  v = i + 2 < 64 ? *reinterpret_cast<const float2*>(in + i) : make_float2(in[i], 0);
  out[threadIdx.x] = v.x + v.y;
}

void show(const char* name, int wide, int narrow) {
  const gpusim::SectorTraffic& load = gpusim::last_report().total.global.load;
  const int narrow_requests = (int(load.bytes) - 31 * wide) / narrow;
  std::printf("%-7s %d request of %d bytes, %d of %d\n", name, int(load.requests) - narrow_requests, wide,
              narrow_requests, narrow);
}

int main() {
  void* out;
  cudaMalloc(&out, 32 * sizeof(double));
  gpusim::enable_reports();
  sum<float2><<<1, 32>>>(static_cast<float*>(out));
  show("float2", 8, 4);
  sum<int2><<<1, 32>>>(static_cast<int*>(out));
  show("int2", 8, 4);
  sum<float4><<<1, 32>>>(static_cast<float*>(out));
  show("float4", 16, 4);
  sum<int4><<<1, 32>>>(static_cast<int*>(out));
  show("int4", 16, 4);
  sum<double2><<<1, 32>>>(static_cast<double*>(out));
  show("double2", 16, 8);
  choose<<<1, 32>>>(static_cast<float*>(out));
  show("ternary", 8, 4);
  cudaFree(out);
}
// SPDX-License-Identifier: MIT
