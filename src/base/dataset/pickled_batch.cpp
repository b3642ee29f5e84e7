#include "sdbench/base/dataset/pickled_batch.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "pickle_machine.h"
#include "pickle_text.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/text/listed.h"

namespace sdbench {
namespace {

using ValueKind = PickledValue::Kind;

/// The value of a key (the last one, like in Python); nullopt if the dict lacks the key.
std::optional<PickledValue> value_of(const PickledValue& dict, std::string_view key) {
  const std::vector<PickledValue>& items = *dict.items;
  for (std::size_t i = items.size(); i >= 2; i -= 2) {
    if (items[i - 2].kind == ValueKind::kText && items[i - 2].text == key) {
      return items[i - 1];
    }
  }
  return std::nullopt;
}

bool are_whole_numbers(const std::vector<PickledValue>& items) {
  return std::ranges::all_of(
      items, [](const PickledValue& item) { return item.kind == ValueKind::kInteger; });
}

std::vector<std::int64_t> whole_numbers(const std::vector<PickledValue>& items) {
  return mapped(items, &PickledValue::integer);
}

/// An array whose state has been set.
struct Array {
  std::vector<std::int64_t> shape;
  PickledValue dtype;
  PickledValue content; ///< the bytes, as text, or a list of objects
  bool is_by_columns = false;
};

/// nullopt for any other value.
std::optional<Array> array_in(const PickledValue& value) {
  if (value.kind != ValueKind::kArray || value.items->size() != 4) {
    return std::nullopt;
  }
  const PickledValue& shape = (*value.items)[0];
  const PickledValue& dtype = (*value.items)[1];
  if (shape.kind != ValueKind::kTuple || !are_whole_numbers(*shape.items) ||
      dtype.kind != ValueKind::kDtype) {
    return std::nullopt;
  }
  return Array{whole_numbers(*shape.items), dtype, (*value.items)[2],
               (*value.items)[3].integer != 0};
}

/// numpy's name of a dtype, given its code: "float64" for "f8".
std::string dtype_name(std::string_view code) {
  struct Letter {
    char letter;
    std::string_view name;
  };
  constexpr std::array kLetters{Letter{'i', "int"}, Letter{'u', "uint"}, Letter{'f', "float"},
                                Letter{'c', "complex"}};
  constexpr std::int64_t kBitsOfByte = 8;
  constexpr std::int64_t kLargest = 32; // bytes, of complex256
  for (const Letter& row : kLetters) {
    if (const auto size =
            code.starts_with(row.letter) ? parse_integer(code.substr(1)) : std::nullopt;
        size && *size > 0 && *size <= kLargest) {
      return std::string(row.name) + std::to_string(*size * kBitsOfByte);
    }
  }
  return code.starts_with('b') ? "bool" : code.starts_with('O') ? "objects" : "another dtype";
}

std::string array_words(const Array& array) {
  const auto sizes = mapped(array.shape, [](std::int64_t size) { return std::to_string(size); });
  return "an array of " + dtype_name(array.dtype.text) + " of shape [" + joined(sizes, ", ") + "]";
}

bool is_list(const PickledValue& value) {
  return value.kind == ValueKind::kList || value.kind == ValueKind::kTuple;
}

/// Does not describe what nested lists contain, because they may contain each other.
std::string entry_words(const PickledValue& value) {
  switch (value.kind) {
  case ValueKind::kNone:
    return "None";
  case ValueKind::kBool:
    return "True or False";
  case ValueKind::kInteger:
    return "a number";
  case ValueKind::kText:
    return "text";
  case ValueKind::kList:
  case ValueKind::kTuple:
    return "a list";
  case ValueKind::kDict:
    return "a dict";
  case ValueKind::kArray:
    if (const auto array = array_in(value)) {
      return array_words(*array);
    }
    return "an array without content";
  case ValueKind::kOther:
    return std::string(value.text);
  default:
    return "another value";
  }
}

std::string value_words(const PickledValue& value) {
  if (!is_list(value)) {
    return entry_words(value);
  }
  const std::vector<PickledValue>& items = *value.items;
  const auto other = std::ranges::find_if(
      items, [](const PickledValue& item) { return item.kind != ValueKind::kInteger; });
  if (other == items.end()) {
    return items.empty() ? "an empty list" : "a list of whole numbers";
  }
  return "a list with " + entry_words(*other) + " in it";
}

/// Describes a value found in place of the expected one.
std::string found_words(const std::optional<PickledValue>& value) {
  return "has " + (value ? value_words(*value) : "none") + "; take the archive's own file";
}

/// The numbers of a list, a tuple or an integer array, [N] or [N, 1]; nullopt for any other value.
std::optional<std::vector<std::int64_t>> labels_of(const PickledValue& value) {
  if (is_list(value)) {
    return are_whole_numbers(*value.items) ? std::optional(whole_numbers(*value.items))
                                           : std::nullopt;
  }
  const auto array = array_in(value);
  const std::size_t size = array ? integer_size(array->dtype.text) : 0;
  if (size == 0 || array->content.kind != ValueKind::kText) {
    return std::nullopt;
  }
  const std::vector<std::int64_t>& sizes = array->shape;
  const std::string_view bytes = array->content.text;
  const bool is_column = sizes.size() == 1 || (sizes.size() == 2 && sizes[1] == 1);
  const std::size_t count = bytes.size() / size;
  if (!is_column || bytes.size() % size != 0 || sizes[0] != static_cast<std::int64_t>(count)) {
    return std::nullopt;
  }
  std::vector<std::int64_t> labels;
  labels.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    labels.push_back(
        integer_in(bytes.substr(i * size, size), array->dtype.text, is_big_endian(array->dtype))
            .value());
  }
  return labels;
}

/// An array of uint8, [rows, kBatchImageBytes]; nullopt for any other value.
std::optional<Array> pixels_of(const PickledValue& value, std::size_t rows) {
  auto array = array_in(value);
  const std::vector<std::int64_t> wanted{static_cast<std::int64_t>(rows),
                                         static_cast<std::int64_t>(kBatchImageBytes)};
  const bool fits = array && array->shape == wanted && array->dtype.text == "u1" &&
                    array->content.kind == ValueKind::kText &&
                    array->content.text.size() == rows * kBatchImageBytes;
  return fits ? std::move(array) : std::nullopt;
}

/// The same values in row order.
std::string by_rows(std::string_view columns, std::size_t rows) {
  std::string bytes(columns.size(), '\0');
  for (std::size_t column = 0; column < kBatchImageBytes; ++column) {
    for (std::size_t row = 0; row < rows; ++row) {
      bytes[row * kBatchImageBytes + column] = columns[column * rows + row];
    }
  }
  return bytes;
}

} // namespace

PickledBatch read_pickled_batch(std::string_view pickle, const std::string& file) {
  PickleMachine machine(pickle, file);
  const PickledValue batch = machine.run();
  if (batch.kind != ValueKind::kDict) {
    throw Error(file + " must be a pickled dict, but is another value; take the archive's own "
                       "file");
  }
  if (value_of(batch, "fine_labels")) {
    throw Error(file + " must be a batch of CIFAR-10, but is of CIFAR-100 (it has fine_labels)");
  }
  const auto value = value_of(batch, "labels");
  const auto labels = value ? labels_of(*value) : std::nullopt;
  if (!labels || labels->empty()) {
    throw Error(file + " must have \"labels\", a list or an array [N] of whole numbers, but " +
                found_words(value));
  }
  PickledBatch result{{}, *labels, machine.texts()};
  const auto data = value_of(batch, "data");
  const auto pixels = data ? pixels_of(*data, result.labels.size()) : std::nullopt;
  if (!pixels) {
    throw Error(file + " must have \"data\", a numpy array of uint8 of " +
                std::to_string(result.labels.size()) + " x " + std::to_string(kBatchImageBytes) +
                " (a row for each label), but " + found_words(data));
  }
  result.pixels = pixels->content.text;
  if (pixels->is_by_columns) {
    const auto own = std::make_shared<PickleMachine::Texts>();
    result.pixels = own->emplace_back(by_rows(pixels->content.text, result.labels.size()));
    result.texts = own;
  }
  return result;
}

} // namespace sdbench
