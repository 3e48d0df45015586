// options: -std=c++17 -lnvrtc -lcuda
// expect: version of the runtime: yes, architectures: 12, with 80: yes, in order: yes
// expect: extern "C": 2 4 6 8
// expect: template of float: 1.5 3 4.5 6
// expect: template of int: 10 20 30 40
// expect: constant of 16 bytes, then: 11 22 33 44
// expect: names: _Z8multiplyIfEvPT_S0_ _Z8multiplyIiEvPT_S0_ _ZN5table5addedE
// expect: unsigned long const&
// expect: of a host type: 4294967298
// expect: unmarked functions are of the device: 25
// expect: defined by an option: 7, by two words: 8
// expect: header 'no such file' beside a header: 12
// expect: built-in names: 32 threads, log size 1
// expect: names and texts of other letters: 4
// expect: again: 3
// expect: cancelled: NVRTC_ERROR_CANCELLED, asked once
// Kernels that are compiled at run time: extern "C", templates by name expressions, headers as strings, constants.
#define NVRTC_GET_TYPE_NAME 1
#include <cuda.h>
#include <nvrtc.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#define CHECK(call)                                                                              \
  do {                                                                                           \
    const int result = int(call);                                                                \
    if (result != 0) std::printf("line %d: %s gives %d\n", __LINE__, #call, result), std::exit(1); \
  } while (false)

using Header = std::pair<const char*, const char*>;

// A program, compiled and loaded.
struct Module {
  nvrtcProgram program = nullptr;
  CUmodule module = nullptr;

  explicit Module(const char* source, const std::vector<const char*>& options = {}, const std::vector<Header>& headers = {},
                  const std::vector<const char*>& expressions = {}) {
    std::vector<const char*> names, texts;
    for (const auto& [name, text] : headers) names.push_back(name), texts.push_back(text);
    CHECK(nvrtcCreateProgram(&program, source, "kernels.cu", int(headers.size()), texts.data(), names.data()));
    for (const char* expression : expressions) CHECK(nvrtcAddNameExpression(program, expression));
    const nvrtcResult result = nvrtcCompileProgram(program, int(options.size()), options.data());
    if (result != NVRTC_SUCCESS) std::printf("%s: %s\n", nvrtcGetErrorString(result), log().c_str()), std::exit(1);
    size_t size = 0;
    CHECK(nvrtcGetPTXSize(program, &size));
    std::string ptx(size, ' ');
    CHECK(nvrtcGetPTX(program, ptx.data()));
    if (ptx.back() != 0 || std::strlen(ptx.c_str()) + 1 != size) std::printf("the PTX is %zu bytes?\n", size);
    CHECK(cuModuleLoadData(&module, ptx.c_str()));
  }
  ~Module() {
    CHECK(nvrtcDestroyProgram(&program));
    CHECK(cuModuleUnload(module));
  }
  std::string log() const {
    size_t size = 0;
    CHECK(nvrtcGetProgramLogSize(program, &size));
    std::string text(size, ' ');
    CHECK(nvrtcGetProgramLog(program, text.data()));
    return text.c_str();
  }
  const char* lowered(const char* expression) const {
    const char* name = nullptr;
    CHECK(nvrtcGetLoweredName(program, expression, &name));
    return name;
  }
  // Runs a kernel with one block.
  void run(const char* name, unsigned threads, std::vector<void*> arguments) const {
    CUfunction function;
    CHECK(cuModuleGetFunction(&function, module, name));
    CHECK(cuLaunchKernel(function, 1, 1, 1, threads, 1, 1, 0, nullptr, arguments.data(), nullptr));
    CHECK(cuCtxSynchronize());
  }
};

template <class T> struct Numbers {
  CUdeviceptr pointer = 0;
  size_t count;
  explicit Numbers(std::vector<T> values) : count(values.size()) {
    CHECK(cuMemAlloc(&pointer, count * sizeof(T)));
    CHECK(cuMemcpyHtoD(pointer, values.data(), count * sizeof(T)));
  }
  ~Numbers() { CHECK(cuMemFree(pointer)); }
  void show(const char* what) const {
    std::vector<T> values(count);
    CHECK(cuMemcpyDtoH(values.data(), pointer, count * sizeof(T)));
    std::printf("%s:", what);
    for (const T value : values) std::printf(" %g", double(value));
    std::printf("\n");
  }
};

const char* const kScale = R"(
extern "C" __global__ void scale(float* values, float factor) { values[threadIdx.x] *= factor; }
)";

const char* const kTemplates = R"(#include "table.h"
#include <math/product.h>
template <class T> __global__ void multiply(T* values, T factor) { values[threadIdx.x] = product(values[threadIdx.x], factor); }
__global__ void add(int* values) { values[threadIdx.x] += table::added[threadIdx.x]; }
)";
const std::vector<Header> kHeaders = {
    {"table.h", "#pragma once\nnamespace table { __constant__ int added[4]; }\n"},
    {"math/product.h", "#include \"table.h\"\n#include \"math/one.h\"\ntemplate <class T> __device__ T product(T a, T b) { return ONE * a * b; }\n"},
    {"math/one.h", "#define ONE 1\n"}};

void architectures() {
  int major = 0, minor = 0, runtime = 0, count = 0;
  CHECK(nvrtcVersion(&major, &minor));
  CHECK(cudaRuntimeGetVersion(&runtime));
  CHECK(nvrtcGetNumSupportedArchs(&count));
  std::vector<int> all(size_t(count), 0);
  CHECK(nvrtcGetSupportedArchs(all.data()));
  std::printf("version of the runtime: %s, architectures: %d, with 80: %s, in order: %s\n",
              major * 1000 + minor * 10 == runtime ? "yes" : "no", count,
              std::find(all.begin(), all.end(), 80) != all.end() ? "yes" : "no",
              std::is_sorted(all.begin(), all.end()) ? "yes" : "no");
}

void plain_and_templates() {
  float factor = 2, half_more = 1.5f;
  int ten = 10;
  Numbers<float> floats({1, 2, 3, 4}), others({1, 2, 3, 4});
  Numbers<int> ints({1, 2, 3, 4});
  Module(kScale, {"--gpu-architecture=compute_80", "-lineinfo"}).run("scale", 4, {&floats.pointer, &factor});
  floats.show("extern \"C\"");

  const Module templates(kTemplates, {"-arch", "sm_80", "-std=c++14", "--use_fast_math", "--maxrregcount=64", "-G"}, kHeaders,
                         {"&multiply<float>", "multiply<int>", " & table::added", "add"});
  templates.run(templates.lowered("&multiply<float>"), 4, {&others.pointer, &half_more});
  others.show("template of float");
  templates.run(templates.lowered("multiply<int>"), 4, {&ints.pointer, &ten});
  ints.show("template of int");
  CUdeviceptr added;
  size_t bytes = 0;
  const int values[] = {1, 2, 3, 4};
  CHECK(cuModuleGetGlobal(&added, &bytes, templates.module, templates.lowered(" & table::added")));
  CHECK(cuMemcpyHtoD(added, values, sizeof values));
  templates.run(templates.lowered("add"), 4, {&ints.pointer});
  std::printf("constant of %zu bytes, ", bytes);
  ints.show("then");
  std::printf("names: %s %s %s\n", templates.lowered("&multiply<float>"), templates.lowered("multiply<int>"),
              templates.lowered(" & table::added"));
}

void type_names() {
  std::string name;
  CHECK(nvrtcGetTypeName<const size_t&>(&name));
  std::printf("%s\n", name.c_str());
  CHECK(nvrtcGetTypeName<unsigned long long>(&name));
  const std::string expression = "store<" + name + ">";
  // NVRTC has no <stdint.h>: programs declare its types themselves, and not always as the host does.
  const Module module(
      "typedef unsigned long long uint64_t;\n"
      "template <class T> __global__ void store(T* p) { *p = uint64_t(1) << 32 | 2; }\n",
      {}, {}, {expression.c_str()});
  Numbers<unsigned long long> number({0});
  module.run(module.lowered(expression.c_str()), 1, {&number.pointer});
  unsigned long long value = 0;
  CHECK(cuMemcpyDtoH(&value, number.pointer, sizeof value));
  std::printf("of a host type: %llu\n", value);
}

void options() {
  Numbers<int> number({5});
  Module("int square(int x) { return x * x; }\nextern \"C\" __global__ void k(int* p) { *p = square(*p); }\n", {"-default-device"})
      .run("k", 1, {&number.pointer});
  number.show("unmarked functions are of the device");
  const char* const defined = "extern \"C\" __global__ void k(int* p) { *p = CHOSEN; }\n";
  Numbers<int> one({0}), other({0});
  Module(defined, {"-DCHOSEN=7"}).run("k", 1, {&one.pointer});
  Module(defined, {"-D", "CHOSEN=8"}).run("k", 1, {&other.pointer});
  int values[2];
  CHECK(cuMemcpyDtoH(&values[0], one.pointer, 4));
  CHECK(cuMemcpyDtoH(&values[1], other.pointer, 4));
  std::printf("defined by an option: %d, by two words: %d\n", values[0], values[1]);
  Module("#if !__has_include(\"no such file\")\n#include \"../up/twelve.h\"\n#endif\n"
         "extern \"C\" __global__ void k(int* p) { *p = TWELVE; }\n",
         {"--pre-include=../up/twelve.h"}, {{"../up/twelve.h", "#pragma once\n#define TWELVE 12\n"}})
      .run("k", 1, {&number.pointer});
  number.show("header 'no such file' beside a header");
  const Module built_in(
      "#if __CUDACC_RTC__ != 1 || !defined __CUDACC__ || __CUDA_ARCH__ != 800\n#error\n#endif\n"
      "extern \"C\" __global__ void k(int* p) {\n"
      "  assert(blockDim.x == 32);\n"
      "  const float4 v = make_float4(1, 2, 3, 4);\n"
      "  *p = __syncthreads_count(v.w == 4.0f && warpSize == 32 && sinf(0.0f) == 0.0f && min(1, 2) == 1);\n"
      "}\n",
      {"-arch=compute_80"});
  built_in.run("k", 32, {&number.pointer});
  int threads = 0;
  CHECK(cuMemcpyDtoH(&threads, number.pointer, 4));
  std::printf("built-in names: %d threads, log size %zu\n", threads, built_in.log().size() + 1);
}

void other_letters() {
  Numbers<int> number({0});
  Module("#include \"größe.h\"  // \xfc is no UTF-8\nextern \"C\" __global__ void k(int* p) { *p = FOUR; }\n", {"-DFOUR=4"},
         {{"größe.h", "// 4\n"}})
      .run("k", 1, {&number.pointer});
  number.show("names and texts of other letters");
}

int cancel(void* payload, void*) { return ++*static_cast<int*>(payload), 1; }

void again_and_cancelled() {
  const Module module("extern \"C\" __global__ void k(int* p) { *p = CHOSEN; }\n", {"-DCHOSEN=2"});
  const char* const options[] = {"-DCHOSEN=3"};
  CHECK(nvrtcCompileProgram(module.program, 1, options));
  size_t size = 0;
  CHECK(nvrtcGetPTXSize(module.program, &size));
  std::string ptx(size, ' ');
  CHECK(nvrtcGetPTX(module.program, ptx.data()));
  CUmodule loaded;
  CUfunction function;
  CHECK(cuModuleLoadData(&loaded, ptx.c_str()));
  CHECK(cuModuleGetFunction(&function, loaded, "k"));
  Numbers<int> number({0});
  void* arguments[] = {&number.pointer};
  CHECK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
  number.show("again");
  int asked = 0;
  CHECK(nvrtcSetFlowCallback(module.program, cancel, &asked));
  const nvrtcResult cancelled = nvrtcCompileProgram(module.program, 0, nullptr);
  std::printf("cancelled: %s, asked %s\n", nvrtcGetErrorString(cancelled), asked == 1 ? "once" : "more often");
}

int main() {
  CUdevice device;
  CUcontext context;
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuDevicePrimaryCtxRetain(&context, device));
  CHECK(cuCtxSetCurrent(context));
  architectures();
  plain_and_templates();
  type_names();
  options();
  other_letters();
  again_and_cancelled();
}
// SPDX-License-Identifier: MIT
