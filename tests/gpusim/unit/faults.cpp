// What stops a kernel is told in one line: which instruction, whose, and why. Deadlocks, addresses that nobody may touch, calls
// that are nested too deep.
#include <doctest/doctest.h>

#include <cstring>
#include <string>

#include "faulty_gpu.h"

using namespace gpusim;

namespace {

std::string deadlock(const PtxKernel& kernel) {
  FaultyGpu faulty;
  const std::string message = faulty.run(kernel);
  CHECK(faulty.code == FaultCode::timeout);
  return message;
}
// The first half of a warp is at `instruction` with all lanes in its mask; the second has gone another way, to a barrier.
std::string half_at(const std::string& instruction) {
  return deadlock(
      {"setp.ge.u32 %p1, %lane, 16; mov.u32 %r1, 5;\n"
       "@%p1 bra OTHER;\n" +
       instruction +
       "\n"
       "bra END;\n"
       "OTHER: bar.sync 0;\n"
       "END: ret;"});
}
std::string waits_for_half(const std::string& what) {
  return "test.cu:3: deadlock: lanes 0..15 of warp 0 wait here (" + what +
         ", mask 0xffffffff); lanes 16..31 never come: they are at test.cu:5 (__syncthreads); "
         "the branch at test.cu:2 parted them (test, block 0, thread 0)";
}

}  // namespace

TEST_CASE("lanes that wait for others of their warp are told by what they wait at") {
  CHECK(half_at("vote.sync.any.pred %p2, %p1, 0xffffffff;") == waits_for_half("a vote"));
  CHECK(half_at("match.any.sync.b32 %r2, %r1, 0xffffffff;") == waits_for_half("__match_…_sync"));
  CHECK(half_at("redux.sync.add.s32 %r2, %r1, 0xffffffff;") == waits_for_half("__reduce_…_sync"));
  CHECK(half_at("bar.warp.sync 0xffffffff;") == waits_for_half("__syncwarp"));
  CHECK(half_at("shfl.sync.bfly.b32 %r2, %r1, 16, 31, 0xffffffff;") == waits_for_half("a shuffle"));
  CHECK(half_at("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r2}, [%r3];") ==
        waits_for_half("ldmatrix.sync.aligned"));
  CHECK(half_at(
            "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%r2, %r3}, {%r4, %r5}, {%r6}, {%r7, %r8};") ==
        waits_for_half("mma.sync.aligned"));
}

TEST_CASE("lanes are told as ranges, four at most; one lane is one") {
  const auto parted = [](const std::string& condition) {
    return deadlock({condition + "\n"
                                 "@%p1 bra OTHER;\n"
                                 "bar.warp.sync 0xffffffff;\n"
                                 "bra END;\n"
                                 "OTHER: bar.sync 0;\n"
                                 "END: ret;"});
  };
  CHECK(
      parted("setp.eq.u32 %p1, %lane, 31;") ==
      "test.cu:3: deadlock: lanes 0..30 of warp 0 wait here (__syncwarp, mask 0xffffffff); lane 31 never comes: it is at "
      "test.cu:5 (__syncthreads); the branch at test.cu:2 parted them (test, block 0, thread 0)");
  CHECK(
      parted("setp.ne.u32 %p1, %lane, 7;") ==
      "test.cu:3: deadlock: lane 7 of warp 0 waits here (__syncwarp, mask 0xffffffff); lanes 0..6, 8..31 never come: they "
      "are at test.cu:5 (__syncthreads); the branch at test.cu:2 parted them (test, block 0, thread 7)");
  CHECK(
      parted("and.b32 %r1, %lane, 1; setp.eq.u32 %p1, %r1, 1;") ==
      "test.cu:3: deadlock: lanes 0, 2, 4, 6 … of warp 0 wait here (__syncwarp, mask 0xffffffff); lanes 1, 3, 5, 7 … never "
      "come: they are at test.cu:5 (__syncthreads); the branch at test.cu:2 parted them (test, block 0, thread 0)");
}

TEST_CASE("lanes that have come to several places are told for each") {
  CHECK(
      deadlock({"setp.eq.u32 %p1, %lane, 1; setp.eq.u32 %p2, %lane, 2; setp.eq.u32 %p3, %lane, 0;\n"
                "@%p1 bra ONE;\n"
                "@%p2 bra TWO;\n"
                "@!%p3 bra END;\n"
                "bar.warp.sync 0x7;\n"
                "bra END;\n"
                "ONE: bar.sync 0;\n"
                "bra END;\n"
                "TWO: bar.red.popc.u32 %r1, 0, %p1;\n"
                "END: ret;"}) ==
      "test.cu:5: deadlock: lane 0 of warp 0 waits here (__syncwarp, mask 0x00000007); lanes 1..2 never come: lane 1 is at test.cu:7 "
      "(__syncthreads), lane 2 is at test.cu:9 (__syncthreads); the branch at test.cu:2 parted them (test, block 0, thread 0)");
}

TEST_CASE("lanes that wait where a branch ends are told by that, or by what they wait at there") {
  const auto joins_at = [](const std::string& end) {
    return deadlock(
        {"setp.ge.u32 %p1, %lane, 16;\n"
         "@%p1 bra END;\n"
         "bar.warp.sync 0xffffffff;\n"
         "END: " +
         end +
         "\n"
         "ret;"});
  };
  const std::string head =
      "test.cu:3: deadlock: lanes 0..15 of warp 0 wait here (__syncwarp, mask 0xffffffff); lanes 16..31 never come: they are at ";
  const std::string tail = "; the branch at test.cu:2 parted them (test, block 0, thread 0)";
  CHECK(joins_at("add.u32 %r1, %r2, 1;") == head + "the end of the branch" + tail);
  CHECK(joins_at("bar.sync 0;") == head + "test.cu:4 (__syncthreads)" + tail);
}

TEST_CASE("of lanes that wait with different masks the lowest is told first") {
  CHECK(
      deadlock({"setp.ge.u32 %p1, %lane, 16; setp.ge.u32 %p2, %lane, 8;\n"
                "@%p1 bra OTHER;\n"
                "@%p2 bra SECOND;\n"
                "bar.warp.sync 0x00ff00ff;\n"
                "bra OTHER;\n"
                "SECOND: bar.warp.sync 0xff00ff00;\n"
                "OTHER: bar.sync 0;\n"
                "ret;"})
          .find(
              "test.cu:4: deadlock: lanes 0..7 of warp 0 wait here (__syncwarp, mask 0x00ff00ff); lanes 16..23 never come: ") ==
      0);
}

TEST_CASE("warps that wait at different barriers are told, four groups at most") {
  const std::string each_its_own =
      "mov.u32 %r1, %tid.x;\n"
      "shr.u32 %r1, %r1, 5;\n"
      "add.u32 %r1, %r1, 1;\n"
      "bar.sync %r1, 64;\n"
      "ret;";
  CHECK(
      deadlock({each_its_own, "", "", 64}) ==
      "test.cu:4: deadlock: the threads of the block wait at different barriers: lanes 0..31 of warp 0 at test.cu:4 "
      "(barrier 1, for 64 threads, of whom 32 have come), lanes 0..31 of warp 1 at test.cu:4 (barrier 2, for 64 threads, of "
      "whom 32 have come) (test, block 0, thread 0)");
  const std::string five = deadlock({each_its_own, "", "", 160});
  CHECK(five.find("lanes 0..31 of warp 3 at") != five.npos);
  CHECK(five.find(" of warp 4") == five.npos);
  CHECK(five.find("have come) … (test, block 0, thread 0)") != five.npos);
}

TEST_CASE("an address in no allocation is told by what is near it") {
  FaultyGpu faulty;
  CHECK(
      faulty.run({"mov.u64 %rd3, 0x7000;\nld.global.u32 %r1, [%rd3];\nret;"}) ==
      "test.cu:2: out of bounds: reads 4 bytes of global memory at 0x7000; no memory is allocated: is this a host pointer? "
      "(test, block 0, thread 0)");
  CHECK(faulty.code == FaultCode::illegal_address);
  const u64 a = faulty.gpu.device.memory.allocate(100);
  const auto at = [&](u64 address) {
    char hex[24];
    std::snprintf(hex, sizeof hex, "0x%llx", static_cast<unsigned long long>(address));
    const std::string message =
        faulty.run({std::string("mov.u64 %rd3, ") + hex + ";\nld.global.u32 %r1, [%rd3];\nret;"});
    const std::string head =
        std::string("test.cu:2: out of bounds: reads 4 bytes of global memory at ") + hex;
    const std::string tail = " (test, block 0, thread 0)";
    REQUIRE(message.substr(0, head.size()) == head);
    REQUIRE(message.size() >= head.size() + tail.size());
    REQUIRE(message.substr(message.size() - tail.size()) == tail);
    return message.substr(head.size(), message.size() - head.size() - tail.size());
  };
  CHECK(at(a + 100) == ", just past the end of an allocation of 100 bytes");
  CHECK(at(a + 108) == ", 8 bytes past the end of an allocation of 100 bytes");
  CHECK(at(a - 4) == ", 4 bytes before the start of an allocation of 100 bytes");
  CHECK(at(a + 65536) == "; no allocation is near: is this a host pointer, or did an index overflow?");
  CHECK(at(16) == ": a null pointer");
}

TEST_CASE("an allocation that ends within an access, and one that has been freed") {
  FaultyGpu faulty;
  Memory& memory = faulty.gpu.device.memory;
  const u64 odd = memory.allocate(10);
  const PtxKernel load = {"ld.global.u32 %r1, [%rd1+8];\nret;"};
  CHECK(faulty.run(load, odd).find(
            ", across the end of an allocation of 10 bytes (test, block 0, thread 0)") != std::string::npos);
  REQUIRE(memory.release(odd));
  CHECK(faulty.run(load, odd).find(
            ", in memory of an allocation of 10 bytes that has been freed, and to which the kernel has no "
            "pointer: did an index overflow? (test, block 0, thread 0)") != std::string::npos);
}

TEST_CASE("constants are read only, whoever writes; so is what lies beyond them") {
  const std::string declarations = ".const .align 4 .b8 table[16];";
  FaultyGpu faulty;
  const std::string stored =
      faulty.run({"mov.u64 %rd3, table;\ncvta.const.u64 %rd3, %rd3;\nst.u32 [%rd3], 1;\nret;", declarations});
  CHECK(stored.find("test.cu:3: out of bounds: writes 4 bytes of ") == 0);
  CHECK(stored.find("; constant memory is read-only (test, block 0, thread 0)") != stored.npos);
  const std::string added = faulty.run(
      {"mov.u64 %rd3, table;\ncvta.const.u64 %rd3, %rd3;\nred.add.u32 [%rd3], 1;\nret;", declarations});
  CHECK(added.find("test.cu:3: out of bounds: updates 4 bytes of ") == 0);
  CHECK(added.find("; constant memory is read-only") != added.npos);
  // Also where an instruction that may read them has just found them: the executor remembers by the low bits of the pc.
  std::string distance;
  for (u32 k = 0; k < 40; ++k) {
    const std::string after_load =
        faulty.run({"mov.u64 %rd3, table;\ncvta.const.u64 %rd3, %rd3;\nld.u32 %r1, [%rd3];\n" + distance +
                        "\nst.u32 [%rd3], 1;\nret;",
                    declarations});
    CHECK(after_load.find("test.cu:5: out of bounds: writes 4 bytes of ") == 0);
    distance += "add.u32 %r1, %r1, 1; ";
  }
  CHECK(faulty.run({"mov.u64 %rd3, table;\nld.const.u32 %r1, [%rd3+16];\nret;", declarations})
            .find(", just past the end of an allocation of 16 bytes") != std::string::npos);
}

TEST_CASE("shared memory is told with its variables") {
  const std::string declarations = ".shared .align 4 .b8 tile[64];";
  const auto of_shared = [&](const std::string& access, const std::string& variables) {
    return FaultyGpu().run({access + "\nret;", variables});
  };
  CHECK(
      of_shared("mov.u32 %r1, tile;\nld.shared.u32 %r2, [%r1+64];", declarations) ==
      "test.cu:2: out of bounds: reads 4 bytes of shared memory at 0x40; the block has 64 bytes, and tile[16] is beyond them "
      "(test, block 0, thread 0)");
  CHECK(
      of_shared("mov.u32 %r1, tile;\nsub.u32 %r1, %r1, 8;\nst.shared.u32 [%r1], %r2;", declarations) ==
      "test.cu:3: out of bounds: writes 4 bytes of shared memory at 0xfffffff8; the block has 64 bytes, and tile[-2] is "
      "before them (test, block 0, thread 0)");
  CHECK(
      of_shared("mov.u32 %r1, 0;\natom.shared.add.u32 %r2, [%r1], 1;", "") ==
      "test.cu:2: out of bounds: updates 4 bytes of shared memory at 0x0; the block has 0 bytes (test, block 0, thread 0)");
  // Between two elements of the access's size nothing has a name.
  CHECK(
      of_shared("mov.u32 %r1, small;\nmov.u32 %r2, tile;\nld.shared.u32 %r3, [8];",
                ".shared .align 2 .b8 small[2]; .shared .align 2 .b8 tile[4];") ==
      "test.cu:3: out of bounds: reads 4 bytes of shared memory at 0x8; the block has 6 bytes (test, block 0, thread 0)");
}

TEST_CASE("a thread's own arrays end, and begin at 0") {
  const auto of_local = [&](const std::string& access) {
    return FaultyGpu().run({access + "\nret;", "", ".local .align 4 .b8 own[16];"});
  };
  CHECK(
      of_local("mov.u64 %rd3, own;\nld.local.u32 %r1, [%rd3+16];") ==
      "test.cu:2: out of bounds: reads 4 bytes of local memory at 0x10; a thread's own arrays end before that (test, block 0, "
      "thread 0)");
  CHECK(
      of_local("mov.u64 %rd3, own;\nst.local.u32 [%rd3+-4], %r1;") ==
      "test.cu:2: out of bounds: writes 4 bytes of local memory at 0xfffffffffffffffc; it begins at 0: is an index of a "
      "thread's own array negative? (test, block 0, thread 0)");
}

TEST_CASE("lanes of one access may be in three spaces, each with its own bounds") {
  // Lane 0 reads global memory, lane 1 shared, lane 2 a local array, the rest what lane 0 does; then lane 2 goes too far.
  const auto generic = [&](const std::string& far) {
    return PtxKernel{
        "mov.u64 %rd3, tile; cvta.shared.u64 %rd3, %rd3; mov.u64 %rd4, own; cvta.local.u64 %rd4, %rd4;\n"
        "st.local.u32 [own+4], 30; st.shared.u32 [tile], 20;\n"
        "setp.eq.u32 %p1, %lane, 1; setp.eq.u32 %p2, %lane, 2; mov.u64 %rd5, %rd1;\n"
        "@%p1 mov.u64 %rd5, %rd3;\n"
        "@%p2 add.u64 %rd5, %rd4, " +
            far +
            ";\n"
            "ld.u32 %r1, [%rd5];\n"
            "mul.wide.u32 %rd6, %lane, 4; add.u64 %rd6, %rd2, %rd6; st.global.u32 [%rd6], %r1;\n"
            "ret;",
        ".shared .align 4 .b8 tile[4];", ".local .align 4 .b8 own[8];"};
  };
  FaultyGpu faulty;
  Memory& memory = faulty.gpu.device.memory;
  const u64 from = memory.allocate(4), to = memory.allocate(32 * 4);
  const u32 ten = 10;
  std::memcpy(memory.resolve(from, 4), &ten, 4);
  CHECK(faulty.run(generic("4"), from, to) == "");
  u32 read[32];
  std::memcpy(read, memory.resolve(to, sizeof read), sizeof read);
  for (u32 l = 0; l < 32; ++l) CHECK(read[l] == (l == 1 ? 20 : l == 2 ? 30 : 10));
  CHECK(
      faulty.run(generic("8"), from, to) ==
      "test.cu:6: out of bounds: reads 4 bytes of local memory at 0x8; a thread's own arrays end before that (test, block 0, "
      "thread 2)");
}

TEST_CASE("calls end where the memory of a thread or of its calls does") {
  const auto recursion = [](const std::string& locals) {
    return PtxKernel{"call down;\nret;", ".visible .func down() {\n" + locals +
                                             " .reg .b32 %r1;\n.loc 1 9 0\ncall down;\nret; }\n"};
  };
  const std::string called = "; called at test.cu:9, test.cu:9, test.cu:9, test.cu:9)";  // the innermost
  FaultyGpu faulty;
  CHECK(
      faulty.run(recursion(".local .align 16 .b8 own[112];")) ==
      "test.cu:9: stack overflow: this recursion keeps at least 1072 bytes on a thread's stack, which has 1024: does it end? If so, "
      "call cudaDeviceSetLimit(cudaLimitStackSize, BYTES) before the launch (test, block 0, thread 0" +
          called);
  CHECK(faulty.code == FaultCode::illegal_address);
  faulty.gpu.device.memory.stack_limit = 512 * 1024;
  CHECK(
      faulty.run(recursion("")) ==
      "test.cu:9: stack overflow: calls are nested 1025 deep: does this recursion end? (test, block 0, thread 0" +
          called);
  CHECK(faulty.code == FaultCode::launch_failure);
  // 524288 bytes hold 5 frames of 100000.
  CHECK(
      faulty.run(recursion(".local .align 16 .b8 big[100000];")) ==
      "test.cu:9: stack overflow: a thread would need 600000 bytes of local memory, and has 524288: does this recursion end? "
      "(test, block 0, thread 0" +
          called);
}
// SPDX-License-Identifier: MIT
