#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "sdbench/front/quality/study_plan.h"

namespace sdbench {

/// What a study's pictures must reach, each of them; empty: whatever they do.
struct QualityLimits {
  std::optional<double> min_psnr_db;
  std::optional<double> min_ssim;
};

/// `sdbench quality`, understood.
struct QualityArguments {
  Study study;
  QualityLimits limits;
  std::vector<std::filesystem::path> outputs; ///< of its own rows
  std::vector<std::filesystem::path> records; ///< of a record for each candidate; empty: usual ones
  bool no_save = false;                       ///< no usual ones
  bool overwrite = false;                     ///< also what would be lost by that
  std::filesystem::path save_images;          ///< empty: none
  std::int64_t amplify = 10;                  ///< differences in pictures
  bool dry_run = false;                       ///< say what would be compared
  std::string label;
  std::string note;
  std::string tags; ///< as joined_tags() gives them
  double timeout_s = 600;
  int verbosity = 0; ///< -1: -q, 1: -v
};

/// Parses the arguments of `sdbench quality`. Nothing if --help was asked for, which is then on
/// `out`. Throws UsageError or Error.
[[nodiscard]] std::optional<QualityArguments>
parse_quality_arguments(const std::vector<std::string>& arguments, std::ostream& out,
                        const EnginesOfDevice& all);

} // namespace sdbench
