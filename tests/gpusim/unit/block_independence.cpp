// Blocks that are shown to be apart before a launch runs: which are, which are not, and that what is shown of random kernels is so.
#include "analysis/block_independence.h"

#include <doctest/doctest.h>

#include <array>
#include <bit>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

#include "analysis/affine_forms.h"
#include "execution/events.h"
#include "gpu.h"
#include "lanes/each_lane.h"

using namespace gpusim;

namespace {

constexpr u64 kBytes = 1 << 20;  // that p and q have each

// kernel(u32* p, u32* q, u32 n, u32 k): %rd1 is p, %rd2 is q, %r1 is n, %r2 is k, %r3 to %r8 are the indices of block and thread.
std::string text_of(const std::string& body) {
  return ".version 7.0\n.target sm_80\n.address_size 64\n"
         ".visible .entry f(.param .u64 p, .param .u64 q, .param .u32 n, .param .u32 k) {\n"
         ".reg .u64 %rd<60>; .reg .u32 %r<200>; .reg .pred %p<40>;\n.shared .align 8 .b8 tile[64];\n"
         "ld.param.u64 %rd1, [p];\nld.param.u64 %rd2, [q];\nld.param.u32 %r1, [n];\nld.param.u32 %r2, [k];\n"
         "mov.u32 %r3, %ctaid.x;\nmov.u32 %r4, %ctaid.y;\nmov.u32 %r5, %ctaid.z;\n"
         "mov.u32 %r6, %tid.x;\nmov.u32 %r7, %tid.y;\nmov.u32 %r8, %tid.z;\n" +
         body + "\nEND: ret;\n}\n";
}

struct Arguments {
  u64 p, q;
  u32 n, k;
};

// Who has touched which bytes of global memory.
class Touches final : public SerialObserver {
 public:
  Interests interests() const override { return {.accesses = true}; }
  void access(const Access& a) override {
    if (a.space != Space::global && a.space != Space::constant) return;
    for_each_lane(a.mask, [&](u32 lane) {
      for (u32 k = 0; k < a.bytes; ++k)
        (a.kind == AccessKind::load ? read_ : written_)[a.address[lane] + k] |= u64(1) << a.block;
    });
  }
  bool blocks_are_independent() const {
    for (const auto& [address, blocks] : written_)
      if (!std::has_single_bit(blocks) || read_.contains(address)) return false;
    return true;
  }

 private:
  std::unordered_map<u64, u64> read_, written_;  // by address: a bit for each block
};

struct Answer {
  bool is_shown, is_so;
};
// `n` and `k` as given; p and q point into the middle of what they have.
Answer answer(const std::string& body, Dim3 grid, Dim3 block, u32 n = 1000, u32 k = 3, s64 from_p_to_q = 0) {
  Gpu gpu;
  Touches touches;
  gpu.device.budget = {1 << 13, 0};
  std::string error;
  const Module* const module = gpu.load(text_of(body), &error);
  REQUIRE_MESSAGE(module, error);
  const KernelInfo* const kernel = module->kernel("f");
  REQUIRE(kernel->unsupported.empty());
  Arguments arguments = {gpu.device.memory.allocate(kBytes) + kBytes / 2,
                         gpu.device.memory.allocate(kBytes) + kBytes / 2, n, k};
  if (from_p_to_q) arguments.q = arguments.p + u64(from_p_to_q);
  const u8* const params = reinterpret_cast<const u8*>(&arguments);
  LaunchInfo launch;
  launch.program = &module->program();
  launch.kernel = kernel;
  launch.grid = grid;
  launch.block = block;
  launch.warps_per_block = u32((block.count() + kWarpSize - 1) / kWarpSize);
  launch.params = params;
  Answer a{};
  a.is_shown = blocks_are_independent(launch);
  gpu.device.observers.push_back(&touches);
  (void)gpu.device.launch(*module, *kernel, {grid, block, 0},
                          params);  // it may fault: what it touched before counts
  a.is_so = touches.blocks_are_independent();
  std::erase(gpu.device.observers, &touches);
  return a;
}
bool is_shown(const std::string& body, Dim3 grid, Dim3 block, u32 n = 1000, u32 k = 3, s64 from_p_to_q = 0) {
  const Answer a = answer(body, grid, block, n, k, from_p_to_q);
  CHECK((a.is_so || !a.is_shown));
  return a.is_shown;
}

const std::string kIndex = "mov.u32 %r9, %ntid.x;\nmad.lo.u32 %r10, %r3, %r9, %r6;\n";  // %r10: i
const std::string kAddresses =
    "mul.wide.u32 %rd3, %r10, 4;\nadd.u64 %rd4, %rd1, %rd3;\nadd.u64 %rd5, %rd2, %rd3;\n";
const std::string kCopy = kAddresses + "ld.global.u32 %r11, [%rd4];\nst.global.u32 [%rd5], %r11;\n";

}  // namespace

TEST_CASE("blocks that write elements of their own are apart") {
  CHECK(is_shown(kIndex + kCopy, {8, 1, 1}, {64, 1, 1}));
  CHECK(is_shown(kIndex + "setp.ge.u32 %p1, %r10, %r1;\n@%p1 bra END;\n" + kCopy, {40, 1, 1}, {64, 1, 1}));
  // One thread of each writes: q[block]
  CHECK(is_shown("setp.ne.u32 %p1, %r6, 0;\n@%p1 bra END;\nmov.u32 %r10, %r3;\n" + kCopy, {8, 1, 1},
                 {64, 1, 1}));
  // … and all threads of it the same element.
  CHECK(is_shown("mov.u32 %r10, %r3;\n" + kCopy, {8, 1, 1}, {64, 1, 1}));
  CHECK(is_shown("st.shared.u32 [tile], %r6;\nbar.sync 0;\n" + kIndex + kCopy, {8, 1, 1}, {64, 1, 1}));
}

TEST_CASE("blocks that write what others do are not") {
  CHECK_FALSE(is_shown("mov.u32 %r10, 0;\n" + kCopy, {8, 1, 1}, {64, 1, 1}));
  CHECK_FALSE(is_shown(kIndex + "shr.u32 %r10, %r10, 1;\n" + kCopy, {8, 1, 1}, {63, 1, 1}));
  CHECK_FALSE(is_shown("mad.lo.u32 %r10, %r3, 63, %r6;\n" + kCopy, {8, 1, 1}, {64, 1, 1}));
  CHECK_FALSE(is_shown(kIndex + kCopy, {8, 2, 1}, {64, 1, 1}));  // whose rows do the same
  CHECK_FALSE(is_shown(kIndex + kAddresses + "st.global.u64 [%rd5], %rd1;\n", {8, 1, 1}, {1, 1, 1}));
  CHECK_FALSE(is_shown(kIndex + kAddresses + "red.global.add.u32 [%rd5], 1;\n", {8, 1, 1}, {64, 1, 1}));
  CHECK_FALSE(is_shown(
      kIndex + "mul.wide.u32 %rd3, %r10, 4;\nadd.u64 %rd4, %rd1, %rd3;\nld.global.u32 %r10, [%rd4];\n" +
          kCopy,
      {8, 1, 1}, {64, 1, 1}));  // q[p[i]]
}

TEST_CASE("what is read may not be what is written") {
  CHECK_FALSE(is_shown(kIndex + kCopy, {8, 1, 1}, {64, 1, 1}, 1000, 3, 4));
  CHECK_FALSE(is_shown(kIndex + kCopy, {8, 1, 1}, {64, 1, 1}, 1000, 3, 64 * 8 * 4 - 4));
  CHECK(is_shown(kIndex + kCopy, {8, 1, 1}, {64, 1, 1}, 1000, 3, 64 * 8 * 4));
  // Nobody reads p[n]: that is q[0].
  CHECK(is_shown(kIndex + "setp.ge.s32 %p1, %r10, %r1;\n@%p1 bra END;\n" + kCopy, {8, 1, 1}, {64, 1, 1}, 500,
                 3, 500 * 4));
  CHECK_FALSE(is_shown(kIndex + "setp.gt.s32 %p1, %r10, %r1;\n@%p1 bra END;\n" + kCopy, {8, 1, 1}, {64, 1, 1},
                       500, 3, 500 * 4));
  // By a pointer from memory: anywhere.
  CHECK_FALSE(
      is_shown(kIndex + kAddresses +
                   "ld.global.u64 %rd6, [%rd1];\nld.global.u32 %r11, [%rd6];\nst.global.u32 [%rd5], %r11;\n",
               {8, 1, 1}, {64, 1, 1}));
}

TEST_CASE("rows and columns") {
  const std::string row_and_column =
      "mad.lo.u32 %r20, %r3, 16, %r6;\nmad.lo.u32 %r21, %r4, 8, %r7;\n"  // column and row
      "setp.ge.u32 %p1, %r20, %r1;\n@%p1 bra END;\nsetp.ge.u32 %p2, %r21, 19;\n@%p2 bra END;\n"
      "mad.lo.u32 %r10, %r21, %r1, %r20;\n";
  CHECK(is_shown(row_and_column + kCopy, {4, 3, 1}, {16, 8, 1}, 64));
  CHECK(is_shown(row_and_column + kCopy, {4, 3, 1}, {16, 8, 1},
                 50));  // the last blocks of a row have some lanes left out
  const std::string unguarded =
      "mad.lo.u32 %r20, %r3, 16, %r6;\nmad.lo.u32 %r21, %r4, 8, %r7;\n"
      "mad.lo.u32 %r10, %r21, %r1, %r20;\n";
  CHECK(is_shown(unguarded + kCopy, {4, 3, 1}, {16, 8, 1}, 64));
  CHECK_FALSE(is_shown(unguarded + kCopy, {4, 3, 1}, {16, 8, 1}, 50));
  // Two rows at a time, each if it is there.
  CHECK(is_shown(
      "mad.lo.u32 %r20, %r3, 16, %r6;\nmad.lo.u32 %r21, %r4, 16, %r7;\nmad.lo.u32 %r10, %r21, %r1, %r20;\n"
      "shl.b32 %r22, %r1, 3;\nsetp.ge.u32 %p1, %r20, %r1;\n@%p1 bra END;\nsetp.ge.u32 %p2, %r21, 19;\n@%p2 bra NEXT;\n" +
          kCopy +
          "NEXT:\nadd.u32 %r21, %r21, 8;\nsetp.ge.u32 %p2, %r21, 19;\n@%p2 bra END;\nadd.u32 %r10, %r10, %r22;\n" +
          kCopy,
      {4, 2, 1}, {16, 8, 1}, 50));
  const std::string both =  // by one branch
      "mad.lo.u32 %r20, %r3, 16, %r6;\nmad.lo.u32 %r21, %r4, 8, %r7;\n"
      "setp.ge.u32 %p1, %r20, %r1;\nsetp.ge.u32 %p2, %r21, 19;\nor.pred %p3, %p1, %p2;\n@%p3 bra END;\n"
      "mad.lo.u32 %r10, %r21, %r1, %r20;\n";
  CHECK(is_shown(both + kCopy, {4, 3, 1}, {16, 8, 1}, 50));
}

TEST_CASE("loops") {
  // for (; i < n; i += all threads)
  const std::string stride = "mov.u32 %r12, %nctaid.x;\nmul.lo.u32 %r12, %r12, %r9;\n";
  const std::string again = "add.u32 %r10, %r10, %r12;\nsetp.lt.s32 %p2, %r10, %r1;\n@%p2 bra LOOP;\n";
  const std::string guard = "setp.ge.s32 %p1, %r10, %r1;\n@%p1 bra END;\n";
  CHECK(is_shown(kIndex + stride + guard + "LOOP:\n" + kCopy + again, {4, 1, 1}, {32, 1, 1}));
  CHECK_FALSE(
      is_shown(kIndex + "mov.u32 %r12, 100;\n" + guard + "LOOP:\n" + kCopy + again, {4, 1, 1}, {32, 1, 1}));
  // A pointer of its own, and a counter.
  const std::string own = "mad.lo.u32 %r10, %r3, 64, 0;\n" + kAddresses +
                          "mov.u32 %r13, 0;\nLOOP:\n"
                          "st.global.u32 [%rd5], %r13;\nadd.u64 %rd5, %rd5, 4;\nadd.u32 %r13, %r13, 1;\n";
  CHECK(is_shown(own + "setp.ne.u32 %p2, %r13, 64;\n@%p2 bra LOOP;\n", {4, 1, 1}, {1, 1, 1}));
  CHECK(is_shown(own + "setp.eq.u32 %p2, %r13, 64;\n@%p2 bra END;\nbra LOOP;\n", {4, 1, 1}, {1, 1, 1}));
  CHECK_FALSE(is_shown(own + "setp.ne.u32 %p2, %r13, 65;\n@%p2 bra LOOP;\n", {4, 1, 1}, {1, 1, 1}));
  // Nobody knows how often.
  CHECK_FALSE(is_shown(own + "ld.global.u32 %r14, [%rd1];\nsetp.lt.u32 %p2, %r13, %r14;\n@%p2 bra LOOP;\n",
                       {4, 1, 1}, {1, 1, 1}));
}

TEST_CASE("a number that may have wrapped is not taken for what it would be") {
  const std::string wide =
      "add.u32 %r10, %r10, %r1;\ncvt.u64.u32 %rd3, %r10;\nsub.u64 %rd3, %rd3, 4294967040;\nshl.b64 %rd3, %rd3, 2;\n"
      "add.u64 %rd5, %rd2, %rd3;\nst.global.u32 [%rd5], %r10;\n";
  CHECK(is_shown(kIndex + wide, {4, 1, 1}, {32, 1, 1}, 4294967040u));
  CHECK_FALSE(is_shown(kIndex + wide, {4, 1, 1}, {65, 1, 1}, 4294967040u));
}

TEST_CASE("what is written in unusual ways") {
  const std::string own = "mad.wide.u32 %rd5, %r3, 16, %rd2;\nmad.wide.u32 %rd5, %r6, 4, %rd5;\n";
  // The lanes that a guard keeps from a table go on behind it.
  CHECK_FALSE(is_shown(
      "setp.eq.u32 %p1, %r6, 7;\nmov.u32 %r20, 0;\nTAB: .branchtargets END, END;\n@%p1 brx.idx %r20, TAB;\n"
      "st.global.u32 [%rd2], %r3;\n",
      {4, 1, 1}, {32, 1, 1}));
  CHECK_FALSE(is_shown(
      own +
          "setp.eq.u32 %p1, %r6, 99;\nmov.u32 %r20, 0;\nTAB: .branchtargets MORE, MORE;\n@%p1 brx.idx %r20, TAB;\n"
          "STORE: st.global.u32 [%rd5], %r3;\nbra END;\nMORE: setp.lt.u32 %p2, %r6, 4;\n@%p2 bra STORE;\n",
      {4, 1, 1}, {32, 1, 1}));
  CHECK_FALSE(is_shown(
      "mov.u32 %r21, 0;\nmov.u32 %r20, 0;\nsetp.eq.u32 %p1, %r6, 99;\nTAB: .branchtargets OTHER, OTHER;\n"
      "@%p1 brx.idx %r20, TAB;\nSTORE: mul.wide.u32 %rd5, %r21, 4;\nadd.u64 %rd5, %rd5, %rd2;\n"
      "st.global.u32 [%rd5], %r3;\nbra END;\nOTHER: mov.u32 %r21, %r3;\nbra STORE;\n",
      {4, 1, 1}, {1, 1, 1}));
  // Of a comparison's two results the second, its opposite, stays.
  CHECK(is_shown(own + "setp.lt.u32 %p1, %r6, 4;\n@!%p1 bra END;\nst.global.u32 [%rd5], %r6;\n", {4, 1, 1},
                 {32, 1, 1}));
  CHECK_FALSE(is_shown(own + "setp.lt.u32 %p1|%p1, %r6, 4;\n@!%p1 bra END;\nst.global.u32 [%rd5], %r6;\n",
                       {4, 1, 1}, {32, 1, 1}));
  CHECK_FALSE(is_shown("st.param.u32 [n], 0;\nld.param.u32 %r20, [n];\nmul.lo.u32 %r10, %r3, %r20;\n" +
                           kAddresses + "st.global.u32 [%rd5], %r6;\n",
                       {4, 1, 1}, {1, 1, 1}));
  CHECK_FALSE(is_shown(kIndex + kAddresses + "ld.const.u32 %r11, [%rd2+4];\nst.global.u32 [%rd5], %r11;\n",
                       {4, 1, 1}, {32, 1, 1}));
  // What a predicate is made of may be asked for by as many ways as there are.
  std::string chain = "setp.lt.u32 %p1, %r6, 4;\n";
  for (u32 k = 1; k < 39; ++k)
    chain += "and.pred %p" + std::to_string(k + 1) + ", %p" + std::to_string(k) + ", %p" + std::to_string(k) +
             ";\n";
  CHECK_FALSE(is_shown(own + chain + "@!%p39 bra END;\nst.global.u32 [%rd5], %r6;\n", {4, 1, 1}, {32, 1, 1}));
}

namespace {

// Kernels whose blocks are, often, nearly apart.
class RandomKernel {
 public:
  explicit RandomKernel(u64 seed) : random_(seed) {
    for (u32* size : {&grid.x, &grid.y, &block.x, &block.y}) *size = 1 + below(5);
    if (one_in(3)) grid.z = 2;
    if (one_in(3)) block.z = 2;
    n = below(60), k = 1 + below(9);
    make_index();
    if (one_in(2)) guard();
    const u32 loops = below(3);
    for (u32 loop = 0; loop < loops; ++loop) begin_loop();
    const u32 accesses = 1 + below(3);
    for (u32 a = 0; a < accesses; ++a) access(a == 0 || one_in(3));
    while (!loops_.empty()) end_loop();
    from_p_to_q = one_in(4) ? s64(below(600)) * 4 : 0;
  }
  Dim3 grid, block;
  u32 n, k;
  s64 from_p_to_q;
  std::string body;

 private:
  u32 below(u32 count) { return u32(random_() % count); }
  bool one_in(u32 count) { return below(count) == 0; }
  template <std::size_t N> std::string any_of(const std::array<const char*, N>& all) { return all[below(N)]; }
  std::string fresh() { return "%r" + std::to_string(registers_++); }
  std::string predicate() { return "%p" + std::to_string(predicates_++); }
  std::string number() { return std::to_string(below(12)); }
  std::string limit() { return one_in(2) ? "%r1" : std::to_string(below(80)); }
  void add(const std::string& line) { body += line + "\n"; }

  // A sum of the indices, each by what the lower ones need; mostly.
  void make_index() {
    std::array<std::pair<const char*, u32>, 6> of = {{{"%r6", block.x},
                                                      {"%r7", block.y},
                                                      {"%r8", block.z},
                                                      {"%r3", grid.x},
                                                      {"%r4", grid.y},
                                                      {"%r5", grid.z}}};
    if (one_in(3)) std::swap(of[1], of[3]);
    if (one_in(4)) std::swap(of[0], of[3]);
    u32 factor = one_in(3) ? 1 + below(3) : 1;
    index_ = fresh();
    add("mov.u32 " + index_ + ", " + (one_in(3) ? number() : "0") + ";");
    for (const auto& [name, size] : of) {
      if (one_in(12)) continue;
      const std::string next = fresh();
      add("mad.lo." + any_of<2>({"u32", "s32"}) + " " + next + ", " + name + ", " + std::to_string(factor) +
          ", " + index_ + ";");
      index_ = next;
      factor *= size;
      if (one_in(8)) factor += below(3);
    }
    for (u32 k = below(3); k > 0; --k) index_ = changed(index_);
    stride_ = std::max(factor, 1u);
  }
  std::string changed(const std::string& a) {
    const std::string d = fresh();
    switch (below(12)) {
      case 0: add("add.u32 " + d + ", " + a + ", %r2;"); break;
      case 1: add("sub.u32 " + d + ", " + a + ", " + number() + ";"); break;
      case 2: add("mul.lo.u32 " + d + ", " + a + ", " + std::to_string(1 + below(3)) + ";"); break;
      case 3: add("shl.b32 " + d + ", " + a + ", " + std::to_string(below(3)) + ";"); break;
      case 4:
        add("and.b32 " + d + ", " + a + ", " + std::to_string((1u << below(9)) - below(2)) + ";");
        break;
      case 5:
        add("shr." + any_of<3>({"u32", "s32", "b32"}) + " " + d + ", " + a + ", " + std::to_string(below(3)) +
            ";");
        break;
      case 6:
        add(any_of<2>({"min", "max"}) + any_of<2>({".u32 ", ".s32 "}) + d + ", " + a + ", " + limit() + ";");
        break;
      case 7: add("or.b32 " + d + ", " + a + ", " + std::to_string(below(4)) + ";"); break;
      case 8:
        add(any_of<2>({"rem", "div"}) + any_of<2>({".u32 ", ".s32 "}) + d + ", " + a + ", " +
            std::to_string(1 + below(50)) + ";");
        break;
      case 9: add("neg.s32 " + d + ", " + a + ";"); break;
      case 10: {
        const std::string p = compare(a);
        add("selp.b32 " + d + ", " + a + ", " + limit() + ", " + p + ";");
        break;
      }
      default: {  // by two ways
        const std::string p = compare(a), label = "WAY" + std::to_string(labels_++);
        add("mov.u32 " + d + ", " + a + ";");
        add("@" + p + " bra " + label + ";");
        add("add.u32 " + d + ", " + a + ", " + number() + ";");
        add(label + ":");
      }
    }
    return d;
  }
  std::string compare(const std::string& a) {
    const std::string p = predicate();
    add("setp." + any_of<6>({"lt", "le", "gt", "ge", "eq", "ne"}) + any_of<2>({".s32 ", ".u32 "}) + p + ", " +
        a + ", " + limit() + ";");
    return p;
  }
  void guard() {
    std::string p = compare(one_in(2) ? index_ : any_of<4>({"%r3", "%r6", "%r4", "%r7"}));
    if (one_in(3)) {
      const std::string q = compare(index_), both = predicate();
      add(any_of<2>({"and", "or"}) + ".pred " + both + ", " + p + ", " + q + ";");
      p = both;
    }
    add(any_of<2>({"@", "@!"}) + p + " bra END;");
  }

  struct Loop {
    std::string counter, label;
    s32 step;
    bool is_long;
  };
  // Each round adds to the index what all threads need, or what one of them does.
  void begin_loop() {
    Loop loop;
    loop.label = "LOOP" + std::to_string(labels_++);
    loop.counter = fresh();
    loop.step = one_in(4) ? -s32(1 + below(4)) : s32(1 + below(4));
    loop.is_long = one_in(3);
    if (loop.is_long) {
      const std::string wide = "%rd" + std::to_string(wides_++);
      add("mov.u64 " + wide + ", " + number() + ";");
      loop.counter = wide;
    } else {
      add("mov.u32 " + loop.counter + ", " + (one_in(2) ? number() : any_of<3>({"%r3", "%r6", "%r2"})) + ";");
    }
    const std::string of_index = fresh();
    add("mov.u32 " + of_index + ", " + index_ + ";");
    add(loop.label + ":");
    const std::string next = fresh();
    if (one_in(2)) {
      const std::string counter = fresh();
      add(loop.is_long ? "cvt.u32.u64 " + counter + ", " + loop.counter + ";"
                       : "mov.u32 " + counter + ", " + loop.counter + ";");
      add("mad.lo.u32 " + next + ", " + counter + ", " + std::to_string(one_in(3) ? 1 : stride_) + ", " +
          index_ + ";");
      increments_.push_back("");
    } else {
      add("mov.u32 " + next + ", " + of_index + ";");
      increments_.push_back("add.u32 " + of_index + ", " + of_index + ", " +
                            std::to_string(one_in(3) ? 1 : stride_) + ";");
    }
    index_ = next;
    stride_ *= 3 + below(3);
    loops_.push_back(loop);
  }
  void end_loop() {
    const Loop loop = loops_.back();
    loops_.pop_back();
    if (!increments_.back().empty()) add(increments_.back());
    increments_.pop_back();
    const std::string type = loop.is_long ? any_of<2>({"u64", "s64"}) : any_of<2>({"u32", "s32"});
    const std::string add_step =
        "add." + type + " " + loop.counter + ", " + loop.counter + ", " + std::to_string(loop.step) + ";";
    const bool is_before = one_in(2);
    const std::string p = predicate();
    const std::string end = loop.is_long ? std::to_string(below(20))
                            : one_in(3)  ? "%r2"
                                         : std::to_string(below(20));
    const std::string compare = "setp." + any_of<6>({"lt", "le", "gt", "ge", "ne", "lt"}) + "." + type + " " +
                                p + ", " + loop.counter + ", " + end + ";";
    add(is_before ? compare : add_step);
    add(is_before ? add_step : compare);
    if (one_in(4)) {
      add("@!" + p + " bra " + loop.label + "OUT;");
      add("bra " + loop.label + ";");
      add(loop.label + "OUT:");
    } else {
      add("@" + p + " bra " + loop.label + ";");
    }
  }

  void access(bool is_store) {
    const std::string wide = "%rd" + std::to_string(wides_++), address = "%rd" + std::to_string(wides_++);
    std::string index = index_;
    if (one_in(5)) index = changed(index);
    if (one_in(3)) {
      add("cvt." + any_of<2>({"u64.u32", "s64.s32"}) + " " + wide + ", " + index + ";");
      add("shl.b64 " + wide + ", " + wide + ", 2;");
    } else {
      add("mul.wide." + any_of<2>({"u32", "s32"}) + " " + wide + ", " + index + ", " +
          (one_in(6) ? "8" : "4") + ";");
    }
    const std::string base = is_store != one_in(8) ? "%rd2" : "%rd1";
    add("add.u64 " + address + ", " + base + ", " + wide + ";");
    const std::string at = "[" + address + (one_in(4) ? "+" + std::to_string(4 * below(8)) : "") + "]";
    if (one_in(6)) {
      const std::string label = "PAST" + std::to_string(labels_++), p = compare(index_);
      add("@" + p + " bra " + label + ";");
      add(is_store ? "st.global.u32 " + at + ", %r2;" : "ld.global.u32 " + fresh() + ", " + at + ";");
      add(label + ":");
      return;
    }
    add(is_store ? "st.global.u32 " + at + ", %r2;" : "ld.global.u32 " + fresh() + ", " + at + ";");
  }

  std::mt19937_64 random_;
  u32 registers_ = 20, wides_ = 3, predicates_ = 1, labels_ = 0, stride_ = 1;
  std::string index_;
  std::vector<Loop> loops_;
  std::vector<std::string> increments_;
};

}  // namespace

TEST_CASE("what is shown of random kernels is so") {
  constexpr u64 kKernels = 1500;
  u32 shown = 0, so = 0;
  for (u64 seed = 1; seed <= kKernels; ++seed) {
    const RandomKernel random(seed);
    const Answer a = answer(random.body, random.grid, random.block, random.n, random.k, random.from_p_to_q);
    INFO("kernel ", seed, "\n", random.body);
    CHECK((a.is_so || !a.is_shown));
    shown += a.is_shown, so += a.is_so;
  }
  MESSAGE(shown, " of ", so, " of ", kKernels, " are shown");
  CHECK(shown > kKernels / 10);  // else it says nothing
  CHECK(so < kKernels * 9 / 10);
}
// SPDX-License-Identifier: MIT
