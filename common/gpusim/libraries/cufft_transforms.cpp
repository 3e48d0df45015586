// Executes plans. FFTW computes each transform in double, packed and complex: real input gets imaginary parts of zero, and half a
// spectrum gets its other half.
#include <algorithm>
#include <string>
#include <type_traits>
#include <vector>

#include "base/sizes.h"
#include "cufftXt.h"
#include "execution/events.h"
#include "libraries/cufft_plan.h"
#include "libraries/fftw.h"
#include "runtime/errors.h"
#include "runtime/process.h"
#include "runtime/work.h"

using namespace gpusim;
using namespace gpusim::libraries::fft;

namespace {

// Calls `each(index in the packed array, index in the layout)` for the elements of one transform. Rows have
// `row` elements.
template <class Each> void for_elements(const Plan& p, const Layout& l, int row, Each each) {
  const int d = int(p.n.size());
  const int nx = d > 2 ? p.n[0] : 1, ny = d > 1 ? p.n[std::size_t(d - 2)] : 1;
  const s64 embed_y = d > 2 ? l.embed[1] : 1, embed_z = d > 1 ? l.embed[std::size_t(d - 1)] : 1;
  for (int x = 0; x < nx; ++x)
    for (int y = 0; y < ny; ++y)
      for (int z = 0; z < row; ++z)
        each((s64(x) * ny + y) * p.last() + z, ((x * embed_y + y) * embed_z + z) * l.stride);
}
// The number of bytes from the first element of the first transform to the last element of the last one.
template <class T> std::size_t extent(const Plan& p, const Layout& l, int row) {
  s64 furthest = 0;
  for_elements(p, l, 1, [&](s64, s64 place) { furthest = std::max(furthest, place); });
  return (std::size_t(furthest) + std::size_t(row - 1) * std::size_t(l.stride) +
          std::size_t(p.batch - 1) * std::size_t(l.dist) + 1) *
         sizeof(T);
}

// Fills in the other half of a spectrum that has its elements 0 … n/2 of the last dimension.
void mirror(const Plan& p, std::vector<Complex>& a) {
  const int n = p.last(), half = n / 2 + 1;
  const std::size_t d = p.n.size();
  const int ny = d > 1 ? p.n[d - 2] : 1, nx = d > 2 ? p.n[0] : 1;
  const auto at = [&](int x, int y, int z) -> Complex& {
    return a[(std::size_t(x) * std::size_t(ny) + std::size_t(y)) * std::size_t(n) + std::size_t(z)];
  };
  for (int x = 0; x < nx; ++x)
    for (int y = 0; y < ny; ++y)
      for (int z = half; z < n; ++z) at(x, y, z) = std::conj(at((nx - x) % nx, (ny - y) % ny, n - z));
}

Complex number(float v) { return v; }
Complex number(double v) { return v; }
template <class T> Complex number(const T& v) { return {v.x, v.y}; }
void put(float& to, Complex v) { to = float(v.real()); }
void put(double& to, Complex v) { to = v.real(); }
template <class T> void put(T& to, Complex v) {
  to.x = decltype(to.x)(v.real()), to.y = decltype(to.y)(v.imag());
}

u8* place(const char* operand, const void* pointer, std::size_t bytes) {
  if (u8* found = runtime::device().memory.resolve(reinterpret_cast<u64>(pointer), bytes)) return found;
  runtime::library_faulted(FaultCode::illegal_address, std::string("cuFFT: ") + operand + " is of " +
                                                           size_text(bytes) +
                                                           " bytes, which are not all in device memory");
  return nullptr;
}

template <class In, class Out>
cufftResult execute(cufftHandle handle, cufftType type, const In* in, Out* out, int direction) {
  const DeviceLock lock;
  const Plan* const found = find_plan(handle);
  if (!found || !found->is_made) return CUFFT_INVALID_PLAN;
  const Plan& p = *found;
  if (p.type != type || (direction != CUFFT_FORWARD && direction != CUFFT_INVERSE) || !in || !out)
    return CUFFT_INVALID_VALUE;
  runtime::finish(runtime::current());
  if (runtime::synchronise() != cudaSuccess) return CUFFT_EXEC_FAILED;

  constexpr bool from_real = std::is_floating_point_v<In>, to_real = std::is_floating_point_v<Out>;
  const int half = p.last() / 2 + 1, in_row = to_real ? half : p.last(),
            out_row = from_real ? half : p.last();
  Layout from = p.in, to = p.out;
  if (p.is_packed) {
    // In place, each row of real numbers ends with room for the spectrum, which is longer.
    const bool in_place = static_cast<const void*>(in) == static_cast<const void*>(out);
    from = Layout::packed(p.n, from_real && in_place ? 2 * half : in_row);
    to = Layout::packed(p.n, to_real && in_place ? 2 * half : out_row);
  }
  const std::size_t written = extent<Out>(p, to, out_row);
  const u8* const read_at = place("the input", in, extent<In>(p, from, in_row));
  u8* const write_at = read_at ? place("the output", out, written) : nullptr;
  if (!write_at) return CUFFT_EXEC_FAILED;

  std::vector<Complex> a(p.count());
  void* const transform = fftw().plan(int(p.n.size()), p.n.data(), a.data(), a.data(), direction, kEstimate);
  if (!transform) return CUFFT_INTERNAL_ERROR;
  // All transforms are read before one is written, because an output may overlap another transform's input.
  std::vector<Complex> results(p.count() * std::size_t(p.batch));
  for (s64 b = 0; b < p.batch; ++b) {
    const In* const first = reinterpret_cast<const In*>(read_at) + b * from.dist;
    for_elements(p, from, in_row, [&](s64 i, s64 at) { a[std::size_t(i)] = number(first[at]); });
    if (to_real) mirror(p, a);
    fftw().execute(transform);
    std::copy(a.begin(), a.end(), results.begin() + b * s64(p.count()));
  }
  fftw().destroy(transform);
  for (s64 b = 0; b < p.batch; ++b) {
    Out* const first = reinterpret_cast<Out*>(write_at) + b * to.dist;
    for_elements(p, to, out_row,
                 [&](s64 i, s64 at) { put(first[at], results[std::size_t(b * s64(p.count()) + i)]); });
  }
  for (Observer* observer : runtime::device().observers)
    observer->host_wrote(reinterpret_cast<u64>(out), written);
  return CUFFT_SUCCESS;
}

}  // namespace

extern "C" {

cufftResult cufftExecC2C(cufftHandle plan, cufftComplex* in, cufftComplex* out, int direction) {
  return execute(plan, CUFFT_C2C, in, out, direction);
}
cufftResult cufftExecR2C(cufftHandle plan, cufftReal* in, cufftComplex* out) {
  return execute(plan, CUFFT_R2C, in, out, CUFFT_FORWARD);
}
cufftResult cufftExecC2R(cufftHandle plan, cufftComplex* in, cufftReal* out) {
  return execute(plan, CUFFT_C2R, in, out, CUFFT_INVERSE);
}
cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex* in, cufftDoubleComplex* out, int direction) {
  return execute(plan, CUFFT_Z2Z, in, out, direction);
}
cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal* in, cufftDoubleComplex* out) {
  return execute(plan, CUFFT_D2Z, in, out, CUFFT_FORWARD);
}
cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex* in, cufftDoubleReal* out) {
  return execute(plan, CUFFT_Z2D, in, out, CUFFT_INVERSE);
}

cufftResult cufftXtExec(cufftHandle plan, void* in, void* out, int direction) {
  const DeviceLock lock;
  const Plan* const found = find_plan(plan);
  if (!found) return CUFFT_INVALID_PLAN;
  switch (found->type) {
    case CUFFT_R2C: return cufftExecR2C(plan, static_cast<float*>(in), static_cast<cufftComplex*>(out));
    case CUFFT_C2R: return cufftExecC2R(plan, static_cast<cufftComplex*>(in), static_cast<float*>(out));
    case CUFFT_D2Z:
      return cufftExecD2Z(plan, static_cast<double*>(in), static_cast<cufftDoubleComplex*>(out));
    case CUFFT_Z2D:
      return cufftExecZ2D(plan, static_cast<cufftDoubleComplex*>(in), static_cast<double*>(out));
    case CUFFT_Z2Z:
      return cufftExecZ2Z(plan, static_cast<cufftDoubleComplex*>(in), static_cast<cufftDoubleComplex*>(out),
                          direction);
    default:
      return cufftExecC2C(plan, static_cast<cufftComplex*>(in), static_cast<cufftComplex*>(out), direction);
  }
}

}  // extern "C"
// SPDX-License-Identifier: MIT
