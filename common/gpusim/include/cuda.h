// The CUDA driver API is not simulated. Programs that include this header for CUDA_VERSION, or out of habit,
// compile; a call to a driver function (cuInit, cuLaunchKernel, …) does not.
#pragma once
#define __cuda_cuda_h__  // programs ask whether it is there

#define CUDA_VERSION 11080

typedef unsigned int cuuint32_t;
typedef unsigned long long CUdeviceptr;
typedef int CUdevice;
typedef struct CUctx_st* CUcontext;
typedef struct CUmod_st* CUmodule;
typedef struct CUfunc_st* CUfunction;
typedef struct CUstream_st* CUstream;
typedef struct CUevent_st* CUevent;
