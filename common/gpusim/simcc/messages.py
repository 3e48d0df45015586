"""What the simulated GPU does not have, said where a program asks for it: clang only knows that it cannot find it."""
import re

from simcc.configuration import INCLUDE

RUN_ON_GPU = "compile this with nvcc and run it on a GPU"
# A pattern of headers (as included), of names that the runtime would declare, of libraries (libNAME); and what it is.
NOT_SIMULATED = [
    (r"cudaLaunchCooperativeKernelMultiDevice|multi_grid_group|this_multi_grid|cudaCG\w*", "cooperative launches on several GPUs"),
    (r"barrier_(arrive|wait)|block_tile_memory", "barriers of cooperative groups that are waited for later, and large tiles"),
    (r"__mbarrier_try_wait\w*", "barriers in shared memory that are of compute capability 9.0"),
    (r"cuda_fp[46]\.h|__nv_fp[46]\w*|__nv_fp8\w*_e8m0", "6-bit and 4-bit floats, and scales of 8 bits"),
    (r"curand\w*(\.h)?", "this part of cuRAND"),
    (r"cublas(Xt)?\.h|libcublasXt\w*", "cuBLASXt and the old cublas.h (cublas_v2.h and cublasLt.h it has)"),
    (r"cublas\w*", "this function of cuBLAS"),
    (r"cufft\w+\.h|cufft\w*|CUFFT_\w+|cuda(Lib)?Xt\w+|libcufftw?\w*", "this part of cuFFT"),
    (r"cusparse\w*\.h|cusparse\w*|libcusparse\w*", "cuSPARSE"),
    (r"cusolver\w*\.h|cusolver\w*|libcusolver\w*", "cuSOLVER"),
    (r"cudnn\w*\.h|cudnn\w*|libcudnn\w*", "cuDNN"),
    (r"cutlass/.*|cute/.*|cutlass", "CUTLASS"),
    (r"npp\w*\.h|npp[is]\w+|libnpp\w*", "NPP"),
    (r"nccl\w+|libnccl\w*", "this part of NCCL"),
    (r"nvshmem\w*\.h|nvshmem\w*", "NVSHMEM"),
    (r"crt/mma\.h|bmma_sync|experimental", "tensor cores for single bits and 4-bit integers"),
    (r"texture|surface|textureReference|surfaceReference|cuda(Bind|Unbind)(Texture|Surface)\w*|cudaGet(Texture|Surface)\w+|"
     r"cudaDeviceGetTexture\w+", "texture and surface references, which CUDA 12 has no more (texture objects it has)"),
    (r"cuda\w*Mipmapped\w*|texCubemap\w*|surfCubemap\w*|tex[123]D(Lod|Grad)\w*|tex2Dgather|cudaArrayGet\w+|cuda\w*Array\w*|"
     r"cudaMem\w*3D\w*", "mipmaps, cubemaps and sparse arrays"),
    (r"cuda_(gl|d3d\d+|vdpau|egl)_interop\.h|cudaGL\w+|cudaGraphics\w+|cudaGLMapFlags\w*|cudaEGL\w+|cudaD3D\w+|cudaVDPAU\w+", "graphics"),
    (r"cuda(Graph|StreamBeginCapture|StreamEndCapture|StreamIsCapturing|StreamCapture|StreamGetCapture|StreamUpdateCapture)\w*|"
     r"cudaUserObject\w*|cudaThreadExchangeStreamCaptureMode|cudaDevice(Get|Set)GraphMemAttribute|cudaDeviceGraphMemTrim",
     "this part of CUDA graphs"),
    (r"cudaMemPool\w*|cudaDevice(Get|Set|GetDefault)MemPool|cudaMem(Get|Set|GetDefault)MemPool|cudaMallocFromPoolAsync",
     "this part of memory pools"),
    (r"cudaMem\w*BatchAsync", "batches of copies"),
    (r"cudaMemRange\w*", "attributes of managed memory"),
    (r"cuda(Stream|Launch)Attribute\w+", "this attribute of streams and launches"),
    (r"cudaOccupancyMax(ActiveClusters|PotentialClusterSize)|__cluster_dims__|cluster_group|this_cluster", "clusters"),
    (r"cuda(Import|Destroy)?External\w+|cuda(Signal|Wait)ExternalSemaphoresAsync|cudaDeviceGetNvSciSyncAttributes|"
     r"cudaDeviceFlushGPUDirectRDMAWrites", "memory and semaphores of other programs"),
    (r"cuda(Library|Kernel)\w+|cudaGet(Kernel|FuncBySymbol|DriverEntryPoint\w*|ExportTable)|cudaFuncGetParamInfo",
     "kernels loaded at run time"),
    (r"cudaLogs\w+|cudaDevice(Unr|R)egisterAsyncNotification", "logs of the driver"),
    (r"cudaDeviceGet(HostAtomic|P2PAtomic)Capabilities", "atomics across a bus"),
    (r"cuda(IpcGet|IpcOpen|IpcClose|Ipc)\w*", "memory of other processes"),
    (r"cu(Init|Device|Ctx|Module|Mem|Launch|Stream|Event|Func|Get|Tex|Array|Driver|Link|Graph|Ipc|Occupancy)[A-Z]?\w*|CU_[A-Z]\w*|"
     r"CU(array|texref|surfref|linkState|ipc|graph|mem|external|user)\w*|CUDA_ERROR_\w+", "this part of the driver API"),
    (r"nvrtc\w+|libnvrtc\w*", "this part of NVRTC"),
    (r"cupti\w*\.h|cupti\w*|libcupti", "CUPTI"),
    (r"nvjpeg\w*\.h|nvjpeg\w*|libnvjpeg\w*", "nvJPEG"),
    (r"nvml\w+|NVML_\w+", "this part of NVML"),
    (r"nvToolsExt\w+\.h|nvtx3/.*|nvtx\w+", "this part of NVTX"),
]
SAMPLES = r"helper_(cuda|functions|string|timer|image|math|gl|multiprocess)\w*\.h"
# Headers by NVIDIA that come with a package. Nothing else has to be simulated for them.
PACKAGED = r"(thrust|cub|cuda|nv)/.*|thrust|cub"
PATTERNS = [(re.compile(pattern), what) for pattern, what in NOT_SIMULATED]


def not_simulated(name):
    """What to say of a header, a name or a library; None where it is none of those."""
    if re.fullmatch(SAMPLES, name):
        return f"{name} comes with NVIDIA's cuda-samples (Common/); name its folder: -I DIR"
    if name == "omp.h":
        return "clang's OpenMP is not installed here: apt-get install libomp-dev"
    if re.fullmatch(r"(cuda|nv)/.*", name):
        return ("libcu++ is not installed here: apt-get install libcu++-dev brings it, or -I DIR names that of a CUDA "
                "Toolkit 11")
    if re.fullmatch(PACKAGED, name):
        return ("Thrust and CUB are not installed here: apt-get install libthrust-dev brings them, or -I DIR names those of "
                "a CUDA Toolkit 11")
    for pattern, what in PATTERNS:
        if pattern.fullmatch(name):
            return f"the simulated GPU does not have {what}; {RUN_ON_GPU}"
    return None


MISSING_HEADER = re.compile(r"'([^']+)' file not found")
UNKNOWN_NAME = re.compile(r"(?:use of undeclared identifier|unknown type name|no type named|no member named|"
                          r"no template named|unknown class name|undeclared namespace|expected a class or namespace.*|"
                          r"use of undeclared type|undefined type) '([^']+)'")
# Only a kernel has no such function.
WAITS_IN_KERNEL = re.compile(r"no matching function for call to 'cuda(?:Device|Thread)Synchronize'")
# An include of a CUDA Toolkit that lies in the system's folders fails somewhere inside.
FOREIGN_HEADER = re.compile(r"^(?:In file included from )?/\S*?/((?:thrust|cub)/\S+?|\w+\.hp?p?):\d+:")


def explain(text):
    """clang's messages; lines that ask for what is not simulated say so."""
    lines = []
    for line in text.split("\n"):
        missing, unknown = MISSING_HEADER.search(line), UNKNOWN_NAME.search(line)
        if missing and (what := not_simulated(missing.group(1))):
            line = line[:missing.start()] + f"'{missing.group(1)}': {what}" + line[missing.end():]
        elif "error" in line and WAITS_IN_KERNEL.search(line):
            line += ": a kernel cannot wait for kernels that it launches, as since CUDA 12: they run when it has ended"
        elif unknown and "error" in line and (what := not_simulated(unknown.group(1))):
            line += f": {what}"
        lines.append(line)
    return "\n".join(lines)


def foreign(text):
    """The first header of a CUDA Toolkit that clang has read and that is not simulated, and what to say of it."""
    for line in re.sub(r"\033\[[\d;]*[mK]", "", text).split("\n"):
        found = FOREIGN_HEADER.match(line)
        is_ours = found and f"{INCLUDE}/" in found.group(0)
        if found and not is_ours and (what := not_simulated(found.group(1))):
            return f"{found.group(1)}: {what}"
    return None
# SPDX-License-Identifier: MIT
