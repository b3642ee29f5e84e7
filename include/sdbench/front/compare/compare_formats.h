#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sdbench/base/files/json_io.h"
#include "sdbench/front/compare/compare_fields.h"
#include "sdbench/front/compare/comparison.h"

namespace sdbench {

/// An output format of a comparison: a table for the terminal, data (CSV, JSON), or a table in a
/// document's format (see ViewForm).
struct CompareFormat {
  std::string_view name;      ///< value of --format: "csv"
  std::string_view extension; ///< ending of the output file: ".csv"
};
[[nodiscard]] const std::vector<CompareFormat>& compare_formats();

/// The comparison as JSON with one object for each place (pool), in SI units; the input of
/// to_json_text() and to_csv(). Each object has the standard members, then `fields`. keep_fields()
/// can then remove the standard members.
[[nodiscard]] nlohmann::ordered_json to_json(const Comparison& comparison, const ResultTable& table,
                                             const std::vector<CompareField>& fields = {});
[[nodiscard]] std::string to_json_text(const nlohmann::ordered_json& comparison);
/// CSV with one line for each place.
[[nodiscard]] std::string to_csv(const nlohmann::ordered_json& comparison);

/// True if the text begins like the output of sdbench compare in that format ("table", "md", …).
/// Also recognizes the output of earlier versions.
[[nodiscard]] bool is_comparison(std::string_view text, std::string_view format);

} // namespace sdbench
