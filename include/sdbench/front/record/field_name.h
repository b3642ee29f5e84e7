#pragma once

#include <cstddef>
#include <iterator>
#include <string_view>

#include "sdbench/front/record/record_field_table.h"

namespace sdbench {

/// Names a field of the record. A literal name is checked at compile time: an unknown name does not
/// compile.
class FieldName {
public:
  consteval FieldName(const char* name) // NOLINT(google-explicit-constructor): it is the name
      : place_(place_of(name)) {
    if (place_ == std::size(kRecordFields)) {
      throw "no field of the record has this name";
    }
  }
  /// Converts a name from another constexpr table.
  explicit consteval FieldName(std::string_view name) : FieldName(name.data()) {}
  /// Finds a field whose name is composed at run time, such as that of an engine's axis. Throws
  /// std::logic_error if the record has no such field, so a test must cover all composed names.
  [[nodiscard]] static FieldName of(std::string_view name);

  /// The field at this index in record_fields().
  [[nodiscard]] static constexpr FieldName at(std::size_t place) { return FieldName(place); }

  /// Index in record_fields().
  [[nodiscard]] constexpr std::size_t place() const { return place_; }
  [[nodiscard]] constexpr std::string_view text() const { return kRecordFields[place_].name; }
  constexpr operator std::string_view() const {
    return text();
  } // NOLINT(google-explicit-constructor)
  constexpr bool operator==(const FieldName& other) const = default;

private:
  explicit constexpr FieldName(std::size_t place) : place_(place) {}
  static constexpr std::size_t place_of(std::string_view name) {
    std::size_t place = 0;
    while (place < std::size(kRecordFields) && kRecordFields[place].name != name) {
      ++place;
    }
    return place;
  }

  std::size_t place_;
};

} // namespace sdbench
