#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sdbench/base/files/json_io.h"
#include "sdbench/front/quality/study_plan.h"
#include "sdbench/front/quality/study_run.h"

namespace sdbench {

/// Schema version of a study's rows. It rises whenever a field is added, is renamed, or
/// changes its meaning.
inline constexpr std::int64_t kQualitySchemaVersion = 2;

/// A row of a study: one image of one candidate, or a candidate without images.
struct QualityRow {
  std::string reference; ///< the reference, described in words
  std::string candidate;
  std::int64_t reference_steps = 0;
  RunRecord record;                  ///< record of the candidate
  std::optional<std::int64_t> image; ///< index from 0; nullopt: no image
  std::string prompt;
  std::optional<ImageFigures> figures;
  std::string step_images = {}; ///< see CandidateResult
};

/// One field of a QualityRow; docs/quality.md lists all fields.
struct QualityField {
  std::string_view name;
  std::string_view unit; ///< empty: no unit
  std::string_view description;
  /// A text, a number, a list of numbers, or null. Infinite numbers are also null.
  Json (*value)(const QualityRow& row);
};
[[nodiscard]] std::span<const QualityField> quality_fields();

/// The rows of one candidate.
[[nodiscard]] std::vector<QualityRow> quality_rows(const Study& study, const StudyCell& candidate,
                                                   const CandidateResult& result);

/// CSV with text in quotes. A list is a text of numbers separated by blanks, with "nan" for null.
/// Outside lists, null is an empty field.
[[nodiscard]] std::string quality_csv_header();
[[nodiscard]] std::string to_quality_csv(const QualityRow& row);
[[nodiscard]] nlohmann::ordered_json to_json(const QualityRow& row);

} // namespace sdbench
