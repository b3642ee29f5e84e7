#include "sdbench/front/progress/training_text.h"

#include "sdbench/base/config/model_config.h"
#include "sdbench/base/weights/locate.h"

namespace sdbench {

std::string training_text(const Cell& cell) {
  if (cell.weights.kind != WeightsLocation::Kind::kSingleFile) {
    return "";
  }
  const SchedulerConfig& scheduler = cell.model.scheduler;
  std::string text =
      scheduler.prediction_type == PredictionType::kVPrediction ? "v-prediction" : "";
  if (scheduler.rescale_betas_zero_snr) {
    text += text.empty() ? "zero terminal SNR" : ", zero terminal SNR";
  }
  return text;
}

} // namespace sdbench
