#include "sdbench/record/record_csv.h"

#include "catch.h"
#include "sample_record.h"
#include "sdbench/core/error.h"
#include "sdbench/record/record_fields.h"

using namespace sdbench;

TEST_CASE("every field comes back from CSV as it was") {
  const RunRecord records[] = {test::full_record(), test::failed_record()};
  const auto read =
      records_from_csv(csv_header() + to_csv_row(records[0]) + to_csv_row(records[1]), "test");
  REQUIRE(read.size() == 2);
  for (const RecordField& field : record_fields()) {
    INFO(field.name);
    CHECK(field_text(read[0], field) == field_text(records[0], field));
    CHECK(field_text(read[1], field) == field_text(records[1], field));
  }
}

TEST_CASE("text is quoted, numbers are bare, absent numbers are empty") {
  const std::string row = to_csv_row(test::failed_record());
  CHECK(row.starts_with("2,\"0123456789abcdef\",\"\","));
  CHECK(row.find(",\"crash\",\"\",\"load: the worker was killed by signal 9\",") !=
        std::string::npos);
  CHECK(row.ends_with(",,\"\",,,,,,,\n")); // busy_programs among numbers
}

TEST_CASE("columns are found by name: older and newer files can be read") {
  const auto read = records_from_csv("steps,some_later_field,model\n7,x,\"sd15\"\n", "test");
  REQUIRE(read.size() == 1);
  CHECK(read[0].steps == 7);
  CHECK(read[0].model == "sd15");
}

TEST_CASE("a broken row is refused with its number") {
  CHECK_THROWS_WITH(records_from_csv("steps,model\n7\n", "file.csv"),
                    "file.csv, row 2: must have 2 fields, but has 1");
  CHECK_THROWS_WITH(records_from_csv("steps\nx\n", "file.csv"),
                    "file.csv, row 2: field steps must be of type integer, but is \"x\"");
  CHECK_THROWS_AS(records_from_csv("schema_version\n99\n", "file.csv"), Error);
}
