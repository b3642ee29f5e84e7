#include "devices_of_sweep.h"

#include <cstddef>
#include <map>
#include <optional>
#include <string>

#include "sdbench/front/record/field_name.h"

namespace sdbench {
namespace {

constexpr FieldName kOfDevice[] = {"env_id",      "device_kind",        "device_name",
                                   "device_arch", "compute_capability", "driver_version",
                                   "device_uuid"};

/// A row that ran on each asked device; nullopt if rows ran on several devices.
using RowsByDevice = std::map<std::string, std::optional<std::size_t>>;

std::string asked_in(const ResultTable& table, std::size_t row, FieldName scope) {
  std::string key(table.text(row, scope.place()));
  for (const FieldName field : {FieldName("host"), FieldName("device")}) {
    key += '\n';
    key += table.text(row, field.place());
  }
  return key;
}

bool is_named(const ResultTable& table, std::size_t row) {
  return !table.text(row, field_index("device_name")).empty();
}

RowsByDevice rows_by_device(const ResultTable& table, FieldName scope) {
  RowsByDevice rows;
  for (std::size_t row = 0; row < table.size(); ++row) {
    if (!is_named(table, row)) {
      continue;
    }
    const auto [known, is_new] = rows.try_emplace(asked_in(table, row, scope), row);
    for (const FieldName field : {FieldName("device_name"), FieldName("device_uuid")}) {
      if (known->second &&
          table.text(*known->second, field.place()) != table.text(row, field.place())) {
        known->second = std::nullopt;
      }
    }
  }
  return rows;
}

} // namespace

void name_devices(ResultTable& table) {
  for (const FieldName scope : {FieldName("sweep_id"), FieldName("host")}) {
    const RowsByDevice rows = rows_by_device(table, scope);
    for (std::size_t row = 0; row < table.size(); ++row) {
      const auto known = is_named(table, row) ? rows.end() : rows.find(asked_in(table, row, scope));
      if (known == rows.end() || !known->second) {
        continue;
      }
      for (const FieldName field : kOfDevice) {
        table.set(row, field.place(), table.value_text(*known->second, field.place()));
      }
    }
  }
}

} // namespace sdbench
