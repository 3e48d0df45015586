// Device memory that frees itself and knows when a kernel has written past its ends.
//
//   guard zone (256 bytes) | count elements | guard zone (256 bytes)
//
// Both zones hold a pattern. If a kernel writes there by mistake, the pattern has changed; if it reads a
// float there, it gets NaN, which spoils its sum. data() is aligned to 256 bytes, as cudaMalloc aligns, so a
// kernel touches as many sectors as without the zones.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace harness {

enum class Guards {
  zones,
  none,  // the allocation ends where the elements do, so a memory checker sees the first byte beyond them
};

// The bytes behind a DeviceBuffer, of any element type.
class GuardedMemory {
 public:
  static constexpr std::size_t kGuardBytes = 256;  // at either side
  static constexpr unsigned char kPattern = 0xff;  // four of them are a NaN; as an int, -1

  GuardedMemory(std::size_t bytes, Guards guards);
  ~GuardedMemory();
  GuardedMemory(GuardedMemory&& other) noexcept { swap(other); }
  GuardedMemory& operator=(GuardedMemory&& other) noexcept { return swap(other), *this; }
  GuardedMemory(const GuardedMemory&) = delete;
  GuardedMemory& operator=(const GuardedMemory&) = delete;

  void* data() const { return data_; }
  void upload(const void* source) { copy_in(source, bytes_); }
  void download(void* target) const;
  void fill(unsigned char byte);

  // False if a guard zone has changed. *message then names the elements, counted as if the array went on
  // there.
  bool guards_intact(std::size_t element_bytes, std::string* message) const;

 private:
  void swap(GuardedMemory& other) noexcept;
  void copy_in(const void* source, std::size_t bytes);

  void* allocation_ = nullptr;  // what cudaMalloc returned
  void* data_ = nullptr;        // the first element, kGuardBytes further where there are zones
  std::size_t bytes_ = 0;       // of the elements
  bool guarded_ = false;
};

// `count` elements of T on the device. Their contents are undefined until upload() or a fill.
template <typename T>
class DeviceBuffer {
 public:
  explicit DeviceBuffer(std::size_t count, Guards guards = Guards::zones)
      : memory_(count * sizeof(T), guards), count_(count) {}
  explicit DeviceBuffer(const std::vector<T>& values, Guards guards = Guards::zones)
      : DeviceBuffer(values.size(), guards) {
    upload(values);
  }

  T* data() { return static_cast<T*>(memory_.data()); }
  const T* data() const { return static_cast<const T*>(memory_.data()); }
  std::size_t size() const { return count_; }
  std::size_t bytes() const { return count_ * sizeof(T); }

  // `values` holds exactly size() elements.
  void upload(const std::vector<T>& values) {
    require_size(values.size());
    memory_.upload(values.data());
  }
  // Copies the elements to the host, after all kernels that were launched before.
  std::vector<T> download() const {
    std::vector<T> values(count_);
    memory_.download(values.data());
    return values;
  }

  void fill_zero() { memory_.fill(0); }
  // Fills the elements with NaN (floating point) or -1 (integers), so that an element which no kernel writes
  // cannot look right.
  void fill_poison() { memory_.fill(GuardedMemory::kPattern); }

  // "element 1000 was written, but the buffer has 1000 elements"
  bool guards_intact(std::string* message = nullptr) const {
    return memory_.guards_intact(sizeof(T), message);
  }

 private:
  void require_size(std::size_t given) const;

  GuardedMemory memory_;
  std::size_t count_ = 0;
};

[[noreturn]] void fail_upload(std::size_t given, std::size_t count);

template <typename T>
void DeviceBuffer<T>::require_size(std::size_t given) const {
  if (given != count_) fail_upload(given, count_);
}

}  // namespace harness
// SPDX-License-Identifier: MIT
