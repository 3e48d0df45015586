// Chooses the lane loops for this processor. Compiled for two libraries: one has all loops, the other, whose programs run where they
// are built, only those of this machine's processor (meson.build).
#include <atomic>
#include <cstdio>
#include <cstdlib>

#include "lanes/lane_addresses.h"
#include "lanes/lane_ops.h"
#include "lanes/shared_rows.h"

namespace gpusim {

namespace {

std::atomic<LaneLoops> lane_loops{LaneLoops::best};

#ifdef GPUSIM_HAVE_AVX2
bool has_avx2() {
  static const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  return avx2;
}
#endif

}  // namespace

void use_lane_loops(LaneLoops loops) { lane_loops = loops; }

#ifdef GPUSIM_ONLY_AVX2

bool has_better_loops() {
  if (has_avx2()) return true;
  std::fprintf(
      stderr,
      "gpusim: this program was built on a machine whose processor has AVX2 and FMA, and this one's has not; "
      "build it here: sh common/bootstrap.sh && ninja -C build steps\n");
  std::exit(EXIT_FAILURE);
}
bool uses_better_loops() { return has_better_loops(); }

#else

bool has_better_loops() {
#ifdef GPUSIM_HAVE_AVX2
  return has_avx2();
#else
  return false;
#endif
}
bool uses_better_loops() { return has_better_loops() && lane_loops == LaneLoops::best; }

#endif

// The value of `name` among the loops that are used.
#if defined(GPUSIM_ONLY_AVX2)
#define CHOSEN(name) (uses_better_loops(), lane_ops_avx2::name)
#elif defined(GPUSIM_HAVE_AVX2)
#define CHOSEN(name) (uses_better_loops() ? lane_ops_avx2::name : lane_ops_base::name)
#else
#define CHOSEN(name) (lane_ops_base::name)
#endif

LaneFunction bind_lanes(const Instruction& in) { return CHOSEN(bind)(in); }
RowMover bind_row(const Instruction& in) { return CHOSEN(bind_row)(in); }
const SharedRows& shared_rows() { return CHOSEN(kSharedRows); }
AddressFunction lane_addresses() { return CHOSEN(addresses); }
RowFunction find_row() { return CHOSEN(row); }

}  // namespace gpusim
// SPDX-License-Identifier: MIT
