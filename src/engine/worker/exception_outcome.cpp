#include "sdbench/engine/worker/exception_outcome.h"

#include <algorithm>
#include <charconv>
#include <exception>
#include <initializer_list>
#include <new>
#include <string>
#include <string_view>
#include <system_error>

#include <c10/util/Exception.h>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/errors/message_of.h"
#include "sdbench/base/numbers/units.h"
#include "sdbench/base/plan/memory_estimate.h"
#include "sdbench/base/types/status.h"
#include "sdbench/engine/nn/device_out_of_memory.h"

namespace sdbench {
namespace {

CellOutcome make_outcome(Status status, const std::string& message) {
  CellOutcome outcome;
  outcome.status = status;
  outcome.message = message.substr(0, message.find('\n'));
  return outcome;
}

bool has_one_of(const std::string& message, std::initializer_list<const char*> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](const char* some) { return message.find(some) != std::string::npos; });
}

/// c10's CPU allocator throws a plain c10::Error, so only its words can tell.
bool is_host_out_of_memory(const std::string& message) {
  return has_one_of(message, {"DefaultCPUAllocator", "can't allocate memory",
                              "CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED"});
}

/// libtorch's words after all of cuDNN's algorithms have failed. One possible reason is too little
/// memory for their workspaces.
bool has_no_convolution(const std::string& message) {
  return has_one_of(message, {"unable to find an engine to execute this computation"});
}

/// NCCL says so in the last of several lines; the first line says only "unhandled system error".
bool is_out_of_shared_memory(const std::string& message) {
  return has_one_of(message, {"shared memory segment /dev/shm"});
}

/// The size that the allocator refused, like " for 384 GiB at once". Empty if it names no size.
std::string asked_for(const std::string& message) {
  const std::string_view key = "you tried to allocate ";
  const std::size_t at = message.find(key);
  if (at == std::string::npos) {
    return "";
  }
  const char* const begin = message.data() + at + key.size();
  std::int64_t bytes = 0;
  const auto [end, problem] = std::from_chars(begin, message.data() + message.size(), bytes);
  return problem == std::errc() ? " for " + bytes_text(bytes) + " at once" : "";
}

/// The message's first sentence, like "CUDA out of memory. Tried to allocate 20.00 GiB".
std::string first_figures(const std::string& message) {
  return message.substr(0, message.find(". GPU "));
}

} // namespace

CellOutcome outcome_of_current_exception(Task task, std::optional<std::int64_t> free_gpu_bytes) {
  const std::string remedy = "; " + memory_advice(task);
  try {
    throw;
  } catch (const CellFailure& failure) {
    return make_outcome(failure.status(), failure.what());
  } catch (const Error& error) {
    return make_outcome(Status::kError, error.what());
  } catch (const c10::OutOfMemoryError& error) {
    const CellOutcome plain = make_outcome(Status::kOomDevice, error.what_without_backtrace());
    return make_outcome(Status::kOomDevice, first_figures(plain.message) + remedy);
  } catch (const c10::Error& error) {
    const CellOutcome plain = make_outcome(Status::kError, error.what_without_backtrace());
    if (is_out_of_shared_memory(error.what_without_backtrace())) {
      return make_outcome(Status::kError,
                          "/dev/shm must have room for what NCCL sends between GPUs, but is full; "
                          "give a container more (docker run --shm-size 1g), or take --share each");
    }
    if (is_host_out_of_memory(plain.message)) {
      return make_outcome(Status::kOomHost, "the host has too little free memory" +
                                                asked_for(plain.message) + remedy);
    }
    if (is_device_out_of_memory(plain.message, free_gpu_bytes)) {
      return make_outcome(Status::kOomDevice, plain.message + remedy);
    }
    if (has_no_convolution(plain.message)) {
      return make_outcome(Status::kError,
                          plain.message + ", which too little memory can cause" + remedy);
    }
    return plain;
  } catch (const std::bad_alloc&) {
    return make_outcome(Status::kOomHost, "the host has too little free memory" + remedy);
  } catch (const std::exception& error) {
    return make_outcome(Status::kError, message_of(error));
  }
}

} // namespace sdbench
