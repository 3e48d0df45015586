#include "timing/machine.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "base/files.h"
#include "machines.h"  // made of machines/*.json when the library is built
#include "timing/derived_constants.h"
#include "timing/machine_file.h"

namespace gpusim::timing {
namespace {

// "machines/" of "machines/mine.json"; "" of "mine.json".
std::string folder_of_file(const std::string& path) { return path.substr(0, path.rfind('/') + 1); }

// The constants of a file, and of its base where it has one.
class BaseResolver {
 public:
  explicit BaseResolver(std::string* error) : error_(error) {}

  // `folder`: where a base that is a file is looked for. `before`: what an error begins with.
  std::optional<Numbers> numbers_of(const MachineFile& file, const std::string& folder,
                                    const std::string& before = "") {
    if (!check(file, before)) return std::nullopt;
    if (file.base.empty()) return file.numbers;
    const KnownMachine* known = std::ranges::find(kMachines, file.base, &KnownMachine::name);
    const bool is_known = known != std::end(kMachines);
    const std::string where = is_known ? file.base : folder + file.base;
    if (!note(where)) return std::nullopt;
    std::istringstream stream = is_known ? std::istringstream(known->text) : open_file(where);
    if (!stream) {
      fail(before, "has the base '" + file.base + "', which is neither " + Machine::known() +
                       " nor a file that can be read");
      return std::nullopt;
    }
    const std::string of_base = before + "has the base '" + file.base + "', which ";
    std::string wrong;
    const std::optional<MachineFile> base =
        read_machine_file(std::string(std::istreambuf_iterator<char>(stream), {}), &wrong);
    if (!base) fail(of_base, wrong);
    const std::optional<Numbers> numbers =
        base ? numbers_of(*base, is_known ? "" : folder_of_file(where), of_base) : std::nullopt;
    return numbers ? derive(*numbers, file, before) : std::nullopt;
  }

 private:
  bool fail(const std::string& before, const std::string& what) {
    *error_ = before + what;
    return false;
  }

  std::optional<Numbers> derive(const Numbers& base, const MachineFile& file, const std::string& before) {
    std::string wrong;
    std::optional<Numbers> all = derived_constants(base, file.numbers, &wrong);
    if (!all) fail(before, wrong);
    return all && check({file.gpu, "", *all, false}, before) ? all : std::nullopt;
  }

  // Whether the constants are there, all of them if the file has no base, and numbers that can be.
  bool check(const MachineFile& file, const std::string& before) {
    for (const ConstantRow& row : constant_rows()) {
      const auto found = file.numbers.find(row.name);
      if (found == file.numbers.end() && !file.base.empty()) continue;
      if (found == file.numbers.end()) return fail(before, what_is_missing(row, file.numbers));
      if (!row.allows(found->second))
        return fail(before,
                    "has a number for '" + std::string(row.name) + "' (" + row.text() + ") that cannot be");
    }
    return true;
  }

  // Remembers a base. False, and an error, if it was one before: then the files lead in a circle.
  bool note(const std::string& where) {
    const bool is_circle = std::ranges::find(bases_, where) != bases_.end();
    bases_.push_back(where);
    if (!is_circle) return true;
    std::string way;
    for (const std::string& each : bases_) way += (way.empty() ? "" : " -> ") + each;
    return fail("", "has a base that leads back to itself: " + way);
  }

  std::string* error_;
  std::vector<std::string> bases_;  // by name or path
};

Errors every_class(double error) {
  Errors errors;
  errors.fill(error);
  return errors;
}

}  // namespace

std::optional<Machine> Machine::parse(std::string_view text, std::string* error, const std::string& folder) {
  const std::optional<MachineFile> file = read_machine_file(text, error);
  if (!file) return std::nullopt;
  const std::optional<Numbers> numbers = BaseResolver(error).numbers_of(*file, folder);
  if (!numbers) return std::nullopt;
  Machine machine;
  machine.name_ = file->gpu;
  if (!file->is_measured) machine.base_ = file->base;
  for (const ConstantRow& row : constant_rows()) row.set(machine, numbers->find(row.name)->second);
  machine.derive();
  return machine;
}

std::optional<Machine> Machine::find(const std::string& name, std::string* error, Kernels kernels) {
  const auto is_known = kernels == Kernels::known;
  for (const KnownMachine& known : kMachines) {
    if (name != known.name) continue;
    std::optional<Machine> machine = parse(known.text, error);
    if (machine) machine->errors_ = is_known ? every_class(known.error_of_known) : known.errors;
    return machine;
  }
  std::istringstream file = open_file(name);
  if (!file) {
    *error = "is neither " + Machine::known() + " nor a file that can be read";
    return std::nullopt;
  }
  const std::string text(std::istreambuf_iterator<char>(file), {});
  std::optional<Machine> machine = parse(text, error, folder_of_file(name));
  if (machine && !machine->base_.empty())
    machine->errors_ = is_known ? every_class(kDerivedErrorOfKnown) : kDerivedErrors;
  return machine;
}

double Machine::error(double nanoseconds) const {
  const auto end = std::ranges::upper_bound(kEndsOfClasses, nanoseconds);
  return errors_[std::size_t(end - std::begin(kEndsOfClasses))];
}

std::string Machine::known() {
  std::string names;
  for (const auto& each : kMachines) names += (names.empty() ? "" : ", ") + std::string(each.name);
  return names;
}

// By how much latencies of memory differ, of their mean. Measured on an H200, of warps that load a line each from pages of their own: a tenth
// waits 350 cycles less than another tenth, which is 4.4 times the scale of a logistic distribution.
constexpr double kSpread = 80 / 657.0;

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
  // The slowest of 32 lines, of a logistic distribution: its scale times 1 + 1/2 + ... + 1/31 longer than one of them. What 32 pages
  // take beyond that they take one after the other.
  constexpr double kSlowest = 4.027, kOthers = kLines - 1;
  derived.l2_spread =
      std::max(0.0, random_chase_4MiB_1_warps_32_lanes_latency - random_chase_4MiB_1_warps_1_lanes_latency) /
      kSlowest;
  derived.dram_spread = kSpread * dram_latency;
  derived.page_turn =
      std::max(0.0, random_chase_1024MiB_1_warps_32_lanes_latency -
                        random_chase_1024MiB_1_warps_1_lanes_latency - kSlowest * derived.dram_spread) /
      kOthers;
  derived.turns = std::max(1.0, 2 / copy / (1 / read + 1 / write));
  // One load of each warp in flight: what 64 warps, or as many as fit, wait longer for it than one does.
  derived.crowd =
      crowd_of({read_1_warps_1_loads_gigabytes_per_second, read_64_warps_1_loads_gigabytes_per_second, read,
                warps_of_full_rate(double(threads_per_multiprocessor)),
                kWarpSize * 4 * double(multiprocessors) / derived.nanoseconds});
  // What writing 128 MiB takes less than an eighth of 1 GiB does.
  constexpr double kBytes = 128 << 20;
  derived.written_late =
      std::clamp(kBytes * (1 - write / write_128MiB_gigabytes_per_second), 0.0, double(l2_bytes));
}

}  // namespace gpusim::timing
// SPDX-License-Identifier: MIT
