// options: -lcuda
// expect: before cuInit: CUDA_ERROR_NOT_INITIALIZED
// expect: and of 8 other calls 8
// expect: devices 1, warp size 32
// expect: no context yet: CUDA_ERROR_INVALID_CONTEXT
// expect: scaled: 3 6 9 12
// expect: by a buffer: 12 24 36 48
// expect: variable of 4 bytes, then 0.5 1 1.5 2
// expect: no such kernel: CUDA_ERROR_NOT_FOUND
// expect: no such file: CUDA_ERROR_FILE_NOT_FOUND
// expect: too many threads: CUDA_ERROR_INVALID_VALUE
// expect: memset: 7 7 0x5050505
// expect: made as in CUDA 12: CUDA_SUCCESS, as in CUDA 13: CUDA_SUCCESS
// The driver API: a module of PTX text, its kernels and variables, memory and a launch.
#include <cuda.h>

#include <cstddef>
#include <cstdio>

const char* const kModule = R"(
.version 7.0
.target sm_80
.address_size 64
.visible .global .align 4 .f32 factor = 0f3F000000;
.visible .entry scale(.param .u64 scale_0, .param .f32 scale_1) {
  .reg .b64 %rd<4>;
  .reg .b32 %r<2>;
  .reg .f32 %f<4>;
  ld.param.u64 %rd1, [scale_0];
  ld.param.f32 %f1, [scale_1];
  cvta.to.global.u64 %rd2, %rd1;
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd3, %r1, 4;
  add.s64 %rd2, %rd2, %rd3;
  ld.global.f32 %f2, [%rd2];
  mul.f32 %f3, %f2, %f1;
  st.global.f32 [%rd2], %f3;
  ret;
}
.visible .entry scale_by_factor(.param .u64 scale_by_factor_0) {
  .reg .b64 %rd<4>;
  .reg .b32 %r<2>;
  .reg .f32 %f<4>;
  ld.param.u64 %rd1, [scale_by_factor_0];
  ld.global.f32 %f1, [factor];
  cvta.to.global.u64 %rd2, %rd1;
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd3, %r1, 4;
  add.s64 %rd2, %rd2, %rd3;
  ld.global.f32 %f2, [%rd2];
  mul.f32 %f3, %f2, %f1;
  st.global.f32 [%rd2], %f3;
  ret;
}
)";

const char* name_of(CUresult result) {
  const char* name = nullptr;
  cuGetErrorName(result, &name);
  return name;
}
void show(const char* what, CUdeviceptr numbers) {
  float back[4];
  cuMemcpyDtoH(back, numbers, sizeof back);
  std::printf("%s %g %g %g %g\n", what, back[0], back[1], back[2], back[3]);
}

int main() {
  int count = 0, warp = 0;
  std::printf("before cuInit: %s\n", name_of(cuDeviceGetCount(&count)));
  CUdevice device;
  CUcontext early;
  CUdeviceptr memory;
  const CUresult answers[] = {cuDeviceGet(&device, 0), cuDevicePrimaryCtxRetain(&early, 0), cuDevicePrimaryCtxRelease(0),
                              cuCtxSetCurrent(nullptr), cuCtxPopCurrent(&early), cuCtxSynchronize(),
                              cuMemAlloc(&memory, 4), cuCtxCreate(&early, 0, 0)};
  int not_initialised = 0;
  for (const CUresult answer : answers) not_initialised += answer == CUDA_ERROR_NOT_INITIALIZED;
  std::printf("and of 8 other calls %d\n", not_initialised);
  cuInit(0);
  cuDeviceGet(&device, 0);
  cuDeviceGetCount(&count);
  cuDeviceGetAttribute(&warp, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device);
  std::printf("devices %d, warp size %d\n", count, warp);
  CUmodule module;
  std::printf("no context yet: %s\n", name_of(cuModuleLoadData(&module, kModule)));
  CUcontext context;
  cuDevicePrimaryCtxRetain(&context, device);
  cuCtxSetCurrent(context);
  cuModuleLoadData(&module, kModule);
  CUfunction scale, by_factor, none;
  cuModuleGetFunction(&scale, module, "scale");
  cuModuleGetFunction(&by_factor, module, "scale_by_factor");

  const float values[] = {1, 2, 3, 4};
  CUdeviceptr numbers;
  cuMemAlloc(&numbers, sizeof values);
  cuMemcpyHtoD(numbers, values, sizeof values);
  float factor = 3;
  void* arguments[] = {&numbers, &factor};
  cuLaunchKernel(scale, 1, 1, 1, 4, 1, 1, 0, nullptr, arguments, nullptr);
  cuCtxSynchronize();
  show("scaled:", numbers);
  struct {
    CUdeviceptr numbers;
    float factor;
  } buffer = {numbers, 4};
  size_t size = offsetof(decltype(buffer), factor) + sizeof buffer.factor;  // what the kernel takes
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &buffer, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
  cuLaunchKernel(scale, 1, 1, 1, 4, 1, 1, 0, nullptr, nullptr, extra);
  show("by a buffer:", numbers);

  cuMemcpyHtoD(numbers, values, sizeof values);
  CUdeviceptr variable;
  size_t bytes;
  cuModuleGetGlobal(&variable, &bytes, module, "factor");
  std::printf("variable of %d bytes, then", int(bytes));
  cuLaunchKernel(by_factor, 1, 1, 1, 4, 1, 1, 0, nullptr, arguments, nullptr);
  show("", numbers);
  std::printf("no such kernel: %s\n", name_of(cuModuleGetFunction(&none, module, "nothing")));
  std::printf("no such file: %s\n", name_of(cuModuleLoad(&module, "nosuch.ptx")));
  std::printf("too many threads: %s\n", name_of(cuLaunchKernel(scale, 1, 1, 1, 4096, 1, 1, 0, nullptr, arguments, nullptr)));
  unsigned words[3];
  cuMemsetD32(numbers, 7, 2);
  cuMemsetD8(numbers + 8, 5, 4);
  cuMemcpyDtoH(words, numbers, sizeof words);
  std::printf("memset: %u %u %#x\n", words[0], words[1], words[2]);
  cuMemFree(numbers);
  CUcontext older, newer;
  const CUresult as_in_12 = cuCtxCreate(&older, 0, device), as_in_13 = cuCtxCreate(&newer, NULL, 0, device);
  std::printf("made as in CUDA 12: %s, as in CUDA 13: %s\n", name_of(as_in_12), name_of(as_in_13));
}
// SPDX-License-Identifier: MIT
