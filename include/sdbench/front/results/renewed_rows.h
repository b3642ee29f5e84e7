#pragma once

#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "sdbench/front/results/field_value.h"

namespace sdbench {

/// Rows with the ids and fields of today, as renew_row() gives them, with runtime_version, as
/// fill_runtime_version() does, and with load_s as it is understood today.
class RenewedRows {
public:
  /// The row itself where it is of today. What is given lives until the next call. Throws
  /// FieldError for a value that its field cannot hold.
  [[nodiscard]] std::span<const FieldValue> of(std::span<const FieldValue> row);

private:
  void renew_row_of_values();

  using Texts = std::vector<std::string>;

  std::unordered_map<std::string, Texts> known_; ///< by all that they depend on
  std::string key_;                              ///< of the row in hand
  std::vector<FieldValue> row_;
};

} // namespace sdbench
