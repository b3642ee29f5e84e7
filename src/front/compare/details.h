#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sdbench/front/compare/comparison.h"
#include "sdbench/front/words/view_table.h"

namespace sdbench {

// Heads of columns that a legend explains.
inline constexpr const char* kHalfWidth = "±95 %";
inline constexpr const char* kInterval = "its 95 % interval";
inline constexpr const char* kPaysAfter = "pays after";
inline constexpr const char* kBestPaysAfter = "best pays after";
inline constexpr const char* kPsnr = "PSNR dB";
inline constexpr const char* kSsim = "SSIM";

/// A column of a detailed table.
struct Detail {
  std::string_view name;              ///< of --fields
  std::vector<std::string_view> keys; ///< of a place in JSON and CSV, which say the same
  ViewColumn column;                  ///< an empty head: the metric's own
  /// Of one place; empty where there is nothing to say. Null: the letters of its notes.
  std::string (*text)(const Comparison&, const ResultTable&, const Pool&);
  /// True if it is shown by default.
  bool (*is_usual)(const Comparison&);
  bool may_be_left_out = true; ///< if it is empty in all rows
};

/// All columns, in their default order.
[[nodiscard]] const std::vector<Detail>& details();
/// Null for an unknown name.
[[nodiscard]] const Detail* find_detail(std::string_view name);

} // namespace sdbench
