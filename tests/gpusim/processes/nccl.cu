// NCCL between processes, for processes_test.py: nccl WHAT, started by mpirun.
#include <mpi.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include <cuda_fp16.h>
#include <gpusim/devices.h>
#include <nccl.h>

namespace {

constexpr int kCount = 1000;
int rank = 0, ranks = 0;
std::string what;

void check(ncclResult_t result) {
  if (result == ncclSuccess) return;
  std::fprintf(stderr, "NCCL: %s\n", ncclGetErrorString(result));
  std::exit(1);
}
void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "CUDA: %s\n", cudaGetErrorName(error));
  std::exit(1);
}
void is(bool so, const char* text) {
  if (so) return;
  std::fprintf(stderr, "rank %d of %d: not so: %s\n", rank, ranks, text);
  std::exit(1);
}

ncclUniqueId shared_id() {
  ncclUniqueId id;
  if (rank == 0) check(ncclGetUniqueId(&id));
  MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, MPI_COMM_WORLD);
  return id;
}

template <class T> struct Array {
  T* data = nullptr;
  explicit Array(std::vector<T> host) {
    check(cudaMalloc(&data, host.size() * sizeof(T)));
    check(cudaMemcpy(data, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
  }
  T operator[](int i) const {
    T value;
    check(cudaMemcpy(&value, data + i, sizeof value, cudaMemcpyDeviceToHost));
    return value;
  }
};

__global__ void add(float* data, int n, float value) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) data[i] += value;
}
__global__ void keep_busy(float* data, int rounds) {
  float x = data[threadIdx.x];
  for (int k = 0; k < rounds; ++k) x = x * 0.5f + 1.0f;
  data[threadIdx.x] = x;
}

void collectives(ncclComm_t comm) {
  cudaStream_t stream;
  check(cudaStreamCreate(&stream));
  const int sum = ranks * (ranks + 1) / 2, last = ranks - 1;
  Array<float> in(std::vector<float>(kCount * ranks, float(rank + 1))),
      out(std::vector<float>(kCount * ranks, -1));
  // Kernels before and behind in the stream, and nobody waits.
  for (int round = 0; round < 3; ++round) {
    add<<<1, 64, 0, stream>>>(in.data, kCount, 1.0f);
    check(ncclAllReduce(in.data, out.data, kCount, ncclFloat, ncclSum, comm, stream));
    add<<<1, 64, 0, stream>>>(out.data, kCount, float(round));
  }
  check(cudaStreamSynchronize(stream));
  is(out[kCount - 1] == float(sum + 3 * ranks + 2), "all-reduce");
  Array<int> ints(std::vector<int>(8, rank + 1));
  check(ncclAllReduce(ints.data, ints.data, 8, ncclInt, ncclMax, comm, stream));
  check(cudaStreamSynchronize(stream));
  is(ints[7] == ranks, "largest int, in place");
  Array<__half> halves(std::vector<__half>(8, __float2half(float(rank))));
  check(ncclAllReduce(halves.data, halves.data, 8, ncclHalf, ncclAvg, comm, stream));
  check(cudaStreamSynchronize(stream));
  is(__half2float(halves[3]) == __half2float(__float2half(float(last) / 2)), "mean of halves");

  Array<float> mine(std::vector<float>(kCount * ranks, float(rank + 1)));
  check(ncclReduce(mine.data, out.data, kCount, ncclFloat, ncclSum, last, comm, stream));
  check(cudaStreamSynchronize(stream));
  is(rank != last || out[5] == float(sum), "reduce to the last");
  check(ncclBroadcast(mine.data, out.data, kCount, ncclFloat, last, comm, stream));
  check(cudaStreamSynchronize(stream));
  is(out[kCount - 1] == float(ranks), "broadcast of the last");
  check(ncclAllGather(mine.data, out.data, kCount, ncclFloat, comm, stream));
  check(cudaStreamSynchronize(stream));
  for (int r = 0; r < ranks; ++r) is(out[r * kCount + 1] == float(r + 1), "all-gather");
  check(ncclReduceScatter(mine.data, out.data, kCount, ncclFloat, ncclSum, comm, stream));
  check(cudaStreamSynchronize(stream));
  is(out[kCount - 1] == float(sum), "reduce-scatter");
  for (int round = 0; round < 3; ++round) {
    check(ncclGroupStart());
    check(ncclSend(mine.data, kCount, ncclFloat, (rank + 1) % ranks, comm, stream));
    check(ncclRecv(out.data, kCount, ncclFloat, (rank + last) % ranks, comm, stream));
    check(ncclGroupEnd());
    check(cudaStreamSynchronize(stream));
    is(out[kCount - 1] == float((rank + last) % ranks + 1), "round the ring");
  }
  // 4 MiB: more than MPI sends before its receiver asks.
  const int many = 1 << 20;
  Array<float> large(std::vector<float>(many, float(rank + 1)));
  check(ncclAllReduce(large.data, large.data, many, ncclFloat, ncclSum, comm, stream));
  check(cudaStreamSynchronize(stream));
  is(large[many - 1] == float(sum), "all-reduce of 4 MiB");
}

// Of every second process, in the opposite order; then each process for itself, though MPI goes on.
void parts_of_all() {
  const ncclUniqueId id = shared_id();
  const int half = (ranks + 1) / 2;
  float* data;
  check(cudaMalloc(&data, sizeof(float)));
  if (rank % 2 == 0) {
    ncclComm_t comm;
    check(ncclCommInitRank(&comm, half, id, half - 1 - rank / 2));
    check(cudaMemset(data, 0, sizeof(float)));
    add<<<1, 1>>>(data, 1, float(rank));
    check(ncclAllReduce(data, data, 1, ncclFloat, ncclSum, comm, nullptr));
    float sum = 0;
    check(cudaMemcpy(&sum, data, sizeof sum, cudaMemcpyDeviceToHost));
    is(sum == float(half * (half - 1)), "sum of every second rank");
    check(ncclCommDestroy(comm));
  }
  ncclUniqueId own;
  ncclComm_t alone;
  check(ncclGetUniqueId(&own));
  check(ncclCommInitRank(&alone, 1, own, 0));
  check(ncclAllReduce(data, data, 1, ncclFloat, ncclSum, alone, nullptr));
  check(cudaDeviceSynchronize());
  check(ncclCommDestroy(alone));
}

// Two GPUs for each process.
void two_gpus_each() {
  gpusim::use_devices(2);
  const ncclUniqueId id = shared_id();
  ncclComm_t comm[2];
  float* data[2];
  check(ncclGroupStart());
  for (int g = 0; g < 2; ++g) {
    check(cudaSetDevice(g));
    check(ncclCommInitRank(&comm[g], 2 * ranks, id, 2 * rank + g));
  }
  check(ncclGroupEnd());
  for (int g = 0; g < 2; ++g) {
    check(cudaSetDevice(g));
    check(cudaMalloc(&data[g], kCount * sizeof(float)));
    check(cudaMemset(data[g], 0, kCount * sizeof(float)));
    add<<<1, 32>>>(data[g], kCount, float(2 * rank + g));
  }
  check(ncclGroupStart());
  for (int g = 0; g < 2; ++g)
    check(ncclAllReduce(data[g], data[g], kCount, ncclFloat, ncclSum, comm[g], nullptr));
  check(ncclGroupEnd());
  for (int g = 0; g < 2; ++g) {
    float sum = 0;
    check(cudaSetDevice(g));
    check(cudaMemcpy(&sum, data[g] + kCount - 1, sizeof sum, cudaMemcpyDeviceToHost));
    is(sum == float(ranks * (2 * ranks - 1)), "sum of two GPUs of each process");
    check(ncclCommDestroy(comm[g]));
  }
}

}  // namespace

int main(int argc, char** argv) {
  what = argc > 1 ? argv[1] : "";
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (what == "two GPUs each") {
    two_gpus_each();
  } else {
    const ncclUniqueId id = shared_id();
    if (rank == 2 && what == "no communicator") return MPI_Finalize();
    if (rank == 2 && what == "late") usleep(1'500'000);
    ncclComm_t comm;
    check(ncclCommInitRank(&comm, what == "number of ranks" && rank == 2 ? ranks - 1 : ranks, id,
                           what == "twice" ? 0 : rank));
    Array<float> data(std::vector<float>(kCount, 1.0f));
    if (rank == 2 && what == "dies") std::raise(SIGKILL);
    if (rank == 2 && what == "late") usleep(1'500'000);
    if (rank == 2 && what == "busy") keep_busy<<<64, 64>>>(data.data, 800'000);
    if (rank == 2 && what == "busy") check(cudaMemset(data.data, 0, sizeof(float)));
    if (what == "all") collectives(comm);
    const int count = rank == 2 && what == "counts" ? 8 : 16;
    if (rank == 2 && what == "another call")
      check(ncclBroadcast(data.data, data.data, 16, ncclFloat, 0, comm, nullptr));
    else if (rank == 2 && what == "another type")
      check(ncclAllReduce(data.data, data.data, 16, ncclInt, ncclSum, comm, nullptr));
    else if (what == "receives" && rank == 1) check(ncclRecv(data.data, 16, ncclFloat, 2, comm, nullptr));
    else if (what != "receives" && !(rank == 2 && what == "absent"))
      check(ncclAllReduce(data.data, data.data, count, ncclFloat, ncclSum, comm, nullptr));
    check(cudaDeviceSynchronize());
    check(ncclCommDestroy(comm));
    if (what == "all") parts_of_all();
  }
  MPI_Finalize();
  if (rank == 0) std::printf("right\n");
}
// SPDX-License-Identifier: MIT
