// A .ptx test and what it says about itself in `//!` comments. The kernel is `test`; its first parameter is a
// buffer, `out`, of kOutBytes bytes that holds kPoison. By default it runs as <<<1, 32>>>.
//
//   st.global.u32 [%mine4+128], %r;  //! = 31*7 0              from byte 128 of out: 31 times 7, then 0
//   red.global.add.f32 [%out+8], 1.0;  //! f32 out+8 = 32.0        the same, spelled out
//   st.global.f32 [%out+4], %f;      //! near 0.333 rel 1e-3      relative (or abs: absolute) error
//
//   //! launch grid=2,1,1 block=64 shared=128
//   //! param u8 200         one more parameter of the kernel
//   //! budget 1000          warp instructions
//   //! fault 716 [text]     the launch ends with this cudaError_t, and the message holds the text
//   //! unsupported text     the module loads, the kernel cannot be launched, and the message holds the text
//   //! refuse text          the module does not load, and the error holds the text
//   //! trace warp 0         the way of a warp of block 0, in order: `//!   LABEL mask` for each run of
//                            instructions behind that label (without what comes before the first label)
//
// Values: integers, PTX float literals (0f3F800000, 1.5), inf, nan (any), ranges 0..31, n*v, n*(v v).
#pragma once

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/base.h"

namespace gpusim {

inline constexpr std::size_t kOutBytes = 65536;
inline constexpr u8 kPoison = 0xa5;

struct Value {
  u64 bits = 0;
  bool any_nan = false;
};

struct Expectation {
  int line = 0;      // of the .ptx file, 1-based
  std::string type;  // u32, f64, …
  u32 offset = 0;    // bytes, in out
  std::vector<Value> values;
  bool is_near = false, relative = false;
  double near = 0, tolerance = 0;

  u32 size() const { return u32(std::stoi(type.substr(1))) / 8; }
  bool is_float() const { return type[0] == 'f'; }
};

struct TraceEntry {
  std::string label;
  Mask mask = 0;
  bool operator==(const TraceEntry& other) const { return label == other.label && mask == other.mask; }
};

struct ExpectedTrace {
  u32 warp = 0;
  int line = 0;
  std::vector<TraceEntry> entries;
};

struct Param {
  std::string type;
  u64 bits = 0;
};

struct PtxCase {
  std::string text;  // with a .loc before each line of code, so that the program knows the lines
  std::vector<std::string> labels;  // by line of the file (index 0 unused): the nearest label at or above
  Dim3 grid, block{kWarpSize, 1, 1};
  u32 shared = 0;
  u64 budget = 0;  // 0: the default
  std::vector<Param> params;
  std::vector<Expectation> expectations;
  std::vector<ExpectedTrace> traces;
  int fault = 0;
  bool unsupported = false, refused = false;
  std::string message;  // that a fault, an unsupported kernel or a refused module must hold
};

inline u64 parse_bits(const std::string& type, const std::string& word) {
  const char* begin = word.c_str();
  char* end = nullptr;
  u64 bits = 0;
  if (type[0] != 'f') {
    bits = word[0] == '-' ? u64(std::strtoll(begin, &end, 0)) : std::strtoull(begin, &end, 0);
  } else if (word.rfind("0f", 0) == 0 || word.rfind("0d", 0) == 0) {
    bits = std::strtoull(begin + 2, &end, 16);
  } else if (type == "f32") {
    const float value = std::strtof(begin, &end);
    std::memcpy(&bits, &value, sizeof value);
  } else {
    const double value = std::strtod(begin, &end);
    std::memcpy(&bits, &value, sizeof value);
  }
  if (word.empty() || *end) throw std::runtime_error("'" + word + "' is no " + type + " value");
  return bits;
}

// Appends the values of a list to `values`, up to its end or closing parenthesis.
inline void parse_values(std::istream& in, const std::string& type, std::vector<Value>& values) {
  for (std::string word; in >> std::ws && in.peek() != EOF;) {
    if (in.peek() == ')') return;
    unsigned long times = 1;
    word.clear();
    while (in.peek() != EOF && !std::strchr(" \t()", in.peek())) {
      if (in.peek() == '*') {
        in.get();
        times = std::stoul(word);
        word.clear();
      } else {
        word += char(in.get());
      }
    }
    std::vector<Value> part;
    if (in.peek() == '(' && word.empty()) {
      in.get();
      parse_values(in, type, part);
      if (in.get() != ')') throw std::runtime_error("a ')' is missing");
    } else if (const std::size_t dots = word.find(".."); dots != std::string::npos) {
      u64 value = parse_bits(type, word.substr(0, dots));
      const u64 last = parse_bits(type, word.substr(dots + 2)), step = s64(last - value) < 0 ? ~u64(0) : 1;
      for (; value != last; value += step) part.push_back({value});
      part.push_back({last});
    } else {
      part.push_back({parse_bits(type, word), type[0] == 'f' && word == "nan"});
    }
    while (times--) values.insert(values.end(), part.begin(), part.end());
  }
}

// Type and offset of the last store on a line: `st.global.v2.u32 [%out+8], …` gives u32 and 8.
inline void read_store(const std::string& code, Expectation& e) {
  const std::size_t store = code.rfind("st."), open = code.find('[', store), close = code.find(']', store);
  if (store == std::string::npos || close == std::string::npos)
    throw std::runtime_error("no store on this line: write '//! u32 out+0 = …'");
  const std::string mnemonic = code.substr(store, code.find(' ', store) - store);
  e.type = mnemonic.substr(mnemonic.rfind('.') + 1);
  const std::size_t plus = code.find('+', open);
  e.offset = plus < close ? u32(std::stoul(code.substr(plus + 1))) : 0;
}

inline Dim3 parse_dim(const std::string& text) {
  Dim3 dim;
  std::sscanf(text.c_str(), "%u,%u,%u", &dim.x, &dim.y, &dim.z);
  return dim;
}

// Reads one `//!` comment; `code` is what stands before it.
inline void parse_directive(PtxCase& test, int line, const std::string& code, const std::string& directive) {
  std::istringstream in(directive);
  std::string word, value;
  in >> word;
  const auto rest = [&in] {
    std::string text;
    std::getline(in >> std::ws, text);
    return text;
  };
  if (word == "launch") {
    while (in >> word) {
      const std::size_t equals = word.find('=');
      value = word.substr(equals + 1);
      if (word.rfind("grid=", 0) == 0) test.grid = parse_dim(value);
      else if (word.rfind("block=", 0) == 0) test.block = parse_dim(value);
      else if (word.rfind("shared=", 0) == 0) test.shared = u32(std::stoul(value));
      else throw std::runtime_error("unknown launch option '" + word + "'");
    }
  } else if (word == "param") {
    in >> word >> value;
    test.params.push_back({word, parse_bits(word, value)});
  } else if (word == "budget") {
    in >> test.budget;
  } else if (word == "fault") {
    in >> test.fault;
    test.message = rest();
  } else if (word == "unsupported") {
    test.unsupported = true;
    test.message = rest();
  } else if (word == "refuse") {
    test.refused = true;
    test.message = rest();
  } else if (word == "trace") {
    ExpectedTrace trace;
    in >> word >> trace.warp;
    trace.line = line;
    test.traces.push_back(trace);
  } else if (directive.rfind("  ", 0) == 0 && !test.traces.empty()) {
    in >> value;
    test.traces.back().entries.push_back({word, Mask(std::stoul(value, nullptr, 16))});
  } else {
    Expectation e;
    e.line = line;
    if (word == "=" || word == "near") {
      read_store(code, e);
    } else {  // u32 out+8 = …
      e.type = word;
      in >> value;
      if (value.rfind("out+", 0) != 0) throw std::runtime_error("unknown directive '" + word + "'");
      e.offset = u32(std::stoul(value.substr(4)));
      in >> word;
    }
    e.is_near = word == "near";
    if (e.is_near) {
      in >> e.near >> value >> e.tolerance;
      e.relative = value == "rel";
      e.values.resize(1);
    } else {
      parse_values(in, e.type, e.values);
    }
    if (e.values.empty() || e.offset + e.values.size() * e.size() > kOutBytes)
      throw std::runtime_error("no values, or beyond the end of out");
    test.expectations.push_back(e);
  }
}

// (By C's functions: WebAssembly's library has no std::ifstream.)
inline std::istringstream text_of_file(const std::string& path) {
  std::FILE* const file = std::fopen(path.c_str(), "rb");
  if (!file) throw std::runtime_error(path + ": cannot be read");
  std::string text;
  char part[1 << 14];
  for (std::size_t count; (count = std::fread(part, 1, sizeof part, file)) > 0;) text.append(part, count);
  std::fclose(file);
  return std::istringstream(text);
}

// Throws std::runtime_error("file:line: what").
inline PtxCase read_case(const std::string& path) {
  std::istringstream file = text_of_file(path);
  PtxCase test;
  std::string raw, located, label;
  bool complete = true;  // the previous line ended a statement
  test.labels.emplace_back();
  int number = 1;
  for (std::string line; std::getline(file, line); ++number) {
    const std::size_t comment = std::min(line.find("//"), line.size()), mark = line.find("//!");
    const std::string code = line.substr(0, comment);
    if (mark != std::string::npos) {
      try {
        std::string directive = line.substr(mark + 3);
        if (directive.rfind(" ", 0) == 0) directive.erase(0, 1);
        parse_directive(test, number, code, directive);
      } catch (const std::exception& error) {
        throw std::runtime_error(path + ":" + std::to_string(number) + ": " + error.what());
      }
    }
    if (code.find(".func") != std::string::npos || code.find(".entry") != std::string::npos) label.clear();
    const std::size_t first = code.find_first_not_of(" \t"), last = code.find_last_not_of(" \t");
    if (first != std::string::npos) {
      const std::size_t name_end = code.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789", first);
      if (name_end != std::string::npos && name_end > first && code[name_end] == ':')
        label = code.substr(first, name_end - first);
      if (complete && first > 0 && !std::strchr(".}{", code[first]))
        located += "  .loc 1 " + std::to_string(number) + " 1\n";
      complete = std::strchr(";{}:", code[last]) != nullptr;
    }
    test.labels.push_back(label);
    raw += line + "\n";
    located += line + "\n";
    if (line.rfind(".address_size", 0) == 0) located += ".file 1 \"" + path + "\"\n";
  }
  test.text = test.refused ? raw : located;  // an error then names the line of the file
  return test;
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
