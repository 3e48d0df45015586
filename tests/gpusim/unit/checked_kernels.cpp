// Kernels of a few instructions under the checks: what orders two threads in shared memory, and what counts as a first value.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "execution/events.h"
#include "faulty_gpu.h"

using namespace gpusim;

namespace {

// What the checks find in a kernel: "race 5 3: …", with the lines of both accesses.
std::vector<std::string> found(const char* checks, const PtxKernel& kernel, u64 bytes = 0) {
  FaultyGpu checked;
  REQUIRE(checked.gpu.checks.enable(checks));
  const u64 array = bytes ? checked.gpu.device.memory.allocate(bytes) : 0;
  if (array)
    for (Observer* o : checked.gpu.device.observers) o->allocated(*checked.gpu.device.memory.find(array));
  CHECK(checked.run(kernel, array) == "");
  std::vector<std::string> all;
  for (const Finding& f : checked.gpu.findings.all())
    all.push_back(f.check + " " + std::to_string(f.place.line) + " " + std::to_string(f.other.line) + ": " +
                  f.message);
  return all;
}
bool has(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

constexpr const char* kTile = ".shared .align 8 .b8 tile[256]; .shared .align 4 .b8 flag[4];";

}  // namespace

// Thread 0 writes tile[0] and tells thread 32, which reads it: line 3 writes, line 4 tells, line 6 asks, line 8 reads.
TEST_CASE("a message in shared memory needs an end that releases and one that acquires") {
  const auto message = [](const std::string& tell, const std::string& ask, const std::string& behind) {
    return PtxKernel{
        "mov.u32 %r1, %tid.x; mov.u32 %r9, 0; setp.eq.u32 %p1, %r1, 0; setp.eq.u32 %p2, %r1, 32; "
        "@%p1 st.shared.u32 [flag], 0; bar.sync 0;\n"
        "@!%p1 bra READER;\n"
        "st.shared.u32 [tile], 7;\n" +
            tell +
            "\n"
            "READER: @!%p2 bra END;\n"
            "WAIT: " +
            ask + " setp.eq.u32 %p3, %r2, 0; @%p3 bra WAIT;\n" + behind +
            "\n"
            "ld.shared.u32 %r3, [tile];\n"
            "END: ret;",
        kTile, "", 64};
  };
  struct End {
    const char *does, *behind;
    bool orders;
  };
  const End writers[] = {
      {"st.release.cta.shared.u32 [flag], 1;", "", true},
      {"st.release.gpu.shared.u32 [flag], 1;", "", true},
      {"atom.release.cta.shared.exch.b32 %r2, [flag], 1;", "", true},
      {"atom.acq_rel.cta.shared.add.u32 %r2, [flag], 1;", "", true},
      {"red.release.cta.shared.add.u32 [flag], 1;", "", true},
      {"membar.cta; st.relaxed.cta.shared.u32 [flag], 1;", "", true},
      {"fence.acq_rel.cta; atom.relaxed.cta.shared.add.u32 %r2, [flag], 1;", "", true},
      {"membar.cta; st.volatile.shared.u32 [flag], 1;", "", true},
      {"st.relaxed.cta.shared.u32 [flag], 1;", "", false},
      {"red.relaxed.cta.shared.add.u32 [flag], 1;", "", false},
      {"atom.acquire.cta.shared.exch.b32 %r2, [flag], 1;", "", false},
  };
  const End readers[] = {
      {"ld.acquire.cta.shared.u32 %r2, [flag];", "", true},
      {"atom.acquire.cta.shared.add.u32 %r2, [flag], %r9;", "", true},
      {"atom.acq_rel.cta.shared.cas.b32 %r2, [flag], 1, 1;", "", true},
      {"ld.relaxed.cta.shared.u32 %r2, [flag];", "membar.cta;", true},
      {"ld.volatile.shared.u32 %r2, [flag];", "fence.acq_rel.cta;", true},
      {"ld.relaxed.cta.shared.u32 %r2, [flag];", "", false},
      {"atom.release.cta.shared.add.u32 %r2, [flag], %r9;", "", false},
  };
  for (const End& writer : writers)
    for (const End& reader : readers) {
      const std::string pair = std::string(writer.does) + " and " + reader.does + reader.behind;
      CAPTURE(pair);
      const std::vector<std::string> all = found(
          "race", message("mov.u32 %r2, flag; " + std::string(writer.does), reader.does, reader.behind));
      if (writer.orders && reader.orders) {
        CHECK(all.empty());
      } else {
        REQUIRE(all.size() == 1);
        CHECK(has(
            all[0],
            "race 8 3: block 0, thread 32 (warp 1, lane 0) reads tile[0] while thread 0 (warp 0, lane 0) writes it; "));
      }
    }
}

TEST_CASE("lanes that write the same value to one place do not race, whatever its size") {
  const auto both_write = [](const std::string& store) {
    return found("race", {store + "\nret;", kTile, "", 2});
  };
  CHECK(both_write("mov.b16 %h1, 5; st.shared.u16 [tile+2], %h1;").empty());
  CHECK(both_write("mov.b32 %r1, 5; st.shared.u8 [tile+3], %r1;").empty());
  CHECK(both_write("mov.b32 %r1, 5; st.shared.u32 [tile+4], %r1;").empty());
  CHECK(both_write("mov.b64 %rd3, 5; st.shared.u64 [tile+8], %rd3;").empty());
  for (const char* store :
       {"cvt.u16.u32 %h1, %lane; st.shared.u16 [tile+2], %h1;", "st.shared.u8 [tile+3], %lane;",
        "st.shared.u32 [tile+4], %lane;", "mov.b64 %rd3, {0, %lane}; st.shared.u64 [tile+8], %rd3;"}) {
    CAPTURE(store);
    const std::vector<std::string> all = both_write(store);
    REQUIRE(all.size() == 1);
    CHECK(has(all[0], "race 1 1: block 0, lanes 0 and 1 of warp 0 write different values to tile["));
    CHECK(has(all[0], "; it is undefined which value remains: let one lane write it, or use an atomic"));
  }
}

// Warp 0 writes, all meet, warp 1 reads, and the loop begins again without a barrier.
TEST_CASE("what races with the next round of a loop is told as that") {
  const auto loop = [](const std::string& barrier, const std::string& at_the_end) {
    return found(
        "race",
        {"mov.u32 %r1, %tid.x; mov.u32 %r9, 0; mov.u32 %r2, tile; mad.lo.u32 %r2, %lane, 4, %r2; setp.lt.u32 %p1, %r1, 32;\n"
         "ROUND: @%p1 st.shared.u32 [%r2], %r9;\n" +
             barrier + "\n@!%p1 ld.shared.u32 %r3, [%r2];\n" + at_the_end +
             "\nadd.u32 %r9, %r9, 1; setp.lt.u32 %p2, %r9, 3; @%p2 bra ROUND;\nret;",
         kTile, "", 64});
  };
  const std::string next = "put __syncthreads() between reading and writing in the next round of the loop";
  for (const char* barrier : {"bar.sync 0;", "bar.red.popc.u32 %r4, 0, %p1;"}) {
    CAPTURE(barrier);
    const std::vector<std::string> all = loop(barrier, "");
    REQUIRE(!all.empty());  // whichever of the two comes first
    for (const std::string& one : all) {
      CHECK((has(one, "race 2 4: block 0, thread ") || has(one, "race 4 2: block 0, thread ")));
      CHECK(has(one, next));
    }
    CHECK(loop(barrier, "bar.sync 0;").empty());
  }
  // Where nothing orders the writing and the reading of one round, that is what is told.
  const std::vector<std::string> none = loop("", "bar.sync 0;");
  REQUIRE(!none.empty());
  for (const std::string& one : none) {
    CHECK(has(one, "ing, if both are to access this element"));
    CHECK(!has(one, "next round"));
  }
}

TEST_CASE("an exchange whose result nobody reads is a store; any other atomic needs a first value") {
  const auto shared = [](const std::string& atomic, const std::string& then = "") {
    return found("memory", {atomic + "\nld.shared.u32 %r2, [tile];\n" + then + "\nret;", kTile, "", 1});
  };
  CHECK(shared("atom.shared.exch.b32 %r1, [tile], 5;").empty());
  CHECK(shared("atom.shared.exch.b32 _, [tile], 5;").empty());
  const std::string read =
      "never written 1 0: block 0, thread 0 (warp 0, lane 0) reads tile[0], which no thread of the block "
      "has written: store there first, with __syncthreads() between storing and reading";
  for (const std::vector<std::string>& all :
       {shared("atom.shared.exch.b32 %r1, [tile], 5;", "add.u32 %r3, %r1, 1;"),
        shared("atom.shared.add.u32 %r1, [tile], 5;"), shared("atom.shared.cas.b32 %r1, [tile], 0, 5;"),
        shared("red.shared.add.u32 [tile], 5;")}) {
    REQUIRE(all.size() == 1);
    CHECK(all[0] == read);
  }
  const auto global = [](const std::string& atomic, const std::string& then = "") {
    return found("memory", {atomic + "\nld.global.u32 %r2, [%rd1];\n" + then + "\nret;", "", "", 1}, 4);
  };
  CHECK(global("atom.global.exch.b32 %r1, [%rd1], 5;").empty());
  CHECK(global("atom.global.exch.b32 _, [%rd1], 5;").empty());
  for (const std::vector<std::string>& all :
       {global("atom.global.exch.b32 %r1, [%rd1], 5;", "setp.eq.u32 %p1, %r1, 1;"),
        global("red.global.add.u32 [%rd1], 5;")}) {
    REQUIRE(all.size() == 1);
    CHECK(
        all[0] ==
        "never written 1 0: block 0, thread 0 (warp 0, lane 0) reads 4 bytes at offset 0 of an allocation of 4 bytes that "
        "nothing has written: initialise it (cudaMemset, cudaMemcpy, or store before reading)");
  }
}
// SPDX-License-Identifier: MIT
