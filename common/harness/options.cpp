#include "harness/options.h"

#include <CLI/CLI.hpp>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <new>
#include <optional>
#include <string_view>

#include "harness/counters.h"
#include "harness/device.h"
#include "harness/output_file.h"
#include "harness/reference.h"

namespace harness {
namespace {

constexpr long long kLargestN = 1LL << 30;
constexpr long long kTooLarge = std::numeric_limits<long long>::max();

// Reads an integer: "1000", "-5", "2^20", "64K". The result is kTooLarge (negative after a minus sign) if the
// number does not fit 64 bits.
std::optional<long long> parse_whole(std::string_view text) {
  const bool negative = !text.empty() && text.front() == '-';
  if (negative) text.remove_prefix(1);
  // from_chars would accept another sign, and "--5" is no number.
  if (text.empty() || text.front() < '0' || text.front() > '9') return std::nullopt;

  long long value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range) value = kTooLarge;
  const std::string_view suffix(rest, static_cast<std::size_t>(text.data() + text.size() - rest));

  int doublings = 0;
  if (suffix == "K" || suffix == "M" || suffix == "G") {
    doublings = suffix == "K" ? 10 : suffix == "M" ? 20 : 30;
  } else if (suffix.size() > 1 && suffix.front() == '^' && value == 2) {
    const auto exponent = parse_whole(suffix.substr(1));
    if (!exponent || *exponent < 0) return std::nullopt;
    value = 1;
    doublings = *exponent > 62 ? 63 : static_cast<int>(*exponent);
  } else if (!suffix.empty()) {
    return std::nullopt;
  }
  for (; doublings > 0; --doublings) value = value > kTooLarge / 2 ? kTooLarge : value * 2;
  return negative ? -value : value;
}

// A message is one line, whatever was typed.
std::string one_line(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  }
  return text;
}

// What is wrong with the text given to an option; empty if it is right, and then *option.value is set.
std::string set_integer(const IntegerOption& option, const std::string& text) {
  const auto value = parse_whole(text);
  if (!value) return std::string(option.name) + ": '" + text + "' is not a whole number";
  if (*value < option.least || *value > option.greatest) {
    return std::string(option.name) + ": " + text + " is not in " + std::to_string(option.least) + "…" +
           std::to_string(option.greatest);
  }
  if (option.power_of_two && (*value <= 0 || (*value & (*value - 1)) != 0))
    return std::string(option.name) + ": " + text + " is not a power of two";
  *option.value = *value;
  return "";
}

// Why --profile or --trace cannot be served; empty if they can.
std::string check_inspection(const Options& options, bool trace) {
  if (options.profile && !is_simulated()) return "--profile: only the simulated GPU counts; use ncu";
  if (trace && !is_simulated()) return "--trace: only the simulated GPU writes traces; use ncu or cuda-gdb";
  if (options.profile && options.profile_file.empty() && options.json) {
    return "--profile prints text, and --json one document: name a file, --profile=FILE";
  }
  if (options.predict && !is_simulated()) return "--predict: this is a GPU; its times are measured";
  if (options.proof && !is_simulated()) return "--proof: only the simulated GPU proves; leave it away";
  if (options.predict && (options.profile || options.proof || trace))
    return "--predict counts and proves nothing: leave --profile, --proof and --trace away";
  if (options.only_step && !options.predict) return "--only-step goes with --predict only";
  if (!options.profile_file.empty()) {
    if (const std::string what = why_not_writable(options.profile_file); !what.empty())
      return "--profile: " + what;
  }
  if (!trace) return "";
  if (options.trace_file.empty()) return "--trace: name a file, --trace=FILE";
  const std::string what = why_not_writable(options.trace_file);
  return what.empty() ? "" : "--trace: " + what;
}

// The new-handler: std::vector has asked for more memory than there is.
[[noreturn]] void end_without_memory() {
  std::fprintf(stderr, "not enough memory for so many elements; choose fewer: --n\n");
  std::_Exit(kExitFailed);
}

}  // namespace

ParsedOptions try_parse_options(int argc, const char* const* argv, const std::string& program,
                                const std::string& summary, const std::vector<IntegerOption>& extra) {
  ParsedOptions parsed;
  parsed.options.program = program;
  parsed.options.summary = summary;
  long long n = is_simulated() ? 1LL << 20 : 1LL << 25;
  long long repeat = parsed.options.repeat;
  long long seed = static_cast<long long>(parsed.options.seed);

  std::vector<IntegerOption> integers = {
      {"--n", "elements to process; 2^20 and 1M are understood", &n, 0, kLargestN},
      {"--repeat", "timed runs of each kernel (on a GPU only); 0: one run, not timed", &repeat, 0, 100000},
      {"--seed", "the inputs follow from it", &seed, 0, std::numeric_limits<std::uint32_t>::max()},
  };
  integers.insert(integers.end(), extra.begin(), extra.end());

  CLI::App app(summary, program);
  app.allow_extras();  // unknown options are reported below, in one line
  std::vector<std::string> texts(integers.size());
  for (std::size_t i = 0; i < integers.size(); ++i) {
    app.add_option(integers[i].name, texts[i], integers[i].help)
        ->type_name("NUMBER")
        ->default_str(std::to_string(*integers[i].value))
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  }
  app.add_flag("--json", parsed.options.json, "print one JSON document instead of a table")
      ->disable_flag_override();
  const CLI::Option* profile =
      app.add_option("--profile", parsed.options.profile_file,
                     "print the kernels' source with counters beside it, or write them to FILE as JSON")
          ->type_name("[FILE]")
          ->expected(0, 1)
          ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  const CLI::Option* trace = app.add_option("--trace", parsed.options.trace_file,
                                            "write what block 0 does, step by step, to FILE as JSON")
                                 ->type_name("FILE")
                                 ->expected(0, 1)
                                 ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);

  app.add_flag("--proof", parsed.options.proof,
               "say whether the step's kernel could race with another input or in another order")
      ->disable_flag_override();
  app.add_flag("--only-step", parsed.options.only_step,
               "leave out what the step is compared with; with --predict")
      ->disable_flag_override();
  app.add_flag(
         "--predict", parsed.options.predict,
         "say how long a GPU would take (GPUSIM_MACHINE says which); of a large grid only some blocks run")
      ->disable_flag_override();

  const auto bad = [&](const std::string& what) {
    parsed.exit_status = kExitBadOption;
    parsed.message = one_line(program + ": " + what + " (try --help)");
    return parsed;
  };
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    parsed.exit_status = 0;
    parsed.message = app.help();
    return parsed;
  } catch (const CLI::ParseError& error) {
    return bad(error.what());
  }
  if (const auto unknown = app.remaining(); !unknown.empty())
    return bad("unknown argument '" + unknown[0] + "'");
  for (std::size_t i = 0; i < integers.size(); ++i) {
    if (app.count(integers[i].name) == 0) continue;
    if (const std::string what = set_integer(integers[i], texts[i]); !what.empty()) return bad(what);
  }
  parsed.options.profile = profile->count() > 0;
  if (const std::string what = check_inspection(parsed.options, trace->count() > 0); !what.empty())
    return bad(what);
  parsed.options.n = static_cast<int>(n);
  parsed.options.repeat = static_cast<int>(repeat);
  parsed.options.seed = static_cast<std::uint64_t>(seed);
  return parsed;
}

Options parse_options(int argc, const char* const* argv, const std::string& program,
                      const std::string& summary, const std::vector<IntegerOption>& extra) {
  refuse_lost_output();
  std::set_new_handler(end_without_memory);
  const ParsedOptions parsed = try_parse_options(argc, argv, program, summary, extra);
  if (parsed.exit_status < 0) {
    require_gpu();
    if (parsed.options.predict) {
      prepare_predictions();
      verify_nothing();
    }
    return parsed.options;
  }
  std::fprintf(parsed.exit_status == 0 ? stdout : stderr, "%s\n", parsed.message.c_str());
  std::exit(parsed.exit_status);
}

void parse_no_options(int argc, const char* const* argv, const std::string& program,
                      const std::string& summary) {
  refuse_lost_output();
  if (argc <= 1) return require_gpu();
  if (argc == 2 && std::string_view(argv[1]) == "--help") {
    std::printf("%s: %s; it takes no options\n", program.c_str(), summary.c_str());
    std::exit(0);
  }
  const std::string what = "it takes no options but --help, and got '" + std::string(argv[1]) + "'";
  std::fprintf(stderr, "%s\n", one_line(program + ": " + what).c_str());
  std::exit(kExitBadOption);
}

}  // namespace harness
// SPDX-License-Identifier: MIT
