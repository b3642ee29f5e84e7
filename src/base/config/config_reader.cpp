#include "config_reader.h"

#include <algorithm>
#include <utility>

#include "sdbench/base/errors/error.h"

namespace sdbench {
namespace {

constexpr std::size_t kMaxShown = 80;

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

std::int64_t ConfigReader::integer(std::string_view key, std::int64_t fallback,
                                   IntegerBounds bounds) const {
  const Json* value = find(key);
  if (value == nullptr) {
    return fallback;
  }
  const auto number = as_integer(*value, bounds);
  if (!number) {
    refuse(key, "an integer " + describe(bounds));
  }
  return *number;
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
  const Json* value = find(key);
  if (value == nullptr) {
    return fallback;
  }
  const double number = value->is_number() ? value->get<double>() : bounds.least;
  if (!value->is_number() || !(number >= bounds.least && number <= bounds.most)) { // NaN, too
    refuse(key, "a number " + describe(bounds));
  }
  return number;
}

bool ConfigReader::boolean(std::string_view key, bool fallback) const {
  const Json* value = find(key);
  if (value == nullptr) {
    return fallback;
  }
  if (!value->is_boolean()) {
    refuse(key, "true or false");
  }
  return value->get<bool>();
}

bool ConfigReader::truth(std::string_view key, bool fallback) const {
  const Json* value = find(key);
  return (value == nullptr || !value->is_null()) && boolean(key, fallback);
}

std::string ConfigReader::text(std::string_view key, const std::string& fallback) const {
  const Json* value = find(key);
  if (value == nullptr) {
    return fallback;
  }
  if (!value->is_string()) {
    refuse(key, "text");
  }
  return value->get<std::string>();
}

std::vector<std::string> ConfigReader::texts(std::string_view key,
                                             const std::vector<std::string>& fallback) const {
  const Json* value = find(key);
  if (value == nullptr) {
    return fallback;
  }
  if (!value->is_array() || !std::all_of(value->begin(), value->end(),
                                         [](const Json& item) { return item.is_string(); })) {
    refuse(key, "a list of texts");
  }
  return value->get<std::vector<std::string>>();
}

std::vector<std::int64_t> ConfigReader::integers(std::string_view key,
                                                 const std::vector<std::int64_t>& fallback,
                                                 IntegerBounds bounds) const {
  const Json* value = find(key);
  if (value == nullptr) {
    return fallback;
  }
  std::vector<std::int64_t> numbers;
  if (value->is_array()) {
    for (const Json& item : *value) {
      const auto number = as_integer(item, bounds);
      if (!number) {
        break;
      }
      numbers.push_back(*number);
    }
  }
  if (!value->is_array() || numbers.size() != value->size()) {
    refuse(key, "a list of integers " + describe(bounds));
  }
  return numbers;
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
  std::string choices;
  for (const Json& choice : values) {
    choices += (choices.empty() ? "" : " or ") + describe_json(choice);
  }
  refuse(key, choices + " (nothing else is implemented)");
}

} // namespace sdbench
