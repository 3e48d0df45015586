// Checks of the parts of chapter 10's hierarchical scan by themselves: kernels that scan each section, many blocks of
// sections of several lengths, with the totals that they leave behind; and the one that adds what comes before.
#pragma once

#include <string>

#include "harness/scan_reference.h"
#include "scan_checks.h"

namespace judge {

// A kernel that scans each section of `length` elements by itself, a block a section, and stores what each adds up to
// in totals, unless it has none.
struct SectionScan {
  const char* name;
  int length;
  harness::ScanKind kind;
  bool has_totals;
  void (*launch)(int* d_in, int* d_out, int* d_totals, int n, int blocks);
};

// Several sections, of which the last may lack elements. In place, and not.
void check_sections(const SectionScan& scan);

// Chosen sections near the ends of arrays that are too large to fill.
void check_large_sections(const SectionScan& scan);

// add_before() in as many blocks as n elements have sections of `length`.
struct AddBefore {
  int length;
  void (*launch)(int* d_out, const int* d_before, int n, int blocks);
};

// False if it is as shipped: nothing is added.
bool check_add_before(const AddBefore& add, const std::string& how = "");

// Chosen sections of an array that is too large to fill.
void check_large_add_before(const AddBefore& add);

// scan_hierarchical(): sections of `length` elements, then their totals, which are an array again, until one is left.
struct Hierarchy {
  int length;
  int (*totals_of)(int n);  // of all levels
  void (*launch)(const int* d_in, int* d_out, int* d_totals, int n);
};

// The scan of n elements as check_long_scan() has it, or, where the launches are those of a hierarchy, as the blocks of
// chosen sections make it of an array that is 0 elsewhere: a hundredth of the work.
void check_long_scan(const ScanKernel& kernel, const Hierarchy& hierarchy, int n);

}  // namespace judge
// SPDX-License-Identifier: MIT
