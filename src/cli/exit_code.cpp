#include "sdbench/cli/exit_code.h"

namespace sdbench {

int exit_code(Blame blame) {
  return blame == Blame::kCommand ? kExitUsage : kExitFailure;
}

int exit_code(Status status) {
  switch (status) {
  case Status::kOk:
  case Status::kSkipped:
    return kExitSuccess;
  case Status::kInterrupted:
    return kExitInterrupted;
  case Status::kOomDevice:
  case Status::kOomHost:
  case Status::kCrash:
  case Status::kTimeout:
  case Status::kError:
  case Status::kInvalidOutput:
    return kExitFailure;
  }
  return kExitFailure;
}

} // namespace sdbench
