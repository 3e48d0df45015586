// kernel<<<grid, block, shared, stream>>>(…) in a kernel: simcc writes it as a ChildKernel (simcc_sources.py).
#pragma once

extern "C" __device__ void __gpusim_launch(const void* request);

#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))

namespace gpusim::detail {

template <class Kernel>
class ChildKernel;
template <class... P>
class ChildKernel<void(P...)> {
 public:
  __device__ ChildKernel(const char* name, dim3 grid, dim3 block, size_t shared_bytes = 0,
                         cudaStream_t = nullptr)
      : name_(name), grid_(grid), block_(block), shared_bytes_(shared_bytes) {}
  __device__ void operator()(P... arguments) const {
    const void* places[] = {&arguments..., nullptr};
    const unsigned long long sizes[] = {sizeof(P)..., 0};
    const struct {
      const char* name;
      unsigned grid[3], block[3];
      unsigned long long shared_bytes, count;
      const void* const* places;
      const unsigned long long* sizes;
    } request = {name_,
                 {grid_.x, grid_.y, grid_.z},
                 {block_.x, block_.y, block_.z},
                 shared_bytes_,
                 sizeof...(P),
                 places,
                 sizes};
    __gpusim_launch(&request);
  }

 private:
  const char* name_;
  dim3 grid_, block_;
  size_t shared_bytes_;
};

}  // namespace gpusim::detail

#pragma clang attribute pop
