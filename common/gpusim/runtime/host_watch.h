// Host memory that the GPU may still be using: whether host code touches it before it has waited.
//
// With one GPU, work is complete when the call that gives it returns. On a real GPU, an asynchronous copy or a kernel is still
// running then. From that call to the wait for it, the pages of the host memory are protected, except while the runtime itself
// runs. If host code touches them, the line where it does so is reported, and the program continues.
#pragma once

#include <string>

#include "base/api_call.h"
#include "base/base.h"

struct CUstream_st;

namespace gpusim::runtime {

enum class GpuUse { reads, writes };

// Work of a stream uses memory that the runtime has allocated on the host (cudaMallocHost, cudaMallocManaged); other memory is
// left alone, since its pages may hold more. `what`: "a copy from the GPU to the host". Null for the stream: the order of streams
// is not recorded, and any wait ends the watch.
void watch_host_memory(u64 address, std::size_t bytes, GpuUse, const std::string& what, const CUstream_st*);

// The same for what the launch that has just ended did to such memory, as far as checks have heard of it
// (checking/host_memory_use.h). `site`: where it was launched. The first says whether there is something to watch.
bool has_used_host_memory();
void watch_launch(const std::string& kernel, const ApiCall& site, const CUstream_st*);

// Whether anything is watched. While it is, each outermost DeviceLock calls lift_host_watch() when it is taken, which also
// reports what host code has touched, and set_host_watch() before it is released.
extern bool is_host_watched;
void lift_host_watch();
void set_host_watch();

// For the handler of SIGSEGV, about an access by the instruction at `pc`: true if the program can continue, because only this
// watch had protected the page.
bool is_watched_access(u64 address, bool writes, void* pc);

// Whether the handler of this process is the runtime's (misuse.cpp), and knows reads from writes.
bool handles_segmentation_faults();

}  // namespace gpusim::runtime
// SPDX-License-Identifier: MIT
