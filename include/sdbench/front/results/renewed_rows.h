#pragma once

#include <array>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "sdbench/front/results/field_value.h"

namespace sdbench {

/// Rows with the ids of today, as renew_ids() gives them, with runtime_version, as
/// fill_runtime_version() does, and with load_s as it is understood today.
class RenewedRows {
public:
  /// The row itself where it is of today. What is given lives until the next call. Throws
  /// FieldError for a value that its field cannot hold.
  [[nodiscard]] std::span<const FieldValue> of(std::span<const FieldValue> row);

private:
  void renew_ids_of_row();

  using Ids = std::array<std::string, 4>;

  std::unordered_map<std::string, Ids> known_; ///< by all that ids depend on
  std::string key_;                            ///< of the row in hand
  std::vector<FieldValue> row_;
};

} // namespace sdbench
