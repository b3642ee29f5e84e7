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
  std::string_view name;              ///< in --fields
  std::vector<std::string_view> keys; ///< keys of a place in JSON and CSV that tell the same
  ViewColumn column;                  ///< an empty head stands for the metric's
  /// The text for one place, which may be empty. Null for the column of letters of notes.
  std::string (*text)(const Comparison&, const ResultTable&, const Pool&);
  /// True if it is shown by default.
  bool (*is_usual)(const Comparison&);
  bool may_be_left_out = true; ///< if it is empty in all rows
};

/// All columns, in their default order.
[[nodiscard]] const std::vector<Detail>& details();
/// The column of that name; null if there is none.
[[nodiscard]] const Detail* find_detail(std::string_view name);

} // namespace sdbench
