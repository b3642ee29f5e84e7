#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sdbench/base/record/field_name.h"
#include "sdbench/base/record/run_record.h"

namespace sdbench {

using NamedValue = std::pair<std::string_view, std::string>;

/// The first 16 hexadecimal digits of the SHA-256 of the lines "name=value", in the given order.
/// The same on every machine; changes with any name, value or their order.
[[nodiscard]] std::string id_digits(std::span<const NamedValue> values);

/// The digits of all values but the empty ones, sorted by name, behind a letter: digits alone can
/// be a number to those who read tables ("1234e5678" is infinity).
[[nodiscard]] std::string stable_id(char letter, std::vector<NamedValue> values);

/// What a row's workload_id is made of, as docs/record.md lists it.
[[nodiscard]] std::vector<NamedValue> workload_values(const RunRecord& record);

/// The fields that workload_values() reads.
[[nodiscard]] std::vector<FieldName> workload_fields();

[[nodiscard]] std::string workload_id_of(const RunRecord& record);

/// The fields in which a row tells what its variant_id is made of: the axes as they were asked for,
/// and what the number format, the threads and the runtime that were asked for came to.
[[nodiscard]] std::vector<FieldName> variant_fields();

/// Those of them that a variant_id holds as they stand: an empty one says that there was none.
inline constexpr std::array kVariantTexts = {
    FieldName("cpu_share"), FieldName("share"), FieldName("openmp_config"),
    FieldName("instruction_config"), FieldName("cuda_config")};

/// What a row's variant_id is made of, by the names of docs/record.md. A value that nobody asked
/// for is left out, so an option that comes later changes no id of a row without it.
[[nodiscard]] std::vector<NamedValue> variant_values(const RunRecord& record);
[[nodiscard]] std::string variant_id_of(const RunRecord& record);
/// What a row's env_id is made of, as docs/record.md lists it.
[[nodiscard]] std::vector<NamedValue> environment_values(const RunRecord& record);

/// The fields that environment_values() reads.
inline constexpr std::array kEnvironmentFields = {
    FieldName("device_kind"), FieldName("device_name"), FieldName("driver_version"),
    FieldName("os"),          FieldName("kernel"),      FieldName("host"),
    FieldName("cpu"),         FieldName("core_count"),  FieldName("host_memory_bytes")};

[[nodiscard]] std::string env_id_of(const RunRecord& record);
/// Of digits that were made by id_digits(): in their own order, for a row that was shared without
/// its host must keep its place.
[[nodiscard]] std::string env_id_of_digits(const std::string& digits);
[[nodiscard]] std::string cell_id_of(const std::string& workload_id, const std::string& variant_id,
                                     const std::string& device);

/// So much of a run_id at least stands for all of it, where it begins no other.
inline constexpr std::size_t kShortestRunId = 4;

} // namespace sdbench
