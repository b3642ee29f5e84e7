#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sdbench/base/errors/error.h"
#include "sdbench/front/record/field_name.h"
#include "sdbench/front/record/record_field.h"
#include "sdbench/front/record/run_record.h"

namespace sdbench {

/// All fields in the order of the columns. Raw times are not among them (see RawTimes).
[[nodiscard]] std::span<const RecordField> record_fields();
/// The index of a field in record_fields(); nullopt if this version of the record has no such
/// field.
[[nodiscard]] std::optional<std::size_t> find_field(std::string_view name);
[[nodiscard]] const RecordField& field_named(FieldName name);

/// "text", "integer" or "number".
[[nodiscard]] std::string_view type_name(const RecordField& field);
/// Head for a column of numbers that are shown without their unit: "UNet it/s", "end to end s".
[[nodiscard]] std::string head_with_unit(const RecordField& field);
/// True for a number field that may be empty. False for text fields, which may always be empty.
[[nodiscard]] bool is_optional(const RecordField& field);

/// Thrown for a value that its field cannot hold: "field steps must be of type integer, but is
/// \"many\"".
class FieldError : public Error {
public:
  FieldError(std::string_view field, const std::string& reason)
      : Error("field " + std::string(field) + " " + reason), field_(field), reason_(reason) {}

  [[nodiscard]] const std::string& field() const { return field_; }
  [[nodiscard]] const std::string& reason() const { return reason_; } ///< "must be …"

private:
  std::string field_;
  std::string reason_;
};

/// Explains why a program that reads schema versions `oldest` to `newest` cannot read rows of
/// `version`, and what the user can do. Empty if it can read them.
[[nodiscard]] std::string schema_obstacle(std::int64_t version, std::int64_t oldest,
                                          std::int64_t newest);
/// Explains why rows of schema `newest` cannot be appended to `file`, whose rows have an earlier
/// `version`, and what the user can do. Empty if `version` is not earlier.
[[nodiscard]] std::string append_obstacle(const std::string& file, std::int64_t version,
                                          std::int64_t oldest, std::int64_t newest);
/// Throws FieldError if this program cannot read rows of this schema version.
void check_schema_version(std::int64_t version);

/// The value as text. Numbers are written as number_text() does; a missing number is empty.
[[nodiscard]] std::string field_text(const RunRecord& record, const RecordField& field);
/// Sets the field from a text in the form of field_text(). Throws FieldError for a text that is not
/// of the field's type. "inf" and "nan" are not accepted as numbers.
void set_field_text(RunRecord& record, const RecordField& field, std::string_view text);

/// The fields that hold the requested value of each engine axis, in the order of engine_axes().
[[nodiscard]] std::vector<FieldName> fields_of_axes();

} // namespace sdbench
