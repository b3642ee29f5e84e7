#include "sdbench/front/results/json_row.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "catch.h"
#include "sample_record.h"
#include "scratch_folder.h"
#include "sdbench/base/executor/run_sample.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/front/record/field_access.h"
#include "sdbench/front/record/record_json.h"
#include "sdbench/front/record/run_record.h"
#include "sdbench/front/results/merge.h"
#include "sdbench/front/results/result_reader.h"
#include "sdbench/front/results/result_table.h"

using namespace sdbench;
using Scan = JsonRow::Scan;

namespace {

Scan scan_of(std::string_view object) {
  return JsonRow().scan(object);
}

/// "name=value" for each member. The value is empty unless it is a field's text or number.
std::vector<std::string> members_of(const JsonRow& row) {
  std::vector<std::string> all;
  const auto names = row.names();
  REQUIRE(names.size() == row.values().size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    all.push_back(std::string(names[i]) + "=" + row.values()[i].as_text());
  }
  return all;
}

std::vector<std::string> members_of(std::string_view object) {
  JsonRow row;
  REQUIRE(row.scan(object) == Scan::kRow);
  CHECK(row.size() == object.size());
  return members_of(row);
}

using All = std::vector<std::string>;

const std::string kRun =
    R"({"text_s":1,"unet_s":2.5,"vae_s":null,"e2e_s":4e0,"step_s":[0.5,null],"start_s":7})";

} // namespace

TEST_CASE("an object is read as the row of its members, whatever its blanks and order are") {
  CHECK(members_of(R"({"run_id":"a","steps":2,"unet_it_s":0.5,"seed":18446744073709551615})") ==
        All{"run_id=a", "steps=2", "unet_it_s=0.5", "seed=18446744073709551615"});
  CHECK(
      members_of("{ \"drift\" : -1.5e-07 ,\r\n\t\"run_id\" :\n\"\" , \"peak_host_bytes\":null}") ==
      All{"drift=-1.5e-07", "run_id=", "peak_host_bytes="});
  CHECK(members_of(R"({"new":{"a":[1,{"b":[]}],"c":true},"run_id":"x","other":"\\u"})") ==
        All{"new=", "run_id=x", "other="});
}

TEST_CASE("escapes of a JSON text are resolved, those of a record are not") {
  CHECK(members_of(R"({"error":"a \"b\"\\x41\/\n\t\\\\"})") == All{"error=a \"b\"\\x41/\n\t\\\\"});
  CHECK(members_of("{\"label\":\"J\xc3\xb6rg\"}") == All{"label=J\xc3\xb6rg"});
}

TEST_CASE("a row may have other members than the one before") {
  JsonRow row;
  const auto next = [&](std::string_view object, bool has_new_names) {
    INFO(object);
    REQUIRE(row.scan(object) == Scan::kRow);
    CHECK(row.has_new_names() == has_new_names);
    row.forget_new_names();
    return members_of(row);
  };
  CHECK(next(R"({"run_id":"a","steps":2})", true) == All{"run_id=a", "steps=2"});
  CHECK(next(R"({"run_id":"b","steps":30})", false) == All{"run_id=b", "steps=30"});
  CHECK(next(R"({"run_id":"c"})", true) == All{"run_id=c"});
  CHECK(next(R"({"run_id":"d","batch":1,"steps":2})", true) ==
        All{"run_id=d", "batch=1", "steps=2"});
  CHECK(next(R"({"steps":2,"run_id":"e"})", true) == All{"steps=2", "run_id=e"});
  // A row that breaks off must not make the next one look like the last.
  CHECK(row.scan(R"({"steps":2,"batch":x)") == Scan::kNotPlain);
  CHECK(next(R"({"steps":3})", true) == All{"steps=3"});
}

TEST_CASE("what a document must be made of is not taken") {
  for (const char* object : {"{}",
                             "[]",
                             "x",
                             R"({"run_id":"a",})",
                             R"({"run_id":"a" "steps":2})",
                             R"({"run_id":"a"]})",
                             R"({run_id:"a"})",
                             R"({"run_id":"a","run_id":"b"})",
                             R"({"samples":[],"samples":[]})",
                             R"({"run_id":"\u0041"})",
                             R"({"run_id":"\q"})",
                             "{\"run_id\":\"a\nb\"}",
                             "{\"run_id\":\"a\tb\"}",
                             "{\"run_id\":\"\xff\"}",
                             "{\"other\":\"\xed\xa0\x80\"}",
                             "{\"\xff\":1}",
                             R"({"run_id":3})",
                             R"({"run_id":null})",
                             R"({"steps":"2"})",
                             R"({"steps":2.0})",
                             R"({"steps":2e1})",
                             R"({"steps":null})",
                             R"({"steps":true})",
                             R"({"steps":02})",
                             R"({"steps":9223372036854775808})",
                             R"({"steps":9007199254740993})",
                             R"({"seed":-1.})",
                             R"({"drift":.5})",
                             R"({"drift":5.})",
                             R"({"drift":5.e1})",
                             R"({"drift":-})",
                             R"({"drift":+1})",
                             R"({"drift":007})",
                             R"({"drift":1e999})",
                             R"({"drift":nan})",
                             R"({"drift":inf})",
                             R"({"drift":0x1})",
                             R"({"drift":1e})",
                             R"({"other":1e999})",
                             R"({"other":[1,,2]})",
                             R"({"other":nul})",
                             R"({"other":01})",
                             R"({"samples":{}})",
                             R"({"samples":[{}]})",
                             R"({"first_image":[]})",
                             R"({"partial_run":{"stage":"measure"}})",
                             R"({"partial_run":{"stage":1,"step_s":[]}})"}) {
    INFO(object);
    CHECK(scan_of(std::string(object) + "  ") == Scan::kNotPlain);
  }
  const std::string nested = std::string(40, '[') + std::string(40, ']');
  CHECK(scan_of("{\"other\":" + nested + "}") == Scan::kNotPlain);
}

TEST_CASE("an object that is cut anywhere needs more, or is left to the document") {
  const std::string whole = R"({"run_id":"a\n","steps":2,"drift":-1.5e3,"other":[true,null],)"
                            R"("samples":[)" +
                            kRun + "]}";
  REQUIRE(scan_of(whole) == Scan::kRow);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    INFO(size);
    JsonRow row;
    CHECK(row.scan(whole.substr(0, size)) != Scan::kRow);
    // Nothing stays of the row that was cut.
    CHECK(row.scan(whole) == Scan::kRow);
    CHECK(members_of(row).size() == 5);
  }
}

TEST_CASE("raw times are read") {
  const std::string object = R"({"first_image":)" + kRun + R"(,"samples":[)" + kRun + "," + kRun +
                             R"(],"partial_run":{"step_s":[1.5],"stage":"measure"}})";
  JsonRow row;
  REQUIRE(row.scan(object) == Scan::kRow);
  const RawTimes raw = row.take_raw_times();
  REQUIRE(raw.first_image);
  CHECK(seconds_of(*raw.first_image, "unet") == 2.5);
  CHECK(std::isnan(seconds_of(*raw.first_image, "vae").value()));
  CHECK(raw.first_image->start_s == 7);
  REQUIRE(raw.samples.size() == 2);
  REQUIRE(raw.samples[1].step_s.size() == 2);
  CHECK(raw.samples[1].step_s[0] == 0.5);
  CHECK(std::isnan(raw.samples[1].step_s[1]));
  REQUIRE(raw.partial_run);
  CHECK(raw.partial_run->stage == "measure");
  CHECK(raw.partial_run->step_s == std::vector{1.5});
}

TEST_CASE("a run has a part for each member NAME_s, and must have its time and its steps") {
  JsonRow row;
  REQUIRE(row.scan(R"({"samples":[{"input_s":0.5,"e2e_s":4,"new":[1],"backward_s":null,)"
                   R"("Text_s":"x","step_s":[]}]})") == Scan::kRow);
  const RawTimes raw = row.take_raw_times();
  REQUIRE(raw.samples.size() == 1);
  REQUIRE(raw.samples[0].parts.size() == 2);
  CHECK(raw.samples[0].parts[0].name == "input");
  CHECK(raw.samples[0].parts[0].seconds == 0.5);
  CHECK(raw.samples[0].parts[1].name == "backward");
  CHECK(std::isnan(raw.samples[0].parts[1].seconds));
  for (const char* const run :
       {R"({"e2e_s":4})", R"({"step_s":[]})", R"({"e2e_s":4,"step_s":[],"input_s":"x"})",
        R"({"e2e_s":4,"step_s":[],"input_s":1,"input_s":1})",
        R"({"e2e_s":4,"step_s":[],"start_s":1,"start_s":1})",
        R"({"e2e_s":4,"step_s":[],"e2e_s":4})", R"({"e2e_s":4,"step_s":[],"step_s":[]})"}) {
    INFO(run);
    CHECK(scan_of(R"({"samples":[)" + std::string(run) + "]}") == Scan::kNotPlain);
  }
}

TEST_CASE("rows of JSON are the same whether a document is made of them or not") {
  RunRecord record = test::full_record();
  record.error = "it said \"no\"\n\xff and \\ and \x01";
  record.label = "J\xc3\xb6rg";
  record.drift = -0.0;
  record.seed = std::numeric_limits<std::uint64_t>::max();
  record.peak_host_bytes = (std::int64_t{1} << 53) + 1;
  const std::string plain = to_json(record).dump();
  // A repeated member has its last value. Plain JSON does not take such a row.
  const std::string twice = "{\"label\":\"first\"," + plain.substr(1);
  CHECK(scan_of(twice) == Scan::kNotPlain);
  const test::ScratchFolder folder;
  for (const std::string& text : {plain, twice, to_json_document(std::vector{record})}) {
    const auto file = folder.write("rows.json", text);
    const Merged merged = merge_record_files({file});
    CHECK(merged.bad.empty());
    REQUIRE(merged.records.size() == 1);
    CHECK(to_json_line(merged.records[0]) == to_json_line(record));
    const Results results = read_results({file});
    REQUIRE(results.table.size() == 1);
    ResultTable expected;
    expected.add(record);
    for (std::size_t field = 0; field < record_fields().size(); ++field) {
      INFO(record_fields()[field].name);
      CHECK(results.table.value_text(0, field) == expected.value_text(0, field));
    }
  }
}

TEST_CASE("records are written as plain JSON") {
  RunRecord record = test::full_record();
  record.peak_host_bytes = 1 << 30; // full_record() has more than a double holds
  CHECK(scan_of(to_json_line(record)) == Scan::kRow);
  CHECK(scan_of(to_json(record).dump(2)) == Scan::kRow);
  CHECK(scan_of(to_json_line(RunRecord())) == Scan::kRow);
}
