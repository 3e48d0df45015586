// Arrays, pitched memory of three dimensions and the copies between them.
#include <doctest/doctest.h>

#include <cstring>
#include <numeric>
#include <vector>

#include "runtime_module.h"

using namespace runtime_test;

namespace {

using Bytes = std::vector<unsigned char>;

Bytes counting(size_t count, int first = 1) {
  Bytes bytes(count);
  std::iota(bytes.begin(), bytes.end(), (unsigned char)(first));
  return bytes;
}
const cudaChannelFormatDesc kFloat = {32, 0, 0, 0, cudaChannelFormatKindFloat};
const cudaChannelFormatDesc kByte = {8, 0, 0, 0, cudaChannelFormatKindUnsigned};
const auto kNoArray = reinterpret_cast<cudaArray_t>(0x40);
constexpr size_t kHuge = ~size_t(0) / 2;

cudaArray_t array_of(const cudaChannelFormatDesc& format, cudaExtent extent) {
  cudaArray_t array = nullptr;
  REQUIRE(cudaMalloc3DArray(&array, &format, extent, 0) == cudaSuccess);
  return array;
}

}  // namespace

TEST_CASE_FIXTURE(FreshDevice, "an array tells its format, size and flags") {
  const cudaChannelFormatDesc half4 = cudaCreateChannelDesc(16, 16, 16, 16, cudaChannelFormatKindFloat);
  cudaArray_t array = nullptr;
  REQUIRE(cudaMalloc3DArray(&array, &half4, {5, 4, 3}, cudaArraySurfaceLoadStore) == cudaSuccess);
  cudaChannelFormatDesc format = {};
  cudaExtent extent = {};
  unsigned flags = 0;
  CHECK(cudaArrayGetInfo(&format, &extent, &flags, array) == cudaSuccess);
  CHECK(format.x == 16);
  CHECK(format.w == 16);
  CHECK(format.f == cudaChannelFormatKindFloat);
  CHECK(extent.width == 5);
  CHECK(extent.height == 4);
  CHECK(extent.depth == 3);
  CHECK(flags == cudaArraySurfaceLoadStore);
  CHECK(cudaArrayGetInfo(nullptr, nullptr, nullptr, array) == cudaSuccess);
  format = {};
  CHECK(cudaGetChannelDesc(&format, array) == cudaSuccess);
  CHECK(format.y == 16);
  CHECK(cudaGetChannelDesc(&format, kNoArray) == cudaErrorInvalidResourceHandle);
  CHECK(cudaFreeArray(array) == cudaSuccess);
  CHECK(cudaFreeArray(array) == cudaErrorInvalidValue);
  CHECK(cudaFreeArray(nullptr) == cudaSuccess);
}

TEST_CASE_FIXTURE(FreshDevice,
                  "an array has one, two or four equal channels of 8, 16 or 32 bits, and a size that fits") {
  cudaArray_t array = nullptr;
  const cudaChannelFormatKind s = cudaChannelFormatKindSigned, f = cudaChannelFormatKindFloat;
  for (const cudaChannelFormatDesc& wrong : {cudaChannelFormatDesc{64, 0, 0, 0, s},
                                             {8, 16, 0, 0, s},
                                             {8, 8, 8, 0, s},
                                             {8, 0, 8, 0, s},
                                             {8, 0, 0, 0, f},
                                             {32, 0, 0, 0, cudaChannelFormatKindNone},
                                             {32, 0, 0, 0, cudaChannelFormatKind(-1)},
                                             {0, 0, 0, 0, s}})
    CHECK(cudaMallocArray(&array, &wrong, 4, 4, 0) == cudaErrorInvalidChannelDescriptor);
  CHECK(cudaMallocArray(nullptr, &kFloat, 4, 4, 0) == cudaErrorInvalidValue);
  CHECK(cudaMallocArray(&array, nullptr, 4, 4, 0) == cudaErrorInvalidValue);
  CHECK(cudaMallocArray(&array, &kFloat, 0, 4, 0) == cudaErrorInvalidValue);
  CHECK(cudaMallocArray(&array, &kFloat, 4, 4, cudaArrayCubemap) == cudaErrorInvalidValue);
  CHECK(cudaMallocArray(&array, &kFloat, 131073, 1, 0) == cudaErrorInvalidValue);
  CHECK(cudaMallocArray(&array, &kFloat, 1, 65537, 0) == cudaErrorInvalidValue);
  CHECK(cudaMalloc3DArray(&array, &kFloat, {1, 1, 16385}, 0) == cudaErrorInvalidValue);
  CHECK(cudaMalloc3DArray(&array, &kFloat, {131072, 65536, 16384}, 0) == cudaErrorMemoryAllocation);
  CHECK(array == nullptr);
}

TEST_CASE_FIXTURE(FreshDevice, "rows go into an array and out of it, each within its bounds") {
  const cudaArray_t array = array_of(kByte, {6, 4, 0});
  const Bytes text = counting(24);
  CHECK(cudaMemcpy2DToArray(array, 0, 0, text.data(), 6, 6, 4, cudaMemcpyHostToDevice) == cudaSuccess);
  Bytes part(2 * 5, 0);
  CHECK(cudaMemcpy2DFromArray(part.data(), 5, array, 1, 2, 3, 2, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(part == Bytes{14, 15, 16, 0, 0, 20, 21, 22, 0, 0});
  part.assign(10, 0);
  CHECK(cudaMemcpy2DFromArrayAsync(part.data(), 5, array, 1, 2, 3, 2, cudaMemcpyDeviceToHost, nullptr) ==
        cudaSuccess);
  CHECK(part == Bytes{14, 15, 16, 0, 0, 20, 21, 22, 0, 0});
  const Bytes patch = {90, 91, 92, 93};
  CHECK(cudaMemcpy2DToArrayAsync(array, 4, 0, patch.data(), 2, 2, 2, cudaMemcpyHostToDevice, nullptr) ==
        cudaSuccess);
  // A run goes on in the next row.
  Bytes run(6, 0);
  CHECK(cudaMemcpyFromArray(run.data(), array, 3, 0, 6, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(run == Bytes{4, 90, 91, 7, 8, 9});
  CHECK(cudaMemcpyToArrayAsync(array, 5, 2, patch.data(), 3, cudaMemcpyHostToDevice, nullptr) == cudaSuccess);
  CHECK(cudaMemcpyFromArrayAsync(run.data(), array, 4, 2, 6, cudaMemcpyDeviceToHost, nullptr) == cudaSuccess);
  CHECK(run == Bytes{17, 90, 91, 92, 21, 22});
  CHECK(cudaMemcpyToArray(array, 0, 0, patch.data(), 4, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaMemcpyFromArray(run.data(), array, 0, 0, 6, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(run == Bytes{90, 91, 92, 93, 90, 91});

  const auto kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpyToArray(array, 6, 0, patch.data(), 1, kind) == cudaErrorInvalidValue);
  CHECK(cudaMemcpyToArray(array, 0, 4, patch.data(), 1, kind) == cudaErrorInvalidValue);
  CHECK(cudaMemcpyToArray(array, 4, 3, patch.data(), 3, kind) == cudaErrorInvalidValue);
  CHECK(cudaMemcpyToArray(kNoArray, 0, 0, patch.data(), 1, kind) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy2DToArray(array, 5, 0, patch.data(), 2, 2, 1, kind) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy2DToArray(array, 0, 3, patch.data(), 2, 2, 2, kind) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy2DToArray(array, kHuge, 0, patch.data(), 2, kHuge + 2, 1, kind) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy2DFromArray(part.data(), 5, kNoArray, 0, 0, 1, 1, kind) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy2DFromArray(part.data(), 2, array, 0, 0, 3, 2, cudaMemcpyDeviceToHost) ==
        cudaErrorInvalidPitchValue);
  CHECK(cudaFreeArray(array) == cudaSuccess);
}

TEST_CASE_FIXTURE(FreshDevice, "an array goes into another") {
  const cudaArray_t from = array_of(kByte, {4, 3, 0}), to = array_of(kByte, {5, 5, 0});
  const Bytes text = counting(12), zeros(25, 0);
  REQUIRE(cudaMemcpyToArray(from, 0, 0, text.data(), 12, cudaMemcpyHostToDevice) == cudaSuccess);
  REQUIRE(cudaMemcpyToArray(to, 0, 0, zeros.data(), 25, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaMemcpy2DArrayToArray(to, 2, 1, from, 1, 1, 3, 2, cudaMemcpyDeviceToDevice) == cudaSuccess);
  Bytes back(25, 99);
  CHECK(cudaMemcpyFromArray(back.data(), to, 0, 0, 25, cudaMemcpyDeviceToHost) == cudaSuccess);
  Bytes wanted(25, 0);
  const Bytes rows[] = {{6, 7, 8}, {10, 11, 12}};
  std::copy(rows[0].begin(), rows[0].end(), wanted.begin() + 5 + 2);
  std::copy(rows[1].begin(), rows[1].end(), wanted.begin() + 10 + 2);
  CHECK(back == wanted);
  CHECK(cudaMemcpy2DArrayToArray(to, 3, 1, from, 1, 1, 3, 2, cudaMemcpyDeviceToDevice) ==
        cudaErrorInvalidValue);
  CHECK(cudaMemcpy2DArrayToArray(to, 2, 1, from, 2, 1, 3, 2, cudaMemcpyDeviceToDevice) ==
        cudaErrorInvalidValue);
  CHECK(cudaFreeArray(from) == cudaSuccess);
  CHECK(cudaFreeArray(to) == cudaSuccess);
}

TEST_CASE_FIXTURE(FreshDevice,
                  "pitched memory of three dimensions is filled slice by slice, and no further") {
  cudaPitchedPtr box = {};
  REQUIRE(cudaMalloc3D(&box, {10, 3, 2}) == cudaSuccess);
  CHECK(box.pitch >= 10);
  CHECK(box.xsize == 10);
  CHECK(box.ysize == 3);
  CHECK(cudaMalloc3D(nullptr, {10, 3, 2}) == cudaErrorInvalidValue);
  cudaPitchedPtr huge = {};
  CHECK(cudaMalloc3D(&huge, {10, kHuge, 4}) != cudaSuccess);
  CHECK(cudaMemset3D(box, 1, {10, 3, 2}) == cudaSuccess);
  CHECK(cudaMemset3DAsync(box, 2, {4, 2, 2}, nullptr) == cudaSuccess);
  CHECK(cudaMemset3D(box, 3, {10, 3, 3}) == cudaErrorInvalidValue);  // a slice too many
  CHECK(cudaMemset3D({box.ptr, kHuge, kHuge, kHuge}, 3, {1, 1, 4}) == cudaErrorInvalidValue);
  for (size_t z = 0; z < 2; ++z)
    for (size_t y = 0; y < 3; ++y) {
      Bytes row(10, 0);
      const char* const start = static_cast<char*>(box.ptr) + (z * 3 + y) * box.pitch;
      CHECK(cudaMemcpy(row.data(), start, 10, cudaMemcpyDeviceToHost) == cudaSuccess);
      // The first two slices had been filled when the third was refused.
      CHECK(row == Bytes(10, 3));
    }
  CHECK(cudaFree(box.ptr) == cudaSuccess);
}

TEST_CASE_FIXTURE(FreshDevice, "boxes are copied between host, device and arrays, by position") {
  const Bytes text = counting(4 * 3 * 2);
  const cudaArray_t array = array_of(kByte, {4, 3, 2});
  cudaMemcpy3DParms in = {};
  in.srcPtr = {const_cast<unsigned char*>(text.data()), 4, 4, 3};
  in.dstArray = array;
  in.extent = {4, 3, 2};
  in.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&in) == cudaSuccess);
  // Two columns of two rows of both slices.
  Bytes out(2 * 2 * 2, 0);
  cudaMemcpy3DParms part = {};
  part.srcArray = array;
  part.srcPos = {1, 1, 0};
  part.dstPtr = {out.data(), 2, 2, 2};
  part.extent = {2, 2, 2};
  part.kind = cudaMemcpyDeviceToHost;
  CHECK(cudaMemcpy3DAsync(&part, nullptr) == cudaSuccess);
  CHECK(out == Bytes{6, 7, 10, 11, 18, 19, 22, 23});
  // Elements of four bytes: positions and widths count them.
  const std::vector<float> numbers = {1, 2, 3, 4, 5, 6};
  const cudaArray_t floats = array_of(kFloat, {3, 2, 1}), more = array_of(kFloat, {3, 2, 1});
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = {const_cast<float*>(numbers.data()), 12, 3, 2};
  copy.dstArray = floats;
  copy.extent = {3, 2, 1};
  copy.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&copy) == cudaSuccess);
  cudaMemcpy3DParms between = {};
  between.srcArray = floats;
  between.srcPos = {1, 0, 0};
  between.dstArray = more;
  between.extent = {2, 2, 1};
  between.kind = cudaMemcpyDeviceToDevice;
  CHECK(cudaMemcpy3D(&between) == cudaSuccess);
  float pair[4] = {};
  CHECK(cudaMemcpy2DFromArray(pair, 8, more, 0, 0, 8, 2, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(pair[0] == 2);
  CHECK(pair[1] == 3);
  CHECK(pair[2] == 5);
  CHECK(pair[3] == 6);

  const auto refused = [&](auto change) {
    cudaMemcpy3DParms what = part;
    change(what);
    CHECK(cudaMemcpy3D(&what) == cudaErrorInvalidValue);
  };
  CHECK(cudaMemcpy3D(nullptr) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy3DAsync(nullptr, nullptr) == cudaErrorInvalidValue);
  refused([&](auto& what) { what.srcPtr.ptr = out.data(); });  // two sources
  refused([&](auto& what) { what.dstPtr.ptr = nullptr; });     // no target
  refused([&](auto& what) { what.srcArray = nullptr; });
  refused([&](auto& what) { what.dstArray = array; });
  refused([&](auto& what) { what.srcArray = kNoArray; });
  refused([&](auto& what) { what.dstPtr.ptr = nullptr, what.dstArray = kNoArray; });
  refused([&](auto& what) { what.extent.width = 4; });
  refused([&](auto& what) { what.extent.height = 3; });
  refused([&](auto& what) { what.srcPos.z = 1; });
  refused([&](auto& what) { what.srcPos.x = kHuge, what.extent.width = kHuge + 3; });
  refused([&](auto& what) { what.dstPos = {0, 0, kHuge}; });
  refused([&](auto& what) { what.dstPtr.pitch = kHuge; });
  refused([&](auto& what) {
    what.srcArray = nullptr, what.srcPtr = {out.data(), 2, 2, 2}, what.srcPos = {0, kHuge, 0};
  });
  CHECK(out == Bytes{6, 7, 10, 11, 18, 19, 22, 23});
  for (const cudaArray_t each : {array, floats, more}) CHECK(cudaFreeArray(each) == cudaSuccess);
}
// SPDX-License-Identifier: MIT
