#pragma once

#include <cstdint>
#include <string>

#include "sdbench/base/core/cell_stage.h"
#include "sdbench/base/plan/cell.h"

namespace sdbench {

/// What a person reads of a cell's stages and runs while they go on: in the words of its task, and
/// of its epochs where it has some.
class RunTitles {
public:
  explicit RunTitles(const Cell& cell);

  /// "load"; of the first run "first image", "first run" or "first epoch".
  [[nodiscard]] std::string of_stage(CellStage stage) const;
  /// "first image", "warm-up 1/2", "timed run 2/3", "epoch 2/10": the stage's run `run`, from 0.
  [[nodiscard]] std::string of_run(CellStage stage, std::int64_t run) const;

private:
  std::string first_;
  std::string timed_;       ///< "timed run"
  std::string warmups_;     ///< "/2"; empty where nobody knows how many there will be
  std::string runs_;        ///< "/3"; the same
  std::int64_t before_ = 0; ///< runs that were counted before the timed ones
};

} // namespace sdbench
