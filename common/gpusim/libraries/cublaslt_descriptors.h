// What the opaque descriptors of cuBLASLt hold.
#pragma once

#include "base/base.h"
#include "cublasLt.h"

namespace gpusim::libraries {

struct LtLayout {
  cudaDataType type = CUDA_R_32F;
  s32 order = CUBLASLT_ORDER_COL;
  u64 rows = 0, columns = 0;
  s64 ld = 0;  // elements
  s32 batch_count = 1;
  s64 batch_offset = 0, plane_offset = 0;  // elements
};

struct LtProduct {
  cublasComputeType_t compute = CUBLAS_COMPUTE_32F;
  cudaDataType scale = CUDA_R_32F;  // of alpha and beta
  s32 pointer_mode = CUBLASLT_POINTER_MODE_HOST;
  s32 opA = CUBLAS_OP_N, opB = CUBLAS_OP_N, opC = CUBLAS_OP_N;
  s32 fill = CUBLAS_FILL_MODE_FULL;
  u32 epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  const void* bias = nullptr;
  const void* aux = nullptr;
  s64 bias_stride = 0, aux_ld = 0, aux_stride = 0, alpha_stride = 0;  // elements
  s32 bias_type = -1, aux_type = -1;                                  // -1: as D
  s32 sm_count_target = 0;
  s8 fast_accumulation = 0;
  const void *a_scale = nullptr, *b_scale = nullptr, *c_scale = nullptr, *d_scale = nullptr,
             *d_amax = nullptr, *aux_scale = nullptr, *aux_amax = nullptr;  // of 8-bit floats
};

struct LtPreference {
  u32 search_mode = CUBLASLT_SEARCH_BEST_FIT;
  u64 workspace_bytes = 0;
  u32 reduction_schemes = CUBLASLT_REDUCTION_SCHEME_MASK;
  u32 alignment_a = 256, alignment_b = 256, alignment_c = 256, alignment_d = 256;  // bytes
  float most_waves = 0;                                                            // 0: any number
  u64 implementations = ~u64(0);
};

const LtLayout& content(cublasLtMatrixLayout_t);
const LtProduct& content(cublasLtMatmulDesc_t);

}  // namespace gpusim::libraries
// SPDX-License-Identifier: MIT
