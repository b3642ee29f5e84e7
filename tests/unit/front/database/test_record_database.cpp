#include "sdbench/front/database/record_database.h"

#include <limits>
#include <string_view>
#include <vector>

#include "catch.h"
#include "sample_record.h"
#include "scratch_folder.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/front/database/database_rows.h"
#include "sdbench/front/record/record_json.h"
#include "sdbench/front/results/strict_rows.h"

using namespace sdbench;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("a database gives back records to the last bit, raw times included") {
  const test::ScratchFolder folder;
  RunRecord record = test::full_record();
  record.samples[1].parts.at(1).seconds = std::numeric_limits<double>::quiet_NaN();
  record.samples[0].step_s[1] = std::numeric_limits<double>::quiet_NaN();
  record.guidance = 1e300 / 3;
  const RunRecord records[] = {record, test::failed_record()};
  const auto check = [&](const std::filesystem::path& file) {
    const auto read = read_records({file});
    REQUIRE(read.size() == 2);
    CHECK(to_json_line(read[0]) == to_json_line(records[0]));
    CHECK(to_json_line(read[1]) == to_json_line(records[1]));
  };
  RecordDatabase(folder.path() / "r.db").add(records);
  check(folder.path() / "r.db");
  check(folder.write("document.db", database_document(records)));
}

TEST_CASE("a database keeps runs of other work without the times of their parts") {
  const test::ScratchFolder folder;
  RunRecord record = test::full_record();
  record.samples[0].parts = {{"forward", 1}, {"backward", 2}};
  RecordDatabase(folder.path() / "r.db").add({&record, 1});
  const auto read = read_records({folder.path() / "r.db"});
  REQUIRE(read.size() == 1);
  record.samples[0].parts.clear();
  CHECK(to_json_line(read[0]) == to_json_line(record));
}

TEST_CASE("a run that is in a database already stays as it is") {
  const test::ScratchFolder folder;
  const auto file = folder.path() / "r.db";
  RunRecord record = test::full_record();
  RecordDatabase(file).add({&record, 1});
  record.label = "again";
  record.samples.clear();
  RecordDatabase database(file);
  database.add({&record, 1});
  CHECK(database.has(record.run_id));
  CHECK_FALSE(database.has("another"));
  const auto read = read_records({file});
  REQUIRE(read.size() == 1);
  CHECK(read[0].label == test::full_record().label);
  CHECK(read[0].samples.size() == 2);
}

TEST_CASE("a database of others is refused and stays as it is") {
  const test::ScratchFolder folder;
  const auto file = folder.path() / "others.db";
  Database(file, Database::Mode::kWrite).execute("CREATE TABLE runs (run_id TEXT)");
  const std::string before = read_text_file(file);
  CHECK_THROWS_WITH(RecordDatabase(file), ContainsSubstring("sdbench merge"));
  CHECK(read_text_file(file) == before);
  CHECK_THROWS_WITH(RecordDatabase(folder.write("text.db", std::string(2000, 'x'))),
                    ContainsSubstring("must be a SQLite database, but is not"));
}

TEST_CASE("views and triggers of a database do not run") {
  const test::ScratchFolder folder;
  const auto file = folder.path() / "view.db";
  Database made(file, Database::Mode::kWrite);
  made.execute("CREATE TABLE other (run_id TEXT)");
  made.execute("CREATE VIEW runs AS SELECT run_id FROM other");
  CHECK_FALSE(DatabaseRows(file).is_ours());
}

TEST_CASE("a column that is computed when it is read is not read, nor a virtual table") {
  const test::ScratchFolder folder;
  const auto file = folder.path() / "computed.db";
  Database made(file, Database::Mode::kWrite);
  made.execute("CREATE TABLE runs (run_id TEXT, status TEXT, label AS (hex(zeroblob(30000000))))");
  made.execute("INSERT INTO runs VALUES ('one', 'ok')");
  CHECK(DatabaseRows(file).columns() == std::vector<std::string_view>{"run_id", "status"});
  const auto other = folder.path() / "virtual.db";
  Database(other, Database::Mode::kWrite).execute("CREATE VIRTUAL TABLE runs USING rtree(a, b, c)");
  CHECK_FALSE(DatabaseRows(other).is_ours());
}

TEST_CASE("an empty file is a database without rows, and a missing one is an error") {
  const test::ScratchFolder folder;
  CHECK(read_records({folder.write("empty.db", "")}).empty());
  CHECK_THROWS_AS(DatabaseRows(folder.path() / "no.db"), Error);
  CHECK_THROWS_AS(DatabaseRows(folder.path()), Error);
}

TEST_CASE("runs are read although a table of others is called samples") {
  const test::ScratchFolder folder;
  const auto file = folder.path() / "others.db";
  Database made(file, Database::Mode::kWrite);
  made.execute("CREATE TABLE runs (run_id TEXT, status TEXT)");
  made.execute("CREATE TABLE samples (sound BLOB)");
  made.execute("INSERT INTO runs VALUES ('one', 'ok')");
  DatabaseRows rows(file);
  CHECK(rows.next());
  CHECK(rows.values().front().text == "one");
}
