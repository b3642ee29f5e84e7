#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "sdbench/front/record/run_record.h"

namespace sdbench {

/// One field of the record: everything that formats and documents need to know about it.
struct RecordField {
  /// The member of RunRecord that holds the value; the alternative gives the type.
  using Member =
      std::variant<std::string RunRecord::*, std::int64_t RunRecord::*, std::uint64_t RunRecord::*,
                   double RunRecord::*, std::optional<std::int64_t> RunRecord::*,
                   std::optional<double> RunRecord::*>;

  std::string_view name;
  std::string_view unit;        ///< "s", "bytes", "it/s", …; empty: none
  std::string_view description; ///< one sentence, as in docs/record.md
  Member member;
  /// What people call it, before the unit in heads: "UNet" of "UNet it/s"; with a slash a unit for
  /// people, "J/image". nullopt: its name.
  std::optional<std::string_view> words = std::nullopt;
};

} // namespace sdbench
