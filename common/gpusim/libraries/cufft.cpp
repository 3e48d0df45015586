// cuFFT: plans, and how the elements of a transform lie in memory. FFTW computes each transform in double, packed and
// complex: real input gets imaginary parts of zero, and half a spectrum gets its other half.
#include "cufftXt.h"

#include <dlfcn.h>

#include <array>
#include <complex>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

#include "base/sizes.h"
#include "runtime/errors.h"
#include "runtime/process.h"
#include "runtime/work.h"

using namespace gpusim;

namespace {

using Complex = std::complex<double>;

// Loaded when a program first makes a plan, so programs without cuFFT run without the library.
struct Fftw {
  void* (*plan)(int rank, const int* n, Complex* in, Complex* out, int sign, unsigned flags) = nullptr;
  void (*execute)(void*) = nullptr;
  void (*destroy)(void*) = nullptr;

  Fftw() {
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
};
const Fftw& fftw() {
  static const Fftw functions;
  return functions;
}
constexpr unsigned kEstimate = 1u << 6;  // FFTW_ESTIMATE: chooses a plan without timing any

// The layout of input or output: element (x, y, z) is at ((x * embed[1] + y) * embed[2] + z) * stride, and
// the next transform begins `dist` elements further.
struct Layout {
  std::array<s64, 3> embed = {1, 1, 1};
  s64 stride = 1, dist = 0;

  // The packed layout, with rows of `row` elements.
  static Layout packed(const std::vector<int>& n, s64 row) {
    Layout l;
    l.dist = 1;
    for (std::size_t i = 0; i < n.size(); ++i) l.dist *= l.embed[i] = i + 1 < n.size() ? n[i] : row;
    return l;
  }
};

struct Plan {
  bool is_made = false, is_packed = true;
  cufftType type = CUFFT_C2C;
  std::vector<int> n;
  s64 batch = 1;
  Layout in, out;  // used only if the plan is not packed

  int last() const { return n.back(); }
  std::size_t count() const {
    std::size_t product = 1;
    for (int i : n) product *= std::size_t(i);
    return product;
  }
};

std::map<cufftHandle, Plan> plans;
cufftHandle next_handle = 1;

bool is_known(cufftType type) {
  switch (type) {
    case CUFFT_C2C:
    case CUFFT_R2C:
    case CUFFT_C2R:
    case CUFFT_Z2Z:
    case CUFFT_D2Z:
    case CUFFT_Z2D: return true;
  }
  return false;
}

struct Side {
  const long long* embed;
  long long stride, dist;
};
cufftResult make(cufftHandle handle, int rank, const long long* n, Side in, Side out, cufftType type,
                 long long batch) {
  const DeviceLock lock;
  const auto found = plans.find(handle);
  if (found == plans.end() || found->second.is_made) return CUFFT_INVALID_PLAN;
  if (!is_known(type)) return CUFFT_INVALID_TYPE;
  if (rank < 1 || rank > 3 || !n) return CUFFT_INVALID_VALUE;
  constexpr long long kMost = 0x7fffffff;
  std::size_t count = 1;
  Plan plan;
  for (int i = 0; i < rank; ++i) {
    if (n[i] < 1 || n[i] > kMost) return CUFFT_INVALID_SIZE;
    count = times(count, std::size_t(n[i]));
    plan.n.push_back(int(n[i]));
  }
  if (batch < 1 || times(count, std::size_t(batch)) > std::size_t(1) << 36) return CUFFT_INVALID_SIZE;
  if (!fftw().plan) return CUFFT_INTERNAL_ERROR;
  plan.is_made = true, plan.type = type, plan.batch = batch;
  plan.is_packed = !in.embed || !out.embed;
  if (!plan.is_packed) {
    const auto layout = [&](const Side& side, Layout& to) {
      if (side.stride < 1 || side.dist < 0 || side.stride > kMost || side.dist > (1ll << 36)) return false;
      to.stride = side.stride, to.dist = side.dist;
      for (int i = 1; i < rank; ++i) {  // embed[0] has no effect
        if (side.embed[i] < 1 || side.embed[i] > kMost) return false;
        to.embed[std::size_t(i)] = side.embed[i];
      }
      return true;
    };
    if (!layout(in, plan.in) || !layout(out, plan.out)) return CUFFT_INVALID_VALUE;
  }
  found->second = plan;
  return CUFFT_SUCCESS;
}
cufftResult make_packed(cufftHandle handle, std::initializer_list<long long> n, cufftType type,
                        long long batch) {
  return make(handle, int(n.size()), n.begin(), {nullptr, 1, 0}, {nullptr, 1, 0}, type, batch);
}
// Makes a plan, and gives it to the program if `make_it` succeeds.
template <class Make> cufftResult created(cufftHandle* plan, Make make_it) {
  if (!plan) return CUFFT_INVALID_VALUE;
  cufftHandle handle;
  cufftResult result = cufftCreate(&handle);
  if (result == CUFFT_SUCCESS) result = make_it(handle);
  if (result == CUFFT_SUCCESS) *plan = handle;
  else cufftDestroy(handle);
  return result;
}
cufftResult no_work(cufftResult result, size_t* size) {
  if (result == CUFFT_SUCCESS && size) *size = 0;
  return result;
}

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
  runtime::kernel_faulted({FaultCode::illegal_address, std::string("cuFFT: ") + operand + " is of " +
                                                           size_text(bytes) +
                                                           " bytes, which are not all in device memory"});
  return nullptr;
}

template <class In, class Out>
cufftResult execute(cufftHandle handle, cufftType type, const In* in, Out* out, int direction) {
  const DeviceLock lock;
  const auto found = plans.find(handle);
  if (found == plans.end() || !found->second.is_made) return CUFFT_INVALID_PLAN;
  const Plan& p = found->second;
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

cufftResult cufftCreate(cufftHandle* plan) {
  const DeviceLock lock;
  if (!plan) return CUFFT_INVALID_VALUE;
  plans[*plan = next_handle++];
  return CUFFT_SUCCESS;
}
cufftResult cufftDestroy(cufftHandle plan) {
  const DeviceLock lock;
  return plans.erase(plan) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

cufftResult cufftMakePlan1d(cufftHandle plan, int nx, cufftType type, int batch, size_t* size) {
  return no_work(make_packed(plan, {nx}, type, batch), size);
}
cufftResult cufftMakePlan2d(cufftHandle plan, int nx, int ny, cufftType type, size_t* size) {
  return no_work(make_packed(plan, {nx, ny}, type, 1), size);
}
cufftResult cufftMakePlan3d(cufftHandle plan, int nx, int ny, int nz, cufftType type, size_t* size) {
  return no_work(make_packed(plan, {nx, ny, nz}, type, 1), size);
}
cufftResult cufftMakePlanMany64(cufftHandle plan, int rank, long long* n, long long* inembed,
                                long long istride, long long idist, long long* onembed, long long ostride,
                                long long odist, cufftType type, long long batch, size_t* size) {
  return no_work(make(plan, rank, n, {inembed, istride, idist}, {onembed, ostride, odist}, type, batch),
                 size);
}
cufftResult cufftMakePlanMany(cufftHandle plan, int rank, int* n, int* inembed, int istride, int idist,
                              int* onembed, int ostride, int odist, cufftType type, int batch, size_t* size) {
  if (rank < 1 || rank > 3 || !n) return CUFFT_INVALID_VALUE;
  const auto wide = [&](const int* numbers) {
    return numbers ? std::vector<long long>(numbers, numbers + rank) : std::vector<long long>();
  };
  std::vector<long long> lengths = wide(n), in = wide(inembed), out = wide(onembed);
  return cufftMakePlanMany64(plan, rank, lengths.data(), inembed ? in.data() : nullptr, istride, idist,
                             onembed ? out.data() : nullptr, ostride, odist, type, batch, size);
}
cufftResult cufftPlan1d(cufftHandle* plan, int nx, cufftType type, int batch) {
  return created(plan, [&](cufftHandle p) { return cufftMakePlan1d(p, nx, type, batch, nullptr); });
}
cufftResult cufftPlan2d(cufftHandle* plan, int nx, int ny, cufftType type) {
  return created(plan, [&](cufftHandle p) { return cufftMakePlan2d(p, nx, ny, type, nullptr); });
}
cufftResult cufftPlan3d(cufftHandle* plan, int nx, int ny, int nz, cufftType type) {
  return created(plan, [&](cufftHandle p) { return cufftMakePlan3d(p, nx, ny, nz, type, nullptr); });
}
cufftResult cufftPlanMany(cufftHandle* plan, int rank, int* n, int* inembed, int istride, int idist,
                          int* onembed, int ostride, int odist, cufftType type, int batch) {
  return created(plan, [&](cufftHandle p) {
    return cufftMakePlanMany(p, rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch,
                             nullptr);
  });
}

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

cufftResult cufftXtMakePlanMany(cufftHandle plan, int rank, long long* n, long long* inembed,
                                long long istride, long long idist, cudaDataType from, long long* onembed,
                                long long ostride, long long odist, cudaDataType to, long long batch,
                                size_t* size, cudaDataType computed) {
  struct Row {
    cudaDataType from, to, computed;
    cufftType type;
  };
  constexpr Row kRows[] = {
      {CUDA_C_32F, CUDA_C_32F, CUDA_C_32F, CUFFT_C2C}, {CUDA_R_32F, CUDA_C_32F, CUDA_C_32F, CUFFT_R2C},
      {CUDA_C_32F, CUDA_R_32F, CUDA_C_32F, CUFFT_C2R}, {CUDA_C_64F, CUDA_C_64F, CUDA_C_64F, CUFFT_Z2Z},
      {CUDA_R_64F, CUDA_C_64F, CUDA_C_64F, CUFFT_D2Z}, {CUDA_C_64F, CUDA_R_64F, CUDA_C_64F, CUFFT_Z2D}};
  for (const Row& row : kRows)
    if (row.from == from && row.to == to && row.computed == computed)
      return cufftMakePlanMany64(plan, rank, n, inembed, istride, idist, onembed, ostride, odist, row.type,
                                 batch, size);
  runtime::tell("of cuFFT's types, float and double are simulated: half precision and mixtures are not");
  return CUFFT_NOT_SUPPORTED;
}
cufftResult cufftXtExec(cufftHandle plan, void* in, void* out, int direction) {
  const DeviceLock lock;
  const auto found = plans.find(plan);
  if (found == plans.end()) return CUFFT_INVALID_PLAN;
  switch (found->second.type) {
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

#define ON_SEVERAL_GPUS(name, ...)                                                                       \
  cufftResult name(__VA_ARGS__) {                                                                        \
    runtime::tell(#name                                                                                  \
                  ": cuFFT's transforms on several GPUs are not simulated; run this on GPUs with nvcc"); \
    return CUFFT_NOT_IMPLEMENTED;                                                                        \
  }
ON_SEVERAL_GPUS(cufftXtSetGPUs, cufftHandle, int, int*)
ON_SEVERAL_GPUS(cufftXtMalloc, cufftHandle, cudaLibXtDesc**, cufftXtSubFormat)
ON_SEVERAL_GPUS(cufftXtMemcpy, cufftHandle, void*, void*, cufftXtCopyType)
ON_SEVERAL_GPUS(cufftXtFree, cudaLibXtDesc*)
ON_SEVERAL_GPUS(cufftXtExecDescriptor, cufftHandle, cudaLibXtDesc*, cudaLibXtDesc*, int)
ON_SEVERAL_GPUS(cufftXtExecDescriptorC2C, cufftHandle, cudaLibXtDesc*, cudaLibXtDesc*, int)
ON_SEVERAL_GPUS(cufftXtExecDescriptorR2C, cufftHandle, cudaLibXtDesc*, cudaLibXtDesc*)
ON_SEVERAL_GPUS(cufftXtExecDescriptorC2R, cufftHandle, cudaLibXtDesc*, cudaLibXtDesc*)
ON_SEVERAL_GPUS(cufftXtExecDescriptorZ2Z, cufftHandle, cudaLibXtDesc*, cudaLibXtDesc*, int)
ON_SEVERAL_GPUS(cufftXtExecDescriptorD2Z, cufftHandle, cudaLibXtDesc*, cudaLibXtDesc*)
ON_SEVERAL_GPUS(cufftXtExecDescriptorZ2D, cufftHandle, cudaLibXtDesc*, cudaLibXtDesc*)
#undef ON_SEVERAL_GPUS

cufftResult cufftEstimate1d(int, cufftType, int, size_t* size) { return no_work(CUFFT_SUCCESS, size); }
cufftResult cufftEstimate2d(int, int, cufftType, size_t* size) { return no_work(CUFFT_SUCCESS, size); }
cufftResult cufftEstimate3d(int, int, int, cufftType, size_t* size) { return no_work(CUFFT_SUCCESS, size); }
cufftResult cufftGetSize(cufftHandle plan, size_t* size) {
  const DeviceLock lock;
  return no_work(plans.count(plan) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN, size);
}
cufftResult cufftSetWorkArea(cufftHandle plan, void*) { return cufftGetSize(plan, nullptr); }
cufftResult cufftSetAutoAllocation(cufftHandle plan, int) { return cufftGetSize(plan, nullptr); }
cufftResult cufftSetStream(cufftHandle plan, cudaStream_t) { return cufftGetSize(plan, nullptr); }
cufftResult cufftGetVersion(int* version) {
  if (!version) return CUFFT_INVALID_VALUE;
  *version = CUFFT_VERSION;
  return CUFFT_SUCCESS;
}
cufftResult cufftGetProperty(libraryPropertyType type, int* value) {
  const int parts[] = {CUFFT_VER_MAJOR, CUFFT_VER_MINOR, CUFFT_VER_PATCH};
  if (type > PATCH_LEVEL || !value) return CUFFT_INVALID_VALUE;
  *value = parts[type];
  return CUFFT_SUCCESS;
}

}  // extern "C"
// SPDX-License-Identifier: MIT
