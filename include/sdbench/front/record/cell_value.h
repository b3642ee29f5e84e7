#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace sdbench {

/// A value of a row in a file: a text, or a number that needs no reading.
struct CellValue {
  enum class Kind {
    kText,    ///< may be the text of a number; empty: absent
    kInteger, ///< at most kMostInteger, so that a double holds it exactly
    kNumber,  ///< any double, finite or not
    kNeither, ///< binary data of a database
  };

  static constexpr std::int64_t kMostInteger = std::int64_t{1} << 53;

  CellValue() = default;
  /// Implicit, so that rows of texts can be assigned to rows of values.
  CellValue(std::string_view of_text) : text(of_text) {} // NOLINT(google-explicit-constructor)

  /// The value in the form of field_text(). "infinite" for an infinity, empty for NaN.
  [[nodiscard]] std::string as_text() const;
  [[nodiscard]] bool is_absent() const { return kind == Kind::kText && text.empty(); }

  std::string_view text; ///< of kText
  double number = 0;     ///< of kInteger and kNumber
  Kind kind = Kind::kText;
};

/// A value of a row: the place of its field among record_fields(), and its text as field_text()
/// writes it. Only fields of numbers have a number, and only those of integers also an integer.
struct FieldValue {
  std::size_t field = 0;
  CellValue value;
};

} // namespace sdbench
