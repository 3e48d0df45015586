// Which products of elements of A and B a wrong element of C is the sum of, measured.
#pragma once

#include <string>

#include "gemm_checks.h"
#include "harness/gemm_reference.h"

namespace judge {

// What is wrong with the kernel's result of this problem: "C[3][5] lacks A[3][k] * B[k][5] for k = 32 to 34", or that it is
// right with alpha 1 and beta 0. The kernel runs on matrices that tell their elements apart, and on random ones that the
// answer has to explain. "" if there is no such answer: the kernel multiplies something else, or k is too long to try.
std::string wrong_terms(const GemmKernel& kernel, const harness::GemmProblem& problem);

}  // namespace judge
// SPDX-License-Identifier: MIT
