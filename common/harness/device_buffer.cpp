#include "harness/device_buffer.h"

#include <cstdio>
#include <cstdlib>
#include <string>

#include "harness/check.h"
#include "harness/device.h"

namespace harness {
namespace {

// "element 1000 was written" or "elements 1000..1003 were written". `first` and `last` are the first and the
// last byte written, relative to element 0 (negative: before it).
std::string written_elements(long long first, long long last, long long element_bytes) {
  const auto element = [&](long long byte) {
    return byte >= 0 ? byte / element_bytes : -((-byte + element_bytes - 1) / element_bytes);
  };
  const std::string from = std::to_string(element(first));
  if (element(first) == element(last)) return "element " + from + " was written";
  return "elements " + from + ".." + std::to_string(element(last)) + " were written";
}

// Waits for the fill, because cudaMemset() returns before it is done, and a stream that does not wait for the
// default stream could read the old bytes.
void wait() { CUDA_CHECK(cudaStreamSynchronize(nullptr)); }

}  // namespace

GuardedMemory::GuardedMemory(std::size_t bytes, Guards guards)
    : bytes_(bytes), guarded_(guards == Guards::zones) {
  const std::size_t guard = guarded_ ? kGuardBytes : 0;
  if (bytes + guard == 0) return;
  CUDA_CHECK(cudaMalloc(&allocation_, guard + bytes + guard));
  unsigned char* first = static_cast<unsigned char*>(allocation_);
  data_ = first + guard;
  if (!guarded_) return;
  // Only the zones are written. The elements stay uninitialised, so that checkers find reads of them.
  CUDA_CHECK(cudaMemset(first, kPattern, guard));
  CUDA_CHECK(cudaMemset(first + guard + bytes, kPattern, guard));
  wait();
}

// Ignores errors: the call that caused one has reported it, and a destructor cannot return it.
GuardedMemory::~GuardedMemory() { (void)cudaFree(allocation_); }

void GuardedMemory::swap(GuardedMemory& other) noexcept {
  std::swap(allocation_, other.allocation_);
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  std::swap(guarded_, other.guarded_);
}

void GuardedMemory::copy_in(const void* source, std::size_t bytes) {
  if (bytes > 0) CUDA_CHECK(cudaMemcpy(data_, source, bytes, cudaMemcpyHostToDevice));
}

void GuardedMemory::download(void* target) const {
  if (bytes_ > 0) CUDA_CHECK(cudaMemcpy(target, data_, bytes_, cudaMemcpyDeviceToHost));
}

void GuardedMemory::fill(unsigned char byte) {
  if (bytes_ == 0) return;
  CUDA_CHECK(cudaMemset(data_, byte, bytes_));
  wait();
}

bool GuardedMemory::guards_intact(std::size_t element_bytes, std::string* message) const {
  if (!guarded_) return true;
  std::vector<unsigned char> before(kGuardBytes), after(kGuardBytes);
  const unsigned char* first = static_cast<const unsigned char*>(allocation_);
  CUDA_CHECK(cudaMemcpy(before.data(), first, kGuardBytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(after.data(), first + kGuardBytes + bytes_, kGuardBytes, cudaMemcpyDeviceToHost));

  struct Zone {
    const std::vector<unsigned char>& bytes;
    long long offset;  // bytes from element 0 to the first byte of the zone
  };
  const Zone zones[] = {{before, -static_cast<long long>(kGuardBytes)},
                        {after, static_cast<long long>(bytes_)}};
  for (const Zone& zone : zones) {
    long long first_changed = -1, last_changed = -1;
    for (std::size_t i = 0; i < kGuardBytes; ++i) {
      if (zone.bytes[i] == kPattern) continue;
      if (first_changed < 0) first_changed = static_cast<long long>(i);
      last_changed = static_cast<long long>(i);
    }
    if (first_changed < 0) continue;
    if (message != nullptr) {
      *message = written_elements(zone.offset + first_changed, zone.offset + last_changed,
                                  static_cast<long long>(element_bytes)) +
                 ", but the buffer has " + std::to_string(bytes_ / element_bytes) + " elements";
    }
    return false;
  }
  return true;
}

void fail_upload(std::size_t given, std::size_t count) {
  std::fprintf(stderr, "upload of %zu elements to a device buffer of %zu\n", given, count);
  std::exit(kExitFailed);
}

}  // namespace harness
// SPDX-License-Identifier: MIT
