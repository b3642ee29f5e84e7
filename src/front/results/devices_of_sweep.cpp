#include "devices_of_sweep.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "sdbench/front/record/field_name.h"

namespace sdbench {
namespace {

constexpr FieldName kOfDevice[] = {"env_id",      "device_kind",        "device_name",
                                   "device_arch", "compute_capability", "driver_version",
                                   "device_uuid"};

/// Text ids of the scope (sweep or host), the host and the asked device.
using Asked = std::array<std::uint32_t, 3>;

Asked asked_in(const ResultTable& table, std::size_t row, FieldName scope) {
  return {table.text_id(row, scope.place()), table.text_id(row, field_index("host")),
          table.text_id(row, field_index("device"))};
}

bool is_named(const ResultTable& table, std::size_t row) {
  return !table.text(row, "device_name").empty();
}

bool are_on_one_device(const ResultTable& table, std::size_t a, std::size_t b) {
  return table.text(a, "device_name") == table.text(b, "device_name") &&
         table.text(a, "device_uuid") == table.text(b, "device_uuid");
}

/// A row that ran, by what it asked for; nullopt if such rows ran on several devices.
std::map<Asked, std::optional<std::size_t>> rows_that_ran(const ResultTable& table,
                                                          FieldName scope) {
  std::map<Asked, std::optional<std::size_t>> rows;
  for (std::size_t row = 0; row < table.size(); ++row) {
    if (is_named(table, row)) {
      auto& known = rows.try_emplace(asked_in(table, row, scope), row).first->second;
      if (known && !are_on_one_device(table, *known, row)) {
        known = std::nullopt;
      }
    }
  }
  return rows;
}

std::vector<std::size_t> unnamed_rows(const ResultTable& table) {
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < table.size(); ++row) {
    if (!is_named(table, row)) {
      rows.push_back(row);
    }
  }
  return rows;
}

} // namespace

void name_devices(ResultTable& table) {
  for (const FieldName scope : {FieldName("sweep_id"), FieldName("host")}) {
    const std::vector<std::size_t> unnamed = unnamed_rows(table);
    if (unnamed.empty()) {
      return; // the usual case costs no search
    }
    const auto ran = rows_that_ran(table, scope);
    for (const std::size_t row : unnamed) {
      const auto found = ran.find(asked_in(table, row, scope));
      if (found == ran.end() || !found->second) {
        continue;
      }
      for (const FieldName field : kOfDevice) {
        table.set(row, field.place(), table.text(*found->second, field));
      }
    }
  }
}

} // namespace sdbench
