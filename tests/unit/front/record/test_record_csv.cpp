#include "sdbench/front/record/record_csv.h"

#include "catch.h"
#include "sample_record.h"

using namespace sdbench;

TEST_CASE("text is quoted, numbers are bare, absent numbers are empty") {
  const std::string row = to_csv_row(test::failed_record());
  CHECK(row.starts_with("4,\"0123456789abcdef\",\"\","));
  CHECK(row.find(",\"crash\",\"\",\"load: the worker was killed by signal 9\",") !=
        std::string::npos);
  // busy_programs, other_temperature_sensor and probe_format among numbers
  CHECK(row.ends_with(",,\"\",,,,,,,,\"\",,,,\"\",,,,\n"));
}
