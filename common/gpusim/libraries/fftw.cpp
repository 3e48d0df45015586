#include "libraries/fftw.h"

#include <dlfcn.h>

#include <type_traits>

#include "runtime/errors.h"

namespace gpusim::libraries::fft {

Fftw::Fftw() {
  void* const library = dlopen("libfftw3.so.3", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    runtime::tell("cuFFT is computed by FFTW, which is not installed: apt-get install libfftw3-double3");
    return;
  }
  const auto find = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
  };
  find(plan, "fftw_plan_dft"), find(execute, "fftw_execute"), find(destroy, "fftw_destroy_plan");
}

const Fftw& fftw() {
  static const Fftw functions;
  return functions;
}

}  // namespace gpusim::libraries::fft
// SPDX-License-Identifier: MIT
