// Before clang 19, __float128 is an error in code for a GPU. But clang's macros promise the type there, and glibc 2.41 and
// libstdc++ 14 declare functions with it as soon as one includes <cmath>. So the promise is taken back.
#pragma once

#if defined(__CUDA_ARCH__) && defined(__clang_major__) && __clang_major__ < 19
#undef __FLOAT128__  // what libstdc++ asks
#undef __SIZEOF_FLOAT128__
#if __has_include(<bits/floatn.h>) && !defined(SYCL_LANGUAGE_VERSION)
// glibc asks which compiler this is. The only one that it knows to lack the type is Intel's for SYCL. So clang claims to be that
// one for this header, which is never read twice.
#define __INTEL_LLVM_COMPILER 1
#define SYCL_LANGUAGE_VERSION 1
#include <bits/floatn.h>
#undef __INTEL_LLVM_COMPILER
#undef SYCL_LANGUAGE_VERSION
#endif
#endif
// SPDX-License-Identifier: MIT
