#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "sdbench/front/quality/study_plan.h"

namespace sdbench {

/// Limits that every picture of a study must reach; empty: no limit.
struct QualityLimits {
  std::optional<double> min_psnr_db;
  std::optional<double> min_ssim;
};

/// `sdbench quality`, understood.
struct QualityArguments {
  Study study;
  QualityLimits limits;
  std::vector<std::filesystem::path> outputs; ///< of its own rows
  std::vector<std::filesystem::path>
      records;                       ///< for a record of each candidate; empty: the default files
  bool no_save = false;              ///< no default files
  bool overwrite = false;            ///< replace files even if their contents would be lost
  std::filesystem::path save_images; ///< empty: none
  std::int64_t amplify = 10;         ///< differences in pictures
  bool dry_run = false;              ///< only print what would be compared
  std::string label;
  std::string note;
  std::string tags; ///< in the form of joined_tags()
  double timeout_s = 600;
  int verbosity = 0; ///< -1: -q, 1: -v
};

/// Parses the arguments of `sdbench quality`. Nothing after --help, whose output is then on `out`.
/// Throws UsageError or Error.
[[nodiscard]] std::optional<QualityArguments>
parse_quality_arguments(const std::vector<std::string>& arguments, std::ostream& out,
                        const EnginesOfDevice& all);

} // namespace sdbench
