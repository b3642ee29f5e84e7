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
/// The digits are the same on every machine. They change with any name, any value and the order.
[[nodiscard]] std::string id_digits(std::span<const NamedValue> values);

/// A letter, followed by id_digits() of the non-empty values sorted by name. The letter keeps
/// spreadsheets from reading the digits as a number ("1234e5678" would be infinity).
[[nodiscard]] std::string stable_id(char letter, std::vector<NamedValue> values);

/// The values that are hashed into a row's workload_id, as listed in docs/record.md.
[[nodiscard]] std::vector<NamedValue> workload_values(const RunRecord& record);

/// The fields that workload_values() reads.
[[nodiscard]] std::vector<FieldName> workload_fields();

[[nodiscard]] std::string workload_id_of(const RunRecord& record);

/// The fields that tell how a row's work was done. The fields of engine axes hold the requested
/// value. The fields of number format, threads and runtime hold the value in effect.
[[nodiscard]] std::vector<FieldName> variant_fields();

/// The fields among variant_fields() whose text goes into a variant_id unchanged. An empty text
/// means that the option was not used.
inline constexpr std::array kVariantTexts = {
    FieldName("cpu_share"), FieldName("share"), FieldName("openmp_config"),
    FieldName("instruction_config"), FieldName("cuda_config")};

/// The values that are hashed into a row's variant_id, under the names in docs/record.md. An
/// option is left out if its value means what sdbench did before the option existed. So a new
/// option does not change the ids of rows that do not use it.
[[nodiscard]] std::vector<NamedValue> variant_values(const RunRecord& record);
[[nodiscard]] std::string variant_id_of(const RunRecord& record);
/// The values that are hashed into a row's env_id, as listed in docs/record.md.
[[nodiscard]] std::vector<NamedValue> environment_values(const RunRecord& record);

/// The fields that environment_values() reads.
inline constexpr std::array kEnvironmentFields = {
    FieldName("device_kind"), FieldName("device_name"), FieldName("driver_version"),
    FieldName("os"),          FieldName("kernel"),      FieldName("host"),
    FieldName("cpu"),         FieldName("core_count"),  FieldName("host_memory_bytes")};

/// Those among kEnvironmentFields that describe the machine around a card.
inline constexpr std::array kMachineFields = {
    FieldName("os"),  FieldName("kernel"),     FieldName("host"),
    FieldName("cpu"), FieldName("core_count"), FieldName("host_memory_bytes")};

[[nodiscard]] std::string env_id_of(const RunRecord& record);
/// Forms an env_id from digits: those of id_digits(), or made-up digits for a row that is shared
/// without its host name.
[[nodiscard]] std::string env_id_of_digits(const std::string& digits);
[[nodiscard]] std::string cell_id_of(const std::string& workload_id, const std::string& variant_id,
                                     const std::string& device);

/// Minimum length of an abbreviated run_id. An abbreviation must be the beginning of only one
/// run_id.
inline constexpr std::size_t kShortestRunId = 4;

} // namespace sdbench
