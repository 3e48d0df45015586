// needs: thrust/version.h
// expect: sum 499500, largest 999, even 500
// expect: squares: 0 1 4 9 998001
// expect: inclusive: 0 1 5 14 30, total 332833500
// expect: exclusive from 10: 10 10 11 15
// expect: sorted: 998001 996004 994009 0
// expect: by key: 5d 3c 2b 1a
// expect: inner product 332833500
// expect: without the odd: 500, first 0 2 4
// expect: 4 runs: 1x3 2x1 3x2 1x1
// expect: found at 42, gathered 30 10
// expect: raw pointer: 7 7
// Thrust on the simulated GPU: NVIDIA's own headers, as nvcc compiles them.
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/extrema.h>
#include <thrust/fill.h>
#include <thrust/find.h>
#include <thrust/functional.h>
#include <thrust/gather.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

#include <cstdio>

struct IsEven {
  __host__ __device__ bool operator()(int x) const { return x % 2 == 0; }
};
struct Square {
  __host__ __device__ int operator()(int x) const { return x * x; }
};
__global__ void set(int* numbers, int value) { numbers[threadIdx.x] = value; }

int main() {
  thrust::device_vector<int> numbers(1000);
  thrust::sequence(numbers.begin(), numbers.end());
  std::printf("sum %d, largest %d, even %d\n", thrust::reduce(numbers.begin(), numbers.end()),
              int(*thrust::max_element(numbers.begin(), numbers.end())),
              int(thrust::count_if(numbers.begin(), numbers.end(), IsEven())));

  thrust::device_vector<int> squares(1000);
  thrust::transform(numbers.begin(), numbers.end(), squares.begin(), Square());
  std::printf("squares: %d %d %d %d %d\n", int(squares[0]), int(squares[1]), int(squares[2]), int(squares[3]), int(squares[999]));
  thrust::device_vector<int> sums(1000);
  thrust::inclusive_scan(squares.begin(), squares.end(), sums.begin());
  thrust::host_vector<int> back = sums;
  std::printf("inclusive: %d %d %d %d %d, total %d\n", back[0], back[1], back[2], back[3], back[4], back[999]);
  thrust::exclusive_scan(squares.begin(), squares.end(), sums.begin(), 10);
  std::printf("exclusive from 10: %d %d %d %d\n", int(sums[0]), int(sums[1]), int(sums[2]), int(sums[3]));

  thrust::sort(squares.begin(), squares.end(), thrust::greater<int>());
  std::printf("sorted: %d %d %d %d\n", int(squares[0]), int(squares[1]), int(squares[2]), int(squares[999]));
  const int keys[] = {3, 5, 1, 2};
  const char letters[] = {'c', 'd', 'a', 'b'};
  thrust::device_vector<int> k(keys, keys + 4);
  thrust::device_vector<char> v(letters, letters + 4);
  thrust::sort_by_key(k.begin(), k.end(), v.begin(), thrust::greater<int>());
  std::printf("by key: %d%c %d%c %d%c %d%c\n", int(k[0]), char(v[0]), int(k[1]), char(v[1]), int(k[2]), char(v[2]), int(k[3]), char(v[3]));
  std::printf("inner product %d\n", thrust::inner_product(numbers.begin(), numbers.end(), numbers.begin(), 0));

  thrust::device_vector<int> even(1000);
  const auto end = thrust::copy_if(numbers.begin(), numbers.end(), even.begin(), IsEven());
  std::printf("without the odd: %d, first %d %d %d\n", int(end - even.begin()), int(even[0]), int(even[1]), int(even[2]));
  const int run_values[] = {1, 1, 1, 2, 3, 3, 1};
  thrust::device_vector<int> runs(run_values, run_values + 7), which(7), lengths(7);
  const int count = thrust::reduce_by_key(runs.begin(), runs.end(), thrust::constant_iterator<int>(1), which.begin(), lengths.begin()).first - which.begin();
  std::printf("%d runs:", count);
  for (int i = 0; i < count; ++i) std::printf(" %dx%d", int(which[i]), int(lengths[i]));
  const int map_values[] = {3, 1}, source_values[] = {0, 10, 20, 30};
  thrust::device_vector<int> map(map_values, map_values + 2), source(source_values, source_values + 4), gathered(2);
  thrust::gather(map.begin(), map.end(), source.begin(), gathered.begin());
  std::printf("\nfound at %d, gathered %d %d\n", int(thrust::find(numbers.begin(), numbers.end(), 42) - numbers.begin()),
              int(gathered[0]), int(gathered[1]));
  set<<<1, 2>>>(thrust::raw_pointer_cast(gathered.data()), 7);
  std::printf("raw pointer: %d %d\n", int(gathered[0]), int(gathered[1]));
}
// SPDX-License-Identifier: MIT
