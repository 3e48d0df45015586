#include "timing/derived_constants.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

#include "timing/constants.h"

namespace gpusim::timing {
namespace {

// Those that others scale with.
constexpr const char *kByClock = "clock_megahertz", *kByBus = "memory_bus_bits",
                     *kByL2 = "l2_load16_all_nanoseconds", *kByRead = "read_1024MiB_gigabytes_per_second",
                     *kByMemoryLatency = "dram_latency", *kByL2Latency = "l2_latency",
                     *kByDoubles = "fp64_fma_interval";

double number_of(const Numbers& numbers, std::string_view name) { return numbers.find(name)->second; }

// A load of a word by each lane.
ReadRates read_rates(const Numbers& numbers, double full) {
  constexpr double kBytes = kWarpSize * 4;
  return {number_of(numbers, "read_1_warps_1_loads_gigabytes_per_second"), full, number_of(numbers, kByRead),
          warps_of_full_rate(number_of(numbers, "threads_per_multiprocessor")),
          kBytes * number_of(numbers, "multiprocessors") * number_of(numbers, kByClock) * 1e-3};
}

// Works out one constant after another; those that it needs come first.
class Derivation {
 public:
  Derivation(const Numbers& base, const Numbers& own) : base_(base), own_(own) {}

  Numbers all() {
    for (const ConstantRow& row : constant_rows()) of(row.name);
    return std::move(result_);
  }

 private:
  double of(std::string_view name) {
    if (const auto known = result_.find(name); known != result_.end()) return known->second;
    const auto own = own_.find(name);
    const double value = own != own_.end() ? own->second : by_rule(*constant_row(name));
    return result_[std::string(name)] = value;
  }
  double ratio(std::string_view name) { return of(name) / number_of(base_, name); }
  double bandwidth_ratio() { return ratio("memory_clock_megahertz") * ratio(kByBus); }

  double by_rule(const ConstantRow& row) {
    const double base = number_of(base_, row.name);
    switch (row.rule) {
      case Rule::kept: return base;
      case Rule::clock: return base * ratio("clock_limit_megahertz");
      case Rule::cycles: return base / ratio(kByClock);
      case Rule::l2_bandwidth: return base / (ratio(kByClock) * ratio(kByBus));
      case Rule::l2_time: return base * ratio(kByL2);
      case Rule::l2_latency: return base * ratio(kByL2Latency);
      case Rule::bandwidth: return base * bandwidth_ratio();
      case Rule::memory_rate: return base * ratio(kByRead);
      case Rule::memory_time: return base / ratio(kByRead);
      case Rule::memory_latency: return base * ratio(kByMemoryLatency);
      case Rule::in_flight:
        return base * ratio("multiprocessors") * ratio(kByClock) / ratio(kByMemoryLatency);
      case Rule::crowd: return full_read_rate(row.name);
      case Rule::doubles: return of_doubles(row.name, base);
      case Rule::barriers: return of_barrier(row.name, base);
    }
    return base;
  }

  double full_read_rate(std::string_view name) {
    for (const char* needed : {"read_1_warps_1_loads_gigabytes_per_second", "threads_per_multiprocessor",
                               "multiprocessors", kByClock, kByRead})
      of(needed);
    return full_rate(read_rates(result_, 0), crowd_of(read_rates(base_, number_of(base_, name))));
  }

  // A file that gives fp64_fma_interval gets the others by how much it is more than the base's.
  double of_doubles(std::string_view name, double base) {
    constexpr std::string_view kLatency = "_latency", kInterval = "_interval";
    if (name.ends_with(kInterval)) return name == kByDoubles ? base : base * ratio(kByDoubles);
    const std::string_view operation = name.substr(0, name.size() - kLatency.size());
    return std::max(base, of(std::string(operation) + std::string(kInterval)));
  }

  // "barrier_16_warps_interval": between two barriers of one of the blocks that fit.
  double of_barrier(std::string_view name, double base) {
    constexpr std::string_view kPrefix = "barrier_", kInterval = "_interval";
    if (!name.ends_with(kInterval)) return base;
    u32 warps = 1;
    std::from_chars(name.data() + kPrefix.size(), name.data() + name.size(), warps);
    const std::string latency = std::string(name.substr(0, name.size() - kInterval.size())) + "_latency";
    const auto blocks_of = [&](double threads, double blocks) {
      return double(blocks_that_meet(u64(threads), u64(blocks), warps));
    };
    const double before = blocks_of(number_of(base_, "threads_per_multiprocessor"),
                                    number_of(base_, "blocks_per_multiprocessor"));
    const double now = blocks_of(of("threads_per_multiprocessor"), of("blocks_per_multiprocessor"));
    const double alone = number_of(base_, latency);
    const double each_other = before > 1 ? (base * before - alone) / (before - 1) : 0;
    return (of(latency) + each_other * (now - 1)) / now;
  }

  const Numbers &base_, &own_;
  Numbers result_;
};

}  // namespace

u32 blocks_that_meet(u64 threads_per_multiprocessor, u64 blocks_per_multiprocessor, u32 warps) {
  const u64 fit = threads_per_multiprocessor / (u64(warps) * kWarpSize);
  return u32(std::clamp<u64>(fit, 1, std::max<u64>(blocks_per_multiprocessor, 1)));
}

double warps_of_full_rate(double threads_per_multiprocessor) {
  constexpr double kMost = 64;
  return std::min(kMost, threads_per_multiprocessor / kWarpSize);
}

// By Little's law, n loads that are answered after w cycles are n · bytes_each_cycle / w gigabytes a second.
double crowd_of(const ReadRates& r) {
  const double taken = r.full / r.most;
  const double later = r.bytes_each_cycle * (r.warps / r.full - 1 / r.one_warp);
  return std::max(0.0, later * (1 - taken) / taken);
}

// `full` is t · most where t, the part of the memory's time that is taken, solves
//   asked / t = alone + crowd · t / (1 - t).
// Times t · (1 - t), that is a quadratic equation with one root between 0 and 1.
double full_rate(const ReadRates& r, double crowd) {
  const double alone = r.bytes_each_cycle / r.one_warp;             // cycles that a load takes
  const double asked = r.bytes_each_cycle * r.warps / r.most;       // cycles in which memory serves all
  const double a = alone - crowd, b = -(alone + asked), c = asked;  // a · t² + b · t + c = 0
  const double root = std::sqrt(std::max(0.0, b * b - 4 * a * c));
  return r.most * 2 * c / (-b + root);  // the smaller root, also where a is 0
}

std::optional<Numbers> derived_constants(const Numbers& base, const Numbers& own, std::string* error) {
  const double wider = own.contains(kByBus) ? number_of(own, kByBus) / number_of(base, kByBus) : 1;
  if (!own.contains(kByL2) && !(wider >= 0.5 && wider <= 2)) {
    *error =
        std::string("needs '") + kByL2 + "' (" + constant_row(kByL2)->text() +
        "): its memory bus is so much wider or narrower than the base's that the memory is of another kind, so the "
        "width does not say how fast the L2 cache is";
    return std::nullopt;
  }
  return Derivation(base, own).all();
}

}  // namespace gpusim::timing
// SPDX-License-Identifier: MIT
