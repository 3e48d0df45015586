// NCCL by its calls: communicators and what they know, every type and operation on two ranks, and misuse. (More ranks and
// sizes: programs/nccl_*.cu. Behind several_gpus.cpp, whose first lines say why.)
#include <doctest/doctest.h>
#include <nccl.h>

#include <gpusim/devices.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "runtime_module.h"
#include "standard_error.h"

using namespace runtime_test;

namespace {

struct TwoRanks : FreshDevice {
  ncclComm_t comm[2] = {};
  void* data[2] = {};

  TwoRanks() {
    gpusim::use_devices(2);
    for (int gpu : {0, 1}) {
      on(gpu);
      REQUIRE(cudaMalloc(&data[gpu], 64) == cudaSuccess);
    }
    on(0);
    REQUIRE(ncclCommInitAll(comm, 2, nullptr) == ncclSuccess);
  }
  ~TwoRanks() {
    for (ncclComm_t each : comm) CHECK(ncclCommDestroy(each) == ncclSuccess);
    for (int gpu : {1, 0}) on(gpu), cudaDeviceReset();
    gpusim::use_devices(1);
  }
  static void on(int gpu) { REQUIRE(cudaSetDevice(gpu) == cudaSuccess); }

  // The elements of rank 0 after both have called; they begin with a and b.
  template <class E, class Call> std::vector<E> after(const std::vector<E>& a, const std::vector<E>& b,
                                                      Call call) {
    CHECK(cudaMemcpy(data[0], a.data(), a.size() * sizeof(E), cudaMemcpyHostToDevice) == cudaSuccess);
    CHECK(cudaMemcpy(data[1], b.data(), b.size() * sizeof(E), cudaMemcpyHostToDevice) == cudaSuccess);
    CHECK(ncclGroupStart() == ncclSuccess);
    for (int rank : {0, 1}) CHECK(call(data[rank], comm[rank], rank) == ncclSuccess);
    CHECK(ncclGroupEnd() == ncclSuccess);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    std::vector<E> result(a.size());
    CHECK(cudaMemcpy(result.data(), data[0], a.size() * sizeof(E), cudaMemcpyDeviceToHost) == cudaSuccess);
    return result;
  }
  // 6 and 2 of a type, by each operation, and 2 and 6.
  template <class E> void reduces(ncclDataType_t type, E two, E four, E six, E eight, E twelve) {
    const std::vector<E> a = {six, two}, b = {two, six};
    const auto by = [&](ncclRedOp_t operation) {
      return after(a, b, [&](void* at, ncclComm_t c, int) {
        return ncclAllReduce(at, at, 2, type, operation, c, nullptr);
      });
    };
    CHECK(by(ncclSum) == std::vector<E>{eight, eight});
    CHECK(by(ncclProd) == std::vector<E>{twelve, twelve});
    CHECK(by(ncclMax) == std::vector<E>{six, six});
    CHECK(by(ncclMin) == std::vector<E>{two, two});
    CHECK(by(ncclAvg) == std::vector<E>{four, four});
  }
};
void refused(ncclResult_t expected, const std::string& why, ncclResult_t result, ncclComm_t comm) {
  CHECK(result == expected);
  CHECK(std::string(ncclGetLastError(comm)) == why);
}

}  // namespace

TEST_CASE("results of NCCL have texts, and a version") {
  int version = 0;
  CHECK(ncclGetVersion(&version) == ncclSuccess);
  CHECK(version == NCCL_VERSION_CODE);
  CHECK(ncclGetVersion(nullptr) == ncclInvalidArgument);
  const auto text = [](int result) { return std::string(ncclGetErrorString(ncclResult_t(result))); };
  CHECK(text(ncclSuccess) == "no error");
  CHECK(text(ncclUnhandledCudaError) == "unhandled cuda error (run with NCCL_DEBUG=INFO for details)");
  CHECK(text(ncclSystemError) == "unhandled system error (run with NCCL_DEBUG=INFO for details)");
  CHECK(text(ncclInternalError) == "internal error - please report this issue to the NCCL developers");
  CHECK(text(ncclInvalidArgument) == "invalid argument (run with NCCL_DEBUG=WARN for details)");
  CHECK(text(ncclInvalidUsage) == "invalid usage (run with NCCL_DEBUG=WARN for details)");
  CHECK(text(ncclRemoteError) == "remote process exited or there was a network error");
  CHECK(text(ncclInProgress) == "NCCL operation in progress");
  CHECK(text(100) == "unknown result code");
}

TEST_CASE_FIXTURE(TwoRanks, "a communicator knows its ranks and GPU until it is destroyed") {
  int number = -1;
  ncclResult_t error = ncclInternalError;
  CHECK(ncclCommCount(comm[1], &number) == ncclSuccess);
  CHECK(number == 2);
  CHECK(ncclCommCuDevice(comm[1], &number) == ncclSuccess);
  CHECK(number == 1);
  CHECK(ncclCommUserRank(comm[0], &number) == ncclSuccess);
  CHECK(number == 0);
  CHECK(ncclCommGetAsyncError(comm[0], &error) == ncclSuccess);
  CHECK(error == ncclSuccess);
  CHECK(ncclCommFinalize(comm[0]) == ncclSuccess);
  CHECK(ncclCommCount(comm[1], nullptr) == ncclInvalidArgument);
  CHECK(ncclCommCuDevice(comm[1], nullptr) == ncclInvalidArgument);
  CHECK(ncclCommUserRank(comm[1], nullptr) == ncclInvalidArgument);
  CHECK(ncclCommGetAsyncError(comm[1], nullptr) == ncclInvalidArgument);
  const ncclComm_t none = nullptr;
  CHECK(ncclCommCount(none, &number) == ncclInvalidArgument);
  CHECK(ncclCommCuDevice(none, &number) == ncclInvalidArgument);
  CHECK(ncclCommUserRank(none, &number) == ncclInvalidArgument);
  CHECK(ncclCommGetAsyncError(none, &error) == ncclInvalidArgument);
  refused(ncclInvalidArgument, "ncclCommDestroy: this is no communicator", ncclCommDestroy(none), none);
  refused(ncclInvalidArgument, "ncclCommFinalize: this is no communicator", ncclCommFinalize(none), none);
  refused(ncclInvalidArgument, "ncclBroadcast: this is no communicator",
          ncclBcast(data[0], 1, ncclInt, 0, none, nullptr), none);
}

TEST_CASE_FIXTURE(TwoRanks, "communicators are made of an id, ranks and GPUs that there are") {
  ncclUniqueId id = {}, other = {};
  ncclComm_t made[2] = {}, none = nullptr;
  refused(ncclInvalidArgument, "ncclGetUniqueId: a null pointer", ncclGetUniqueId(nullptr), none);
  REQUIRE(ncclGetUniqueId(&id) == ncclSuccess);
  refused(ncclInvalidArgument, "ncclCommInitRank: there is no rank 2 of 2", ncclCommInitRank(&none, 2, id, 2),
          none);
  refused(ncclInvalidArgument, "ncclCommInitRank: there is no rank -1 of 2",
          ncclCommInitRank(&none, 2, id, -1), none);
  refused(ncclInvalidArgument, "ncclCommInitRank: there is no rank 0 of 0", ncclCommInitRank(&none, 0, id, 0),
          none);
  refused(ncclInvalidArgument, "ncclCommInitRank: there is no rank 0 of 2",
          ncclCommInitRank(nullptr, 2, id, 0), none);
  CHECK(ncclCommInitRank(&none, 1 << 20, id, 0) == ncclInvalidArgument);
  CHECK(std::string(ncclGetLastError(none)).find("there cannot be 1048576 ranks, but ") != std::string::npos);
  refused(ncclInvalidArgument, "ncclCommInitRank: this id is not one of ncclGetUniqueId",
          ncclCommInitRank(&none, 2, other, 0), none);
  CHECK(none == nullptr);
  REQUIRE(ncclCommInitRank(&made[0], 2, id, 0) == ncclSuccess);
  refused(ncclInvalidArgument, "ncclCommInitRank: rank 1 says there are 3 ranks, another 2",
          ncclCommInitRank(&none, 3, id, 1), none);
  refused(ncclInvalidUsage, "NCCL: rank 0 of a communicator is made twice", ncclCommInitRank(&none, 2, id, 0),
          none);
  refused(ncclInvalidUsage, "NCCL: ranks 0 and 1 are both on GPU 0", ncclCommInitRank(&none, 2, id, 1), none);
  on(1);
  REQUIRE(ncclCommInitRank(&made[1], 2, id, 1) == ncclSuccess);
  on(0);
  for (ncclComm_t each : made) CHECK(ncclCommAbort(each) == ncclSuccess);
  const int far[] = {0, 7};
  refused(ncclInvalidArgument, "ncclCommInitAll: a null pointer, or no GPU", ncclCommInitAll(nullptr, 2, far),
          none);
  refused(ncclInvalidArgument, "ncclCommInitAll: a null pointer, or no GPU", ncclCommInitAll(made, 0, far),
          none);
  refused(ncclInvalidArgument, "ncclCommInitAll: there is no GPU 7 (GPUSIM_DEVICES=N gives N)",
          ncclCommInitAll(made, 2, far), none);
  refused(ncclInvalidArgument, "ncclCommInitAll: there is no GPU 2 (GPUSIM_DEVICES=N gives N)",
          ncclCommInitAll(made, 3, nullptr), none);
}

TEST_CASE_FIXTURE(TwoRanks, "every type is added, multiplied, compared and averaged") {
  reduces<int8_t>(ncclInt8, 2, 4, 6, 8, 12);
  reduces<uint8_t>(ncclUint8, 2, 4, 6, 8, 12);
  reduces<int32_t>(ncclInt32, 2, 4, 6, 8, 12);
  reduces<uint32_t>(ncclUint32, 2, 4, 6, 8, 12);
  reduces<int64_t>(ncclInt64, 2, 4, 6, 8, 12);
  reduces<uint64_t>(ncclUint64, 2, 4, 6, 8, 12);
  reduces<float>(ncclFloat32, 2, 4, 6, 8, 12);
  reduces<double>(ncclFloat64, 2, 4, 6, 8, 12);
  reduces<uint16_t>(ncclFloat16, 0x4000, 0x4400, 0x4600, 0x4800, 0x4a00);
  reduces<uint16_t>(ncclBfloat16, 0x4000, 0x4080, 0x40c0, 0x4100, 0x4140);
}

TEST_CASE_FIXTURE(TwoRanks, "one rank's numbers go to the others, in place too") {
  using Ints = std::vector<int>;
  CHECK(after<int>({1, 2}, {3, 4}, [](void* at, ncclComm_t c, int) {
          return ncclBcast(at, 2, ncclInt, 1, c, nullptr);
        }) == Ints{3, 4});
  CHECK(after<int>({1, 2}, {3, 4}, [](void* at, ncclComm_t c, int) {
          return ncclReduce(at, at, 2, ncclInt, ncclSum, 1, c, nullptr);
        }) == Ints{1, 2});  // the sum is at rank 1
  CHECK(after<int>({1, 2, 0, 0}, {3, 4, 0, 0}, [](void* at, ncclComm_t c, int) {
          return ncclAllGather(at, static_cast<int*>(at) + 2, 1, ncclInt, c, nullptr);
        }) == Ints{1, 2, 1, 3});
  CHECK(after<int>({1, 2, 0, 0}, {3, 4, 0, 0}, [](void* at, ncclComm_t c, int) {
          return ncclReduceScatter(at, static_cast<int*>(at) + 2, 1, ncclInt, ncclProd, c, nullptr);
        }) == Ints{1, 2, 3, 0});
  CHECK(after<int>({1, 2}, {3, 4}, [](void* at, ncclComm_t c, int rank) {
          return rank == 0 ? ncclRecv(at, 1, ncclInt, 1, c, nullptr)
                           : ncclSend(at, 1, ncclInt, 0, c, nullptr);
        }) == Ints{3, 2});
}

TEST_CASE_FIXTURE(TwoRanks, "a call that cannot be is refused by its rank and what is wrong") {
  const auto reduce = [&](const void* send, void* receive, size_t count, ncclDataType_t type,
                          ncclRedOp_t op) {
    return ncclAllReduce(send, receive, count, type, op, comm[1], nullptr);
  };
  refused(ncclInvalidArgument, "ncclAllReduce of rank 1: no such type of data",
          reduce(data[1], data[1], 1, ncclNumTypes, ncclSum), comm[1]);
  refused(ncclInvalidArgument, "ncclAllReduce of rank 1: no such type of data",
          reduce(data[1], data[1], 1, ncclDataType_t(-1), ncclSum), comm[1]);
  refused(ncclInvalidArgument, "ncclAllReduce of rank 1: no such operation",
          reduce(data[1], data[1], 1, ncclInt, ncclNumOps), comm[1]);
  refused(ncclInvalidArgument, "ncclAllReduce of rank 1: no such operation",
          reduce(data[1], data[1], 1, ncclInt, ncclRedOp_t(-1)), comm[1]);
  refused(ncclInvalidArgument, "ncclSend of rank 1: there is no rank -1, but 0 to 1",
          ncclSend(data[1], 1, ncclInt, -1, comm[1], nullptr), comm[1]);
  refused(ncclInvalidArgument,
          "ncclAllReduce of rank 1: the buffer to send is of 4 bytes, which cannot be at a null pointer",
          reduce(nullptr, data[1], 1, ncclInt, ncclSum), comm[1]);
  refused(
      ncclInvalidArgument,
      "ncclAllReduce of rank 1: the buffer to receive is of 64 bytes, which do not lie there in memory of a GPU",
      reduce(data[1], static_cast<char*>(data[1]) + 4, 16, ncclInt, ncclSum), comm[1]);
  // A stream of another GPU.
  cudaStream_t of_0 = nullptr;
  REQUIRE(cudaStreamCreate(&of_0) == cudaSuccess);
  refused(ncclInvalidArgument, "ncclSend of rank 1: the stream is not one of GPU 1",
          ncclSend(data[1], 1, ncclInt, 0, comm[1], of_0), comm[1]);
  CHECK(cudaStreamDestroy(of_0) == cudaSuccess);
  refused(ncclInvalidUsage, "ncclGroupEnd: there was no ncclGroupStart", ncclGroupEnd(), comm[1]);
  CHECK(ncclGroupStart() == ncclSuccess);
  CHECK(ncclGroupStart() == ncclSuccess);
  CHECK(ncclGroupEnd() == ncclSuccess);
  CHECK(ncclGroupEnd() == ncclSuccess);  // of nothing
}
// SPDX-License-Identifier: MIT
