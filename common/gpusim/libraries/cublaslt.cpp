// cublasLtMatmul: D = epilogue(alpha op(A) op(B) + beta C), computed as cublasGemmEx is, in float or double, and rounded once to
// the type of D.
#include <climits>
#include <cmath>

#include "libraries/cublaslt_descriptors.h"
#include "libraries/mixed_matrices.h"

using namespace gpusim;
using namespace gpusim::libraries;

namespace {

constexpr u32 kRelu = 2, kBias = 4, kBiasGradient = 16, kGelu = 32, kGeluGradient = 64, kAux = 128,
              kBiasGradientA = 256, kBiasGradientB = 512;  // the bits of cublasLtEpilogue_t

cublasHandle_t handle_of(cublasLtHandle_t handle) { return reinterpret_cast<cublasHandle_t>(handle); }

struct Layouts {
  const LtLayout &A, &B, &C, &D;
};

bool is_simulated_epilogue(u32 epilogue) {
  switch (epilogue) {
    case CUBLASLT_EPILOGUE_DEFAULT:
    case CUBLASLT_EPILOGUE_RELU:
    case CUBLASLT_EPILOGUE_BIAS:
    case CUBLASLT_EPILOGUE_RELU_BIAS:
    case CUBLASLT_EPILOGUE_GELU:
    case CUBLASLT_EPILOGUE_GELU_AUX:
    case CUBLASLT_EPILOGUE_GELU_BIAS:
    case CUBLASLT_EPILOGUE_GELU_AUX_BIAS:
    case CUBLASLT_EPILOGUE_DGELU:
    case CUBLASLT_EPILOGUE_DGELU_BGRAD:
    case CUBLASLT_EPILOGUE_BGRADA:
    case CUBLASLT_EPILOGUE_BGRADB: return true;
    default: return false;
  }
}
bool is_simulated_type(int type) {
  switch (type) {
    case CUDA_R_8I:
    case CUDA_R_8U:
    case CUDA_R_16F:
    case CUDA_R_16BF:
    case CUDA_R_32F:
    case CUDA_R_32I:
    case CUDA_R_64F: return true;
    default: return false;
  }
}

// What of a product is not simulated, in words; nothing if all of it is.
std::string not_simulated(const LtProduct& p, const Layouts& layouts) {
  for (const LtLayout* layout : {&layouts.A, &layouts.B, &layouts.C, &layouts.D}) {
    if (!is_simulated_type(layout->type))
      return "matrices of type " + std::to_string(layout->type) + " (cudaDataType)";
    if (layout->order > CUBLASLT_ORDER_ROW)
      return "matrices in order " + std::to_string(layout->order) + " (cublasLtOrder_t)";
    if (layout->rows > INT_MAX || layout->columns > INT_MAX)
      return "matrices of more than 2^31 rows or columns";
    if (layout->plane_offset) return "matrices whose imaginary parts lie apart";
  }
  if (!is_simulated_type(p.scale)) return "alpha of type " + std::to_string(p.scale) + " (cudaDataType)";
  for (const int type : {p.bias_type, p.aux_type})
    if (type != -1 && !is_simulated_type(type))
      return "a bias or an auxiliary matrix of type " + std::to_string(type) + " (cudaDataType)";
  if (!is_simulated_epilogue(p.epilogue))
    return "epilogue " + std::to_string(p.epilogue) + " (cublasLtEpilogue_t)";
  if (p.pointer_mode > CUBLASLT_POINTER_MODE_DEVICE) return "a vector in the place of alpha";
  if (p.opC != CUBLAS_OP_N) return "a transposed C";
  if (p.fill != CUBLAS_FILL_MODE_FULL) return "a product of which only a triangle is stored";
  if (p.a_scale || p.b_scale || p.c_scale || p.d_scale || p.d_amax || p.aux_scale || p.aux_amax)
    return "scales of 8-bit floats";
  return "";
}

// Throws unless the product is simulated; a line says why it is not.
void want_simulated(const char* function, const LtProduct& p, const Layouts& layouts) {
  const std::string what = not_simulated(p, layouts);
  if (what.empty()) return;
  runtime::tell(std::string(function) + ": the simulated GPU does not have " + what +
                "; it answers CUBLAS_STATUS_NOT_SUPPORTED");
  throw CUBLAS_STATUS_NOT_SUPPORTED;
}

bool has_bias(const LtProduct& p) {
  return p.epilogue & (kBias | kBiasGradient | kBiasGradientA | kBiasGradientB);
}
bool is_float_type(int type) {
  return type == CUDA_R_16F || type == CUDA_R_16BF || type == CUDA_R_32F || type == CUDA_R_64F;
}

// Throws where the cuBLASLt of CUDA 13.0 refuses an epilogue on an H100.
void want_epilogue_that_fits(const CublasCall& call, const LtProduct& p, const Layouts& layouts) {
  const int type = layouts.D.type;
  call.want(!has_bias(p) || p.bias_type == -1 || p.bias_type == type || !is_float_type(type));
  const bool fits = (!(p.epilogue & kBiasGradientA) || p.opA == CUBLAS_OP_N) &&
                    (!(p.epilogue & kBiasGradientB) || p.opB != CUBLAS_OP_N);
  if (fits) return;
  runtime::tell(
      "cublasLtMatmul: epilogue BGRADA takes an A that is not transposed, and BGRADB a transposed B; "
      "it answers CUBLAS_STATUS_NOT_SUPPORTED, as on a GPU");
  throw CUBLAS_STATUS_NOT_SUPPORTED;
}
void want_workspace_for_sums(const LtProduct& p, const void* workspace, std::size_t bytes) {
  if (!(p.epilogue & kBiasGradient) || (workspace && bytes > 0)) return;
  runtime::tell(
      "cublasLtMatmul: an epilogue with BGRAD takes a workspace; without one it answers "
      "CUBLAS_STATUS_NOT_SUPPORTED, as on a GPU");
  throw CUBLAS_STATUS_NOT_SUPPORTED;
}

MixedMatrix matrix(const void* pointer, const LtLayout& layout, int i) {
  return moved({pointer, layout.type, layout.ld, layout.order == CUBLASLT_ORDER_ROW}, layout.batch_offset, i);
}

constexpr double kRoot2OverPi = 0.7978845608028654, kCubic = 0.044715;
double gelu(double x) { return 0.5 * x * (1 + std::tanh(kRoot2OverPi * (x + kCubic * x * x * x))); }
double gelu_gradient(double x) {
  const double t = std::tanh(kRoot2OverPi * (x + kCubic * x * x * x));
  return 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * kRoot2OverPi * (1 + 3 * kCubic * x * x);
}

// One product of a batch.
template <class T> class LtMultiplication {
 public:
  LtMultiplication(const CublasCall& call, const LtProduct& p, const Layouts& layouts, int i)
      : call_(call),
        p_(p),
        layouts_(layouts),
        i_(i),
        opA_(cublasOperation_t(p.opA)),
        opB_(cublasOperation_t(p.opB)),
        m_(int(layouts.D.rows)),
        n_(int(layouts.D.columns)),
        k_(int(opA_ == CUBLAS_OP_N ? layouts.A.columns : layouts.A.rows)) {}

  void compute(const void* alpha, const void* A, const void* B, const void* beta, const void* C, void* D) {
    const LtLayout &la = layouts_.A, &lb = layouts_.B;
    const T factor = T(read_scalar(call_, "alpha", alpha, p_.scale)),
            factorC = T(read_scalar(call_, "beta", beta, p_.scale));
    const MixedMatrix out = matrix(D, layouts_.D, i_);
    if (!located(call_, "D", out, m_, n_)) return;
    a_ = numbers<T>(call_, "A", matrix(A, la, i_), int(la.rows), int(la.columns));
    b_ = numbers<T>(call_, "B", matrix(B, lb, i_), int(lb.rows), int(lb.columns));
    d_.resize(std::size_t(m_) * std::size_t(n_));
    if (factorC != 0) d_ = numbers<T>(call_, "C", matrix(C, layouts_.C, i_), m_, n_);
    multiply_dense<T>(call_, opA_, opB_, m_, n_, k_, factor, a_, b_, factorC, d_);
    finish();
    store(call_, "D", out, m_, n_, d_);
  }

 private:
  void finish() {
    const u32 e = p_.epilogue;
    if (e & kBias) {
      const std::vector<T> bias = numbers<T>(call_, "the bias", bias_vector(m_), m_, 1);
      each([&](T& d, std::size_t i, std::size_t) { d += bias[i]; });
    }
    if (e & kGeluGradient) {
      const std::vector<T> x = numbers<T>(call_, "the auxiliary matrix", aux_matrix(), m_, n_);
      each([&](T& d, std::size_t i, std::size_t j) {
        d *= T(gelu_gradient(double(x[j * std::size_t(m_) + i])));
      });
    } else if (e & kAux) {
      store(call_, "the auxiliary matrix", aux_matrix(), m_, n_, d_);
    }
    if (e & kRelu) each([](T& d, std::size_t, std::size_t) { d = d < 0 ? T(0) : d; });
    if (e & kGelu) each([](T& d, std::size_t, std::size_t) { d = T(gelu(double(d))); });
    if (e & kBiasGradient) give_sums(m_, n_, [&](int i, int j) { return d_[index(i, j, m_)]; });
    const int rowsA = int(layouts_.A.rows), rowsB = int(layouts_.B.rows);
    if (e & kBiasGradientA)
      give_sums(m_, k_, [&](int i, int k) {
        return a_[opA_ == CUBLAS_OP_N ? index(i, k, rowsA) : index(k, i, rowsA)];
      });
    if (e & kBiasGradientB)
      give_sums(n_, k_, [&](int j, int k) {
        return b_[opB_ == CUBLAS_OP_N ? index(k, j, rowsB) : index(j, k, rowsB)];
      });
  }

  static std::size_t index(int row, int column, int rows) {
    return std::size_t(column) * std::size_t(rows) + std::size_t(row);
  }
  // Calls act(d, row, column) for each element of D.
  template <class Act> void each(Act act) {
    for (std::size_t j = 0; j < std::size_t(n_); ++j)
      for (std::size_t i = 0; i < std::size_t(m_); ++i) act(d_[j * std::size_t(m_) + i], i, j);
  }
  // The gradient of the bias: element i is the sum of of(i, 0), of(i, 1), …, of(i, terms - 1).
  template <class Of> void give_sums(int length, int terms, Of of) {
    std::vector<T> sums(std::size_t(length), T(0));
    for (int i = 0; i < length; ++i)
      for (int k = 0; k < terms; ++k) sums[std::size_t(i)] += of(i, k);
    store(call_, "the bias", bias_vector(length), length, 1, sums);
  }
  MixedMatrix bias_vector(int length) const {
    call_.want(p_.bias != nullptr);
    const cudaDataType type = p_.bias_type == -1 ? layouts_.D.type : cudaDataType(p_.bias_type);
    return moved({p_.bias, type, std::max(1, length)}, p_.bias_stride, i_);
  }
  MixedMatrix aux_matrix() const {
    call_.want(p_.aux != nullptr);
    const cudaDataType type = p_.aux_type == -1 ? layouts_.D.type : cudaDataType(p_.aux_type);
    return moved({p_.aux, type, p_.aux_ld, layouts_.D.order == CUBLASLT_ORDER_ROW}, p_.aux_stride, i_);
  }

  const CublasCall& call_;
  const LtProduct& p_;
  const Layouts& layouts_;
  int i_;
  cublasOperation_t opA_, opB_;
  int m_, n_, k_;
  std::vector<T> a_, b_, d_;
};

void want_shapes_that_fit(const CublasCall& call, const LtProduct& p, const Layouts& layouts) {
  const LtLayout &A = layouts.A, &B = layouts.B, &C = layouts.C, &D = layouts.D;
  letter_of(cublasOperation_t(p.opA)), letter_of(cublasOperation_t(p.opB));
  const bool plainA = p.opA == CUBLAS_OP_N, plainB = p.opB == CUBLAS_OP_N;
  call.want((plainA ? A.rows : A.columns) == D.rows && (plainB ? B.columns : B.rows) == D.columns &&
            (plainA ? A.columns : A.rows) == (plainB ? B.rows : B.columns) && C.rows == D.rows &&
            C.columns == D.columns);
  call.want(D.batch_count >= 1 && A.batch_count == D.batch_count && B.batch_count == D.batch_count &&
            C.batch_count == D.batch_count);
}

}  // namespace

extern "C" {

cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) {
  return cublasCreate_v2(reinterpret_cast<cublasHandle_t*>(handle));
}
cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) { return cublasDestroy_v2(handle_of(handle)); }
size_t cublasLtGetVersion() { return CUBLAS_VERSION; }
size_t cublasLtGetCudartVersion() { return CUDART_VERSION; }
cublasStatus_t cublasLtGetProperty(libraryPropertyType type, int* value) {
  return cublasGetProperty(type, value);
}
const char* cublasLtGetStatusName(cublasStatus_t status) { return cublasGetStatusName(status); }
const char* cublasLtGetStatusString(cublasStatus_t status) { return cublasGetStatusString(status); }

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle, cublasLtMatmulDesc_t description,
                                              cublasLtMatrixLayout_t A, cublasLtMatrixLayout_t B,
                                              cublasLtMatrixLayout_t C, cublasLtMatrixLayout_t D,
                                              cublasLtMatmulPreference_t preference, int wanted,
                                              cublasLtMatmulHeuristicResult_t results[], int* found) {
  const DeviceLock lock;
  if (!is_handle(handle_of(handle))) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!description || !A || !B || !C || !D || !preference || wanted < 1 || !results || !found)
    return CUBLAS_STATUS_INVALID_VALUE;
  const Layouts layouts{content(A), content(B), content(C), content(D)};
  try {
    want_simulated("cublasLtMatmulAlgoGetHeuristic", content(description), layouts);
    const CublasCall call(handle_of(handle), "cublasLtMatmulAlgoGetHeuristic", nullptr);
    want_shapes_that_fit(call, content(description), layouts);
    want_epilogue_that_fits(call, content(description), layouts);
  } catch (cublasStatus_t status) {
    return status;
  }
  results[0] = {};
  results[0].state = CUBLAS_STATUS_SUCCESS;
  results[0].wavesCount = 1;
  *found = 1;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t description, const void* alpha,
                              const void* A, cublasLtMatrixLayout_t layoutA, const void* B,
                              cublasLtMatrixLayout_t layoutB, const void* beta, const void* C,
                              cublasLtMatrixLayout_t layoutC, void* D, cublasLtMatrixLayout_t layoutD,
                              const cublasLtMatmulAlgo_t*, void* workspace, size_t workspace_bytes,
                              cudaStream_t stream) {
  return cublas_call_in(stream, handle_of(handle), "cublasLtMatmul", [&](const CublasCall& any) {
    any.want(description && layoutA && layoutB && layoutC && layoutD);
    const LtProduct& p = content(description);
    const Layouts layouts{content(layoutA), content(layoutB), content(layoutC), content(layoutD)};
    want_simulated("cublasLtMatmul", p, layouts);
    cublasContext settings;  // alpha and beta are where the description says, not the handle
    settings.pointer_mode = cublasPointerMode_t(p.pointer_mode);
    const CublasCall call(&settings, "cublasLtMatmul", any.in());
    want_shapes_that_fit(call, p, layouts);
    call.want(has_bias(p) || !p.bias);  // a pointer that nobody would read
    want_epilogue_that_fits(call, p, layouts);
    want_workspace_for_sums(p, workspace, workspace_bytes);
    const bool wide =
        p.scale == CUDA_R_64F || scalar_type(p.compute) == CUDA_R_64F || scalar_type(p.compute) == CUDA_R_32I;
    for (int i = 0; i < layouts.D.batch_count; ++i)
      wide ? LtMultiplication<double>(call, p, layouts, i).compute(alpha, A, B, beta, C, D)
           : LtMultiplication<float>(call, p, layouts, i).compute(alpha, A, B, beta, C, D);
  });
}

}  // extern "C"
// SPDX-License-Identifier: MIT
