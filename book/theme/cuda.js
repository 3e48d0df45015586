// Highlights the blocks of language `cuda`: C++ and the words that CUDA adds. (mdBook's highlight.js has no CUDA.)
(function () {
  "use strict";
  if (!window.hljs) return;
  const words = {
    keyword: "__global__ __device__ __host__ __shared__ __constant__ __restrict__ __align__ __launch_bounds__ __forceinline__",
    built_in: "threadIdx blockIdx blockDim gridDim warpSize __syncthreads __syncwarp __shfl_sync __shfl_up_sync " +
      "__shfl_down_sync __shfl_xor_sync __ballot_sync __any_sync __all_sync __activemask __threadfence __ldcs __ldcg __stcs " +
      "__uint_as_float __float_as_uint __popc __ffs __clz __expf __cvta_generic_to_shared atomicAdd",
    type: "dim3 float2 float3 float4 uint2 uint4 int2 int4 double2",
  };
  window.hljs.registerLanguage("cuda", function (hljs) {
    const cpp = hljs.getLanguage("cpp").rawDefinition(hljs);
    // Parts of the grammar (heads of functions, parameters, initialisers) refer to this same object: changed in place,
    // it gives our words to all of them.
    for (const kind of Object.keys(words)) {
      cpp.keywords[kind] = [].concat(cpp.keywords[kind] || [], words[kind].split(" ")).join(" ");
    }
    return Object.assign({}, cpp, { name: "CUDA", aliases: [] });
  });
  document.querySelectorAll("code.language-cuda").forEach(function (block) {
    block.classList.remove("hljs");
    (window.hljs.highlightElement || window.hljs.highlightBlock)(block);
    block.classList.add("hljs");
  });
})();
// SPDX-License-Identifier: MIT
