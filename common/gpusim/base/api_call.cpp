#include "base/api_call.h"

#ifdef __GLIBC__
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string_view>
#include <vector>
#endif

namespace gpusim {
#ifndef __GLIBC__  // no stack to look at

ApiCall ApiCall::here() { return {}; }
ApiCall ApiCall::at(void*) { return {}; }
ApiCall::Line ApiCall::line() const { return {}; }

#else
namespace {

struct StackFrame {
  std::string module;         // the file that the code is in
  std::uintptr_t offset = 0;  // in it, of the call
};

StackFrame stack_frame(void* returns_to) {
  Dl_info info;
  link_map* map = nullptr;
  if (!dladdr1(returns_to, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) || !map) return {};
  const bool is_program = !map->l_name || !*map->l_name;
  return {is_program ? "/proc/" + std::to_string(getpid()) + "/exe" : map->l_name,
          reinterpret_cast<std::uintptr_t>(returns_to) - map->l_addr - 1};
}

// What a command prints; empty if it cannot be run.
std::string output_of(const std::vector<std::string>& command) {
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return "";
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&files, ends[1], 1);
  posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const bool runs = posix_spawnp(&child, words[0], &files, nullptr, words.data(), environ) == 0;
  posix_spawn_file_actions_destroy(&files);
  close(ends[1]);
  std::string text;
  char piece[4096];
  for (ssize_t got; runs && (got = read(ends[0], piece, sizeof piece)) > 0;)
    text.append(piece, std::size_t(got));
  close(ends[0]);
  if (runs) waitpid(child, nullptr, 0);
  return text;
}

enum class Owner { nobody_knows, runtime, library, program };

Owner whose(const std::string& function, const std::string& file) {
  if (file.empty() || file[0] == '?') return Owner::nobody_knows;
  if (function.find("__device_stub__") != function.npos) return Owner::runtime;
  if (file.find("/common/gpusim/") != file.npos) return Owner::runtime;
  for (const char* folder : {"/cub/", "/thrust/", "/cuda/std/"})
    if (file.find(folder) != file.npos) return Owner::library;
  return file.starts_with("/usr/") ? Owner::runtime : Owner::program;
}

// Parses addr2line's answer, for example "/folder/file.cu:12 (discriminator 3)".
ApiCall::Line line_of(const std::string& place) {
  const std::size_t colon = place.rfind(':', place.find(" ("));
  if (colon == place.npos) return {};
  return {place.substr(0, colon), std::atoi(place.c_str() + colon + 1)};
}

}  // namespace

ApiCall ApiCall::here() {
  ApiCall site;
  backtrace(site.frames_.data(), int(kMost));
  return site;
}

ApiCall ApiCall::at(void* pc) {
  std::array<void*, kMost + 8> all = {};  // the first few are the signal handler's
  backtrace(all.data(), int(all.size()));
  const auto interrupted = std::ranges::find(all, pc);
  ApiCall site;
  if (interrupted != all.end())
    std::copy_n(interrupted, std::min(kMost, std::size_t(all.end() - interrupted)), site.frames_.begin());
  site.frames_[0] = static_cast<char*>(pc) + 1;  // as if a call here returned to the next byte
  return site;
}

ApiCall::Line ApiCall::line() const {
  std::vector<std::string> command = {"addr2line", "-f", "-i", "-e", ""};
  for (std::size_t k = 0; k < kMost && frames_[k];) {
    // All frames of one module at once, because the program that reads its tables begins by reading all of them.
    const std::string module = stack_frame(frames_[k]).module;
    command.resize(5);
    command[4] = module;
    for (; k < kMost && frames_[k]; ++k) {
      const StackFrame frame = stack_frame(frames_[k]);
      if (frame.module != module) break;
      std::ostringstream address;
      address << "0x" << std::hex << frame.offset;
      command.push_back(address.str());
    }
    if (module.empty() || module.starts_with("/lib") || module.starts_with("/usr/lib")) continue;
    std::istringstream text(output_of(command));
    for (std::string function, place; std::getline(text, function) && std::getline(text, place);) {
      const Owner owner = whose(function, place);
      const Line line = line_of(place);
      if (owner == Owner::library) return {};
      if (owner == Owner::program && line.number != 0) return line;
    }
  }
  return {};
}

#endif
}  // namespace gpusim
// SPDX-License-Identifier: MIT
