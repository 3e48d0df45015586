#include "libraries/blas.h"

#include <dlfcn.h>

#include "runtime/errors.h"

namespace gpusim::libraries {

// Loaded when a program first needs it, so programs without cuBLAS run without the library.
void* blas_function(const char* name) {
  static void* const library = [] {
    for (const char* file : {"libopenblas.so.0", "libblas.so.3", "libopenblas.so", "libblas.so"})
      if (void* found = dlopen(file, RTLD_NOW | RTLD_LOCAL)) return found;
    runtime::tell(
        "cuBLAS is computed by a BLAS library, and none is installed: apt-get install libopenblas0");
    return static_cast<void*>(nullptr);
  }();
  return library ? dlsym(library, name) : nullptr;
}

}  // namespace gpusim::libraries
// SPDX-License-Identifier: MIT
