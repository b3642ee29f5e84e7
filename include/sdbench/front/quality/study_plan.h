#pragma once

#include <string>
#include <vector>

#include "sdbench/base/config/option_layers.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/base/plan/cell.h"

namespace sdbench {

/// A configuration with which a study computes its images.
struct StudyCell {
  Cell cell;
  std::string words;         ///< its title: "bf16, attention flash"
  std::string obstacle = {}; ///< why plan_cell refused the cell; empty: it can run
};

/// The comparison that `sdbench quality` makes. All cells make the same images (model, weights,
/// size, prompts, seed, noise, guidance), each with its own dtype, engine and so on. Each cell runs
/// once, without timed runs.
struct Study {
  StudyCell reference;
  std::vector<StudyCell> candidates; ///< at least one
  bool step_images = true;           ///< also compare intermediate images (those after each step)
};

/// Names of the options of `sdbench run` that a study takes.
[[nodiscard]] std::vector<std::string> study_option_names();

/// Plans a study. `values`: options by name (see parse_option_value). Each option about how to
/// compute (dtype, engine, attention …) may be a list; every combination is a candidate.
/// `reference`: texts "NAME=VALUE[,…]" of --reference. For an option that `reference` does not
/// name, the reference takes the candidates' value, or the default if they have several values. The
/// reference's dtype is fp32 unless `reference` names one. If `values` has no dtype, candidates
/// have the reference's dtype. `all`: the engines that --engine all stands for. A candidate equal
/// to the reference is left out. Throws UsageError and Error as plan_cell does. Throws UsageError
/// if no candidate is left, or if an option that all cells must share is a list.
[[nodiscard]] Study plan_study(const Json& values, const std::vector<std::string>& reference,
                               const EnginesOfDevice& all = {});

} // namespace sdbench
