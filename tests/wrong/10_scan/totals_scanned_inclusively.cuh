// rejected: wrong result
// Then before[b] contains section b itself, whose elements count twice.
#pragma once

#include "../../../solutions/10_scan/kernels.cuh"

template <>
inline void scan_hierarchical<int, Scan::inclusive>(const int* d_in, int* d_out, int* d_totals, int n) {
  const int sections = sections_of(n);
  if (sections == 0) return;
  scan_brent_kung<int, kSection, Scan::inclusive><<<sections, kSection / 2>>>(d_in, d_out, d_totals, n);
  if (sections == 1) return;
  scan_hierarchical<int, Scan::inclusive>(d_totals, d_totals, d_totals + sections, sections);
  add_before<<<sections, kSection / 2>>>(d_out, d_totals, n);
}
