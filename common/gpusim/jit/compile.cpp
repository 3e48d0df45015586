#include "jit/compile.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <fstream>
#include <memory>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>

#include "counting/counters.h"
#include "execution/module.h"
#include "jit/emit.h"
#include "jit/help.h"
#include "lanes/lane_ops.h"

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

// A command under way, which another thread may end.
class Child {
 public:
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
      if (is_stopped_ || std::chrono::steady_clock::now() > end) {
        kill(child, SIGKILL);
        waitpid(child, &status, 0);
        return kTookTooLong;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
  }
  void stop() { is_stopped_ = true; }

 private:
  std::atomic<bool> is_stopped_ = false;
};

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

// How long clang takes for a function, about: with which the work that the interpreter has done is compared.
double seconds_to_compile(u32 instructions) { return 0.3 + 0.02 * instructions; }
// The interpreter has taken so many times as long, of all threads, before clang begins. Should nothing be won, a tenth is lost.
constexpr double kWorthIt = 10;

}  // namespace

// A function, and its code as soon as there is some.
class NativeKernel {
 public:
  NativeKernel(const LoadedModule& m, const Function& f) : text_(native_text(m, f)) {}

  // Calls of clang, and what comes of them.
  void compile(Child& child) {
    load(child);
    is_done_ = true;
  }
  const NativeCode* code() const { return is_done_ && code_.run ? &code_ : nullptr; }
  const std::string& why_not() const { return why_; }

 private:
  void load(Child& child) {
    const ScratchFolder folder;
    const std::string source = folder.file("kernel.cpp"), object = folder.file("kernel.o"),
                      library = folder.file("kernel.so"), messages = folder.file("messages");
    if (!folder.exists() || !(std::ofstream(source) << text_.text << std::flush)) {
      why_ = "no file can be written in the folder for temporary files (TMPDIR)";
      return;
    }
    // What is precompiled does not fit a processor without these loops, nor headers that have changed.
    int status = uses_better_loops() ? child.run(clang_command(true, source, object), messages) : 1;
    if (status > 0) status = child.run(clang_command(false, source, object), messages);
    if (status == 0) status = child.run({GPUSIM_CLANG, "-shared", "-o", library, object}, messages);
    if (status) {
      why_ = status == kTookTooLong               ? "clang took more than a minute"
             : status == kNotRun || status == 127 ? "there is no " GPUSIM_CLANG
                                                  : GPUSIM_CLANG ": " + first_error(messages);
      return;
    }
    void* const loaded = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!loaded) {
      why_ = dlerror();
      return;
    }
    code_.is_entry = std::move(text_.is_entry);
    code_.segments = std::move(text_.segments);
    code_.run = reinterpret_cast<NativeFunction>(dlsym(loaded, kNativeName));
  }

  NativeText text_;
  std::string why_;
  NativeCode code_;
  std::atomic<bool> is_done_ = false;
};

namespace {

// A thread that compiles while the program goes on. It ends with the process.
class Background {
 public:
  void add(std::shared_ptr<NativeKernel> kernel) {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(kernel));
    if (!thread_.joinable()) {
      static Background* self;
      self = this;
      process_ = getpid();
      thread_ = std::thread([this] { run(); });
      std::atexit([] { self->stop(); });
    }
    changed_.notify_one();
  }

 private:
  void run() {
    for (std::unique_lock lock(mutex_);;) {
      changed_.wait(lock, [&] { return is_over_ || !waiting_.empty(); });
      if (is_over_) return;
      const std::shared_ptr<NativeKernel> kernel = std::move(waiting_.front());
      waiting_.pop_front();
      lock.unlock();
      kernel->compile(child_);
      lock.lock();
    }
  }
  void stop() {
    if (getpid() != process_) return;  // a copy of the process, which has no such thread
    {
      const std::lock_guard lock(mutex_);
      is_over_ = true;
    }
    child_.stop();
    changed_.notify_one();
    thread_.join();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::shared_ptr<NativeKernel>> waiting_;
  std::thread thread_;
  pid_t process_ = 0;
  Child child_;
  bool is_over_ = false;
};

class Clang final : public NativeCompiler {
 public:
  explicit Clang(NativeUse use) : use_(use) {}

  const NativeCode* code_of(const LoadedModule& m, const Function& f, double seconds) override {
    const std::lock_guard lock(mutex_);
    if (const auto known = m.native_kernels.find(&f); known != m.native_kernels.end())
      return known->second ? known->second->code() : nullptr;
    const u32 instructions = f.end - f.begin;
    if (use_ == NativeUse::when_worth_it &&
        (m.interpreted_seconds[&f] += seconds) < kWorthIt * seconds_to_compile(instructions))
      return nullptr;
    std::shared_ptr<NativeKernel>& kernel = m.native_kernels[&f];
    if (instructions > kMostInstructions) {
      say(f.name, "it has more than " + std::to_string(kMostInstructions) +
                      " instructions, which would take clang too long");
      return nullptr;
    }
    if (!dlopen || !dlsym || !dlerror) {
      say(f.name, "a program that is linked with -static loads no code");
      return nullptr;
    }
    kernel = std::make_shared<NativeKernel>(m, f);
    if (use_ != NativeUse::always) {
      background_.add(kernel);
      return nullptr;
    }
    Child child;
    kernel->compile(child);
    if (!kernel->code()) say(f.name, kernel->why_not());
    return kernel->code();
  }

  bool can_tell(std::span<Observer* const> hear_issues, LaunchCounters** counters) const override {
    *counters = hear_issues.empty() ? nullptr : dynamic_cast<LaunchCounters*>(hear_issues[0]);
    return hear_issues.size() == (*counters ? 1 : 0);
  }

  NativeCounting begin_counting(LaunchCounters* counters, const NativeCode& code) const override {
    return counters ? counters->begin_native(code.segments) : NativeCounting{};
  }

  const RuntimeCallbacks& help() const override { return runtime_callbacks(); }

 private:
  // Only who asks for machine code wants to know.
  void say(const std::string& kernel, const std::string& why) const {
    if (use_ == NativeUse::always)
      std::fprintf(stderr, "gpusim: GPUSIM_ENGINE=native: kernel %s is interpreted: %s\n", kernel.c_str(),
                   why.c_str());
  }

  const NativeUse use_;
  std::mutex mutex_;  // of what modules hold, too
  Background background_;
};

}  // namespace

NativeCompiler& native_compiler(NativeUse use) {
  static Clang* const clang[] = {new Clang(NativeUse::always), new Clang(NativeUse::while_interpreting),
                                 new Clang(NativeUse::when_worth_it)};
  return *clang[int(use)];
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
