// Kernels of a few instructions that a fault stops, and what is told of it.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <string>

#include "gpu.h"

namespace gpusim {

struct PtxKernel {
  std::string body;  // each line is a line of test.cu, from 1 on; %lane, %rd1 and %rd2 have values
  std::string declarations = "";  // of the module
  std::string locals = "";        // of the kernel
  u32 threads = 32;
};
// A GPU and what its last launch was stopped by.
struct FaultyGpu {
  Gpu gpu;
  FaultCode code = FaultCode::assertion;

  std::string run(const PtxKernel& kernel, u64 first = 0, u64 second = 0) {
    std::string text =
        ".version 7.1\n.target sm_80\n.address_size 64\n.file 1 \"test.cu\"\n" + kernel.declarations +
        "\n.visible .entry test(.param .u64 first, .param .u64 second) {\n" + kernel.locals +
        "\n.reg .pred %p<4>; .reg .b32 %lane, %r<24>; .reg .b64 %rd<8>; .reg .f32 %f<4>; .reg .b16 %h<4>;\n"
        "ld.param.u64 %rd1, [first]; ld.param.u64 %rd2, [second]; mov.u32 %lane, %laneid;\n";
    u32 line = 1;
    for (std::size_t at = 0; at < kernel.body.size(); ++line) {
      const std::size_t end = std::min(kernel.body.find('\n', at), kernel.body.size());
      text += ".loc 1 " + std::to_string(line) + " 0\n" + kernel.body.substr(at, end - at) + "\n";
      at = end + 1;
    }
    std::string error;
    const Module* const module = gpu.load(text + "}\n", &error);
    REQUIRE_MESSAGE(module, error);
    REQUIRE(module->kernel("test")->unsupported == "");
    const u64 params[] = {first, second};
    const std::optional<Fault> fault =
        gpu.device.launch(*module, *module->kernel("test"), {{1, 1, 1}, {kernel.threads, 1, 1}},
                          reinterpret_cast<const u8*>(params));
    if (!fault) return "";
    code = fault->code;
    return fault->message;
  }
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
