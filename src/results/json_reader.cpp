#include "sdbench/results/json_reader.h"

#include "sdbench/core/utf8.h"
#include "sdbench/record/record_fields.h"
#include "sdbench/record/record_json.h"

namespace sdbench {
namespace {

using OrderedJson = nlohmann::ordered_json;

/// Without the library's name and number in front; it quotes the last token, which may be long.
std::string shortened(std::string_view words) {
  constexpr std::size_t kLongest = 200;
  if (words.starts_with('[') && words.find("] ") != std::string_view::npos) {
    words.remove_prefix(words.find("] ") + 2);
  }
  return to_valid_utf8(words.substr(0, kLongest));
}

void read_item(const JsonItems& items, RowReport& report) {
  OrderedJson json;
  try {
    json = OrderedJson::parse(items.item());
  } catch (const OrderedJson::exception& error) {
    report.bad(items.line(), "must be JSON, but is not: " + shortened(error.what()));
    return;
  }
  if (json.contains("schema_version") && json.contains("run_id")) {
    report.has_our_form();
  }
  try {
    report.add(record_from_json(json), items.line());
  } catch (const FieldError& error) {
    report.bad(items.line(), error.reason(), error.field());
  } catch (const Error& error) {
    report.bad(items.line(), shortened(error.what()));
  }
}

} // namespace

void read_json(ByteWindow& window, JsonItems::Form form, RowReport& report) {
  JsonItems items(window, form);
  for (;;) {
    switch (items.next()) {
    case JsonItems::Next::kItem:
      read_item(items, report);
      break;
    case JsonItems::Next::kBroken:
      report.bad(items.line(), items.reason());
      break;
    case JsonItems::Next::kEnd:
      return;
    }
  }
}

} // namespace sdbench
