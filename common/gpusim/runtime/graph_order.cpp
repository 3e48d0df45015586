#include "runtime/graph_order.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "cuda_runtime_api.h"
#include "runtime/process.h"
#include "runtime/work.h"

namespace gpusim::runtime {
namespace {

using Steps = std::vector<std::size_t>;

void add(Steps& to, const Steps& more) {
  to.insert(to.end(), more.begin(), more.end());
  std::ranges::sort(to);
  to.erase(std::ranges::unique(to).begin(), to.end());
}

// Appends the steps of a graph that begins after `begin`. Returns the steps with which it ends, or nothing if a node belongs to
// another GPU.
std::optional<Steps> append(const CUgraph_st& graph, u32 gpu, const Steps& begin,
                            std::vector<GraphStep>& steps) {
  std::unordered_map<const CUgraphNode_st*, Steps> end_of;
  Steps ends = graph.nodes.empty() ? begin : Steps();
  for (const CUgraphNode_st* node : graph.in_order()) {
    Steps after = node->after.empty() ? begin : Steps();
    for (const CUgraphNode_st* earlier : node->after) add(after, end_of[earlier]);
    if (const auto* child = std::get_if<std::shared_ptr<CUgraph_st>>(&node->work.made_of);
        child && node->is_enabled) {
      std::optional<Steps> end = append(**child, gpu, after, steps);
      if (!end) return std::nullopt;
      after = std::move(*end);
    } else if (node->work.act && node->is_enabled) {
      if (node->work.gpu != gpu) return std::nullopt;
      steps.push_back({node->work.act, node->work.type == cudaGraphNodeTypeHost, std::move(after)});
      after = {steps.size() - 1};
    }
    end_of[node] = std::move(after);
  }
  for (const auto& node : graph.nodes) {
    const bool is_last = std::ranges::none_of(graph.nodes, [&](const auto& other) {
      return std::ranges::find(other->after, node.get()) != other->after.end();
    });
    if (is_last) add(ends, end_of[node.get()]);
  }
  return ends;
}

}  // namespace

std::optional<std::vector<GraphStep>> steps_of(const CUgraph_st& graph, u32 gpu) {
  std::vector<GraphStep> steps;
  if (!append(graph, gpu, {}, steps)) return std::nullopt;
  return steps;
}

bool is_one_after_another(const CUgraph_st& graph) {
  const std::vector<CUgraphNode_st*> nodes = graph.in_order();
  for (std::size_t i = 1; i < nodes.size(); ++i)
    if (std::ranges::find(nodes[i]->after, nodes[i - 1]) == nodes[i]->after.end()) return false;
  return std::ranges::all_of(nodes, [](const CUgraphNode_st* node) {
    const auto* child = std::get_if<std::shared_ptr<CUgraph_st>>(&node->work.made_of);
    return !child || is_one_after_another(**child);
  });
}

// The branch whose latest step this one depends on, or a new one.
std::size_t GraphOrder::branch_of(const GraphStep& step, std::size_t index, std::vector<Branch>& branches) {
  const auto goes_on = [&](const Branch& b) {
    return std::ranges::find(step.after, b.last) != step.after.end();
  };
  const auto found = std::ranges::find_if(branches, goes_on);
  if (found != branches.end()) {
    found->last = index;
    return std::size_t(found - branches.begin());
  }
  const std::size_t beyond_first = branches.size() - 1;
  if (beyond_first == numbers_.size()) numbers_.push_back(number_of_stream());
  branches.push_back({numbers_[beyond_first], index});
  return branches.size() - 1;
}

// The stream takes the place of the branch while the step is given to it. `clock`: what the step comes after, then its own end.
cudaError_t GraphOrder::run_in_branch(const GraphStep& step, u32 number, u32 graph_launch,
                                      cudaStream_t stream, Clock& clock) {
  if (step.is_host_function) {  // waits for what the stream comes after
    {
      const DeviceLock lock;
      join(find_stream(stream)->clock, clock);
    }
    return step.act(stream);
  }
  const DeviceLock lock;
  CUstream_st& s = *find_stream(stream);
  const u32 own_number = std::exchange(s.number, number);
  s.graph_launch = graph_launch;
  std::swap(s.clock, clock);
  const cudaError_t error = step.act(stream);
  std::swap(s.clock, clock);
  s.number = own_number;
  s.graph_launch = 0;
  return error;
}

cudaError_t GraphOrder::run(const std::vector<GraphStep>& steps, cudaStream_t stream) {
  if (is_multi_gpu()) {
    for (const GraphStep& step : steps)
      if (const cudaError_t error = step.act(stream)) return error;
    return cudaSuccess;
  }
  u32 graph_launch = 0;
  Clock begin;
  std::vector<Branch> branches;
  {
    const DeviceLock lock;
    CUstream_st& s = *find_stream(stream);
    graph_launch = ++process().graph_launches;
    join(s.clock, ended_);
    begin = s.clock;
    branches.push_back({s.number, steps.size()});
  }
  std::vector<Clock> end(steps.size());
  cudaError_t error = cudaSuccess;
  for (std::size_t k = 0; k < steps.size() && error == cudaSuccess; ++k) {
    end[k] = begin;
    for (const std::size_t earlier : steps[k].after) join(end[k], end[earlier]);
    const bool is_first = k == 0;  // it goes on in the stream's own branch
    if (is_first) branches[0].last = 0;
    const std::size_t branch = is_first ? 0 : branch_of(steps[k], k, branches);
    error = run_in_branch(steps[k], branches[branch].number, graph_launch, stream, end[k]);
  }
  const DeviceLock lock;
  CUstream_st& s = *find_stream(stream);
  for (const Clock& clock : end) join(s.clock, clock);
  join(ended_, s.clock);
  return error;
}

}  // namespace gpusim::runtime
// SPDX-License-Identifier: MIT
