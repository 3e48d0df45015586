// The host's BLAS library, with the names and conventions of Fortran: every argument is a pointer.
#pragma once

#include <type_traits>

#include "cuComplex.h"

namespace gpusim::libraries {

// The function of this name ("sgemm_"). If there is no library, prints once, in one line, what is missing and
// returns null.
void* blas_function(const char* name);

template <class T> inline constexpr bool kIsComplex =
    std::is_same_v<T, cuComplex> || std::is_same_v<T, cuDoubleComplex>;
template <class T> inline constexpr char kLetter = std::is_same_v<T, float>       ? 's'
                                                   : std::is_same_v<T, double>    ? 'd'
                                                   : std::is_same_v<T, cuComplex> ? 'c'
                                                                                  : 'z';

}  // namespace gpusim::libraries
// SPDX-License-Identifier: MIT
