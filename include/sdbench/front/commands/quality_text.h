#pragma once

#include <string>

#include "sdbench/front/options/quality_arguments.h"
#include "sdbench/front/quality/study_run.h"
#include "sdbench/front/words/screen.h"

namespace sdbench {

/// For --dry-run: says what a study would compare, and how much memory each candidate needs. Runs
/// nothing.
[[nodiscard]] std::string study_plan_text(const Study& study, const Screen& screen = {});

/// The results of a study, for the terminal. One line for each candidate gives the figures of its
/// images. Also shows how the latents' error grows over the steps.
[[nodiscard]] std::string quality_text(const Study& study, const StudyResult& result,
                                       const Screen& screen = {});

/// The limits that a candidate misses, in words; empty if it meets all.
[[nodiscard]] std::string missed_limits(const CandidateResult& result, const QualityLimits& limits);

} // namespace sdbench
