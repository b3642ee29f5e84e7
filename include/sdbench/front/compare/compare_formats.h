#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sdbench/base/core/json_io.h"
#include "sdbench/front/compare/compare_fields.h"
#include "sdbench/front/compare/comparison.h"

namespace sdbench {

/// A form of a comparison: the terminal's table, data, and each form of tables (see ViewForm).
struct CompareFormat {
  std::string_view name;      ///< of --format: "csv"
  std::string_view extension; ///< of -o FILE: ".csv"
};
[[nodiscard]] const std::vector<CompareFormat>& compare_formats();

/// Every place of the table as an object, in SI units: the data of the next two. Behind what it
/// always says stands what `fields` ask of the record: keep_fields() leaves these alone.
[[nodiscard]] nlohmann::ordered_json to_json(const Comparison& comparison, const ResultTable& table,
                                             const std::vector<CompareField>& fields = {});
[[nodiscard]] std::string to_json_text(const nlohmann::ordered_json& comparison);
/// A line for each place.
[[nodiscard]] std::string to_csv(const nlohmann::ordered_json& comparison);

/// Whether a text begins as sdbench compare's output in that format ("table", "md", …) does. Files
/// that earlier versions wrote count, too.
[[nodiscard]] bool is_comparison(std::string_view text, std::string_view format);

} // namespace sdbench
