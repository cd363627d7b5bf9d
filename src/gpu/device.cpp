// SPDX-License-Identifier: MIT
#include <graze/gpu/device.hpp>

#include <cstdlib>
#include <cstring>
#include <string>

#include "gpu/launch.hpp"
#include "gpu/stream.hpp"

namespace graze::gpu {

namespace {

[[maybe_unused]] ErrorDetail device_error(std::string message) {
  ErrorDetail e;
  e.code = ErrorCode::unsupported;
  e.element = "GPU";
  e.message = std::move(message);
  return e;
}

}  // namespace

#ifdef __CUDACC__

namespace {

constexpr int least_major = 8;

std::string advice(cudaError_t error) {
  switch (error) {
    case cudaErrorNoDevice: return "there is no GPU that CUDA can use; ask the same question on the CPU";
    case cudaErrorInsufficientDriver:
      return "the driver is older than the CUDA that graze was built with, or there is none: install a newer driver, "
             "or "
             "ask the same question on the CPU";
    case cudaErrorMemoryAllocation:
      return "not enough memory on the GPU: free some, use a smaller mesh, or ask the same question on the CPU";
    case cudaErrorNoKernelImageForDevice:
      return "graze was not built for this GPU: add its architecture to CMAKE_CUDA_ARCHITECTURES";
    default:
      return std::string("CUDA says: ") + cudaGetErrorString(error) +
             "; if its context is lost, start the program again, or ask the same question on the CPU";
  }
}

void check(cudaError_t error, const char* doing) {
  if (error != cudaSuccess) fail(doing, error);
}

cudaStream_t of(void* stream) { return static_cast<cudaStream_t>(stream); }

}  // namespace

void fail(const char* doing, int error) {
  const auto e = static_cast<cudaError_t>(error);
  cudaGetLastError();  // not reported again to others, unless the context is lost
  throw Error(device_error(std::string(doing) + ": " + advice(e)));
}

std::vector<DeviceInfo> devices() {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) {
    cudaGetLastError();
    return {};
  }
  std::vector<DeviceInfo> all;
  for (int i = 0; i < count; ++i) {
    cudaDeviceProp p;
    if (cudaGetDeviceProperties(&p, i) != cudaSuccess) continue;
    all.push_back({i, p.name, p.major, p.minor, p.totalGlobalMem});
  }
  return all;
}

std::optional<ErrorDetail> device_problem() {
  int count = 0, device = 0, major = 0;
  cudaError_t e = cudaGetDeviceCount(&count);
  if (e == cudaSuccess && count == 0) e = cudaErrorNoDevice;
  if (e == cudaSuccess) e = cudaGetDevice(&device);
  if (e == cudaSuccess) e = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
  if (e == cudaSuccess) e = cudaFree(nullptr);  // makes the context, or says that it is lost
  if (e != cudaSuccess) {
    cudaGetLastError();
    return device_error("using the GPU: " + advice(e));
  }
  if (major < least_major)
    return device_error("the GPU is of compute capability " + std::to_string(major) +
                        "; 8.0 is the least: choose another one with cudaSetDevice, or ask on the CPU");
  return std::nullopt;
}

std::uint32_t processors_at_once() {
  int device = 0, processors = 0;
  check(cudaGetDevice(&device), "asking for the GPU");
  check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device), "asking for the GPU's size");
  return static_cast<std::uint32_t>(processors);
}
std::uint32_t warps_at_once() { return processors_at_once() * 64; }

/// What `beside` needs; made before a recording begins and kept until it has ended.
struct Stream::Second {
  Second() {
    for (cudaEvent_t& e : events) check(cudaEventCreateWithFlags(&e, cudaEventDisableTiming), "recording a step");
  }
  ~Second() {
    for (cudaEvent_t e : events) cudaEventDestroy(e);
  }
  Stream stream;
  cudaEvent_t events[2] = {};
};
Stream::Stream() : own_(true) {
  if (auto problem = device_problem()) throw Error(std::move(*problem));
  cudaStream_t s = nullptr;
  check(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking), "making a stream");
  stream_ = s;
}
Stream::Stream(void* callers) : stream_(callers) {}
Stream::~Stream() {
  if (own_) cudaStreamDestroy(of(stream_));
}
void Stream::wait() const { check(cudaStreamSynchronize(of(stream_)), "waiting for the GPU"); }
void Stream::copy_to_device(void* to, const void* from, std::size_t bytes) const {
  if (bytes > 0) check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, of(stream_)), "copying to the GPU");
}
void Stream::copy_to_host(void* to, const void* from, std::size_t bytes) const {
  if (bytes > 0) check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, of(stream_)), "copying from the GPU");
}
void Stream::copy_on_device(void* to, const void* from, std::size_t bytes) const {
  if (bytes > 0) check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, of(stream_)), "copying on the GPU");
}
void Stream::fill(void* where, int byte, std::size_t bytes) const {
  if (bytes > 0) check(cudaMemsetAsync(where, byte, bytes, of(stream_)), "clearing memory of the GPU");
}

void Stream::beside(const std::function<void(const Stream&)>& one,
                    const std::function<void(const Stream&)>& other) const {
  const cudaStream_t second = of(second_->stream.handle());
  check(cudaEventRecord(second_->events[0], of(stream_)), "recording a step");
  check(cudaStreamWaitEvent(second, second_->events[0], 0), "recording a step");
  one(*this);
  other(second_->stream);
  check(cudaEventRecord(second_->events[1], second), "recording a step");
  check(cudaStreamWaitEvent(of(stream_), second_->events[1], 0), "recording a step");
}

void Recorded::record(const std::function<void(const Stream&)>& work) {
  forget();
  Stream recording;
  recording.second_ = std::make_unique<Stream::Second>();
  check(cudaStreamBeginCapture(of(recording.handle()), cudaStreamCaptureModeThreadLocal), "recording a step");
  cudaGraph_t graph = nullptr;
  try {
    work(recording);
  } catch (...) {
    cudaStreamEndCapture(of(recording.handle()), &graph);
    if (graph) cudaGraphDestroy(graph);
    cudaGetLastError();
    throw;
  }
  check(cudaStreamEndCapture(of(recording.handle()), &graph), "recording a step");
  cudaGraphExec_t ready = nullptr;
  const cudaError_t e = cudaGraphInstantiate(&ready, graph, 0);
  cudaGraphDestroy(graph);
  check(e, "preparing a recorded step");
  graph_ = ready;
}
void Recorded::replay(const Stream& stream) const {
  check(cudaGraphLaunch(static_cast<cudaGraphExec_t>(graph_), of(stream.handle())), "starting a recorded step");
}
void Recorded::forget() noexcept {
  if (graph_) cudaGraphExecDestroy(static_cast<cudaGraphExec_t>(graph_));
  graph_ = nullptr;
}

void* allocate_on_device(std::size_t bytes) {
  void* memory = nullptr;
  if (bytes == 0) return memory;
  if (const cudaError_t e = cudaMalloc(&memory, bytes); e != cudaSuccess)
    fail(("reserving " + std::to_string(bytes) + " bytes of the GPU's memory").c_str(), e);
  return memory;
}
void free_on_device(void* memory) noexcept { cudaFree(memory); }
void* allocate_pinned(std::size_t bytes) {
  void* memory = nullptr;
  if (bytes > 0) check(cudaMallocHost(&memory, bytes), "reserving memory that the GPU can reach");
  return memory;
}
void free_pinned(void* memory) noexcept { cudaFreeHost(memory); }

#else  // for tests: the host is the device

void fail(const char* doing, int) { throw Error(device_error(doing)); }
std::vector<DeviceInfo> devices() { return {}; }
std::optional<ErrorDetail> device_problem() { return std::nullopt; }
std::uint32_t processors_at_once() { return 1; }
std::uint32_t warps_at_once() { return 64; }

struct Stream::Second {};
Stream::Stream() = default;
Stream::Stream(void* callers) : stream_(callers) {}
Stream::~Stream() = default;
void Stream::wait() const {}
void Stream::copy_to_device(void* to, const void* from, std::size_t bytes) const {
  if (bytes > 0) std::memcpy(to, from, bytes);
}
void Stream::copy_to_host(void* to, const void* from, std::size_t bytes) const { copy_to_device(to, from, bytes); }
void Stream::copy_on_device(void* to, const void* from, std::size_t bytes) const { copy_to_device(to, from, bytes); }
void Stream::fill(void* where, int byte, std::size_t bytes) const {
  if (bytes > 0) std::memset(where, byte, bytes);
}
void Stream::beside(const std::function<void(const Stream&)>& one,
                    const std::function<void(const Stream&)>& other) const {
  one(*this);
  other(*this);
}
void Recorded::record(const std::function<void(const Stream&)>& work) { work_ = work; }
void Recorded::replay(const Stream& stream) const { work_(stream); }
void Recorded::forget() noexcept { work_ = nullptr; }
void* allocate_on_device(std::size_t bytes) { return bytes > 0 ? ::operator new(bytes) : nullptr; }
void free_on_device(void* memory) noexcept { ::operator delete(memory); }
void* allocate_pinned(std::size_t bytes) { return allocate_on_device(bytes); }
void free_pinned(void* memory) noexcept { free_on_device(memory); }

#endif

}  // namespace graze::gpu
