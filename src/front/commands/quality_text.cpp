#include "sdbench/front/commands/quality_text.h"

#include <array>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <set>

#include "dry_run.h"
#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/numbers/units.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/base/text/escape.h"
#include "sdbench/base/types/status.h"
#include "sdbench/base/weights/locate.h"
#include "sdbench/front/quality/study_figures.h"
#include "sdbench/front/quality/study_plan.h"
#include "sdbench/front/record/run_record.h"
#include "sdbench/front/words/text_form.h"

namespace sdbench {
namespace {

/// "1.2e-09", because errors span many powers of ten.
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

/// "fp32, 8 steps". Adds the number of steps unless the words have it.
std::string reference_words(const StudyCell& reference) {
  const std::string steps = counted(reference.cell.steps, "step");
  const bool has_steps = (reference.words + ",").find(", " + steps + ",") != std::string::npos;
  return reference.words + (has_steps ? "" : ", " + steps);
}

std::string head_text(const Study& study, const RunRecord& reference) {
  const Cell& cell = study.reference.cell;
  std::string text = one_line(cell.model.name) + "  " + size_text(cell.width, cell.height) + ", " +
                     counted(cell.images, "image") + ", guidance " + number_text(cell.guidance) +
                     ", seed " + std::to_string(cell.seed) + ", weights " +
                     one_line(reference.weights) + "\nreference  " +
                     reference_words(study.reference) + "\n";
  if (cell.weights.kind == WeightsLocation::Kind::kSynthetic) {
    text += "SYNTHETIC WEIGHTS: the images are noise. This measures NUMERICS, NOT PICTURES.\n";
  }
  return text;
}

/// A candidate with the figures over all its images. Each table shows some of them.
struct SummedCandidate {
  std::string words;
  std::string status;
  std::string error;                   ///< empty if it is ok
  std::optional<StudySummary> figures; ///< nothing if it has no images
};

std::vector<SummedCandidate> summed(const Study& study, const StudyResult& result) {
  std::vector<SummedCandidate> candidates;
  for (std::size_t i = 0; i < result.candidates.size(); ++i) {
    const CandidateResult& candidate = result.candidates[i];
    candidates.push_back(
        {study.candidates[i].words, candidate.record.status, candidate.record.error, std::nullopt});
    if (!candidate.images.empty()) {
      candidates.back().figures = summary_of(candidate.images);
    }
  }
  return candidates;
}

std::vector<std::string> image_row(const SummedCandidate& candidate) {
  if (!candidate.figures) {
    return {candidate.words, candidate.status, "", "", "", "", "", "", ""};
  }
  const StudySummary& figures = *candidate.figures;
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

/// A table of figures after single steps, with a row per candidate.
struct StepTable {
  const char* title;
  std::size_t (*steps)(const StudySummary& figures); ///< number of steps that have figures
  std::string (*text)(const StudySummary& figures, std::size_t step); ///< from 0
  const char* last_title; ///< of a further, last column; null if there is none
};

const StepTable kStepTables[] = {
    {"latents' NMSE after step",
     [](const StudySummary& figures) { return figures.latents_nmse_by_step.size(); },
     [](const StudySummary& figures, std::size_t step) {
       return power_text(figures.latents_nmse_by_step[step]);
     },
     "grows most in"},
    {"images' mean PSNR after step",
     [](const StudySummary& figures) { return figures.pictures_by_step.size(); },
     [](const StudySummary& figures, std::size_t step) {
       const StepSummary& pictures = figures.pictures_by_step[step];
       return pictures.ssim ? decibel_text(pictures.psnr_db) : std::string("none");
     },
     nullptr},
    {"images' mean SSIM after step",
     [](const StudySummary& figures) { return figures.pictures_by_step.size(); },
     [](const StudySummary& figures, std::size_t step) {
       const StepSummary& pictures = figures.pictures_by_step[step];
       return pictures.ssim ? ssim_text(*pictures.ssim) : std::string("none");
     },
     nullptr}};

/// The table; empty if no candidate has such figures.
std::string step_text(const StepTable& table, const std::set<std::int64_t>& steps,
                      const std::vector<SummedCandidate>& candidates, const Screen& screen) {
  std::vector<std::vector<std::string>> rows(1, {"candidate"});
  for (const std::int64_t step : steps) {
    rows.front().push_back(std::to_string(step));
  }
  if (table.last_title != nullptr) {
    rows.front().emplace_back(table.last_title);
  }
  for (const auto& [words, status, error, figures] : candidates) {
    if (!figures || table.steps(*figures) != static_cast<std::size_t>(*steps.rbegin())) {
      continue;
    }
    auto& row = rows.emplace_back(1, words);
    for (const std::int64_t step : steps) {
      row.push_back(table.text(*figures, static_cast<std::size_t>(step) - 1));
    }
    if (table.last_title != nullptr) {
      const auto steepest = steepest_step(figures->latents_nmse_by_step);
      row.push_back(steepest ? "step " + std::to_string(*steepest) : "none");
    }
  }
  // The title belongs to no column: on a narrow screen the columns become lines of each candidate.
  return rows.size() == 1 ? ""
                          : "\n" + std::string(table.title) + "\n" + aligned_text(rows, screen);
}

} // namespace

std::string study_plan_text(const Study& study, const Screen& screen) {
  std::vector<std::vector<std::string>> rows = {{"", "way", "memory", ""}};
  const auto add = [&](const std::string& role, const std::string& words, const StudyCell& way) {
    rows.push_back({role, words, memory_words(way.cell),
                    way.obstacle.empty() ? "" : "skipped: " + one_line(way.obstacle)});
  };
  add("reference", reference_words(study.reference), study.reference);
  for (const StudyCell& candidate : study.candidates) {
    add("candidate", candidate.words, candidate);
  }
  const Cell& cell = study.reference.cell;
  return one_line(cell.model.name) + "  " + size_text(cell.width, cell.height) + "\n\n" +
         aligned_text(rows, screen) + "\n" +
         counted(static_cast<std::int64_t>(rows.size()) - 1, "way") + " of " +
         counted(cell.images, "image") + " planned, nothing is run\n";
}

std::string quality_text(const Study& study, const StudyResult& result, const Screen& screen) {
  std::vector<std::vector<std::string>> rows = {{"candidate", "PSNR mean", "worst", "SSIM mean",
                                                 "worst", "NMSE mean", "worst", "largest error",
                                                 "latents' NMSE"}};
  const std::vector<SummedCandidate> candidates = summed(study, result);
  for (const SummedCandidate& candidate : candidates) {
    rows.push_back(image_row(candidate));
  }
  std::string text = head_text(study, result.reference) + "\n" + aligned_text(rows, screen);
  for (const SummedCandidate& candidate : candidates) {
    const bool says_more = candidate.status != name_of(Status::kInterrupted); // the user knows why
    if (!candidate.figures && !candidate.error.empty() && says_more) {
      text += candidate.words + ": " + candidate.status + ": " + one_line(candidate.error) + "\n";
    }
  }
  const std::set<std::int64_t> steps = shown_steps(study.reference.cell.steps);
  for (const StepTable& table : kStepTables) {
    text += step_text(table, steps, candidates, screen);
  }
  return text;
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
