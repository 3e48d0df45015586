// Registers a few small kernels the way a compiled .cu file does, so that tests of the runtime API need no
// compiler for device code. A kernel's handle is the address of a host byte.
#pragma once

#include <cuda_runtime.h>

extern "C" {
void** __cudaRegisterFatBinary(const void* wrapper);
void __cudaRegisterFatBinaryEnd(void** handle);
int __cudaRegisterFunction(void** handle, const char* stub, char* device_name, const char* name, int, void*,
                           void*, void*, void*, int*);
void __cudaRegisterVar(void** handle, char* shadow, char* device_name, const char* name, int, size_t size,
                       int constant, int);
}

namespace runtime_test {

inline char set_int;      // (int* p, int value): *p = value
inline char bounded;      // (): at most 64 threads a block
inline char unsupported;  // (): contains an instruction that is not simulated
inline char misaligned;   // (int* p): stores 4 bytes at p + 2 bytes
inline char table;        // __constant__ int table[4]
inline char counter;      // __device__ int counter = 5

inline constexpr const char* kPtx = R"(
.version 7.0
.target sm_80
.address_size 64
.const .align 4 .b8 table[16];
.global .align 4 .u32 counter = 5;
.visible .entry set_int(.param .u64 p, .param .u32 v) {
  .reg .b64 %rd<3>;
  .reg .b32 %r<2>;
  ld.param.u64 %rd1, [p];
  ld.param.u32 %r1, [v];
  cvta.to.global.u64 %rd2, %rd1;
  st.global.u32 [%rd2], %r1;
  ret;
}
.visible .entry bounded() .maxntid 64, 1, 1 { ret; }
.visible .entry unsupported() { wgmma.fence.sync.aligned; ret; }
.visible .entry misaligned(.param .u64 p) {
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [p];
  st.global.u32 [%rd1+2], 7;
  ret;
}
)";

inline bool register_module() {
  static const struct {
    int magic = 0x466243b1, version = 1;
    const char* data = kPtx;
    void* unused = nullptr;
  } wrapper;
  static char names[][16] = {"set_int", "bounded", "unsupported", "misaligned"};
  char* const stubs[] = {&set_int, &bounded, &unsupported, &misaligned};
  void** handle = __cudaRegisterFatBinary(&wrapper);
  for (int i = 0; i < 4; ++i)
    __cudaRegisterFunction(handle, stubs[i], names[i], names[i], -1, nullptr, nullptr, nullptr, nullptr,
                           nullptr);
  static char table_name[] = "table", counter_name[] = "counter";
  __cudaRegisterVar(handle, &table, table_name, table_name, 0, 16, 1, 0);
  __cudaRegisterVar(handle, &counter, counter_name, counter_name, 0, 4, 0, 0);
  __cudaRegisterFatBinaryEnd(handle);
  return true;
}

// A test that starts from a fresh device, and leaves one.
struct FreshDevice {
  FreshDevice() {
    static const bool registered = register_module();
    (void)registered;
    cudaDeviceReset();
  }
  ~FreshDevice() { cudaDeviceReset(); }
};

inline cudaError_t launch_set_int(int* p, int value, dim3 grid = 1, dim3 block = 1, size_t shared_bytes = 0) {
  void* arguments[] = {&p, &value};
  return cudaLaunchKernel((const void*)&set_int, grid, block, arguments, shared_bytes, nullptr);
}

}  // namespace runtime_test
// SPDX-License-Identifier: MIT
