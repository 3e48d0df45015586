#include "timing/machine.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

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

using Numbers = std::map<std::string, double, std::less<>>;  // of a file, by name

// How many letters must be added, left out, changed, or swapped with their neighbour to make one name of the
// other. Other digits make another name, not another spelling: many.
std::size_t difference(std::string_view a, std::string_view b) {
  constexpr std::size_t kMany = 1000;
  const auto digits = [](std::string_view name) {
    std::string found;
    for (const char c : name)
      if (c >= '0' && c <= '9') found += c;
    return found;
  };
  if (digits(a) != digits(b)) return kMany;
  std::vector<std::size_t> before, last, row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t(0));
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before = std::exchange(last, row);
    row[0] = i;
    for (std::size_t k = 1; k <= b.size(); ++k) {
      row[k] = std::min({last[k] + 1, row[k - 1] + 1, last[k - 1] + (a[i - 1] != b[k - 1])});
      if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
        row[k] = std::min(row[k], before[k - 2] + 1);
    }
  }
  return row[b.size()];
}

// "lacks 'l2_latency' (cycles: a load that the L2 cache answers)", and what may have been meant for it.
std::string what_is_missing(const ConstantRow& missing, const Numbers& numbers) {
  constexpr std::size_t kMostMistakes = 2;
  const auto rows = constant_rows();
  std::size_t fewest = kMostMistakes + 1, others = 0;
  std::string_view nearest;
  for (const auto& number : numbers) {
    const std::string_view name = number.first;
    if (std::ranges::any_of(rows, [&](const ConstantRow& row) { return name == row.name; })) continue;
    if (const std::size_t mistakes = difference(name, missing.name); mistakes < fewest)
      fewest = mistakes, nearest = name;
  }
  for (const ConstantRow& row : rows) others += &row != &missing && !numbers.contains(row.name);
  std::string text = "lacks '" + std::string(missing.name) + "' (" + missing.text() + ")";
  if (others > 0)
    text += " and " + std::to_string(others) + (others == 1 ? " other constant" : " other constants");
  if (!nearest.empty())
    text += "; it has '" + std::string(nearest) + "', which is no constant and may be a misspelling";
  return text;
}

}  // namespace

std::optional<Machine> Machine::parse(std::string_view text, std::string* error) {
  Machine machine;
  Numbers numbers;
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
      numbers[name] = number;
    } else {
      return fail("has neither a number nor a text for '" + name + "'");
    }
    at = text.find_first_not_of(" \t\r\n", at);
    if (at == std::string_view::npos) return fail("ends before its '}'");
    if (text[at] == '}') break;
    if (text[at++] != ',') return fail("has no ',' behind '" + name + "'");
  }
  for (const ConstantRow& row : constant_rows()) {
    const auto found = numbers.find(row.name);
    if (found == numbers.end()) return fail(what_is_missing(row, numbers));
    if (!row.allows(found->second))
      return fail("has a number for '" + std::string(row.name) + "' (" + row.text() + ") that cannot be");
    row.set(machine, found->second);
  }
  machine.derive();
  return machine;
}

std::optional<Machine> Machine::find(const std::string& name, std::string* error, Kernels kernels) {
  for (const KnownMachine& known : kMachines) {
    if (name != known.name) continue;
    std::optional<Machine> machine = parse(known.text, error);
    if (machine) machine->error_ = kernels == Kernels::known ? known.error_of_known : known.error;
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

// Where a warp's access has 32 sectors of as many lines, the lines decide; where 4 of one line, the sectors do.
void Machine::derive() {
  constexpr double kSectors = 4, kLines = 32, kSectorBytes = 32;
  derived.warps = double(threads_per_multiprocessor) / kWarpSize;
  derived.nanoseconds = 1e3 / clock_megahertz;
  derived.launch = launch_nanoseconds;
  derived.next_launch = next_launch_nanoseconds;
  derived.l1_request = l1_stride1_interval;
  derived.l1_pass = l1_stride32_interval / kLines;
  derived.sm_sector = l2_load_stride1_interval / kSectors;
  derived.sm_line = l2_load_stride32_interval / kLines;
  derived.sm_store_sector = l2_store_stride1_interval / kSectors;
  derived.sm_store_line = l2_store_stride32_interval / kLines;
  derived.l2_sector = std::min(l2_load_stride1_all_nanoseconds, l2_load16_all_nanoseconds / 4) / kSectors;
  derived.l2_line = l2_load_stride32_all_nanoseconds / kLines;
  derived.l2_store_sector = l2_store_stride1_all_nanoseconds / kSectors;
  derived.l2_store_line = l2_store_stride32_all_nanoseconds / kLines;
  const double read = read_1024MiB_gigabytes_per_second, write = write_1024MiB_gigabytes_per_second;
  const double copy = std::max(copy_1024MiB_gigabytes_per_second, runtime_copy_1024MiB_gigabytes_per_second);
  derived.copy = copy;
  derived.dram_read = kSectorBytes / read;
  derived.dram_write = kSectorBytes / write;
  constexpr double kSectorsOfPair = 2;  // the memory gives 64 bytes at a time
  derived.far_read =
      std::max(derived.dram_read, random_load_1024MiB_all_nanoseconds / kLines / kSectorsOfPair);
  derived.far_write = std::max(derived.dram_write, random_store_sectors_1024MiB_all_nanoseconds / kSectors);
  derived.part_write = std::max(derived.far_write, random_store_1024MiB_all_nanoseconds / kLines);
  derived.far_latency = std::max(
      0.0, random_chase_1024MiB_1_warps_32_lanes_latency - random_chase_1024MiB_1_warps_1_lanes_latency -
               random_chase_4MiB_1_warps_32_lanes_latency + random_chase_4MiB_1_warps_1_lanes_latency);
  derived.turns = std::max(1.0, 2 / copy / (1 / read + 1 / write));
  // One load of each warp in flight: what 64 warps wait longer for it than one does.
  const auto wait = [&](double warps, double gigabytes_per_second) {  // cycles, by Little's law
    return warps * kWarpSize * 4 * double(multiprocessors) / gigabytes_per_second / derived.nanoseconds;
  };
  const double full = read_64_warps_1_loads_gigabytes_per_second, taken = full / read;
  const double later = wait(64, read_64_warps_1_loads_gigabytes_per_second) -
                       wait(1, read_1_warps_1_loads_gigabytes_per_second);
  derived.crowd = std::max(0.0, later * (1 - taken) / taken);
  // What writing 128 MiB takes less than an eighth of 1 GiB does.
  constexpr double kBytes = 128 << 20;
  derived.written_late =
      std::clamp(kBytes * (1 - write / write_128MiB_gigabytes_per_second), 0.0, double(l2_bytes));
}

}  // namespace gpusim::timing
// SPDX-License-Identifier: MIT
