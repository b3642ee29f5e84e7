#include "sdbench/front/progress/run_titles.h"

#include "sdbench/base/config/model_config.h"
#include "sdbench/base/types/task_table.h"
#include "sdbench/base/weights/locate.h"

namespace sdbench {

RunTitles::RunTitles(const Cell& cell)
    : first_(row_of(cell.task).first_run), timed_(run_title_of(CellStage::kMeasure)),
      warmups_(cell.warmup ? "/" + std::to_string(*cell.warmup) : ""),
      runs_(cell.max_noise ? "" : "/" + std::to_string(cell.repeat)) {
  if (cell.epochs > 0) { // the first of several epochs is the first run
    first_ = "first epoch";
    timed_ = "epoch";
    runs_ = "/" + std::to_string(cell.epochs);
    before_ = has_first_run(cell) ? 1 : 0;
  }
}

std::string RunTitles::of_stage(CellStage stage) const {
  return stage == CellStage::kFirstImage ? first_ : std::string(title_of(stage));
}

std::string RunTitles::of_run(CellStage stage, std::int64_t run) const {
  switch (stage) {
  case CellStage::kFirstImage:
    return first_;
  case CellStage::kWarmup:
    return std::string(run_title_of(stage)) + " " + std::to_string(run + 1) + warmups_;
  case CellStage::kMeasure:
    return timed_ + " " + std::to_string(before_ + run + 1) + runs_;
  default:
    return std::string(run_title_of(stage));
  }
}

std::string made_up_data_text(const Cell& cell) {
  if (cell.epochs == 0 || !cell.data.fallback) {
    return "";
  }
  return "SYNTHETIC DATA (" + cell.data.description +
         "): neither --data nor SDBENCH_DATA names a data set. The speed is real, THE ACCURACY IS "
         "OF MADE-UP IMAGES. --data PATH uses CIFAR-10.";
}

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
