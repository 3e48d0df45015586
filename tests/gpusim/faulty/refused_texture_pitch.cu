// expect-finding: refused call 39
// expect-text: a texture was refused whose rows begin 40 bytes apart: a GPU takes multiples of 32 (texturePitchAlignment)
// expect-text: as cudaMallocPitch gives them
// advice: (ADVISED) check what the call returns, and clear the error with cudaGetLastError()
// Rows of ten floats without a gap between them are no texture in two dimensions.
#include <cuda_runtime.h>

__global__ void read(cudaTextureObject_t texture, float* out) {
  out[threadIdx.x] = tex2D<float>(texture, threadIdx.x + 0.5f, 1.5f);
}

int main() {
  constexpr int width = 10, height = 4;
  float *in, *out;
  size_t pitch = width * sizeof(float);
#ifdef FIXED
  cudaMallocPitch(&in, &pitch, width * sizeof(float), height);
#else
  cudaMalloc(&in, width * height * sizeof(float));
#endif
  cudaMemset(in, 0, pitch * height);
  cudaMalloc(&out, width * sizeof(float));

  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.devPtr = in;
  resource.res.pitch2D.desc = cudaCreateChannelDesc<float>();
  resource.res.pitch2D.width = width;
  resource.res.pitch2D.height = height;
  resource.res.pitch2D.pitchInBytes = pitch;
  cudaTextureDesc description = {};
  description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
  description.filterMode = cudaFilterModePoint;
  description.readMode = cudaReadModeElementType;
  cudaTextureObject_t texture = 0;
#ifdef ADVISED
  if (cudaCreateTextureObject(&texture, &resource, &description, nullptr) != cudaSuccess) cudaGetLastError();
#else
  cudaCreateTextureObject(&texture, &resource, &description, nullptr);
#endif
#ifdef FIXED
  read<<<1, width>>>(texture, out);
  cudaDeviceSynchronize();
  cudaDestroyTextureObject(texture);
#endif
  cudaFree(in);
  cudaFree(out);
}
// SPDX-License-Identifier: MIT
