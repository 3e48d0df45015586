// The handles of cuBLAS, their settings, and what the functions share.
#include "libraries/cublas_call.h"

#include "base/address_text.h"
#include "execution/events.h"

namespace gpusim::libraries {
bool is_handle(cublasHandle_t handle) { return runtime::current().cublas_handles.count(handle) != 0; }

void* CublasCall::bytes(const char* operand, const void* pointer, std::size_t count) const {
  const u64 address = reinterpret_cast<u64>(pointer);
  Memory& memory = runtime::device().memory;
  if (u8* found = memory.resolve(address, count)) return found;
  const Allocation* const nearest = memory.find(address);
  std::string why;
  if (nearest)
    why = "only " + std::to_string(nearest->size - (address - nearest->base)) + " are allocated there";
  else if (memory.freed(address)) why = "which have been freed";
  else why = "which is no device memory";
  runtime::library_faulted(FaultCode::illegal_address, std::string(name_) + ": " + operand + " is of " +
                                                           size_text(count) + " bytes at " +
                                                           address_text(address) + ", " + why);
  throw CUBLAS_STATUS_EXECUTION_FAILED;
}

void CublasCall::written(const void* pointer, std::size_t count) const {
  for (Observer* observer : runtime::device().observers)
    observer->host_wrote(reinterpret_cast<u64>(pointer), count);
  if (in_) runtime::tell_in_stream(name_, reinterpret_cast<u64>(pointer), count, true, *in_);
}

void CublasCall::reads(const void* pointer, std::size_t count) const {
  if (count == 0) return;
  for (Observer* observer : runtime::device().observers)
    observer->host_read(reinterpret_cast<u64>(pointer), count, name_);
  if (in_) runtime::tell_in_stream(name_, reinterpret_cast<u64>(pointer), count, false, *in_);
}

void* CublasCall::find(char letter, const char* name) const {
  void* const found = blas_function((letter + std::string(name) + "_").c_str());
  if (!found) throw CUBLAS_STATUS_INTERNAL_ERROR;
  return found;
}

}  // namespace gpusim::libraries

using namespace gpusim;
using namespace gpusim::libraries;

namespace {

struct StatusRow {
  cublasStatus_t status;
  const char *name, *text;
};
constexpr StatusRow kStatuses[] = {
    {CUBLAS_STATUS_SUCCESS, "CUBLAS_STATUS_SUCCESS", "success"},
    {CUBLAS_STATUS_NOT_INITIALIZED, "CUBLAS_STATUS_NOT_INITIALIZED", "the library was not initialized"},
    {CUBLAS_STATUS_ALLOC_FAILED, "CUBLAS_STATUS_ALLOC_FAILED", "the resource allocation failed"},
    {CUBLAS_STATUS_INVALID_VALUE, "CUBLAS_STATUS_INVALID_VALUE", "an invalid value was used as an argument"},
    {CUBLAS_STATUS_ARCH_MISMATCH, "CUBLAS_STATUS_ARCH_MISMATCH",
     "an absent device architectural feature is required"},
    {CUBLAS_STATUS_MAPPING_ERROR, "CUBLAS_STATUS_MAPPING_ERROR", "an access to GPU memory space failed"},
    {CUBLAS_STATUS_EXECUTION_FAILED, "CUBLAS_STATUS_EXECUTION_FAILED",
     "the function failed to launch on the GPU"},
    {CUBLAS_STATUS_INTERNAL_ERROR, "CUBLAS_STATUS_INTERNAL_ERROR", "an internal operation failed"},
    {CUBLAS_STATUS_NOT_SUPPORTED, "CUBLAS_STATUS_NOT_SUPPORTED", "the functionality is not supported"},
    {CUBLAS_STATUS_LICENSE_ERROR, "CUBLAS_STATUS_LICENSE_ERROR",
     "an error was detected when checking the current licensing"},
};

// Reads or changes a setting of a handle.
template <class Setting> cublasStatus_t with_handle(cublasHandle_t handle, Setting setting) {
  const DeviceLock lock;
  if (!is_handle(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  return setting(*handle) ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}
template <class T> bool store(T* to, T value) {
  if (to) *to = value;
  return to != nullptr;
}

cublasStatus_t copied(cudaError_t error) {
  return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}

cublasStatus_t copy_vector(int n, int bytes, const void* x, int incx, void* y, int incy,
                           cudaMemcpyKind kind) {
  if (n < 0 || bytes <= 0 || incx <= 0 || incy <= 0) return CUBLAS_STATUS_INVALID_VALUE;
  const auto size = std::size_t(bytes);
  return copied(
      cudaMemcpy2D(y, std::size_t(incy) * size, x, std::size_t(incx) * size, size, std::size_t(n), kind));
}

cublasStatus_t copy_matrix(int rows, int columns, int bytes, const void* A, int lda, void* B, int ldb,
                           cudaMemcpyKind kind) {
  if (rows < 0 || columns < 0 || bytes <= 0 || lda < std::max(1, rows) || ldb < std::max(1, rows))
    return CUBLAS_STATUS_INVALID_VALUE;
  const auto size = std::size_t(bytes);
  return copied(cudaMemcpy2D(B, std::size_t(ldb) * size, A, std::size_t(lda) * size, std::size_t(rows) * size,
                             std::size_t(columns), kind));
}

}  // namespace

extern "C" {

cublasStatus_t cublasCreate_v2(cublasHandle_t* handle) {
  const DeviceLock lock;
  if (!handle) return CUBLAS_STATUS_INVALID_VALUE;
  if (runtime::device_lost() || !blas_function("sgemm_")) return CUBLAS_STATUS_NOT_INITIALIZED;
  *handle = *runtime::current().cublas_handles.insert(new cublasContext).first;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) {
  const DeviceLock lock;
  if (runtime::current().cublas_handles.erase(handle) == 0) return CUBLAS_STATUS_NOT_INITIALIZED;
  delete handle;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle, int* version) {
  return with_handle(handle, [=](cublasContext&) { return store(version, CUBLAS_VERSION); });
}
size_t cublasGetCudartVersion() { return CUDART_VERSION; }
cublasStatus_t cublasGetProperty(libraryPropertyType type, int* value) {
  const int parts[] = {CUBLAS_VER_MAJOR, CUBLAS_VER_MINOR, CUBLAS_VER_PATCH};
  if (type > PATCH_LEVEL || !value) return CUBLAS_STATUS_INVALID_VALUE;
  *value = parts[type];
  return CUBLAS_STATUS_SUCCESS;
}
const char* cublasGetStatusName(cublasStatus_t status) {
  for (const StatusRow& row : kStatuses)
    if (row.status == status) return row.name;
  return "CUBLAS_STATUS_UNKNOWN";
}
const char* cublasGetStatusString(cublasStatus_t status) {
  for (const StatusRow& row : kStatuses)
    if (row.status == status) return row.text;
  return "unknown status";
}
cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream) {
  return with_handle(handle, [=](cublasContext& c) { return store(&c.stream, stream); });
}
cublasStatus_t cublasGetStream_v2(cublasHandle_t handle, cudaStream_t* stream) {
  return with_handle(handle, [=](cublasContext& c) { return store(stream, c.stream); });
}
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void*, size_t) {
  return with_handle(handle, [](cublasContext&) { return true; });
}
cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t mode) {
  return with_handle(handle, [=](cublasContext& c) { return mode <= 1 && store(&c.pointer_mode, mode); });
}
cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t* mode) {
  return with_handle(handle, [=](cublasContext& c) { return store(mode, c.pointer_mode); });
}
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode) {
  return with_handle(handle, [=](cublasContext& c) { return store(&c.math_mode, mode); });
}
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t* mode) {
  return with_handle(handle, [=](cublasContext& c) { return store(mode, c.math_mode); });
}
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode) {
  return with_handle(handle, [=](cublasContext& c) { return mode <= 1 && store(&c.atomics_mode, mode); });
}
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t* mode) {
  return with_handle(handle, [=](cublasContext& c) { return store(mode, c.atomics_mode); });
}

cublasStatus_t cublasSetVector(int n, int bytes, const void* x, int incx, void* y, int incy) {
  return copy_vector(n, bytes, x, incx, y, incy, cudaMemcpyHostToDevice);
}
cublasStatus_t cublasGetVector(int n, int bytes, const void* x, int incx, void* y, int incy) {
  return copy_vector(n, bytes, x, incx, y, incy, cudaMemcpyDeviceToHost);
}
cublasStatus_t cublasSetMatrix(int rows, int columns, int bytes, const void* A, int lda, void* B, int ldb) {
  return copy_matrix(rows, columns, bytes, A, lda, B, ldb, cudaMemcpyHostToDevice);
}
cublasStatus_t cublasGetMatrix(int rows, int columns, int bytes, const void* A, int lda, void* B, int ldb) {
  return copy_matrix(rows, columns, bytes, A, lda, B, ldb, cudaMemcpyDeviceToHost);
}
cublasStatus_t cublasSetVectorAsync(int n, int bytes, const void* x, int incx, void* y, int incy,
                                    cudaStream_t stream) {
  if (cudaStreamSynchronize(stream) != cudaSuccess) return CUBLAS_STATUS_MAPPING_ERROR;
  return cublasSetVector(n, bytes, x, incx, y, incy);
}
cublasStatus_t cublasGetVectorAsync(int n, int bytes, const void* x, int incx, void* y, int incy,
                                    cudaStream_t stream) {
  if (cudaStreamSynchronize(stream) != cudaSuccess) return CUBLAS_STATUS_MAPPING_ERROR;
  return cublasGetVector(n, bytes, x, incx, y, incy);
}
cublasStatus_t cublasSetMatrixAsync(int rows, int columns, int bytes, const void* A, int lda, void* B,
                                    int ldb, cudaStream_t stream) {
  if (cudaStreamSynchronize(stream) != cudaSuccess) return CUBLAS_STATUS_MAPPING_ERROR;
  return cublasSetMatrix(rows, columns, bytes, A, lda, B, ldb);
}
cublasStatus_t cublasGetMatrixAsync(int rows, int columns, int bytes, const void* A, int lda, void* B,
                                    int ldb, cudaStream_t stream) {
  if (cudaStreamSynchronize(stream) != cudaSuccess) return CUBLAS_STATUS_MAPPING_ERROR;
  return cublasGetMatrix(rows, columns, bytes, A, lda, B, ldb);
}

}  // extern "C"
// SPDX-License-Identifier: MIT
