#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "json_values.h"

namespace sdbench::messages {

/// The two archives of message_fields.h. A struct lists its members once, in `fields(archive,
/// value)`. JsonWriter and JsonReader use that list, so that writing and reading cannot diverge.
template <typename T>
Json to_json_value(const T& value);
template <typename T>
void from_json_value(const Json& json, const std::string& where, T& value);

class JsonWriter {
public:
  template <typename T>
  void operator()(std::string_view key, const T& value) {
    object_[std::string(key)] = to_json_value(value);
  }
  template <typename T>
  void if_given(std::string_view key, const T& value) {
    (*this)(key, value);
  }
  /// Checks nothing: values to be written are valid.
  void require(std::string_view /*key*/, bool /*is_so*/, const char* /*must_be*/) const {}
  [[nodiscard]] Json take() { return std::move(object_); }

private:
  Json object_ = Json::object();
};

class JsonReader {
public:
  JsonReader(const Json& object, std::string where) : object_(object), where_(std::move(where)) {
    if (!object.is_object()) {
      refuse_field(where_, "an object", object);
    }
  }
  template <typename T>
  void operator()(std::string_view key, T& value) const {
    if (!read(key, value)) {
      refuse_field(place_of(key), "given", "missing");
    }
  }
  /// Refuses the value of a key if `is_so` is false.
  void require(std::string_view key, bool is_so, const char* must_be) const {
    if (!is_so) {
      refuse_field(place_of(key), must_be, object_.at(std::string(key)));
    }
  }
  /// Reads the key if it is present, else leaves `value` as it is.
  template <typename T>
  void if_given(std::string_view key, T& value) const {
    read(key, value);
  }

private:
  [[nodiscard]] std::string place_of(std::string_view key) const {
    return (where_.empty() ? "" : where_ + ".") + std::string(key);
  }
  template <typename T>
  bool read(std::string_view key, T& value) const {
    const auto found = object_.find(std::string(key));
    if (found == object_.end()) {
      return false;
    }
    from_json_value(*found, place_of(key), value);
    return true;
  }

  const Json& object_;
  std::string where_;
};

template <typename T>
struct IsOptional : std::false_type {};
template <typename T>
struct IsOptional<std::optional<T>> : std::true_type {};
template <typename T>
struct IsVector : std::false_type {};
template <typename T>
struct IsVector<std::vector<T>> : std::true_type {};

template <typename T>
Json to_json_value(const T& value) {
  if constexpr (IsOptional<T>::value) {
    return value ? to_json_value(*value) : Json(nullptr);
  } else if constexpr (IsVector<T>::value) {
    Json array = Json::array();
    for (const auto& element : value) {
      array.push_back(to_json_value(element));
    }
    return array;
  } else if constexpr (std::is_same_v<T, std::string>) {
    return text_to_json(value);
  } else if constexpr (std::is_same_v<T, std::filesystem::path>) {
    return text_to_json(value.string());
  } else if constexpr (std::is_same_v<T, double>) {
    return double_to_json(value);
  } else if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, Json>) {
    return value;
  } else if constexpr (std::is_enum_v<T>) {
    return std::string(name_of(value));
  } else {
    JsonWriter writer;
    fields(writer, value);
    return writer.take();
  }
}

template <typename T>
void from_json_value(const Json& json, const std::string& where, T& value) {
  if constexpr (IsOptional<T>::value) {
    value.reset();
    if (!json.is_null()) {
      typename T::value_type present{};
      from_json_value(json, where, present);
      value = std::move(present);
    }
  } else if constexpr (IsVector<T>::value) {
    if (!json.is_array()) {
      refuse_field(where, "a list", json);
    }
    value.resize(json.size());
    for (std::size_t i = 0; i < json.size(); ++i) {
      from_json_value(json[i], where + "[" + std::to_string(i) + "]", value[i]);
    }
  } else if constexpr (std::is_same_v<T, std::string> || std::is_same_v<T, std::filesystem::path>) {
    value = text_from_json(json, where);
  } else if constexpr (std::is_same_v<T, double>) {
    value = double_from_json(json, where);
  } else if constexpr (std::is_same_v<T, bool>) {
    value = bool_from_json(json, where);
  } else if constexpr (std::is_same_v<T, std::uint64_t>) {
    value = unsigned_from_json(json, where);
  } else if constexpr (std::is_integral_v<T>) {
    const std::int64_t number = int_from_json(json, where);
    value = static_cast<T>(number);
    if (value != number) {
      refuse_field(where, "a number of its type's size", json);
    }
  } else if constexpr (std::is_same_v<T, Json>) {
    value = json;
  } else if constexpr (std::is_enum_v<T>) {
    const auto found =
        json.is_string() ? kFindEnum<T>(json.get<std::string>()) : std::optional<T>();
    if (!found) {
      refuse_field(where, "a known name", json);
    }
    value = *found;
  } else {
    JsonReader reader(json, where);
    fields(reader, value);
  }
}

} // namespace sdbench::messages
