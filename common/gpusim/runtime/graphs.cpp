// cudaGraph…: graphs made by hand, and what programs ask about them.
#include <algorithm>
#include <unordered_map>

#include "cuda_runtime_api.h"
#include "runtime/errors.h"
#include "runtime/graph.h"
#include "runtime/process.h"

using namespace gpusim;
using namespace gpusim::runtime;

CUgraph_st::CUgraph_st(const CUgraph_st& other) {
  std::unordered_map<const CUgraphNode_st*, CUgraphNode_st*> copies;
  for (const auto& node : other.nodes) {
    CUgraphNode_st* const copy = add(node->work, {});
    copy->original = node->number;
    copy->is_enabled = node->is_enabled;
    copies[node.get()] = copy;
  }
  for (const auto& node : other.nodes)
    for (const CUgraphNode_st* before : node->after) copies[node.get()]->after.push_back(copies.at(before));
}

CUgraph_st::~CUgraph_st() {
  for (const auto& node : nodes) process().nodes.erase(node.get());
}

CUgraphNode_st* CUgraph_st::add(GraphWork work, std::vector<CUgraphNode_st*> after) {
  nodes.push_back(std::make_unique<CUgraphNode_st>());
  CUgraphNode_st& node = *nodes.back();
  node.work = std::move(work);
  node.graph = this;
  node.after = std::move(after);
  node.number = ++process().nodes_made;
  process().nodes.insert(&node);
  return &node;
}

CUgraphNode_st* CUgraph_st::copy_of(const CUgraphNode_st* original) const {
  for (const auto& node : nodes)
    if (node->original == original->number) return node.get();
  return nullptr;
}

std::vector<CUgraphNode_st*> CUgraph_st::in_order() const {
  std::vector<CUgraphNode_st*> order;
  std::unordered_map<const CUgraphNode_st*, std::size_t> missing;
  std::unordered_map<const CUgraphNode_st*, std::vector<CUgraphNode_st*>> behind;
  for (const auto& node : nodes) {
    missing[node.get()] = node->after.size();
    for (const CUgraphNode_st* before : node->after) behind[before].push_back(node.get());
    if (node->after.empty()) order.push_back(node.get());
  }
  for (std::size_t i = 0; i < order.size(); ++i)
    for (CUgraphNode_st* next : behind[order[i]])
      if (--missing[next] == 0) order.push_back(next);
  if (order.size() != nodes.size()) order.clear();
  return order;
}

namespace gpusim::runtime {

bool is_graph(cudaGraph_t graph) { return process().graphs.count(graph) != 0; }
bool is_node(cudaGraphNode_t node) { return process().nodes.count(node) != 0; }
cudaGraph_t make_graph() {
  cudaGraph_t made = new CUgraph_st;
  process().graphs.insert(made);
  return made;
}
void destroy_graph(cudaGraph_t graph) {
  process().graphs.erase(graph);
  delete graph;
}

}  // namespace gpusim::runtime

namespace {

using Nodes = std::vector<CUgraphNode_st*>;

bool are_nodes_of(cudaGraph_t graph, const cudaGraphNode_t* nodes, size_t count) {
  return count == 0 || (nodes && std::all_of(nodes, nodes + count, [&](cudaGraphNode_t n) {
                          return is_node(n) && n->graph == graph;
                        }));
}

// Adds a node with the work that `make` makes from `what`.
template <class What, class Make>
cudaError_t add(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* before, size_t count,
                const What* what, Make make) {
  const DeviceLock lock;
  if (!node || !what || !is_graph(graph) || !are_nodes_of(graph, before, count))
    return refuse(cudaErrorInvalidValue);
  if (std::set<cudaGraphNode_t>(before, before + count).size() != count) return refuse(cudaErrorInvalidValue);
  cudaError_t error = cudaSuccess;
  GraphWork work = make(*what, &error);
  if (error == cudaSuccess) *node = graph->add(std::move(work), Nodes(before, before + count));
  return error;
}

// Returns the parameters from which a node was made, if it is of that kind.
template <class What> cudaError_t get(cudaGraphNode_t node, What* what) {
  const DeviceLock lock;
  const What* const own = is_node(node) ? std::get_if<What>(&node->work.made_of) : nullptr;
  if (!own || !what) return refuse(cudaErrorInvalidValue);
  *what = *own;
  return cudaSuccess;
}

// Returns a list as the API does: as many items as fit, or, without room for any, their number.
cudaError_t give_out(const Nodes& found, cudaGraphNode_t* nodes, size_t* count) {
  if (!count) return refuse(cudaErrorInvalidValue);
  if (nodes) {
    for (size_t i = 0; i < *count; ++i) nodes[i] = i < found.size() ? found[i] : nullptr;
    *count = std::min(*count, found.size());
  } else *count = found.size();
  return cudaSuccess;
}

// Calls f for each pair of nodes, if all of them belong to the graph.
template <class F>
cudaError_t for_each_edge(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                          size_t count, F f) {
  const DeviceLock lock;
  if (!is_graph(graph) || !are_nodes_of(graph, from, count) || !are_nodes_of(graph, to, count))
    return refuse(cudaErrorInvalidValue);
  for (size_t i = 0; i < count; ++i)
    if (!f(from[i], to[i]->after)) return refuse(cudaErrorInvalidValue);
  return cudaSuccess;
}

}  // namespace

extern "C" {

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned int flags) {
  const DeviceLock lock;
  if (!graph || flags != 0) return refuse(cudaErrorInvalidValue);
  *graph = make_graph();
  return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  const DeviceLock lock;
  if (!is_graph(graph)) return refuse(cudaErrorInvalidValue);
  destroy_graph(graph);
  return cudaSuccess;
}
cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t graph) {
  const DeviceLock lock;
  if (!clone || !is_graph(graph)) return refuse(cudaErrorInvalidValue);
  process().graphs.insert(*clone = new CUgraph_st(*graph));
  return cudaSuccess;
}
cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* node, cudaGraphNode_t original, cudaGraph_t clone) {
  const DeviceLock lock;
  if (!node || !is_node(original) || !is_graph(clone)) return refuse(cudaErrorInvalidValue);
  *node = clone->copy_of(original);
  return *node ? cudaSuccess : refuse(cudaErrorInvalidValue);
}
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
  const DeviceLock lock;
  if (!is_node(node)) return refuse(cudaErrorInvalidValue);
  CUgraph_st& graph = *node->graph;
  for (const auto& other : graph.nodes) std::erase(other->after, node);
  process().nodes.erase(node);
  std::erase_if(graph.nodes, [&](const auto& own) { return own.get() == node; });
  return cudaSuccess;
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  const DeviceLock lock;
  if (!is_graph(graph)) return refuse(cudaErrorInvalidValue);
  Nodes all;
  for (const auto& node : graph->nodes) all.push_back(node.get());
  return give_out(all, nodes, count);
}
cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  const DeviceLock lock;
  if (!is_graph(graph)) return refuse(cudaErrorInvalidValue);
  Nodes roots;
  for (const auto& node : graph->nodes)
    if (node->after.empty()) roots.push_back(node.get());
  return give_out(roots, nodes, count);
}
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
  const DeviceLock lock;
  if (!type || !is_node(node)) return refuse(cudaErrorInvalidValue);
  *type = node->work.type;
  return cudaSuccess;
}

#define NEW_NODE cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *before, size_t count
cudaError_t cudaGraphAddEmptyNode(NEW_NODE) {
  const int nothing = 0;
  return add(node, graph, before, count, &nothing, [](int, cudaError_t*) { return GraphWork(); });
}
cudaError_t cudaGraphAddKernelNode(NEW_NODE, const cudaKernelNodeParams* what) {
  return add(node, graph, before, count, what, plain_kernel_work);
}
cudaError_t cudaGraphAddMemcpyNode(NEW_NODE, const cudaMemcpy3DParms* what) {
  return add(node, graph, before, count, what, copy_work);
}
cudaError_t cudaGraphAddMemcpyNode1D(NEW_NODE, void* to, const void* from, size_t bytes,
                                     cudaMemcpyKind kind) {
  const cudaMemcpy3DParms what = rows_of_bytes(to, bytes, from, bytes, bytes, 1, kind);
  return add(node, graph, before, count, &what, copy_work);
}
cudaError_t cudaGraphAddMemsetNode(NEW_NODE, const cudaMemsetParams* what) {
  return add(node, graph, before, count, what, fill_work);
}
cudaError_t cudaGraphAddHostNode(NEW_NODE, const cudaHostNodeParams* what) {
  return add(node, graph, before, count, what, host_work);
}
cudaError_t cudaGraphAddChildGraphNode(NEW_NODE, cudaGraph_t child) {
  return add(node, graph, before, count, &child, [](cudaGraph_t of, cudaError_t* error) {
    if (is_graph(of)) return graph_work(*of);
    *error = refuse(cudaErrorInvalidValue);
    return GraphWork();
  });
}
cudaError_t cudaGraphAddEventRecordNode(NEW_NODE, cudaEvent_t event) {
  return add(node, graph, before, count, &event,
             [](cudaEvent_t e, cudaError_t*) { return event_work(cudaGraphNodeTypeEventRecord, e); });
}
cudaError_t cudaGraphAddEventWaitNode(NEW_NODE, cudaEvent_t event) {
  return add(node, graph, before, count, &event,
             [](cudaEvent_t e, cudaError_t*) { return event_work(cudaGraphNodeTypeWaitEvent, e); });
}
#undef NEW_NODE

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* what) {
  return get(node, what);
}
cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms* what) {
  return get(node, what);
}
cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams* what) {
  return get(node, what);
}
cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams* what) {
  return get(node, what);
}
cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* child) {
  std::shared_ptr<CUgraph_st> own;
  const cudaError_t error = get(node, &own);
  if (error == cudaSuccess && child) *child = own.get();
  return error;
}

}  // extern "C"

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, size_t count) {
  return for_each_edge(graph, from, to, count, [](CUgraphNode_st* before, Nodes& after) {
    const bool is_new = std::ranges::find(after, before) == after.end();
    if (is_new) after.push_back(before);
    return is_new;
  });
}
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, size_t count) {
  return for_each_edge(graph, from, to, count,
                       [](CUgraphNode_st* before, Nodes& after) { return std::erase(after, before) != 0; });
}
cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, size_t* count) {
  const DeviceLock lock;
  if (!is_graph(graph) || !count || !from != !to) return refuse(cudaErrorInvalidValue);
  Nodes first, second;
  for (const auto& node : graph->nodes)
    for (CUgraphNode_st* before : node->after) first.push_back(before), second.push_back(node.get());
  size_t same = *count;
  give_out(first, from, &same);
  return give_out(second, to, count);
}
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* others, size_t* count) {
  const DeviceLock lock;
  return is_node(node) ? give_out(node->after, others, count) : refuse(cudaErrorInvalidValue);
}
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* others, size_t* count) {
  const DeviceLock lock;
  if (!is_node(node)) return refuse(cudaErrorInvalidValue);
  Nodes behind;
  for (const auto& other : node->graph->nodes)
    if (std::ranges::find(other->after, node) != other->after.end()) behind.push_back(other.get());
  return give_out(behind, others, count);
}

// The versions of CUDA 12 and 13 with data for edges. Only kernels in clusters and programmatic launches have
// such data.
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, const cudaGraphEdgeData* data, size_t count) {
  return data ? refuse(cudaErrorNotSupported) : cudaGraphAddDependencies(graph, from, to, count);
}
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, const cudaGraphEdgeData* data,
                                        size_t count) {
  return data ? refuse(cudaErrorNotSupported) : cudaGraphRemoveDependencies(graph, from, to, count);
}
cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                              cudaGraphEdgeData* data, size_t* count) {
  return data ? refuse(cudaErrorNotSupported) : cudaGraphGetEdges(graph, from, to, count);
}
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* others,
                                         cudaGraphEdgeData* data, size_t* count) {
  return data ? refuse(cudaErrorNotSupported) : cudaGraphNodeGetDependencies(node, others, count);
}
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* others,
                                           cudaGraphEdgeData* data, size_t* count) {
  return data ? refuse(cudaErrorNotSupported) : cudaGraphNodeGetDependentNodes(node, others, count);
}
// SPDX-License-Identifier: MIT
