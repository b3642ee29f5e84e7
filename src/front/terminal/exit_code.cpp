#include "sdbench/front/terminal/exit_code.h"

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

int exit_code(const SweepTally& tally) {
  if (tally.interrupted) {
    return kExitInterrupted;
  }
  if (tally.not_ok == 0) {
    return kExitSuccess;
  }
  return tally.ok > 0 ? kExitSomeFailed : kExitFailure;
}

} // namespace sdbench
