// The names of a program's arrays, for messages. Kernels' pointer parameters have names already. An array that kernels reach
// in another way, such as a pointer in a struct, has none. With a name it is "flags[3]" instead of "4 bytes at offset 12 of an
// allocation of 8192 bytes".
#pragma once

#include <cstddef>
#include <string>

namespace gpusim {

// `array` is what cudaMalloc gave. False if no memory of the GPUs begins there.
bool name_array(const void* array, const std::string& name, std::size_t element_bytes);
template <typename T> bool name_array(const T* array, const std::string& name) {
  return name_array(array, name, sizeof(T));
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
