// In which order the nodes of a graph are executed, and what of that order the program has asked for. Nodes run one after the other
// here; on a GPU those that nothing orders may run at the same time. To the race check each such branch of a graph is like a stream.
#pragma once

#include <optional>
#include <vector>

#include "runtime/clock.h"
#include "runtime/graph.h"

namespace gpusim::runtime {

struct GraphStep {
  Act act;
  bool is_host_function = false;
  std::vector<std::size_t> after;  // earlier steps that it depends on
};

// The work of all nodes that are enabled, child graphs included. Nothing if a node belongs to another GPU than `gpu`.
std::optional<std::vector<GraphStep>> steps_of(const CUgraph_st&, u32 gpu);

// Whether each node depends on the one before it, so that the graph has a single order.
bool is_one_after_another(const CUgraph_st&);

// Launches of one executable graph, which come one after the other even in different streams ("Graphs", CUDA C++ Programming Guide).
class GraphOrder {
 public:
  // Executes the steps. Stops at the first error and returns it.
  cudaError_t run(const std::vector<GraphStep>&, cudaStream_t);

 private:
  struct Branch {
    u32 number;        // unique among all streams; of the first branch: that of the stream
    std::size_t last;  // its latest step
  };
  std::size_t branch_of(const GraphStep&, std::size_t step, std::vector<Branch>&);
  cudaError_t run_in_branch(const GraphStep&, u32 number, u32 graph_launch, cudaStream_t, Clock&);

  std::vector<u32> numbers_;  // of branches beyond the first, from earlier launches
  Clock ended_;               // what the latest launch comes after in the end
};

}  // namespace gpusim::runtime
// SPDX-License-Identifier: MIT
