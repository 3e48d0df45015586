// expect: order: copy kernel host callback
// expect: 10 + 1 = 11, status no error
// expect: events: in order 1, not recorded yet: cudaSuccess
//
// Functions of the host in a stream, and events.
#include <cstdio>
#include <cstring>

struct Log {
  char text[64];
  int value;
  cudaError_t status;
};

__global__ void add_one(int* value) { *value += 1; }
void CUDART_CB host(void* data) { std::strcat(static_cast<Log*>(data)->text, " host"); }
void CUDART_CB callback(cudaStream_t, cudaError_t status, void* data) {
  Log* log = static_cast<Log*>(data);
  std::strcat(log->text, " callback");
  log->status = status;
}
void CUDART_CB copied(void* data) { std::strcpy(static_cast<Log*>(data)->text, "copy"); }
void CUDART_CB ran(void* data) { std::strcat(static_cast<Log*>(data)->text, " kernel"); }

int main() {
  Log* log;
  int* value;
  cudaMallocHost(&log, sizeof *log);
  cudaMalloc(&value, sizeof *value);
  *log = {};
  log->value = 10;
  cudaStream_t stream;
  cudaEvent_t first, second, never;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaEventCreate(&first), cudaEventCreate(&second), cudaEventCreateWithFlags(&never, cudaEventDisableTiming);
  cudaEventRecord(first, stream);
  cudaMemcpyAsync(value, &log->value, sizeof(int), cudaMemcpyHostToDevice, stream);
  cudaLaunchHostFunc(stream, copied, log);
  add_one<<<1, 1, 0, stream>>>(value);
  cudaLaunchHostFunc(stream, ran, log);
  cudaMemcpyAsync(&log->value, value, sizeof(int), cudaMemcpyDeviceToHost, stream);
  cudaLaunchHostFunc(stream, host, log);
  cudaStreamAddCallback(stream, callback, log, 0);
  cudaEventRecord(second, stream);
  cudaEventSynchronize(second);
  cudaStreamSynchronize(stream);
  float time = -1;
  cudaEventElapsedTime(&time, first, second);
  std::printf("order: %s\n10 + 1 = %d, status %s\n", log->text, log->value, cudaGetErrorString(log->status));
  std::printf("events: in order %d, not recorded yet: %s\n", time >= 0, cudaGetErrorName(cudaEventQuery(never)));
}
// SPDX-License-Identifier: MIT
