// Graphs made by hand: what their nodes say of themselves, take, do and refuse. (Whole programs: programs/graph_*.cu.)
#include <doctest/doctest.h>

#include <cstring>
#include <vector>

#include "runtime_module.h"
#include "standard_error.h"

using namespace runtime_test;

namespace {

struct FreshGraph : FreshDevice {
  cudaGraph_t graph = nullptr;
  std::vector<int*> memory;

  FreshGraph() { REQUIRE(cudaGraphCreate(&graph, 0) == cudaSuccess); }
  ~FreshGraph() { cudaGraphDestroy(graph); }
  int* words(size_t count) {
    int* pointer = nullptr;
    REQUIRE(cudaMalloc(&pointer, count * sizeof(int)) == cudaSuccess);
    REQUIRE(cudaMemset(pointer, 0, count * sizeof(int)) == cudaSuccess);
    return pointer;
  }
  cudaGraphNode_t empty(std::vector<cudaGraphNode_t> after = {}) {
    cudaGraphNode_t node = nullptr;
    REQUIRE(cudaGraphAddEmptyNode(&node, graph, after.data(), after.size()) == cudaSuccess);
    return node;
  }
  cudaGraphExec_t instantiated() {
    cudaGraphExec_t exec = nullptr;
    REQUIRE(cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0) == cudaSuccess);
    return exec;
  }
};

int word(const int* pointer) {
  int value = -1;
  CHECK(cudaMemcpy(&value, pointer, sizeof value, cudaMemcpyDeviceToHost) == cudaSuccess);
  return value;
}
void add_one(void* data) { ++*static_cast<int*>(data); }
void add_ten(void* data) { *static_cast<int*>(data) += 10; }

// Arguments of set_int, which a node copies.
struct SetInt {
  int* pointer;
  int value;
  void* arguments[2] = {&pointer, &value};
  cudaKernelNodeParams node() { return {&set_int, {1, 1, 1}, {1, 1, 1}, 0, arguments, nullptr}; }
};
const auto kNoGraph = reinterpret_cast<cudaGraph_t>(0x40);
const auto kNoNode = reinterpret_cast<cudaGraphNode_t>(0x40);
const auto kNoExec = reinterpret_cast<cudaGraphExec_t>(0x40);

}  // namespace

TEST_CASE_FIXTURE(FreshGraph, "each kind of node tells what it was made of, and its kind") {
  int *d = words(4), host = 0;
  SetInt set = {d, 7};
  const cudaKernelNodeParams kernel = set.node();
  const cudaMemsetParams fill = {d + 1, 0, 9, 4, 1, 1};
  const cudaHostNodeParams function = {add_one, &host};
  cudaEvent_t event;
  REQUIRE(cudaEventCreate(&event) == cudaSuccess);
  cudaGraph_t child = nullptr;
  REQUIRE(cudaGraphCreate(&child, 0) == cudaSuccess);
  cudaGraphNode_t in_child = nullptr;
  REQUIRE(cudaGraphAddHostNode(&in_child, child, nullptr, 0, &function) == cudaSuccess);

  cudaGraphNode_t k, c, f, h, e, r, w, g;
  CHECK(cudaGraphAddKernelNode(&k, graph, nullptr, 0, &kernel) == cudaSuccess);
  CHECK(cudaGraphAddMemsetNode(&f, graph, &k, 1, &fill) == cudaSuccess);
  CHECK(cudaGraphAddMemcpyNode1D(&c, graph, &f, 1, d + 2, d + 1, 4, cudaMemcpyDeviceToDevice) == cudaSuccess);
  CHECK(cudaGraphAddHostNode(&h, graph, &c, 1, &function) == cudaSuccess);
  CHECK(cudaGraphAddEmptyNode(&e, graph, &h, 1) == cudaSuccess);
  CHECK(cudaGraphAddEventRecordNode(&r, graph, &e, 1, event) == cudaSuccess);
  CHECK(cudaGraphAddEventWaitNode(&w, graph, &r, 1, event) == cudaSuccess);
  CHECK(cudaGraphAddChildGraphNode(&g, graph, &w, 1, child) == cudaSuccess);

  const std::pair<cudaGraphNode_t, cudaGraphNodeType> kinds[] = {
      {k, cudaGraphNodeTypeKernel},    {f, cudaGraphNodeTypeMemset}, {c, cudaGraphNodeTypeMemcpy},
      {h, cudaGraphNodeTypeHost},      {e, cudaGraphNodeTypeEmpty},  {r, cudaGraphNodeTypeEventRecord},
      {w, cudaGraphNodeTypeWaitEvent}, {g, cudaGraphNodeTypeGraph},
  };
  for (const auto& [node, kind] : kinds) {
    cudaGraphNodeType told = cudaGraphNodeType(99);
    CHECK(cudaGraphNodeGetType(node, &told) == cudaSuccess);
    CHECK(told == kind);
  }
  cudaGraphNodeType type;
  CHECK(cudaGraphNodeGetType(k, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaGraphNodeGetType(kNoNode, &type) == cudaErrorInvalidValue);

  cudaKernelNodeParams own_kernel = {};
  cudaMemsetParams own_fill = {};
  cudaMemcpy3DParms own_copy = {};
  cudaHostNodeParams own_function = {};
  CHECK(cudaGraphKernelNodeGetParams(k, &own_kernel) == cudaSuccess);
  CHECK(own_kernel.func == &set_int);
  CHECK(*static_cast<int*>(own_kernel.kernelParams[1]) == 7);
  CHECK(cudaGraphMemsetNodeGetParams(f, &own_fill) == cudaSuccess);
  CHECK(own_fill.dst == d + 1);
  CHECK(own_fill.value == 9);
  CHECK(cudaGraphMemcpyNodeGetParams(c, &own_copy) == cudaSuccess);
  CHECK(own_copy.dstPtr.ptr == d + 2);
  CHECK(own_copy.srcPtr.ptr == d + 1);
  CHECK(own_copy.extent.width == 4);
  CHECK(cudaGraphHostNodeGetParams(h, &own_function) == cudaSuccess);
  CHECK(own_function.userData == &host);
  cudaGraph_t own_child = nullptr;
  size_t count = 0;
  CHECK(cudaGraphChildGraphNodeGetGraph(g, &own_child) == cudaSuccess);
  CHECK(cudaGraphGetNodes(own_child, nullptr, &count) == cudaErrorInvalidValue);  // it belongs to its node
  CHECK(own_child != child);
  // Of another kind, or nothing.
  CHECK(cudaGraphKernelNodeGetParams(f, &own_kernel) == cudaErrorInvalidValue);
  CHECK(cudaGraphMemcpyNodeGetParams(k, &own_copy) == cudaErrorInvalidValue);
  CHECK(cudaGraphMemsetNodeGetParams(k, &own_fill) == cudaErrorInvalidValue);
  CHECK(cudaGraphHostNodeGetParams(k, &own_function) == cudaErrorInvalidValue);
  CHECK(cudaGraphChildGraphNodeGetGraph(k, &own_child) == cudaErrorInvalidValue);
  CHECK(cudaGraphKernelNodeGetParams(k, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaGraphKernelNodeGetParams(kNoNode, &own_kernel) == cudaErrorInvalidValue);

  const cudaGraphExec_t exec = instantiated();
  CHECK(cudaGraphDestroy(child) == cudaSuccess);  // its copy stays
  CHECK(cudaGraphLaunch(exec, nullptr) == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(word(d) == 7);
  CHECK(word(d + 1) == 9);
  CHECK(word(d + 2) == 9);
  CHECK(host == 2);  // once itself, once in the child
  CHECK(cudaEventQuery(event) == cudaSuccess);
  CHECK(cudaGraphExecDestroy(exec) == cudaSuccess);
  CHECK(cudaGraphExecDestroy(exec) == cudaErrorInvalidValue);
}

TEST_CASE_FIXTURE(FreshGraph, "what is no graph, no node or no work makes no node") {
  int* d = words(1);
  cudaGraphNode_t node = nullptr;
  const cudaGraphNode_t first = empty();
  const cudaGraphNode_t twice[] = {first, first};
  CHECK(cudaGraphCreate(nullptr, 0) == cudaErrorInvalidValue);
  cudaGraph_t other = nullptr;
  CHECK(cudaGraphCreate(&other, 1) == cudaErrorInvalidValue);
  CHECK(cudaGraphDestroy(kNoGraph) == cudaErrorInvalidValue);
  CHECK(cudaGraphAddEmptyNode(nullptr, graph, nullptr, 0) == cudaErrorInvalidValue);
  CHECK(cudaGraphAddEmptyNode(&node, kNoGraph, nullptr, 0) == cudaErrorInvalidValue);
  CHECK(cudaGraphAddEmptyNode(&node, graph, nullptr, 1) == cudaErrorInvalidValue);
  CHECK(cudaGraphAddEmptyNode(&node, graph, twice, 2) == cudaErrorInvalidValue);
  CHECK(cudaGraphAddEmptyNode(&node, graph, &kNoNode, 1) == cudaErrorInvalidValue);
  REQUIRE(cudaGraphCreate(&other, 0) == cudaSuccess);
  CHECK(cudaGraphAddEmptyNode(&node, other, &first, 1) == cudaErrorInvalidValue);  // of another graph
  CHECK(cudaGraphAddKernelNode(&node, graph, nullptr, 0, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaGraphAddChildGraphNode(&node, graph, nullptr, 0, kNoGraph) == cudaErrorInvalidValue);
  const cudaHostNodeParams nothing = {nullptr, nullptr};
  CHECK(cudaGraphAddHostNode(&node, graph, nullptr, 0, &nothing) == cudaErrorInvalidValue);
  cudaMemsetParams fill = {d, 0, 1, 3, 1, 1};  // elements of three bytes
  CHECK(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &fill) == cudaErrorInvalidValue);
  fill = {nullptr, 0, 1, 4, 1, 1};
  CHECK(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &fill) == cudaErrorInvalidValue);
  fill = {d, 0, 1, 4, 0, 1};
  CHECK(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &fill) == cudaErrorInvalidValue);
  fill = {d, 0, 1, 4, 1, 0};
  CHECK(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &fill) == cudaErrorInvalidValue);
  CHECK(cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, d, nullptr, 4, cudaMemcpyDefault) ==
        cudaErrorInvalidValue);
  CHECK(cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, nullptr, d, 4, cudaMemcpyDefault) ==
        cudaErrorInvalidValue);
  CHECK(cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, d, d, 4, cudaMemcpyKind(9)) ==
        cudaErrorInvalidValue);
  CHECK(node == nullptr);
  size_t count = 0;
  CHECK(cudaGraphGetNodes(graph, nullptr, &count) == cudaSuccess);
  CHECK(count == 1);
  CHECK(cudaGraphDestroy(other) == cudaSuccess);
}

TEST_CASE_FIXTURE(FreshGraph, "nodes and edges are given out as far as there is room") {
  const cudaGraphNode_t a = empty(), b = empty({a}), c = empty({a, b});
  cudaGraphNode_t found[4] = {kNoNode, kNoNode, kNoNode, kNoNode}, ends[4] = {};
  size_t count = 2;
  CHECK(cudaGraphGetNodes(graph, found, &count) == cudaSuccess);
  CHECK(count == 2);
  CHECK(found[1] == b);
  CHECK(found[2] == kNoNode);  // not written
  count = 4;
  CHECK(cudaGraphGetNodes(graph, found, &count) == cudaSuccess);
  CHECK(count == 3);
  CHECK(found[2] == c);
  CHECK(found[3] == nullptr);
  CHECK(cudaGraphGetNodes(graph, found, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaGraphGetNodes(kNoGraph, found, &count) == cudaErrorInvalidValue);
  CHECK(cudaGraphGetRootNodes(graph, nullptr, &count) == cudaSuccess);
  CHECK(count == 1);
  CHECK(cudaGraphGetRootNodes(graph, found, &count) == cudaSuccess);
  CHECK(found[0] == a);
  CHECK(cudaGraphGetRootNodes(kNoGraph, found, &count) == cudaErrorInvalidValue);
  CHECK(cudaGraphGetEdges(graph, nullptr, nullptr, &count) == cudaSuccess);
  CHECK(count == 3);
  CHECK(cudaGraphGetEdges(graph, found, ends, &count) == cudaSuccess);
  CHECK(found[0] == a);
  CHECK(ends[0] == b);
  CHECK(found[2] == b);
  CHECK(ends[2] == c);
  CHECK(cudaGraphGetEdges(graph, found, nullptr, &count) == cudaErrorInvalidValue);
  CHECK(cudaGraphGetEdges(graph, found, ends, nullptr, &count) == cudaSuccess);  // as in CUDA 13
  CHECK(cudaGraphNodeGetDependencies(c, nullptr, &count) == cudaSuccess);
  CHECK(count == 2);
  CHECK(cudaGraphNodeGetDependencies(c, found, nullptr, &count) == cudaSuccess);
  CHECK(found[1] == b);
  CHECK(cudaGraphNodeGetDependencies(kNoNode, found, &count) == cudaErrorInvalidValue);
  CHECK(cudaGraphNodeGetDependentNodes(a, nullptr, &count) == cudaSuccess);
  CHECK(count == 2);
  CHECK(cudaGraphNodeGetDependentNodes(a, found, nullptr, &count) == cudaSuccess);
  CHECK(found[0] == b);
  CHECK(found[1] == c);
  CHECK(cudaGraphNodeGetDependentNodes(kNoNode, found, &count) == cudaErrorInvalidValue);
  const auto data = reinterpret_cast<cudaGraphEdgeData*>(&count);  // programmatic launches are not simulated
  CHECK(cudaGraphGetEdges(graph, found, ends, data, &count) == cudaErrorNotSupported);
  CHECK(cudaGraphNodeGetDependencies(c, found, data, &count) == cudaErrorNotSupported);
  CHECK(cudaGraphNodeGetDependentNodes(a, found, data, &count) == cudaErrorNotSupported);
  CHECK(cudaGraphAddDependencies(graph, &a, &b, data, 1) == cudaErrorNotSupported);
  CHECK(cudaGraphRemoveDependencies(graph, &a, &b, data, 1) == cudaErrorNotSupported);
}

TEST_CASE_FIXTURE(FreshGraph, "edges come and go; in a circle nothing can begin") {
  const cudaGraphNode_t a = empty(), b = empty({a}), c = empty();
  cudaGraphExec_t exec = nullptr;
  CHECK(cudaGraphAddDependencies(graph, &a, &b, 1) == cudaErrorInvalidValue);  // there already
  CHECK(cudaGraphAddDependencies(graph, &b, &c, nullptr, 1) == cudaSuccess);
  CHECK(cudaGraphAddDependencies(graph, &c, &a, 1) == cudaSuccess);
  CHECK(cudaGraphInstantiate(&exec, graph) == cudaErrorInvalidValue);
  CHECK(cudaGraphRemoveDependencies(graph, &c, &a, nullptr, 1) == cudaSuccess);
  CHECK(cudaGraphRemoveDependencies(graph, &c, &a, 1) == cudaErrorInvalidValue);  // gone already
  CHECK(cudaGraphAddDependencies(graph, &kNoNode, &a, 1) == cudaErrorInvalidValue);
  CHECK(cudaGraphAddDependencies(kNoGraph, &a, &b, 1) == cudaErrorInvalidValue);
  CHECK(cudaGraphInstantiate(&exec, graph) == cudaSuccess);
  CHECK(cudaGraphExecDestroy(exec) == cudaSuccess);
  // Also in a graph of the graph.
  cudaGraph_t child = nullptr;
  cudaGraphNode_t x, y, node;
  REQUIRE(cudaGraphCreate(&child, 0) == cudaSuccess);
  REQUIRE(cudaGraphAddEmptyNode(&x, child, nullptr, 0) == cudaSuccess);
  REQUIRE(cudaGraphAddEmptyNode(&y, child, &x, 1) == cudaSuccess);
  REQUIRE(cudaGraphAddDependencies(child, &y, &x, 1) == cudaSuccess);
  REQUIRE(cudaGraphAddChildGraphNode(&node, graph, nullptr, 0, child) == cudaSuccess);
  CHECK(cudaGraphInstantiate(&exec, graph) == cudaErrorInvalidValue);
  CHECK(cudaGraphDestroyNode(node) == cudaSuccess);
  CHECK(cudaGraphDestroyNode(node) == cudaErrorInvalidValue);
  CHECK(cudaGraphInstantiate(&exec, graph) == cudaSuccess);
  CHECK(cudaGraphExecDestroy(exec) == cudaSuccess);
  CHECK(cudaGraphDestroy(child) == cudaSuccess);
  // Who loses what it waits for begins.
  size_t roots = 0;
  CHECK(cudaGraphDestroyNode(a) == cudaSuccess);
  CHECK(cudaGraphGetRootNodes(graph, nullptr, &roots) == cudaSuccess);
  CHECK(roots == 1);
}

TEST_CASE_FIXTURE(FreshGraph, "a clone has nodes of its own") {
  int host = 0;
  const cudaHostNodeParams function = {add_one, &host}, other_function = {add_ten, &host};
  cudaGraphNode_t node = nullptr, its_copy = nullptr;
  REQUIRE(cudaGraphAddHostNode(&node, graph, nullptr, 0, &function) == cudaSuccess);
  cudaGraph_t clone = nullptr;
  CHECK(cudaGraphClone(nullptr, graph) == cudaErrorInvalidValue);
  CHECK(cudaGraphClone(&clone, kNoGraph) == cudaErrorInvalidValue);
  REQUIRE(cudaGraphClone(&clone, graph) == cudaSuccess);
  CHECK(cudaGraphNodeFindInClone(&its_copy, node, clone) == cudaSuccess);
  CHECK(its_copy != node);
  CHECK(cudaGraphHostNodeSetParams(its_copy, &other_function) == cudaSuccess);
  cudaHostNodeParams own = {};
  CHECK(cudaGraphHostNodeGetParams(node, &own) == cudaSuccess);
  CHECK((own.fn == add_one));
  CHECK(cudaGraphNodeFindInClone(nullptr, node, clone) == cudaErrorInvalidValue);
  CHECK(cudaGraphNodeFindInClone(&its_copy, kNoNode, clone) == cudaErrorInvalidValue);
  CHECK(cudaGraphNodeFindInClone(&its_copy, node, kNoGraph) == cudaErrorInvalidValue);
  const cudaGraphNode_t later = empty();
  CHECK(cudaGraphNodeFindInClone(&its_copy, later, clone) == cudaErrorInvalidValue);
  CHECK(cudaGraphDestroy(clone) == cudaSuccess);
  CHECK(cudaGraphDestroy(clone) == cudaErrorInvalidValue);
}

TEST_CASE_FIXTURE(FreshGraph, "a node takes other work of its kind, in the graph and in what is launched") {
  int *d = words(8), host = 0;
  SetInt set = {d, 1}, other_set = {d, 2};
  cudaKernelNodeParams kernel = set.node(), other_kernel = other_set.node();
  const cudaMemsetParams fill = {d + 1, 0, 3, 4, 1, 1}, other_fill = {d + 1, 0, 4, 4, 1, 1};
  const cudaHostNodeParams function = {add_one, &host}, other_function = {add_ten, &host};
  cudaGraphNode_t k, f, c, h;
  REQUIRE(cudaGraphAddKernelNode(&k, graph, nullptr, 0, &kernel) == cudaSuccess);
  REQUIRE(cudaGraphAddMemsetNode(&f, graph, &k, 1, &fill) == cudaSuccess);
  REQUIRE(cudaGraphAddMemcpyNode1D(&c, graph, &f, 1, d + 2, d, 4, cudaMemcpyDeviceToDevice) == cudaSuccess);
  REQUIRE(cudaGraphAddHostNode(&h, graph, &c, 1, &function) == cudaSuccess);
  const cudaGraphExec_t exec = instantiated();
  const auto launch = [&](cudaGraphExec_t what) {
    CHECK(cudaGraphLaunch(what, nullptr) == cudaSuccess);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
  };
  // In the graph: what has been instantiated stays as it was.
  CHECK(cudaGraphKernelNodeSetParams(k, &other_kernel) == cudaSuccess);
  CHECK(cudaGraphMemsetNodeSetParams(f, &other_fill) == cudaSuccess);
  CHECK(cudaGraphMemcpyNodeSetParams1D(c, d + 3, d + 1, 4, cudaMemcpyDeviceToDevice) == cudaSuccess);
  CHECK(cudaGraphHostNodeSetParams(h, &other_function) == cudaSuccess);
  launch(exec);
  CHECK(word(d) == 1);
  CHECK(word(d + 1) == 3);
  CHECK(word(d + 2) == 1);
  CHECK(host == 1);
  const cudaGraphExec_t second = instantiated();
  launch(second);
  CHECK(word(d) == 2);
  CHECK(word(d + 1) == 4);
  CHECK(word(d + 3) == 4);
  CHECK(host == 11);
  // In what is launched: the graph stays.
  SetInt third_set = {d + 4, 5};
  const cudaKernelNodeParams third_kernel = third_set.node();
  const cudaMemsetParams third_fill = {d + 5, 0, 6, 4, 1, 1};
  CHECK(cudaGraphExecKernelNodeSetParams(exec, k, &third_kernel) == cudaSuccess);
  CHECK(cudaGraphExecMemsetNodeSetParams(exec, f, &third_fill) == cudaSuccess);
  CHECK(cudaGraphExecMemcpyNodeSetParams1D(exec, c, d + 6, d + 5, 4, cudaMemcpyDeviceToDevice) ==
        cudaSuccess);
  CHECK(cudaGraphExecHostNodeSetParams(exec, h, &other_function) == cudaSuccess);
  launch(exec);
  CHECK(word(d + 4) == 5);
  CHECK(word(d + 5) == 6);
  CHECK(word(d + 6) == 6);
  CHECK(host == 21);
  cudaMemcpy3DParms copy = {};
  CHECK(cudaGraphMemcpyNodeGetParams(c, &copy) == cudaSuccess);
  CHECK(copy.dstPtr.ptr == d + 3);
  copy.dstPtr.ptr = d + 7;
  CHECK(cudaGraphMemcpyNodeSetParams(c, &copy) == cudaSuccess);
  CHECK(cudaGraphExecMemcpyNodeSetParams(exec, c, &copy) == cudaSuccess);
  launch(exec);
  CHECK(word(d + 7) == 4);  // from d + 1
  // Of another kind, and what is no work, no node, nothing to launch.
  const cudaHostNodeParams nothing = {nullptr, nullptr};
  CHECK(cudaGraphHostNodeSetParams(k, &function) == cudaErrorInvalidValue);
  CHECK(cudaGraphHostNodeSetParams(h, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaGraphHostNodeSetParams(h, &nothing) == cudaErrorInvalidValue);
  CHECK(cudaGraphKernelNodeSetParams(kNoNode, &kernel) == cudaErrorInvalidValue);
  CHECK(cudaGraphExecKernelNodeSetParams(kNoExec, k, &kernel) == cudaErrorInvalidValue);
  CHECK(cudaGraphExecKernelNodeSetParams(exec, kNoNode, &kernel) == cudaErrorInvalidValue);
  CHECK(cudaGraphExecKernelNodeSetParams(exec, empty(), &kernel) == cudaErrorInvalidValue);  // made later
  host = 0;
  launch(exec);
  CHECK(host == 10);
  CHECK(cudaGraphExecDestroy(exec) == cudaSuccess);
  CHECK(cudaGraphExecDestroy(second) == cudaSuccess);
}

TEST_CASE_FIXTURE(FreshGraph,
                  "kernels, copies and fills can be left out of a launch, functions of the host cannot") {
  int *d = words(1), host = 0;
  SetInt set = {d, 1};
  const cudaKernelNodeParams kernel = set.node();
  const cudaHostNodeParams function = {add_one, &host};
  cudaGraphNode_t k, h;
  REQUIRE(cudaGraphAddKernelNode(&k, graph, nullptr, 0, &kernel) == cudaSuccess);
  REQUIRE(cudaGraphAddHostNode(&h, graph, &k, 1, &function) == cudaSuccess);
  const cudaGraphExec_t exec = instantiated();
  unsigned is_enabled = 7;
  CHECK(cudaGraphNodeGetEnabled(exec, k, &is_enabled) == cudaSuccess);
  CHECK(is_enabled == 1);
  CHECK(cudaGraphNodeSetEnabled(exec, k, 0) == cudaSuccess);
  CHECK(cudaGraphNodeGetEnabled(exec, k, &is_enabled) == cudaSuccess);
  CHECK(is_enabled == 0);
  CHECK(cudaGraphLaunch(exec, nullptr) == cudaSuccess);
  CHECK(word(d) == 0);
  CHECK(host == 1);
  CHECK(cudaGraphNodeSetEnabled(exec, k, 1) == cudaSuccess);
  CHECK(cudaGraphLaunch(exec, nullptr) == cudaSuccess);
  CHECK(word(d) == 1);
  CHECK(cudaGraphNodeSetEnabled(exec, h, 0) == cudaErrorInvalidValue);
  CHECK(cudaGraphNodeGetEnabled(exec, h, &is_enabled) == cudaErrorInvalidValue);
  CHECK(cudaGraphNodeGetEnabled(exec, k, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaGraphNodeGetEnabled(kNoExec, k, &is_enabled) == cudaErrorInvalidValue);
  CHECK(cudaGraphNodeSetEnabled(exec, kNoNode, 1) == cudaErrorInvalidValue);
  CHECK(cudaGraphExecDestroy(exec) == cudaSuccess);
}

TEST_CASE_FIXTURE(FreshGraph, "what can be launched has flags, and is refused where it is none") {
  empty();
  cudaGraphExec_t exec = nullptr;
  unsigned long long flags = 99;
  CHECK(cudaGraphInstantiate(nullptr, graph) == cudaErrorInvalidValue);
  CHECK(cudaGraphInstantiate(&exec, kNoGraph) == cudaErrorInvalidValue);
  CHECK(cudaGraphInstantiate(&exec, graph, 64) == cudaErrorInvalidValue);
  CHECK(cudaGraphInstantiateWithFlags(&exec, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch) == cudaSuccess);
  CHECK(cudaGraphExecGetFlags(exec, &flags) == cudaSuccess);
  CHECK(flags == cudaGraphInstantiateFlagAutoFreeOnLaunch);
  CHECK(cudaGraphExecGetFlags(exec, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaGraphExecGetFlags(kNoExec, &flags) == cudaErrorInvalidValue);
  const auto no_stream = reinterpret_cast<cudaStream_t>(0x40);
  CHECK(cudaGraphUpload(exec, nullptr) == cudaSuccess);
  CHECK(cudaGraphUpload(exec, no_stream) == cudaErrorInvalidResourceHandle);
  CHECK(cudaGraphUpload(kNoExec, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaGraphLaunch(exec, no_stream) == cudaErrorInvalidResourceHandle);
  CHECK(cudaGraphLaunch(kNoExec, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaGraphExecDestroy(exec) == cudaSuccess);
  cudaGraphNode_t wrong = kNoNode;
  char log[] = "before";
  CHECK(cudaGraphInstantiate(&exec, graph, &wrong, log, sizeof log) == cudaSuccess);
  CHECK(wrong == nullptr);
  CHECK(std::strlen(log) == 0);
  // Of a graph without nodes.
  cudaGraph_t nothing = nullptr;
  cudaGraphExec_t nothing_exec = nullptr;
  REQUIRE(cudaGraphCreate(&nothing, 0) == cudaSuccess);
  CHECK(cudaGraphInstantiate(&nothing_exec, nothing) == cudaSuccess);
  CHECK(cudaGraphLaunch(nothing_exec, nullptr) == cudaSuccess);
  CHECK(cudaGraphExecDestroy(nothing_exec) == cudaSuccess);
  CHECK(cudaGraphDestroy(nothing) == cudaSuccess);
  CHECK(cudaGraphExecDestroy(exec) == cudaSuccess);
}

TEST_CASE_FIXTURE(FreshGraph, "what is launched becomes as a graph of the same form, and of no other") {
  int *d = words(2), host = 0;
  SetInt set = {d, 1}, other_set = {d, 2};
  const cudaKernelNodeParams kernel = set.node(), other_kernel = other_set.node();
  const cudaHostNodeParams function = {add_one, &host};
  cudaGraphNode_t k, h, node, last;
  REQUIRE(cudaGraphAddKernelNode(&k, graph, nullptr, 0, &kernel) == cudaSuccess);
  REQUIRE(cudaGraphAddHostNode(&h, graph, &k, 1, &function) == cudaSuccess);
  const cudaGraphExec_t exec = instantiated();
  cudaGraph_t same, fewer, loose, kinds;
  for (cudaGraph_t* each : {&same, &fewer, &loose, &kinds}) REQUIRE(cudaGraphCreate(each, 0) == cudaSuccess);
  REQUIRE(cudaGraphAddKernelNode(&node, same, nullptr, 0, &other_kernel) == cudaSuccess);
  REQUIRE(cudaGraphAddHostNode(&last, same, &node, 1, &function) == cudaSuccess);
  REQUIRE(cudaGraphAddKernelNode(&node, fewer, nullptr, 0, &other_kernel) == cudaSuccess);
  REQUIRE(cudaGraphAddKernelNode(&node, loose, nullptr, 0, &other_kernel) == cudaSuccess);
  REQUIRE(cudaGraphAddHostNode(&last, loose, nullptr, 0, &function) == cudaSuccess);
  const cudaGraphNode_t without_edge = last;
  REQUIRE(cudaGraphAddKernelNode(&node, kinds, nullptr, 0, &other_kernel) == cudaSuccess);
  REQUIRE(cudaGraphAddEmptyNode(&last, kinds, &node, 1) == cudaSuccess);

  cudaGraphExecUpdateResultInfo info = {};
  CHECK(cudaGraphExecUpdate(exec, fewer, &info) == cudaErrorGraphExecUpdateFailure);
  CHECK(info.result == cudaGraphExecUpdateErrorTopologyChanged);
  CHECK(cudaGraphExecUpdate(exec, loose, &info) == cudaErrorGraphExecUpdateFailure);
  CHECK(info.result == cudaGraphExecUpdateErrorTopologyChanged);
  CHECK(info.errorNode == without_edge);
  cudaGraphNode_t wrong = nullptr;
  cudaGraphExecUpdateResult result = cudaGraphExecUpdateSuccess;
  CHECK(cudaGraphExecUpdate(exec, kinds, &wrong, &result) == cudaErrorGraphExecUpdateFailure);
  CHECK(result == cudaGraphExecUpdateErrorNodeTypeChanged);
  CHECK(wrong == last);
  CHECK(cudaGraphExecUpdate(exec, kinds, nullptr, nullptr) == cudaErrorGraphExecUpdateFailure);
  CHECK(cudaGraphExecUpdate(kNoExec, same, &info) == cudaErrorInvalidValue);
  CHECK(cudaGraphExecUpdate(exec, kNoGraph, &wrong, &result) == cudaErrorInvalidValue);
  CHECK(result == cudaGraphExecUpdateError);
  CHECK(cudaGraphLaunch(exec, nullptr) == cudaSuccess);
  CHECK(word(d) == 1);
  CHECK(cudaGraphExecUpdate(exec, same, &wrong, &result) == cudaSuccess);
  CHECK(result == cudaGraphExecUpdateSuccess);
  CHECK(wrong == nullptr);
  CHECK(cudaGraphExecUpdate(exec, same, nullptr) == cudaSuccess);
  CHECK(cudaGraphLaunch(exec, nullptr) == cudaSuccess);
  CHECK(word(d) == 2);
  for (cudaGraph_t each : {same, fewer, loose, kinds}) CHECK(cudaGraphDestroy(each) == cudaSuccess);
  CHECK(cudaGraphExecDestroy(exec) == cudaSuccess);
}

TEST_CASE_FIXTURE(FreshGraph, "nodes fill rows of 1, 2 and 4 bytes, and copy boxes") {
  unsigned char* d = nullptr;
  constexpr size_t kPitch = 16, kBytes = 3 * kPitch;
  REQUIRE(cudaMalloc(&d, kBytes) == cudaSuccess);
  for (const unsigned size : {1u, 2u, 4u})
    for (const size_t rows : {size_t(1), size_t(2)}) {
      REQUIRE(cudaMemset(d, 0xee, kBytes) == cudaSuccess);
      cudaGraph_t own = nullptr;
      cudaGraphNode_t node = nullptr;
      REQUIRE(cudaGraphCreate(&own, 0) == cudaSuccess);
      const cudaMemsetParams fill = {d + 4, kPitch, 0x04030201, size, 2, rows};
      REQUIRE(cudaGraphAddMemsetNode(&node, own, nullptr, 0, &fill) == cudaSuccess);
      cudaGraphExec_t exec = nullptr;
      REQUIRE(cudaGraphInstantiate(&exec, own) == cudaSuccess);
      CHECK(cudaGraphLaunch(exec, nullptr) == cudaSuccess);
      unsigned char back[kBytes], wanted[kBytes];
      std::memset(wanted, 0xee, kBytes);
      for (size_t y = 0; y < rows; ++y)
        for (size_t i = 0; i < 2 * size; ++i) wanted[y * kPitch + 4 + i] = (unsigned char)(1 + i % size);
      CHECK(cudaMemcpy(back, d, kBytes, cudaMemcpyDeviceToHost) == cudaSuccess);
      CHECK(std::memcmp(back, wanted, kBytes) == 0);
      CHECK(cudaGraphExecDestroy(exec) == cudaSuccess);
      CHECK(cudaGraphDestroy(own) == cudaSuccess);
    }
  // Only a launch finds what does not fit.
  const std::pair<cudaMemsetParams, cudaError_t> wrong[] = {
      {{d, 4, 1, 4, 2, 2}, cudaErrorInvalidPitchValue},
      {{d, kPitch, 1, 4, 4, 4}, cudaErrorInvalidValue},      // a row too many
      {{d + 1, kPitch, 1, 4, 2, 1}, cudaErrorInvalidValue},  // not aligned
  };
  for (const auto& [fill, error] : wrong) {
    cudaGraph_t own = nullptr;
    cudaGraphNode_t node = nullptr;
    cudaGraphExec_t exec = nullptr;
    REQUIRE(cudaGraphCreate(&own, 0) == cudaSuccess);
    REQUIRE(cudaGraphAddMemsetNode(&node, own, nullptr, 0, &fill) == cudaSuccess);
    REQUIRE(cudaGraphInstantiate(&exec, own) == cudaSuccess);
    CHECK(cudaGraphLaunch(exec, nullptr) == error);
    CHECK(cudaGraphExecDestroy(exec) == cudaSuccess);
    CHECK(cudaGraphDestroy(own) == cudaSuccess);
  }
  cudaGetLastError();
  // Two rows of three bytes, and one byte of the second row by its position.
  const char text[] = "abcdefgh";
  char out[2][4] = {};
  cudaMemcpy3DParms box = {};
  box.srcPtr = {const_cast<char*>(text), 4, 4, 2};
  box.dstPtr = {d, kPitch, 4, 2};
  box.extent = {3, 2, 1};
  box.kind = cudaMemcpyHostToDevice;
  cudaMemcpy3DParms back = {};
  back.srcPtr = {d, kPitch, 4, 2};
  back.dstPtr = {out, 4, 4, 2};
  back.srcPos = {1, 1, 0};
  back.dstPos = {2, 1, 0};
  back.extent = {1, 1, 1};
  back.kind = cudaMemcpyDeviceToHost;
  cudaGraphNode_t to, from;
  REQUIRE(cudaGraphAddMemcpyNode(&to, graph, nullptr, 0, &box) == cudaSuccess);
  REQUIRE(cudaGraphAddMemcpyNode(&from, graph, &to, 1, &back) == cudaSuccess);
  const cudaGraphExec_t exec = instantiated();
  CHECK(cudaGraphLaunch(exec, nullptr) == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  char rows[2][3] = {};
  CHECK(cudaMemcpy2D(rows, 3, d, kPitch, 3, 2, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(std::memcmp(rows, "abcefg", 6) == 0);
  CHECK(out[1][2] == 'f');
  CHECK(out[0][0] == 0);
  CHECK(cudaGraphExecDestroy(exec) == cudaSuccess);
}
// SPDX-License-Identifier: MIT
