// A machine model: the throughputs and latencies of a GPU. It is data, which calibrate/ prints when it runs on that GPU,
// or which somebody derived from another GPU's (machine_file.h).
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "timing/constants.h"

namespace gpusim::timing {

// Its constants are members, so a constant that does not exist does not compile. constants.def explains each.
class Machine : public MachineConstants {
 public:
  // The text of a machine_file.h, whose base is looked for among those that come along and in a folder ("", or a path
  // that ends with '/'). Null after an error, which is then told: what is wrong, or which constant is not there.
  static std::optional<Machine> parse(std::string_view json, std::string* error,
                                      const std::string& folder = "");
  // Whose launches are predicted. The error of predictions is known for kernels whose times were known when the
  // rules of the model were chosen (accuracy.json), and for others, which were predicted before anybody had
  // measured them (unseen/).
  enum class Kernels { known, others };
  // One that comes along ("h200"), or a file's path.
  static std::optional<Machine> find(const std::string& name, std::string* error, Kernels = Kernels::others);
  // The name that is looked up where nobody asks for another.
  static constexpr const char* kDefault = "h200";
  static std::string known();  // "a100, b200, h100, …"

  const std::string& name() const { return name_; }  // "NVIDIA H200"
  // The GPU whose model this one is derived from, "h100"; empty: this one was measured.
  const std::string& base() const { return base_; }
  // Nine in ten predictions of about this time were off by at most this fraction of the time measured on this GPU; 0 if none has
  // been compared.
  double error(double nanoseconds) const;

  // What is worked out from the constants, once.
  struct {
    double schedulers = 4, warps = 64;
    double nanoseconds = 0;  // of a cycle
    double launch = 0,
           next_launch = 0;  // ns between two events around an empty kernel; for each one that follows
    double l1_request = 0, l1_pass = 0;  // cycles of a multiprocessor for a load: at least; for each pass
    double sm_sector = 0, sm_line = 0;   // the same for what the L2 cache serves to one multiprocessor
    double sm_store_sector = 0, sm_store_line = 0;
    double l2_sector = 0,
           l2_line = 0;  // ns of the whole L2 cache for a sector, for a line of which little is asked
    double l2_store_sector = 0, l2_store_line = 0;
    double dram_read = 0, dram_write = 0;  // ns for a sector
    // ns for a sector in a page where nothing else is asked; for one written, in part
    double far_read = 0, far_write = 0, part_write = 0;
    // Cycles by which latencies differ from line to line (memory_servers.cpp).
    double l2_spread = 0, dram_spread = 0;
    double page_turn = 0;  // cycles for each further page of the memory that an access needs
    double copy = 0;       // GB/s that a copy reads and writes
    double crowd = 0;      // cycles that memory answers later, times u / (1 - u) where u of its time is taken
    double turns = 1;      // how much longer memory takes for as much of both than for each alone
    double written_late = 0;  // bytes that are still in the L2 cache when a kernel that writes ends
  } derived;

 private:
  void derive();

  std::string name_, base_;
  std::array<double, 3> errors_{};  // by class of duration
};

}  // namespace gpusim::timing
// SPDX-License-Identifier: MIT
