// A program of NVRTC and its log, for nvrtc_errors.cu and nvrtc_host_code.cu.
#pragma once
#include <nvrtc.h>

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

// A program, which a line of output shows.
struct Program {
  nvrtcProgram program = nullptr;

  Program(const char* source, const char* name, const std::vector<std::pair<const char*, const char*>>& headers = {}) {
    std::vector<const char*> names, texts;
    for (const auto& [header, text] : headers) names.push_back(header), texts.push_back(text);
    nvrtcCreateProgram(&program, source, name, int(headers.size()), texts.data(), names.data());
  }
  ~Program() { nvrtcDestroyProgram(&program); }
  Program& with(const char* expression) {
    nvrtcAddNameExpression(program, expression);
    return *this;
  }
  nvrtcResult compile(const std::vector<const char*>& options = {}) {
    return nvrtcCompileProgram(program, int(options.size()), options.data());
  }
  std::string log() const {
    size_t size = 0;
    nvrtcGetProgramLogSize(program, &size);
    std::string text(size, '?');
    nvrtcGetProgramLog(program, text.data());
    return text.c_str();
  }
  // The line of the log that has these words, up to their end; what it is instead.
  std::string line(const std::string& words) const {
    const std::string text = log();
    const size_t at = text.find(words);
    if (at == text.npos) return "?? " + text;
    const size_t begin = text.rfind('\n', at) + 1;
    return text.substr(begin, at + words.size() - begin);
  }
  void show(const char* what, const char* words, const std::vector<const char*>& options = {}) {
    const nvrtcResult result = compile(options);
    const std::string text = log();
    std::printf("%s: %s, %s\n", what, nvrtcGetErrorString(result), text.empty() ? "empty" : line(words).c_str());
  }
};
// SPDX-License-Identifier: MIT
