#include "sdbench/cli/quality_text.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <set>

#include "sdbench/cli/aligned_text.h"
#include "sdbench/core/escape.h"
#include "sdbench/core/number_text.h"
#include "sdbench/sink/units.h"

namespace sdbench {
namespace {

/// Errors go over many powers of ten: "1.2e-09".
std::string power_text(double value) {
  if (value == 0) {
    return "0";
  }
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1e", value);
  return text.data();
}

std::string decibel_text(const std::optional<double>& psnr_db) {
  return psnr_db ? significant_text(*psnr_db) + " dB" : "identical";
}

std::string ssim_text(double ssim) {
  constexpr int kDigits = 4;
  return significant_text(ssim, kDigits);
}

std::string head_text(const Study& study, const RunRecord& reference) {
  const Cell& cell = study.reference.cell;
  std::string text = one_line(cell.model.name) + "  " + std::to_string(cell.width) + "x" +
                     std::to_string(cell.height) + ", " + counted(cell.images, "image") +
                     ", guidance " + number_text(cell.guidance) + ", seed " +
                     std::to_string(cell.seed) + ", weights " + one_line(reference.weights) +
                     "\nreference  " + study.reference.words + ", " + counted(cell.steps, "step") +
                     "\n";
  if (cell.weights.kind == WeightsLocation::Kind::kSynthetic) {
    text += "SYNTHETIC WEIGHTS: the images are noise. This measures NUMERICS, NOT PICTURES.\n";
  }
  return text;
}

std::vector<std::string> image_row(const StudyCell& candidate, const CandidateResult& result) {
  if (result.images.empty()) {
    return {candidate.words, result.record.status, "", "", "", "", "", "", ""};
  }
  const StudySummary figures = summary_of(result.images);
  return {candidate.words,
          decibel_text(figures.psnr_db_mean),
          decibel_text(figures.psnr_db_min),
          ssim_text(figures.ssim_mean),
          ssim_text(figures.ssim_min),
          power_text(figures.nmse_mean),
          power_text(figures.nmse_max),
          number_text(figures.max_error) + " of 255",
          power_text(figures.latents_nmse)};
}

/// The first step, the last, and those at each quarter.
std::set<std::int64_t> shown_steps(std::int64_t steps) {
  return {1, std::max<std::int64_t>(1, steps / 4), std::max<std::int64_t>(1, steps / 2),
          std::max<std::int64_t>(1, 3 * steps / 4), steps};
}

/// Empty where no candidate has as many steps as the reference.
std::string growth_text(const Study& study, const StudyResult& result) {
  const std::set<std::int64_t> steps = shown_steps(study.reference.cell.steps);
  std::vector<std::vector<std::string>> rows(1, {"latents' NMSE after step"});
  for (const std::int64_t step : steps) {
    rows.front().push_back(std::to_string(step));
  }
  rows.front().emplace_back("grows most in");
  for (std::size_t i = 0; i < result.candidates.size(); ++i) {
    if (result.candidates[i].images.empty()) {
      continue;
    }
    const std::vector<double> by_step =
        summary_of(result.candidates[i].images).latents_nmse_by_step;
    if (by_step.size() != static_cast<std::size_t>(*steps.rbegin())) {
      continue;
    }
    auto& row = rows.emplace_back(1, study.candidates[i].words);
    for (const std::int64_t step : steps) {
      row.push_back(power_text(by_step[static_cast<std::size_t>(step) - 1]));
    }
    const auto steepest = steepest_step(by_step);
    row.push_back(steepest ? "step " + std::to_string(*steepest) : "none");
  }
  return rows.size() == 1 ? "" : "\n" + aligned_text(rows);
}

} // namespace

std::string quality_text(const Study& study, const StudyResult& result) {
  std::vector<std::vector<std::string>> rows = {{"candidate", "PSNR mean", "worst", "SSIM mean",
                                                 "worst", "NMSE mean", "worst", "largest error",
                                                 "latents' NMSE"}};
  for (std::size_t i = 0; i < result.candidates.size(); ++i) {
    rows.push_back(image_row(study.candidates[i], result.candidates[i]));
  }
  return head_text(study, result.reference) + "\n" + aligned_text(rows) +
         growth_text(study, result);
}

std::string missed_limits(const CandidateResult& result, const QualityLimits& limits) {
  if (result.images.empty()) {
    return "";
  }
  const StudySummary figures = summary_of(result.images);
  std::string missed;
  if (limits.min_psnr_db && figures.psnr_db_min && *figures.psnr_db_min < *limits.min_psnr_db) {
    missed = "PSNR " + significant_text(*figures.psnr_db_min, 4) + " dB is under --min-psnr " +
             number_text(*limits.min_psnr_db);
  }
  if (limits.min_ssim && figures.ssim_min < *limits.min_ssim) {
    missed += (missed.empty() ? "" : ", ") + std::string("SSIM ") + ssim_text(figures.ssim_min) +
              " is under --min-ssim " + number_text(*limits.min_ssim);
  }
  return missed;
}

} // namespace sdbench
