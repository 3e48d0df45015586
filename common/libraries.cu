// What NVIDIA's own libraries reach on this GPU, measured as the steps are: CUB's sum and prefix sum, cuBLAS's
// transpose and, where --depth is given, its product of matrices alone. measure.py puts these rows beside the steps'.
// GPU only: the simulated one has no such libraries.
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>

#if HAVE_CUBLAS
#include <cublas_v2.h>
#endif

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#include "harness/harness.h"

namespace {

// A CUB algorithm is called twice: with null for the size of its scratch memory, then to run.
using CubAlgorithm = std::function<cudaError_t(void* d_scratch, std::size_t& scratch_bytes)>;

void measure(harness::Report& report, const char* name, std::size_t bytes, const CubAlgorithm& run) {
  std::size_t scratch_bytes = 0;
  CUDA_CHECK(run(nullptr, scratch_bytes));
  harness::DeviceBuffer<char> d_scratch(scratch_bytes);
  report.measure(name, bytes, [&] { CUDA_CHECK(run(d_scratch.data(), scratch_bytes)); });
}

#if HAVE_CUBLAS
void check(cublasStatus_t status) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  std::fprintf(stderr, "cuBLAS: %s\n", cublasGetStatusString(status));
  std::exit(1);
}

// In float throughout: no TF32.
void measure_gemm(harness::Report& report, int m, int n, int k, std::uint64_t seed) {
  const harness::GemmProblem p = harness::make_gemm(m, n, k, 1, 0, 0, harness::GemmValues::uniform, seed);
  const harness::DeviceBuffer<float> d_a(p.a), d_b(p.b);
  harness::DeviceBuffer<float> d_c(p.c.size());
  cublasHandle_t handle;
  check(cublasCreate(&handle));
  check(cublasSetMathMode(handle, CUBLAS_PEDANTIC_MATH));
  // cuBLAS counts columns first: our C = A B, row by row, is its C' = B' A'.
  report.measure("cublasSgemm", sizeof(float) * (p.a.size() + p.b.size() + p.c.size()), [&] {
    check(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &p.alpha, d_b.data(), n, d_a.data(), k,
                      &p.beta, d_c.data(), n));
  });
  report.operations(2.0 * m * n * k);
  report.verify(harness::verify_gemm(d_c.download(), p, 16));
  check(cublasDestroy(handle));
}

void measure_transpose(harness::Report& report, int n) {
  const int rows = harness::squarest(n).rows, columns = n / rows;
  const std::vector<float> input = harness::uniform_floats(n, 1);
  const harness::DeviceBuffer<float> d_in(input);
  harness::DeviceBuffer<float> d_out(n);
  cublasHandle_t handle;
  const float one = 1, zero = 0;
  check(cublasCreate(&handle));
  // cuBLAS counts columns first: its rows x columns result is our columns x rows one, row by row.
  report.measure("cublasSgeam", 2 * d_in.bytes(), [&] {
    check(cublasSgeam(handle, CUBLAS_OP_T, CUBLAS_OP_N, rows, columns, &one, d_in.data(), columns, &zero,
                      d_out.data(), rows, d_out.data(), rows));
  });
  report.verify(harness::verify_transpose(d_out.download(), input, rows, columns));
  check(cublasDestroy(handle));
}
#endif

}  // namespace

int main(int argc, char** argv) {
  long long rows = 0, columns = 0, depth = 0, only_sum = 0;
  harness::Options options = harness::parse_options(
      argc, argv, "libraries", "what CUB and cuBLAS reach, beside the steps",
      {{"--rows", "of a product of matrices", &rows, 0, 1 << 15},
       {"--columns", "of a product of matrices", &columns, 0, 1 << 15},
       {"--depth", "of a product of matrices; 0: everything but that", &depth, 0, 1 << 15},
       {"--only-sum", "1: CUB's sum, and nothing else", &only_sum, 0, 1}});
  if (depth > 0) {
#if HAVE_CUBLAS
    options.n = static_cast<int>(rows * columns);
    harness::Report report(options);
    measure_gemm(report, static_cast<int>(rows), static_cast<int>(columns), static_cast<int>(depth),
                 options.seed);
    return report.finish();
#else
    std::fprintf(stderr, "libraries: --depth: this build found no cuBLAS\n");
    return harness::kExitBadOption;
#endif
  }
  const int n = options.n;
  const std::vector<float> input = harness::small_integers(n, options.seed);
  const harness::DeviceBuffer<float> d_in(input);
  harness::DeviceBuffer<float> d_out(only_sum ? 0 : n), d_sum(1);
  harness::Report report(options);

  measure(report, "cub::DeviceReduce::Sum", d_in.bytes(), [&](void* d_scratch, std::size_t& bytes) {
    return cub::DeviceReduce::Sum(d_scratch, bytes, d_in.data(), d_sum.data(), n);
  });
  report.verify(harness::verify_sum(d_sum.download()[0], harness::reference_sum(input), harness::kExact));

  if (only_sum) return report.finish();

  measure(report, "cub::DeviceScan::InclusiveSum", 2 * d_in.bytes(),
          [&](void* d_scratch, std::size_t& bytes) {
            return cub::DeviceScan::InclusiveSum(d_scratch, bytes, d_in.data(), d_out.data(), n);
          });
  // Whole numbers: every prefix sum is exact (inputs.h).
  report.verify(harness::verify_scan(d_out.download(), input, harness::ScanKind::inclusive, harness::kExact));

#if HAVE_CUBLAS
  if (n > 0) measure_transpose(report, n);
#endif
  return report.finish();
}
// SPDX-License-Identifier: MIT
