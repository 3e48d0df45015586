// Names for what the driver API makes, for profilers: there is none, so they are taken and forgotten.
#pragma once
#include "cuda.h"
#include "nvToolsExt.h"

inline void nvtxNameCuDeviceA(CUdevice, const char*) {}
inline void nvtxNameCuDeviceW(CUdevice, const wchar_t*) {}
inline void nvtxNameCuContextA(CUcontext, const char*) {}
inline void nvtxNameCuContextW(CUcontext, const wchar_t*) {}
inline void nvtxNameCuStreamA(CUstream, const char*) {}
inline void nvtxNameCuStreamW(CUstream, const wchar_t*) {}
inline void nvtxNameCuEventA(CUevent, const char*) {}
inline void nvtxNameCuEventW(CUevent, const wchar_t*) {}
#ifdef UNICODE
#define nvtxNameCuDevice nvtxNameCuDeviceW
#define nvtxNameCuContext nvtxNameCuContextW
#define nvtxNameCuStream nvtxNameCuStreamW
#define nvtxNameCuEvent nvtxNameCuEventW
#else
#define nvtxNameCuDevice nvtxNameCuDeviceA
#define nvtxNameCuContext nvtxNameCuContextA
#define nvtxNameCuStream nvtxNameCuStreamA
#define nvtxNameCuEvent nvtxNameCuEventA
#endif
// SPDX-License-Identifier: MIT
