// Names for addresses: the parameters that point there, as the source declares them, and what they point to.
#include "analysis/parameters.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/files.h"
#include "execution/device.h"
#include "ptx/names.h"
#include "ptx/program.h"

using namespace gpusim;

namespace {

constexpr u64 kHere = 0x10000;

// A launch of a kernel whose body begins in the last line of the source; all parameters are 8 bytes wide.
struct Launch {
  Program program;
  KernelInfo kernel;
  std::vector<u64> values;
  LaunchInfo info;

  Launch(const std::string& mangled, std::vector<u64> given, const std::string& source = "")
      : values(std::move(given)) {
    given_files()["heads.cu"] = source;
    program.files = {"heads.cu"};
    program.functions.resize(1);
    program.functions[0].begin = 0;
    SourceLine head;
    head.file = 0;
    head.line = u32(std::count(source.begin(), source.end(), '\n')) + (source.empty() ? 0 : 1);
    program.lines = {head};
    kernel.name = mangled;
    kernel.pretty_name = kernel_name(mangled);
    for (u32 k = 0; k < values.size(); ++k) kernel.params.push_back({8 * k, 8});
    info.program = &program;
    info.kernel = &kernel;
    info.params = reinterpret_cast<const u8*>(values.data());
  }
  Launch(const Launch&) = delete;
  ~Launch() { given_files().erase("heads.cu"); }

  std::string names() const {
    std::string all;
    for (const PointerParameter& p : pointer_parameters(info))
      all += (all.empty() ? "" : " ") + (p.name.empty() ? "?" : p.name);
    return all;
  }
};
// One pointer, as a mangled name has it: "float 4", "const float 4".
std::string pointee(const std::string& mangled_type) {
  const Launch launch("_Z1k" + mangled_type, {kHere});
  const std::vector<PointerParameter> found = pointer_parameters(launch.info);
  if (found.empty()) return "";
  CHECK(found[0].value == kHere);
  CHECK(found[0].name == "");  // no source says it
  return (found[0].is_const ? "const " : "") + found[0].type + " " + std::to_string(found[0].element_bytes);
}
// One pointer, as the source declares it where the name of the kernel is not mangled.
std::string declared(const std::string& parameter) {
  const Launch launch("k", {kHere}, "__global__ void k(" + parameter + ") {");
  const std::vector<PointerParameter> found = pointer_parameters(launch.info);
  if (found.empty()) return "";
  return found[0].name + ": " + (found[0].is_const ? "const " : "") + found[0].type + " " +
         std::to_string(found[0].element_bytes);
}
std::string names_of(const std::string& mangled, std::size_t count, const std::string& source) {
  return Launch(mangled, std::vector<u64>(count, kHere), source).names();
}

}  // namespace

TEST_CASE("what a parameter points to stands in the mangled name") {
  CHECK(pointee("Pb") == "bool 1");
  CHECK(pointee("Pc") == "char 1");
  CHECK(pointee("Pa") == "signed char 1");
  CHECK(pointee("Ph") == "unsigned char 1");
  CHECK(pointee("Ps") == "short 2");
  CHECK(pointee("Pt") == "unsigned short 2");
  CHECK(pointee("Pi") == "int 4");
  CHECK(pointee("Pj") == "unsigned int 4");
  CHECK(pointee("Pl") == "long 8");
  CHECK(pointee("Py") == "unsigned long long 8");
  CHECK(pointee("Pd") == "double 8");
  CHECK(pointee("PKf") == "const float 4");
  CHECK(pointee("PVf") == "float 4");
  CHECK(pointee("PVKx") == "const long long 8");
  CHECK(pointee("P6float2") == "float2 8");
  CHECK(pointee("PK6uchar4") == "const uchar4 4");
  CHECK(pointee("P7double3") == "double3 24");
  CHECK(pointee("P9longlong1") == "longlong1 8");
  CHECK(pointee("P6float5") == "float5 0");  // a class of the program
  CHECK(pointee("P6float0") == "float0 0");
  CHECK(pointee("P8Particle") == "Particle 0");
  CHECK(pointee("P5Pair2") == "Pair2 0");
  CHECK(pointee("Pv") == "void 0");
  CHECK(pointee("PPKf") == "float * 8");  // pointers to what is not changed may be changed themselves
  CHECK(pointee("f") == "");
  CHECK(pointee("y") == "");
}

TEST_CASE("where the name is not mangled, the source says what a parameter points to, and its name") {
  CHECK(declared("float* x") == "x: float 4");
  CHECK(declared("  const  int*__restrict__ x ") == "x: const int 4");
  CHECK(declared("float const* const x") == "x: const float 4");
  CHECK(declared("unsigned *x = nullptr") == "x: unsigned 4");
  CHECK(declared("uint64_t* x") == "x: uint64_t 8");
  CHECK(declared("const float x[]") == "x: const float 4");
  CHECK(declared("float2 x[16]") == "x: float2 8");
  CHECK(declared("float** x") == "x: float* 8");
  CHECK(declared("std::pair<int, int>* x") == "x: std::pair<int, int> 0");
  CHECK(declared("float*") == ": float 4");
  CHECK(declared("float* __restrict__") == ": float 4");
  CHECK(declared("float* const") == ": float 4");
  CHECK(declared("float* volatile") == ": float 4");
  CHECK(declared("float* __restrict") == ": float 4");
  CHECK(declared("float* restrict") == ": float 4");
  CHECK(declared("* x") == "");  // no type
  CHECK(declared("float x") == "");
  CHECK(declared("") == "");
  CHECK(declared("float* x, float* y") == "");  // PTX has one
}

TEST_CASE("the head of a kernel is found by its name, whatever stands around it") {
  const std::string two = "_Z3sumPKfPf";
  CHECK(names_of(two, 2, "__global__ void sum(const float* in, float* out) {") == "in out");
  CHECK(names_of(two, 2, "__global__ void sum (\n  const float* in,  // an, array\n  float* out\n)\n{") ==
        "in out");
  CHECK(names_of(two, 2, "void sum(const float* in /* read, only */, float /* a\nb */ * out) {") == "in out");
  CHECK(names_of(two, 2, "void sum(const float*, float* out) {") == "? out");
  CHECK(names_of(two, 2, "void sum(const float* in = f(1, 2), float* out = (g<1, 2>())) {") == "in out");
  // Other functions whose names hold its name, and other uses of it.
  CHECK(names_of(
            two, 2,
            "void sum(const float* in, float* out);\nvoid checksum(int* a, int* b);\nvoid sums(int* a, int* "
            "b);\nint sum = 1;\nint _sum(int, int); {") == "in out");
  CHECK(names_of(two, 2, "sum(const float* in, float* out) {") == "in out");
  CHECK(names_of(two, 2, "sum") == "? ?");
  CHECK(names_of(two, 2, "int x; {") == "? ?");
  CHECK(names_of(two, 2, "void sum") == "? ?");
  CHECK(names_of(two, 2, "void sum   ") == "? ?");
  CHECK(names_of(two, 2, "void sum(const float* in, float* out") == "? ?");
  CHECK(names_of(two, 2, "void sum(const float* in /* without end, float* out) {") == "? ?");
  CHECK(names_of(two, 2, "void sum(const float* in) {") == "? ?");
  // In a namespace, of a template, specialised.
  CHECK(names_of("_ZN4math3sumEPKfPf", 2, "__global__ void sum(const float* in, float* out) {") == "in out");
  CHECK(names_of("_Z3sumILi128EEvPKfPf", 2,
                 "template <int N> __global__ void sum(const float* in, float* out) {") == "in out");
  CHECK(names_of("_Z3sumILi128EEvPKfPf", 2,
                 "template <> __global__ void sum<size<2>(128)>(const float* in, float* out) {") == "in out");
  CHECK(names_of("_Z3sumILi128EEvPKfPf", 2, "template <> __global__ void sum<128") == "? ?");
  // No more than 60 lines are read.
  CHECK(names_of(two, 2, "void sum(const float* in, float* out)" + std::string(59, '\n') + "{") == "in out");
  CHECK(names_of(two, 2, "void sum(const float* in, float* out)" + std::string(60, '\n') + "{") == "? ?");
}

TEST_CASE("parameters that cannot be read have no names, and what is no pointer is none") {
  const std::string source = "void sum(const float* in, float* out) {";
  Launch launch("_Z3sumPKfPf", {kHere, kHere}, source);
  CHECK(launch.names() == "in out");
  launch.kernel.params[0].size = 4;
  CHECK(launch.names() == "out");
  launch.kernel.params[0].size = 8;
  launch.program.lines[0].line = 0;
  CHECK(launch.names() == "? ?");
  launch.program.lines[0] = {};
  launch.program.lines[0].line = 1;
  launch.program.lines[0].file = 7;
  CHECK(launch.names() == "? ?");
  launch.program.lines[0].file = 0;
  CHECK(launch.names() == "in out");
  launch.program.files[0] = "heads_that_are_nowhere.cu";
  CHECK(launch.names() == "? ?");
  launch.kernel.name = "sum";  // neither types nor names
  CHECK(launch.names() == "");
  launch.kernel.name = "_Z3sumPKfPf";
  launch.program.functions[0].begin = 1;
  CHECK(launch.names() == "");
  launch.program.functions[0].begin = 0;
  launch.kernel.function = 1;
  CHECK(launch.names() == "");
  launch.kernel.function = 0;
  launch.info.params = nullptr;
  CHECK(launch.names() == "");
}

TEST_CASE("an address is an element of the parameter it is counted from") {
  const Allocation a = {kHere, 1056, nullptr, MemoryKind::device, 1};
  const auto load = AccessKind::load, store = AccessKind::store;
  const Launch launch("_Z3sumPKfPf", {kHere, kHere + 512}, "void sum(const float* in, float* out) {");
  CHECK(global_name(launch.info, a, kHere + 48, 4, load) == "in[12]");
  CHECK(global_name(launch.info, a, kHere + 48, 16, load) == "in[12] to in[15]");
  CHECK(global_name(launch.info, a, kHere + 512, 4, load) == "out[0]");
  CHECK(global_name(launch.info, a, kHere + 50, 4, load) == "4 bytes at offset 50 of in");
  CHECK(global_name(launch.info, a, kHere + 48, 1, load) == "1 byte at offset 48 of in");
  CHECK(array_name(launch.info, a, kHere + 511, load) == "in");
  CHECK(array_name(launch.info, a, kHere + 512, load) == "out");
  CHECK(outside_name(launch.info, a, kHere + 1056, 4, load) == "out[136], beyond the 136 floats of out");
  CHECK(outside_name(launch.info, a, kHere - 4, 4, store) == "in[-1], in front of the 264 floats of in");
  CHECK(outside_name(launch.info, a, kHere + 1057, 4, load) == "");
  // Memory to which no parameter points.
  const Allocation other = {4 * kHere, 1, nullptr, MemoryKind::device, 2};
  CHECK(global_name(launch.info, other, 4 * kHere, 1, load) ==
        "1 byte at offset 0 of an allocation of 1 byte");
  CHECK(outside_name(launch.info, other, 4 * kHere + 1, 1, load) == "");
  CHECK(array_name(launch.info, other, 4 * kHere, load) == "");
  // Two at the same place: the one that the access fits. Two behind the address: the first of them.
  for (const bool const_first : {true, false}) {
    const Launch both(
        const_first ? "_Z1kPKiPi" : "_Z1kPiPKi", {kHere + 8, kHere + 8},
        const_first ? "void k(const int* in, int* out) {" : "void k(int* out, const int* in) {");
    CHECK(array_name(both.info, a, kHere + 8, load) == "in");
    CHECK(array_name(both.info, a, kHere + 8, store) == "out");
    CHECK(array_name(both.info, a, kHere + 8, AccessKind::atomic) == "out");
  }
  for (const bool far_first : {true, false}) {
    const Launch behind("_Z1kPiS_", {kHere + (far_first ? 64 : 32), kHere + (far_first ? 32 : 64)},
                        far_first ? "void k(int* far, int* near) {" : "void k(int* near, int* far) {");
    CHECK(array_name(behind.info, a, kHere, load) == "near");
    CHECK(array_name(behind.info, a, kHere + 40, load) == "near");
    CHECK(array_name(behind.info, a, kHere + 64, load) == "far");
    CHECK(global_name(behind.info, a, kHere + 28, 4, load) == "near[-1]");
  }
}

TEST_CASE("a single element, and elements whose type is a class, have words of their own") {
  const auto load = AccessKind::load;
  const Allocation one = {kHere, 4, nullptr, MemoryKind::device, 1};
  const Launch sum("_Z1kPf", {kHere}, "void k(float* sum) {");
  CHECK(global_name(sum.info, one, kHere, 4, load) == "*sum");
  CHECK(global_name(sum.info, one, kHere, 2, load) == "2 bytes at offset 0 of sum");
  CHECK(outside_name(sum.info, one, kHere + 4, 4, load) == "sum[1], beyond the 1 float of sum");
  const Allocation pairs = {kHere, 16, nullptr, MemoryKind::device, 1};
  const Launch vectors("_Z1kP6float2", {kHere}, "void k(float2* v) {");
  CHECK(outside_name(vectors.info, pairs, kHere + 16, 8, load) == "v[2], beyond the 2 elements of v");
  const Launch last("_Z1kP6float2", {kHere + 8}, "void k(float2* v) {");
  CHECK(outside_name(last.info, pairs, kHere + 16, 8, load) == "v[1], beyond the 1 element of v");
  for (const char* type : {"int", "double", "char"}) {
    const std::string name = type;
    const Launch plain("_Z1kP" + name.substr(0, 1), {kHere}, "void k(" + name + "* v) {");
    const u32 size = name == "int" ? 4 : name == "double" ? 8 : 1;
    CHECK(outside_name(plain.info, pairs, kHere + 16, size, load) ==
          "v[" + std::to_string(16 / size) + "], beyond the " + std::to_string(16 / size) + " " + name +
              "s of v");
  }
  const Launch unknown("_Z1kP8Particle", {kHere}, "void k(Particle* p) {");
  CHECK(outside_name(unknown.info, pairs, kHere + 16, 4, load) == "");
  CHECK(global_name(unknown.info, pairs, kHere + 4, 4, load) == "4 bytes at offset 4 of p");
}

TEST_CASE("a variable of the module has the name that the source gives it") {
  Launch launch("_Z1kv", {});
  const Allocation a = {kHere, 16, nullptr, MemoryKind::module_variable, 1};
  const auto load = AccessKind::load;
  Variable other, constant, table;
  other.name = "other", other.space = Space::global, other.address = 2 * kHere, other.size = 16;
  constant.name = "constant", constant.space = Space::constant, constant.address = kHere, constant.size = 16;
  table.name = "_ZN4math5tableE", table.space = Space::global, table.address = kHere, table.size = 16;
  launch.program.variables = {other, constant, table};
  const std::string name = "table";
  CHECK(global_name(launch.info, a, kHere, 16, load) == name);
  CHECK(global_name(launch.info, a, kHere + 8, 4, load) == name + "[2]");
  CHECK(global_name(launch.info, a, kHere + 3, 4, load) == "4 bytes at offset 3 of '" + name + "'");
  Allocation of_constant = a;
  of_constant.kind = MemoryKind::constant;
  CHECK(global_name(launch.info, of_constant, kHere + 8, 4, load) == "constant[2]");
  launch.program.variables.pop_back();
  CHECK(global_name(launch.info, a, kHere, 4, load) == "4 bytes at offset 0 of an allocation of 16 bytes");
}

TEST_CASE("near address 0, the one parameter that is null is named") {
  const std::string source = "void k(int* a, int* b) {";
  CHECK(null_name(Launch("_Z1kPiS_", {0, kHere}, source).info, 8, 4) == "a[2], and a is a null pointer");
  CHECK(null_name(Launch("_Z1kPiS_", {kHere, 0}, source).info, 0, 8) ==
        "b[0] to b[1], and b is a null pointer");
  CHECK(null_name(Launch("_Z1kPiS_", {0, 0}, source).info, 0, 4) == "");  // which one?
  CHECK(null_name(Launch("_Z1kPiS_", {kHere, kHere}, source).info, 0, 4) == "");
  CHECK(null_name(Launch("_Z1kPiS_", {0, kHere}).info, 0, 4) == "");
  CHECK(null_name(Launch("_Z1kPiS_", {0, kHere}, source).info, 2, 4) == "");
}
// SPDX-License-Identifier: MIT
