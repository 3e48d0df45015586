// Which bytes of global memory each block of a launch loads and stores: what of a product a block makes, say.
//
//   gpusim::AccessRecord record;
//   transpose_tile<<<tiles, threads>>>(in, out, rows, columns);
//   for (const gpusim::GlobalBytes& bytes : record.stores()) …
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace gpusim {

// Bytes side by side that the lanes of one warp touch with one instruction.
struct GlobalBytes {
  std::uint64_t block = 0;           // linear index in the grid
  std::uint64_t begin = 0, end = 0;  // device addresses; the end is one behind the last byte
};

class AccessRecorder;

// Records all launches while it lives, on the GPU that the calling host thread uses. In the order of execution; an
// atomic is a store.
class AccessRecord {
 public:
  AccessRecord();
  ~AccessRecord();
  AccessRecord(const AccessRecord&) = delete;
  AccessRecord& operator=(const AccessRecord&) = delete;

  const std::vector<GlobalBytes>& loads() const;
  const std::vector<GlobalBytes>& stores() const;

 private:
  std::unique_ptr<AccessRecorder> recorder_;
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
