#include "sdbench/base/weights/safetensors_header.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/base/text/in_quotes.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/base/types/dtype.h"

namespace sdbench {
namespace {

constexpr std::string_view kMetadata = "__metadata__";
/// More dimensions than any of our tensors has. Bounds the memory that a hostile header can claim.
constexpr std::size_t kMaxRank = 16;

/// One entry of the header, unchecked.
struct Entry {
  std::string name;
  std::optional<std::string> dtype;
  std::optional<std::vector<std::uint64_t>> shape;
  std::optional<std::vector<std::uint64_t>> offsets;
};

/// Reads the JSON as a stream, not as a tree. So a header of 100 MB needs no multiple of its size,
/// nesting is refused at once, and repeated keys are detected.
class HeaderReader final : public nlohmann::json_sax<Json> {
public:
  explicit HeaderReader(const std::string& origin) : origin_(origin) {}

  std::vector<Entry> entries;
  std::map<std::string, std::string> metadata;

  bool null() override { // __metadata__ may be null, as in the format's reference
    return (depth_ == 1 && in_metadata_) || unexpected("null");
  }
  bool boolean(bool) override { return unexpected("a boolean"); }
  bool number_integer(std::int64_t value) override {
    return unexpected("the number " + std::to_string(value));
  }
  bool number_float(double, const std::string& text) override {
    return unexpected("the number " + text.substr(0, 40));
  }
  bool binary(binary_t&) override { return unexpected("binary"); }

  bool number_unsigned(std::uint64_t value) override {
    if (list_ == nullptr) {
      return unexpected("a number");
    }
    if (list_->size() == kMaxRank) {
      fail("must have at most " + std::to_string(kMaxRank) + " numbers in " + key_ +
           ", but has more");
    }
    list_->push_back(value);
    return true;
  }

  bool string(std::string& value) override {
    if (depth_ == 2 && in_metadata_) {
      if (!metadata.emplace(key_, value).second) {
        fail("must have each key once, but repeats " + in_quotes(key_));
      }
    } else if (depth_ == 2 && key_ == "dtype") {
      set(entries.back().dtype, value);
    } else {
      return unexpected("a string");
    }
    return true;
  }

  bool key(std::string& value) override {
    key_ = value;
    if (depth_ == 1) {
      in_metadata_ = value == kMetadata;
      if (in_metadata_ && std::exchange(metadata_seen_, true)) {
        fail("must have each key once, but repeats " + in_quotes(kMetadata));
      }
      if (!in_metadata_) {
        entries.push_back({value, {}, {}, {}});
      }
    } else if (!in_metadata_ && value != "dtype" && value != "shape" && value != "data_offsets") {
      fail("must have the keys dtype, shape and data_offsets, but has " + in_quotes(value));
    }
    return true;
  }

  bool start_object(std::size_t) override {
    if (depth_ >= 2) {
      return unexpected("an object");
    }
    ++depth_;
    return true;
  }
  bool end_object() override {
    --depth_;
    return true;
  }

  bool start_array(std::size_t) override {
    if (depth_ != 2 || in_metadata_ || list_ != nullptr || key_ == "dtype") {
      return unexpected("a list");
    }
    Entry& entry = entries.back();
    auto& list = key_ == "shape" ? entry.shape : entry.offsets;
    set(list, {});
    list_ = &*list;
    return true;
  }
  bool end_array() override {
    list_ = nullptr;
    return true;
  }

  bool parse_error(std::size_t position, const std::string&, const Json::exception&) override {
    throw Error(origin_ + " must have a JSON header, but it breaks off at byte " +
                std::to_string(position) + " of it; the file is damaged");
  }

private:
  template <typename T>
  void set(std::optional<T>& field, T value) {
    if (field) {
      fail("must have each key once, but repeats " + in_quotes(key_));
    }
    field = std::move(value);
  }

  bool unexpected(const std::string& what) {
    if (depth_ == 0) {
      throw Error(origin_ + " must have a JSON object as its header, but has " + what);
    }
    fail(depth_ == 1
             ? (in_metadata_ ? "must be an object of strings, but is "
                             : "must be an object with dtype, shape and data_offsets, but is ") +
                   what
             : "must have a " + wanted() + " in " + in_quotes(key_) + ", but has " + what);
  }

  [[nodiscard]] std::string wanted() const {
    return in_metadata_ || key_ == "dtype" ? "string" : "list of non-negative whole numbers";
  }

  [[noreturn]] void fail(const std::string& complaint) const {
    const std::string what =
        in_metadata_ ? "header's __metadata__"
                     : "tensor " + in_quotes(entries.empty() ? "" : entries.back().name);
    throw Error(origin_ + ": " + what + " " + complaint);
  }

  const std::string& origin_;
  int depth_ = 0; ///< open objects
  bool in_metadata_ = false;
  bool metadata_seen_ = false;
  std::string key_;                            ///< the latest
  std::vector<std::uint64_t>* list_ = nullptr; ///< the open list
};

/// Bytes for a tensor's dtype and shape; nothing if the number does not fit 63 bits.
std::optional<std::uint64_t> byte_size(Dtype dtype, const std::vector<std::uint64_t>& shape) {
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  std::uint64_t bytes = size_of(dtype);
  for (const std::uint64_t extent : shape) {
    if (extent > kMost || (extent != 0 && bytes > kMost / extent)) {
      return std::nullopt;
    }
    bytes *= extent;
  }
  return bytes;
}

std::string text_of(const std::vector<std::uint64_t>& numbers) {
  return Json(numbers).dump();
}

TensorView view_of(const Entry& entry, std::span<const std::byte> data, const std::string& origin) {
  const std::string what = origin + ": tensor " + in_quotes(entry.name);
  if (!entry.dtype || !entry.shape || !entry.offsets) {
    throw Error(what + " must have dtype, shape and data_offsets, but lacks " +
                (!entry.dtype   ? "dtype"
                 : !entry.shape ? "shape"
                                : "data_offsets"));
  }
  // A tensor that is never read may have any dtype, because the format still gets new ones.
  const Dtype dtype = dtype_from_safetensors(*entry.dtype).value_or(Dtype::kOther);
  const std::vector<std::uint64_t>& offsets = *entry.offsets;
  if (offsets.size() != 2 || offsets[0] > offsets[1] || offsets[1] > data.size()) {
    throw Error(what + " must have data_offsets [begin, end] within the file's " +
                std::to_string(data.size()) + " bytes of data, but has " + text_of(offsets) +
                "; the download may be incomplete");
  }
  const std::optional<std::uint64_t> bytes = byte_size(dtype, *entry.shape);
  if (dtype != Dtype::kOther && (!bytes || *bytes != offsets[1] - offsets[0])) {
    throw Error(what + " must have as many bytes as " + *entry.dtype + " " + text_of(*entry.shape) +
                " needs (" + (bytes ? std::to_string(*bytes) : "more than a file can hold") +
                "), but its data_offsets " + text_of(offsets) + " span " +
                std::to_string(offsets[1] - offsets[0]));
  }
  return {dtype,
          {entry.shape->begin(), entry.shape->end()},
          data.subspan(offsets[0], offsets[1] - offsets[0])};
}

/// Checks that the ranges follow one another from the first byte of the data to the last.
void check_coverage(const std::vector<Entry>& entries, std::uint64_t data_size,
                    const std::string& origin) {
  auto order = mapped(entries, [](const Entry& entry) { return &entry; });
  std::sort(order.begin(), order.end(),
            [](const Entry* a, const Entry* b) { return *a->offsets < *b->offsets; });
  std::uint64_t end = 0;
  for (const Entry* entry : order) {
    const std::uint64_t begin = entry->offsets->front();
    if (begin != end) {
      throw Error(origin + ": tensor " + in_quotes(entry->name) + " must begin at byte " +
                  std::to_string(end) +
                  " of the data, where the one before it ends, but begins at " +
                  std::to_string(begin) + (begin < end ? " (overlap)" : " (hole)"));
    }
    end = entry->offsets->back();
  }
  if (end != data_size) {
    throw Error(origin + " must end with its last tensor, after " + std::to_string(end) +
                " bytes of data, but has " + std::to_string(data_size - end) +
                " more; download the file again, or save it again");
  }
}

} // namespace

SafetensorsHeader parse_safetensors_header(std::string_view header, std::span<const std::byte> data,
                                           const std::string& origin) {
  HeaderReader reader(origin);
  Json::sax_parse(header.begin(), header.end(), &reader);
  SafetensorsHeader result;
  result.metadata = std::move(reader.metadata);
  for (const Entry& entry : reader.entries) {
    if (!result.tensors.emplace(entry.name, view_of(entry, data, origin)).second) {
      throw Error(origin + ": tensor " + in_quotes(entry.name) +
                  " must be in the header once, but is there again");
    }
  }
  check_coverage(reader.entries, data.size(), origin);
  return result;
}

} // namespace sdbench
