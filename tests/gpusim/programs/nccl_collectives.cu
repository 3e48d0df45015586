// expect: 4 ranks, rank 2 on GPU 2
// expect: all-reduce: 10 10 10 10
// expect: product of ints: 24, largest double 4, mean of halves 2.5
// expect: reduce to 1: 10
// expect: broadcast from 3: 4 4 4 4
// expect: all-gather on 2: 1 2 3 4
// expect: reduce-scatter: 4 8 12 16
// expect: round the ring: 4 1 2 3
// expect: threads with an id: 100 100 100 100
// expect: after a kernel, before a kernel: 22 22 22 22, findings 0
// expect: all-reduce of 4 KiB moved 6144 bytes from GPU 0 to 1
#include <cstdio>
#include <thread>
#include <vector>

#include <cuda_fp16.h>
#include <gpusim/check.h>
#include <gpusim/devices.h>
#include <gpusim/report.h>
#include <nccl.h>

constexpr int kRanks = 4, kCount = 1024;

__global__ void fill(float* data, float value) { data[threadIdx.x] = value; }
__global__ void twice(float* data) { data[threadIdx.x] = 2 * data[threadIdx.x] + 2; }

float* in[kRanks];
float* out[kRanks];
cudaStream_t stream[kRanks];
ncclComm_t comm[kRanks];

template <class Each> void on_all(Each each) {
  ncclGroupStart();
  for (int r = 0; r < kRanks; ++r) {
    const ncclResult_t result = each(r);
    if (result) std::printf("%s\n", ncclGetErrorString(result));
  }
  ncclGroupEnd();
  for (int r = 0; r < kRanks; ++r) cudaStreamSynchronize(stream[r]);
}
template <class T = float> double value(int rank, int i = 0) {
  T x;
  cudaMemcpy(&x, reinterpret_cast<T*>(out[rank]) + i, sizeof x, cudaMemcpyDefault);
  return double(x);
}
void print(const char* what) {
  std::printf("%s: %g %g %g %g\n", what, value(0), value(1), value(2), value(3));
}
template <class T> void set(T (*make)(int)) {
  for (int r = 0; r < kRanks; ++r) {
    const std::vector<T> host(kCount, make(r));
    cudaMemcpy(in[r], host.data(), kCount * sizeof(T), cudaMemcpyDefault);
  }
}

int main() {
  gpusim::use_devices(kRanks);
  gpusim::enable_checks("all");
  for (int r = 0; r < kRanks; ++r) {
    cudaSetDevice(r);
    cudaMalloc(&in[r], kCount * sizeof(double));
    cudaMalloc(&out[r], kRanks * kCount * sizeof(double));
    cudaStreamCreate(&stream[r]);
  }
  ncclCommInitAll(comm, kRanks, nullptr);
  int count, rank, device;
  ncclCommCount(comm[2], &count);
  ncclCommUserRank(comm[2], &rank);
  ncclCommCuDevice(comm[2], &device);
  std::printf("%d ranks, rank %d on GPU %d\n", count, rank, device);

  set<float>([](int r) { return float(r + 1); });
  on_all([](int r) { return ncclAllReduce(in[r], out[r], kCount, ncclFloat, ncclSum, comm[r], stream[r]); });
  print("all-reduce");
  set<int>([](int r) { return r + 1; });
  on_all([](int r) { return ncclAllReduce(in[r], out[r], kCount, ncclInt, ncclProd, comm[r], stream[r]); });
  std::printf("product of ints: %g", value<int>(3));
  set<double>([](int r) { return double(r + 1); });
  on_all([](int r) { return ncclAllReduce(in[r], out[r], kCount, ncclDouble, ncclMax, comm[r], stream[r]); });
  std::printf(", largest double %g", value<double>(1, kCount - 1));
  set<__half>([](int r) { return __float2half(float(r + 1)); });
  on_all([](int r) { return ncclAllReduce(in[r], out[r], kCount, ncclHalf, ncclAvg, comm[r], stream[r]); });
  __half mean;
  cudaMemcpy(&mean, out[2], sizeof mean, cudaMemcpyDefault);
  std::printf(", mean of halves %g\n", double(__half2float(mean)));

  set<float>([](int r) { return float(r + 1); });
  on_all([](int r) { return ncclReduce(in[r], out[r], kCount, ncclFloat, ncclSum, 1, comm[r], stream[r]); });
  std::printf("reduce to 1: %g\n", value(1));
  on_all([](int r) { return ncclBroadcast(in[r], out[r], kCount, ncclFloat, 3, comm[r], stream[r]); });
  print("broadcast from 3");
  on_all([](int r) { return ncclAllGather(in[r], out[r], kCount, ncclFloat, comm[r], stream[r]); });
  std::printf("all-gather on 2: %g %g %g %g\n", value(2, 0), value(2, kCount), value(2, 2 * kCount), value(2, 3 * kCount));
  for (int r = 0; r < kRanks; ++r) {
    std::vector<float> host(kCount);
    for (int i = 0; i < kCount; ++i) host[i] = float(i / (kCount / kRanks) + 1);
    cudaMemcpy(in[r], host.data(), kCount * sizeof(float), cudaMemcpyDefault);
  }
  on_all([](int r) {
    return ncclReduceScatter(in[r], out[r], kCount / kRanks, ncclFloat, ncclSum, comm[r], stream[r]);
  });
  print("reduce-scatter");
  set<float>([](int r) { return float(r + 1); });
  on_all([](int r) {
    ncclSend(in[r], kCount, ncclFloat, (r + 1) % kRanks, comm[r], stream[r]);
    return ncclRecv(out[r], kCount, ncclFloat, (r + kRanks - 1) % kRanks, comm[r], stream[r]);
  });
  print("round the ring");

  ncclUniqueId id;
  ncclGetUniqueId(&id);
  std::vector<std::thread> threads;
  for (int r = kRanks; r-- > 0;)
    threads.emplace_back([=] {
      cudaSetDevice(r);
      ncclComm_t mine;
      ncclCommInitRank(&mine, kRanks, id, r);
      fill<<<1, kCount, 0, stream[r]>>>(in[r], 10.f * float(r + 1));
      ncclAllReduce(in[r], out[r], kCount, ncclFloat, ncclSum, mine, stream[r]);
      cudaStreamSynchronize(stream[r]);
      ncclCommDestroy(mine);
    });
  for (std::thread& t : threads) t.join();
  print("threads with an id");

  for (int r = 0; r < kRanks; ++r) {
    cudaSetDevice(r);
    fill<<<1, kCount, 0, stream[r]>>>(in[r], float(r + 1));
  }
  ncclGroupStart();
  for (int r = 0; r < kRanks; ++r)
    ncclAllReduce(in[r], out[r], kCount, ncclFloat, ncclSum, comm[r], stream[r]);
  ncclGroupEnd();
  for (int r = 0; r < kRanks; ++r) {
    cudaSetDevice(r);
    twice<<<1, kCount, 0, stream[r]>>>(out[r]);
    cudaStreamSynchronize(stream[r]);
  }
  std::printf("after a kernel, before a kernel: %g %g %g %g, findings %zu\n", value(0), value(1), value(2), value(3),
              gpusim::findings().size());
  gpusim::enable_reports();
  on_all([](int r) { return ncclAllReduce(in[r], out[r], kCount, ncclFloat, ncclSum, comm[r], stream[r]); });
  std::printf("all-reduce of 4 KiB moved %llu bytes from GPU 0 to 1\n",
              static_cast<unsigned long long>(gpusim::link_traffic()[0].bytes));
  for (int r = 0; r < kRanks; ++r) {
    ncclCommDestroy(comm[r]);
    cudaFree(in[r]);
    cudaFree(out[r]);
    cudaStreamDestroy(stream[r]);
  }
}
// SPDX-License-Identifier: MIT
