#include "sdbench/record/record_json.h"

#include <cmath>
#include <limits>

#include "catch.h"
#include "sample_record.h"
#include "sdbench/core/error.h"
#include "sdbench/record/record_fields.h"

using namespace sdbench;

namespace {

void check_equal(const RunRecord& a, const RunRecord& b) {
  CHECK(to_json(a) == to_json(b));
  for (const RecordField& field : record_fields()) {
    INFO(field.name);
    CHECK(field_text(a, field) == field_text(b, field));
  }
}

} // namespace

TEST_CASE("a record comes back from a JSON document as it was") {
  const RunRecord records[] = {test::full_record(), test::failed_record()};
  const auto read = records_from_json(to_json_document(records), "test");
  REQUIRE(read.size() == 2);
  check_equal(read[0], records[0]);
  check_equal(read[1], records[1]);
  REQUIRE(read[0].samples.size() == 2);
  CHECK(read[0].samples[1].step_s == std::vector<double>{0.5, 0.6});
  REQUIRE(read[0].first_image);
  CHECK(read[0].first_image->e2e_s == 3.0);
  CHECK_FALSE(read[1].first_image);
  REQUIRE(read[0].partial_run);
  CHECK(read[0].partial_run->step_s == std::vector<double>{0.5});
  CHECK_FALSE(read[1].partial_run);
}

TEST_CASE("a record comes back from JSON lines as it was, and takes one line") {
  const std::string line = to_json_line(test::full_record());
  CHECK(line.find('\n') == line.size() - 1);
  const auto read = records_from_json_lines(line + to_json_line(test::failed_record()), "test");
  REQUIRE(read.size() == 2);
  check_equal(read[0], test::full_record());
}

TEST_CASE("members stand in the order of the fields, and an absent number is null") {
  const auto json = to_json(test::failed_record());
  auto member = json.begin();
  for (const RecordField& field : record_fields()) {
    REQUIRE(member != json.end());
    CHECK(member.key() == field.name);
    ++member;
  }
  CHECK(json.at("unet_it_s").is_null());
  CHECK(json.at("samples").empty());
}

TEST_CASE("numbers that JSON does not have become null") {
  RunRecord record;
  record.golden_rel_err = std::numeric_limits<double>::infinity();
  CHECK(to_json(record).at("golden_rel_err").is_null());
}

TEST_CASE("a time that is not a number comes back as that, for --resume must read the row") {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  RunRecord record = test::full_record();
  record.first_image->vae_s = kNan;
  record.samples[1].step_s[0] = kNan;
  record.samples[1].unet_s = kNan;
  record.partial_run->step_s = {kNan};
  for (const RunRecord& read : {records_from_json_lines(to_json_line(record), "test").at(0),
                                records_from_json(to_json_document({&record, 1}), "test").at(0)}) {
    CHECK(std::isnan(read.first_image->vae_s));
    CHECK(read.first_image->e2e_s == record.first_image->e2e_s);
    CHECK(std::isnan(read.samples[1].step_s[0]));
    CHECK(read.samples[1].step_s[1] == record.samples[1].step_s[1]);
    CHECK(std::isnan(read.samples[1].unet_s));
    CHECK(std::isnan(read.partial_run->step_s[0]));
    CHECK(to_json_line(read) == to_json_line(record));
  }
}

TEST_CASE("a record that stands alone in its document is one, as a row copied out of a file does") {
  const RunRecord record = test::full_record();
  const auto read = records_from_json(to_json_line(record), "one.json");
  REQUIRE(read.size() == 1);
  CHECK(to_json_line(read[0]) == to_json_line(record));
}

TEST_CASE("what is not a record is refused with its place") {
  CHECK_THROWS_WITH(records_from_json("{}", "file.json"),
                    "file.json: must hold an array of records, or one record");
  CHECK_THROWS_WITH(
      records_from_json("[3]", "file.json"),
      Catch::Matchers::ContainsSubstring("must be a JSON object, but is of type number"));
  CHECK_THROWS_WITH(records_from_json("[{\"steps\": 1.5}]", "file.json"),
                    "file.json: field steps must be of type integer, but is 1.5");
  CHECK_THROWS_WITH(records_from_json("[{\"label\": 1}]", "file.json"),
                    "file.json: field label must be of type text, but is 1");
  CHECK_THROWS_WITH(records_from_json("[{\"schema_version\": 99}]", "file.json"),
                    Catch::Matchers::ContainsSubstring("read it with a newer sdbench"));
  CHECK_THROWS_AS(records_from_json("[{\"samples\": [{}]}]", "file.json"), Error);
  CHECK_THROWS_AS(
      records_from_json("[{\"partial_run\": {\"stage\": \"\", \"step_s\": 3}}]", "file.json"),
      Error);
  CHECK_THROWS_WITH(records_from_json_lines("{}\n{", "file.jsonl"),
                    Catch::Matchers::ContainsSubstring("file.jsonl, line 2: "));
}
