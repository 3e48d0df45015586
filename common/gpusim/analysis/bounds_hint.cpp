#include "analysis/bounds_hint.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "analysis/parameters.h"

namespace gpusim {
namespace {

// An access outside an array, counted in its elements.
struct Outside {
  PointerParameter array;
  s64 index, count;   // of the access; elements that there are
  u64 x, y;           // the thread's indices in the grid
  u64 columns, rows;  // threads of the grid
  std::vector<IntegerParameter> integers;

  const IntegerParameter* integer(s64 value) const {
    const auto found = std::ranges::find(integers, value, &IntegerParameter::value);
    return found == integers.end() ? nullptr : &*found;
  }
};

std::string text(s64 number) { return std::to_string(number); }

// "n = 100"
std::string name(const IntegerParameter& p) {
  return (p.name.empty() ? "an argument" : p.name) + " = " + text(p.value);
}

std::string overflow(const Outside& o) {
  const s64 meant = o.index + (s64(1) << 32);
  if (o.index >= 0 || meant < s64(1) << 31 || meant >= o.count) return "";
  return "; the index has outgrown an int: " + text(meant) +
         " does not fit into 32 bits with a sign, so compute it as size_t";
}

std::string bytes_for_elements(const Outside& o, const Allocation& a) {
  const IntegerParameter* const n = o.integer(s64(a.size));
  if (!n || o.array.element_bytes == 1 || o.array.value != a.base || o.index < o.count || o.index >= n->value)
    return "";
  return "; the allocation has " + text(s64(a.size)) + " bytes, and " + name(*n) +
         " counts elements: allocate " + (n->name.empty() ? text(n->value) : n->name) + " * sizeof(" +
         (o.array.type.empty() ? "element" : o.array.type) + ")";
}

std::string pitch_in_elements(const Outside& o, const Allocation& a) {
  const s64 pitch = s64(a.pitch), element = o.array.element_bytes;
  if (pitch == 0 || element == 1 || o.index < pitch || !o.integer(pitch)) return "";
  const s64 row = o.index / pitch, column = o.index % pitch;
  if (row >= s64(a.size) / pitch || column * element >= pitch) return "";
  return "; " + name(*o.integer(pitch)) +
         " counts bytes (cudaMallocPitch), and here it counts elements: go from row to row by "
         "(char*), or divide the pitch by the size of an element";
}

// Each thread takes the element with its own number, and there are more threads.
std::string too_many_threads(const Outside& o) {
  const u64 threads = o.columns * o.rows;
  if (o.rows != 1 || s64(o.x) != o.index || o.index < o.count) return "";
  const std::string launched = "; the launch has " + text(s64(threads)) + " threads, and thread " +
                               text(s64(o.x)) + " takes element " + text(o.index);
  if (const IntegerParameter* const n = o.integer(o.count))
    return launched + ": let only threads below " + name(*n) + " access the array (if (i < " +
           (n->name.empty() ? "n" : n->name) + "))";
  const auto more =
      std::ranges::find_if(o.integers, [&](const IntegerParameter& p) { return p.value > o.index; });
  if (more != o.integers.end())
    return launched + ", which is below " + name(*more) + ": allocate that many elements, or pass " +
           text(o.count);
  return launched + ": let only threads below " + text(o.count) +
         " access the array, or allocate an element for each";
}

// The same with rows: element (y, x) of rows as wide as an argument says.
std::string too_many_rows(const Outside& o) {
  for (const IntegerParameter& width : o.integers) {
    if (width.value <= 1 || o.count % width.value != 0 || s64(o.x) >= width.value) continue;
    const s64 rows = o.count / width.value;
    if (o.index != s64(o.y) * width.value + s64(o.x) || s64(o.y) < rows || o.rows == 1) continue;
    return "; the launch has " + text(s64(o.rows)) + " rows of threads, and " + o.array.name + " has " +
           text(rows) + " rows of " + name(width) + " elements: let only threads of these rows access it";
  }
  return "";
}

}  // namespace

std::string bounds_hint(const LaunchInfo& launch, const Allocation& allocation, u64 address, AccessKind kind,
                        u64 block, u32 thread) {
  const std::optional<PointerParameter> array = parameter_for(launch, allocation, address, kind);
  if (!array || array->element_bytes == 0) return "";
  const s64 at = s64(address - array->value), element = array->element_bytes;
  if (at % element != 0) return "";
  const Dim3 b = position(block, launch.grid), t = position(thread, launch.block);
  if (launch.grid.z * launch.block.z != 1) return "";
  const Outside o = {*array,
                     at / element,
                     s64(allocation.base + allocation.size - array->value) / element,
                     u64(b.x) * launch.block.x + t.x,
                     u64(b.y) * launch.block.y + t.y,
                     u64(launch.grid.x) * launch.block.x,
                     u64(launch.grid.y) * launch.block.y,
                     integer_parameters(launch)};
  for (const std::string& why : {overflow(o), bytes_for_elements(o, allocation),
                                 pitch_in_elements(o, allocation), too_many_threads(o), too_many_rows(o)})
    if (!why.empty()) return why;
  return "";
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
