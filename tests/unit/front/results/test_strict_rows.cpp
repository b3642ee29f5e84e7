#include "sdbench/front/results/strict_rows.h"

#include <filesystem>
#include <string>

#include "catch.h"
#include "sample_record.h"
#include "scratch_folder.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/front/record/field_access.h"
#include "sdbench/front/record/record_csv.h"
#include "sdbench/front/record/record_field.h"
#include "sdbench/front/record/record_json.h"
#include "sdbench/front/record/run_record.h"
#include "sdbench/front/results/record_files.h"

using namespace sdbench;
using Catch::Matchers::ContainsSubstring;

namespace {

const std::filesystem::path kSampleFiles = std::filesystem::path(SDBENCH_SOURCE_DIR) / "tests/data";

void check_all_fields(const RunRecord& read, const RunRecord& written) {
  for (const RecordField& field : record_fields()) {
    INFO(field.name);
    CHECK(field_text(read, field) == field_text(written, field));
  }
}

} // namespace

TEST_CASE("a record that stands in several files is read once, with its raw times") {
  const test::ScratchFolder folder;
  RunRecord record = test::full_record();
  RunRecord other = record;
  other.run_id = "other";
  const auto csv = folder.write("a.csv", csv_header() + to_csv_row(record) + to_csv_row(other));
  const auto lines = folder.write("a.jsonl", to_json_line(record));
  const RunRecord all[] = {record, other};
  const auto json = folder.write("a.json", to_json_document(all));
  for (const auto& files : {std::vector{csv, lines, json}, std::vector{lines, json, csv}}) {
    const std::vector<RunRecord> records = read_records(files);
    REQUIRE(records.size() == 2);
    CHECK(records[0].run_id == record.run_id);
    CHECK(records[0].samples.size() == 2);
    CHECK(records[1].samples.size() == 2);
  }
}

TEST_CASE("files that are not there, empty, or keep no records hold none") {
  const test::ScratchFolder folder;
  const auto empty = folder.write("empty.csv", "");
  const auto table = folder.write("table.md", "| a |");
  CHECK(read_records({empty, table, folder.path() / "missing.jsonl"}).empty());
  CHECK_FALSE(keeps_records("a.md"));
  CHECK(keeps_records("a.jsonl"));
}

TEST_CASE("the first row that is none is refused with its file and place") {
  const test::ScratchFolder folder;
  const auto file = folder.write("broken.jsonl", "{\n");
  CHECK_THROWS_WITH(read_records({file}), Catch::Matchers::StartsWith(file.string()));
  const std::string head = "schema_version,run_id,status,steps\n";
  CHECK_THROWS_WITH(records_of_text(head + "2,a,ok\n2,b\n", "file.csv"),
                    "file.csv, line 2: must have 4 fields, as its header, but has 3");
  CHECK_THROWS_WITH(records_of_text(head + "4,a,ok,1\n4,a,ok,x\n", "file.csv"),
                    "file.csv, line 3, column steps: must be of type integer, but is \"x\"");
  CHECK_THROWS_WITH(records_of_text(head + "4,,ok,1\n", "file.csv"),
                    "file.csv, line 2, column run_id: must name the row, but is empty");
  CHECK_THROWS_WITH(records_of_text(head + "99,a,ok,1\n", "file.csv"),
                    ContainsSubstring("read it with a newer sdbench"));
  CHECK_THROWS_WITH(records_of_text("a,b\n1,2\n", "file.csv"),
                    ContainsSubstring("must be a header that names the columns"));
  CHECK_THROWS_WITH(records_of_text("[3]", "file.json"),
                    "file.json, line 1: must begin with a brace, as an object does");
  CHECK_THROWS_WITH(records_of_text("[{}]", "file.json"),
                    "file.json, line 1, column run_id: must name the row, but is empty");
  CHECK_THROWS_WITH(records_of_text("[{\"steps\": 1.5}]", "file.json"),
                    "file.json, line 1, column steps: must be of type integer, but is 1.5");
  CHECK_THROWS_WITH(records_of_text(to_json_line(test::full_record()) + "{}\n", "file.jsonl"),
                    "file.jsonl, line 2, column run_id: must name the row, but is empty");
}

TEST_CASE("every field comes back from each form as it was") {
  const RunRecord records[] = {test::full_record(), test::failed_record()};
  const std::string csv = csv_header() + to_csv_row(records[0]) + to_csv_row(records[1]);
  const std::string lines = to_json_line(records[0]) + to_json_line(records[1]);
  for (const auto& read : {records_of_text(csv, "r.csv"), records_of_text(lines, "r.jsonl"),
                           records_of_text(to_json_document(records), "r.json")}) {
    REQUIRE(read.size() == 2);
    check_all_fields(read[0], records[0]);
    check_all_fields(read[1], records[1]);
  }
}

TEST_CASE("columns are found by name: older and newer files can be read") {
  const auto read = records_of_text("schema_version,run_id,status,steps,some_later_field,model\n"
                                    "4,\"a\",\"ok\",7,x,\"sd15\"\n",
                                    "r.csv");
  REQUIRE(read.size() == 1);
  CHECK(read[0].steps == 7);
  CHECK(read[0].model == "sd15");
}

TEST_CASE("a record that stands alone in its document is one, as a row copied out of a file does") {
  const RunRecord record = test::full_record();
  const auto read = records_of_text(to_json_line(record), "one.json");
  REQUIRE(read.size() == 1);
  CHECK(to_json_line(read[0]) == to_json_line(record));
}

TEST_CASE("a last row that was cut off is no record, and those before it are") {
  const test::ScratchFolder folder;
  const RunRecord record = test::full_record();
  const std::string row = to_csv_row(record);
  const std::string line = to_json_line(record);
  const auto csv = folder.write("a.csv", csv_header() + row + row.substr(0, row.size() / 2));
  CHECK(read_records({csv}).size() == 1);
  CHECK(read_records({folder.write("b.jsonl", line + line.substr(0, line.size() / 2))}).size() ==
        1);
  CHECK(read_records({folder.write("c.csv", csv_header().substr(0, 20))}).empty());
  CHECK(read_records({folder.write("d.jsonl", line.substr(0, line.size() - 1))}).size() == 1);
}

TEST_CASE("the sample files of version 4 are read, raw times included") {
  const auto json = read_records({kSampleFiles / "record-v4.json"});
  const auto csv = read_records({kSampleFiles / "record-v4.csv"});
  REQUIRE(json.size() == 2);
  REQUIRE(csv.size() == 2);
  check_all_fields(json[0], test::full_record());
  check_all_fields(csv[0], test::full_record());
  check_all_fields(csv[1], test::failed_record());
  CHECK(json[0].samples.size() == test::full_record().samples.size());
}
