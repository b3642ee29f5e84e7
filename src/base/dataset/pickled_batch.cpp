#include "sdbench/base/dataset/pickled_batch.h"

#include <algorithm>
#include <optional>

#include "pickle_machine.h"
#include "pickle_text.h"
#include "sdbench/base/core/error.h"

namespace sdbench {
namespace {

using ValueKind = PickledValue::Kind;

/// The value of a key, the last one as in Python; nothing if the dict has no such key.
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
  std::vector<std::int64_t> numbers;
  numbers.reserve(items.size());
  for (const PickledValue& item : items) {
    numbers.push_back(item.integer);
  }
  return numbers;
}

/// The numbers of a list or a tuple, or of an array of whole numbers, [N] or [N, 1]; nothing if it
/// is none.
std::optional<std::vector<std::int64_t>> labels_of(const PickledValue& value) {
  if (value.kind == ValueKind::kList || value.kind == ValueKind::kTuple) {
    return are_whole_numbers(*value.items) ? std::optional(whole_numbers(*value.items))
                                           : std::nullopt;
  }
  if (value.kind != ValueKind::kArray || value.items->size() != 3) {
    return std::nullopt;
  }
  const PickledValue& shape = (*value.items)[0];
  const PickledValue& dtype = (*value.items)[1];
  const PickledValue& bytes = (*value.items)[2];
  const std::size_t size = dtype.kind == ValueKind::kDtype ? integer_size(dtype.text) : 0;
  if (shape.kind != ValueKind::kTuple || !are_whole_numbers(*shape.items) || size == 0 ||
      bytes.kind != ValueKind::kText) {
    return std::nullopt;
  }
  const std::vector<std::int64_t> sizes = whole_numbers(*shape.items);
  const bool is_column = sizes.size() == 1 || (sizes.size() == 2 && sizes[1] == 1);
  const std::size_t count = bytes.text.size() / size;
  if (!is_column || bytes.text.size() % size != 0 || sizes[0] != static_cast<std::int64_t>(count)) {
    return std::nullopt;
  }
  std::vector<std::int64_t> labels;
  labels.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    labels.push_back(
        integer_in(bytes.text.substr(i * size, size), dtype.text, is_big_endian(dtype)).value());
  }
  return labels;
}

/// The bytes of an array of uint8, [rows, kBatchImageBytes]; nothing if it is none.
std::optional<std::string_view> pixels_of(const PickledValue& value, std::size_t rows) {
  if (value.kind != ValueKind::kArray || value.items->size() != 3) {
    return std::nullopt;
  }
  const PickledValue& shape = (*value.items)[0];
  const PickledValue& dtype = (*value.items)[1];
  const PickledValue& bytes = (*value.items)[2];
  const std::vector<std::int64_t> wanted{static_cast<std::int64_t>(rows),
                                         static_cast<std::int64_t>(kBatchImageBytes)};
  const bool fits = shape.kind == ValueKind::kTuple && are_whole_numbers(*shape.items) &&
                    whole_numbers(*shape.items) == wanted && dtype.kind == ValueKind::kDtype &&
                    dtype.text == "u1" && bytes.kind == ValueKind::kText &&
                    bytes.text.size() == rows * kBatchImageBytes;
  return fits ? std::optional(bytes.text) : std::nullopt;
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
    throw Error(file + " must have \"labels\", a list or an array of whole numbers, but has none; "
                       "take the archive's own file");
  }
  PickledBatch result{{}, *labels, machine.texts()};
  const auto data = value_of(batch, "data");
  const auto pixels = data ? pixels_of(*data, result.labels.size()) : std::nullopt;
  if (!pixels) {
    throw Error(file + " must have \"data\", a numpy array of uint8 of " +
                std::to_string(result.labels.size()) + " x " + std::to_string(kBatchImageBytes) +
                " (a row for each label), but has none; take the archive's own file");
  }
  result.pixels = *pixels;
  return result;
}

} // namespace sdbench
