// The levels one after another, up and down, without recursion.
#pragma once

#include "../../../solutions/10_scan/kernels.cuh"

template <>
inline void scan_hierarchical<int, Scan::inclusive>(const int* d_in, int* d_out, int* d_totals, int n) {
  int* array[8] = {d_out, d_totals};
  int length[8] = {n}, levels = 0;
  if (n == 0) return;
  for (;; ++levels) {
    length[levels + 1] = sections_of(length[levels]);
    array[levels + 2] = array[levels + 1] + length[levels + 1];
    if (levels == 0)
      scan_brent_kung<int, kSection, Scan::inclusive><<<length[1], kSection / 2>>>(d_in, d_out, array[1], n);
    else
      scan_brent_kung<int, kSection, Scan::exclusive>
          <<<length[levels + 1], kSection / 2>>>(array[levels], array[levels], array[levels + 1],
                                                 length[levels]);
    if (length[levels + 1] == 1) break;
  }
  for (; levels > 0; --levels)
    add_before<<<length[levels], kSection / 2>>>(array[levels - 1], array[levels], length[levels - 1]);
}
// SPDX-License-Identifier: MIT
