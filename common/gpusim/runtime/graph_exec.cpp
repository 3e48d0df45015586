// Executable graphs: copies of graphs that can be changed and launched.
#include <algorithm>
#include <optional>

#include "cuda_runtime_api.h"
#include "runtime/capture.h"
#include "runtime/errors.h"
#include "runtime/graph.h"
#include "runtime/graph_order.h"
#include "runtime/process.h"

using namespace gpusim;
using namespace gpusim::runtime;

struct CUgraphExec_st {
  std::unique_ptr<CUgraph_st> graph;
  unsigned long long flags;
  GraphOrder order = {};
};

namespace {

bool is_executable(cudaGraphExec_t exec) { return process().executable.count(exec) != 0; }

bool has_order(const CUgraph_st& graph) {
  return (graph.nodes.empty() || !graph.in_order().empty()) &&
         std::ranges::all_of(graph.nodes, [](const auto& node) {
           const auto* child = std::get_if<std::shared_ptr<CUgraph_st>>(&node->work.made_of);
           return !child || has_order(**child);
         });
}

// Replaces the work of a node by other work of the same kind.
template <class What, class Make>
cudaError_t change(cudaGraphNode_t node, const What* what, cudaGraphNodeType type, Make make) {
  if (!node || !what || node->work.type != type) return refuse(cudaErrorInvalidValue);
  cudaError_t error = cudaSuccess;
  GraphWork work = make(*what, &error);
  if (error == cudaSuccess) node->work = std::move(work);
  return error;
}
template <class What, class Make>
cudaError_t change_in_graph(cudaGraphNode_t node, const What* what, cudaGraphNodeType type, Make make) {
  const DeviceLock lock;
  return change(is_node(node) ? node : nullptr, what, type, make);
}
template <class What, class Make>
cudaError_t change_in_exec(cudaGraphExec_t exec, cudaGraphNode_t node, const What* what,
                           cudaGraphNodeType type, Make make) {
  const DeviceLock lock;
  return change(is_executable(exec) && is_node(node) ? exec->graph->copy_of(node) : nullptr, what, type,
                make);
}

// The positions in the graph of the nodes that a node depends on.
std::vector<std::size_t> places(const CUgraph_st& graph, const CUgraphNode_st& node) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i)
    if (std::ranges::find(node.after, graph.nodes[i].get()) != node.after.end()) found.push_back(i);
  return found;
}

// Nodes correspond if they have the same position in the two graphs, as in two captures of the same calls.
cudaGraphExecUpdateResult update(CUgraph_st& own, const CUgraph_st& with, cudaGraphNode_t* error_node) {
  if (own.nodes.size() != with.nodes.size()) return cudaGraphExecUpdateErrorTopologyChanged;
  for (std::size_t i = 0; i < own.nodes.size(); ++i) {
    *error_node = with.nodes[i].get();
    if (own.nodes[i]->work.type != with.nodes[i]->work.type) return cudaGraphExecUpdateErrorNodeTypeChanged;
    if (places(own, *own.nodes[i]) != places(with, *with.nodes[i]))
      return cudaGraphExecUpdateErrorTopologyChanged;
  }
  *error_node = nullptr;
  for (std::size_t i = 0; i < own.nodes.size(); ++i) {
    own.nodes[i]->work = with.nodes[i]->work;
    own.nodes[i]->original = with.nodes[i]->number;
  }
  return cudaGraphExecUpdateSuccess;
}

}  // namespace

extern "C" {

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph,
                                          unsigned long long flags) {
  const DeviceLock lock;
  constexpr unsigned long long kKnown = cudaGraphInstantiateFlagAutoFreeOnLaunch |
                                        cudaGraphInstantiateFlagUpload |
                                        cudaGraphInstantiateFlagUseNodePriority;
  if (!exec || !is_graph(graph) || (flags & ~kKnown) || !has_order(*graph))
    return refuse(cudaErrorInvalidValue);
  *exec = new CUgraphExec_st{std::make_unique<CUgraph_st>(*graph), flags};
  process().executable.insert(*exec);
  if (!is_one_after_another(*graph)) expect_overlap();
  return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  const DeviceLock lock;
  if (!is_executable(exec)) return refuse(cudaErrorInvalidValue);
  process().executable.erase(exec);
  delete exec;
  return cudaSuccess;
}
cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t exec, unsigned long long* flags) {
  const DeviceLock lock;
  if (!is_executable(exec) || !flags) return refuse(cudaErrorInvalidValue);
  *flags = exec->flags;
  return cudaSuccess;
}
cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream) {
  const DeviceLock lock;
  if (!is_executable(exec)) return refuse(cudaErrorInvalidValue);
  return find_stream(stream) ? cudaSuccess : refuse(cudaErrorInvalidResourceHandle);
}

// The device is not locked while a host function runs, because it may wait for another thread.
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
  std::vector<GraphStep> steps;
  const Context* context = nullptr;
  {
    const DeviceLock lock;
    CUstream_st* const s = find_stream(stream);
    if (!s) return refuse(cudaErrorInvalidResourceHandle);
    if (!is_executable(exec)) return refuse(cudaErrorInvalidValue);
    if (const cudaError_t error = forbid_implicit(stream)) return error;
    // An H100 under CUDA 13.0 does the same. To put a graph into a graph, a program makes a child node.
    if (s->capture) return s->capture->invalidate(cudaErrorStreamCaptureUnsupported);
    context = s->context;
    const std::optional<std::vector<GraphStep>> all = steps_of(*exec->graph, context->gpu.device.number);
    if (!all) {
      tell(
          "a graph with work of several GPUs, or launched on another one than it was made on, is not simulated");
      return refuse(cudaErrorNotSupported);
    }
    steps = *all;
  }
  const OnGpu on(*context);
  return exec->order.run(steps, stream);
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* what) {
  return change_in_graph(node, what, cudaGraphNodeTypeKernel, plain_kernel_work);
}
cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const cudaMemcpy3DParms* what) {
  return change_in_graph(node, what, cudaGraphNodeTypeMemcpy, copy_work);
}
cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to, const void* from, size_t count,
                                           cudaMemcpyKind kind) {
  const cudaMemcpy3DParms what = rows_of_bytes(to, count, from, count, count, 1, kind);
  return cudaGraphMemcpyNodeSetParams(node, &what);
}
cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams* what) {
  return change_in_graph(node, what, cudaGraphNodeTypeMemset, fill_work);
}
cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams* what) {
  return change_in_graph(node, what, cudaGraphNodeTypeHost, host_work);
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* what) {
  return change_in_exec(exec, node, what, cudaGraphNodeTypeKernel, plain_kernel_work);
}
cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemcpy3DParms* what) {
  return change_in_exec(exec, node, what, cudaGraphNodeTypeMemcpy, copy_work);
}
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void* to,
                                               const void* from, size_t count, cudaMemcpyKind kind) {
  const cudaMemcpy3DParms what = rows_of_bytes(to, count, from, count, count, 1, kind);
  return cudaGraphExecMemcpyNodeSetParams(exec, node, &what);
}
cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemsetParams* what) {
  return change_in_exec(exec, node, what, cudaGraphNodeTypeMemset, fill_work);
}
cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                           const cudaHostNodeParams* what) {
  return change_in_exec(exec, node, what, cudaGraphNodeTypeHost, host_work);
}

// Only nodes with kernels, copies and fills can be disabled.
cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned int is_enabled) {
  const DeviceLock lock;
  CUgraphNode_st* const own = is_executable(exec) && is_node(node) ? exec->graph->copy_of(node) : nullptr;
  if (!own || own->work.type > cudaGraphNodeTypeMemset) return refuse(cudaErrorInvalidValue);
  own->is_enabled = is_enabled != 0;
  return cudaSuccess;
}
cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned int* is_enabled) {
  const DeviceLock lock;
  const CUgraphNode_st* const own =
      is_executable(exec) && is_node(node) ? exec->graph->copy_of(node) : nullptr;
  if (!own || !is_enabled || own->work.type > cudaGraphNodeTypeMemset) return refuse(cudaErrorInvalidValue);
  *is_enabled = own->is_enabled;
  return cudaSuccess;
}

}  // extern "C"

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long flags) {
  return cudaGraphInstantiateWithFlags(exec, graph, flags);
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, cudaGraphNode_t* error_node,
                                 char* log, size_t log_size) {
  if (error_node) *error_node = nullptr;
  if (log && log_size > 0) *log = 0;
  return cudaGraphInstantiateWithFlags(exec, graph, 0);
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo* info) {
  const DeviceLock lock;
  if (!is_executable(exec) || !is_graph(graph)) return refuse(cudaErrorInvalidValue);
  cudaGraphExecUpdateResultInfo found = {};
  found.result = update(*exec->graph, *graph, &found.errorNode);
  if (info) *info = found;
  return found.result == cudaGraphExecUpdateSuccess ? cudaSuccess : refuse(cudaErrorGraphExecUpdateFailure);
}
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t* error_node,
                                cudaGraphExecUpdateResult* result) {
  cudaGraphExecUpdateResultInfo info = {cudaGraphExecUpdateError, nullptr, nullptr};
  const cudaError_t error = cudaGraphExecUpdate(exec, graph, &info);
  if (error_node) *error_node = info.errorNode;
  if (result) *result = info.result;
  return error;
}
// SPDX-License-Identifier: MIT
