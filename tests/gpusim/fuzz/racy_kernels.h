// Small kernels made at random that access few elements with many threads: about half of them race. For tests of proofs.
#pragma once

#include <random>
#include <string>

#include "base/base.h"

namespace gpusim {

class RacyKernel {
 public:
  static constexpr u32 kWords = 256;  // of `first`, of `second`, and of `tile`

  explicit RacyKernel(u64 seed) : random_(seed) {
    constexpr u32 kThreads[] = {2, 3, 8, 33, 34, 40, 64};
    threads = kThreads[below(std::size(kThreads))];
    blocks = 1 + u32(below(3));
    is_careful_ = below(3) > 0;
    const u64 count = 1 + below(7);
    for (u64 k = 0; k < count; ++k) statement(0);
  }

  u32 threads, blocks;
  // Where `second` begins, counted from the beginning of `first`, which has room for both.
  u32 distance = below(6) == 0 ? u32(below(3)) * 16 : kWords * 4;

  std::string text() const {
    return ".version 7.6\n.target sm_80\n.address_size 64\n.shared .align 16 .b8 tile[1024];\n"
           ".visible .entry test(.param .u64 first, .param .u64 second, .param .u64 out, .param .u32 n)\n{\n"
           ".reg .pred %p<100>; .reg .b32 %r<10>, %i<200>, %nothing; .reg .b64 %a<200>, %first, %second, %out, %tile, %d;\n"
           ".reg .b32 %tid, %cta, %all, %n, %lane, %sum; .reg .b16 %h; .reg .pred %is;\n"
           "ld.param.u64 %first, [first]; ld.param.u64 %second, [second]; ld.param.u64 %out, [out]; ld.param.u32 %n, [n];\n"
           "mov.u32 %tid, %tid.x; mov.u32 %cta, %ctaid.x; mov.u32 %lane, %laneid; mov.u32 %all, %ntid.x;\n"
           "mad.lo.u32 %all, %cta, %all, %tid; mov.u32 %sum, 1; mov.u64 %tile, tile;\n"
           "mov.u32 %r0, 0; mov.u32 %r1, 1; mov.u32 %r2, 2; mov.u32 %r3, %tid;\n" +
           zeros() + body_ +
           "END: mad.wide.u32 %d, %all, 4, %out; st.global.u32 [%d], %sum; ret;\n}\n"
           "// simcc: test keeps its accesses\n";
  }

 private:
  u64 below(u64 n) { return std::uniform_int_distribution<u64>(0, n - 1)(random_); }
  std::string number(u64 n) { return std::to_string(n); }

  // Every element of shared memory gets a value, for a load of one without is found and proves nothing.
  std::string zeros() const {
    return "mov.u32 %i199, %tid;\nZEROS: setp.ge.u32 %is, %i199, 256; @%is bra ZEROED;\n"
           "mul.wide.u32 %d, %i199, 4; add.s64 %d, %tile, %d; st.shared.u32 [%d], %i199;\n"
           "mov.u32 %i198, %ntid.x; add.u32 %i199, %i199, %i198; bra ZEROS;\nZEROED: bar.sync 0;\n";
  }

  // A register that holds the index of a word.
  std::string index() {
    const std::string i = "%i" + number(indices_++ % 190);
    const std::string c = number(below(4));
    switch (below(is_careful_ ? 7 : 20)) {
      case 0: body_ += "mov.u32 " + i + ", %tid;"; break;
      case 1: body_ += "mov.u32 " + i + ", %all;"; break;
      case 2: body_ += "add.u32 " + i + ", %all, " + c + ";"; break;
      case 3: body_ += "xor.b32 " + i + ", %tid, 1;"; break;
      case 4: body_ += "mul.lo.u32 " + i + ", %all, 2; and.b32 " + i + ", " + i + ", 127;"; break;
      case 5: body_ += "add.u32 " + i + ", %tid, " + number(64 * below(3)) + ";"; break;
      case 6: body_ += "mov.u32 " + i + ", %cta;"; break;
      case 7: body_ += "mov.u32 " + i + ", " + c + ";"; break;
      case 8: body_ += "shr.u32 " + i + ", %tid, 1;"; break;
      case 9: body_ += "mov.u32 " + i + ", %lane;"; break;
      case 10: body_ += "and.b32 " + i + ", %r" + number(below(4)) + ", 127;"; break;
      case 11: body_ += "shfl.sync.bfly.b32 " + i + "|%is, %tid, 1, 31, 0xffffffff;"; break;
      case 12: body_ += "and.b32 " + i + ", %sum, 63;"; break;
      case 13:
        switch (below(6)) {
          case 0: body_ += "mov.u32 " + i + ", %clock; and.b32 " + i + ", " + i + ", 63;"; break;
          case 1: body_ += "mov.u32 " + i + ", %smid; and.b32 " + i + ", " + i + ", 63;"; break;
          case 2: body_ += "activemask.b32 " + i + "; and.b32 " + i + ", " + i + ", 63;"; break;
          case 3: body_ += "and.b32 " + i + ", %nothing, 63;"; break;
          case 4: body_ += "mov.u32 " + i + ", %n;"; break;
          case 5: body_ += "setp.eq.u32 %is, %r1, 1; selp.u32 " + i + ", %tid, 0, %is;"; break;
        }
        break;
      default: body_ += "xor.b32 " + i + ", %all, " + c + ";"; break;
    }
    return i;
  }
  // A register that holds an address of `bytes` bytes, and its space.
  std::pair<std::string, std::string> address(u32 bytes) {
    const std::string i = index(), a = "%a" + number(addresses_++ % 190);
    const bool is_shared = below(2);
    const std::string from = is_shared ? "%tile" : below(2) ? "%first" : "%second";
    body_ += " and.b32 " + i + ", " + i + ", 255; mul.wide.u32 " + a + ", " + i + ", 4; add.s64 " + a + ", " +
             from + ", " + a + ";";
    if (bytes > 4) body_ += " and.b64 " + a + ", " + a + ", " + number(~u64(bytes - 1)) + ";";
    if (bytes < 4 && below(2))
      body_ += " add.s64 " + a + ", " + a + ", " + number(bytes * below(4 / bytes)) + ";";
    return {a, is_shared ? "shared" : "global"};
  }
  std::string value() { return "%r" + number(below(4)); }

  void statement(u32 depth) {
    switch (below(18)) {
      case 0:
      case 1:
      case 2: return load();
      case 3:
      case 4:
      case 5: return store();
      case 6: return atomic();
      case 7:
      case 8:
      case 9: body_ += "bar.sync 0;\n"; return;
      case 10: return syncwarp();
      case 11:
      case 12: return depth < 2 ? branch(depth) : load();
      case 13: return depth < 2 ? loop(depth) : store();
      case 14:
        if (below(4) == 0) body_ += "setp.gt.u32 %is, %tid, " + number(below(40)) + "; @%is bra END;\n";
        return;
      case 15: return exotic();
      default: body_ += "add.u32 " + value() + ", " + value() + ", " + value() + ";\n"; return;
    }
  }
  void load() {
    constexpr const char* kTypes[] = {"u8", "u16", "u32", "u64"};
    const u32 which = below(3) ? 2 : u32(below(4)), bytes = 1u << which;
    const auto [a, space] = address(bytes);
    const std::string how = below(12) ? "" : space == "global" ? ".nc" : ".volatile";
    const std::string head = how == ".nc" ? "ld.global.nc." : "ld" + how + "." + space + ".";
    if (bytes == 8) body_ += " " + head + "u64 %d, [" + a + "]; cvt.u32.u64 %r1, %d;";
    else if (bytes == 1) body_ += " " + head + "u8 %h, [" + a + "]; cvt.u32.u16 %r1, %h;";
    else if (bytes == 2) body_ += " " + head + "u16 %h, [" + a + "]; cvt.u32.u16 %r1, %h;";
    else body_ += " " + head + kTypes[which] + " %r1, [" + a + "];";
    body_ += " mad.lo.u32 %sum, %sum, 31, %r1;\n";
  }
  void store() {
    const u32 bytes = below(3) ? 4 : 1u << below(4);
    const auto [a, space] = address(bytes);
    std::string v = below(3) ? value() : below(2) ? "%tid" : "%sum";
    if (below(8) == 0) v = "7";
    if (bytes == 8)
      body_ += " cvt.u64.u32 %d, " + (v == "7" ? "%tid" : v) + "; st." + space + ".u64 [" + a + "], %d;\n";
    else if (bytes < 4)
      body_ += " cvt.u16.u32 %h, " + (v == "7" ? "%tid" : v) + "; st." + space +
               (bytes == 1 ? ".u8 [" : ".u16 [") + a + "], %h;\n";
    else
      body_ += " st." + std::string(below(20) ? "" : "volatile.") + space + ".u32 [" + a + "], " + v + ";\n";
  }
  void atomic() {
    const auto [a, space] = address(4);
    const std::string v = below(2) ? "%tid" : "3";
    constexpr const char* kOps[] = {"add.u32",  "add.u32", "add.u32", "max.u32", "xor.b32",
                                    "exch.b32", "inc.u32", "min.s32", "add.f32"};
    std::string op = kOps[below(std::size(kOps))];
    if (op == "add.f32") body_ += " red." + space + ".add.f32 [" + a + "], 0f3F800000;\n";
    else if (below(2) && op != "exch.b32") body_ += " red." + space + "." + op + " [" + a + "], " + v + ";\n";
    else body_ += " atom." + space + "." + op + " %r2, [" + a + "], " + v + ";\n";
  }
  void syncwarp() {
    constexpr const char* kMasks[] = {"0xffffffff", "0xffffffff", "0x3", "0xffff", "0xc", "0xff"};
    const std::string mask = kMasks[below(std::size(kMasks))];
    if (mask == "0xffffffff") {
      body_ += "bar.warp.sync 0xffffffff;\n";
      return;
    }
    // Only by the lanes of the mask.
    const std::string label = "S" + number(labels_++);
    body_ += "mov.u32 %i197, " + mask +
             "; shr.u32 %i197, %i197, %lane; and.b32 %i197, %i197, 1; setp.eq.u32 %is, %i197, 0; @%is bra " +
             label + ";\nbar.warp.sync " + mask + ";\n" + label + ":\n";
  }
  void branch(u32 depth) {
    const std::string p = "%p" + number(predicates_++ % 90), label = "B" + number(labels_++);
    switch (below(is_careful_ ? 3 : 6)) {
      case 0: body_ += "setp.lt.u32 " + p + ", %tid, " + number(1 + below(40)) + ";"; break;
      case 1:
        body_ += "and.b32 %i196, %tid, " + number(1 + below(3)) + "; setp.eq.u32 " + p + ", %i196, 0;";
        break;
      case 2: body_ += "setp.eq.u32 " + p + ", %cta, 0;"; break;
      case 3: body_ += "setp.lt.u32 " + p + ", %sum, 100;"; break;
      case 4: body_ += "setp.eq.u32 " + p + ", " + value() + ", 1;"; break;
      case 5: body_ += "setp.gt.u32 " + p + ", %n, 3;"; break;
    }
    body_ += " @!" + p + " bra " + label + ";\n";
    for (u64 k = 1 + below(2); k-- > 0;) statement(depth + 1);
    if (below(2)) {
      const std::string end = "E" + number(labels_++);
      body_ += "bra " + end + ";\n" + label + ":\n";
      statement(depth + 1);
      body_ += end + ":\n";
      return;
    }
    body_ += label + ":\n";
  }
  void loop(u32 depth) {
    const std::string label = "L" + number(labels_++), i = "%i" + number(191 + depth),
                      p = "%p" + number(91 + depth);
    const std::string bound = below(6) == 0 && !is_careful_ ? "%r1" : below(3) ? number(2 + below(2)) : "%n";
    if (bound == "%r1") body_ += "and.b32 %r1, %r1, 3;\n";
    const std::string limit = "%i" + number(194 + depth);
    body_ += "mov.u32 " + limit + ", " + bound + "; mov.u32 " + i + ", 0;\n" + label + ":\n";
    for (u64 k = 1 + below(2); k-- > 0;) statement(depth + 1);
    body_ += "add.u32 " + i + ", " + i + ", 1; setp.lt.u32 " + p + ", " + i + ", " + limit + "; @" + p +
             " bra " + label + ";\n";
  }
  void exotic() {
    switch (below(9)) {
      case 0: body_ += "membar.gl;\n"; return;
      case 1: body_ += "bar.red.popc.u32 %r2, 0, %p0;\n"; return;
      case 2: body_ += "vote.sync.ballot.b32 %r2, %p0, 0xffffffff;\n"; return;
      case 3: body_ += "shfl.sync.down.b32 %r2|%is, %r1, 1, 31, 0xffffffff;\n"; return;
      case 4: body_ += "bar.sync 1;\n"; return;
      case 5: body_ += "mov.u32 %r2, %clock;\n"; return;
      case 6: body_ += "setp.eq.u32 %is, %r1, 1; @%is st.shared.u32 [tile], 1;\n"; return;
      case 7: body_ += "add.u32 %r3, %nothing, 1;\n"; return;
      case 8: body_ += "redux.sync.add.u32 %r2, %r1, 0xffffffff;\n"; return;
    }
  }

  std::mt19937_64 random_;
  bool is_careful_ = false;  // fewer addresses that collide
  std::string body_;
  u64 indices_ = 0, addresses_ = 0, predicates_ = 0, labels_ = 0;
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
