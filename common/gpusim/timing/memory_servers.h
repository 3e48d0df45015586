// Caches and memory as one multiprocessor meets them: servers, each with a throughput (sectors per cycle) and a latency.
#pragma once

#include <array>
#include <vector>

#include "timing/multiprocessor.h"

namespace gpusim::timing {

class MemoryServers {
 public:
  // `per_nanosecond`: cycles of this multiprocessor for a nanosecond of what all share. `busy`: the cycles in which each server is
  // busy are added there. It and the scenario must outlive the object.
  MemoryServers(const Machine&, const LaunchRecord&, double per_nanosecond, const Scenario&,
                std::array<double, kServers>& busy);

  // When the queues have room for another access.
  double room_at(const Instruction&, const Step&) const;
  // Makes an access that begins at `start`, `line` being the first that it touches. Returns when its result is there, and sets `why` to what its warp waits for until then.
  double access(const Instruction&, const Step&, u64 line, double start, double now, Wait& why);
  // Passes through shared memory alone. Returns when they are over.
  double pass_shared(double start, u32 passes);
  // When all that was asked for has been done.
  double free_at() const;

 private:
  struct MemoryCost {
    double read = 0, write = 0, far = 0;
  };

  void setup_mix();
  void setup_memory_costs();
  bool leaves_out(Cost cost) const { return scenario_.left_out == cost; }
  Step as_in_scenario(const Step&) const;
  double serve(double& free, Server, double from, double cost);
  double constant_access(const Step&, double start, Wait& why);
  double shared_access(const Instruction&, const Step&, double start);
  double one_word_store(const Step&) const;
  double global_atomic(const Instruction&, const Step&, double start);
  double global_access(const Instruction&, const Step&, u64 line, double start, double now);
  double crowd(double now) const;

  const Machine& m_;
  const LaunchRecord& record_;
  const ProgramCosts& costs_;
  const double per_nanosecond_;
  const Scenario& scenario_;
  std::array<double, kServers>& busy_;
  double shared_pass_, l2_sector_, l2_line_, l2_store_sector_, l2_store_line_, dram_read_, dram_write_;
  std::vector<MemoryCost> memory_costs_;  // by pc
  double constant_free_ = 0, l1_free_ = 0, port_free_ = 0, l2_free_ = 0, dram_free_ = 0, atomics_free_ = 0,
         one_word_free_ = 0;
};

}  // namespace gpusim::timing
// SPDX-License-Identifier: MIT
