// Weights and activations of few bits: packing, unpacking, and products by __dp4a and by counting bits.
#pragma once

#include "homework_common.cuh"

#include <cuda_fp16.h>

namespace outside {

struct EightBits {
  __half scale;
  signed char values[32];
};

struct FourBits {
  __half scale;
  unsigned char pairs[16];
};

// Rounds each 32 floats to bytes with a common scale: a thread per float, a warp per block of weights.
__global__ void quantize_q8(const float* in, EightBits* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const float x = in[i];
  float most = fabsf(x);
  for (int offset = 16; offset > 0; offset >>= 1)
    most = fmaxf(most, __shfl_xor_sync(kFullWarp, most, offset));
  const float scale = most / 127.0f;
  out[i / 32].values[i % 32] = most == 0.0f ? 0 : static_cast<signed char>(roundf(x / scale));
  if (i % 32 == 0) out[i / 32].scale = __float2half(scale);
}

// Weights of four bits become floats: a thread per byte, whose two floats lie sixteen apart.
__global__ void dequantize_q4(const FourBits* in, float* out, int pairs) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pairs) return;
  const int block = i / 16, k = i % 16;
  const float scale = __half2float(in[block].scale);
  const int pair = in[block].pairs[k];
  out[block * 32 + k] = scale * ((pair & 15) - 8);
  out[block * 32 + k + 16] = scale * ((pair >> 4) - 8);
}

// A matrix of weights of four bits times a vector of bytes: a warp per row, four lanes for each 32 weights.
// Words of weights are put together from halves, since blocks of 18 bytes do not align them.
__global__ void matvec_q4(const FourBits* weights, const int* x, const float* x_scales, float* out, int rows,
                          int blocks_of_row) {
  const int line = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x, quarter = lane % 4;
  if (line >= rows) return;
  float sum = 0;
  for (int b = lane / 4; b < blocks_of_row; b += 8) {
    const FourBits* const from = weights + std::size_t(line) * blocks_of_row + b;
    const unsigned short* const halves = reinterpret_cast<const unsigned short*>(from->pairs);
    const int word = int(unsigned(halves[2 * quarter]) | unsigned(halves[2 * quarter + 1]) << 16);
    const int low = word & 0x0f0f0f0f, high = word >> 4 & 0x0f0f0f0f;
    const int x_low = x[b * 8 + quarter], x_high = x[b * 8 + 4 + quarter];
    int products = __dp4a(low, x_low, 0);
    products = __dp4a(high, x_high, products);
    int of_x = __dp4a(0x01010101, x_low, 0);
    of_x = __dp4a(0x01010101, x_high, of_x);
    sum += __half2float(from->scale) * x_scales[b] * float(products - 8 * of_x);
  }
  sum = add_down(sum);
  if (lane == 0) out[line] = sum;
}

// A product of matrices of bytes, four to a word, the second one transposed: tiles of 16 x 16 words.
__global__ void gemm_int8(const int* a, const int* b, int* c, int n, int words) {
  __shared__ int of_a[16][16], of_b[16][17];
  const int tx = threadIdx.x, ty = threadIdx.y, column = blockIdx.x * 16 + tx, line = blockIdx.y * 16 + ty;
  int sum = 0;
  for (int w = 0; w < words; w += 16) {
    of_a[ty][tx] = a[line * words + w + tx];
    of_b[ty][tx] = b[(blockIdx.x * 16 + ty) * words + w + tx];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 16; ++k) sum = __dp4a(of_a[ty][k], of_b[tx][k], sum);
    __syncthreads();
  }
  c[line * n + column] = sum;
}

// A product of matrices of signs, 32 to a word: bits that agree less bits that do not, tiles of 32 x 32
// words.
__global__ void xnor_gemm(const unsigned* a, const unsigned* b, int* c, int n, int words) {
  __shared__ unsigned of_a[32][32], of_b[32][33];
  const int tx = threadIdx.x, ty = threadIdx.y, column = blockIdx.x * 32 + tx, line = blockIdx.y * 32 + ty;
  int agree = 0;
  for (int w = 0; w < words; w += 32) {
    of_a[ty][tx] = a[line * words + w + tx];
    of_b[ty][tx] = b[(blockIdx.x * 32 + ty) * words + w + tx];
    __syncthreads();
    for (int k = 0; k < 32; ++k) agree += __popc(~(of_a[ty][k] ^ of_b[tx][k]));
    __syncthreads();
  }
  c[line * n + column] = 2 * agree - 32 * words;
}

// Rounds rows to bytes with a scale each: a block of 256 per row, four floats for each thread in turn.
__global__ void quantize_rows(const float4* in, char4* out, float* scales, int quads) {
  __shared__ float of_warp[8];
  const float4* const x = in + std::size_t(blockIdx.x) * quads;
  char4* const y = out + std::size_t(blockIdx.x) * quads;
  float most = 0;
  for (int c = threadIdx.x; c < quads; c += 256) {
    const float4 v = x[c];
    most = fmaxf(most, fmaxf(fmaxf(fabsf(v.x), fabsf(v.y)), fmaxf(fabsf(v.z), fabsf(v.w))));
  }
  for (int offset = 16; offset > 0; offset >>= 1)
    most = fmaxf(most, __shfl_xor_sync(kFullWarp, most, offset));
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = most;
  __syncthreads();
  for (int k = 0; k < 8; ++k) most = fmaxf(most, of_warp[k]);
  const float inverse = most > 0 ? 127.0f / most : 0.0f;
  for (int c = threadIdx.x; c < quads; c += 256) {
    const float4 v = x[c];
    y[c] = make_char4(static_cast<signed char>(__float2int_rn(v.x * inverse)),
                      static_cast<signed char>(__float2int_rn(v.y * inverse)),
                      static_cast<signed char>(__float2int_rn(v.z * inverse)),
                      static_cast<signed char>(__float2int_rn(v.w * inverse)));
  }
  if (threadIdx.x == 0) scales[blockIdx.x] = most / 127.0f;
}

__constant__ float kNormalFloats[16] = {-1.0f,    -0.6962f, -0.5251f, -0.3949f, -0.2844f, -0.1848f,
                                        -0.0911f, 0.0f,     0.0796f,  0.1609f,  0.2461f,  0.3379f,
                                        0.4407f,  0.5626f,  0.7230f,  1.0f};

// Weights of four bits become halves by a table in constant memory, where the lanes read different places,
// and a scale for each 64 weights.
__global__ void dequantize_nf4(const unsigned char* in, const float* scales, __half2* out, int pairs) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pairs) return;
  const unsigned pair = in[i];
  const float scale = scales[i / 32];
  out[i] = __floats2half2_rn(kNormalFloats[pair >> 4] * scale, kNormalFloats[pair & 15] * scale);
}

inline FourBits four_bits_at(std::size_t k) {
  FourBits block;
  block.scale = __float2half(0.01f + 0.01f * fraction(k));
  for (int j = 0; j < 16; ++j) block.pairs[j] = static_cast<unsigned char>(scrambled(16 * k + j));
  return block;
}

inline void quantize_q8_row(const char* name, int count) {
  const Filled<float> in(count, [](std::size_t k) { return 2.0f * fraction(k) - 1.0f; });
  const Filled<EightBits> out(count / 32);
  row(name, [&] { quantize_q8<<<blocks_over(count, 256), 256>>>(in, out, count); });
}

inline void matvec_q4_row(int rows) {
  constexpr int kColumns = 4096;
  const Filled<FourBits> weights(std::size_t(rows) * kColumns / 32, four_bits_at);
  const Filled<int> x(kColumns / 4, scrambled);
  const Filled<float> scales(kColumns / 32, fraction), out(rows);
  row("matvec_q4 " + std::to_string(rows), [&] {
    matvec_q4<<<blocks_over(rows, 4), dim3(32, 4)>>>(weights, x, scales, out, rows, kColumns / 32);
  });
}

inline void quant_rows() {
  quantize_q8_row("quantize_q8 2^16", 1 << 16);
  quantize_q8_row("quantize_q8 2^24", 1 << 24);
  matvec_q4_row(2048);
  matvec_q4_row(32000);
  {
    constexpr int kBlocks = 1 << 20;
    const Filled<FourBits> in(kBlocks, four_bits_at);
    const Filled<float> out(kBlocks * 32);
    row("dequantize_q4", [&] { dequantize_q4<<<kBlocks * 16 / 256, 256>>>(in, out, kBlocks * 16); });
  }
  {
    constexpr int kSide = 1024, kWords = kSide / 4;
    const Filled<int> a(kSide * kWords, scrambled), c(kSide * kSide);
    const Filled<int> b(kSide * kWords, [](std::size_t k) { return scrambled(k + 13); });
    const dim3 blocks(kSide / 16, kSide / 16), threads(16, 16);
    row("gemm_int8", [&] { gemm_int8<<<blocks, threads>>>(a, b, c, kSide, kWords); });
  }
  {
    constexpr int kSide = 1024, kWords = 64;
    const Filled<unsigned> a(kSide * kWords, scrambled);
    const Filled<unsigned> b(kSide * kWords, [](std::size_t k) { return scrambled(k + 29); });
    const Filled<int> c(kSide * kSide);
    const dim3 blocks(kSide / 32, kSide / 32), threads(32, 32);
    row("xnor_gemm", [&] { xnor_gemm<<<blocks, threads>>>(a, b, c, kSide, kWords); });
  }
  {
    constexpr int kRows = 4096, kColumns = 4096;
    const Filled<float> in(kRows * kColumns, [](std::size_t k) { return fraction(k) - 0.5f; }), scales(kRows);
    const Filled<char4> out(kRows * kColumns / 4);
    row("quantize_rows", [&] { quantize_rows<<<kRows, 256>>>(in.as<float4>(), out, scales, kColumns / 4); });
  }
  {
    constexpr int kPairs = 1 << 23;
    const Filled<unsigned char> in(kPairs, scrambled);
    const Filled<float> scales(kPairs / 32, fraction);
    const Filled<__half2> out(kPairs);
    row("dequantize_nf4", [&] { dequantize_nf4<<<kPairs / 256, 256>>>(in, scales, out, kPairs); });
  }
}

}  // namespace outside
// SPDX-License-Identifier: MIT
