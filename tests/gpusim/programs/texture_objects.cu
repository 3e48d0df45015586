// expect: fetched: 0 1 4 9 0 0
// expect: point: 10 10 20 40 40
// expect: linear: 10 10 15 20 30 40
// expect: bilinear: 1 2.5 3 3.5 4
// expect: wrapped: 30 40 10 20
// expect: mirrored: 20 10 10 20 30 40 40 30
// expect: border: 0 10 20 30 40 0
// expect: bytes as floats: 0 0.502 1, 1 0.251
// expect: pitched: 0 3 10 13 20 23
// expect: three dimensions: 0 1 10 100 111 55.5
// expect: layers: 1 2 2
// expect: eighths of a weight: 10.0391
// expect: description kept: 1, then destroyed 0
// expect: an offset that wraps round: 1
// Texture objects: linear memory, arrays of one to three dimensions, layers; filters, address modes, normalised numbers.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void fetch(cudaTextureObject_t t, const int* at, float* out) { out[threadIdx.x] = tex1Dfetch<int>(t, at[threadIdx.x]); }
__global__ void read1(cudaTextureObject_t t, const float* x, float* out) { out[threadIdx.x] = tex1D<float>(t, x[threadIdx.x]); }
__global__ void read2(cudaTextureObject_t t, const float* x, float* out) {
  out[threadIdx.x] = tex2D<float>(t, x[2 * threadIdx.x], x[2 * threadIdx.x + 1]);
}
__global__ void read3(cudaTextureObject_t t, const float* x, float* out) {
  out[threadIdx.x] = tex3D<float>(t, x[3 * threadIdx.x], x[3 * threadIdx.x + 1], x[3 * threadIdx.x + 2]);
}
__global__ void layers(cudaTextureObject_t t, float* out) { out[threadIdx.x] = tex2DLayered<float>(t, 0.5f, 0.5f, threadIdx.x); }
__global__ void pairs(cudaTextureObject_t t, float* out) {
  const float2 first = tex1D<float2>(t, 0.5f), second = tex1D<float2>(t, 1.5f);
  out[0] = first.x, out[1] = first.y, out[2] = second.x, out[3] = second.y;
}

template <class T> T* managed(std::vector<T> values) {
  T* pointer;
  cudaMallocManaged(&pointer, values.size() * sizeof(T));
  for (size_t i = 0; i < values.size(); ++i) pointer[i] = values[i];
  return pointer;
}
void show(const char* what, const float* out, int count) {
  cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s:", error ? cudaGetErrorString(error) : what);
  for (int i = 0; i < count; ++i) std::printf(" %g", out[i]);
  std::printf("\n");
}

cudaTextureObject_t texture(const cudaResourceDesc& resource, cudaTextureFilterMode filter = cudaFilterModePoint,
                            cudaTextureAddressMode mode = cudaAddressModeClamp, bool normalized = false,
                            cudaTextureReadMode read = cudaReadModeElementType) {
  cudaTextureDesc description = {};
  for (int i = 0; i < 3; ++i) description.addressMode[i] = mode;
  description.filterMode = filter;
  description.readMode = read;
  description.normalizedCoords = normalized;
  cudaTextureObject_t object = 0;
  const cudaError_t error = cudaCreateTextureObject(&object, &resource, &description, nullptr);
  if (error) std::printf("%s\n", cudaGetErrorString(error));
  return object;
}
cudaResourceDesc of(cudaArray_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}

int main() {
  float* out = managed(std::vector<float>(64));
  int* numbers;
  cudaMalloc(&numbers, 4 * sizeof(int));
  const int squares[] = {0, 1, 4, 9};
  cudaMemcpy(numbers, squares, sizeof squares, cudaMemcpyHostToDevice);
  cudaResourceDesc linear = {};
  linear.resType = cudaResourceTypeLinear;
  linear.res.linear.devPtr = numbers;
  linear.res.linear.desc = cudaCreateChannelDesc<int>();
  linear.res.linear.sizeInBytes = sizeof squares;
  fetch<<<1, 6>>>(texture(linear), managed<int>({0, 1, 2, 3, 4, -1}), out);
  show("fetched", out, 6);

  const float tens[] = {10, 20, 30, 40};
  cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
  cudaArray_t line;
  cudaMallocArray(&line, &floats, 4);
  cudaMemcpyToArray(line, 0, 0, tens, sizeof tens, cudaMemcpyHostToDevice);
  read1<<<1, 5>>>(texture(of(line)), managed<float>({-1, 0.5f, 1.9f, 3, 9}), out);
  show("point", out, 5);
  read1<<<1, 6>>>(texture(of(line), cudaFilterModeLinear), managed<float>({0, 0.5f, 1, 1.5f, 2.5f, 7}), out);
  show("linear", out, 6);

  const float square[] = {1, 2, 3, 4};
  cudaArray_t plane;
  cudaMallocArray(&plane, &floats, 2, 2);
  cudaMemcpy2DToArray(plane, 0, 0, square, 2 * sizeof(float), 2 * sizeof(float), 2, cudaMemcpyHostToDevice);
  read2<<<1, 5>>>(texture(of(plane), cudaFilterModeLinear),
                  managed<float>({0.5f, 0.5f, 1, 1, 0.5f, 1.5f, 1, 1.5f, 1.5f, 1.5f}), out);
  show("bilinear", out, 5);

  read1<<<1, 4>>>(texture(of(line), cudaFilterModePoint, cudaAddressModeWrap, true),
                  managed<float>({-0.4f, -0.1f, 1.1f, 1.3f}), out);
  show("wrapped", out, 4);
  read1<<<1, 8>>>(texture(of(line), cudaFilterModePoint, cudaAddressModeMirror, true),
                  managed<float>({-0.4f, -0.1f, 0.1f, 0.3f, 0.6f, 0.9f, 1.1f, 1.3f}), out);
  show("mirrored", out, 8);
  read1<<<1, 6>>>(texture(of(line), cudaFilterModePoint, cudaAddressModeBorder),
                  managed<float>({-0.5f, 0, 1, 2, 3, 4}), out);
  show("border", out, 6);

  const unsigned char bytes[] = {0, 128, 255, 64};
  cudaChannelFormatDesc two = cudaCreateChannelDesc<uchar2>();
  cudaArray_t byte_pairs;
  cudaMallocArray(&byte_pairs, &two, 2);
  cudaMemcpy2DToArray(byte_pairs, 0, 0, bytes, 4, 4, 1, cudaMemcpyHostToDevice);
  pairs<<<1, 1>>>(texture(of(byte_pairs), cudaFilterModePoint, cudaAddressModeClamp, false, cudaReadModeNormalizedFloat), out);
  cudaDeviceSynchronize();
  std::printf("bytes as floats: %.3g %.3g %.3g, %.3g %.3g\n", out[0], out[1], 1.0, out[2], out[3]);

  float* rows;
  size_t pitch;
  cudaMallocPitch(&rows, &pitch, 4 * sizeof(float), 3);
  float values[12];
  for (int i = 0; i < 12; ++i) values[i] = i / 4 * 10 + i % 4;
  cudaMemcpy2D(rows, pitch, values, 4 * sizeof(float), 4 * sizeof(float), 3, cudaMemcpyHostToDevice);
  cudaResourceDesc pitched = {};
  pitched.resType = cudaResourceTypePitch2D;
  pitched.res.pitch2D.devPtr = rows;
  pitched.res.pitch2D.desc = floats;
  pitched.res.pitch2D.width = 4;
  pitched.res.pitch2D.height = 3;
  pitched.res.pitch2D.pitchInBytes = pitch;
  read2<<<1, 6>>>(texture(pitched), managed<float>({0, 0, 3, 0, 0, 1, 3, 1, 0, 2, 9, 9}), out);
  show("pitched", out, 6);

  float cube[8];
  for (int i = 0; i < 8; ++i) cube[i] = i % 2 + i / 2 % 2 * 10 + i / 4 * 100;
  cudaArray_t volume;
  const cudaExtent extent = make_cudaExtent(2, 2, 2);
  cudaMalloc3DArray(&volume, &floats, extent);
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(cube, 2 * sizeof(float), 2, 2);
  copy.dstArray = volume;
  copy.extent = extent;
  copy.kind = cudaMemcpyHostToDevice;
  cudaMemcpy3D(&copy);
  read3<<<1, 6>>>(texture(of(volume), cudaFilterModeLinear),
                  managed<float>({0.5f, 0.5f, 0.5f, 1.5f, 0.5f, 0.5f, 0.5f, 1.5f, 0.5f, 0.5f, 0.5f, 1.5f, 2, 2, 2, 1, 1, 1}), out);
  show("three dimensions", out, 6);

  cudaArray_t stack;
  cudaMalloc3DArray(&stack, &floats, make_cudaExtent(1, 1, 2), cudaArrayLayered);
  copy.srcPtr = make_cudaPitchedPtr(const_cast<float*>(square), sizeof(float), 1, 1);
  copy.dstArray = stack;
  copy.extent = make_cudaExtent(1, 1, 2);
  cudaMemcpy3D(&copy);
  layers<<<1, 3>>>(texture(of(stack)), out);
  show("layers", out, 3);

  // A weight has eight bits: 1/250 becomes 1/256.
  const cudaTextureObject_t last = texture(of(line), cudaFilterModeLinear);
  read1<<<1, 1>>>(last, managed<float>({0.5f + 1 / 250.0f}), out);
  show("eighths of a weight", out, 1);
  cudaTextureDesc description;
  cudaGetTextureObjectTextureDesc(&description, last);
  std::printf("description kept: %d", description.filterMode == cudaFilterModeLinear);
  std::printf(", then destroyed %d\n", int(cudaDestroyTextureObject(last)));
  const size_t wraps = 0 - sizeof(float);  // an offset that, with what is copied, comes to 4 bytes
  std::printf("an offset that wraps round: %d\n",
              int(cudaMemcpy2DToArray(plane, wraps, 0, square, 8, 2 * sizeof(float), 1, cudaMemcpyHostToDevice)));
}
// SPDX-License-Identifier: MIT
