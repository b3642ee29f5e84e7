#include "catch.h"

#include <cstdint>
#include <functional>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>

#include <c10/util/Exception.h>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/plan/memory_estimate.h"
#include "sdbench/base/types/status.h"
#include "sdbench/engine/worker/exception_outcome.h"

using namespace sdbench;

namespace {

CellOutcome outcome_of(const std::function<void()>& thrower, Task task = Task::kInfer,
                       std::optional<std::int64_t> free_gpu_bytes = std::nullopt) {
  try {
    thrower();
  } catch (...) {
    return outcome_of_current_exception(task, free_gpu_bytes);
  }
  return {};
}

} // namespace

TEST_CASE("each exception becomes a status and one line") {
  const auto own = outcome_of([] { throw CellFailure(Status::kInterrupted, "stopped"); });
  CHECK(own.status == Status::kInterrupted);
  CHECK(own.message == "stopped");

  CHECK(outcome_of([] { throw Error("X must be A, but is B"); }).status == Status::kError);
  CHECK(outcome_of([] { throw std::bad_alloc(); }).status == Status::kOomHost);
  CHECK(outcome_of([] { throw std::runtime_error("two\nlines"); }).message == "two");

  const auto device = outcome_of([] { C10_THROW_ERROR(OutOfMemoryError, "CUDA out of memory."); });
  CHECK(device.status == Status::kOomDevice);
  const auto figures = outcome_of([] {
    C10_THROW_ERROR(OutOfMemoryError, "CUDA out of memory. Tried to allocate 20.00 GiB. GPU 0 has "
                                      "a total capacity of 15.00 GiB of which 3 GiB is free. Of "
                                      "the allocated memory");
  });
  CHECK(figures.message ==
        "CUDA out of memory. Tried to allocate 20.00 GiB; use a smaller model or --batch, or "
        "--dtype bf16 or fp16");

  const auto shared = outcome_of([] {
    TORCH_CHECK(false,
                "NCCL error in: ProcessGroupNCCL.cpp:1, unhandled system error\nLast error:\n"
                "Error while creating shared memory segment /dev/shm/nccl-ab (size 9637888)");
  });
  CHECK(shared.status == Status::kError);
  CHECK(shared.message.starts_with("/dev/shm must have room for what NCCL sends between GPUs"));

  const auto host = outcome_of(
      [] { TORCH_CHECK(false, "[enforce fail] DefaultCPUAllocator: can't allocate memory"); });
  CHECK(host.status == Status::kOomHost);
  CHECK(host.message ==
        "the host has too little free memory; use a smaller model or --batch, or --dtype bf16 or "
        "fp16");
  CHECK(outcome_of([] { throw std::bad_alloc(); }, Task::kGenerate).message ==
        "the host has too little free memory; " + memory_advice(Task::kGenerate));
  CHECK(outcome_of([] {
          TORCH_CHECK(false, "cuDNN error: CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED");
        }).status == Status::kOomHost);
  const auto large = outcome_of([] {
    TORCH_CHECK(false, "[enforce fail at alloc_cpu.cpp:119] err == 0. DefaultCPUAllocator: can't "
                       "allocate memory: you tried to allocate 412316860416 bytes. Error code 12");
  });
  CHECK(large.message.starts_with(
      "the host has too little free memory for 384 GiB at once; use a smaller model"));

  for (const char* words :
       {"CUDA error: out of memory\nCUDA kernel errors might be reported later",
        "CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`",
        "cuDNN error: CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED"}) {
    const auto past_the_allocator = outcome_of([&] { TORCH_CHECK(false, words); });
    CHECK(past_the_allocator.status == Status::kOomDevice);
    CHECK(past_the_allocator.message.ends_with("use a smaller model or --batch, or --dtype bf16 "
                                               "or fp16"));
    CHECK(past_the_allocator.message.find('\n') == std::string::npos);
  }
  // A handle that finds no memory.
  for (const char* words : {"CUDA error: CUBLAS_STATUS_NOT_INITIALIZED when calling cublasCreate",
                            "cuDNN error: CUDNN_STATUS_NOT_INITIALIZED"}) {
    const auto with_free = [&](std::optional<std::int64_t> bytes) {
      return outcome_of([&] { TORCH_CHECK(false, words); }, Task::kInfer, bytes).status;
    };
    CHECK(with_free(std::int64_t{200} << 20) == Status::kOomDevice);
    CHECK(with_free(std::int64_t{4} << 30) == Status::kError);
    CHECK(with_free(std::nullopt) == Status::kError);
  }
  const auto no_convolution = outcome_of(
      [] { TORCH_CHECK(false, "GET was unable to find an engine to execute this computation"); });
  CHECK(no_convolution.status == Status::kError); // memory is one reason of several
  CHECK(no_convolution.message.find("too little memory can cause; use a smaller model") !=
        std::string::npos);

  const auto plain = outcome_of([] { TORCH_CHECK(false, "shapes differ\nsecond line"); });
  CHECK(plain.status == Status::kError);
  CHECK(plain.message.find("shapes differ") != std::string::npos);
  CHECK(plain.message.find('\n') == std::string::npos);
}
