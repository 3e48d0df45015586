// options: -std=c++17 -lnvrtc
// expect: host function: NVRTC_ERROR_COMPILATION, h.cu:2:6: error: this function is not marked __device__, __global__ or __host__ __device__
// expect: host function, called: NVRTC_ERROR_COMPILATION, nvrtc: note: NVRTC compiles no host code
// expect: __host__ alone: NVRTC_ERROR_COMPILATION, h.cu:1:14: error: this function is marked __host__ alone
// expect: method: NVRTC_ERROR_COMPILATION, h.cu:1:16: error: this function is not marked
// expect: in a template: NVRTC_ERROR_COMPILATION, h.cu:1:22: error: this function is not marked
// expect: constexpr function: NVRTC_ERROR_COMPILATION, h.cu:1:15: error: this function is not marked
// expect: in a header, too: NVRTC_ERROR_COMPILATION, a.h:1:6: error: this function is not marked
// expect: host variable: NVRTC_ERROR_COMPILATION, h.cu:1:5: error: this variable is not marked __device__ or __constant__
// expect: what is of no place: NVRTC_SUCCESS, empty
// expect: name of nothing: NVRTC_ERROR_COMPILATION, name expressions:2:44: error: use of undeclared identifier 'nothing'
// expect: name of a value: NVRTC_ERROR_COMPILATION, name expressions:1:29: error:
// expect: name of a device function: NVRTC_ERROR_COMPILATION, name expressions:1:1: error: 'helper' is the address of no kernel
// expect: half an expression: NVRTC_ERROR_COMPILATION, name expressions:1:46: error: expected '>'
// expect: an element: NVRTC_ERROR_COMPILATION, name expressions
// Host code, which NVRTC compiles nowhere, and name expressions that name no kernel and no variable: the log says where they are.
#include "nvrtc_program.cuh"

void host_code() {
  const char* const not_marked = "error: this function is not marked";
  Program("\nvoid f() {}\n__global__ void k() {}\n", "h.cu").show("host function", "__global__ or __host__ __device__");
  Program("int f() { return 1; }\n__global__ void k(int* p) { *p = f(); }\n", "h.cu").show("host function, called", "no host code");
  Program("__host__ int f() { return 1; }\n", "h.cu").show("__host__ alone", "marked __host__ alone");
  Program("struct S { int f() { return 1; } };\n", "h.cu").show("method", not_marked);
  Program("template <class T> T f(T x) { return x; }\n", "h.cu").show("in a template", not_marked);
  Program("constexpr int f() { return 1; }\n", "h.cu").show("constexpr function", not_marked);
  Program("#include \"a.h\"\n", "h.cu", {{"a.h", "void f();\n"}}).show("in a header, too", not_marked);
  Program("int x = 1;\n", "h.cu").show("host variable", "__constant__");
  Program("struct S { S() = default; int f() = delete; static const int c = 3; };\n"
          "template <class T> struct Of { T x; __device__ T get() { return x; } };\n"
          "const int limit = 3;\nconstexpr float half = 0.5f;\nenum { one };\n__host__ __device__ int g() { return limit; }\n"
          "__global__ void k(int* p) { auto add = [](int a) { return a + 1; }; *p = add(S::c) + g() + Of<int>{2}.get(); }\n",
          "h.cu")
      .show("what is of no place", "");
}

void expressions() {
  const char* const source =
      "template <class T> __global__ void k(T* p) { *p = 1; }\n__device__ int values[3];\n__device__ void helper() {}\n";
  Program(source, "n.cu").with("k<float>").with("nothing").show("name of nothing", "'nothing'");
  Program(source, "n.cu").with("values[1]").show("name of a value", "error:");
  Program(source, "n.cu").with("helper").show("name of a device function", "no kernel");
  Program(source, "n.cu").with("k<").show("half an expression", "expected '>'");
  Program(source, "n.cu").with("&values[1]").show("an element", "name expressions");
}

int main() {
  host_code();
  expressions();
}
// SPDX-License-Identifier: MIT
