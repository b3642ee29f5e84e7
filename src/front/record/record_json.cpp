#include "sdbench/front/record/record_json.h"

#include <cmath>
#include <cstdint>
#include <exception>
#include <iterator>
#include <limits>
#include <optional>
#include <type_traits>
#include <variant>
#include <vector>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/executor/executor.h"
#include "sdbench/base/executor/run_sample.h"
#include "sdbench/base/text/escape.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/front/record/field_access.h"
#include "sdbench/front/record/record_field.h"

namespace sdbench {
namespace {

using OrderedJson = nlohmann::ordered_json;

template <typename T>
OrderedJson value_json(const T& value) {
  if constexpr (std::is_same_v<T, std::string>) {
    return escape_text(value);
  } else if constexpr (std::is_same_v<T, double>) {
    return std::isfinite(value) ? OrderedJson(value) : OrderedJson();
  } else {
    return value;
  }
}

template <typename T>
OrderedJson value_json(const std::optional<T>& value) {
  return value ? value_json(*value) : OrderedJson();
}

void read_value(const OrderedJson& json, std::string& value) {
  value = unescape_text(json.get<std::string>());
}

template <typename T>
void read_value(const OrderedJson& json, T& value) {
  // nlohmann converts between all kinds of number, and from true to 1. But a fraction in a count,
  // or a count that does not fit, means that the file is broken.
  bool fits = json.is_number();
  if constexpr (std::is_unsigned_v<T>) {
    fits = json.is_number_unsigned();
  } else if constexpr (std::is_integral_v<T>) {
    fits = json.is_number_integer() &&
           (!json.is_number_unsigned() || json.get<std::uint64_t>() <= INT64_MAX);
  }
  if (!fits) {
    throw Error("another kind of number was expected");
  }
  value = json.get<T>();
}

template <typename T>
void read_value(const OrderedJson& json, std::optional<T>& value) {
  value.reset();
  if (!json.is_null()) {
    read_value(json, value.emplace());
  }
}

OrderedJson sample_json(const RunSample& sample) {
  OrderedJson json = OrderedJson::object();
  for (const PartTime& part : sample.parts) {
    json[member_of_part(part.name)] = part.seconds;
  }
  json["e2e_s"] = sample.e2e_s;
  json["step_s"] = sample.step_s;
  json["start_s"] = sample.start_s;
  return json;
}

/// The seconds; NaN for null, because JSON has no NaN.
double seconds_from_json(const OrderedJson& json) {
  return json.is_null() ? std::numeric_limits<double>::quiet_NaN() : json.get<double>();
}

std::vector<double> steps_from_json(const OrderedJson& json) {
  return mapped(json.get_ref<const OrderedJson::array_t&>(), seconds_from_json);
}

RunSample sample_from_json(const OrderedJson& json) {
  RunSample sample;
  sample.e2e_s = seconds_from_json(json.at("e2e_s"));
  sample.step_s = steps_from_json(json.at("step_s"));
  if (const auto start = json.find("start_s");
      start != json.end()) { // another program's row may lack it
    sample.start_s = seconds_from_json(*start);
  }
  for (const auto& [member, value] : json.items()) {
    if (const auto part = part_of_member(member)) {
      sample.parts.push_back({std::string(*part), seconds_from_json(value)});
    }
  }
  return sample;
}

OrderedJson partial_json(const PartialRun& partial) {
  return {{"stage", partial.stage}, {"step_s", partial.step_s}};
}

/// The beginning of the value as text, for errors.
std::string shown(const OrderedJson& json) {
  constexpr std::size_t kLongest = 160;
  return json.dump(-1, ' ', true, OrderedJson::error_handler_t::replace).substr(0, kLongest);
}

/// Reads a member that holds run times with `read`, if it is there.
template <typename Read>
void read_times(const OrderedJson& json, const char* name, Read read) {
  const auto found = json.find(name);
  if (found == json.end() || found->is_null()) {
    return;
  }
  try {
    read(*found);
  } catch (const nlohmann::json::exception&) {
    throw FieldError(name, "must hold run times, but is " + shown(*found));
  }
}

void read_raw_times(const OrderedJson& json, RunRecord& record) {
  read_times(json, "first_image",
             [&](const OrderedJson& first) { record.first_image = sample_from_json(first); });
  read_times(json, "samples", [&](const OrderedJson& samples) {
    record.samples = mapped(samples.get_ref<const OrderedJson::array_t&>(), sample_from_json);
  });
  read_times(json, "partial_run", [&](const OrderedJson& partial) {
    record.partial_run =
        PartialRun{partial.at("stage").get<std::string>(), steps_from_json(partial.at("step_s"))};
  });
}

} // namespace

OrderedJson to_json(const RunRecord& record) {
  OrderedJson json;
  for (const RecordField& field : record_fields()) {
    json[std::string(field.name)] =
        std::visit([&](auto member) { return value_json(record.*member); }, field.member);
  }
  json["first_image"] = record.first_image ? sample_json(*record.first_image) : OrderedJson();
  json["samples"] = mapped(record.samples, sample_json);
  json["partial_run"] = record.partial_run ? partial_json(*record.partial_run) : OrderedJson();
  return json;
}

std::string to_json_line(const RunRecord& record) {
  return to_json(record).dump() + "\n";
}

std::string to_json_document(std::span<const RunRecord> records) {
  const OrderedJson document =
      mapped(records, [](const RunRecord& record) { return to_json(record); });
  return document.dump(2) + "\n";
}

RunRecord record_from_json(const OrderedJson& json) {
  if (!json.is_object()) {
    throw Error("a record must be a JSON object, but is of type " + std::string(json.type_name()));
  }
  if (const auto version = json.find("schema_version");
      version != json.end() && version->is_number_integer()) {
    check_schema_version(version->get<std::int64_t>()); // first: other versions have other types
  }
  RunRecord record;
  auto next = json.begin();
  for (const RecordField& field : record_fields()) {
    // Members are mostly in order, and a look-up would scan all of them.
    const bool in_order = next != json.end() && next.key() == field.name;
    const auto found = in_order ? next : json.find(std::string(field.name));
    if (found == json.end()) {
      continue;
    }
    next = std::next(found);
    try {
      std::visit([&](auto member) { read_value(*found, record.*member); }, field.member);
    } catch (const std::exception&) {
      throw FieldError(field.name, "must be of type " + std::string(type_name(field)) +
                                       ", but is " + shown(*found));
    }
  }
  read_raw_times(json, record);
  return record;
}

} // namespace sdbench
