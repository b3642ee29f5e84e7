#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sdbench/front/record/field_name.h"
#include "sdbench/front/record/run_record.h"

namespace sdbench {

using NamedValue = std::pair<std::string_view, std::string>;

/// The first 16 hexadecimal digits of the SHA-256 of the lines "name=value", in the given order.
/// The same on every machine; changes with any name, value or their order.
[[nodiscard]] std::string id_digits(std::span<const NamedValue> values);

/// A letter, then id_digits() of the values that are not empty, sorted by name. The letter keeps
/// table readers from taking the digits for a number ("1234e5678" is infinity).
[[nodiscard]] std::string stable_id(char letter, std::vector<NamedValue> values);

/// The values that a row's workload_id is made of, as docs/record.md lists them.
[[nodiscard]] std::vector<NamedValue> workload_values(const RunRecord& record);

/// The fields that workload_values() reads.
[[nodiscard]] std::vector<FieldName> workload_fields();

[[nodiscard]] std::string workload_id_of(const RunRecord& record);

/// The fields that a row's variant_id is made of: the axes as they were asked for, and the number
/// format, threads and runtime that resulted from what was asked for.
[[nodiscard]] std::vector<FieldName> variant_fields();

/// Those of variant_fields() whose text goes into a variant_id unchanged. An empty one means that
/// the setting was absent.
inline constexpr std::array kVariantTexts = {
    FieldName("cpu_share"), FieldName("share"), FieldName("openmp_config"),
    FieldName("instruction_config"), FieldName("cuda_config")};

/// The values that a row's variant_id is made of, by the names of docs/record.md. A value that
/// nobody asked for is left out, so that a new option does not change the ids of rows without it.
[[nodiscard]] std::vector<NamedValue> variant_values(const RunRecord& record);
[[nodiscard]] std::string variant_id_of(const RunRecord& record);
/// The values that a row's env_id is made of, as docs/record.md lists them.
[[nodiscard]] std::vector<NamedValue> environment_values(const RunRecord& record);

/// The fields that environment_values() reads.
inline constexpr std::array kEnvironmentFields = {
    FieldName("device_kind"), FieldName("device_name"), FieldName("driver_version"),
    FieldName("os"),          FieldName("kernel"),      FieldName("host"),
    FieldName("cpu"),         FieldName("core_count"),  FieldName("host_memory_bytes")};

[[nodiscard]] std::string env_id_of(const RunRecord& record);
/// The env_id with these digits: those of an id, or made-up ones for a row that is shared without
/// its host.
[[nodiscard]] std::string env_id_of_digits(const std::string& digits);
[[nodiscard]] std::string cell_id_of(const std::string& workload_id, const std::string& variant_id,
                                     const std::string& device);

/// Fewest characters of a run_id's beginning that may stand for the whole, if no other run_id
/// begins with them.
inline constexpr std::size_t kShortestRunId = 4;

} // namespace sdbench
