#include "sdbench/sink/record_reader.h"

#include <string>

#include "catch.h"
#include "sample_record.h"
#include "scratch_folder.h"
#include "sdbench/core/error.h"
#include "sdbench/record/record_csv.h"
#include "sdbench/record/record_json.h"

using namespace sdbench;

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

TEST_CASE("what is no record is refused with its file") {
  const test::ScratchFolder folder;
  const auto file = folder.write("broken.jsonl", "{\n");
  CHECK_THROWS_WITH(read_records({file}), Catch::Matchers::StartsWith(file.string()));
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
