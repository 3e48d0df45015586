#include "timing/swap_contention.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_set>

namespace gpusim::timing {
namespace {

// Words on which equally many lanes still have to succeed.
struct EqualWords {
  double left = 0, words = 0;
};

// The words of an instruction, by how many lanes swap on each: of the whole grid, of which a part has run.
std::vector<EqualWords> words_of(const Contention& contention, double grid_by_run) {
  std::map<u64, u64> words;
  u64 known = 0;
  for (const auto& [address, count] : contention.first_on) ++words[count], known += count;
  // Only so many addresses are counted: the others are taken to be like them.
  const double more = double(contention.first) / double(std::max<u64>(known, 1));
  std::vector<EqualWords> result;
  for (const auto& [count, number] : words)
    result.push_back({double(count) * grid_by_run, double(number) * more});
  return result;
}

struct AttemptTime {
  double alone = 0;     // ns from one attempt of a lane to its next
  double together = 0;  // ns for each attempt while all multiprocessors make them
  double one_word = 0;  // ns for each attempt on the same word
  double lanes = 1;     // that are on the GPU at a time
};

// Rounds of attempts. In each, one lane succeeds on every word that any lane tries, and the others have to try again.
double rounds_nanoseconds(std::vector<EqualWords> words, const AttemptTime& time) {
  constexpr double kMostRounds = 1 << 14;
  double longest = 0;
  for (const EqualWords& each : words) longest = std::max(longest, each.left);
  const double at_once = std::max(1.0, longest / kMostRounds);  // rounds that are taken to be alike
  double nanoseconds = 0;
  for (;;) {
    double lanes = 0, most = 0;
    for (const EqualWords& each : words) {
      lanes += each.left * each.words;
      most = std::max(most, each.left);
    }
    if (most < 0.5) return nanoseconds;
    const double running = std::min(1.0, time.lanes / lanes);  // the part of them that is on the GPU
    nanoseconds +=
        at_once * std::max({time.alone, lanes * running * time.together, most * running * time.one_word});
    for (EqualWords& each : words)
      each.left = std::max(0.0, each.left - at_once * std::min(1.0, each.left * running));
  }
}

// A loop that goes on to another word when it fails, as one that fills a hash table, waits for nobody.
bool stays_at_its_word(const Program& program, const ProgramCosts& costs, u32 swap, u32 begin, u32 end) {
  for (u32 pc = begin; pc < end; ++pc)
    if (!costs.writes.of(pc).empty() && program.code[pc].d[0] == program.code[swap].s[0]) return false;
  return true;
}

}  // namespace

bool swaps_until_it_succeeds(const Program& program, const ProgramCosts& costs, u32 pc) {
  if (program.code[pc].op != Op::atom_cas) return false;
  const Function* function = program.function_at(pc);
  std::unordered_set<RegisterNumber> answers;  // what depends on what it answers
  for (const RegisterNumber r : costs.writes.of(pc)) answers.insert(r);
  for (u32 next = pc + 1; next < function->end; ++next) {
    const Instruction& in = program.code[next];
    const auto read = costs.reads.of(next);
    const bool depends =
        std::any_of(read.begin(), read.end(), [&](RegisterNumber r) { return answers.contains(r); });
    if (depends && in.shape == Shape::branch && in.target <= pc)
      return stays_at_its_word(program, costs, pc, in.target, next);
    for (const RegisterNumber r : costs.writes.of(next)) {
      if (depends) answers.insert(r);
      else answers.erase(r);
    }
  }
  return false;
}

double swapping_nanoseconds(const Machine& machine, const LaunchRecord& record) {
  const double grid_by_run = double(record.launch.grid.count()) / double(std::max<u64>(record.blocks_run, 1));
  double longest = 0;
  for (const auto& [pc, contention] : record.contended) {
    if (!swaps_until_it_succeeds(*record.launch.program, *record.costs, pc)) continue;
    const double lines = double(contention.operations) / double(std::max<u64>(contention.most_on_line, 1));
    AttemptTime time;
    time.alone = machine.global_atomic_latency * machine.derived.nanoseconds;
    time.together = std::max(machine.global_atomic_int.own_words, machine.global_atomic_int.random(lines));
    time.one_word = machine.global_atomic_int.one_word;
    time.lanes = double(record.launch.block.count()) * double(record.occupancy.blocks) *
                 double(machine.multiprocessors);
    longest = std::max(longest, rounds_nanoseconds(words_of(contention, grid_by_run), time));
  }
  return longest;
}

}  // namespace gpusim::timing
// SPDX-License-Identifier: MIT
