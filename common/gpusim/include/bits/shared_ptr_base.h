// libstdc++'s header of this name says __attribute__((__noinline__)), and __noinline__ is a macro here for clang before 15, which
// does not know it as a keyword (gpusim/detail/host_defines.h).
#pragma push_macro("__noinline__")
#undef __noinline__
#include_next <bits/shared_ptr_base.h>
#pragma pop_macro("__noinline__")
// SPDX-License-Identifier: MIT
