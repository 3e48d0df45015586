#include "timing/machine.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <utility>

#include "base/files.h"
#include "machines.h"  // made of machines/*.json when the library is built

namespace gpusim::timing {
namespace {

// A word in quotes or a number, at `at`; empty where there is neither.
std::string_view token(std::string_view text, std::size_t& at) {
  at = text.find_first_not_of(" \t\r\n", at);
  if (at == std::string_view::npos) return {};
  const std::size_t begin = at;
  const bool is_quoted = text[begin] == '"';
  at = is_quoted ? text.find('"', begin + 1) : text.find_first_of(" \t\r\n,}", begin);
  if (at == std::string_view::npos) {
    at = text.size();
    return is_quoted ? std::string_view() : text.substr(begin);
  }
  at += is_quoted;
  return text.substr(begin, at - begin);
}

}  // namespace

std::optional<Machine> Machine::parse(std::string_view text, std::string* error) {
  Machine machine;
  const auto fail = [&](const std::string& what) -> std::optional<Machine> {
    *error = what;
    return std::nullopt;
  };
  std::size_t at = text.find('{');
  if (at++ == std::string_view::npos) return fail("is no JSON object");
  while (true) {
    const std::string_view key = token(text, at);
    if (key.size() < 2 || key[0] != '"') return fail("has no name in quotes where one is due");
    const std::string name(key.substr(1, key.size() - 2));
    at = text.find(':', at);
    if (at++ == std::string_view::npos) return fail("has no value for '" + name + "'");
    const std::string_view value = token(text, at);
    double number = 0;
    if (value.size() >= 2 && value[0] == '"') {
      if (name == "gpu") machine.name_ = value.substr(1, value.size() - 2);
    } else if (std::from_chars(value.data(), value.data() + value.size(), number).ec == std::errc() &&
               !value.empty()) {
      machine.numbers_[name] = number;
    } else {
      return fail("has neither a number nor a text for '" + name + "'");
    }
    at = text.find_first_not_of(" \t\r\n", at);
    if (at == std::string_view::npos) return fail("ends before its '}'");
    if (text[at] == '}') break;
    if (text[at++] != ',') return fail("has no ',' behind '" + name + "'");
  }
  for (const char* needed : kNeeded)
    if (!machine.has(needed)) return fail("lacks '" + std::string(needed) + "'");
  machine.derive();
  return machine;
}

std::optional<Machine> Machine::find(const std::string& name, std::string* error, Of of) {
  for (const KnownMachine& known : kMachines) {
    if (name != known.name) continue;
    std::optional<Machine> machine = parse(known.text, error);
    if (machine) machine->error_ = of == Of::chapters ? known.error_of_chapters : known.error;
    return machine;
  }
  std::istringstream file = open_file(name);
  if (!file) {
    *error = "is neither " + Machine::known() + " nor a file that can be read";
    return std::nullopt;
  }
  return parse(std::string(std::istreambuf_iterator<char>(file), {}), error);
}

std::string Machine::known() {
  std::string names;
  for (const auto& each : kMachines) names += (names.empty() ? "" : ", ") + std::string(each.name);
  return names;
}

double Machine::operator[](std::string_view constant) const {
  const auto found = numbers_.find(constant);
  return found == numbers_.end() ? 0 : found->second;
}

double Machine::random_atomic(const std::string& name, double lines) const {
  constexpr const char* kMeasured[] = {"1", "8", "64", "512", "4096", "65536"};
  double from = 0, at = 0;
  for (const char* number : kMeasured) {
    const double count = std::strtod(number, nullptr),
                 ns = (*this)[name + "_random_" + number + "_lines_nanoseconds"];
    if (from == 0 || lines >= count) {
      from = count, at = ns;
      continue;
    }
    const double part = std::log(std::max(lines, from) / from) / std::log(count / from);
    return at * std::pow(ns / at, part);
  }
  return at;
}

// Where a warp's access has 32 sectors of as many lines, the lines decide; where 4 of one line, the sectors do.
void Machine::derive() {
  const Machine& m = *this;
  constexpr double kSectors = 4, kLines = 32, kSectorBytes = 32;
  of.warps = m["threads_per_multiprocessor"] / kWarpSize;
  of.nanoseconds = 1e3 / m["clock_megahertz"];
  of.launch = m["launch_nanoseconds"];
  of.next_launch = m["next_launch_nanoseconds"];
  of.l1_request = m["l1_stride1_interval"];
  of.l1_pass = m["l1_stride32_interval"] / kLines;
  of.sm_sector = m["l2_load_stride1_interval"] / kSectors;
  of.sm_line = m["l2_load_stride32_interval"] / kLines;
  of.sm_store_sector = m["l2_store_stride1_interval"] / kSectors;
  of.sm_store_line = m["l2_store_stride32_interval"] / kLines;
  of.l2_sector =
      std::min(m["l2_load_stride1_all_nanoseconds"], m["l2_load16_all_nanoseconds"] / 4) / kSectors;
  of.l2_line = m["l2_load_stride32_all_nanoseconds"] / kLines;
  of.l2_store_sector = m["l2_store_stride1_all_nanoseconds"] / kSectors;
  of.l2_store_line = m["l2_store_stride32_all_nanoseconds"] / kLines;
  const double read = m["read_1024MiB_gigabytes_per_second"], write = m["write_1024MiB_gigabytes_per_second"];
  const double copy =
      std::max(m["copy_1024MiB_gigabytes_per_second"], m["runtime_copy_1024MiB_gigabytes_per_second"]);
  of.copy = copy;
  of.dram_read = kSectorBytes / read;
  of.dram_write = kSectorBytes / write;
  constexpr double kSectorsOfPair = 2;  // the memory gives 64 bytes at a time
  of.far_read = std::max(of.dram_read, m["random_load_1024MiB_all_nanoseconds"] / kLines / kSectorsOfPair);
  of.far_write = std::max(of.dram_write, m["random_store_sectors_1024MiB_all_nanoseconds"] / kSectors);
  of.part_write = std::max(of.far_write, m["random_store_1024MiB_all_nanoseconds"] / kLines);
  of.far_latency = std::max(0.0, m["random_chase_1024MiB_1_warps_32_lanes_latency"] -
                                     m["random_chase_1024MiB_1_warps_1_lanes_latency"] -
                                     m["random_chase_4MiB_1_warps_32_lanes_latency"] +
                                     m["random_chase_4MiB_1_warps_1_lanes_latency"]);
  of.turns = std::max(1.0, 2 / copy / (1 / read + 1 / write));
  // One load of each warp in flight: what 64 warps wait longer for it than one does.
  const auto wait = [&](double warps, const char* measured) {  // cycles, by Little's law
    return warps * kWarpSize * 4 * m["multiprocessors"] / m[measured] / of.nanoseconds;
  };
  const double full = m["read_64_warps_1_loads_gigabytes_per_second"], taken = full / read;
  const double later = wait(64, "read_64_warps_1_loads_gigabytes_per_second") -
                       wait(1, "read_1_warps_1_loads_gigabytes_per_second");
  of.crowd = std::max(0.0, later * (1 - taken) / taken);
  // What writing 128 MiB takes less than an eighth of 1 GiB does.
  constexpr double kBytes = 128 << 20;
  of.written_late =
      std::clamp(kBytes * (1 - write / m["write_128MiB_gigabytes_per_second"]), 0.0, m["l2_bytes"]);
}

}  // namespace gpusim::timing
