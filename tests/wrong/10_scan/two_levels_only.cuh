// rejected: wrong result
// The totals are scanned section by section, and that is all: right up to 2048 sections of 2048 elements. Of
// the next element on, the totals start again at 0.
#pragma once

#include "../../../solutions/10_scan/kernels.cuh"

// ANCHOR: kernel
template <>
inline void scan_hierarchical<int, Scan::inclusive>(const int* d_in, int* d_out, int* d_totals, int n) {
  const int sections = sections_of(n), sections_of_totals = sections_of(sections);
  if (sections == 0) return;
  scan_brent_kung<int, kSection, Scan::inclusive><<<sections, kSection / 2>>>(d_in, d_out, d_totals, n);
  if (sections == 1) return;
  scan_brent_kung<int, kSection, Scan::exclusive>
      <<<sections_of_totals, kSection / 2>>>(d_totals, d_totals, d_totals + sections, sections);
  add_before<<<sections, kSection / 2>>>(d_out, d_totals, n);
}
// ANCHOR_END: kernel
// SPDX-License-Identifier: MIT
