// Descriptors of cuBLASLt: they are made, destroyed, and hold attributes.
#include "libraries/cublaslt_descriptors.h"

#include <cstddef>
#include <cstring>
#include <new>
#include <span>

using namespace gpusim;
using namespace gpusim::libraries;

namespace {

struct Attribute {
  int number;  // the enumerator
  std::size_t offset, bytes;
};
#define ATTRIBUTE(number, Holder, member) {number, offsetof(Holder, member), sizeof(Holder::member)}
constexpr Attribute kOfLayout[] = {
    ATTRIBUTE(CUBLASLT_MATRIX_LAYOUT_TYPE, LtLayout, type),
    ATTRIBUTE(CUBLASLT_MATRIX_LAYOUT_ORDER, LtLayout, order),
    ATTRIBUTE(CUBLASLT_MATRIX_LAYOUT_ROWS, LtLayout, rows),
    ATTRIBUTE(CUBLASLT_MATRIX_LAYOUT_COLS, LtLayout, columns),
    ATTRIBUTE(CUBLASLT_MATRIX_LAYOUT_LD, LtLayout, ld),
    ATTRIBUTE(CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, LtLayout, batch_count),
    ATTRIBUTE(CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, LtLayout, batch_offset),
    ATTRIBUTE(CUBLASLT_MATRIX_LAYOUT_PLANE_OFFSET, LtLayout, plane_offset)};
constexpr Attribute kOfProduct[] = {
    ATTRIBUTE(CUBLASLT_MATMUL_DESC_COMPUTE_TYPE, LtProduct, compute),
    ATTRIBUTE(CUBLASLT_MATMUL_DESC_SCALE_TYPE, LtProduct, scale),
    ATTRIBUTE(CUBLASLT_MATMUL_DESC_POINTER_MODE, LtProduct, pointer_mode),
    ATTRIBUTE(CUBLASLT_MATMUL_DESC_TRANSA, LtProduct, opA),
    ATTRIBUTE(CUBLASLT_MATMUL_DESC_TRANSB, LtProduct, opB),
    ATTRIBUTE(CUBLASLT_MATMUL_DESC_TRANSC, LtProduct, opC),
    ATTRIBUTE(CUBLASLT_MATMUL_DESC_FILL_MODE, LtProduct, fill),
    ATTRIBUTE(CUBLASLT_MATMUL_DESC_EPILOGUE, LtProduct, epilogue),
    ATTRIBUTE(CUBLASLT_MATMUL_DESC_BIAS_POINTER, LtProduct, bias),
    ATTRIBUTE(CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE, LtProduct, bias_stride),
    ATTRIBUTE(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, LtProduct, aux),
    ATTRIBUTE(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, LtProduct, aux_ld),
    ATTRIBUTE(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE, LtProduct, aux_stride),
    ATTRIBUTE(CUBLASLT_MATMUL_DESC_ALPHA_VECTOR_BATCH_STRIDE, LtProduct, alpha_stride),
    ATTRIBUTE(CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET, LtProduct, sm_count_target),
    ATTRIBUTE(CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, LtProduct, a_scale),
    ATTRIBUTE(CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, LtProduct, b_scale),
    ATTRIBUTE(CUBLASLT_MATMUL_DESC_C_SCALE_POINTER, LtProduct, c_scale),
    ATTRIBUTE(CUBLASLT_MATMUL_DESC_D_SCALE_POINTER, LtProduct, d_scale),
    ATTRIBUTE(CUBLASLT_MATMUL_DESC_AMAX_D_POINTER, LtProduct, d_amax),
    ATTRIBUTE(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE, LtProduct, aux_type),
    ATTRIBUTE(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_POINTER, LtProduct, aux_scale),
    ATTRIBUTE(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_AMAX_POINTER, LtProduct, aux_amax),
    ATTRIBUTE(CUBLASLT_MATMUL_DESC_FAST_ACCUM, LtProduct, fast_accumulation),
    ATTRIBUTE(CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, LtProduct, bias_type)};
constexpr Attribute kOfPreference[] = {
    ATTRIBUTE(CUBLASLT_MATMUL_PREF_SEARCH_MODE, LtPreference, search_mode),
    ATTRIBUTE(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, LtPreference, workspace_bytes),
    ATTRIBUTE(CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, LtPreference, reduction_schemes),
    ATTRIBUTE(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, LtPreference, alignment_a),
    ATTRIBUTE(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, LtPreference, alignment_b),
    ATTRIBUTE(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, LtPreference, alignment_c),
    ATTRIBUTE(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, LtPreference, alignment_d),
    ATTRIBUTE(CUBLASLT_MATMUL_PREF_MAX_WAVES_COUNT, LtPreference, most_waves),
    ATTRIBUTE(CUBLASLT_MATMUL_PREF_IMPL_MASK, LtPreference, implementations)};
#undef ATTRIBUTE

template <class Content, class Opaque> cublasStatus_t create(Opaque** descriptor, const Content& content) {
  static_assert(sizeof(Content) <= sizeof(Opaque) && alignof(Content) <= alignof(Opaque));
  if (!descriptor) return CUBLAS_STATUS_INVALID_VALUE;
  *descriptor = new (std::nothrow) Opaque{};
  if (!*descriptor) return CUBLAS_STATUS_ALLOC_FAILED;
  new ((*descriptor)->data) Content(content);
  return CUBLAS_STATUS_SUCCESS;
}
template <class Opaque> cublasStatus_t destroy(Opaque* descriptor) {
  delete descriptor;
  return CUBLAS_STATUS_SUCCESS;
}

const Attribute* find(std::span<const Attribute> attributes, int number) {
  for (const Attribute& attribute : attributes)
    if (attribute.number == number) return &attribute;
  return nullptr;
}
template <class Opaque> cublasStatus_t set(Opaque* descriptor, std::span<const Attribute> attributes,
                                           int number, const void* value, std::size_t bytes) {
  const Attribute* const found = find(attributes, number);
  if (!descriptor || !found || !value || bytes != found->bytes) return CUBLAS_STATUS_INVALID_VALUE;
  std::memcpy(reinterpret_cast<u8*>(descriptor->data) + found->offset, value, bytes);
  return CUBLAS_STATUS_SUCCESS;
}
// If the caller passes no room, only reports how many bytes the attribute has.
template <class Opaque> cublasStatus_t get(const Opaque* descriptor, std::span<const Attribute> attributes,
                                           int number, void* value, std::size_t bytes, std::size_t* written) {
  const Attribute* const found = find(attributes, number);
  if (!descriptor || !found || (bytes == 0 ? !written : !value || bytes < found->bytes))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (bytes) std::memcpy(value, reinterpret_cast<const u8*>(descriptor->data) + found->offset, found->bytes);
  if (written) *written = found->bytes;
  return CUBLAS_STATUS_SUCCESS;
}

}  // namespace

namespace gpusim::libraries {
const LtLayout& content(cublasLtMatrixLayout_t layout) {
  return *reinterpret_cast<const LtLayout*>(layout->data);
}
const LtProduct& content(cublasLtMatmulDesc_t product) {
  return *reinterpret_cast<const LtProduct*>(product->data);
}
}  // namespace gpusim::libraries

extern "C" {

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* layout, cudaDataType type, uint64_t rows,
                                          uint64_t columns, int64_t ld) {
  return create(layout, LtLayout{.type = type, .rows = rows, .columns = columns, .ld = ld});
}
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout) { return destroy(layout); }
cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t layout,
                                                cublasLtMatrixLayoutAttribute_t attribute, const void* value,
                                                size_t bytes) {
  return set(layout, kOfLayout, attribute, value, bytes);
}
cublasStatus_t cublasLtMatrixLayoutGetAttribute(cublasLtMatrixLayout_t layout,
                                                cublasLtMatrixLayoutAttribute_t attribute, void* value,
                                                size_t bytes, size_t* written) {
  return get(layout, kOfLayout, attribute, value, bytes, written);
}

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* description, cublasComputeType_t compute,
                                        cudaDataType scale) {
  return create(description, LtProduct{.compute = compute, .scale = scale});
}
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t description) { return destroy(description); }
cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t description,
                                              cublasLtMatmulDescAttributes_t attribute, const void* value,
                                              size_t bytes) {
  return set(description, kOfProduct, attribute, value, bytes);
}
cublasStatus_t cublasLtMatmulDescGetAttribute(cublasLtMatmulDesc_t description,
                                              cublasLtMatmulDescAttributes_t attribute, void* value,
                                              size_t bytes, size_t* written) {
  return get(description, kOfProduct, attribute, value, bytes, written);
}

cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* preference) {
  return create(preference, LtPreference{});
}
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference) {
  return destroy(preference);
}
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t preference,
                                                    cublasLtMatmulPreferenceAttributes_t attribute,
                                                    const void* value, size_t bytes) {
  return set(preference, kOfPreference, attribute, value, bytes);
}
cublasStatus_t cublasLtMatmulPreferenceGetAttribute(cublasLtMatmulPreference_t preference,
                                                    cublasLtMatmulPreferenceAttributes_t attribute,
                                                    void* value, size_t bytes, size_t* written) {
  return get(preference, kOfPreference, attribute, value, bytes, written);
}

}  // extern "C"
// SPDX-License-Identifier: MIT
