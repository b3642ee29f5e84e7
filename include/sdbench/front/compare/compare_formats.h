#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sdbench/base/files/json_io.h"
#include "sdbench/front/compare/compare_fields.h"
#include "sdbench/front/compare/comparison.h"

namespace sdbench {

/// A form of a comparison: the terminal's table, data, and each form of tables (see ViewForm).
struct CompareFormat {
  std::string_view name;      ///< of --format: "csv"
  std::string_view extension; ///< of -o FILE: ".csv"
};
[[nodiscard]] const std::vector<CompareFormat>& compare_formats();

/// Every place of the table as an object, in SI units, for to_json_text() and to_csv(). `fields` of
/// the record follow the standard members; keep_fields() can then reduce it to `fields`.
[[nodiscard]] nlohmann::ordered_json to_json(const Comparison& comparison, const ResultTable& table,
                                             const std::vector<CompareField>& fields = {});
[[nodiscard]] std::string to_json_text(const nlohmann::ordered_json& comparison);
/// A line for each place.
[[nodiscard]] std::string to_csv(const nlohmann::ordered_json& comparison);

/// True if a text begins like the output of sdbench compare in that format ("table", "md", …),
/// earlier versions included.
[[nodiscard]] bool is_comparison(std::string_view text, std::string_view format);

} // namespace sdbench
