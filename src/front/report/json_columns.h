#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sdbench/base/files/json_io.h"
#include "sdbench/front/results/result_table.h"

namespace sdbench {

// Pieces of a page's data, for report_data.cpp and json_pools.cpp.

using OrderedJson = nlohmann::ordered_json;

/// The number with seven digits, which is more than any clock gives, and half the bytes of a
/// double's seventeen. Null if it is not finite.
[[nodiscard]] OrderedJson number_json(double value);
[[nodiscard]] OrderedJson numbers_json(const std::vector<double>& values);
[[nodiscard]] OrderedJson or_null(const std::optional<double>& value);

/// A column of texts: the distinct texts, and for each row the place of its text.
class TextColumn {
public:
  void add(std::string_view text);
  [[nodiscard]] bool has_text() const { return has_text_; }
  [[nodiscard]] OrderedJson json(std::string_view name, std::string_view unit,
                                 std::string_view meaning) &&;

private:
  std::unordered_map<std::string, std::size_t> places_;
  OrderedJson values_ = OrderedJson::array();
  OrderedJson index_ = OrderedJson::array();
  bool has_text_ = false;
};

/// Every field that any row has, and the name of each row's file.
[[nodiscard]] OrderedJson columns_json(const ResultTable& table);

} // namespace sdbench
