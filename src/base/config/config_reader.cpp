#include "config_reader.h"

#include <algorithm>
#include <utility>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/errors/suggestion.h"
#include "sdbench/base/text/listed.h"

namespace sdbench {
namespace {

constexpr std::size_t kMaxShown = 80;

bool is_a_text(const Json& value) {
  return value.is_string();
}

std::string dump(const Json& value) {
  std::string text = json_text(value);
  if (text.size() > kMaxShown) {
    std::size_t cut = kMaxShown;
    while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xC0u) == 0x80u) {
      --cut; // not inside a UTF-8 sequence
    }
    text.resize(cut);
    text += "…";
  }
  return text;
}

template <typename Number>
std::string describe(const Bounds<Number>& bounds) {
  return "from " + dump(Json(bounds.least)) + " to " + dump(Json(bounds.most));
}

std::optional<std::int64_t> as_integer(const Json& value, IntegerBounds bounds) {
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (!value.is_number_integer() ||
      (value.is_number_unsigned() && value.get<std::uint64_t>() > kMost)) {
    return std::nullopt;
  }
  const auto number = value.get<std::int64_t>();
  if (number < bounds.least || number > bounds.most) {
    return std::nullopt;
  }
  return number;
}

} // namespace

void refuse_unknown_keys(const Json& object, const std::vector<std::string>& known,
                         const std::string& where, const std::string& of) {
  for (const auto& [key, value] : object.items()) {
    if (std::ranges::find(known, key) == known.end()) {
      throw Error(where + ": unknown key " + describe_json(key) + of + "; did you mean \"" +
                  nearest_first(key, known).front() + "\"?");
    }
  }
}

std::string describe_json(const Json& value) {
  if (value.is_object()) {
    return "an object";
  }
  if (value.is_array() && std::any_of(value.begin(), value.end(),
                                      [](const Json& item) { return item.is_structured(); })) {
    return "a nested list";
  }
  if (value.is_array() && value.size() > 16) {
    return "a list of " + std::to_string(value.size());
  }
  return dump(value);
}

ConfigReader::ConfigReader(const Json& object, std::string where)
    : object_(object), where_(std::move(where)) {
  if (!object.is_object()) {
    throw Error(where_ + " must be an object, but is " + describe_json(object));
  }
}

bool ConfigReader::has(std::string_view key) const {
  return find(key) != nullptr;
}

const Json* ConfigReader::find(std::string_view key) const {
  const auto found = object_.find(std::string(key));
  return found == object_.end() ? nullptr : &*found;
}

void ConfigReader::refuse(std::string_view key, const std::string& what_must_be) const {
  const Json* value = find(key);
  throw Error(where_ + ": " + std::string(key) + " must be " + what_must_be + ", but is " +
              (value == nullptr ? "absent" : describe_json(*value)));
}

/// The value, which `fits` must accept; the fallback if it is absent.
template <typename Value, typename Fits>
Value ConfigReader::checked(std::string_view key, const Value& fallback, const Fits& fits,
                            const std::string& what_must_be) const {
  const Json* value = find(key);
  if (value != nullptr && !fits(*value)) {
    refuse(key, what_must_be);
  }
  return value == nullptr ? fallback : value->get<Value>();
}

std::int64_t ConfigReader::integer(std::string_view key, std::int64_t fallback,
                                   IntegerBounds bounds) const {
  return checked(
      key, fallback, [&](const Json& value) { return as_integer(value, bounds).has_value(); },
      "an integer " + describe(bounds));
}

std::optional<std::int64_t> ConfigReader::optional_integer(std::string_view key,
                                                           IntegerBounds bounds) const {
  const Json* value = find(key);
  if (value == nullptr || value->is_null()) {
    return std::nullopt;
  }
  return integer(key, 0, bounds);
}

double ConfigReader::number(std::string_view key, double fallback, NumberBounds bounds) const {
  const auto fits = [&](const Json& value) { // NaN does not fit
    return value.is_number() && value.get<double>() >= bounds.least &&
           value.get<double>() <= bounds.most;
  };
  return checked(key, fallback, fits, "a number " + describe(bounds));
}

bool ConfigReader::boolean(std::string_view key, bool fallback) const {
  return checked(
      key, fallback, [](const Json& value) { return value.is_boolean(); }, "true or false");
}

bool ConfigReader::truth(std::string_view key, bool fallback) const {
  const Json* value = find(key);
  return (value == nullptr || !value->is_null()) && boolean(key, fallback);
}

std::string ConfigReader::text(std::string_view key, const std::string& fallback) const {
  return checked(key, fallback, is_a_text, "text");
}

std::vector<std::string> ConfigReader::texts(std::string_view key,
                                             const std::vector<std::string>& fallback) const {
  return checked(
      key, fallback,
      [](const Json& value) { return value.is_array() && std::ranges::all_of(value, is_a_text); },
      "a list of texts");
}

std::vector<std::int64_t> ConfigReader::integers(std::string_view key,
                                                 const std::vector<std::int64_t>& fallback,
                                                 IntegerBounds bounds) const {
  const auto is_integer = [&](const Json& item) { return as_integer(item, bounds).has_value(); };
  return checked(
      key, fallback,
      [&](const Json& value) { return value.is_array() && std::ranges::all_of(value, is_integer); },
      "a list of integers " + describe(bounds));
}

std::vector<std::int64_t> ConfigReader::integer_per_block(std::string_view key,
                                                          std::int64_t fallback, std::size_t count,
                                                          IntegerBounds bounds) const {
  const Json* value = find(key);
  if (value == nullptr || !value->is_array()) {
    return std::vector<std::int64_t>(count, integer(key, fallback, bounds));
  }
  std::vector<std::int64_t> numbers = integers(key, {}, bounds);
  if (numbers.size() != count) {
    refuse(key, "one integer or a list of " + std::to_string(count) + ", one for each block");
  }
  return numbers;
}

void ConfigReader::only(std::string_view key, std::initializer_list<Json> values) const {
  const Json* value = find(key);
  if (value == nullptr || std::find(values.begin(), values.end(), *value) != values.end()) {
    return;
  }
  refuse(key, joined(mapped(values, describe_json), " or ") + " (nothing else is implemented)");
}

} // namespace sdbench
