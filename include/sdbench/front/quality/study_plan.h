#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sdbench/base/config/option_layers.h"
#include "sdbench/base/core/json_io.h"
#include "sdbench/base/plan/cell.h"

namespace sdbench {

/// One way to compute the pictures of a study.
struct StudyCell {
  Cell cell;
  std::string words;         ///< what it is: "bf16, attention flash"
  std::string obstacle = {}; ///< why it cannot be, from plan_cell; empty: it can
};

/// What `sdbench quality` compares with what: all cells make the same pictures (model, weights,
/// size, prompts, seed, noise, guidance), each in its own way, once and without timed runs.
struct Study {
  StudyCell reference;
  std::vector<StudyCell> candidates; ///< at least one
  bool step_images = true;           ///< compare the images after each step, too
};

/// Names of the options of `sdbench run` that a study takes.
[[nodiscard]] std::vector<std::string> study_option_names();

/// Plans a study. `values`: options by name (see parse_option_value); of the ways to compute each
/// may be a list, and every combination is a candidate. `reference`: texts "NAME=VALUE[,…]" of
/// --reference. What they do not say of the reference is as for the candidates, or the default
/// where those have several values; its dtype is fp32. Candidates without a dtype have the
/// reference's. `all`: which engines --engine all stands for. One that is the reference itself is
/// left out. Throws UsageError and Error as
/// plan_cell does, and UsageError for a list of what must be the same in all cells, and where no
/// candidate is left.
[[nodiscard]] Study plan_study(const Json& values, const std::vector<std::string>& reference,
                               const EnginesOfDevice& all = {});

} // namespace sdbench
