#include "thresholds.h"

#include <gpusim/compared_numbers.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <utility>

#include "judge.h"

namespace judge {
namespace {

std::string file_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// The line of the judged file that compares, or that calls what does; null if there is none.
const gpusim::Place* place_in_judged_file(const gpusim::Place& place) {
  const auto is_theirs = [](const gpusim::Place& p) { return file_name(p.file) == file_name(kernels_file); };
  if (is_theirs(place)) return &place;
  const auto call = std::ranges::find_if(place.called_at, is_theirs);
  return call == place.called_at.end() ? nullptr : &*call;
}

// Numbers that stand next to a comparison in the text of the file, and with which no kernel compares: a function of the host may.
void add_numbers_of_host(std::vector<gpusim::ComparedNumber>& all) {
  std::set<unsigned long long> of_kernels;  // a compiler turns `n < 1000` into `n > 999`
  for (const gpusim::ComparedNumber& n : all) of_kernels.insert({n.number - 1, n.number, n.number + 1});
  static const std::regex comparison(
      "(?:[<>]=?|[=!]=)\\s*([0-9][0-9']*)\\b(?!\\.)|\\b([0-9][0-9']*)\\s*(?:[<>]=?|[=!]=)[^<>]");
  std::ifstream file(kernels_file);
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    line = line.substr(0, line.find("//"));
    for (std::sregex_iterator at(line.begin(), line.end(), comparison), end; at != end; ++at) {
      std::string digits = (*at)[1].matched ? (*at)[1] : (*at)[2];
      std::erase(digits, '\'');
      if (digits.size() < 11)
        all.push_back({"", false, {kernels_file, number, 0, {}}, false, std::stoull(digits), 0});
    }
  }
}

// Reading the code takes some milliseconds, and it does not change.
const std::vector<gpusim::ComparedNumber>& all_numbers() {
  static const std::vector<gpusim::ComparedNumber> all = [] {
    std::vector<gpusim::ComparedNumber> theirs = gpusim::compared_numbers();
    std::erase_if(theirs, [](const auto& number) { return !place_in_judged_file(number.place); });
    add_numbers_of_host(theirs);
    return theirs;
  }();
  return all;
}

// Whether it is of this kernel, of a function that kernels call, or of the host. `kernel` may have a comma and more behind its name.
bool concerns(const gpusim::ComparedNumber& number, const std::string& kernel) {
  return !number.is_kernel || number.function.find(kernel.substr(0, kernel.find(','))) != std::string::npos;
}

}  // namespace

std::vector<Threshold> thresholds(std::size_t least, std::size_t most, const std::string& kernel) {
  constexpr std::size_t kLeast = 33;  // every chapter judges all sizes of up to a warp
  constexpr std::size_t kMostJudged = 8, kNextTo = 8, kPart = 64;
  std::set<std::size_t> found;
  for (const gpusim::ComparedNumber& n : all_numbers())
    if (!n.is_float && concerns(n, kernel) && n.number >= std::max(least, kLeast) && n.number <= most)
      found.insert(std::size_t(n.number));
  std::vector<Threshold> all;
  for (const std::size_t number : found) {
    if (!all.empty() && number <= all.back().last + kNextTo + all.back().last / kPart)
      all.back().last = number;
    else all.push_back({number, number});
  }
  static bool has_told = false;
  if (all.size() > kMostJudged && !has_told) {
    std::printf("    kernels.cuh compares sizes with more than %zu numbers: judged are sizes up to %zu\n",
                kMostJudged, all[kMostJudged - 1].last);
    has_told = true;
  }
  if (all.size() > kMostJudged) all.resize(kMostJudged);
  return all;
}

std::vector<float> float_thresholds(const std::string& kernel) {
  std::set<float> found;
  for (const gpusim::ComparedNumber& n : all_numbers())
    if (n.is_float && concerns(n, kernel) && std::isfinite(float(n.value)))
      found.insert(std::fabs(float(n.value)));
  return {found.begin(), found.end()};
}

std::size_t largest_number_in_code(std::size_t most) {
  return std::size_t(gpusim::largest_number_in_code(most));
}

std::vector<std::string> comparisons_with_one_outcome() {
  struct Sides {
    bool has_jumped = false, has_stayed = false;
  };
  std::map<std::pair<int, int>, Sides> all;  // by line and column: the compiler may have copied the code
  for (const gpusim::BranchOnSize& branch : gpusim::branches_on_sizes())
    if (const gpusim::Place* place = place_in_judged_file(branch.place)) {
      Sides& sides = all[{place->line, place->column}];
      sides.has_jumped |= branch.has_jumped;
      sides.has_stayed |= branch.has_stayed;
    }
  std::vector<std::string> places;
  for (const auto& [at, sides] : all)
    if (sides.has_jumped != sides.has_stayed)
      places.push_back(file_name(kernels_file) + ":" + std::to_string(at.first) + ":" +
                       std::to_string(at.second));
  return places;
}

void print_thresholds() {
  for (const gpusim::ComparedNumber& n : all_numbers()) {
    const gpusim::Place& place = *place_in_judged_file(n.place);
    std::printf("%s:%d:%d: ", file_name(place.file).c_str(), place.line, place.column);
    if (n.is_float) std::printf("%g (%s)\n", n.value, n.function.c_str());
    else std::printf("%llu (%s)\n", n.number, n.function.c_str());
  }
}

}  // namespace judge
// SPDX-License-Identifier: MIT
