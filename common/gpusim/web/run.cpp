#include "web/run.h"

#include <charconv>
#include <cstring>
#include <map>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "base/files.h"
#include "execution/events.h"
#include "gpu.h"
#include "gpusim/check.h"
#include "gpusim/report.h"
#include "reports/text.h"

namespace gpusim::web {
namespace {

constexpr u64 kMostBytes = u64(1) << 28;  // of an array

struct Refused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Array {
  std::string type;
  u64 count = 0;
  u64 address = 0;
};

struct Request {
  std::string kernel, ptx, checks = "all";
  Dim3 grid, block;
  u32 shared_bytes = 0;
  Schedule schedule = Schedule::lockstep;
  struct ArrayWanted {
    std::string name, type, contents;
    u64 count = 0;
  };
  std::vector<ArrayWanted> arrays;
  struct Argument {
    std::string array;  // empty: the number
    u64 number = 0;
  };
  std::vector<Argument> arguments;
  std::vector<std::string> expectation;
};

u64 number_of(const std::string& word) {
  u64 value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size())
    throw Refused("'" + word + "' is not a whole number");
  return value;
}
u32 small_number_of(const std::string& word) {
  const u64 value = number_of(word);
  if (value > 0xffffffffu) throw Refused(word + " is too large");
  return u32(value);
}
std::string text_of(double value) {
  char text[40];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

Schedule schedule_of(const std::string& name) {
  if (name == "lockstep") return Schedule::lockstep;
  if (name == "ascending") return Schedule::ascending;
  if (name == "descending") return Schedule::descending;
  throw Refused("there is no schedule '" + name + "': lockstep, ascending or descending");
}

Request parse(std::string_view text) {
  Request out;
  given_files().clear();
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string line(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::vector<std::string> words = words_of(line);
    if (words.empty()) continue;
    const auto must_have = [&](std::size_t count) {
      if (words.size() != count + 1) throw Refused("this line has not the words that it needs: " + line);
    };
    const auto bytes_that_follow = [&](const std::string& count) {
      const u64 bytes = number_of(count);
      if (bytes > text.size()) throw Refused("the request ends before the " + count + " bytes of: " + line);
      const std::string contents(text.substr(0, std::size_t(bytes)));
      text.remove_prefix(std::size_t(bytes));
      return contents;
    };
    const auto three = [&] {
      must_have(3);
      return Dim3{small_number_of(words[1]), small_number_of(words[2]), small_number_of(words[3])};
    };
    const std::string& what = words[0];
    if (what == "kernel") {
      // Names of instances have blanks: scan<float, 256>
      out.kernel = line.substr(line.find_first_not_of(' ', line.find("kernel") + 6));
    } else if (what == "grid") {
      out.grid = three();
    } else if (what == "block") {
      out.block = three();
    } else if (what == "shared") {
      must_have(1), out.shared_bytes = small_number_of(words[1]);
    } else if (what == "schedule") {
      must_have(1), out.schedule = schedule_of(words[1]);
    } else if (what == "checks") {
      must_have(1), out.checks = words[1];
    } else if (what == "array") {
      must_have(4), out.arrays.push_back({words[1], words[2], words[4], number_of(words[3])});
    } else if (what == "argument") {
      must_have(2);
      if (words[1] == "array") out.arguments.push_back({words[2]});
      else if (words[1] == "number") out.arguments.push_back({"", number_of(words[2])});
      else throw Refused("an argument is an array or a number: " + line);
    } else if (what == "expect") {
      out.expectation = {words.begin() + 1, words.end()};
    } else if (what == "ptx") {
      must_have(1), out.ptx = bytes_that_follow(words[1]);
    } else if (what == "source") {
      must_have(2), given_files()[words[1]] = bytes_that_follow(words[2]);
    } else {
      throw Refused("a request has no line '" + what + "'");
    }
  }
  return out;
}

std::size_t size_of_element(const std::string& type) {
  if (type == "f32" || type == "s32" || type == "u32") return 4;
  if (type == "u64") return 8;
  throw Refused("there are no arrays of '" + type + "': f32, s32, u32 or u64");
}

template <class T> void put(u8* bytes, u64 at, T value) {
  std::memcpy(bytes + at * sizeof(T), &value, sizeof(T));
}
template <class T> T get(const u8* bytes, u64 at) {
  T value;
  std::memcpy(&value, bytes + at * sizeof(T), sizeof(T));
  return value;
}

// A launch, from its request to its answer.
class Run {
 public:
  explicit Run(const Request& request) : request_(request) {}

  std::string answer() {
    gpu_.checks.conclude_with_races();
    if (!gpu_.checks.enable(request_.checks)) throw Refused("there are no checks '" + request_.checks + "'");
    gpu_.reports.keep(true);
    gpu_.device.schedule = request_.schedule;
    gpu_.device.memory.fresh = Backing::kNan;  // as the book's pages say
    std::string error;
    const Module* const module = gpu_.load(request_.ptx, &error);
    if (!module) throw Refused("the PTX cannot be read: " + error);
    gpu_.checks.note_module(request_.ptx);
    const KernelInfo& kernel = find(*module);
    check_limits(kernel);
    for (const Request::ArrayWanted& wanted : request_.arrays) make(wanted);
    const std::vector<u8> parameters = lay_out(kernel);

    const LaunchConfig config = {request_.grid, request_.block, request_.shared_bytes};
    std::string fault = "null";
    if (const auto stopped = gpu_.device.launch(*module, kernel, config, parameters.data())) {
      std::string text = with_source_line(stopped->message);
      for (const std::string& call : stopped->called_at) text += "\n  called at " + with_source_line(call);
      fault = json_string(text);
    }
    std::string report = to_json(gpu_.reports.all().back());
    report.pop_back();  // its end of line
    return "{\"report\":" + report + ",\n\"fault\":" + fault + ",\n\"findings\":[" + findings() +
           "],\n\"proof\":" + proof() + ",\n\"result\":" + (fault == "null" ? result() : "null") + "}\n";
  }

 private:
  const KernelInfo& find(const Module& module) const {
    const KernelInfo* found = nullptr;
    std::string names;
    for (const Function& f : module.program().functions)
      if (const KernelInfo* const k = module.kernel(f.name)) {
        names += (names.empty() ? "" : ", ") + k->pretty_name;
        if (k->pretty_name != request_.kernel) continue;
        if (found) throw Refused("several kernels are called " + request_.kernel);
        found = k;
      }
    if (!found) throw Refused("the PTX has no kernel " + request_.kernel + "; it has " + names);
    if (!found->unsupported.empty()) throw Refused(found->unsupported);
    return *found;
  }

  // As the CUDA runtime does (runtime/launch_limits.cpp), which is not here.
  void check_limits(const KernelInfo& kernel) const {
    const Dim3 &grid = request_.grid, &block = request_.block;
    const auto between = [](u32 least, u32 value, u32 most) { return least <= value && value <= most; };
    if (!between(1, grid.x, Limits::max_grid_x) || !between(1, grid.y, Limits::max_grid_y) ||
        !between(1, grid.z, Limits::max_grid_z))
      throw Refused("a grid of that many blocks: a GPU refuses the launch");
    if (!between(1, block.x, Limits::max_block_x) || !between(1, block.y, Limits::max_block_y) ||
        !between(1, block.z, Limits::max_block_z) || block.count() > Limits::max_threads_per_block)
      throw Refused("a block of " + std::to_string(block.count()) + " threads: a GPU takes 1 to " +
                    std::to_string(Limits::max_threads_per_block));
    if (block.count() > kernel.max_threads)
      throw Refused("a block of " + std::to_string(block.count()) +
                    " threads: the kernel's __launch_bounds__ allow " + std::to_string(kernel.max_threads));
    if (u64(kernel.static_shared_bytes) + request_.shared_bytes > Limits::static_shared_bytes)
      throw Refused("more shared memory than a block has");
  }

  void make(const Request::ArrayWanted& wanted) {
    const u64 bytes = wanted.count * size_of_element(wanted.type);
    if (wanted.count > kMostBytes || bytes > kMostBytes)
      throw Refused("the array " + wanted.name + " is too large: " + std::to_string(bytes) + " bytes");
    Array a = {wanted.type, wanted.count, 0};
    if (bytes > 0) {  // else a null pointer, as cudaMalloc gives
      a.address = gpu_.device.memory.allocate(std::size_t(bytes));
      if (!a.address) throw Refused("there is no memory left for the array " + wanted.name);
      for (Observer* observer : gpu_.device.observers)
        observer->allocated(*gpu_.device.memory.find(a.address));
      if (wanted.contents != "unwritten") fill(a, wanted.contents);
    }
    if (!arrays_.emplace(wanted.name, a).second) throw Refused("two arrays are called " + wanted.name);
  }

  void fill(const Array& a, const std::string& contents) {
    const auto value = [&](u64 k) -> u64 {
      if (contents == "small") return k % 8;
      if (contents == "index") return k;
      if (contents == "zeros") return 0;
      throw Refused("an array is not filled with '" + contents + "': small, index, zeros or unwritten");
    };
    u8* const bytes = bytes_of(a);
    value(0);
    for (u64 k = 0; k < a.count; ++k) {
      if (a.type == "f32") put(bytes, k, float(value(k)));
      else if (a.type == "u64") put(bytes, k, value(k));
      else put(bytes, k, u32(value(k)));
    }
    // Elements that a program would copy to the GPU count as written.
    for (Observer* observer : gpu_.device.observers)
      observer->host_wrote(a.address, std::size_t(a.count * size_of_element(a.type)));
  }

  // Null if it has no elements.
  u8* bytes_of(const Array& a) {
    return gpu_.device.memory.resolve(a.address, std::size_t(a.count * size_of_element(a.type)));
  }
  const u8* bytes_of(const Array& a) const {
    return gpu_.device.memory.resolve(a.address, std::size_t(a.count * size_of_element(a.type)));
  }
  const Array& array(const std::string& name) const {
    const auto found = arrays_.find(name);
    if (found == arrays_.end()) throw Refused("there is no array " + name);
    return found->second;
  }

  std::vector<u8> lay_out(const KernelInfo& kernel) const {
    if (request_.arguments.size() != kernel.params.size())
      throw Refused(request_.kernel + " has " + std::to_string(kernel.params.size()) +
                    " parameters, and gets " + std::to_string(request_.arguments.size()));
    std::vector<u8> bytes(kernel.param_bytes);
    for (std::size_t k = 0; k < kernel.params.size(); ++k) {
      const Request::Argument& argument = request_.arguments[k];
      const ParamInfo& parameter = kernel.params[k];
      const u64 value = argument.array.empty() ? argument.number : array(argument.array).address;
      if (parameter.size != 8 && (parameter.size != 4 || !argument.array.empty()))
        throw Refused("parameter " + std::to_string(k + 1) + " has " + std::to_string(parameter.size) +
                      " bytes");
      std::memcpy(bytes.data() + parameter.offset, &value, parameter.size);
    }
    return bytes;
  }

  std::string findings() const {
    std::string out;
    for (const Finding& f : gpu_.findings.all())
      out += std::string(out.empty() ? "" : ",") + "\n {\"check\":" + json_string(f.check) +
             ",\"severity\":" + (f.severity == Severity::error ? "\"error\"" : "\"warning\"") +
             ",\"file\":" + json_string(f.place.file) + ",\"line\":" + std::to_string(f.place.line) +
             ",\"count\":" + std::to_string(f.count) + ",\"text\":" + json_string(to_text(f)) + "}";
    return out;
  }

  std::string proof() const {
    if (gpu_.findings.proofs().empty()) return "null";
    const Conclusion& c = gpu_.findings.proofs().back().compiled;
    return std::string("{\"verdict\":\"") + name_of(c.verdict) + "\",\"text\":" + json_string(to_text(c)) +
           "}";
  }

  double element(const Array& a, u64 at) const {
    const u8* const bytes = bytes_of(a);
    if (a.type == "f32") return double(get<float>(bytes, at));
    if (a.type == "s32") return double(get<s32>(bytes, at));
    return a.type == "u32" ? double(get<u32>(bytes, at)) : double(get<u64>(bytes, at));
  }

  static std::string told(bool right, const std::string& text) {
    return std::string("{\"right\":") + (right ? "true" : "false") + ",\"text\":" + json_string(text) + "}";
  }
  std::string place(const std::string& name, u64 at, double is, double should_be) const {
    return name + "[" + std::to_string(at) + "] is " + text_of(is) + ", and should be " + text_of(should_be);
  }

  std::string result() const {
    const std::vector<std::string>& e = request_.expectation;
    if (e.empty()) return "null";
    if (e[0] == "total" && e.size() == 3) {
      const Array& a = array(e[1]);
      double total = 0;
      for (u64 k = 0; k < a.count; ++k) total += element(a, k);
      const double wanted = double(number_of(e[2]));
      const std::string is = a.count == 1 ? e[1] + " is " : "the elements of " + e[1] + " add up to ";
      const std::string should_be = a.count == 1 ? ", and should be " : ", and should add up to ";
      return told(total == wanted,
                  is + text_of(total) + (total == wanted ? "" : should_be + text_of(wanted)));
    }
    if (e[0] == "scan" && e.size() == 3) {
      const Array &out = array(e[1]), &in = array(e[2]);
      double sum = 0;
      for (u64 k = 0; k < in.count; ++k)
        if (sum += element(in, k); element(out, k) != sum)
          return told(false, place(e[1], k, element(out, k), sum));
      return told(true, "each of the " + grouped(in.count) + " elements is the sum of all up to it");
    }
    if (e[0] == "transposed" && e.size() == 5) {
      const Array &out = array(e[1]), &in = array(e[2]);
      const u64 rows = number_of(e[3]), columns = number_of(e[4]);
      if (in.count != rows * columns || out.count != in.count)
        throw Refused("the arrays do not have that many elements");
      for (u64 r = 0; r < rows; ++r)
        for (u64 c = 0; c < columns; ++c)
          if (const double is = element(out, c * rows + r), wanted = element(in, r * columns + c);
              is != wanted)
            return told(false, place(e[1], c * rows + r, is, wanted));
      return told(true, "all " + grouped(in.count) + " elements are where they belong");
    }
    throw Refused("there is no such expectation: " + e[0]);
  }

  const Request& request_;
  Gpu gpu_;
  std::map<std::string, Array> arrays_;
};

}  // namespace

std::string run(std::string_view request) {
  try {
    const Request parsed = parse(request);
    return Run(parsed).answer();
  } catch (const Refused& refused) {
    return "{\"refused\":" + json_string(refused.what()) + "}\n";
  }
}

}  // namespace gpusim::web
// SPDX-License-Identifier: MIT
