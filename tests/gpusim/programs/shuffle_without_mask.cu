// expect-compile-error: '__shfl' is unavailable: it does not exist since compute capability 7.0; use __shfl_sync
// expect-compile-error: '__shfl_up' is unavailable
// expect-compile-error: '__shfl_down' is unavailable
// expect-compile-error: '__shfl_xor' is unavailable
// expect-compile-error: '__any' is unavailable
// expect-compile-error: '__all' is unavailable
// expect-compile-error: '__ballot' is unavailable: it does not exist since compute capability 7.0; use __ballot_sync
// The lane functions of old books, without a mask. nvcc refuses them, too.
__global__ void old_forms(float* value, int* vote) {
  value[0] = __shfl(value[0], 2);
  value[1] = __shfl_up(value[1], 2, 16);
  value[2] = __shfl_down(value[2], 2);
  vote[0] = __shfl_xor(vote[0], 1, 8);
  vote[1] = __any(vote[1] > 0);
  vote[2] = __all(vote[2] > 0);
  vote[3] = __ballot(vote[3] > 0);
}

int main() { old_forms<<<1, 32>>>(nullptr, nullptr); }
// SPDX-License-Identifier: MIT
