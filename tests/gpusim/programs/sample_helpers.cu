// expect: GPU Device 0: "Ampere" with compute capability 8.0
// expect:
// expect: options: n 12, x 2.5, name abc, verbose 1, quiet 0, none 0
// expect: cores 64 128 192, rounded 3 -3
// expect: timers: created 1, 3 runs, the average is a third: 1, reset 0, deleted 1
// expect: differ: 0 1, length 1 0
// expect: picture: 3 x 2, 0 51 102 153 204 255, as float 0.2
// expect: colours: 2 x 1, 1 2 3 0 4 5 6 0
// expect: numbers: 3, 0.5 1.5 2.5
// expect: found: yes no
// expect: textures 131072, 131072 x 65536, surfaces 16384 x 16384 x 16384
// expect-error: sample_helpers.cu:84 code=1(cudaErrorInvalidValue) "cudaMemset(nothing, 0, 1)"
// expect-exit: 1
//
// What programs take from the folder Common of NVIDIA's cuda-samples, which few of them bring.
#include <helper_cuda.h>
#include <helper_functions.h>

#include <thread>

__global__ void idle() {}


int main() {
  const char* argv[] = {"./program", "-n=12", "--x=2.5", "-name=abc", "--verbose"};
  const int argc = 5;
  const int device = findCudaDevice(argc, argv);
  char* name = nullptr;
  getCmdLineArgumentString(argc, argv, "name", &name);
  std::printf("options: n %d, x %g, name %s, verbose %d, quiet %d, none %d\n", getCmdLineArgumentInt(argc, argv, "n"),
              getCmdLineArgumentFloat(argc, argv, "x"), name, checkCmdLineFlag(argc, argv, "verbose"),
              checkCmdLineFlag(argc, argv, "quiet"), getCmdLineArgumentInt(argc, argv, "m"));
  std::printf("cores %d %d %d, rounded %d %d\n", _ConvertSMVer2Cores(8, 0), _ConvertSMVer2Cores(9, 0), _ConvertSMVer2Cores(3, 5),
              ftoi(2.6f), ftoi(-2.6f));

  StopWatchInterface* timer = nullptr;
  const bool created = sdkCreateTimer(&timer);
  for (int i = 0; i < 3; ++i) {
    sdkStartTimer(&timer);
    idle<<<1, 1>>>();
    getLastCudaError("a launch");
    checkCudaErrors(cudaDeviceSynchronize());
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    sdkStopTimer(&timer);
  }
  const float time = sdkGetTimerValue(&timer), average = sdkGetAverageTimerValue(&timer);
  sdkResetTimer(&timer);
  const float reset = sdkGetTimerValue(&timer);
  sdkDeleteTimer(&timer);
  std::printf("timers: created %d, 3 runs, the average is a third: %d, reset %g, deleted %d\n", created,
              time >= 6 && std::fabs(3 * average - time) < 1e-3f * time, reset, timer == nullptr);

  const float wanted[] = {1, 2, 3, 4}, near[] = {1, 2, 3, 4.001f}, far[] = {1, 2, 3, 5};
  std::printf("differ: %d %d, length %d %d\n", compareData(wanted, far, 4, 0.5f, 0.0f), compareData(wanted, far, 4, 0.5f, 0.25f),
              sdkCompareL2fe(wanted, near, 4, 1e-3f), sdkCompareL2fe(wanted, far, 4, 1e-3f));

  unsigned char grey[] = {0, 51, 102, 153, 204, 255}, *bytes = nullptr;
  float* floats = nullptr;
  unsigned w, h, count;
  sdkSavePGM("sample_helpers.pgm", grey, 3, 2);
  sdkLoadPGM("sample_helpers.pgm", &bytes, &w, &h) && sdkLoadPGM("sample_helpers.pgm", &floats, &w, &h);
  std::printf("picture: %u x %u, %d %d %d %d %d %d, as float %g\n", w, h, bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], floats[1]);
  unsigned char colours[] = {1, 2, 3, 255, 4, 5, 6, 255}, *again;
  sdkSavePPM4ub("sample_helpers.ppm", colours, 2, 1);
  sdkLoadPPM4ub("sample_helpers.ppm", &again, &w, &h);
  std::printf("colours: %u x %u", w, h);
  for (int i = 0; i < 8; ++i) std::printf("%s %d", i ? "" : ",", again[i]);
  const float numbers[] = {0.5f, 1.5f, 2.5f};
  float* read = nullptr;
  sdkWriteFile("sample_helpers.txt", numbers, 3, 0.0f, false);
  sdkReadFile("sample_helpers.txt", &read, &count, false);
  std::printf("\nnumbers: %u, %g %g %g\n", count, read[0], read[1], read[2]);
  char* const found = sdkFindFilePath("sample_helpers.txt", argv[0]);
  std::printf("found: %s %s\n", found ? "yes" : "no", sdkFindFilePath("nowhere.txt", argv[0]) ? "yes" : "no");
  for (const char* file : {"sample_helpers.pgm", "sample_helpers.ppm", "sample_helpers.txt"}) std::remove(file);
  for (void* memory : {(void*)bytes, (void*)floats, (void*)again, (void*)read, (void*)found}) free(memory);

  cudaDeviceProp p;
  checkCudaErrors(cudaGetDeviceProperties(&p, device));
  std::printf("textures %d, %d x %d, surfaces %d x %d x %d\n", p.maxTexture1D, p.maxTexture2D[0], p.maxTexture2D[1],
              p.maxSurface3D[0], p.maxSurface3D[1], p.maxSurface3D[2]);
  std::fflush(stdout);
  void* nothing = nullptr;
  checkCudaErrors(cudaMemset(nothing, 0, 1));
}
// SPDX-License-Identifier: MIT
