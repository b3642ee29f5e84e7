#include "json_values.h"

#include <cmath>
#include <limits>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/text/escape.h"
#include "sdbench/base/text/named.h"
#include "sdbench/base/text/utf8.h"

namespace sdbench::messages {
namespace {

std::string from_hex(const std::string& hex, const std::string& where, const Json& json) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    const std::optional<char> byte = byte_of_hex(std::string_view(hex).substr(i, 2));
    if (!byte) {
      refuse_field(where, "hex digits", json);
    }
    bytes += *byte;
  }
  if (hex.size() % 2 != 0) {
    refuse_field(where, "an even number of hex digits", json);
  }
  return bytes;
}

constexpr Named<WeightsLocation::Kind> kWeightKinds[] = {
    {WeightsLocation::Kind::kFolder, "folder"},
    {WeightsLocation::Kind::kSingleFile, "single_file"},
    {WeightsLocation::Kind::kSynthetic, "synthetic"}};

constexpr Named<DataLocation::Kind> kDataKinds[] = {{DataLocation::Kind::kCifar10, "cifar10"},
                                                    {DataLocation::Kind::kSynthetic, "synthetic"}};

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
  return first_invalid_utf8(text) ? Json{{"hex", hex_text(text)}} : Json(text);
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

std::string_view name_of(WeightsLocation::Kind kind) {
  return name_in(kWeightKinds, kind);
}

std::string_view name_of(DataLocation::Kind kind) {
  return name_in(kDataKinds, kind);
}

std::optional<WeightsLocation::Kind> weights_kind_named(std::string_view name) {
  return value_named(kWeightKinds, name);
}

std::optional<DataLocation::Kind> data_kind_named(std::string_view name) {
  return value_named(kDataKinds, name);
}

} // namespace sdbench::messages
