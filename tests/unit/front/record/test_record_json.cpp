#include "sdbench/front/record/record_json.h"

#include <cmath>
#include <limits>
#include <vector>

#include "catch.h"
#include "sample_record.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/executor/run_sample.h"
#include "sdbench/front/record/field_access.h"
#include "sdbench/front/record/record_field.h"

using namespace sdbench;

namespace {

void check_equal(const RunRecord& a, const RunRecord& b) {
  CHECK(to_json(a) == to_json(b));
  for (const RecordField& field : record_fields()) {
    INFO(field.name);
    CHECK(field_text(a, field) == field_text(b, field));
  }
}

RunRecord read_json(const std::string& text) {
  return record_from_json(nlohmann::ordered_json::parse(text));
}

} // namespace

TEST_CASE("a record comes back from JSON as it was") {
  const RunRecord records[] = {test::full_record(), test::failed_record()};
  const auto document = nlohmann::ordered_json::parse(to_json_document(records));
  REQUIRE(document.size() == 2);
  const RunRecord read = record_from_json(document[0]);
  check_equal(read, records[0]);
  REQUIRE(read.samples.size() == 2);
  CHECK(read.samples[1].step_s == std::vector<double>{0.5, 0.6});
  REQUIRE(read.first_image);
  CHECK(read.first_image->e2e_s == 3.0);
  REQUIRE(read.partial_run);
  CHECK(read.partial_run->step_s == std::vector<double>{0.5});
  const RunRecord failed = record_from_json(document[1]);
  check_equal(failed, records[1]);
  CHECK_FALSE(failed.first_image);
  CHECK_FALSE(failed.partial_run);
}

TEST_CASE("a JSON line is one line") {
  const std::string line = to_json_line(test::full_record());
  CHECK(line.find('\n') == line.size() - 1);
  check_equal(read_json(line), test::full_record());
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
  record.first_image->parts.at(2).seconds = kNan;
  record.samples[1].step_s[0] = kNan;
  record.samples[1].parts.at(1).seconds = kNan;
  record.partial_run->step_s = {kNan};
  const RunRecord read = read_json(to_json_line(record));
  CHECK(std::isnan(seconds_of(*read.first_image, "vae").value()));
  CHECK(read.first_image->e2e_s == record.first_image->e2e_s);
  CHECK(std::isnan(read.samples[1].step_s[0]));
  CHECK(read.samples[1].step_s[1] == record.samples[1].step_s[1]);
  CHECK(std::isnan(seconds_of(read.samples[1], "unet").value()));
  CHECK(std::isnan(read.partial_run->step_s[0]));
  CHECK(to_json_line(read) == to_json_line(record));
}

TEST_CASE("a run's time that is none of a number is refused, whatever its part") {
  const std::string steps = R"("e2e_s":1,"step_s":[])";
  CHECK(read_json(R"({"samples":[{)" + steps + "}]}").samples.at(0).parts.empty());
  CHECK_THROWS_AS(read_json(R"({"samples":[{)" + steps + R"(,"text_s":"x"}]})"), Error);
  CHECK_THROWS_AS(read_json(R"({"samples":[{)" + steps + R"(,"other_s":[]}]})"), Error);
  CHECK_NOTHROW(read_json(R"({"samples":[{)" + steps + R"(,"other":[]}]})"));
}

TEST_CASE("what is not a record is refused with the field and what it must be") {
  CHECK_THROWS_WITH(read_json("3"), "a record must be a JSON object, but is of type number");
  CHECK_THROWS_WITH(read_json("{\"steps\": 1.5}"),
                    "field steps must be of type integer, but is 1.5");
  CHECK_THROWS_WITH(read_json("{\"label\": 1}"), "field label must be of type text, but is 1");
  CHECK_THROWS_WITH(read_json("{\"schema_version\": 99}"),
                    Catch::Matchers::ContainsSubstring("read it with a newer sdbench"));
  CHECK_THROWS_WITH(read_json("{\"samples\": [{}]}"),
                    "field samples must hold run times, but is [{}]");
  CHECK_THROWS_WITH(read_json("{\"samples\": {}}"), "field samples must hold run times, but is {}");
  CHECK_THROWS_WITH(read_json("{\"first_image\": 7}"),
                    "field first_image must hold run times, but is 7");
  CHECK_THROWS_WITH(read_json("{\"partial_run\": \"7\"}"),
                    "field partial_run must hold run times, but is \"7\"");
  CHECK_THROWS_AS(read_json("{\"partial_run\": {\"stage\": \"\", \"step_s\": 3}}"), Error);
}
