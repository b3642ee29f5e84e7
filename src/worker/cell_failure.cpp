#include "sdbench/worker/cell_failure.h"

#include <new>

#include <c10/util/Exception.h>

namespace sdbench {
namespace {

CellOutcome make_outcome(Status status, const std::string& message) {
  CellOutcome outcome;
  outcome.status = status;
  outcome.message = message.substr(0, message.find('\n'));
  return outcome;
}

/// c10's CPU allocator throws a plain c10::Error, so that its words must tell.
bool is_host_out_of_memory(const std::string& message) {
  return message.find("DefaultCPUAllocator") != std::string::npos ||
         message.find("can't allocate memory") != std::string::npos;
}

} // namespace

CellOutcome outcome_of_current_exception() {
  const std::string remedy = "; use a smaller size or batch, or --dtype bf16 or fp16";
  try {
    throw;
  } catch (const CellFailure& failure) {
    return make_outcome(failure.status(), failure.what());
  } catch (const Error& error) {
    return make_outcome(Status::kError, error.what());
  } catch (const c10::OutOfMemoryError& error) {
    return make_outcome(Status::kOomDevice,
                        make_outcome(Status::kError, error.what_without_backtrace()).message +
                            remedy);
  } catch (const c10::Error& error) {
    const CellOutcome plain = make_outcome(Status::kError, error.what_without_backtrace());
    return is_host_out_of_memory(plain.message)
               ? make_outcome(Status::kOomHost, plain.message + remedy)
               : plain;
  } catch (const std::bad_alloc&) {
    return make_outcome(Status::kOomHost, "the host has too little memory" + remedy);
  } catch (const std::exception& error) {
    return make_outcome(Status::kError, error.what());
  }
}

} // namespace sdbench
