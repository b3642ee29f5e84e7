#pragma once

#include <cstdint>
#include <string>

#include "sdbench/base/plan/cell.h"
#include "sdbench/base/types/cell_stage.h"

namespace sdbench {

/// Titles of a cell's stages and runs for the progress display, in the terms of its task, and of
/// epochs if it has some.
class RunTitles {
public:
  explicit RunTitles(const Cell& cell);

  /// "load"; for the first run "first image", "first run" or "first epoch".
  [[nodiscard]] std::string of_stage(CellStage stage) const;
  /// "first image", "warm-up 1/2", "timed run 2/3", "epoch 2/10": `run` counts the stage's runs
  /// from 0.
  [[nodiscard]] std::string of_run(CellStage stage, std::int64_t run) const;

private:
  std::string first_;
  std::string timed_;       ///< "timed run"
  std::string warmups_;     ///< "/2"; empty if the number is not known in advance
  std::string runs_;        ///< "/3"; the same
  std::int64_t before_ = 0; ///< number of runs before the timed ones
};

/// Loud, because an accuracy of made-up images is easily taken for CIFAR-10's. Empty where the cell
/// has no epochs, or its data were named.
[[nodiscard]] std::string made_up_data_text(const Cell& cell);

/// "v-prediction, zero terminal SNR": what a single file was taken for, as it has no configs that
/// say so. Empty of weights that have configs, and where there is nothing to say.
[[nodiscard]] std::string training_text(const Cell& cell);

} // namespace sdbench
