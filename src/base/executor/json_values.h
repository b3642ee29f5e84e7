#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sdbench/base/config/model_config.h"
#include "sdbench/base/dataset/locate_data.h"
#include "sdbench/base/device/device_kind_table.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/base/types/cell_stage.h"
#include "sdbench/base/types/dtype.h"
#include "sdbench/base/types/status.h"
#include "sdbench/base/types/task_table.h"
#include "sdbench/base/weights/locate.h"

namespace sdbench::messages {

/// Throws the Error for an invalid field of a message. `where` is the field's path, such as
/// "outcome.result.samples[2]".
[[noreturn]] void refuse_field(const std::string& where, const std::string& must_be,
                               const Json& json);

/// Text as a JSON string, or as {"hex": "…"} if it is not UTF-8: a prompt or a file name may have
/// any bytes.
Json text_to_json(const std::string& text);
std::string text_from_json(const Json& json, const std::string& where);

/// A JSON number, or "nan", "inf" or "-inf", for which JSON has no numbers.
Json double_to_json(double value);
double double_from_json(const Json& json, const std::string& where);

std::int64_t int_from_json(const Json& json, const std::string& where);
std::uint64_t unsigned_from_json(const Json& json, const std::string& where);
bool bool_from_json(const Json& json, const std::string& where);

std::string_view name_of(WeightsLocation::Kind kind);
std::string_view name_of(DataLocation::Kind kind);
std::optional<WeightsLocation::Kind> weights_kind_named(std::string_view name);
std::optional<DataLocation::Kind> data_kind_named(std::string_view name);

/// The function that finds an enumerator by the name that it has in messages.
template <typename Enum>
inline constexpr auto kFindEnum = nullptr;
template <>
inline constexpr auto kFindEnum<DeviceKind> = device_kind_named;
template <>
inline constexpr auto kFindEnum<Dtype> = compute_dtype_from_name;
template <>
inline constexpr auto kFindEnum<Status> = status_from_name;
template <>
inline constexpr auto kFindEnum<CellStage> = cell_stage_named;
template <>
inline constexpr auto kFindEnum<TimestepSpacing> = timestep_spacing_from_name;
template <>
inline constexpr auto kFindEnum<Task> = task_named;
template <>
inline constexpr auto kFindEnum<WeightsLocation::Kind> = weights_kind_named;
template <>
inline constexpr auto kFindEnum<DataLocation::Kind> = data_kind_named;

} // namespace sdbench::messages
