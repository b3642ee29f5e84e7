#include "sdbench/engine/training/learning_rate.h"

namespace sdbench {

double epoch_learning_rate(std::int64_t batch, std::int64_t epoch, std::int64_t epochs) {
  constexpr double kRate = 0.1;
  constexpr double kBatch = 128;
  const bool is_first = epochs == 0 || 2 * epoch < epochs;
  const double divisor = is_first ? 1 : 5 * epoch < 4 * epochs ? 10 : 100;
  return kRate * static_cast<double>(batch) / kBatch / divisor;
}

} // namespace sdbench
