// expect: lists of 64 threads: 2080
// expect: objects: 64 made, 64 ended, sum 2016
// expect: kept between kernels: 496
// expect: too much: null
//
// malloc, free, new and delete in kernels.
#include <cstdio>

__device__ int made, ended;

struct Node {
  int value;
  Node* next;
};

// Each thread makes a list of as many nodes as its number says, and takes it apart.
__global__ void lists(int* sum) {
  Node* first = nullptr;
  for (int i = 0; i <= int(threadIdx.x); ++i) {
    Node* node = static_cast<Node*>(malloc(sizeof(Node)));
    node->value = 1;
    node->next = first;
    first = node;
  }
  int mine = 0;
  while (first) {
    Node* next = first->next;
    mine += first->value;
    free(first);
    first = next;
  }
  atomicAdd(sum, mine);
}

struct Counted {
  int value;
  __device__ explicit Counted(int v) : value(v) { atomicAdd(&made, 1); }
  __device__ ~Counted() { atomicAdd(&ended, 1); }
};

__global__ void objects(int* sum) {
  Counted* object = new Counted(threadIdx.x);
  int* numbers = new int[4];
  for (int i = 0; i < 4; ++i) numbers[i] = i;
  atomicAdd(sum, object->value + numbers[3] - 3);
  delete object;
  delete[] numbers;
}

__device__ int* kept;
__global__ void keep() {
  if (threadIdx.x == 0) kept = new int[32];
  __syncthreads();
  kept[threadIdx.x] = threadIdx.x;
}
__global__ void use(int* sum) {
  atomicAdd(sum, kept[threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) delete[] kept;
}

__global__ void too_much(int* is_null) {
  void* volatile given = malloc(size_t(1) << 40);
  *is_null = given == nullptr;
}

int main() {
  int* sum;
  cudaMallocManaged(&sum, sizeof *sum);
  const auto run = [&](auto launch) {
    *sum = 0;
    launch();
    cudaDeviceSynchronize();
    return *sum;
  };
  std::printf("lists of 64 threads: %d\n", run([&] { lists<<<1, 64>>>(sum); }));
  const int of_objects = run([&] { objects<<<1, 64>>>(sum); });
  int counts[2];
  cudaMemcpyFromSymbol(&counts[0], made, sizeof made);
  cudaMemcpyFromSymbol(&counts[1], ended, sizeof ended);
  std::printf("objects: %d made, %d ended, sum %d\n", counts[0], counts[1], of_objects);
  std::printf("kept between kernels: %d\n", run([&] {
                keep<<<1, 32>>>();
                use<<<1, 32>>>(sum);
              }));
  std::printf("too much: %s\n", run([&] { too_much<<<1, 1>>>(sum); }) ? "null" : "something");
  cudaFree(sum);
}
// SPDX-License-Identifier: MIT
