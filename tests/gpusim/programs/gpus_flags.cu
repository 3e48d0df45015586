// expect: one host thread: 10 10 10 10
// expect: a host thread for each GPU: 10 10 10 10
// expect: in turns of two instructions: 10 10 10 10
// expect: events between GPUs: 1 2 3 4
// expect: GPU 3 is late: cudaErrorLaunchTimeout
// expect: findings: 0
// expect-error: never ends: no running thread changes anything any more
// expect-error: GPU 1 waits in all_reduce, GPU 2 waits in all_reduce, GPU 3 runs no kernel
//
// Kernels of several GPUs that wait for each other: they run at the same time, whatever the host does.
#include <chrono>
#include <cstdio>
#include <thread>
#include <vector>

#include <gpusim/check.h>
#include <gpusim/devices.h>

constexpr int kGpus = 4, kCount = 64;

struct Rank {
  float* data[kGpus];            // of all ranks
  volatile unsigned* flag[kGpus];  // [rank][from]: how often `from` has come
};

// Tells all that this rank has come so far, and waits for them.
__device__ void meet(const Rank& r, int rank, unsigned round) {
  __syncthreads();
  if (threadIdx.x < kGpus) {
    __threadfence_system();
    r.flag[threadIdx.x][rank] = round;
    while (r.flag[rank][threadIdx.x] < round) {
    }
    __threadfence_system();
  }
  __syncthreads();
}

__global__ void all_reduce(Rank r, int rank, float value, unsigned round) {
  r.data[rank][threadIdx.x] = value;
  meet(r, rank, 2 * round + 1);
  float sum = 0;
  for (int k = 0; k < kGpus; ++k) sum += r.data[k][threadIdx.x];
  meet(r, rank, 2 * round + 2);  // before anybody overwrites what others read
  r.data[rank][threadIdx.x] = sum;
}

__global__ void add_to(float* out, const float* in) { out[threadIdx.x] = in ? in[threadIdx.x] + 1 : 1; }

void print(const char* what, const Rank& r) {
  std::printf("%s:", what);
  for (int g = 0; g < kGpus; ++g) {
    float value = 0;
    cudaMemcpy(&value, r.data[g] + kCount - 1, sizeof value, cudaMemcpyDefault);
    std::printf(" %g", value);
  }
  std::printf("\n");
}

int main() {
  gpusim::use_devices(kGpus);
  gpusim::enable_checks("all");
  Rank r;
  for (int g = 0; g < kGpus; ++g) {
    cudaSetDevice(g);
    for (int p = 0; p < kGpus; ++p)
      if (p != g) cudaDeviceEnablePeerAccess(p, 0);
    cudaMalloc(&r.data[g], kCount * sizeof(float));
    unsigned* flags;
    cudaMalloc(&flags, kGpus * sizeof *flags);
    cudaMemset(flags, 0, kGpus * sizeof *flags);
    r.flag[g] = flags;
    cudaDeviceSynchronize();
  }
  for (unsigned round = 0; round < 3; ++round)
    for (int g = 0; g < kGpus; ++g) {
      cudaSetDevice(g);
      all_reduce<<<1, kCount>>>(r, g, float(g + 1), round);
    }
  for (int g = 0; g < kGpus; ++g) {
    cudaSetDevice(g);
    cudaDeviceSynchronize();
  }
  print("one host thread", r);

  std::vector<std::thread> threads;
  for (int g = kGpus; g-- > 0;)
    threads.emplace_back([=] {
      cudaSetDevice(g);
      if (g == 1) std::this_thread::sleep_for(std::chrono::milliseconds(100));
      for (unsigned round = 3; round < 6; ++round) {
        all_reduce<<<1, kCount>>>(r, g, float(g + 1), round);
        cudaStreamSynchronize(nullptr);
      }
    });
  for (std::thread& t : threads) t.join();
  print("a host thread for each GPU", r);

  gpusim::set_turns({{2}});
  for (unsigned round = 6; round < 9; ++round)
    for (int g = 0; g < kGpus; ++g) {
      cudaSetDevice(g);
      all_reduce<<<1, kCount>>>(r, g, float(g + 1), round);
    }
  for (int g = 0; g < kGpus; ++g) {
    cudaSetDevice(g);
    cudaDeviceSynchronize();
  }
  gpusim::set_turns({});
  print("in turns of two instructions", r);

  cudaEvent_t done[kGpus];
  for (int g = 0; g < kGpus; ++g) {
    cudaSetDevice(g);
    cudaEventCreate(&done[g]);
    if (g > 0) cudaStreamWaitEvent(nullptr, done[g - 1], 0);
    add_to<<<1, kCount>>>(r.data[g], g > 0 ? r.data[g - 1] : nullptr);
    cudaEventRecord(done[g]);
  }
  cudaEventSynchronize(done[kGpus - 1]);
  print("events between GPUs", r);

  for (int g = 0; g < kGpus - 1; ++g) {
    cudaSetDevice(g);
    all_reduce<<<1, kCount>>>(r, g, 1, 9);
  }
  cudaSetDevice(0);
  std::printf("GPU 3 is late: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  std::printf("findings: %zu\n", gpusim::findings().size());
}
// SPDX-License-Identifier: MIT
