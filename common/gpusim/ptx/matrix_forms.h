// The products that mma.sync makes: d = a · b + c, where a has m rows and k columns, b k rows and n = 8 columns, and which
// lane of the warp holds which element (PTX ISA, "Matrix Fragments for mma").
#pragma once

#include <optional>
#include <string_view>

#include "ptx/program.h"

namespace gpusim::ptx {

struct MatrixForm {
  std::string_view name;
  u8 m, k;
  Type a, b;  // of the elements; f32 here means tf32, whose 13 lowest bits are ignored
  Type sum;
  bool saturates = false;

  static constexpr u32 n = 8;
  // Elements that one register of a or b holds, or of c and d.
  constexpr u32 packed() const { return a == Type::f64 ? 1 : 4 / bytes(a); }
  constexpr u32 packed_sums() const { return sum == Type::f16 ? 2 : 1; }
  constexpr u32 a_registers() const { return m * k / kWarpSize / packed(); }
  constexpr u32 b_registers() const { return n * k / kWarpSize / packed(); }
  constexpr u32 sum_registers() const { return m * n / kWarpSize / packed_sums(); }
  constexpr Type factor_register() const { return a == Type::f64 ? Type::f64 : Type::b32; }
  constexpr Type sum_register() const { return sum == Type::f16 ? Type::b32 : sum; }

  static constexpr u32 bytes(Type t) {
    return t == Type::f64 ? 8 : t == Type::f32 ? 4 : t == Type::u8 || t == Type::s8 ? 1 : 2;
  }
};

#define GPUSIM_INTEGER_PRODUCTS(shape, m, k, a, b)                                            \
  {shape ".row.col.s32." #a "." #b ".s32", m, k, Type::a, Type::b, Type::s32}, {              \
    shape ".row.col.satfinite.s32." #a "." #b ".s32", m, k, Type::a, Type::b, Type::s32, true \
  }
#define GPUSIM_INTEGER_SHAPES(a, b)                                                                   \
  GPUSIM_INTEGER_PRODUCTS("m8n8k16", 8, 16, a, b), GPUSIM_INTEGER_PRODUCTS("m16n8k16", 16, 16, a, b), \
      GPUSIM_INTEGER_PRODUCTS("m16n8k32", 16, 32, a, b)
inline constexpr MatrixForm kMatrixForms[] = {
    {"m16n8k16.row.col.f32.f16.f16.f32", 16, 16, Type::f16, Type::f16, Type::f32},
    {"m16n8k16.row.col.f16.f16.f16.f16", 16, 16, Type::f16, Type::f16, Type::f16},
    {"m16n8k8.row.col.f32.f16.f16.f32", 16, 8, Type::f16, Type::f16, Type::f32},
    {"m16n8k8.row.col.f16.f16.f16.f16", 16, 8, Type::f16, Type::f16, Type::f16},
    {"m16n8k16.row.col.f32.bf16.bf16.f32", 16, 16, Type::bf16, Type::bf16, Type::f32},
    {"m16n8k8.row.col.f32.bf16.bf16.f32", 16, 8, Type::bf16, Type::bf16, Type::f32},
    {"m16n8k4.row.col.f32.tf32.tf32.f32", 16, 4, Type::f32, Type::f32, Type::f32},
    {"m16n8k8.row.col.f32.tf32.tf32.f32", 16, 8, Type::f32, Type::f32, Type::f32},
    {"m8n8k4.row.col.f64.f64.f64.f64", 8, 4, Type::f64, Type::f64, Type::f64},
    GPUSIM_INTEGER_SHAPES(s8, s8),
    GPUSIM_INTEGER_SHAPES(s8, u8),
    GPUSIM_INTEGER_SHAPES(u8, s8),
    GPUSIM_INTEGER_SHAPES(u8, u8),
};
#undef GPUSIM_INTEGER_SHAPES
#undef GPUSIM_INTEGER_PRODUCTS

constexpr std::optional<u8> matrix_form_named(std::string_view name) {
  for (u8 k = 0; k < std::size(kMatrixForms); ++k)
    if (kMatrixForms[k].name == name) return k;
  return {};
}

}  // namespace gpusim::ptx
// SPDX-License-Identifier: MIT
