// Highlights the blocks of language `cuda`: C++ and the words that CUDA adds. (mdBook's highlight.js has no CUDA.)
(function () {
  "use strict";
  if (!window.hljs) return;
  const words = {
    keyword: "__global__ __device__ __host__ __shared__ __constant__ __restrict__ __launch_bounds__ __forceinline__",
    built_in: "threadIdx blockIdx blockDim gridDim warpSize __syncthreads __syncwarp __shfl_sync __shfl_up_sync " +
      "__shfl_down_sync __shfl_xor_sync __ballot_sync __any_sync __all_sync __activemask __threadfence atomicAdd",
    type: "dim3 float2 float4 uint2 uint4 int2 int4",
  };
  window.hljs.registerLanguage("cuda", function (hljs) {
    const cpp = hljs.getLanguage("cpp").rawDefinition(hljs);
    const known = cpp.keywords;
    const keywords = Object.assign({}, typeof known === "string" ? { keyword: known } : known);
    for (const kind of Object.keys(words)) keywords[kind] = [].concat(keywords[kind] || [], words[kind].split(" ")).join(" ");
    return Object.assign({}, cpp, { name: "CUDA", keywords: keywords, aliases: [] });
  });
  document.querySelectorAll("code.language-cuda").forEach(function (block) {
    block.classList.remove("hljs");
    (window.hljs.highlightElement || window.hljs.highlightBlock)(block);
    block.classList.add("hljs");
  });

  // What scrolls sideways must do so without a mouse too.
  document.querySelectorAll("main pre > code, .table-wrapper").forEach(function (box) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
  });
})();
