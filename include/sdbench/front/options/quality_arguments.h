#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "sdbench/front/quality/study_plan.h"

namespace sdbench {

/// Lower limits for every image of a study; empty: no limit.
struct QualityLimits {
  std::optional<double> min_psnr_db;
  std::optional<double> min_ssim;
};

/// The parsed arguments of `sdbench quality`.
struct QualityArguments {
  Study study;
  QualityLimits limits;
  std::vector<std::filesystem::path> outputs; ///< files for the study's rows (see QualityRow)
  /// Files for the candidates' records. Empty: the default files.
  std::vector<std::filesystem::path> records;
  bool no_save = false;              ///< write no default files
  bool overwrite = false;            ///< replace files even if this loses data
  std::filesystem::path save_images; ///< folder; empty: save no images
  std::int64_t amplify = 10;         ///< factor by which pictures multiply differences
  bool dry_run = false;              ///< only print what would be compared
  std::string label;
  std::string note;
  std::string tags; ///< KEY=VALUE tags, joined: "cooler=air room_c=21"
  double timeout_s = 600;
  int verbosity = 0; ///< -1 for -q, 1 for -v, else 0
};

/// Parses the arguments of `sdbench quality`. Returns nullopt after --help, whose output it writes
/// to `out`. Throws UsageError or Error.
[[nodiscard]] std::optional<QualityArguments>
parse_quality_arguments(const std::vector<std::string>& arguments, std::ostream& out,
                        const EnginesOfDevice& all);

} // namespace sdbench
