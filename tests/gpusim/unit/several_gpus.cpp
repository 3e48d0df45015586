// The runtime API where there are several GPUs: whose memory, streams and peers are whose, and what has not come yet.
// (Last of the runtime's tests: afterwards work of this process waits in streams, also on one GPU.)
#include <cuda.h>
#include <doctest/doctest.h>

#include <gpusim/devices.h>
#include <gpusim/report.h>

#include <vector>

#include "runtime_module.h"
#include "standard_error.h"

using namespace runtime_test;

namespace {

// (u32* p): goes on when *p is not 0.
constexpr const char* kWait = R"(
.version 7.0
.target sm_80
.address_size 64
.visible .entry wait_for(.param .u64 p) {
  .reg .b64 %rd<2>;
  .reg .b32 %r<2>;
  .reg .pred %p<2>;
  ld.param.u64 %rd1, [p];
again:
  ld.volatile.global.u32 %r1, [%rd1];
  setp.eq.u32 %p1, %r1, 0;
  @%p1 bra again;
  ret;
}
)";

struct ThreeGpus : FreshDevice {
  const void* wait_for = nullptr;
  int* d[3] = {};

  ThreeGpus() {
    gpusim::use_devices(3);
    CUcontext context = nullptr;
    CUmodule module = nullptr;
    CUfunction function = nullptr;
    REQUIRE(cuInit(0) == CUDA_SUCCESS);
    REQUIRE(cuDevicePrimaryCtxRetain(&context, 0) == CUDA_SUCCESS);
    REQUIRE(cuModuleLoadData(&module, kWait) == CUDA_SUCCESS);
    REQUIRE(cuModuleGetFunction(&function, module, "wait_for") == CUDA_SUCCESS);
    wait_for = function;
    for (int gpu = 0; gpu < 3; ++gpu) {
      on(gpu);
      REQUIRE(cudaMalloc(&d[gpu], 16) == cudaSuccess);
      REQUIRE(cudaMemset(d[gpu], 0, 16) == cudaSuccess);
    }
    on(0);
  }
  ~ThreeGpus() {
    for (int gpu = 2; gpu >= 0; --gpu) on(gpu), cudaDeviceReset();
    gpusim::use_devices(1);
  }
  static void on(int gpu) { REQUIRE(cudaSetDevice(gpu) == cudaSuccess); }
  static cudaStream_t stream() {
    cudaStream_t made = nullptr;
    REQUIRE(cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking) == cudaSuccess);
    return made;
  }
  cudaError_t wait(int* flag, cudaStream_t in) {
    void* arguments[] = {&flag};
    return cudaLaunchKernel(wait_for, 1, 1, arguments, 0, in);
  }
  static int word(const int* pointer) {
    int value = -1;
    CHECK(cudaMemcpy(&value, pointer, 4, cudaMemcpyDefault) == cudaSuccess);
    return value;
  }
};

}  // namespace

TEST_CASE_FIXTURE(ThreeGpus,
                  "what a kernel waits for has not come: streams and events say so, until it has") {
  const cudaStream_t waits = stream(), other = stream();
  cudaEvent_t before, behind;
  REQUIRE(cudaEventCreate(&before) == cudaSuccess);
  REQUIRE(cudaEventCreate(&behind) == cudaSuccess);
  CHECK(cudaEventRecord(before, waits) == cudaSuccess);
  CHECK(wait(d[0], waits) == cudaSuccess);
  CHECK(cudaEventRecord(behind, waits) == cudaSuccess);
  CHECK(cudaStreamQuery(waits) == cudaErrorNotReady);
  CHECK(cudaEventQuery(before) == cudaSuccess);
  CHECK(cudaEventQuery(behind) == cudaErrorNotReady);
  float milliseconds = -1;
  CHECK(cudaEventElapsedTime(&milliseconds, before, behind) == cudaErrorNotReady);
  CHECK(cudaStreamQuery(other) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(other, behind, 0) == cudaSuccess);
  CHECK(cudaMemsetAsync(d[0] + 1, 1, 4, other) == cudaSuccess);
  CHECK(cudaStreamQuery(other) == cudaErrorNotReady);
  int* pinned = nullptr;
  REQUIRE(cudaMallocHost(&pinned, 4) == cudaSuccess);
  *pinned = 1;
  const cudaStream_t third = stream();
  CHECK(cudaMemcpyAsync(d[0], pinned, 4, cudaMemcpyHostToDevice, third) == cudaSuccess);
  CHECK(cudaEventSynchronize(behind) == cudaSuccess);
  CHECK(cudaStreamQuery(waits) == cudaSuccess);
  CHECK(cudaEventElapsedTime(&milliseconds, before, behind) == cudaSuccess);
  CHECK(milliseconds >= 0);
  CHECK(cudaStreamSynchronize(other) == cudaSuccess);
  CHECK(word(d[0] + 1) == 0x01010101);
  CHECK(cudaFreeHost(pinned) == cudaSuccess);
  for (cudaStream_t each : {waits, other, third}) CHECK(cudaStreamDestroy(each) == cudaSuccess);
  CHECK(cudaEventDestroy(before) == cudaSuccess);
  CHECK(cudaEventDestroy(behind) == cudaSuccess);
}

TEST_CASE_FIXTURE(ThreeGpus, "who waits for what nobody gives is told what the others do") {
  const cudaStream_t waits = stream();
  CHECK(wait(d[0], waits) == cudaSuccess);
  cudaError_t error = cudaSuccess;
  const std::string text = said_by([&] { error = cudaStreamSynchronize(waits); });
  CHECK(error == cudaErrorLaunchTimeout);
  CHECK(text.find("GPU 1 runs no kernel, GPU 2 runs no kernel") != std::string::npos);
}

TEST_CASE_FIXTURE(ThreeGpus, "asking again and again for what never comes is waiting for it") {
  const cudaStream_t waits = stream();
  CHECK(wait(d[0], waits) == cudaSuccess);
  cudaError_t error = cudaErrorNotReady;
  unsigned long asked = 0;
  const std::string text = said_by([&] {
    while (asked < 10'000'000 && (error = cudaStreamQuery(waits)) == cudaErrorNotReady) ++asked;
  });
  CHECK(error == cudaErrorLaunchTimeout);
  CHECK(asked >= 1000);
}

TEST_CASE_FIXTURE(ThreeGpus, "streams and their work belong to a GPU, whichever is current") {
  on(1);
  const cudaStream_t of_1 = stream();
  int device = 7, value = 21;
  void* arguments[] = {&d[1], &value};
  CHECK(cudaStreamGetDevice(of_1, &device) == cudaSuccess);
  CHECK(device == 1);
  CHECK(cudaLaunchKernel(&set_int, 1, 1, arguments, 0, of_1) == cudaSuccess);
  on(2);
  CHECK(cudaLaunchKernel(&set_int, 1, 1, arguments, 0, of_1) == cudaErrorInvalidResourceHandle);
  CHECK(cudaMemsetAsync(d[1] + 1, 3, 4, of_1) == cudaSuccess);  // copies and fills may be given from anywhere
  CHECK(cudaStreamSynchronize(of_1) == cudaSuccess);
  CHECK(word(d[1]) == 21);
  CHECK(word(d[1] + 1) == 0x03030303);
  CHECK(cudaGetDevice(&device) == cudaSuccess);
  CHECK(device == 2);
  CHECK(cudaStreamDestroy(of_1) == cudaSuccess);
  cudaPointerAttributes attributes = {};
  CHECK(cudaPointerGetAttributes(&attributes, d[1]) == cudaSuccess);
  CHECK(attributes.device == 1);
}

TEST_CASE_FIXTURE(ThreeGpus, "memory is copied from GPU to GPU, and what crossed which link is counted") {
  const int values[] = {1, 2, 3, 4};
  on(1);
  REQUIRE(cudaMemcpy(d[1], values, 16, cudaMemcpyHostToDevice) == cudaSuccess);
  gpusim::enable_reports();
  gpusim::clear_reports();
  CHECK(cudaMemcpyPeer(d[2], 2, d[1], 1, 16) == cudaSuccess);
  const cudaStream_t of_1 = stream();
  CHECK(cudaMemcpyPeerAsync(d[0], 0, d[1], 1, 8, of_1) == cudaSuccess);
  CHECK(cudaMemcpy2DAsync(d[0] + 2, 4, d[2] + 2, 4, 4, 2, cudaMemcpyDefault, of_1) == cudaSuccess);
  CHECK(cudaStreamSynchronize(of_1) == cudaSuccess);
  for (int i = 0; i < 4; ++i) CHECK(word(d[2] + i) == values[i]);
  for (int i = 0; i < 4; ++i) CHECK(word(d[0] + i) == values[i]);
  unsigned long long from_1_to_2 = 0, from_1_to_0 = 0, from_2_to_0 = 0, others = 0;
  for (const gpusim::LinkTraffic& link : gpusim::link_traffic())
    (link.from == 1 && link.to == 2   ? from_1_to_2
     : link.from == 1 && link.to == 0 ? from_1_to_0
     : link.from == 2 && link.to == 0 ? from_2_to_0
                                      : others) += link.bytes;
  CHECK(from_1_to_2 == 16);
  CHECK(from_1_to_0 == 8);
  CHECK(from_2_to_0 == 8);
  CHECK(others == 0);
  gpusim::enable_reports(false);
  CHECK(cudaMemcpyPeer(d[2], 3, d[1], 1, 16) == cudaErrorInvalidDevice);
  CHECK(cudaStreamDestroy(of_1) == cudaSuccess);
}

TEST_CASE_FIXTURE(ThreeGpus, "peers are opened and closed one by one") {
  int can = 7, value = 7;
  on(1);
  CHECK(cudaDeviceCanAccessPeer(&can, 1, 2) == cudaSuccess);
  CHECK(can == 1);
  CHECK(cudaDeviceDisablePeerAccess(2) == cudaErrorPeerAccessNotEnabled);
  CHECK(cudaDeviceEnablePeerAccess(2, 0) == cudaSuccess);
  CHECK(cudaDeviceEnablePeerAccess(2, 0) == cudaErrorPeerAccessAlreadyEnabled);
  CHECK(cudaDeviceEnablePeerAccess(1, 0) == cudaErrorInvalidDevice);
  CHECK(cudaDeviceEnablePeerAccess(3, 0) == cudaErrorInvalidDevice);
  int number = 8;
  void* arguments[] = {&d[2], &number};
  CHECK(cudaLaunchKernel(&set_int, 1, 1, arguments, 0, nullptr) == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(word(d[2]) == 8);
  CHECK(cudaDeviceDisablePeerAccess(2) == cudaSuccess);
  CHECK(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrNativeAtomicSupported, 1, 2) == cudaSuccess);
  CHECK(value == 1);
  CHECK(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrPerformanceRank, 1, 2) == cudaSuccess);
  CHECK(value == 0);
  CHECK(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 1, 1) == cudaErrorInvalidDevice);
  // Closed again: the kernel's fault stays with its GPU.
  cudaError_t error = cudaSuccess;
  const std::string text = said_by([&] {
    CHECK(cudaLaunchKernel(&set_int, 1, 1, arguments, 0, nullptr) == cudaSuccess);
    error = cudaDeviceSynchronize();
  });
  CHECK(error == cudaErrorIllegalAddress);
  CHECK(text.find("which is memory of GPU 2, and GPU 1 has no access to it") != std::string::npos);
  CHECK(cudaMemset(d[1], 0, 4) == cudaErrorIllegalAddress);
  on(2);
  CHECK(cudaMemset(d[2], 0, 4) == cudaSuccess);
}

TEST_CASE_FIXTURE(ThreeGpus, "a graph runs on the GPU that it was made on, a pool gives memory of its own") {
  cudaGraph_t graph = nullptr, mixed = nullptr;
  cudaGraphNode_t node = nullptr;
  cudaGraphExec_t exec = nullptr;
  on(1);
  const cudaStream_t of_1 = stream();
  const cudaMemsetParams fill = {d[1], 0, 5, 4, 1, 1};
  REQUIRE(cudaGraphCreate(&graph, 0) == cudaSuccess);
  REQUIRE(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &fill) == cudaSuccess);
  REQUIRE(cudaGraphInstantiate(&exec, graph) == cudaSuccess);
  on(0);
  CHECK(cudaGraphLaunch(exec, of_1) == cudaSuccess);
  CHECK(cudaStreamSynchronize(of_1) == cudaSuccess);
  CHECK(word(d[1]) == 5);
  cudaError_t error = cudaSuccess;
  CHECK(
      said_by([&] { error = cudaGraphLaunch(exec, nullptr); }) ==
      "gpusim: a graph with work of several GPUs, or launched on another one than it was made on, is not simulated\n");
  CHECK(error == cudaErrorNotSupported);
  REQUIRE(cudaGraphCreate(&mixed, 0) == cudaSuccess);
  REQUIRE(cudaGraphAddChildGraphNode(&node, mixed, nullptr, 0, graph) == cudaSuccess);
  cudaGraphExec_t mixed_exec = nullptr;
  REQUIRE(cudaGraphInstantiate(&mixed_exec, mixed) == cudaSuccess);
  CHECK(cudaGraphLaunch(mixed_exec, nullptr) == cudaErrorNotSupported);
  CHECK(cudaGraphExecDestroy(mixed_exec) == cudaSuccess);
  CHECK(cudaGraphExecDestroy(exec) == cudaSuccess);
  CHECK(cudaGraphDestroy(mixed) == cudaSuccess);
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);

  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {cudaMemLocationTypeDevice, 2};
  cudaMemPool_t pool = nullptr;
  void* pointer = nullptr;
  REQUIRE(cudaMemPoolCreate(&pool, &properties) == cudaSuccess);
  CHECK(cudaMallocFromPoolAsync(&pointer, 8, pool, nullptr) == cudaSuccess);
  cudaPointerAttributes attributes = {};
  CHECK(cudaPointerGetAttributes(&attributes, pointer) == cudaSuccess);
  CHECK(attributes.device == 2);
  CHECK(cudaFreeAsync(pointer, nullptr) == cudaSuccess);
  CHECK(cudaDeviceSetMemPool(1, pool) == cudaErrorInvalidValue);  // of GPU 2
  cudaMemLocation first = {cudaMemLocationTypeDevice, 0};
  cudaMemAccessFlags flags = cudaMemAccessFlagsProtReadWrite;
  CHECK(cudaMemPoolGetAccess(&flags, pool, &first) == cudaSuccess);
  CHECK(flags == cudaMemAccessFlagsProtNone);
  const cudaMemAccessDesc open = {first, cudaMemAccessFlagsProtReadWrite};
  CHECK(said_by([&] { error = cudaMemPoolSetAccess(pool, &open, 1); }) ==
        "gpusim: pools open to other GPUs are not simulated: cudaDeviceEnablePeerAccess opens all memory\n");
  CHECK(error == cudaErrorNotSupported);
  CHECK(cudaMemPoolDestroy(pool) == cudaSuccess);
  CHECK(cudaStreamDestroy(of_1) == cudaSuccess);
}
// SPDX-License-Identifier: MIT
