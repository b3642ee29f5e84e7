#include "sdbench/base/plan/training_obstacle.h"

#include "sdbench/base/types/dtype.h"
#include "sdbench/base/types/precision.h"
#include "sdbench/base/types/task.h"

namespace sdbench {

std::string cpu_training_obstacle(const Cell& cell) {
  constexpr Precision kScaled{Dtype::kF16, true};
  if (cell.task != Task::kTrain || cell.dtype != kScaled) {
    return {};
  }
  return "--dtype must be another format for training on a CPU, but is " +
         std::string(name_of(kScaled)) +
         ", whose loss this engine scales on GPUs alone; take autocast-bf16, bf16 or fp32";
}

} // namespace sdbench
