// Any bytes as a CSV file of results.
#include "checked_rows.h"
#include "sdbench/front/results/row_readers.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace sdbench;
  ByteWindow window(text_source({reinterpret_cast<const char*>(bytes), size}));
  fuzz::CheckedRows rows;
  RowReport report(rows, "fuzz.csv");
  read_csv(window, report);
  fuzz::check_bad(report);
  return 0;
}
