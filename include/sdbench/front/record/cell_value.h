#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace sdbench {

/// One value of a row in a file: a text, or a number that is already parsed.
struct CellValue {
  enum class Kind {
    kText,    ///< any text, including a number as text; empty: no value
    kInteger, ///< an integer of at most kMostInteger, so that a double holds it exactly
    kNumber,  ///< any double, finite or not
    kNeither, ///< binary data in a database
  };

  static constexpr std::int64_t kMostInteger = std::int64_t{1} << 53;

  CellValue() = default;
  /// This conversion is implicit, so that a row of texts can be assigned to a row of values.
  CellValue(std::string_view of_text) : text(of_text) {} // NOLINT(google-explicit-constructor)

  /// The value as text, in the form of field_text(). An infinity becomes "infinite"; NaN becomes an
  /// empty text.
  [[nodiscard]] std::string as_text() const;
  [[nodiscard]] bool is_absent() const { return kind == Kind::kText && text.empty(); }

  std::string_view text; ///< the value if `kind` is kText
  double number = 0;     ///< the value if `kind` is kInteger or kNumber
  Kind kind = Kind::kText;
};

/// The value of one field of a row. Any field accepts a kText in the form of field_text(). Number
/// fields except the seed also accept a kInteger; non-integer ones also accept a kNumber.
struct FieldValue {
  std::size_t field = 0;
  CellValue value;
};

} // namespace sdbench
