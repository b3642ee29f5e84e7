#include "sdbench/results/renewed_rows.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <string_view>
#include <vector>

#include "sdbench/record/cell_value.h"
#include "sdbench/record/old_ids.h"
#include "sdbench/record/record_fields.h"
#include "sdbench/record/run_record.h"

namespace sdbench {
namespace {

constexpr std::array<FieldName, 4> kIdFields = {"workload_id", "variant_id", "env_id", "cell_id"};

/// By a field's place: 1 + the id's among kIdFields; 0: it is none.
const std::vector<std::size_t>& id_places() {
  static const std::vector<std::size_t> places = [] {
    std::vector<std::size_t> all(record_fields().size(), 0);
    for (std::size_t i = 0; i < kIdFields.size(); ++i) {
      all[kIdFields.at(i).place()] = i + 1;
    }
    return all;
  }();
  return places;
}

/// By a field's place: whether renew_ids() looks at it.
const std::vector<bool>& telling_fields() {
  static const std::vector<bool> telling = [] {
    std::vector<bool> all(record_fields().size(), false);
    std::vector<FieldName> names = fields_of_ids();
    names.insert(names.end(), kIdFields.begin(), kIdFields.end());
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

} // namespace

std::span<const FieldValue> RenewedRows::of(std::span<const FieldValue> row) {
  const bool is_old = std::ranges::any_of(row, [](const FieldValue& value) {
    return id_places()[value.field] > 0 && is_old_id(value.value.text);
  });
  if (!is_old) {
    return row;
  }
  key_.clear();
  for (const auto& [field, value] : row) {
    if (telling_fields()[field]) {
      append(key_, field, value);
    }
  }
  auto known = known_.find(key_);
  if (known == known_.end()) {
    RunRecord record;
    for (const auto& [field, value] : row) {
      if (telling_fields()[field]) {
        set_field_text(record, record_fields()[field], value.as_text());
      }
    }
    renew_ids(record);
    const Ids ids = {record.workload_id, record.variant_id, record.env_id, record.cell_id};
    known = known_.emplace(key_, ids).first;
  }
  row_.assign(row.begin(), row.end());
  for (auto& [field, value] : row_) {
    if (const std::size_t place = id_places()[field]; place > 0) {
      value = std::string_view(known->second.at(place - 1));
    }
  }
  return row_;
}

} // namespace sdbench
