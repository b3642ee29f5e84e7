// Any bytes as results in JSON: the first one chooses between a document and lines.
#include "checked_rows.h"
#include "sdbench/results/json_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace sdbench;
  if (size == 0) {
    return 0;
  }
  ByteWindow window(text_source({reinterpret_cast<const char*>(bytes) + 1, size - 1}));
  fuzz::CheckedRows rows;
  RowReport report(rows, "fuzz.json");
  read_json(window, bytes[0] % 2 == 0 ? JsonItems::Form::kDocument : JsonItems::Form::kLines,
            report);
  fuzz::check_bad(report);
  return 0;
}
