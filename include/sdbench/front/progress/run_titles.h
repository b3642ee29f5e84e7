#pragma once

#include <cstdint>
#include <string>

#include "sdbench/base/plan/cell.h"
#include "sdbench/base/types/cell_stage.h"

namespace sdbench {

/// Titles of a cell's stages and runs for the progress display. They use the words of the cell's
/// task, and "epoch" if the cell has epochs.
class RunTitles {
public:
  explicit RunTitles(const Cell& cell);

  /// The title of a stage: "load", or for the first run "first image", "first run" or "first
  /// epoch".
  [[nodiscard]] std::string of_stage(CellStage stage) const;
  /// The title of a run: "first image", "warm-up 1/2", "timed run 2/3", "epoch 2/10". `run` counts
  /// the stage's runs from 0.
  [[nodiscard]] std::string of_run(CellStage stage, std::int64_t run) const;

private:
  std::string first_;
  std::string timed_;       ///< "timed run"
  std::string warmups_;     ///< "/2" in "warm-up 1/2"; empty: the total is not known in advance
  std::string runs_;        ///< "/3" in "timed run 2/3"; empty: the total is not known in advance
  std::int64_t before_ = 0; ///< number of runs before the timed ones
};

/// A warning that the cell's accuracy is measured on synthetic images. It is in capitals, because
/// such an accuracy is easily mistaken for one on CIFAR-10. Empty if the cell has no epochs, or if
/// --data or SDBENCH_DATA names the data.
[[nodiscard]] std::string made_up_data_text(const Cell& cell);

/// How a single-file checkpoint, which has no configs, was interpreted: "v-prediction, zero
/// terminal SNR". Empty if neither applies, and for weights with configs.
[[nodiscard]] std::string training_text(const Cell& cell);

} // namespace sdbench
