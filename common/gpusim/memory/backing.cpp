#include "memory/backing.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

#ifndef __wasm__
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace gpusim {
#ifdef __wasm__  // no pages: everything is written at once

Backing::Backing(std::size_t size, u8 fresh) {
  bytes_ = new (std::nothrow) u8[size ? size : 1];
  if (bytes_) std::memset(bytes_, fresh, size);
}
Backing::~Backing() { delete[] bytes_; }
void Backing::fill(u8* first, std::size_t count, u8 value) { std::memset(first, value, count); }

#else
namespace {

// The system provides pages of zeros. For other values there is a file of a few megabytes of that value, mapped repeatedly: a
// page that is only read is the file's, and a page that is written is copied first.
constexpr std::size_t kFileBytes = std::size_t(4) << 20;
constexpr std::size_t kRemapFrom = std::size_t(16) << 20;  // bytes; less is written sooner than mapped again

template <u8 kValue> int file_of() {
  static const int file = [] {
    const int made = memfd_create("fresh_memory", MFD_CLOEXEC);
    const std::vector<u8> contents(kFileBytes, kValue);
    if (made >= 0 && write(made, contents.data(), kFileBytes) == ssize_t(kFileBytes)) return made;
    if (made >= 0) close(made);
    return -1;
  }();
  return file;
}

// The descriptor of the one for this value, made when it is first needed; −1: there is none.
int file_of(u8 value) {
  return value == Backing::kLarge ? file_of<Backing::kLarge>()
         : value == Backing::kNan ? file_of<Backing::kNan>()
                                  : -1;
}

bool map_over(u8* first, std::size_t count, int flags, int file) {
  return mmap(first, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE | flags, file,
              0) != MAP_FAILED;
}

// Resets whole pages of an existing mapping to `value`. If it returns false, they may hold anything.
bool renew(u8* first, std::size_t count, u8 value) {
  if (value == 0) return map_over(first, count, MAP_ANONYMOUS, -1);
  const int file = file_of(value);
  if (file < 0) return false;
  for (std::size_t at = 0; at < count; at += kFileBytes)
    if (!map_over(first + at, std::min(kFileBytes, count - at), 0, file)) return false;
  return true;
}

u64 page_bytes() {
  static const u64 page = u64(sysconf(_SC_PAGESIZE));
  return page;
}

}  // namespace

Backing::Backing(std::size_t size, u8 fresh) {
  if (size < kLazyFrom) {
    bytes_ = new (std::nothrow) u8[size ? size : 1];
    if (bytes_) std::memset(bytes_, fresh, size);
    return;
  }
  void* const mapped =
      mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) return;
  bytes_ = static_cast<u8*>(mapped);
  mapped_ = size;
  if (!renew(bytes_, size, fresh)) std::memset(bytes_, fresh, size);
}

Backing::~Backing() {
  if (mapped_) munmap(bytes_, mapped_);
  else delete[] bytes_;
}

void Backing::fill(u8* first, std::size_t count, u8 value) {
  if (mapped_ && count >= kRemapFrom) {
    const std::size_t before = std::size_t(-reinterpret_cast<u64>(first) % page_bytes());
    const std::size_t whole = (count - before) / page_bytes() * page_bytes();
    if (renew(first + before, whole, value)) {
      std::memset(first, value, before);
      first += before + whole;
      count -= before + whole;
    }
  }
  std::memset(first, value, count);
}

#endif

void Backing::swap(Backing& other) noexcept {
  std::swap(bytes_, other.bytes_);
  std::swap(mapped_, other.mapped_);
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
