#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sdbench {

/// A value of a row in a file: a text, or a number that needs no reading.
struct CellValue {
  enum class Kind {
    kText,    ///< a number may stand in it, too; empty: absent
    kInteger, ///< at most 2^53, which a double holds exactly
    kNumber,  ///< any, also one that is not finite
    kNeither, ///< bytes of a database
  };

  CellValue() = default;
  CellValue(std::string_view of_text) : text(of_text) {}
  static CellValue of_integer(std::int64_t value) {
    return {Kind::kInteger, static_cast<double>(value)};
  }
  static CellValue of_number(double value) { return {Kind::kNumber, value}; }
  static CellValue neither() { return {Kind::kNeither, 0}; }

  /// In the form of field_text(); "infinite", or empty for no number.
  [[nodiscard]] std::string as_text() const;
  [[nodiscard]] bool is_absent() const { return kind == Kind::kText && text.empty(); }

  std::string_view text; ///< of kText
  double number = 0;     ///< of kInteger and kNumber
  Kind kind = Kind::kText;

private:
  CellValue(Kind of_kind, double value) : number(value), kind(of_kind) {}
};

} // namespace sdbench
