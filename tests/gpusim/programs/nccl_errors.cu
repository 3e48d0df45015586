// expect: no group: invalid usage (run with NCCL_DEBUG=WARN for details)
// expect: buffer too short: invalid argument (run with NCCL_DEBUG=WARN for details)
// expect: rank 4: invalid argument (run with NCCL_DEBUG=WARN for details)
// expect: twice on a GPU: invalid usage (run with NCCL_DEBUG=WARN for details)
// expect: ncclAllReduce, call 1: rank 2 gives 8 elements, rank 0 16
// expect: cudaErrorLaunchFailure
// expect: ncclAllReduce, call 1 of 4 ranks: rank 2 never came
// expect: cudaErrorLaunchTimeout
// expect: ncclRecv of rank 1: rank 0 never came
// expect-error: ncclAllReduce: one host thread calls for ranks 0 and 1, and the first call may wait for the second: put ncclGroupStart() and ncclGroupEnd() around both
// expect-error: ncclReduce of rank 0: the buffer to send is of 4096 bytes, which do not lie there in memory of a GPU
// expect-error: ncclBroadcast of rank 0: there is no rank 4, but 0 to 3
// expect-error: NCCL: ranks 0 and 1 are both on GPU 2
// expect-error: gpusim: ncclAllReduce, call 1 of 4 ranks: rank 2 never came
#include <cstdio>

#include <gpusim/devices.h>
#include <nccl.h>

constexpr int kRanks = 4;

float* data[kRanks];
ncclComm_t comm[kRanks];

void begin() {
  for (int r = 0; r < kRanks; ++r) {
    cudaSetDevice(r);
    cudaDeviceReset();
    cudaMalloc(&data[r], 16 * sizeof(float));
  }
  ncclCommInitAll(comm, kRanks, nullptr);
}
void end() {
  cudaSetDevice(0);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n%s\n", ncclGetLastError(comm[0]), cudaGetErrorName(error));
  cudaGetLastError();
}

int main() {
  gpusim::use_devices(kRanks);
  begin();
  ncclComm_t other[2];
  const int devices[2] = {2, 2};
  ncclAllReduce(data[0], data[0], 16, ncclFloat, ncclSum, comm[0], nullptr);
  std::printf("no group: %s\n",
              ncclGetErrorString(ncclAllReduce(data[1], data[1], 16, ncclFloat, ncclSum, comm[1], nullptr)));
  ncclGroupStart();
  for (int r = 1; r < kRanks; ++r) ncclAllReduce(data[r], data[r], 16, ncclFloat, ncclSum, comm[r], nullptr);
  ncclGroupEnd();
  std::printf("buffer too short: %s\n",
              ncclGetErrorString(ncclReduce(data[0], data[0], 1024, ncclFloat, ncclSum, 0, comm[0], nullptr)));
  std::printf("rank 4: %s\n",
              ncclGetErrorString(ncclBroadcast(data[0], data[0], 16, ncclFloat, 4, comm[0], nullptr)));
  std::printf("twice on a GPU: %s\n", ncclGetErrorString(ncclCommInitAll(other, 2, devices)));

  begin();
  ncclGroupStart();
  for (int r = 0; r < kRanks; ++r)
    ncclAllReduce(data[r], data[r], r == 2 ? 8 : 16, ncclFloat, ncclSum, comm[r], nullptr);
  ncclGroupEnd();
  end();

  begin();
  ncclGroupStart();
  for (int r = 0; r < kRanks; ++r)
    if (r != 2) ncclAllReduce(data[r], data[r], 16, ncclFloat, ncclSum, comm[r], nullptr);
  ncclGroupEnd();
  end();

  begin();
  ncclRecv(data[1], 16, ncclFloat, 0, comm[1], nullptr);
  cudaSetDevice(1);
  cudaDeviceSynchronize();
  std::printf("%s\n", ncclGetLastError(comm[1]));
}
// SPDX-License-Identifier: MIT
