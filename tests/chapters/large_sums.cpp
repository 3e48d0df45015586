// Sums near the end of arrays of 2^30 elements, of which only what chosen blocks need is ever touched.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <numeric>
#include <set>
#include <string>

#include "harness/inputs.h"
#include "harness/reference.h"
#include "large_grids.h"
#include "sum_checks.h"

namespace judge {
namespace {

using harness::DeviceBuffer;
using harness::Guards;

// Elements that a sum covers, as far as one block has them.
struct Piece {
  Stretch elements;
  std::size_t sum;
};

struct Launch {
  std::string name;
  std::size_t n, blocks, sums;
  std::size_t per_block;  // elements
  std::function<void(float* d_in, float* d_sums)> start;
  std::function<std::vector<Piece>(std::size_t b)> pieces;
  std::function<std::vector<Stretch>(std::size_t sum)> stretches_of;
};

// Kernels whose blocks draw their tiles from a counter: by name.
std::set<std::string>& that_draw_tiles() {
  static std::set<std::string> names;
  return names;
}

float untouched() {
  float poison;
  std::memset(&poison, 0xff, sizeof poison);
  return poison;
}

std::set<std::size_t> written(const std::vector<float>& sums) {
  const float poison = untouched();
  std::set<std::size_t> all;
  for (std::size_t b = 0; b < sums.size(); ++b)
    if (std::memcmp(&sums[b], &poison, sizeof poison) != 0) all.insert(b);
  return all;
}

// Blocks may take tiles in an order of their own. Then it is seen which sums the chosen ones have written, their stretches
// get elements, and the same blocks run again. False if these do not write the same sums again: they draw tiles
// from a counter, and a few blocks of many leave it anywhere.
bool check_written(const Launch& launch, const std::set<std::size_t>& theirs, float* d_in,
                   DeviceBuffer<float>& d_sums) {
  std::map<std::size_t, double> expected;
  for (const std::size_t sum : theirs)
    for (const Stretch& s : launch.stretches_of(sum)) {
      const std::vector<float> values = harness::small_integers(s.end - s.first, s.first + 1);
      copy_in(d_in + s.first, values);
      expected[sum] += std::accumulate(values.begin(), values.end(), 0.0);
    }
  d_sums.fill_poison();
  launch.start(d_in, d_sums.data());
  check_launch(launch.name);
  const std::vector<float> sums = d_sums.download();
  if (written(sums) != theirs) return false;
  for (const std::size_t sum : theirs)
    if (sums[sum] != expected[sum])
      report(Kind::wrong_result,
             launch.name + ": sum " + std::to_string(sum) + " of " + std::to_string(sums.size()) + ": " +
                 harness::verify_sum(sums[sum], {expected[sum], expected[sum]}, harness::kExact).message +
                 "; with fewer elements it was right. Does an index, or its bytes, outgrow their type?");
  return true;
}

// Returns whether it could be judged.
bool check(const Launch& launch) {
  const std::vector<std::uint64_t> chosen = blocks_to_run(launch.blocks, launch.per_block);
  const OnlyBlocks only(chosen);
  if (!only) return true;

  // 0 everywhere, but for the elements of chosen blocks: whole numbers, so sums are exact.
  DeviceBuffer<float> d_in(launch.n, Guards::none), d_sums(launch.sums, Guards::none);
  d_in.fill_zero();
  d_sums.fill_poison();
  std::map<std::size_t, double> expected;  // by sum
  std::size_t most_of_block = 0;           // sums
  for (const std::uint64_t b : chosen) {
    std::set<std::size_t> of_block;
    for (const auto& [elements, sum] : launch.pieces(b)) {
      of_block.insert(sum);
      const std::vector<float> values =
          harness::small_integers(elements.end - elements.first, elements.first + 1);
      copy_in(d_in.data() + elements.first, values);
      expected[sum] += std::accumulate(values.begin(), values.end(), 0.0);
    }
    most_of_block = std::max(most_of_block, of_block.size());
  }
  launch.start(d_in.data(), d_sums.data());
  check_launch(launch.name);

  const std::vector<float> sums = d_sums.download();
  const float poison = untouched();
  const std::set<std::size_t> theirs = written(sums);
  const bool in_an_order_of_their_own =  // as many sums, but of other blocks; the last block may have fewer
      theirs.size() + most_of_block > expected.size() &&
      std::ranges::any_of(theirs, [&](std::size_t sum) { return !expected.contains(sum); });
  if (in_an_order_of_their_own) return check_written(launch, theirs, d_in.data(), d_sums);
  auto next = expected.begin();
  for (std::size_t b = 0; b < sums.size(); ++b) {
    const bool has_sum = next != expected.end() && next->first == b;
    const auto of = has_sum ? next++ : next;
    if (has_sum ? sums[b] == of->second : std::memcmp(&sums[b], &poison, sizeof poison) == 0) continue;
    const std::string sum = launch.name + ": sum " + std::to_string(b) + " of " + std::to_string(sums.size());
    // Nobody can run so many blocks: those run whose sums are looked at.
    constexpr const char* kOwn =
        "of so many blocks a few run, and each is to sum its own stretch: let block b write sum b";
    if (!has_sum)
      report(Kind::wrong_result, sum + " is written by a block that is not its own (" + kOwn + ")");
    const bool is_unwritten = std::memcmp(&sums[b], &poison, sizeof poison) == 0;
    report(Kind::wrong_result,
           sum + ": " + harness::verify_sum(sums[b], {of->second, of->second}, harness::kExact).message +
               "; with fewer elements it was right. Does an index, or its bytes, outgrow their type?" +
               (is_unwritten ? std::string(" Or does its block not write it? (") + kOwn + ")" : ""));
  }
  return true;
}

void tell_draws(const std::string& kernel) {
  std::printf(
      "  %s is not judged on arrays near 2^30: its blocks draw tiles from a counter, and nobody can run so many\n",
      kernel.c_str());
  that_draw_tiles().insert(kernel);
  reload_kernels();  // what the counter should have been in the end
}

// Whether, among few blocks, each sums what its stretches say.
bool divides_as_said(const GridSums& kernel) {
  const int n = kernel.few;
  constexpr int blocks = 10;
  const std::vector<float> input = harness::small_integers(n, 1);
  DeviceBuffer<float> d_in(input), d_sums(blocks);
  d_sums.fill_poison();
  kernel.launch(d_in.data(), d_sums.data(), n, blocks);
  check_launch(kernel.name);
  const std::vector<float> sums = d_sums.download();
  for (std::size_t b = 0; b < blocks; ++b) {
    double sum = 0;
    for (const Stretch& s : kernel.stretches(b, blocks, n))
      sum += std::accumulate(input.begin() + s.first, input.begin() + s.end, 0.0);
    if (sums[b] != sum) return false;
  }
  return true;
}

}  // namespace

void check_large_indices(const SumKernel& kernel, int per_block, int arrays) {
  if (is_as_shipped(kernel.name)) return leave_out(kernel.name);
  const std::size_t most = arrays == 1 ? kMost : kTwoFit, each = per_block;
  for (const std::size_t n : {most, most - each / 2 - 7}) {
    const int items = static_cast<int>(n);
    const auto pieces = [&](std::size_t b) {
      std::vector<Piece> all;
      const std::size_t end = std::min(n, (b + 1) * each),
                        step = kernel.per_sum == SumKernel::kAll ? n : kernel.per_sum;
      for (std::size_t first = b * each; first < end; first += step)
        all.push_back({{first, std::min(end, first + step)}, first / step});
      return all;
    };
    const auto stretches_of = [&](std::size_t sum) {
      const std::size_t step = kernel.per_sum == SumKernel::kAll ? n : kernel.per_sum;
      return std::vector<Stretch>{{sum * step, std::min(n, (sum + 1) * step)}};
    };
    if (!check({kernel.name + std::string(", n = ") + std::to_string(n), n, (n - 1) / each + 1,
                static_cast<std::size_t>(kernel.count_of(items)), each,
                [&](float* d_in, float* d_sums) { kernel.launch(d_in, d_sums, items); }, pieces,
                stretches_of}))
      return tell_draws(kernel.name);
  }
}

void check_large_grid(const GridSums& kernel, std::size_t n, std::size_t blocks) {
  if (is_open(kernel.name)) return leave_out(kernel.name);  // it might take for ever
  const bool as_said = divides_as_said(kernel);
  const auto pieces = [&](std::size_t b) {
    std::vector<Piece> all = {{{0, 0}, b}};  // it has a sum, if only 0
    if (as_said)
      for (const Stretch& s : kernel.stretches(b, blocks, n)) all.push_back({s, b});
    return all;
  };
  const auto stretches_of = [&](std::size_t b) {
    return as_said ? kernel.stretches(b, blocks, n) : std::vector<Stretch>{};
  };
  if (!check({kernel.name + ", n = " + std::to_string(n) + ", " + std::to_string(blocks) + " blocks", n,
              blocks, blocks, std::max<std::size_t>(1, n / blocks),
              [&](float* d_in, float* d_sums) {
                kernel.launch(d_in, d_sums, static_cast<int>(n), static_cast<int>(blocks));
              },
              pieces, stretches_of}))
    tell_draws(kernel.name);
}

bool draws_tiles(const std::string& kernel) { return that_draw_tiles().contains(kernel); }

}  // namespace judge
// SPDX-License-Identifier: MIT
