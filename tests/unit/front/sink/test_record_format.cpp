#include "sdbench/front/sink/record_format.h"

#include <vector>

#include "catch.h"
#include "sample_record.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/front/record/record_csv.h"
#include "sdbench/front/record/record_json.h"
#include "sdbench/front/results/strict_rows.h"

using namespace sdbench;

TEST_CASE("formats are found by name and by extension") {
  CHECK(format_by_name("csv").name == "csv");
  CHECK(format_by_extension("a/b.jsonl").name == "jsonl");
  CHECK(format_by_extension("x.y.md").name == "md");
  CHECK_THROWS_WITH(format_by_name("jsno"),
                    "--format must be table, csv, json, jsonl, md or org, but is "
                    "\"jsno\"; did you mean json?");
}

TEST_CASE("an output that is no file name says what to write instead") {
  CHECK_THROWS_WITH(
      format_by_extension("csv"),
      "--output must be a file that ends in .csv, .json, .jsonl, .md, .org or .db, but is \"csv\"; "
      "write --format csv to see it, or -o results.csv to keep it");
  CHECK_THROWS_AS(format_by_extension("results.txt"), UsageError);
  CHECK_THROWS_AS(format_by_extension("results"), UsageError);
  CHECK_THROWS_AS(format_by_extension("folder.csv/"), UsageError);
  CHECK_THROWS_AS(format_by_extension(""), UsageError);
}

TEST_CASE("the file of a table for people says first whose rows it holds") {
  const std::vector<RunRecord> records = {test::failed_record()};
  CHECK(file_document(format_by_name("org"), records)
            .starts_with("# sdbench run: 0123456789abcdef\n| model | size | "));
  CHECK(file_document(format_by_name("md"), records)
            .starts_with("<!-- sdbench run: 0123456789abcdef -->\n| model | size | "));
  CHECK_THROWS_AS(format_by_name("html"), UsageError); // its first line does not name its rows
}

TEST_CASE("documents of machine formats read back") {
  const std::vector<RunRecord> records = {test::full_record(), test::failed_record()};
  CHECK(records_of_text(format_by_name("csv").document(records), "r.csv").size() == 2);
  CHECK(records_of_text(format_by_name("json").document(records), "r.json").size() == 2);
  CHECK(records_of_text(format_by_name("jsonl").document(records), "r.jsonl").size() == 2);
}
