// A CUDA graph: what each node does, and which nodes come before it. graphs.cpp makes graphs by calls,
// capture.cpp from the work of a stream. graph_exec.cpp launches them.
#pragma once

#include <functional>
#include <memory>
#include <variant>
#include <vector>

#include "gpusim/detail/graphs.h"

#include "base/base.h"

namespace gpusim::runtime {

// What a node does, in the stream into which its graph is launched.
using Act = std::function<cudaError_t(cudaStream_t)>;

struct GraphWork {
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  Act act;  // none in an empty node or a child graph
  std::variant<std::monostate, cudaKernelNodeParams, cudaMemcpy3DParms, cudaMemsetParams, cudaHostNodeParams,
               std::shared_ptr<CUgraph_st>>
      made_of;
  u32 gpu = 0;  // the GPU that does the work
};

// The work of a node of each kind. What the API's call of that kind would refuse is refused here, with
// *error.
GraphWork kernel_work(const cudaKernelNodeParams&, bool is_cooperative, cudaError_t* error);
inline GraphWork plain_kernel_work(const cudaKernelNodeParams& what, cudaError_t* error) {
  return kernel_work(what, false, error);
}
GraphWork copy_work(const cudaMemcpy3DParms&, cudaError_t* error);
GraphWork fill_work(const cudaMemsetParams&, cudaError_t* error);
GraphWork host_work(const cudaHostNodeParams&, cudaError_t* error);
GraphWork event_work(cudaGraphNodeType, cudaEvent_t);
GraphWork graph_work(const CUgraph_st&);

// Writes a value of 1, 2 or 4 bytes `count` times to memory of a GPU.
cudaError_t fill_elements(void* first, u32 value, u32 element_bytes, std::size_t count, cudaStream_t stream);
// A copy of rows of bytes, as a copy node describes it.
cudaMemcpy3DParms rows_of_bytes(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                                std::size_t width, std::size_t height, cudaMemcpyKind);

bool is_graph(cudaGraph_t);
bool is_node(cudaGraphNode_t);
// Makes a graph and its handle; frees both.
cudaGraph_t make_graph();
void destroy_graph(cudaGraph_t);

}  // namespace gpusim::runtime

struct CUgraphNode_st {
  gpusim::runtime::GraphWork work;
  CUgraph_st* graph = nullptr;
  std::vector<CUgraphNode_st*> after;  // dependencies
  gpusim::u64 number = 0;              // unique among all nodes
  gpusim::u64 original = 0;            // the number of the node that this is a copy of
  bool is_enabled = true;
};

struct CUgraph_st {
  std::vector<std::unique_ptr<CUgraphNode_st>> nodes;

  CUgraph_st() = default;
  explicit CUgraph_st(const CUgraph_st& other);
  ~CUgraph_st();
  CUgraphNode_st* add(gpusim::runtime::GraphWork, std::vector<CUgraphNode_st*> after);
  CUgraphNode_st* copy_of(const CUgraphNode_st* original) const;
  // The nodes in an order in which each comes after its dependencies; empty if the dependencies form a cycle.
  std::vector<CUgraphNode_st*> in_order() const;
};
// SPDX-License-Identifier: MIT
