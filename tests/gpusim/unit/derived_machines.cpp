// Machine models that nobody has measured: what their files may say, and what they take over from their base.
#include <doctest/doctest.h>

#include <string>

#include "base/files.h"
#include "gpu.h"
#include "timing/machine.h"
#include "timing/occupancy.h"

using namespace gpusim;
using namespace gpusim::timing;

namespace {

Machine known_machine(const std::string& name) {
  std::string error;
  const std::optional<Machine> found = Machine::find(name, &error);
  REQUIRE_MESSAGE(found, error);
  return *found;
}

// A file that publishes these numbers, of one source.
std::string file_of(const std::string& numbers, const std::string& base = "h100") {
  std::string names;
  for (std::size_t at = 0; (at = numbers.find('"', at)) != std::string::npos; ++at) {
    const std::size_t end = numbers.find('"', at + 1);
    names += (names.empty() ? "" : ", ") + numbers.substr(at + 1, end - at - 1);
    at = end;
  }
  return "{\"name\": \"a GPU\", \"base\": \"" + base + "\", \"published\": {" + numbers +
         "}, \"sources\": {" + (names.empty() ? "" : "\"" + names + "\": \"a data sheet\"") + "}}";
}

Machine derived(const std::string& numbers) {
  std::string error;
  const std::optional<Machine> found = Machine::parse(file_of(numbers), &error);
  REQUIRE_MESSAGE(found, error);
  return *found;
}

std::string why_refused_file(const std::string& text) {
  std::string error;
  CHECK(!Machine::parse(text, &error));
  return error;
}

// How much more a constant is in the one than in the other.
double more(const Machine& a, const Machine& b, double Machine::* constant) {
  return a.*constant / (b.*constant);
}

constexpr double kNear = 1e-6;

}  // namespace

TEST_CASE("each GPU that comes along has the limits of its compute capability") {
  // The CUDA programming guide, technical specifications per compute capability.
  struct Limits {
    const char* name;
    u64 major, minor, multiprocessors, warps, blocks, shared_kibibytes, shared_kibibytes_per_block;
  };
  constexpr Limits kLimits[] = {
      {"a100", 8, 0, 108, 64, 32, 164, 163},   {"l4", 8, 9, 58, 48, 24, 100, 99},
      {"rtx4090", 8, 9, 128, 48, 24, 100, 99}, {"rtx5090", 12, 0, 170, 48, 24, 100, 99},
      {"b200", 10, 0, 148, 64, 32, 228, 227},  {"h100", 9, 0, 132, 64, 32, 228, 227},
      {"h200", 9, 0, 132, 64, 32, 228, 227}};
  for (const Limits& limits : kLimits) {
    CAPTURE(limits.name);
    const Machine m = known_machine(limits.name);
    CHECK(m.major == limits.major);
    CHECK(m.minor == limits.minor);
    CHECK(m.multiprocessors == limits.multiprocessors);
    CHECK(m.threads_per_multiprocessor == 32 * limits.warps);
    CHECK(m.derived.warps == double(limits.warps));
    CHECK(m.blocks_per_multiprocessor == limits.blocks);
    CHECK(m.registers_per_multiprocessor == 65536);
    CHECK(m.shared_bytes_per_multiprocessor == limits.shared_kibibytes << 10);
    CHECK(m.shared_bytes_per_block == limits.shared_kibibytes_per_block << 10);
    CHECK(m.shared_bytes_per_block + m.shared_bytes_reserved == m.shared_bytes_per_multiprocessor);
    CHECK(m.base().empty() == (limits.name[0] == 'h'));
    CHECK(m.error(1e5) > 0);
    CHECK(m.derived.dram_read > 0);
    CHECK(m.derived.crowd > 0);
    CHECK(m.dram_latency > m.l2_latency);
    CHECK(m.l2_latency > m.l1_latency);
  }
  CHECK(Machine::known() == "a100, b200, h100, h200, l4, rtx4090, rtx5090");  // each is in the table above
}

TEST_CASE("the published bandwidth of each GPU is twice its memory's clock times its bus") {
  const auto gigabytes_per_second = [](const char* name) {
    const Machine m = known_machine(name);
    return 2 * m.memory_clock_megahertz * double(m.memory_bus_bits) / 8 * 1e-3;
  };
  CHECK(gigabytes_per_second("a100") == doctest::Approx(2039).epsilon(0.001));
  CHECK(gigabytes_per_second("l4") == doctest::Approx(300).epsilon(0.001));
  CHECK(gigabytes_per_second("rtx4090") == doctest::Approx(1008).epsilon(0.001));
  CHECK(gigabytes_per_second("rtx5090") == doctest::Approx(1792).epsilon(0.001));
  CHECK(gigabytes_per_second("b200") == doctest::Approx(7672).epsilon(0.001));
}

TEST_CASE("a file that changes nothing is its base") {
  const Machine same = derived(""), base = known_machine("h100");
  CHECK(same.name() == "a GPU");
  CHECK(same.base() == "h100");
#define NUMBER(kind, name, member, unit, rule, meaning) \
  CHECK_MESSAGE(same.member == doctest::Approx(base.member), name);
#include "timing/constants.def"
}

TEST_CASE("a higher clock makes cycles shorter, and leaves the memory as it is") {
  const Machine m = derived("\"clock_limit_megahertz\": 3960"), base = known_machine("h100");
  CHECK(more(m, base, &Machine::clock_megahertz) == doctest::Approx(2));
  CHECK(more(m, base, &Machine::block_256_threads_nanoseconds) == doctest::Approx(0.5));
  CHECK(m.global_red_int.one_word == doctest::Approx(base.global_red_int.one_word / 2));
  CHECK(more(m, base, &Machine::l2_load16_all_nanoseconds) == doctest::Approx(0.5));
  CHECK(more(m, base, &Machine::l2_store_stride32_all_nanoseconds) == doctest::Approx(0.5));
  CHECK(m.global_red_int.own_words == doctest::Approx(base.global_red_int.own_words / 2));
  CHECK(more(m, base, &Machine::read_1_warps_1_loads_gigabytes_per_second) == doctest::Approx(2));
  CHECK(more(m, base, &Machine::l2_latency) == 1);
  CHECK(more(m, base, &Machine::dram_latency) == 1);
  CHECK(more(m, base, &Machine::launch_nanoseconds) == 1);
  CHECK(more(m, base, &Machine::read_1024MiB_gigabytes_per_second) == 1);
  CHECK(m.fp32_add.latency == base.fp32_add.latency);
  CHECK(m.derived.crowd == doctest::Approx(base.derived.crowd).epsilon(kNear));
}

TEST_CASE("memory is faster by its clock and its bus, and a wider bus has more slices of the L2 cache") {
  const Machine base = known_machine("h100");
  const Machine faster = derived("\"memory_clock_megahertz\": 3928.5"),
                wider = derived("\"memory_bus_bits\": 6144");
  for (double Machine::* rate :
       {&Machine::read_1024MiB_gigabytes_per_second, &Machine::write_1024MiB_gigabytes_per_second,
        &Machine::write_128MiB_gigabytes_per_second, &Machine::copy_1024MiB_gigabytes_per_second,
        &Machine::runtime_copy_1024MiB_gigabytes_per_second}) {
    CHECK(more(faster, base, rate) == doctest::Approx(1.5));
    CHECK(more(wider, base, rate) == doctest::Approx(1.2));
  }
  CHECK(more(faster, base, &Machine::random_load_1024MiB_all_nanoseconds) == doctest::Approx(1 / 1.5));
  CHECK(more(faster, base, &Machine::l2_load16_all_nanoseconds) == 1);
  CHECK(more(wider, base, &Machine::l2_load16_all_nanoseconds) == doctest::Approx(1 / 1.2));
  CHECK(more(wider, base, &Machine::l2_load_stride1_all_nanoseconds) == doctest::Approx(1 / 1.2));
  CHECK(faster.derived.crowd == doctest::Approx(base.derived.crowd).epsilon(kNear));
  CHECK(faster.read_64_warps_1_loads_gigabytes_per_second > base.read_64_warps_1_loads_gigabytes_per_second);
  CHECK(faster.read_64_warps_1_loads_gigabytes_per_second <
        1.5 * base.read_64_warps_1_loads_gigabytes_per_second);
}

TEST_CASE("fewer multiprocessors ask for less, and memory gets slow under load as before") {
  const Machine m = derived("\"multiprocessors\": 66"), base = known_machine("h100");
  CHECK(more(m, base, &Machine::read_1_warps_1_loads_gigabytes_per_second) == doctest::Approx(0.5));
  CHECK(m.read_64_warps_1_loads_gigabytes_per_second > base.read_64_warps_1_loads_gigabytes_per_second / 2);
  CHECK(m.derived.crowd == doctest::Approx(base.derived.crowd).epsilon(kNear));
  const Machine small = derived("\"threads_per_multiprocessor\": 1536");
  CHECK(small.derived.crowd == doctest::Approx(base.derived.crowd).epsilon(kNear));
}

TEST_CASE("what a file gives others scale with takes them along") {
  const Machine base = known_machine("h100");
  const auto times = [](double factor, double value) { return std::to_string(factor * value); };
  const Machine l2 = derived("\"l2_latency\": " + times(0.5, base.l2_latency));
  CHECK(more(l2, base, &Machine::global_atomic_latency) == doctest::Approx(0.5).epsilon(kNear));
  CHECK(more(l2, base, &Machine::random_chase_4MiB_1_warps_1_lanes_latency) ==
        doctest::Approx(0.5).epsilon(kNear));
  CHECK(l2.dram_latency == base.dram_latency);
  const Machine memory = derived("\"dram_latency\": " + times(2, base.dram_latency));
  CHECK(more(memory, base, &Machine::random_chase_1024MiB_1_warps_32_lanes_latency) ==
        doctest::Approx(2).epsilon(kNear));
  CHECK(more(memory, base, &Machine::read_1_warps_1_loads_gigabytes_per_second) ==
        doctest::Approx(0.5).epsilon(kNear));
  const Machine slices =
      derived("\"l2_load16_all_nanoseconds\": " + times(3, base.l2_load16_all_nanoseconds));
  CHECK(more(slices, base, &Machine::l2_store_stride1_all_nanoseconds) == doctest::Approx(3).epsilon(1e-3));
  CHECK(slices.global_atomic_int.own_words ==
        doctest::Approx(3 * base.global_atomic_int.own_words).epsilon(1e-3));
  CHECK(slices.global_atomic_int.one_word == base.global_atomic_int.one_word);
  const Machine read =
      derived("\"read_1024MiB_gigabytes_per_second\": " + times(0.5, base.read_1024MiB_gigabytes_per_second));
  CHECK(more(read, base, &Machine::copy_1024MiB_gigabytes_per_second) == doctest::Approx(0.5).epsilon(kNear));
  CHECK(more(read, base, &Machine::random_store_1024MiB_all_nanoseconds) ==
        doctest::Approx(2).epsilon(kNear));
}

TEST_CASE("a GPU with few units for doubles takes longer for all that is made of them") {
  const Machine m = derived("\"fp64_fma_interval\": 64"), base = known_machine("h100");
  const double ratio = 64 / base.fp64_fma.interval;
  CHECK(m.fp64_add.interval == doctest::Approx(ratio * base.fp64_add.interval));
  CHECK(m.fp64_div.interval == doctest::Approx(ratio * base.fp64_div.interval));
  CHECK(m.call_exp.interval == doctest::Approx(ratio * base.call_exp.interval));
  CHECK(m.fp64_fma.latency == 64);  // a warp's last lanes go in no sooner
  CHECK(m.call_exp.latency == doctest::Approx(m.call_exp.interval));
  CHECK(m.call_expf.interval == base.call_expf.interval);
  CHECK(m.fp32_fma.interval == base.fp32_fma.interval);
  const Machine slower = derived("\"fp64_fma_interval\": 4");
  CHECK(slower.fp64_fma.latency == base.fp64_fma.latency);
}

TEST_CASE("where fewer blocks fit, fewer meet at the same time") {
  const Machine m = derived("\"threads_per_multiprocessor\": 1536, \"blocks_per_multiprocessor\": 24"),
                base = known_machine("h100");
  CHECK(m.barrier_32_warps.latency == base.barrier_32_warps.latency);
  CHECK(m.barrier_32_warps.interval == doctest::Approx(base.barrier_32_warps.latency));  // one block
  // Eight warps: six blocks instead of eight, and each other block adds what it did.
  const double each = (8 * base.barrier_8_warps.interval - base.barrier_8_warps.latency) / 7;
  CHECK(6 * m.barrier_8_warps.interval == doctest::Approx(base.barrier_8_warps.latency + 5 * each));
}

TEST_CASE("a file with a base is refused by what is wrong with it") {
  const std::string published = "\"published\": {\"multiprocessors\": 58}";
  const auto refused = [](const std::string& members) {
    return why_refused_file("{\"name\": \"a GPU\", \"base\": \"h100\", " + members + "}");
  };
  CHECK(why_refused_file(file_of("", "h300")) ==
        "has the base 'h300', which is neither " + Machine::known() + " nor a file that can be read");
  CHECK(why_refused_file("{\"name\": \"a GPU\", \"base\": 100}") ==
        "has no text for \"base\": name a GPU, or a file beside this one");
  CHECK(
      refused(published) ==
      "has no source for 'multiprocessors': say under \"sources\" who has published it, or how it is derived");
  CHECK(refused("\"derived\": {\"l2_latency\": 200}").find("has no source for 'l2_latency'") == 0);
  CHECK(refused(published + ", \"sources\": {\"multiprocessors\": \" \"}") ==
        "has no text for 'multiprocessors' under \"sources\"");
  CHECK(refused(published + ", \"sources\": {\"multiprocessors\": \"x\", \"l2_bytes\": \"x\"}") ==
        "has a source for 'l2_bytes', which is neither under \"published\" nor under \"derived\"");
  CHECK(refused("\"published\": {\"multiprocesors\": 58}") ==
        "has 'multiprocesors', which is no constant; perhaps 'multiprocessors' is meant");
  CHECK(refused("\"derived\": {\"colour\": 58}") == "has 'colour', which is no constant");
  CHECK(refused("\"published\": {\"multiprocessors\": \"many\"}") ==
        "has a text for 'multiprocessors' under \"published\", where a number is due");
  CHECK(refused("\"published\": {\"multiprocessors\": {}}") ==
        "has neither a number nor a text for 'multiprocessors'");
  CHECK(refused("\"published\": 58") == "has no { } for \"published\"");
  CHECK(
      refused("\"publshed\": {\"multiprocessors\": 58}") ==
      "has an object for 'publshed'; only \"published\", \"derived\", \"measured\" and \"sources\" are objects");
  CHECK(refused("\"multiprocessors\": 58") ==
        "has 'multiprocessors' outside of \"published\", \"derived\" and \"measured\": say which it is");
  CHECK(refused(published + ", \"derived\": {\"multiprocessors\": 58}")
            .find("has 'multiprocessors' under \"derived\" and under \"published\"") == 0);
  CHECK(refused("\"published\": {\"multiprocessors\": 58, \"multiprocessors\": 59}") ==
        "has 'multiprocessors' twice");
  CHECK(why_refused_file(file_of("\"multiprocessors\": 58.5")) ==
        "has a number for 'multiprocessors' (multiprocessors of the GPU) that cannot be");
  CHECK(why_refused_file("{\"base\": \"h100\"}") == "has no \"name\": say which GPU it is");
  CHECK(why_refused_file("{\"gpu\": \"x\", \"published\": {}}") ==
        "has \"published\", which only a file with a \"base\" has");
  CHECK(
      why_refused_file(file_of("\"memory_bus_bits\": 384")).find("needs 'l2_load16_all_nanoseconds' (ns: ") ==
      0);
}

TEST_CASE("a base may be a file beside it, and that may have a base") {
  const auto given = [](const std::string& name, const std::string& text) { given_files()[name] = text; };
  given("here/one.json", file_of("\"multiprocessors\": 66", "two.json"));
  given("here/two.json", file_of("\"multiprocessors\": 100, \"clock_limit_megahertz\": 3960"));
  std::string error;
  const std::optional<Machine> one = Machine::find("here/one.json", &error);
  REQUIRE_MESSAGE(one, error);
  CHECK(one->multiprocessors == 66);
  CHECK(one->clock_limit_megahertz == 3960);
  CHECK(one->base() == "two.json");
  CHECK(one->error(1e5) == known_machine("l4").error(1e5));

  given("here/two.json", file_of("", "one.json"));
  CHECK(!Machine::find("here/one.json", &error));
  CHECK(error == "has a base that leads back to itself: here/two.json -> here/one.json -> here/two.json");
  given("here/two.json", file_of("\"l2_byte\": 1"));
  CHECK(!Machine::find("here/one.json", &error));
  CHECK(error ==
        "has the base 'two.json', which has 'l2_byte', which is no constant; perhaps 'l2_bytes' is meant");
  given("here/two.json", "{\"gpu\": \"x\"}");
  CHECK(!Machine::find("here/one.json", &error));
  CHECK(error.find("has the base 'two.json', which lacks 'major'") == 0);
  given_files().clear();
}

TEST_CASE("what calibrate could not measure on an old GPU comes from a base, and the rest is measured") {
  std::string error;
  const std::string text =
      "{\"gpu\": \"Tesla T4\", \"base\": \"h100\", \"cuda\": \"13.0\", \"calibration_seconds\": 1.5,"
      "\"measured\": {\"multiprocessors\": 40, \"major\": 7, \"minor\": 5, \"l1_16_interval\": 4}}";
  const std::optional<Machine> m = Machine::parse(text, &error);
  REQUIRE_MESSAGE(m, error);
  CHECK(m->name() == "Tesla T4");
  CHECK(m->base().empty());  // it is not derived
  CHECK(m->error(1e5) == 0);
  CHECK(m->multiprocessors == 40);
  CHECK(m->reduce_add.latency == known_machine("h100").reduce_add.latency);
  const std::optional<Machine> copy = Machine::parse("{\"name\": \"a copy\", \"base\": \"h100\"}", &error);
  REQUIRE_MESSAGE(copy, error);
  CHECK(copy->base() == "h100");  // nothing of it was measured
}

TEST_CASE("the L1 cache has what shared memory leaves of it on each GPU") {
  CHECK(l1_bytes(known_machine("h100"), 0, 0) == 256 << 10);
  CHECK(l1_bytes(known_machine("a100"), 0, 0) == 192 << 10);
  CHECK(l1_bytes(known_machine("rtx4090"), 0, 0) == 128 << 10);
  CHECK(l1_bytes(known_machine("l4"), 1, 99 << 10) == 28 << 10);
  const Machine turing = derived("\"major\": 7, \"minor\": 5, \"shared_bytes_per_multiprocessor\": 65536");
  CHECK(l1_bytes(turing, 0, 0) == 96 << 10);
}

namespace {

Report copied_on(const std::string& name) {
  Gpu gpu;
  std::string error;
  const Module* module = gpu.load(
      ".version 7.8\n.target sm_80\n.address_size 64\n.visible .entry copy(.param .u64 from, .param .u64 to) {\n"
      ".reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .f32 %f<4>;\nld.param.u64 %rd1, [from]; ld.param.u64 %rd2, [to];\n"
      "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;\n"
      "mad.lo.s32 %r4, %r1, %r2, %r3; mul.wide.s32 %rd3, %r4, 4;\n"
      "add.s64 %rd4, %rd1, %rd3; add.s64 %rd5, %rd2, %rd3;\n"
      "ld.global.f32 %f1, [%rd4];\nst.global.f32 [%rd5], %f1;\nret;\n}\n",
      &error);
  REQUIRE_MESSAGE(module, error);
  gpu.reports.keep(true);
  gpu.reports.predict_for(known_machine(name));
  constexpr u32 kBlocks = 16384, kThreads = 256;
  const u64 bytes = u64(kBlocks) * kThreads * 4;
  const u64 arrays[] = {gpu.device.memory.allocate(bytes), gpu.device.memory.allocate(bytes)};
  REQUIRE(!gpu.device.launch(*module, *module->kernel("copy"), {{kBlocks}, {kThreads}, 0},
                             reinterpret_cast<const u8*>(arrays)));
  return gpu.reports.all().back();
}

}  // namespace

TEST_CASE("a copy takes longer the slower the memory is, and a derived time says that it is one") {
  const Report l4 = copied_on("l4"), h100 = copied_on("h100"), b200 = copied_on("b200");
  const auto work = [](const Report& r) {
    return r.prediction.nanoseconds - r.prediction.launch_nanoseconds;
  };
  const double ratio = 3352.0 / 300;
  CHECK(work(l4) > 0.6 * ratio * work(h100));
  CHECK(work(l4) < 1.4 * ratio * work(h100));
  CHECK(work(b200) < work(h100));
  CHECK(l4.prediction.derived_from == "h100");
  CHECK(to_text(l4).find("derived model     this GPU has not been measured") != std::string::npos);
  CHECK(to_json(l4).find("\"derived_from\":\"h100\"") != std::string::npos);
  CHECK(h100.prediction.derived_from.empty());
  CHECK(to_text(h100).find("derived model") == std::string::npos);
  CHECK(to_json(h100).find("\"derived_from\":null") != std::string::npos);
}
// SPDX-License-Identifier: MIT
