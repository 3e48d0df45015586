// What NVIDIA's own libraries reach on this GPU, measured as the steps are: CUB's sum and prefix sum, cuBLAS's
// transpose. measure.py puts these rows beside the steps'. GPU only: the simulated one has no such libraries.
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
void measure_transpose(harness::Report& report, int n) {
  const int rows = harness::squarest(n).rows, columns = n / rows;
  const std::vector<float> input = harness::uniform_floats(n, 1);
  const harness::DeviceBuffer<float> d_in(input);
  harness::DeviceBuffer<float> d_out(n);
  cublasHandle_t handle;
  const float one = 1, zero = 0;
  const auto check = [](cublasStatus_t status) {
    if (status == CUBLAS_STATUS_SUCCESS) return;
    std::fprintf(stderr, "cuBLAS: %s\n", cublasGetStatusString(status));
    std::exit(1);
  };
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
  long long only_sum = 0;
  const harness::Options options =
      harness::parse_options(argc, argv, "libraries", "what CUB and cuBLAS reach, beside the steps",
                             {{"--only-sum", "1: CUB's sum, and nothing else", &only_sum, 0, 1}});
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

  measure(report, "cub::DeviceScan::InclusiveSum", 2 * d_in.bytes(), [&](void* d_scratch, std::size_t& bytes) {
    return cub::DeviceScan::InclusiveSum(d_scratch, bytes, d_in.data(), d_out.data(), n);
  });
  // Whole numbers: every prefix sum is exact (inputs.h).
  report.verify(harness::verify_scan(d_out.download(), input, harness::ScanKind::inclusive, harness::kExact));

#if HAVE_CUBLAS
  if (n > 0) measure_transpose(report, n);
#endif
  return report.finish();
}
