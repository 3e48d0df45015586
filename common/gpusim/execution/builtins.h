// Device functions that the host computes: printf, assert, and the mathematical functions for which PTX has no
// instruction (a GPU compiler links a library for these). Device code declares them extern; a call to one that
// the module does not define ends here.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"
#include "execution/device.h"
#include "ptx/program.h"

namespace gpusim {

// What a kernel asks for that launches another.
struct ChildRequest {
  std::string kernel;  // as the source has it
  Dim3 grid, block;
  u64 shared_bytes = 0;
  bool is_tail = false;  // runs after all others that this grid launches
  std::vector<std::vector<u8>> arguments;
};

// One call by one lane.
class HostCall {
 public:
  virtual ~HostCall() = default;
  // Bytes of the i-th argument, and of the result (null if the function has none).
  const u8* const* arguments = nullptr;
  u32 argument_count = 0;
  u8* result = nullptr;
  Dim3 block_index;
  std::string_view kernel;  // pretty name
  virtual Dim3 thread_index() const { return {}; }
  // Bytes behind a generic address as the calling thread sees it (global, shared, local, constant); null when
  // [address, address + count) is not all there.
  virtual u8* memory(u64 generic_address, std::size_t count) = 0;
  // That of a handle, or null; and where all its elements lie, null if they have been freed.
  virtual const Texture* texture(u64 handle) = 0;
  virtual u8* elements(const Texture& texture) { return memory(texture.address, texture.size); }
  // The kernel's own memory (malloc). allocate() returns an address, or 0 if there is no room. release() is false unless a block
  // starts there.
  virtual u64 allocate(std::size_t) { return 0; }
  virtual bool release(u64) { return false; }
  // Why it cannot be launched; empty: it runs when this kernel has ended.
  virtual std::string launch(const ChildRequest&) { return "nothing can be launched here"; }

  template <class T> T argument(u32 i) const {
    T value;
    __builtin_memcpy(&value, arguments[i], sizeof value);
    return value;
  }
  template <class T> void give(T value) { __builtin_memcpy(result, &value, sizeof value); }
};

// Computes the call; a fault stops the launch (assert).
using HostFunction = std::optional<Fault> (*)(HostCall&);

// The function of that name, or null: "vprintf", "__assertfail", "__nv_expf", …
HostFunction find_host_function(std::string_view name);

// The arguments and the result of all lanes: where lane 0's is, and how far it is from lane to lane.
struct HostLanes {
  struct Value {
    u8* bytes;
    u32 stride;
  };
  static constexpr u32 kMostArguments = 4;
  Value arguments[kMostArguments], result;
};
// The same function for the lanes of a mask, if all it does is to compute a result of numbers; else null. (To prepare a HostCall
// takes longer than most of them.)
using HostLanesFunction = void (*)(const HostLanes&, Mask);
HostLanesFunction find_host_lanes_function(std::string_view name);

// Whether the function does more than give a result, or a second one by a pointer: it prints, allocates, writes, stops the launch.
bool acts_by_itself(std::string_view name);

// Does the call pass parameters of the sizes that the function has, and accept its result?
bool fits_host_function(const CallSite&);

}  // namespace gpusim
// SPDX-License-Identifier: MIT
