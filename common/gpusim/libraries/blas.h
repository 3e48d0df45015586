// The BLAS library of the host, by the names that Fortran gives its functions: every argument is a pointer.
#pragma once

#include <type_traits>

#include "cuComplex.h"

namespace gpusim::libraries {

// The function of that name ("sgemm_"), or null after saying once, in one line, what is missing.
void* blas_function(const char* name);

template <class T> inline constexpr bool kIsComplex =
    std::is_same_v<T, cuComplex> || std::is_same_v<T, cuDoubleComplex>;
template <class T> inline constexpr char kLetter = std::is_same_v<T, float>       ? 's'
                                                   : std::is_same_v<T, double>    ? 'd'
                                                   : std::is_same_v<T, cuComplex> ? 'c'
                                                                                  : 'z';

}  // namespace gpusim::libraries
