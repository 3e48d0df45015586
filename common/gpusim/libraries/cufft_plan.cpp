// Makes and destroys plans.
#include "libraries/cufft_plan.h"

#include <map>

#include "base/sizes.h"
#include "cufftXt.h"
#include "libraries/fftw.h"
#include "runtime/errors.h"
#include "runtime/process.h"

using namespace gpusim;
using namespace gpusim::libraries::fft;

namespace {

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

}  // namespace

const Plan* gpusim::libraries::fft::find_plan(cufftHandle handle) {
  const auto found = plans.find(handle);
  return found == plans.end() ? nullptr : &found->second;
}

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

}  // extern "C"
// SPDX-License-Identifier: MIT
