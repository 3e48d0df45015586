// expect: made by new: 4 12 9 27 16 48 25 75, freed 32 of 32
// expect: in a buffer: 4 3 16 3 36 3
// expect: called by the base 42, own name 2, base's name 1
// expect: two bases 5 6, through a member 9
// options: -std=c++17
//
// Virtual functions: of objects that kernels make by new and in a buffer of the host's, pure ones, destructors, several bases.
// The lanes of a warp have objects of different classes.
#include <cstdio>
#include <new>

__device__ int freed;

struct Shape {
  __device__ virtual ~Shape() { atomicAdd(&freed, 1); }
  __device__ virtual int area() const = 0;
  __device__ virtual int corners() const { return 0; }
};
struct Square : Shape {
  int side;
  __device__ explicit Square(int side) : side(side) {}
  __device__ int area() const override { return side * side; }
  __device__ int corners() const override { return 4; }
};
struct Disc : Shape {
  int radius;
  __device__ explicit Disc(int radius) : radius(radius) {}
  __device__ ~Disc() override { radius = 0; }
  __device__ int area() const override { return 3 * radius * radius; }
};

__global__ void made_by_new(int* out) {
  const int t = int(threadIdx.x), size = 2 + t / 2;
  Shape* const shape = t % 2 ? static_cast<Shape*>(new Disc(size)) : static_cast<Shape*>(new Square(size));
  out[t] = shape->area();
  __syncwarp();
  delete shape;
}

__global__ void make(Square* squares, Disc* discs, Shape** shapes) {
  const int t = int(threadIdx.x);
  shapes[2 * t] = new (squares + t) Square(2 * t + 2);
  shapes[2 * t + 1] = new (discs + t) Disc(1);
}
__global__ void ask(Shape** shapes, int* out) { out[threadIdx.x] = shapes[threadIdx.x]->area(); }

struct Animal {
  int legs;
  __device__ explicit Animal(int legs) : legs(legs) {}
  __device__ virtual int name() const { return 1; }
  __device__ int twice() const { return 10 * name() + 11 * legs / 2; }
};
struct Dog : Animal {
  __device__ Dog() : Animal(4) {}
  __device__ int name() const override { return 2; }
};
__device__ __noinline__ int ask_animal(const Animal& animal) { return animal.twice(); }
__global__ void bases(int* out) {
  const Dog dog;
  const Animal animal(4);
  out[0] = ask_animal(dog);
  out[1] = dog.name();
  out[2] = threadIdx.x == 0 ? animal.name() : dog.name();
}

struct Left {
  int left = 5;
  __device__ virtual int of_left() const { return -1; }
};
struct Right {
  int right = 6;
  __device__ virtual int of_right() const { return -2; }
};
struct Both : Left, Right {
  int more = 9;
  __device__ int of_left() const override { return left; }
  __device__ int of_right() const override { return more - 3 == right ? right : 0; }
  __device__ virtual int of_both() const { return more; }
};
__device__ __noinline__ int ask_left(const Left* p) { return p->of_left(); }
__device__ __noinline__ int ask_right(const Right* p) { return p->of_right(); }
__global__ void several(int* out) {
  const Both both;
  out[0] = ask_left(&both);
  out[1] = ask_right(&both);
  int (Both::*const member)() const = out[0] ? &Both::of_both : &Both::of_right;
  out[2] = (both.*member)();
}

int main() {
  int* out;
  cudaMallocManaged(&out, 32 * sizeof(int));
  const auto after = [] {
    const cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess) std::printf("%s: ", cudaGetErrorName(error));
  };
  made_by_new<<<1, 32>>>(out);
  after();
  std::printf("made by new:");
  for (int i = 0; i < 8; ++i) std::printf(" %d", out[i]);
  int count = 0;
  cudaMemcpyFromSymbol(&count, freed, sizeof count);
  std::printf(", freed %d of 32\n", count);

  void *squares, *discs;
  Shape** shapes;
  cudaMalloc(&squares, 16 * 64);
  cudaMalloc(&discs, 16 * 64);
  cudaMalloc(&shapes, 32 * sizeof(Shape*));
  make<<<1, 3>>>(static_cast<Square*>(squares), static_cast<Disc*>(discs), shapes);
  ask<<<1, 6>>>(shapes, out);
  after();
  std::printf("in a buffer:");
  for (int i = 0; i < 6; ++i) std::printf(" %d", out[i]);

  bases<<<1, 1>>>(out);
  after();
  std::printf("\ncalled by the base %d, own name %d, base's name %d\n", out[0], out[1], out[2]);
  several<<<1, 1>>>(out);
  after();
  std::printf("two bases %d %d, through a member %d\n", out[0], out[1], out[2]);
  cudaFree(out);
  cudaFree(squares);
  cudaFree(discs);
  cudaFree(shapes);
}
// SPDX-License-Identifier: MIT
