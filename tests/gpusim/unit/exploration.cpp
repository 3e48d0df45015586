// Explorations of small kernels whose executions can be counted by hand (exploration/explorer.h), and schedules in words.
#include <doctest/doctest.h>

#include <cstring>
#include <string>

#include "exploration/explored_launches.h"
#include "gpu.h"

namespace gpusim {
namespace {

// A kernel whose blocks do different things, with 64 bytes of memory at %w that are 0 before.
struct Talk {
  std::vector<std::string> blocks;  // what each of them does: PTX
  u32 threads = 1, shared_bytes = 0;
};

class Explored {
 public:
  explicit Explored(const Talk& talk, const ExplorationLimits& limits = {}) {
    std::string text =
        ".version 7.6\n.target sm_80\n.address_size 64\n.file 1 \"talk.cu\"\n.visible .entry talk(.param .u64 words) {\n"
        ".reg .pred %p<4>; .reg .b32 %r<8>, %cta, %tid; .reg .b64 %w, %a;\n.loc 1 1 1\n"
        "ld.param.u64 %w, [words]; mov.u32 %cta, %ctaid.x; mov.u32 %tid, %tid.x; mul.wide.u32 %a, %tid, 4; "
        "add.s64 %a, %a, %w;\n";
    for (std::size_t b = 0; b < talk.blocks.size(); ++b)
      text += "setp.eq.u32 %p0, %cta, " + std::to_string(b) + "; @%p0 bra B" + std::to_string(b) + ";\n";
    for (std::size_t b = 0; b < talk.blocks.size(); ++b)
      text += "B" + std::to_string(b) + ":\n.loc 1 " + std::to_string(10 + b) + " 1\n" + talk.blocks[b] +
              "\nret;\n";
    std::string error;
    const Module* const module = gpu_.load(text + "}\n", &error);
    REQUIRE_MESSAGE(module, error);
    words_ = gpu_.device.memory.allocate(kBytes);
    gpu_.device.memory.fill(words_, kBytes, 0);
    launches_ = {{&gpu_.device,
                  module,
                  module->kernel("talk"),
                  {{u32(talk.blocks.size()), 1, 1}, {talk.threads, 1, 1}, talk.shared_bytes},
                  {}}};
    launches_.front().params.resize(sizeof words_);
    std::memcpy(launches_.front().params.data(), &words_, sizeof words_);
    result = explore(launches_, limits);
  }
  void explore_again() { result = explore(launches_, {}); }
  // Runs the launch by a schedule. Returns the fault's message, if it ends with one.
  std::string run(const NamedSchedule& schedule) {
    std::string unfit;
    const std::optional<Fault> fault = run_by_schedule(launches_, schedule, &unfit);
    CHECK(unfit == "");
    return fault ? fault->message : "";
  }
  u32 word(u32 index) const {
    u32 value;
    std::memcpy(&value, gpu_.device.memory.resolve(words_ + 4 * index, 4), sizeof value);
    return value;
  }
  std::string text() const { return to_text(result, launches_); }
  bool is_right() const { return result.verdict == Exploration::Verdict::all_right; }

  Exploration result;

 private:
  static constexpr std::size_t kBytes = 64;
  mutable Gpu gpu_;
  u64 words_ = 0;
  std::vector<ExploredLaunch> launches_;
};

const std::string kAdd = "atom.global.add.u32 %r1, [%w], 1;",
                  kAddElsewhere = "atom.global.add.u32 %r1, [%w+4], 1;";

std::string sends(const std::string& fence) {
  return "st.global.u32 [%w+8], 7; " + fence + " st.relaxed.gpu.global.u32 [%w], 1;";
}
std::string gets(const std::string& fence) {
  return "WAIT: ld.relaxed.gpu.global.u32 %r1, [%w]; setp.eq.u32 %p1, %r1, 0; @%p1 bra WAIT; " + fence +
         " ld.global.u32 %r2, [%w+8]; st.global.u32 [%w+12], %r2;";
}

// Stores to one word and then reads another, whose value goes to `to`.
std::string stores_and_reads(int own, int other, int to, const std::string& fence) {
  const auto at = [](int k) { return "[%w+" + std::to_string(4 * k) + "]"; };
  return "st.relaxed.gpu.global.u32 " + at(own) + ", 1; " + fence + " ld.relaxed.gpu.global.u32 %r1, " +
         at(other) + "; st.global.u32 " + at(to) + ", %r1;";
}

std::string locks(int word, const std::string& label) {
  return label + ": atom.global.cas.b32 %r1, [%w+" + std::to_string(4 * word) +
         "], 0, 1; setp.ne.u32 %p1, %r1, 0; @%p1 bra " + label + ";";
}
std::string unlocks(int word) {
  return "atom.global.exch.b32 %r1, [%w+" + std::to_string(4 * word) + "], 0;";
}
std::string counts_under_lock(const std::string& name, const std::string& fence) {
  return locks(0, name) + fence +
         " ld.global.u32 %r2, [%w+4]; add.u32 %r2, %r2, 1; st.global.u32 [%w+4], %r2; " + fence + unlocks(0);
}

}  // namespace

TEST_CASE("atomics of one word come in each order, those of different words in one") {
  const Explored one_word({{kAdd, kAdd}}), three({{kAdd, kAdd, kAdd}}), two_words({{kAdd, kAddElsewhere}});
  CHECK(one_word.result.executions == 2);
  CHECK(three.result.executions == 6);
  CHECK(two_words.result.executions == 1);
  CHECK(one_word.is_right());
  CHECK(one_word.result.results == 1);
  CHECK(one_word.word(0) == 0);  // memory is as it was
}

TEST_CASE("a message with its fences has one execution, and without one of them a race") {
  const Explored right({{sends("membar.gl;"), gets("membar.gl;")}});
  CHECK(right.is_right());
  CHECK(right.result.executions == 1);
  CHECK(right.result.results == 1);
  const Explored no_release({{sends(""), gets("membar.gl;")}}), no_acquire({{sends("membar.gl;"), gets("")}}),
      too_narrow({{sends("membar.cta;"), gets("membar.gl;")}});
  for (const Explored* wrong : {&no_release, &no_acquire, &too_narrow}) {
    CHECK_FALSE(wrong->is_right());
    CHECK(wrong->text().find("race: block 1, thread 0") != std::string::npos);
  }
}

TEST_CASE("a value that is there only sometimes is a race in the execution that reads it too early") {
  // The reader looks once. Only where it sees the flag does it read the value, which is published too late.
  const std::string flag_first = "st.relaxed.gpu.global.u32 [%w], 1; membar.gl; st.global.u32 [%w+8], 7;";
  const std::string looks_once =
      "ld.relaxed.gpu.global.u32 %r1, [%w]; membar.gl; setp.eq.u32 %p1, %r1, 0; @%p1 ret; ld.global.u32 %r2, [%w+8];";
  Explored wrong({{looks_once, flag_first}});
  CHECK_FALSE(wrong.is_right());
  CHECK(wrong.result.message.find("race: ") != std::string::npos);
  CHECK(wrong.run(wrong.result.schedule) == "");
}

TEST_CASE("loads overtake stores, unless sequentially consistent fences forbid it") {
  const auto both = [](const std::string& fence) {
    return Talk{{stores_and_reads(0, 1, 2, fence), stores_and_reads(1, 0, 3, fence)}};
  };
  CHECK(Explored(both("")).result.results == 4);  // 0 0 as well
  CHECK(Explored(both("fence.acq_rel.gpu;")).result.results == 4);
  CHECK(Explored(both("membar.gl;")).result.results == 3);
  CHECK(Explored(both("fence.sc.gpu;")).result.executions == 3);
}

TEST_CASE("a race that only an old value of a flag brings about is found") {
  // Dekker's idea: whoever sees that the other one has not come stores. Without fences both may.
  const auto enters = [](int own, int other, int value, const std::string& fence) {
    const auto at = [](int k) { return "[%w+" + std::to_string(4 * k) + "]"; };
    return "st.relaxed.gpu.global.u32 " + at(own) + ", 1; " + fence + " ld.relaxed.gpu.global.u32 %r1, " +
           at(other) + "; setp.ne.u32 %p1, %r1, 0; @%p1 ret; st.global.u32 [%w+8], " + std::to_string(value) +
           ";";
  };
  const Explored dekker({{enters(0, 1, 1, ""), enters(1, 0, 2, "")}});
  CHECK(dekker.result.message.find("race: ") != std::string::npos);
  CHECK(Explored({{enters(0, 1, 1, "membar.gl;"), enters(1, 0, 2, "membar.gl;")}}).is_right());
  // A reader that has acquired an old value of the flag does not come after the new one.
  const std::string unless_set =
      "ld.acquire.gpu.global.u32 %r1, [%w]; setp.ne.u32 %p1, %r1, 0; @%p1 ret; ld.global.u32 %r2, [%w+8];";
  const Explored early({{"st.global.u32 [%w+8], 7; st.release.gpu.global.u32 [%w], 1;", unless_set}});
  CHECK(early.result.message.find("race: nothing orders a read by block 1") != std::string::npos);
}

TEST_CASE("two readers may see two stores in opposite orders, unless fences forbid it") {
  const auto reads = [](int first, int second, int to, const std::string& fence) {
    const auto at = [](int k) { return "[%w+" + std::to_string(4 * k) + "]"; };
    return "ld.relaxed.gpu.global.u32 %r1, " + at(first) + "; " + fence + " ld.relaxed.gpu.global.u32 %r2, " +
           at(second) + "; mad.lo.u32 %r1, %r1, 2, %r2; st.global.u32 " + at(to) + ", %r1;";
  };
  const auto all = [&](const std::string& fence) {
    return Talk{{"st.relaxed.gpu.global.u32 [%w], 1;", "st.relaxed.gpu.global.u32 [%w+4], 1;",
                 reads(0, 1, 2, fence), reads(1, 0, 3, fence)}};
  };
  CHECK(Explored(all("")).result.results == 16);
  CHECK(Explored(all("membar.gl;")).result.results == 15);
}

TEST_CASE("a lock orders what it protects, if it has fences") {
  const Explored right({{counts_under_lock("A", "membar.gl;"), counts_under_lock("B", "membar.gl;")}});
  CHECK(right.is_right());
  CHECK(right.result.executions == 2);
  const Explored three({{counts_under_lock("A", "membar.gl;"), counts_under_lock("B", "membar.gl;"),
                         counts_under_lock("C", "membar.gl;")}});
  CHECK(three.result.executions == 6);
  CHECK_FALSE(Explored({{counts_under_lock("A", ""), counts_under_lock("B", "")}}).is_right());
}

TEST_CASE("locks taken in opposite orders are found, with a schedule that runs into it again") {
  const auto takes = [](int first, int second, const std::string& name) {
    return locks(first, name) + locks(second, name + "2") + unlocks(second) + unlocks(first);
  };
  CHECK(Explored({{takes(0, 1, "A"), takes(0, 1, "B")}}).is_right());
  Explored wrong({{takes(0, 1, "A"), takes(1, 0, "B")}});
  CHECK(wrong.result.message.find("never ends") != std::string::npos);
  CHECK(wrong.run(wrong.result.schedule).find("never ends") != std::string::npos);
  // The text is the same schedule.
  const std::optional<NamedSchedule> parsed = parse_schedule(to_text(wrong.result.schedule));
  REQUIRE(parsed);
  CHECK(parsed->moves == wrong.result.schedule.moves);
}

TEST_CASE("a lost update leaves two results, each with its schedule") {
  const std::string adds =
      "ld.relaxed.gpu.global.u32 %r1, [%w]; add.u32 %r1, %r1, 1; st.relaxed.gpu.global.u32 [%w], %r1;";
  Explored e({{adds, adds}});
  CHECK(e.is_right());
  CHECK(e.result.results == 2);
  CHECK(e.text().find("2 different results") != std::string::npos);
  CHECK(e.run(e.result.one) == "");
  const u32 one = e.word(0);
  CHECK(one + 1 == 2 + (one == 2));  // 1 or 2
  Explored again({{adds, adds}});
  CHECK(again.run(again.result.other) == "");
  CHECK(again.word(0) == 3 - one);
}

TEST_CASE("an atomic ticket that is not set back is right the first time and waits for ever the second") {
  const std::string last_waits =
      "atom.global.add.u32 %r1, [%w], 1; setp.eq.u32 %p1, %r1, 1; @%p1 ret; "
      "$: ld.relaxed.gpu.global.u32 %r2, [%w]; setp.ne.u32 %p1, %r2, 2; @%p1 bra $;";
  const auto block = [&](const std::string& name) {
    std::string text = last_waits;
    for (std::size_t at; (at = text.find('$')) != std::string::npos;) text.replace(at, 1, name);
    return text;
  };
  Explored first({{block("A"), block("B")}});
  CHECK(first.is_right());
  CHECK(first.run({1, false, {}}) == "");
  CHECK(first.word(0) == 2);
  first.explore_again();
  CHECK(first.result.message.find("never ends") != std::string::npos);
}

TEST_CASE("stores of equal values are told, since another order may make them unequal") {
  const Explored e(
      {{"st.global.u32 [%w], 2; st.global.u32 [%w], 1;" + kAddElsewhere, "st.global.u32 [%w], 1;"}});
  CHECK_FALSE((e.is_right() && e.result.equal_stores.empty()));
  const Explored same({{"st.global.u32 [%w], 1;", "st.global.u32 [%w], 1;"}});
  CHECK(same.is_right());
  CHECK(same.text().find("It relies on values being equal") != std::string::npos);
}

TEST_CASE("warps of a block talk in shared memory") {
  const std::string shared =
      "mov.u32 %r3, 0; st.volatile.shared.u32 [%r3], 0; bar.sync 0; setp.ge.u32 %p1, %tid, 32; @%p1 bra SECOND; "
      "st.volatile.shared.u32 [%r3], 1; ret; SECOND: ld.volatile.shared.u32 %r1, [%r3]; st.global.u32 [%w], %r1;";
  const Explored e({{shared}, 33, 16});
  CHECK(e.is_right());
  CHECK(e.result.results == 2);
}

TEST_CASE("what an exploration does not follow is told with its line") {
  const Explored clock({{"mov.u32 %r1, %clock;", kAdd}});
  CHECK(clock.result.verdict == Exploration::Verdict::not_explored);
  CHECK(clock.text().find("talk.cu:10 reads a clock") != std::string::npos);
  const Explored large({{kAdd}, 1024 * 9});
  CHECK(large.text().find("has 288 warps, but at most 256 can be explored") != std::string::npos);
  const Explored sizes({{"atom.global.add.u32 %r1, [%w], 1;", "atom.global.add.u64 %a, [%w], 1;"}});
  CHECK(sizes.result.verdict == Exploration::Verdict::not_explored);
}

TEST_CASE("a limit leaves an exploration unfinished") {
  ExplorationLimits limits;
  limits.executions = 5;
  const Explored e({{kAdd, kAdd, kAdd}}, limits);
  CHECK(e.result.verdict == Exploration::Verdict::not_finished);
  CHECK(e.result.executions == 5);
  CHECK(e.text().find("not finished: explored 5 executions") != std::string::npos);
}

TEST_CASE("texts that are no schedules are refused") {
  for (const char* wrong :
       {"", "1", "1/b0", "1/b0w", "1/b0w0,", "1/b0w0*0", "1/b0w0:", "x/b0w0", "1/b0w0 ", "1/w0b0", "1/b-1w0"})
    CHECK_FALSE(parse_schedule(wrong));
  const auto s = parse_schedule("12/g1b3w2*2,g0b0w0:1+0");
  REQUIRE(s);
  CHECK(s->launch == 12);
  CHECK(s->moves.size() == 3);
  CHECK(s->moves[2].older == std::vector<u32>{1, 0});
  CHECK(to_text(*s) == "12/g1b3w2*2,g0b0w0:1+0");
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
