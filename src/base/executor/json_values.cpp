#include "json_values.h"

#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "sdbench/base/errors/error.h"

namespace sdbench::messages {
namespace {

constexpr char kHexDigits[] = "0123456789abcdef";

bool is_utf8(const std::string& text) {
  try {
    static_cast<void>(Json(text).dump());
    return true;
  } catch (const Json::exception&) {
    return false;
  }
}

std::string to_hex(const std::string& bytes) {
  std::string hex;
  for (const char byte : bytes) {
    const auto value = static_cast<unsigned char>(byte);
    hex += kHexDigits[value >> 4];
    hex += kHexDigits[value & 15];
  }
  return hex;
}

std::string from_hex(const std::string& hex, const std::string& where, const Json& json) {
  const std::string_view digits(kHexDigits);
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    const std::size_t high = digits.find(hex[i]);
    const std::size_t low = digits.find(hex[i + 1]);
    if (high >= 16 || low >= 16) {
      refuse_field(where, "hex digits", json);
    }
    bytes += static_cast<char>(high * 16 + low);
  }
  if (hex.size() % 2 != 0) {
    refuse_field(where, "an even number of hex digits", json);
  }
  return bytes;
}

template <typename Enum, std::size_t N>
using EnumNames = std::array<std::pair<Enum, std::string_view>, N>;

constexpr EnumNames<TimestepSpacing, 3> kSpacings{{{TimestepSpacing::kLeading, "leading"},
                                                   {TimestepSpacing::kLinspace, "linspace"},
                                                   {TimestepSpacing::kTrailing, "trailing"}}};
constexpr EnumNames<WeightsLocation::Kind, 3> kWeightKinds{
    {{WeightsLocation::Kind::kFolder, "folder"},
     {WeightsLocation::Kind::kSingleFile, "single_file"},
     {WeightsLocation::Kind::kSynthetic, "synthetic"}}};

constexpr EnumNames<DataLocation::Kind, 2> kDataKinds{
    {{DataLocation::Kind::kCifar10, "cifar10"}, {DataLocation::Kind::kSynthetic, "synthetic"}}};

template <typename Enum, std::size_t N>
std::string_view find_name(const EnumNames<Enum, N>& names, Enum value) {
  for (const auto& [known, name] : names) {
    if (known == value) {
      return name;
    }
  }
  return {}; // not reached: every enumerator has a name (test_messages.cpp)
}

template <typename Enum, std::size_t N>
std::optional<Enum> find_value(const EnumNames<Enum, N>& names, std::string_view wanted) {
  for (const auto& [value, name] : names) {
    if (name == wanted) {
      return value;
    }
  }
  return std::nullopt;
}

} // namespace

void refuse_field(const std::string& where, const std::string& must_be, const Json& json) {
  constexpr std::size_t kShown = 60;
  std::string shown = json.dump(-1, ' ', true, Json::error_handler_t::replace);
  if (shown.size() > kShown) {
    shown = shown.substr(0, kShown) + "…";
  }
  throw Error("protocol: " + where + " must be " + must_be + ", but is " + shown);
}

Json text_to_json(const std::string& text) {
  return is_utf8(text) ? Json(text) : Json{{"hex", to_hex(text)}};
}

std::string text_from_json(const Json& json, const std::string& where) {
  if (json.is_string()) {
    return json.get<std::string>();
  }
  if (json.is_object() && json.size() == 1 && json.contains("hex") && json["hex"].is_string()) {
    return from_hex(json["hex"].get<std::string>(), where, json);
  }
  refuse_field(where, "text", json);
}

Json double_to_json(double value) {
  if (std::isnan(value)) {
    return "nan";
  }
  if (std::isinf(value)) {
    return value > 0 ? "inf" : "-inf";
  }
  return value;
}

double double_from_json(const Json& json, const std::string& where) {
  if (json.is_number()) {
    return json.get<double>();
  }
  if (json == "nan") {
    return std::numeric_limits<double>::quiet_NaN();
  }
  if (json == "inf" || json == "-inf") {
    const double infinity = std::numeric_limits<double>::infinity();
    return json == "inf" ? infinity : -infinity;
  }
  refuse_field(where, "a number", json);
}

std::int64_t int_from_json(const Json& json, const std::string& where) {
  constexpr auto kMax = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (!json.is_number_integer() ||
      (json.is_number_unsigned() && json.get<std::uint64_t>() > kMax)) {
    refuse_field(where, "a whole number of 64 bits", json);
  }
  return json.get<std::int64_t>();
}

std::uint64_t unsigned_from_json(const Json& json, const std::string& where) {
  if (!json.is_number_unsigned()) {
    refuse_field(where, "a whole number from 0", json);
  }
  return json.get<std::uint64_t>();
}

bool bool_from_json(const Json& json, const std::string& where) {
  if (!json.is_boolean()) {
    refuse_field(where, "true or false", json);
  }
  return json.get<bool>();
}

std::string_view enum_name(DeviceKind value) {
  return name_of(value);
}
std::string_view enum_name(Dtype value) {
  return name_of(value);
}
std::string_view enum_name(Status value) {
  return name_of(value);
}
std::string_view enum_name(CellStage value) {
  return name_of(value);
}
std::string_view enum_name(Task value) {
  return name_of(value);
}
std::string_view enum_name(TimestepSpacing value) {
  return find_name(kSpacings, value);
}
std::string_view enum_name(WeightsLocation::Kind value) {
  return find_name(kWeightKinds, value);
}
std::string_view enum_name(DataLocation::Kind value) {
  return find_name(kDataKinds, value);
}

std::optional<DeviceKind> enum_from_name(std::string_view name, DeviceKind) {
  return device_kind_named(name);
}
std::optional<Dtype> enum_from_name(std::string_view name, Dtype) {
  return compute_dtype_from_name(name);
}
std::optional<Status> enum_from_name(std::string_view name, Status) {
  return status_from_name(name);
}
std::optional<CellStage> enum_from_name(std::string_view name, CellStage) {
  return cell_stage_named(name);
}
std::optional<Task> enum_from_name(std::string_view name, Task) {
  return task_named(name);
}
std::optional<TimestepSpacing> enum_from_name(std::string_view name, TimestepSpacing) {
  return find_value(kSpacings, name);
}
std::optional<WeightsLocation::Kind> enum_from_name(std::string_view name, WeightsLocation::Kind) {
  return find_value(kWeightKinds, name);
}
std::optional<DataLocation::Kind> enum_from_name(std::string_view name, DataLocation::Kind) {
  return find_value(kDataKinds, name);
}

} // namespace sdbench::messages
