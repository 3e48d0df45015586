#include "native/compile.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>

#include "device/lane_ops.h"
#include "device/module.h"
#include "native/emit.h"
#include "observers/counters.h"

extern char** environ;
// Not there in programs that are linked with -static, which so need no warning about it.
extern "C" [[gnu::weak]] void* dlopen(const char*, int) noexcept;
extern "C" [[gnu::weak]] void* dlsym(void* __restrict, const char* __restrict) noexcept;
extern "C" [[gnu::weak]] char* dlerror() noexcept;

namespace gpusim {
namespace {

namespace fs = std::filesystem;

// Of a function: clang takes some ten milliseconds for each.
constexpr u32 kMostInstructions = 5000;

// A folder for one compilation; gone, with what is in it, at the end.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::error_code error;
    const fs::path parent = fs::temp_directory_path(error);
    if (error) return;
    std::string name = (parent / "gpusim-native-XXXXXX").string();
    if (mkdtemp(name.data())) path_ = name;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  bool exists() const { return !path_.empty(); }
  std::string file(const char* name) const { return path_ / name; }

 private:
  fs::path path_;
};

std::string first_error(const std::string& file) {
  std::ifstream messages(file);
  for (std::string line; std::getline(messages, line);)
    if (const auto at = line.find("error: "); at != std::string::npos) return line.substr(at + 7);
  return "it failed";
}

constexpr auto kPatience = std::chrono::seconds(60);
constexpr int kNotRun = -1, kTookTooLong = -2;

// The exit status of a command whose messages go to a file, or one of those two.
int run(const std::vector<std::string>& command, const std::string& messages) {
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 1, messages.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&files, 1, 2);
  pid_t child;
  const int failed = posix_spawn(&child, words[0], &files, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  if (failed) return kNotRun;
  const auto end = std::chrono::steady_clock::now() + kPatience;
  int status = 0;
  for (pid_t ended; (ended = waitpid(child, &status, WNOHANG)) != child;) {
    if (ended < 0 && errno != EINTR) return kNotRun;
    if (std::chrono::steady_clock::now() > end) {
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      return kTookTooLong;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

void add_words(std::vector<std::string>& command, const char* words) {
  std::istringstream text(words);
  for (std::string word; text >> word;) command.push_back(word);
}

// With what is precompiled, or without.
std::vector<std::string> clang_command(bool precompiled, const std::string& source,
                                       const std::string& output) {
  std::vector<std::string> command = {GPUSIM_CLANG};
  add_words(command, GPUSIM_NATIVE_OPTIONS);
  if (uses_better_loops()) add_words(command, GPUSIM_NATIVE_MACHINE);
  command.insert(command.end(), {"-I", GPUSIM_SOURCES, "-I", GPUSIM_SOURCES "/include"});
  if (precompiled) command.insert(command.end(), {"-include-pch", GPUSIM_NATIVE_PCH});
  command.insert(command.end(), {"-c", "-o", output, source});
  return command;
}

class Clang final : public NativeCompiler {
 public:
  const NativeCode* code_of(const LoadedModule& m, const Function& f) override {
    const std::lock_guard lock(mutex_);
    auto [at, is_new] = m.native_code.try_emplace(&f);
    if (is_new) {
      std::string why;
      at->second = compile(m, f, why);
      if (!at->second)
        std::fprintf(stderr, "gpusim: GPUSIM_ENGINE=native: kernel %s is interpreted: %s\n", f.name.c_str(),
                     why.c_str());
    }
    return at->second.get();
  }

  bool can_tell(std::span<Observer* const> hear_issues, LaunchCounters** counters) const override {
    *counters = hear_issues.empty() ? nullptr : dynamic_cast<LaunchCounters*>(hear_issues[0]);
    return hear_issues.size() == (*counters ? 1 : 0);
  }

 private:
  static std::unique_ptr<NativeCode> compile(const LoadedModule& m, const Function& f, std::string& why) {
    if (f.end - f.begin > kMostInstructions) {
      why = "it has more than " + std::to_string(kMostInstructions) +
            " instructions, which would take clang too long";
      return nullptr;
    }
    if (!dlopen || !dlsym || !dlerror) {
      why = "a program that is linked with -static loads no code";
      return nullptr;
    }
    const ScratchFolder folder;
    const std::string source = folder.file("kernel.cpp"), object = folder.file("kernel.o"),
                      library = folder.file("kernel.so"), messages = folder.file("messages");
    NativeText text = native_text(m, f);
    if (!folder.exists() || !(std::ofstream(source) << text.text << std::flush)) {
      why = "no file can be written in the folder for temporary files (TMPDIR)";
      return nullptr;
    }
    // What is precompiled does not fit a processor without these loops, nor headers that have changed.
    int status = uses_better_loops() ? run(clang_command(true, source, object), messages) : 1;
    if (status > 0) status = run(clang_command(false, source, object), messages);
    if (status == 0) status = run({GPUSIM_CLANG, "-shared", "-o", library, object}, messages);
    if (status) {
      why = status == kTookTooLong               ? "clang took more than a minute"
            : status == kNotRun || status == 127 ? "there is no " GPUSIM_CLANG
                                                 : GPUSIM_CLANG ": " + first_error(messages);
      return nullptr;
    }
    void* const loaded = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!loaded) {
      why = dlerror();
      return nullptr;
    }
    auto code = std::make_unique<NativeCode>();
    code->run = reinterpret_cast<NativeFunction>(dlsym(loaded, kNativeName));
    code->is_entry = std::move(text.is_entry);
    return code;
  }

  std::mutex mutex_;  // of what modules hold
};

}  // namespace

NativeCompiler& native_compiler() {
  static Clang* const clang = new Clang;
  return *clang;
}

}  // namespace gpusim
