// Small kernels made at random whose blocks, of one thread each, talk by flags, fences and atomics. For tests of explorations.
#pragma once

#include <random>
#include <string>

#include "base/base.h"

namespace gpusim {

class TalkingKernel {
 public:
  static constexpr u32 kWords = 2, kData = 2;  // by which they talk; that they access plainly

  explicit TalkingKernel(u64 seed) : random_(seed) {
    blocks = 2 + u32(below(2));
    for (u32 b = 0; b < blocks; ++b) {
      body_ += "B" + std::to_string(b) + ":\n";
      const u64 count = 1 + below(blocks == 2 ? 4 : 3);
      for (u64 k = 0; k < count; ++k) statement();
      body_ += "bra END;\n";
    }
  }

  u32 blocks;

  // words: kWords words, then kData; out: one for each block.
  std::string text() const {
    std::string text =
        ".version 7.6\n.target sm_80\n.address_size 64\n"
        ".visible .entry test(.param .u64 words, .param .u64 out)\n{\n"
        ".reg .pred %p; .reg .b32 %r, %cta, %sum; .reg .b64 %w, %out, %a;\n"
        "ld.param.u64 %w, [words]; ld.param.u64 %out, [out]; mov.u32 %cta, %ctaid.x; mov.u32 %sum, 1; mov.u32 %r, 0;\n";
    for (u32 b = 1; b < blocks; ++b)
      text += "setp.eq.u32 %p, %cta, " + std::to_string(b) + "; @%p bra B" + std::to_string(b) + ";\n";
    return text + "bra B0;\n" + body_ +
           "END: mul.wide.u32 %a, %cta, 4; add.s64 %a, %a, %out; st.global.u32 [%a], %sum; ret;\n}\n";
  }

 private:
  u64 below(u64 n) { return std::uniform_int_distribution<u64>(0, n - 1)(random_); }
  std::string word() { return "[%w+" + std::to_string(4 * below(kWords)) + "]"; }
  std::string data() { return "[%w+" + std::to_string(4 * (kWords + below(kData))) + "]"; }
  std::string value() { return std::to_string(1 + below(2)); }
  std::string label() { return "L" + std::to_string(labels_++); }
  std::string fence() {
    constexpr const char* kFences[] = {"membar.gl;\n", "membar.gl;\n", "fence.acq_rel.gpu;\n",
                                       "membar.cta;\n", ""};
    return kFences[below(std::size(kFences))];
  }
  std::string load_kind() {
    constexpr const char* kKinds[] = {"relaxed.gpu", "acquire.gpu", "volatile"};
    return std::string("ld.") + kKinds[below(std::size(kKinds))] + ".global.u32 %r, ";
  }
  std::string store_kind() {
    constexpr const char* kKinds[] = {"relaxed.gpu", "release.gpu", "volatile"};
    return std::string("st.") + kKinds[below(std::size(kKinds))] + ".global.u32 ";
  }
  void use() { body_ += "mad.lo.u32 %sum, %sum, 7, %r;\n"; }

  void statement() {
    switch (below(14)) {
      case 0:
      case 1: body_ += store_kind() + word() + ", " + value() + ";\n"; return;
      case 2:
      case 3: body_ += load_kind() + word() + ";\n"; return use();
      case 4: body_ += "atom.global.add.u32 %r, " + word() + ", 1;\n"; return use();
      case 5:
        body_ +=
            "atom.global.cas.b32 %r, " + word() + ", " + std::to_string(below(2)) + ", " + value() + ";\n";
        return use();
      case 6: body_ += fence(); return;
      case 12:
      case 7: {  // a message
        const std::string before = fence();
        body_ +=
            "st.global.u32 " + data() + ", " + value() + ";\n" + before + store_kind() + word() + ", 1;\n";
        return;
      }
      case 13:
      case 8: {  // who waits for it
        wait();
        body_ += fence() + "ld.global.u32 %r, " + data() + ";\n";
        return use();
      }
      case 9: wait(); return;
      case 10: {
        const std::string end = label();
        body_ += "setp.eq.u32 %p, %r, " + std::to_string(below(2)) + "; @%p bra " + end + ";\n";
        statement();
        body_ += end + ":\n";
        return;
      }
      case 11:
        body_ += below(2) ? "membar.gl;\n" : "atom.global.exch.b32 %r, " + word() + ", " + value() + ";\n";
        return;
    }
  }
  void wait() {
    const std::string begin = label(), at = word();
    if (below(4) == 0)
      body_ += begin + ": atom.global.cas.b32 %r, " + at + ", 0, 1; setp.ne.u32 %p, %r, 0; @%p bra " + begin +
               ";\n";
    else body_ += begin + ": " + load_kind() + at + "; setp.eq.u32 %p, %r, 0; @%p bra " + begin + ";\n";
  }

  std::mt19937_64 random_;
  std::string body_;
  u64 labels_ = 0;
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
