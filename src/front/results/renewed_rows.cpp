#include "sdbench/front/results/renewed_rows.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "sdbench/base/core/number_text.h"
#include "sdbench/base/record/cell_value.h"
#include "sdbench/base/record/field_name.h"
#include "sdbench/base/record/old_ids.h"
#include "sdbench/base/record/old_words.h"
#include "sdbench/base/record/record_fields.h"
#include "sdbench/base/record/run_record.h"

namespace sdbench {
namespace {

constexpr std::array<FieldName, 11> kRenewed = {
    "workload_id", "variant_id",    "env_id",        "cell_id",        "scheduler", "noise_levels",
    "asked_dtype", "asked_threads", "asked_devices", "asked_libtorch", "prepared"};

/// By a field's place: whether renew_row() looks at it.
const std::vector<bool>& telling_fields() {
  static const std::vector<bool> telling = [] {
    std::vector<bool> all(record_fields().size(), false);
    std::vector<FieldName> names = fields_of_ids();
    names.insert(names.end(), kRenewed.begin(), kRenewed.end());
    for (const FieldName name : names) {
      all[name.place()] = true;
    }
    return all;
  }();
  return telling;
}

/// Equal for equal values alone, and quick: there may be a hundred thousand rows.
void append(std::string& key, std::size_t field, const CellValue& value) {
  const auto append_bytes = [&key](const auto& number) {
    const auto bytes = std::bit_cast<std::array<char, sizeof number>>(number);
    key.append(bytes.begin(), bytes.end());
  };
  append_bytes(field);
  append_bytes(value.kind == CellValue::Kind::kText ? value.text.size() : std::size_t(-1));
  append_bytes(value.number);
  key += value.text;
}

bool is_before_asked(std::span<const FieldValue> row) {
  static constexpr std::int64_t kFirstWithAsked = 4;
  constexpr std::size_t kSchema = FieldName("schema_version").place();
  return std::ranges::any_of(row, [](const FieldValue& value) {
    return value.field == kSchema &&
           parse_integer(value.value.as_text()).value_or(kFirstWithAsked) < kFirstWithAsked;
  });
}

/// What stands under the name of before alone; absent, where nothing does.
CellValue unnamed_runtime_version(std::span<const FieldValue> row) {
  constexpr std::size_t kBefore = FieldName("libtorch_version").place();
  constexpr std::size_t kToday = FieldName("runtime_version").place();
  CellValue version;
  for (const auto& [field, value] : row) {
    if (field == kToday && !value.is_absent()) {
      return {};
    }
    version = field == kBefore ? value : version;
  }
  return version;
}

std::optional<double> number_of(const CellValue& value) {
  return value.kind == CellValue::Kind::kText ? parse_number(value.text)
                                              : std::optional(value.number);
}

/// load_of_today(), where that is not what stands there.
std::optional<double> changed_load(std::span<const FieldValue> row) {
  constexpr std::size_t kSchema = FieldName("schema_version").place();
  constexpr std::size_t kLoad = FieldName("load_s").place();
  constexpr std::size_t kPrepare = FieldName("prepare_s").place();
  std::int64_t version = kSchemaVersion;
  std::optional<double> load_s;
  std::optional<double> prepare_s;
  for (const auto& [field, value] : row) {
    if (field == kSchema) {
      version = parse_integer(value.as_text()).value_or(kSchemaVersion);
    } else if (field == kLoad) {
      load_s = number_of(value);
    } else if (field == kPrepare) {
      prepare_s = number_of(value);
    }
  }
  const std::optional<double> today = load_of_today(version, load_s, prepare_s);
  return today == load_s ? std::nullopt : today;
}

CellValue value_of(double number) {
  CellValue value;
  value.kind = CellValue::Kind::kNumber;
  value.number = number;
  return value;
}

} // namespace

std::span<const FieldValue> RenewedRows::of(std::span<const FieldValue> row) {
  const bool is_renewed = is_before_asked(row);
  const CellValue version = unnamed_runtime_version(row);
  const std::optional<double> load_s = changed_load(row);
  if (!is_renewed && version.is_absent() && !load_s) {
    return row;
  }
  row_.assign(row.begin(), row.end());
  if (is_renewed) {
    renew_row_of_values();
  }
  if (!version.is_absent()) {
    row_.push_back({FieldName("runtime_version").place(), version}); // after an empty one
  }
  if (load_s) {
    row_.push_back({FieldName("load_s").place(), value_of(*load_s)}); // after that of before
  }
  return row_;
}

void RenewedRows::renew_row_of_values() {
  key_.clear();
  for (const auto& [field, value] : row_) {
    if (telling_fields()[field]) {
      append(key_, field, value);
    }
  }
  auto known = known_.find(key_);
  if (known == known_.end()) {
    RunRecord record;
    for (const auto& [field, value] : row_) {
      if (telling_fields()[field]) {
        set_field_text(record, record_fields()[field], value.as_text());
      }
    }
    renew_row(record);
    Texts texts;
    for (const FieldName field : kRenewed) {
      texts.push_back(field_text(record, field_named(field)));
    }
    known = known_.emplace(key_, std::move(texts)).first;
  }
  for (std::size_t i = 0; i < kRenewed.size(); ++i) {
    if (!known->second.at(i).empty()) {
      row_.push_back({kRenewed.at(i).place(), std::string_view(known->second.at(i))});
    }
  }
}

} // namespace sdbench
