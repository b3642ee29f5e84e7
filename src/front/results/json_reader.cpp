#include "sdbench/front/results/row_readers.h"

#include <algorithm>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/text/utf8.h"
#include "sdbench/front/record/field_access.h"
#include "sdbench/front/record/record_json.h"
#include "sdbench/front/results/json_row.h"
#include "sdbench/front/results/named_rows.h"

namespace sdbench {
namespace {

using OrderedJson = nlohmann::ordered_json;

/// A message of the JSON library, without the library's name and number in front. Cut, because it
/// quotes the last token, which may be long.
std::string shortened(std::string_view words) {
  constexpr std::size_t kLongest = 200;
  if (words.starts_with('[') && words.find("] ") != std::string_view::npos) {
    words.remove_prefix(words.find("] ") + 2);
  }
  return to_valid_utf8(words.substr(0, kLongest));
}

/// True if the bytes begin like one of our records, even if it is broken or truncated.
bool begins_like_ours(std::string_view bytes) {
  constexpr std::string_view kFirst = "\"schema_version\"";
  constexpr std::size_t kLook = 4096;
  constexpr std::size_t kTelling = 8; // "\"schema_"
  bytes = bytes.substr(0, kLook);
  if (bytes.find(kFirst) != std::string_view::npos) {
    return true;
  }
  bytes.remove_prefix(std::min(bytes.find('"'), bytes.size()));
  const std::size_t last = bytes.find_last_not_of(std::string_view(" \t\r\n\0", 5));
  bytes = bytes.substr(0, last == std::string_view::npos ? 0 : last + 1);
  return bytes.size() >= kTelling && kFirst.starts_with(bytes);
}

class JsonReader {
public:
  JsonReader(ByteWindow& window, JsonItems::Form form, RowReport& report)
      : window_(window), form_(form), items_(window, form), report_(report), named_(report) {}

  void read() {
    while (items_.to_next()) {
      if (read_plain_row()) {
        continue;
      }
      const bool is_like_ours = begins_like_ours(window_.bytes());
      if (items_.look() == JsonItems::Found::kItem) {
        read_document(is_like_ours);
      } else {
        if (is_like_ours) {
          report_.has_our_form();
        }
        report_.bad(items_.line(), items_.reason());
      }
    }
  }

private:
  /// False if the slow path must read the row. The slow path also reports what is wrong with it.
  bool read_plain_row() {
    constexpr std::size_t kLongest = std::size_t{1} << 20; // is looked at again each time it grows
    JsonRow::Scan scan = row_.scan(window_.bytes());
    while (scan == JsonRow::Scan::kNeedsMore && window_.bytes().size() < kLongest &&
           window_.grow()) {
      scan = row_.scan(window_.bytes());
    }
    if (scan != JsonRow::Scan::kRow) {
      return false;
    }
    const std::string_view object = window_.bytes().substr(0, row_.size());
    if (form_ == JsonItems::Form::kLines && object.find('\n') != std::string_view::npos) {
      return false;
    }
    if (row_.has_new_names()) {
      named_.set_columns(row_.names(), items_.line());
      row_.forget_new_names();
    }
    const bool is_good = named_.try_add(row_.values(), row_.take_raw_times(), items_.line());
    items_.take(is_good ? row_.size() : 0);
    return is_good;
  }

  void read_document(bool is_like_ours) {
    OrderedJson json;
    try {
      json = OrderedJson::parse(items_.item());
    } catch (const OrderedJson::exception& error) {
      if (is_like_ours) {
        report_.has_our_form();
      }
      report_.bad(items_.line(), "must be JSON, but is not: " + shortened(error.what()));
      return;
    }
    if (json.contains("schema_version") && json.contains("run_id")) {
      report_.has_our_form();
    }
    try {
      report_.add(record_from_json(json), items_.line());
    } catch (const FieldError& error) {
      report_.bad(items_.line(), error.reason(), error.field());
    } catch (const Error& error) {
      report_.bad(items_.line(), shortened(error.what()));
    }
  }

  ByteWindow& window_;
  JsonItems::Form form_;
  JsonItems items_;
  RowReport& report_;
  JsonRow row_;
  NamedRows named_;
};

} // namespace

void read_json(ByteWindow& window, JsonItems::Form form, RowReport& report) {
  JsonReader(window, form, report).read();
}

} // namespace sdbench
