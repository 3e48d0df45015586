// What the host computes for a kernel: second results, launches, the heap. Each with what it must refuse.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "faulty_gpu.h"

using namespace gpusim;

namespace {

constexpr const char* kEnd = " (test, block 0, thread 0)";

// A request of gpusim/detail/child_kernels.h, written by hand into the GPU's memory.
struct Launching {
  FaultyGpu faulty;
  Memory& memory = faulty.gpu.device.memory;
  struct Request {
    u64 kernel;
    u32 grid[3] = {1, 1, 1}, block[3] = {1, 1, 1};
    u64 shared_bytes = 0, count = 0, arguments = 0, sizes = 0, stream = 0;
  } request;
  u64 out = memory.allocate(4);

  // Two kernels of one template, of which each stores what it is given; one that allows 64 threads; one that nobody can launch.
  static constexpr const char* kChildren = R"(
.extern .func __gpusim_launch(.param .b64 request);
.visible .entry _Z5storeILi1EEvPjj(.param .u64 p, .param .u32 v) {
  .reg .b64 %rd1; .reg .b32 %r1;
  ld.param.u64 %rd1, [p]; ld.param.u32 %r1, [v]; st.global.u32 [%rd1], %r1; ret; }
.visible .entry _Z5storeILi2EEvPjj(.param .u64 p, .param .u32 v) {
  .reg .b64 %rd1; .reg .b32 %r1;
  ld.param.u64 %rd1, [p]; ld.param.u32 %r1, [v]; add.u32 %r1, %r1, 100; st.global.u32 [%rd1], %r1; ret; }
.visible .entry _ZN2ns7boundedEv() .maxntid 64, 1, 1 { ret; }
.visible .entry _Z5largev() { .shared .align 4 .b8 tile[40000]; .reg .b32 %r1; ld.shared.u32 %r1, [tile]; ret; }
.visible .entry _Z6unablev() { wgmma.fence.sync.aligned; ret; }
)";

  u64 put(const void* data, std::size_t bytes) {
    const u64 at = memory.allocate(bytes);
    std::memcpy(memory.resolve(at, bytes), data, bytes);
    return at;
  }
  void name(const std::string& kernel) { request.kernel = put(kernel.c_str(), kernel.size() + 1); }
  // The arguments (out, value).
  void give(u32 value) {
    const u64 places[] = {put(&out, sizeof out), put(&value, sizeof value)};
    const u64 sizes[] = {sizeof out, sizeof value};
    request.count = 2;
    request.arguments = put(places, sizeof places);
    request.sizes = put(sizes, sizeof sizes);
  }
  std::string launch_at(u64 at) {
    return faulty.run(
        {"{ .param .b64 a; st.param.b64 [a], %rd1;\ncall __gpusim_launch, (a); }\nret;", kChildren, "", 1},
        at);
  }
  std::string launch() { return launch_at(put(&request, sizeof request)); }
  u32 stored() {
    u32 value;
    std::memcpy(&value, memory.resolve(out, sizeof value), sizeof value);
    return value;
  }
};
std::string cannot(const std::string& kernel, const std::string& why) {
  return "test.cu:2: launch of " + kernel + " in a kernel: " + why + kEnd;
}

}  // namespace

TEST_CASE_FIXTURE(Launching, "a kernel launches the kernel that it names") {
  name("store<2>");
  give(7);
  CHECK(launch() == "");
  CHECK(stored() == 107);
  name("store<1>");
  CHECK(launch() == "");
  CHECK(stored() == 7);
  name("bounded");  // in a namespace, or not
  request.count = 0;
  request.block[0] = 64;
  CHECK(launch() == "");
}

TEST_CASE_FIXTURE(Launching, "a kernel launches none whose name means several, or none") {
  name("store");
  give(7);
  CHECK(launch() ==
        cannot("store", "several kernels have this name and such parameters; launch it from the host"));
  const std::string none =
      "nothing else launches this kernel template, so there is none; launch it from the host, too";
  name("load<1>");
  CHECK(launch() == cannot("load<1>", none));
  name("store<1>");
  request.count = 1;  // of two
  CHECK(launch() == cannot("store<1>", none));
  name("unable");
  request.count = 0;
  const std::string unable = launch();
  CHECK(unable.find("test.cu:2: launch of unable in a kernel: ") == 0);
  CHECK(unable.find("wgmma") != unable.npos);
}

TEST_CASE_FIXTURE(Launching, "a kernel launches what a host could") {
  name("bounded");
  const auto refuses = [&](Request changed, const std::string& why) {
    changed.kernel = request.kernel;
    const Request before = std::exchange(request, changed);
    CHECK(launch() == cannot("bounded", why));
    request = before;
  };
  refuses({0, {1, 1, 1}, {65, 1, 1}}, "a grid of 1 blocks of 65 threads");
  refuses({0, {1, 1, 1}, {0, 1, 1}}, "a grid of 1 blocks of 0 threads");
  refuses({0, {0, 1, 1}}, "a grid of 0 blocks of 1 threads");
  refuses({0, {1, 0, 1}}, "a grid of 0 blocks of 1 threads");
  refuses({0, {1, 1, 0}}, "a grid of 0 blocks of 1 threads");
  refuses({0, {1, 65536, 1}}, "a grid of 65536 blocks of 1 threads");
  refuses({0, {1, 1, 65536}}, "a grid of 65536 blocks of 1 threads");
  refuses({0, {1, 1, 1}, {1, 1, 1}, 49153}, "49153 bytes of dynamic shared memory");
  name("large");
  request.shared_bytes = 9153;  // and 40000 bytes of its own: one more than there are
  CHECK(launch() == cannot("large", "9153 bytes of dynamic shared memory"));
  request.shared_bytes = 9152;
  CHECK(launch() == "");
}

TEST_CASE_FIXTURE(Launching, "a launch whose arguments are not there is a fault") {
  const std::string broken =
      std::string("test.cu:2: a launch in a kernel whose arguments are not there") + kEnd;
  CHECK(launch_at(8) == broken);
  name("store<1>");
  give(7);
  const Request right = request;
  request.arguments = 8;
  CHECK(launch() == broken);
  request = right;
  request.sizes = 8;
  CHECK(launch() == broken);
  const u64 nowhere[] = {8, 8};
  request = right;
  request.arguments = put(nowhere, sizeof nowhere);
  CHECK(launch() == broken);
}

TEST_CASE("the second result of a function goes to any memory of the thread, and to no other") {
  const std::string frexp =
      ".extern .func (.param .b32 r) __nv_frexpf(.param .b32 x, .param .b64 e);\n"
      ".shared .align 4 .b8 tile[4];";
  const auto into = [&](const std::string& pointer) {
    return PtxKernel{
        pointer +
            "\n{ .param .b32 r; .param .b32 x; .param .b64 e; st.param.b32 [x], 0f41400000; st.param.b64 [e], %rd3;\n"
            "call (r), __nv_frexpf, (x, e);\nld.param.b32 %r1, [r]; }\n"
            "ld.u32 %r2, [%rd3]; st.global.u32 [%rd1], %r1; st.global.u32 [%rd1+4], %r2;\nret;",
        frexp, ".local .align 4 .b8 own[4];", 1};
  };
  FaultyGpu faulty;
  Memory& memory = faulty.gpu.device.memory;
  const u64 out = memory.allocate(12);
  for (const char* pointer : {"add.u64 %rd3, %rd1, 8;", "mov.u64 %rd3, tile; cvta.shared.u64 %rd3, %rd3;",
                              "mov.u64 %rd3, own; cvta.local.u64 %rd3, %rd3;"}) {
    CAPTURE(pointer);
    memory.fill(out, 12, 0);
    CHECK(faulty.run(into(pointer), out) == "");
    float fraction;
    u32 exponent;
    std::memcpy(&fraction, memory.resolve(out, 4), 4);
    std::memcpy(&exponent, memory.resolve(out + 4, 4), 4);
    CHECK(fraction == 0.75F);  // 12 = 0.75 × 2^4
    CHECK(exponent == 4);
  }
  const std::string invalid =
      std::string("test.cu:3: frexp or remquo was given an invalid pointer for its second result") + kEnd;
  for (const char* pointer :
       {"add.u64 %rd3, %rd1, 12;", "mov.u64 %rd3, tile; cvta.shared.u64 %rd3, %rd3; add.u64 %rd3, %rd3, 4;",
        "mov.u64 %rd3, tile; cvta.shared.u64 %rd3, %rd3; add.u64 %rd3, %rd3, 1;",
        "mov.u64 %rd3, own; cvta.local.u64 %rd3, %rd3; add.u64 %rd3, %rd3, 4;", "mov.u64 %rd3, 8;"}) {
    CAPTURE(pointer);
    CHECK(faulty.run(into(pointer), out) == invalid);
    CHECK(faulty.code == FaultCode::illegal_address);
  }
}

TEST_CASE("free takes what malloc in a kernel has given, once") {
  const std::string heap =
      ".extern .func (.param .b64 p) malloc(.param .b64 bytes);\n.extern .func free(.param .b64 p);";
  const std::string free = "{ .param .b64 a; st.param.b64 [a], %rd3;\ncall free, (a); }\n";
  const std::string allocate =
      "{ .param .b64 p; .param .b64 n; st.param.b64 [n], 16;\ncall (p), malloc, (n);\nld.param.b64 %rd3, [p]; }\n";
  const std::string refused =
      std::string(
          "free of an address that malloc in a kernel did not return, or that has been freed already") +
      kEnd;
  FaultyGpu faulty;
  const u64 array = faulty.gpu.device.memory.allocate(16);
  CHECK(faulty.run({allocate + free + "ret;", heap, "", 1}) == "");
  CHECK(faulty.run({allocate + free + free + "ret;", heap, "", 1}) == "test.cu:7: " + refused);
  CHECK(faulty.run({"mov.u64 %rd3, %rd1;\n" + free + "ret;", heap, "", 1}, array) == "test.cu:3: " + refused);
  CHECK(faulty.run({"mov.u64 %rd3, 0;\n" + free + "ret;", heap, "", 1}) == "");  // as in C
  CHECK(faulty.run({"mov.u64 %rd3, 24;\n" + free + "ret;", heap, "", 1}) == "test.cu:3: " + refused);
  CHECK(faulty.gpu.device.memory.find(array));
}

TEST_CASE("generators, textures and surfaces that are none are faults") {
  const std::string declarations = R"(
.extern .func __gpusim_skip_xorwow(.param .b64 words, .param .b64 n, .param .b32 log2);
.extern .func __gpusim_texture(.param .b64 o, .param .b32 x, .param .b32 y, .param .b32 z, .param .b32 d, .param .b64 words);)";
  FaultyGpu faulty;
  CHECK(
      faulty.run(
          {"{ .param .b64 w; .param .b64 n; .param .b32 l; st.param.b64 [w], 8; st.param.b64 [n], 1; st.param.b32 [l], 0;\n"
           "call __gpusim_skip_xorwow, (w, n, l); }\nret;",
           declarations}) ==
      std::string("test.cu:2: a generator of random numbers was given an invalid pointer") + kEnd);
  CHECK(
      faulty.run(
          {"{ .param .b64 o; .param .b64 w; .param .b32 x; .param .b32 y; .param .b32 z; .param .b32 d; st.param.b64 [o], 5; st.param.b64 [w], %rd1;\n"
           "call __gpusim_texture, (o, x, y, z, d, w); }\nret;",
           declarations}) ==
      std::string(
          "test.cu:2: a texture or surface object that the runtime did not make, or that has been destroyed") +
          kEnd);
  CHECK(faulty.code == FaultCode::illegal_address);
}
// SPDX-License-Identifier: MIT
