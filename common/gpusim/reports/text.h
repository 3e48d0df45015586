// What the texts for people share: numbers as they are read, and source lines quoted from their files. And
// strings of the JSON for programs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"
#include "base/grouped.h"
#include "gpusim/counter_list.h"
#include "gpusim/proof.h"
#include "gpusim/report.h"

namespace gpusim {

__attribute__((format(printf, 2, 3))) void append(std::string& out, const char* format, ...);

// "256", "32 x 8", "16 x 16 x 4"
std::string extent(const unsigned (&size)[3]);

// "sum_tile, grid 4096, block 256, 1024 B shared per block", and that it faulted if it did.
std::string launch_line(const Report&);

// What a launch would take, and why; nothing if nothing was predicted.
void append_prediction(std::string& out, const Report&);

// What is proved of the compiled code, in a line or two.
void append_proof(std::string& out, const Proof&);
// "nothing found in this run; for all other runs ask GPUSIM_CHECK=proof, which covers 2 of 3 kernels, but not histogram: kernels.cu:12
// takes its address from memory". Empty without launches.
std::string to_text_of_other_runs(const std::vector<Proof>&);

// The cell of a source line in a column: "-" if the line makes no such access.
std::string cell_of(const CounterRow&, const CounterPlaces::Column&, const Counters& line);

// None if the file cannot be read.
std::vector<std::string> read_lines(const std::string& file);

// Without control characters (a tab is a space), trailing blanks, and what exceeds the columns.
std::string printable(std::string text, std::size_t columns);

// A JSON string, and an array of three numbers.
std::string json_string(std::string_view text);
std::string array_of(const unsigned (&three)[3]);

}  // namespace gpusim
// SPDX-License-Identifier: MIT
