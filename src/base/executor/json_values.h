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

/// Names of enumerators, as they are in messages. `tag` only chooses the overload.
std::string_view enum_name(DeviceKind value);
std::string_view enum_name(Dtype value);
std::string_view enum_name(Status value);
std::string_view enum_name(CellStage value);
std::string_view enum_name(TimestepSpacing value);
std::string_view enum_name(Task value);
std::string_view enum_name(WeightsLocation::Kind value);
std::string_view enum_name(DataLocation::Kind value);
std::optional<DeviceKind> enum_from_name(std::string_view name, DeviceKind tag);
std::optional<Dtype> enum_from_name(std::string_view name, Dtype tag);
std::optional<Status> enum_from_name(std::string_view name, Status tag);
std::optional<CellStage> enum_from_name(std::string_view name, CellStage tag);
std::optional<TimestepSpacing> enum_from_name(std::string_view name, TimestepSpacing tag);
std::optional<Task> enum_from_name(std::string_view name, Task tag);
std::optional<WeightsLocation::Kind> enum_from_name(std::string_view name,
                                                    WeightsLocation::Kind tag);
std::optional<DataLocation::Kind> enum_from_name(std::string_view name, DataLocation::Kind tag);

} // namespace sdbench::messages
