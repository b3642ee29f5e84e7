// Any bytes as results in JSON: the first one chooses between a document and lines. What is read
// without a document must be what the document says.
#include <cstdlib>
#include <vector>

#include "checked_rows.h"
#include "sdbench/front/record/record_json.h"
#include "sdbench/front/results/json_row.h"
#include "sdbench/front/results/named_rows.h"
#include "sdbench/front/results/row_readers.h"

namespace {

using namespace sdbench;

/// Keeps records as merge does.
class KeptRows : public RowTarget {
public:
  void add(std::span<const FieldValue> row, RawTimes raw, std::size_t line) override {
    add(record_of_row(row, std::move(raw)), line);
  }
  void add(RunRecord record, std::size_t /*line*/) override {
    records.push_back(std::move(record));
  }

  std::vector<RunRecord> records;
};

/// Each row that comes without a document, against the same bytes as a document.
void check_plain_rows(std::string_view bytes) {
  JsonRow row;
  for (std::size_t at = bytes.find('{'); at != std::string_view::npos; at = bytes.find('{', at)) {
    const std::string_view rest = bytes.substr(at);
    if (row.scan(rest) != JsonRow::Scan::kRow) {
      ++at;
      continue;
    }
    const std::string_view object = rest.substr(0, row.size());
    at += row.size();
    KeptRows plain;
    RowReport report(plain, "fuzz.json");
    NamedRows named(report);
    named.set_columns(row.names(), 1);
    row.forget_new_names();
    if (!named.try_add(row.values(), row.take_raw_times(), 1)) {
      continue;
    }
    // Throws, which is a crash, where no record can be made of it.
    const RunRecord careful = record_from_json(nlohmann::ordered_json::parse(object));
    if (!plain.records.empty()) {
      plain.records[0].flags = careful.flags; // to which a reader adds what it finds
    }
    if (plain.records.size() != 1 || to_json_line(plain.records[0]) != to_json_line(careful)) {
      std::abort();
    }
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) {
    return 0;
  }
  const std::string_view text(reinterpret_cast<const char*>(bytes) + 1, size - 1);
  check_plain_rows(text);
  ByteWindow window(text_source(text));
  fuzz::CheckedRows rows;
  RowReport report(rows, "fuzz.json");
  read_json(window, bytes[0] % 2 == 0 ? JsonItems::Form::kDocument : JsonItems::Form::kLines,
            report);
  fuzz::check_bad(report);
  return 0;
}
