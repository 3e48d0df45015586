// What the simulated GPU counted, for programs and tests: one Report per launch, by kernel and by source line.
//
//   gpusim::clear_reports();
//   sum_tile<<<grid, block>>>(in, sums, n);
//   const gpusim::Report& r = gpusim::last_report();
//   r.shared.bank_conflicts() == 0
//
// Definitions are ncu's; each member names the ncu metric that it equals (book page "reading the counters").
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gpusim {

// Requests of one kind (loads, or stores) to global or local memory.
struct SectorTraffic {
  std::uint64_t requests =
      0;  // warp accesses             l1tex__t_requests_pipe_lsu_mem_global_op_{ld,st}.sum
  std::uint64_t sectors =
      0;  // distinct 32-byte sectors   l1tex__t_sectors_pipe_lsu_mem_global_op_{ld,st}.sum
  std::uint64_t ideal_sectors = 0;  // fewest sectors that could carry the same distinct bytes
  std::uint64_t bytes = 0;          // asked for by lanes
  double sectors_per_request() const { return requests ? double(sectors) / double(requests) : 0.0; }
};

// Requests of one kind to shared memory.
struct BankTraffic {
  std::uint64_t requests = 0;  // warp accesses
  std::uint64_t wavefronts =
      0;  // passes over the 32 banks   l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{ld,st}.sum
  std::uint64_t ideal_wavefronts = 0;
  std::uint64_t bank_conflicts() const { return wavefronts - ideal_wavefronts; }
};

struct GlobalCounters {
  SectorTraffic load, store;
  std::uint64_t atomics = 0;            // warp-level atomic or reduction requests
  std::uint64_t atomic_lanes = 0;       // lanes in them
  std::uint64_t atomic_serialised = 0;  // sum over requests of the largest number of lanes on one address
  std::uint64_t load_waits = 0;         // instructions at which a warp first needs a load that is in flight
  std::uint64_t loads_awaited = 0;      // loads in flight at each of these, summed
  double sectors_per_request() const {  // of loads and stores
    const std::uint64_t requests = load.requests + store.requests;
    return requests ? double(load.sectors + store.sectors) / double(requests) : 0.0;
  }
  // In the mean over the waits: a warp that loads 8 values and then adds them waits once, for 8. 0 without a wait.
  double loads_in_flight() const { return load_waits ? double(loads_awaited) / double(load_waits) : 0.0; }
};

struct SharedCounters {
  BankTraffic load, store;
  std::uint64_t atomics = 0, atomic_lanes = 0, atomic_serialised = 0;
  std::uint64_t bank_conflicts() const { return load.bank_conflicts() + store.bank_conflicts(); }
};

struct LocalCounters {
  SectorTraffic load, store;  // spills and dynamically indexed arrays
};

struct Counters {
  std::uint64_t warp_instructions = 0;    // issued with at least one lane on      smsp__inst_executed.sum
  std::uint64_t thread_instructions = 0;  // lanes on, summed
  std::uint64_t branches = 0;             // conditional branches executed by warps
  std::uint64_t divergent_branches = 0;   // those on which the active lanes disagreed
  std::uint64_t barriers = 0;             // __syncthreads and its kin, counted per warp
  std::uint64_t warp_syncs = 0;           // __syncwarp
  std::uint64_t shuffles = 0;
  std::uint64_t votes = 0;  // vote, match, redux, activemask
  GlobalCounters global;
  SharedCounters shared;
  LocalCounters local;

  // Mean lanes on per warp instruction, 0…32.
  double active_lanes() const {
    return warp_instructions ? double(thread_instructions) / double(warp_instructions) : 0.0;
  }
  Counters& operator+=(const Counters&);
};

// What went from one GPU to another. Kernels: the requests of warps to the other's memory, and what their lanes asked
// for; loads bring it from there, stores and atomics send it there. A copy is one request.
struct LinkTraffic {
  unsigned from = 0, to = 0;
  std::uint64_t requests = 0, bytes = 0;
};

struct LineReport {
  std::string file;  // as the compiler wrote it
  int line = 0;      // 1-based; 0 when the compiler gave none
  Counters counters;
  double time_share = 0;  // of the predicted time of all warps, 0 … 1
};

// A cost that a launch could do without, and by how much shorter it would then be.
struct Saving {
  std::string cost;  // "bank conflicts"
  double nanoseconds = 0;
};

// What a launch would take on a GPU: computed from a model of that GPU (gpusim/timing), not measured.
struct Prediction {
  std::string machine;                   // "NVIDIA H200"; empty: nothing is predicted
  double nanoseconds = 0;                // between two events around the launch, with cold caches
  double launch_nanoseconds = 0;         // of these, what an empty kernel takes
  double next_nanoseconds = 0;           // the same of an empty kernel that follows another at once
  double copy_gigabytes_per_second = 0;  // what a copy of 1 GiB reads and writes on that GPU
  double error = 0;         // of it, a part: nine in ten of known truth are no further off; 0: unknown
  double memory_bytes = 0;  // that the GPU's memory reads and writes
  unsigned blocks_per_multiprocessor = 0, registers = 0;  // of a thread, as ptxas would allot them
  std::string limit;       // what keeps more blocks away: "threads", "registers", "shared memory", "blocks"
  std::string bottleneck;  // a sentence
  // The costs without which it would be at least 5 % shorter, largest first. Each is left out on its own, so they do not add up.
  std::vector<Saving> savings;
  bool is_at_limit = false;  // no such cost, and something works nearly all the time
  std::vector<std::string> not_modelled;
  // The GPU from whose model that of `machine` is derived, "h100"; empty: the model was measured. The times of
  // a derived model have not been compared with measured ones, so `error` is that of H200 and H100, each derived from the other.
  std::string derived_from;
};

struct Report {
  std::string kernel;  // sum_tile, scan<256>
  unsigned grid[3] = {1, 1, 1};
  unsigned block[3] = {1, 1, 1};
  unsigned shared_bytes = 0;      // static and dynamic, per block
  unsigned local_bytes = 0;       // per thread
  unsigned long long launch = 0;  // 1, 2, 3 … in this process
  bool completed = false;         // false: a fault stopped it
  std::string compiler;           // that made the kernel's PTX, "clang 14"; empty: not known
  Counters total;
  std::vector<LineReport> lines;   // by file, then line
  bool is_one_of_several = false;  // of which `gpu` is one
  unsigned gpu = 0;
  std::vector<LinkTraffic> links;  // to and from its neighbours
  Prediction prediction;

  std::uint64_t blocks() const { return std::uint64_t(grid[0]) * grid[1] * grid[2]; }
  // Counters of one source line, wherever its file lies; zeros if no instruction came from it.
  Counters at_line(int line) const;
};

// Counting is off until a program asks for it (GPUSIM_REPORT=1 asks too): then every launch is kept.
void enable_reports(bool on = true);
// Predicting is off until a program asks for it, too: reports that are kept then say how long the launch would take on
// the GPU that GPUSIM_MACHINE names (h200 if it names none).
void enable_predictions(bool on = true);
// From now on the simulated GPU answers as the one whose times are predicted: cudaGetDeviceProperties, device attributes,
// occupancy. So it does from the start where GPUSIM_MACHINE names one.
void answer_for_machine();
// Launches since the last clear_reports(), in order. To be read while no other host thread launches, as last_report(),
// last_fault() and what check.h and trace.h hand out.
const std::vector<Report>& reports();
// The newest one; an empty Report before the first launch.
const Report& last_report();
void clear_reports();
// How many launches of GPU 0 were left out since the program began, because an earlier one had shown what they give (set_replay
// in schedule.h). Counters and predicted times of these are kept as of every launch.
unsigned long long replayed_launches();

// From GPU to GPU, by all launches and copies since the last clear_reports(), while reports were on.
std::vector<LinkTraffic> link_traffic();
std::string to_text(const std::vector<LinkTraffic>&);
std::string to_json(const std::vector<LinkTraffic>&);

// What the last kernel that went wrong did, in one line that begins with its source line: "kernels.cuh:23:30: out of
// bounds: …"; or why the last launch that was refused asked too much of its kernel. Empty if there is neither.
const std::string& last_fault();
// The same with the source lines below it, as it is printed.
const std::string& last_fault_quoted();
// A fault is also printed on stderr, once, with its source line. A program that tells its user of last_fault() turns that off.
void print_faults(bool on);

// Counters as text for people (per kernel, then the lines that cost most) and as JSON for programs.
std::string to_text(const Report&);
std::string to_json(const Report&);

// The kernel's source with the counters of each line beside it, from the first line that ran to the last. With
// colour (ANSI escapes): bold executions are a tenth of all or more; lanes are yellow below 32 and red below 16;
// sectors per request yellow above the ideal and red from twice that; bank conflicts red.
std::string to_profile(const Report&, bool colour);

}  // namespace gpusim
// SPDX-License-Identifier: MIT
