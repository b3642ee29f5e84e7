#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "sdbench/front/record/run_record.h"

namespace sdbench {

/// One field of the record, with all that file formats and documents need to know about it.
struct RecordField {
  /// Pointer to the RunRecord member that holds the value; the variant's alternative is its type.
  using Member =
      std::variant<std::string RunRecord::*, std::int64_t RunRecord::*, std::uint64_t RunRecord::*,
                   double RunRecord::*, std::optional<std::int64_t> RunRecord::*,
                   std::optional<double> RunRecord::*>;

  std::string_view name;
  std::string_view unit;        ///< "s", "bytes", "it/s", …; empty: none
  std::string_view description; ///< one sentence, as in docs/record.md
  Member member;
  /// The field's name in column heads, before the unit: "UNet" in "UNet it/s". A name with a slash,
  /// such as "J/image", already contains a unit, so none is added. nullopt: heads use `name`.
  std::optional<std::string_view> words = std::nullopt;
};

} // namespace sdbench
