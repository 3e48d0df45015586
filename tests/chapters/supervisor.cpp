// Runs a judge in a process of its own and reports its verdict: what it prints, its file of --json, its exit
// status.
//
// A program is split in two before the first constructor of a static runs, which might be the judged file's.
// The child judges; the parent runs nothing but this file, and believes only messages with the secret
// (channel.h). When the verdict has come, or cannot come any more, it ends the child and all that the child
// has started. `--limit=SECONDS` is how long it waits, on a machine that has nothing else to do.
//
// It runs before the C++ library is set up, so it does without.
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <initializer_list>

#include "channel.h"

namespace judge {
namespace {

constexpr int kFailed = 1, kLongestLine = 4096, kTickMs = 100;

pid_t judging = -1;

[[noreturn]] void stop(const char* what) {
  std::fprintf(stderr, "%s: %s\n", what, std::strerror(errno));
  _exit(kFailed);
}

void print(int to, const char* text, std::size_t bytes) {
  if (!write_all(to, text, bytes) && to == STDOUT_FILENO) stop("cannot write to standard output");
}

// A stream of the judging process, passed on line by line. A kernel's printf may say anything: what would
// steer a terminal is shown as \x1b, and a line that looks like the verdict is marked.
struct Stream {
  int from = -1, to = -1;
  char line[kLongestLine];
  std::size_t length = 0;

  void pass_on(bool ends) {
    static const char kVerdict[] = "verdict:";
    if (length >= sizeof kVerdict - 1 && std::memcmp(line, kVerdict, sizeof kVerdict - 1) == 0)
      print(to, "printed: ", 9);
    char shown[4 * kLongestLine + 1];
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < length; ++i) {
      const unsigned char c = static_cast<unsigned char>(line[i]);
      const bool is_c1 = c >= 0x80 && c < 0xa0 && i > 0 && static_cast<unsigned char>(line[i - 1]) == 0xc2;
      if ((c < 0x20 && c != '\t') || c == 0x7f || is_c1)
        bytes += static_cast<std::size_t>(std::snprintf(shown + bytes, 5, "\\x%02x", c));
      else shown[bytes++] = static_cast<char>(c);
    }
    if (ends) shown[bytes++] = '\n';
    print(to, shown, bytes);
    length = 0;
  }
  // False at the end of the stream; true also where nothing is to be read just now.
  bool read_some() {
    char buffer[kLongestLine];
    const ssize_t got = read(from, buffer, sizeof buffer);
    if (got < 0) return errno == EAGAIN || errno == EINTR;
    for (ssize_t i = 0; i < got; ++i) {
      if (buffer[i] == '\n') pass_on(true);
      else line[length++] = buffer[i];
      if (length == sizeof line) pass_on(false);
    }
    return got > 0;
  }
  void drain() {
    for (bool more = true; more && read_some();) {
      pollfd ready{from, POLLIN, 0};
      more = poll(&ready, 1, 0) > 0 && (ready.revents & POLLIN);
    }
    if (length > 0) pass_on(true);
  }
};

// What came by the pipe; the last whole message counts.
struct Mail {
  int from = -1;
  const unsigned char* secret = nullptr;
  char* bytes = nullptr;
  std::size_t size = 0, room = 0;
  bool is_verdict = false, is_forged = false;
  int exit_code = kFailed;
  char test_case[200] = "";

  bool read_some() {
    if (room - size < kLongestLine) {
      room = 2 * room + 2 * kLongestLine;
      bytes = static_cast<char*>(std::realloc(bytes, room));
      if (!bytes) stop("memory");
    }
    const ssize_t got = read(from, bytes + size, room - size);
    if (got < 0) return errno == EAGAIN || errno == EINTR;
    size += static_cast<std::size_t>(got);
    while (!is_verdict && !is_forged && take_message()) {
    }
    return got > 0;
  }
  void drain() {
    pollfd ready{from, POLLIN, 0};
    while (from >= 0 && poll(&ready, 1, 0) > 0 && read_some()) {
    }
  }
  bool take_message() {
    MessageHead head;
    if (size < sizeof head) return false;
    std::memcpy(&head, bytes, sizeof head);
    is_forged = std::memcmp(head.secret, secret, kSecretBytes) != 0;
    if (is_forged || size - sizeof head < head.bytes) return false;
    const std::size_t whole = sizeof head + head.bytes;
    if (head.said == Said::test_case_begins) {
      std::snprintf(test_case, sizeof test_case, "%.*s", static_cast<int>(head.bytes), bytes + sizeof head);
      std::memmove(bytes, bytes + whole, size - whole);
      size -= whole;
      return true;
    }
    is_verdict = true;
    exit_code = head.exit_code;
    std::memmove(bytes, bytes + sizeof head, head.bytes);
    size = head.bytes;
    return false;
  }
};

double seconds_now() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// How long the judging process was ready to run and did not get a processor: the second number of /proc/PID/schedstat (Linux,
// Documentation/scheduler/sched-stats.rst), for its first thread. 0 where the kernel does not count it.
double seconds_in_line() {
  char path[64], text[128];
  std::snprintf(path, sizeof path, "/proc/%d/schedstat", static_cast<int>(judging));
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  const ssize_t got = file < 0 ? 0 : read(file, text, sizeof text - 1);
  if (file >= 0) close(file);
  if (got <= 0) return 0;
  text[got] = '\0';
  char* second = text;
  std::strtoull(text, &second, 10);
  return 1e-9 * static_cast<double>(std::strtoull(second, nullptr, 10));
}

const char* value_of(const char* option, int argc, char** argv) {
  const std::size_t length = std::strlen(option);
  for (int i = 1; i < argc; ++i)
    if (std::strncmp(argv[i], option, length) == 0) return argv[i] + length;
  return nullptr;
}

// Ends the judging process, and what it has started, which becomes this process's child when its own parent
// ends.
void end_all() {
  kill(-judging, SIGKILL);
  kill(judging, SIGKILL);
  char path[64];
  std::snprintf(path, sizeof path, "/proc/self/task/%d/children", static_cast<int>(getpid()));
  for (int round = 0; round < 100; ++round) {
    while (waitpid(-1, nullptr, WNOHANG) > 0) {
    }
    char children[kLongestLine];
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t got = file < 0 ? 0 : read(file, children, sizeof children - 1);
    if (file >= 0) close(file);
    if (got <= 0) return;
    children[got] = '\0';
    for (char* next = children; *next;) {
      const long child = std::strtol(next, &next, 10);
      if (child > 1) kill(static_cast<pid_t>(child), SIGKILL);
      while (*next == ' ') ++next;
    }
    poll(nullptr, 0, 5);
  }
}

void end_by_signal(int number) {
  if (judging > 0) end_all();
  signal(number, SIG_DFL);
  raise(number);
}

// The whole file or none: under another name, then renamed.
void write_json(const char* file, const char* text, std::size_t bytes) {
  char temporary[4200];
  std::snprintf(temporary, sizeof temporary, "%s.%d.tmp", file, static_cast<int>(getpid()));
  const int to = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (to < 0) stop(file);
  const bool is_whole = write_all(to, text, bytes);
  if (close(to) != 0 || !is_whole || rename(temporary, file) != 0) {
    unlink(temporary);
    stop(file);
  }
}

// What is said where no verdict came: why, in which test case, and what may have caused it.
int without_verdict(const char* json, const char* why, const char* test_case, const char* hint) {
  char verdict[700], text[1000];
  std::snprintf(verdict, sizeof verdict, "no verdict: %s%s%s%s%s", why,
                *test_case ? ", in the test case '" : "", test_case, *test_case ? "'" : "", hint);
  for (char* c = verdict; *c; ++c)
    if (*c == '"' || *c == '\\' || static_cast<unsigned char>(*c) < 0x20) *c = '\'';
  const int bytes = std::snprintf(
      text, sizeof text,
      json ? "{\"verdict\": \"%s\", \"exit_code\": 1, \"as_shipped\": false, \"todo_lines\": [], "
             "\"gaps\": [], \"test_cases\": [], \"findings\": [], \"measurements\": []}\n"
           : "verdict: %s\n",
      verdict);
  if (json) write_json(json, text, static_cast<std::size_t>(bytes));
  else print(STDOUT_FILENO, text, static_cast<std::size_t>(bytes));
  return kFailed;
}

// Waits for the verdict; the exit status.
int supervise(Mail& mail, Stream (&streams)[2], const char* json, double limit) {
  const double begin = seconds_now();
  int status = 0;
  bool has_ended = false, is_over = false, is_late = false;
  while (!is_over && !is_late) {
    pollfd ready[] = {{mail.from, POLLIN, 0}, {streams[0].from, POLLIN, 0}, {streams[1].from, POLLIN, 0}};
    poll(ready, 3, kTickMs);
    for (int i = 0; i < 2; ++i)
      if (ready[i + 1].revents && !streams[i].read_some()) streams[i].from = -1;  // poll() passes over it
    if (ready[0].revents && !mail.read_some()) mail.from = -1;
    has_ended = waitpid(judging, &status, WNOHANG) == judging;
    if (has_ended) mail.drain();
    is_over = has_ended || mail.is_verdict || mail.is_forged;
    is_late = limit > 0 && !is_over && seconds_now() - begin - seconds_in_line() > limit;
  }
  end_all();
  for (Stream& stream : streams)
    if (stream.from >= 0) stream.drain();
  if (mail.is_verdict) {
    if (json) write_json(json, mail.bytes, mail.size);
    else print(STDOUT_FILENO, mail.bytes, mail.size);
    return mail.exit_code;
  }
  char why[200];
  const char* hint = "";
  if (is_late) {
    std::snprintf(why, sizeof why, "none came in %g seconds", limit);
    hint = ". A kernel that never ends is stopped before: look for a loop in a function that the host runs";
  } else if (mail.is_forged) {
    std::snprintf(why, sizeof why, "the program sent a verdict that is not the judge's");
  } else if (WIFSIGNALED(status)) {
    std::snprintf(why, sizeof why, "the program was ended by signal %d (%s)", WTERMSIG(status),
                  sigdescr_np(WTERMSIG(status)));
  } else {
    std::snprintf(why, sizeof why, "the program ended by itself, with exit status %d", WEXITSTATUS(status));
    hint = ". The judge never ends so: does a function of kernels.cuh that the host runs call exit()?";
  }
  return without_verdict(json, why, mail.test_case, hint);
}

// What judges nothing: lists of test cases, the digest of the file.
bool asks_for_no_verdict(int argc, char** argv) {
  static const char* const kQuestions[] = {"--as-shipped", "--thresholds", "--list", "-l",
                                           "--count",      "-c",           "--help", "-h",
                                           "-?",           "--version",    "-v",     "--dt-"};
  for (const char* question : kQuestions)
    if (value_of(question, argc, argv)) return true;
  return false;
}

void make_pipe(int (&ends)[2]) {
  if (pipe2(ends, O_CLOEXEC) != 0) stop("pipe");
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
}

void split(int argc, char** argv, char**) {
  if (asks_for_no_verdict(argc, argv)) return;
  unsigned char secret[kSecretBytes];
  if (getrandom(secret, sizeof secret, 0) != sizeof secret) stop("random numbers");
  int mail[2], out[2], err[2];
  make_pipe(mail), make_pipe(out), make_pipe(err);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  const pid_t supervisor = getpid();
  judging = fork();
  if (judging < 0) stop("fork");
  if (judging == 0) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != supervisor) _exit(kFailed);
    dup2(out[1], STDOUT_FILENO), dup2(err[1], STDERR_FILENO);
    for (int end : {mail[0], out[0], out[1], err[0], err[1]}) close(end);
    be_supervised(mail[1], secret);
    explicit_bzero(secret, sizeof secret);
    return;  // and judges
  }
  setpgid(judging, judging);
  prctl(PR_SET_DUMPABLE, 0);  // the judging process is not to look into this one
  for (int number : {SIGINT, SIGTERM, SIGHUP}) signal(number, end_by_signal);
  for (int end : {mail[1], out[1], err[1]}) close(end);
  static Mail from_judge;
  static Stream streams[2];
  from_judge.from = mail[0], from_judge.secret = secret;
  streams[0].from = out[0], streams[0].to = STDOUT_FILENO;
  streams[1].from = err[0], streams[1].to = STDERR_FILENO;
  const char* limit = value_of("--limit=", argc, argv);
  _exit(supervise(from_judge, streams, value_of("--json=", argc, argv), limit ? std::atof(limit) : 0));
}

[[gnu::section(".preinit_array"), gnu::used]] void (*const split_before_constructors)(int, char**,
                                                                                      char**) = split;

}  // namespace
}  // namespace judge
// SPDX-License-Identifier: MIT
