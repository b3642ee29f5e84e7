#include "sdbench/front/results/result_reader.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "catch.h"
#include "sample_record.h"
#include "scratch_folder.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/front/database/record_database.h"
#include "sdbench/front/database/sqlite.h"
#include "sdbench/front/record/field_access.h"
#include "sdbench/front/record/field_name.h"
#include "sdbench/front/record/ids.h"
#include "sdbench/front/record/record_csv.h"
#include "sdbench/front/record/record_field.h"
#include "sdbench/front/record/record_json.h"
#include "sdbench/front/record/run_record.h"
#include "sdbench/front/results/merge.h"
#include "sdbench/front/results/strict_rows.h"

using namespace sdbench;
using Catch::Matchers::ContainsSubstring;

namespace {

const std::filesystem::path kData = std::filesystem::path(SDBENCH_SOURCE_DIR) / "tests/data";

RunRecord ok_record(const std::string& run_id) {
  RunRecord record = test::full_record();
  record.run_id = run_id;
  return record;
}

std::vector<std::string> run_ids(const Results& results) {
  std::vector<std::string> ids;
  for (std::size_t row = 0; row < results.table.size(); ++row) {
    ids.emplace_back(results.table.text(row, "run_id"));
  }
  return ids;
}

using Ids = std::vector<std::string>;

std::string with(std::string text, std::string_view old, std::string_view by) {
  REQUIRE(text.find(old) != std::string::npos);
  return text.replace(text.find(old), old.size(), by);
}

/// The message about a broken row between two good ones in a CSV file.
std::string said_of_row(const std::string& broken) {
  const test::ScratchFolder folder;
  const auto file = folder.write("r.csv", csv_header() + to_csv_row(ok_record("first")) + broken +
                                              to_csv_row(ok_record("last")));
  const Results results = read_results({file});
  CHECK(run_ids(results) == Ids{"first", "last"});
  REQUIRE(results.bad.size() == 1);
  return results.bad[0].text();
}

std::string said_of_line(const std::string& broken, const char* name = "r.jsonl") {
  const test::ScratchFolder folder;
  const auto file = folder.write(name, to_json_line(ok_record("first")) + broken + "\n" +
                                           to_json_line(ok_record("last")));
  const Results results = read_results({file});
  CHECK(run_ids(results) == Ids{"first", "last"});
  REQUIRE(results.bad.size() == 1);
  return results.bad[0].text();
}

} // namespace

TEST_CASE("the sample files of every version are read, each field as it was written") {
  for (const std::string name : {"record-v4"}) {
    const auto records = read_records({kData / (name + ".json")});
    for (const char* extension : {".csv", ".json"}) {
      const Results results = read_results({kData / (name + extension)});
      CHECK(results.bad.empty());
      REQUIRE(results.table.size() == records.size());
      for (std::size_t row = 0; row < records.size(); ++row) {
        for (const RecordField& field : record_fields()) {
          if (field.name == "schema_version") {
            continue; // a table keeps the file's version, a record has the current one
          }
          INFO(name << extension << " " << field.name);
          const std::string text = field_text(records[row], field);
          const std::size_t place = FieldName::of(field.name).place();
          if (type_name(field) == "text" || field.name == "seed") {
            CHECK(results.table.text(row, place) == text);
          } else {
            const auto number = results.table.number(row, place);
            CHECK(number.has_value() == !text.empty());
            CHECK((text.empty() || *number == std::stod(text)));
          }
        }
      }
    }
  }
}

TEST_CASE("a bad row of CSV is named by file, line and column, and the others are read") {
  const std::string good = to_csv_row(ok_record("bad"));
  const std::string steps = "," + std::to_string(ok_record("").steps) + ",";
  CHECK_THAT(said_of_row(with(good, steps, ",many,")),
             ContainsSubstring("r.csv, line 4, column steps: must be of type integer, but is "
                               "\"many\""));
  CHECK_THAT(said_of_row(with(good, steps, ",1.5,")), ContainsSubstring("column steps"));
  CHECK_THAT(said_of_row(with(good, steps, ",,")), ContainsSubstring("steps: must not be empty"));
  CHECK_THAT(said_of_row(with(good, steps, ",")), ContainsSubstring("fields, as its header"));
  CHECK_THAT(said_of_row(with(good, steps, steps + "1,")), ContainsSubstring("fields, as its"));
  for (const char* number : {"inf", "nan", "-inf", "1e999", "0x1p3", "1,5", "--1"}) {
    RunRecord record = ok_record("bad");
    record.guidance = 98765.5;
    CHECK_THAT(said_of_row(with(to_csv_row(record), "98765.5", number)),
               number == std::string("1,5") ? ContainsSubstring("fields, as its header")
                                            : ContainsSubstring("column guidance"));
  }
  CHECK_THAT(said_of_row(with(good, steps, ",-5,")),
             ContainsSubstring("column steps: must not be negative, but is \"-5\""));
  CHECK_THAT(said_of_row(with(good, "\"ok\"", "\"fine\"")), ContainsSubstring("column status"));
  CHECK_THAT(said_of_row(with(good, "cpu+cuda", "cpu+tpu")),
             ContainsSubstring("column device_kind: must be cpu, cuda or intel, or several of them "
                               "joined by +, but is \"cpu+tpu\"; read it with a newer sdbench"));
  CHECK_THAT(
      said_of_row(with(good, "\"generate\"", "\"upscale\"")),
      ContainsSubstring("column task: must be generate, infer or train, but is \"upscale\""));
  CHECK_THAT(said_of_row(with(good, "\"euler\"", "\"heun\"")),
             ContainsSubstring("column scheduler: must be euler, but is \"heun\"; read it with a"));
  CHECK_THAT(said_of_row(with(good, "\"karras\"", "\"exponential\"")),
             ContainsSubstring("column noise_levels: must be training or karras, but is"));
  CHECK_THAT(said_of_row(with(good, "\"bad\"", "\"\"")), ContainsSubstring("column run_id"));
  CHECK_THAT(said_of_row(with(good, "4,\"bad\"", "99,\"bad\"")),
             ContainsSubstring("column schema_version: must be 4, but is 99; read it with a "
                               "newer sdbench"));
  CHECK_THAT(said_of_row(with(good, "gr\xc3\xbcn", "gr\xfcn")),
             ContainsSubstring("column note: must be UTF-8"));
  CHECK_THAT(said_of_row(good.substr(0, 60) + "\n"), ContainsSubstring("line 4"));
  const std::string short_row = to_csv_row(test::failed_record());
  CHECK_THAT(said_of_row(with(short_row, "crash", std::string("cr\0sh", 5))),
             ContainsSubstring("zero byte"));
}

TEST_CASE("a bad record of JSON lines is named by file, line and column, and the others are read") {
  const auto changed = [](const char* member, const nlohmann::ordered_json& value) {
    nlohmann::ordered_json json = to_json(ok_record("bad"));
    json[member] = value;
    return json.dump();
  };
  CHECK_THAT(said_of_line(changed("steps", "many")),
             ContainsSubstring("r.jsonl, line 2, column steps: must be of type integer, but is "
                               "\"many\""));
  CHECK_THAT(said_of_line(changed("steps", 1.5)), ContainsSubstring("column steps"));
  CHECK_THAT(said_of_line(changed("steps", true)), ContainsSubstring("column steps"));
  CHECK_THAT(said_of_line(changed("steps", 18446744073709551615U)),
             ContainsSubstring("column steps"));
  CHECK_THAT(said_of_line(changed("steps", nullptr)), ContainsSubstring("column steps"));
  CHECK_THAT(said_of_line(changed("seed", -1)), ContainsSubstring("column seed"));
  CHECK_THAT(said_of_line(changed("unet_it_s", true)), ContainsSubstring("column unet_it_s"));
  CHECK_THAT(said_of_line(changed("unet_it_s", -1)),
             ContainsSubstring("column unet_it_s: must not be negative, but is \"-1\""));
  CHECK_THAT(said_of_line(changed("clip_skip", -1)), // no cell has such a value, nor its id
             ContainsSubstring("column clip_skip: must not be negative, but is \"-1\""));
  CHECK_THAT(said_of_line(changed("images_per_s", -1)), ContainsSubstring("must not be negative"));
  CHECK_THAT(said_of_line(changed("status", "fine")), ContainsSubstring("column status"));
  CHECK_THAT(said_of_line(changed("device_kind", "tpu")), ContainsSubstring("but is \"tpu\""));
  CHECK_THAT(said_of_line(changed("device_kind", 3)), ContainsSubstring("column device_kind"));
  CHECK_THAT(said_of_line(changed("run_id", "")), ContainsSubstring("column run_id"));
  CHECK_THAT(said_of_line(changed("schema_version", 99)), ContainsSubstring("newer sdbench"));
  CHECK_THAT(said_of_line(changed("samples", 3)), ContainsSubstring("samples"));
  CHECK_THAT(said_of_line(with(changed("guidance", 98765.5), "98765.5", "1e999")),
             ContainsSubstring("line 2: must be JSON, but is not"));
  CHECK_THAT(said_of_line(with(changed("guidance", 98765.5), "98765.5", "NaN")),
             ContainsSubstring("must be JSON"));
  CHECK_THAT(said_of_line("{}"), ContainsSubstring("column run_id"));
  CHECK_THAT(said_of_line("{\"a\": \"\xff\"}"), ContainsSubstring("must be JSON"));
  CHECK_THAT(said_of_line("[3]", "r.json"), ContainsSubstring("line 2: must begin with a brace"));
}

TEST_CASE("files put behind each other are read, each under its own header") {
  const test::ScratchFolder folder;
  const std::string few = "schema_version,run_id,status,width,height,steps,batch,images,guidance,"
                          "seed,repeat\n4,\"few\",\"ok\",8,8,1,1,1,7.5,0,3\n";
  const std::string all = csv_header() + to_csv_row(ok_record("all"));
  const Results results = read_results(
      {folder.write("all.csv", "\xef\xbb\xbf" + all + few + all + "\n" + csv_header())});
  CHECK(results.bad.empty());
  CHECK(results.table.size() == 2);
  CHECK(results.table.text(0, "run_id") == "all");
  CHECK(results.table.number(1, "round") == 1); // a missing column has a record's default
  const Results json = read_results({folder.write(
      "all.json", to_json_document({}) + to_json_document(std::vector{ok_record("a")}) +
                      to_json_document(std::vector{ok_record("b")}))});
  CHECK(json.bad.empty());
  CHECK(json.table.size() == 2);
}

TEST_CASE("rows of an earlier schema version are named once a file, and the others are read") {
  const test::ScratchFolder folder;
  RunRecord earlier = ok_record("earlier");
  earlier.schema_version = kOldestSchemaVersion - 1;
  const std::string rows = to_csv_row(earlier) + to_csv_row(ok_record("today"));
  const Results results =
      read_results({folder.write("r.csv", csv_header() + to_csv_row(earlier) + rows),
                    folder.write("s.jsonl", to_json_line(earlier) + to_json_line(ok_record("s")))});
  CHECK(run_ids(results) == Ids{"today", "s"});
  REQUIRE(results.bad.size() == 3);
  CHECK_THAT(results.bad[0].text(),
             ContainsSubstring("r.csv, line 2, column schema_version: must be 4, but is 3; convert "
                               "the file with the last sdbench that reads it: `sdbench merge` of "
                               "commit "));
  CHECK_THAT(results.bad[1].text(), ContainsSubstring("1 more of its rows cannot be read"));
  CHECK_THAT(results.bad[2].text(), ContainsSubstring("s.jsonl, line 1, column schema_version"));
}

TEST_CASE("rows end in CR LF, too, and a last one that lacks its line end is read with a doubt") {
  const test::ScratchFolder folder;
  const auto without_end = [](std::string line) { return line.substr(0, line.size() - 1); };
  const std::string text = without_end(csv_header()) + "\r\n" +
                           without_end(to_csv_row(ok_record("one"))) + "\r\n" +
                           without_end(to_csv_row(ok_record("two")));
  const Results results = read_results({folder.write("r.csv", text)});
  CHECK(run_ids(results) == Ids{"one", "two"});
  CHECK(results.bad.empty());
  REQUIRE(results.doubtful.size() == 1);
  CHECK_THAT(results.doubtful[0].text(),
             ContainsSubstring("r.csv, line 4: must end in a line end"));
  const Results whole = read_results({folder.write("r.csv", text + "\r\n")});
  CHECK(whole.doubtful.empty());
}

TEST_CASE("a last row that is bad is left out, and no doubt is added") {
  const test::ScratchFolder folder;
  const std::string row = to_csv_row(ok_record("one"));
  const Results results =
      read_results({folder.write("r.csv", csv_header() + row + row.substr(0, row.size() / 2))});
  CHECK(results.table.size() == 1);
  CHECK(results.bad.size() == 1);
  CHECK(results.doubtful.empty());
}

TEST_CASE(
    "a CSV with semicolons or tabs has decimal commas, and a spreadsheet's own lines are passed "
    "over") {
  const test::ScratchFolder folder;
  const char separator = GENERATE(';', '\t');
  const auto as_spreadsheet = [separator](std::string text) {
    std::ranges::replace(text, ',', separator);
    std::ranges::replace(text, '.', ',');
    return text;
  };
  RunRecord record = ok_record("one");
  record.guidance = 7.5;
  record.cuda_visible_devices = "0.1"; // becomes "0,1", a text
  const std::string text = as_spreadsheet(csv_header() + to_csv_row(record));
  const std::string emptied(std::size_t(std::ranges::count(csv_header(), ',')), separator);
  for (const std::string above : {"", "sep=;\r\n", "SEP=;\n"}) {
    const Results results = read_results({folder.write("r.csv", above + text + emptied + "\r\n")});
    CHECK(results.bad.empty());
    REQUIRE(results.table.size() == 1);
    CHECK(results.table.number(0, "guidance") == 7.5);
    CHECK(results.table.text(0, field_index("cuda_visible_devices")) == "0,1");
  }
}

TEST_CASE("what separates fields is seen wherever the version stands") {
  const test::ScratchFolder folder;
  for (const char* ends : {"\n", "\r\n", ""}) {
    for (const std::string quote : {"", "\""}) {
      const std::string header = "run_id;status;" + quote + "schema_version" + quote + ends;
      CAPTURE(header);
      const Results results = read_results({folder.write("r.csv", header)});
      CHECK(results.bad.size() == (*ends == '\0' ? 1 : 0)); // without its end, it is cut off
    }
  }
}

TEST_CASE("what has no header is named once, and a column that comes twice is read once") {
  const test::ScratchFolder folder;
  const auto telemetry = folder.write("telemetry.csv", "time_s,power_w\n1,2\n3,4\n");
  const Results none = read_results({telemetry});
  REQUIRE(none.bad.size() == 1);
  CHECK_THAT(none.bad[0].text(), ContainsSubstring("line 1: must be a header"));
  const Results twice = read_results({folder.write(
      "twice.csv", "schema_version,run_id,status,width,height,steps,batch,images,guidance,seed,"
                   "repeat,steps\n4,a,ok,1,1,7,1,1,1,1,1,9\n")});
  REQUIRE(twice.bad.size() == 1);
  CHECK_THAT(twice.bad[0].text(), ContainsSubstring("line 1, column steps: must be named once"));
  REQUIRE(twice.table.size() == 1);
  CHECK(twice.table.number(0, "steps") == 7);
}

TEST_CASE("a folder's other files are passed over, and its links may lead nowhere or in circles") {
  namespace fs = std::filesystem;
  const test::ScratchFolder folder;
  folder.write("r.csv", csv_header() + to_csv_row(ok_record("one")));
  folder.write("telemetry.csv", "time_s,power_w\n1,2\n");
  folder.write("config.json", "{\"model\": \"sd15\"}");
  folder.write("empty.jsonl", "");
  folder.write("notes.txt", "x");
  folder.write("below/r.csv", csv_header() + to_csv_row(ok_record("two")));
  fs::create_directory_symlink("..", folder.path() / "below" / "up");
  fs::create_symlink("circle.csv", folder.path() / "circle.csv");
  fs::create_symlink("nowhere.json", folder.path() / "gone.json");
  fs::create_directory(folder.path() / "folder.csv");
  const Results results = read_results({folder.path()});
  CHECK(run_ids(results) == Ids{"one"});
  CHECK(results.bad.empty());
}

TEST_CASE("a file that was cut off in its header is named, also in a folder") {
  const std::string header = csv_header();
  for (const std::size_t length : {std::size_t{9}, header.size() / 2, header.size() - 1}) {
    const test::ScratchFolder folder;
    folder.write("cut.csv", header.substr(0, length));
    folder.write("r.csv", header);
    const Results results = read_results({folder.path()});
    INFO(length);
    REQUIRE(results.bad.size() == 1);
    CHECK_THAT(results.bad[0].text(), ContainsSubstring("cut.csv"));
  }
}

TEST_CASE("files are read by their ending in capitals, too") {
  const test::ScratchFolder folder;
  folder.write("RESULTS.CSV", csv_header() + to_csv_row(ok_record("one")));
  folder.write("MORE.JSONL", to_json_line(ok_record("two")));
  CHECK(run_ids(read_results({folder.path()})) == Ids{"two", "one"});
}

TEST_CASE("a path that is not there and a file of another kind are refused before any is read") {
  const test::ScratchFolder folder;
  const auto good = folder.write("r.csv", csv_header());
  CHECK_THROWS_AS(read_results({good, folder.path() / "no.csv"}), UsageError);
  CHECK_THROWS_WITH(read_results({folder.write("r.txt", "")}),
                    ContainsSubstring("must end in .csv, .json, .jsonl, .db or .sqlite"));
  CHECK(
      read_results({good, folder.write("empty.json", ""), folder.write("e.csv", "")}).bad.empty());
}

TEST_CASE("a file that cannot be read, or is UTF-16, is named as a whole") {
  const test::ScratchFolder folder;
  const auto utf16 = folder.write("wide.csv", "\xff\xfes\x01");
  const auto good = folder.write("r.csv", csv_header() + to_csv_row(ok_record("one")));
  const Results results = read_results({utf16, good});
  CHECK(run_ids(results) == Ids{"one"});
  REQUIRE(results.bad.size() == 1);
  CHECK_THAT(results.bad[0].text(), ContainsSubstring("wide.csv: must be UTF-8, but is UTF-16"));
}

TEST_CASE("of very many bad rows the first are named, and the others counted") {
  const test::ScratchFolder folder;
  std::string text = csv_header();
  for (int i = 0; i < 1000; ++i) {
    text += "2\n";
  }
  const Results results = read_results({folder.write("r.csv", text)});
  REQUIRE(results.bad.size() == 101);
  CHECK_THAT(results.bad.back().text(), ContainsSubstring("900 more of its rows"));
}

TEST_CASE("a database is read like the other files, and a bad row of it is named") {
  const test::ScratchFolder folder;
  const auto file = folder.path() / "r.db";
  const RunRecord records[] = {ok_record("first"), ok_record("bad"), ok_record("last")};
  RecordDatabase(file).add(records);
  const Results whole = read_results({file}, {.raw_times = true});
  CHECK(whole.bad.empty());
  REQUIRE(run_ids(whole) == Ids{"first", "bad", "last"});
  CHECK(whole.raw.at("last").samples.size() == 2);
  const std::size_t fields = record_fields().size();
  ResultTable expected;
  expected.add(records[2]);
  for (std::size_t field = 0; field < fields; ++field) {
    CHECK(whole.table.value_text(2, field) == expected.value_text(0, field));
  }
  for (const auto& [value, words] :
       {std::pair{"steps = 'many'", "r.db, row 2, column steps: must be of type integer"},
        std::pair{"steps = 1.5", "column steps"}, std::pair{"guidance = 9e999", "column guidance"},
        std::pair{"label = x'00ff'", "column label: must be text or a number"},
        std::pair{"status = 'fine'", "column status"},
        std::pair{"device_kind = 'tpu'", "column device_kind"},
        std::pair{"schema_version = 99", "read it with a newer sdbench"}}) {
    Database changed(file, Database::Mode::kWrite);
    changed.execute("BEGIN");
    changed.execute(std::string("UPDATE runs SET ") + value + " WHERE run_id = 'bad'");
    const auto copy = folder.write("copy.db", changed.bytes());
    changed.execute("ROLLBACK");
    const Results results = read_results({copy});
    INFO(value);
    CHECK(run_ids(results) == Ids{"first", "last"});
    REQUIRE(results.bad.size() == 1);
    CHECK_THAT(with(results.bad[0].text(), "copy.db", "r.db"), ContainsSubstring(words));
  }
}

TEST_CASE("a damaged database and one of others are named, and other files are read") {
  const test::ScratchFolder folder;
  const auto good = folder.write("r.csv", csv_header() + to_csv_row(ok_record("one")));
  std::string bytes = database_document(std::vector{ok_record("two")});
  std::fill(bytes.begin() + 4096, bytes.end(), '\xee');
  const auto damaged = folder.write("damaged.db", bytes);
  const auto text = folder.write("text.sqlite", std::string(3000, 'x'));
  Database(folder.path() / "music.db", Database::Mode::kWrite).execute("CREATE TABLE songs (a)");
  const Results results = read_results({damaged, text, folder.path() / "music.db", good});
  CHECK(run_ids(results) == Ids{"one"});
  REQUIRE(results.bad.size() == 3);
  CHECK_THAT(results.bad[0].text(), ContainsSubstring("damaged"));
  CHECK_THAT(results.bad[1].text(), ContainsSubstring("must be a SQLite database, but is not"));
  CHECK_THAT(results.bad[2].text(), ContainsSubstring("must have a table runs"));
}

TEST_CASE("a row that has another run's id, but tells something else, is named and left out") {
  const test::ScratchFolder folder;
  RunRecord copy = ok_record("one"); // redacted, and from an earlier version
  copy.host.clear();
  copy.unet_it_s.reset();
  RunRecord other = ok_record("one");
  other.e2e_s = 98765.5;
  const auto file =
      folder.write("r.csv", csv_header() + to_csv_row(ok_record("one")) + to_csv_row(copy) +
                                to_csv_row(other) + to_csv_row(ok_record("two")));
  const Results results = read_results({file});
  CHECK(run_ids(results) == Ids{"one", "two"});
  CHECK(results.table.number(0, "e2e_s") == ok_record("one").e2e_s);
  REQUIRE(results.bad.size() == 1);
  CHECK_THAT(results.bad[0].text(), ContainsSubstring("column run_id: must name a single run"));
  CHECK_THAT(results.bad[0].text(), ContainsSubstring("another e2e_s"));
}

TEST_CASE("a file of a folder that cannot be read is named, for its rows are missing") {
  const test::ScratchFolder folder;
  folder.write("r.csv", csv_header() + to_csv_row(ok_record("one")));
  folder.write("broken.db", std::string(3000, 'x'));
  folder.write("wide.csv", "\xff\xfes\x01");
  const Results results = read_results({folder.path()});
  CHECK(run_ids(results) == Ids{"one"});
  REQUIRE(results.bad.size() == 2);
  CHECK_THAT(results.bad[0].text(), ContainsSubstring("broken.db"));
  CHECK_THAT(results.bad[1].text(), ContainsSubstring("wide.csv: must be UTF-8"));
}

TEST_CASE("a row that failed before it told its device gets that of its sweep") {
  const test::ScratchFolder folder;
  const auto row = [](const std::string& run_id, const std::string& sweep,
                      const std::string& name) {
    RunRecord record = ok_record(run_id);
    record.sweep_id = sweep;
    record.device = "auto";
    record.device_name = name;
    record.device_uuid = "";
    record.status = name.empty() ? "skipped" : "ok";
    return record;
  };
  const auto names = [&](const std::vector<RunRecord>& rows) {
    std::string text = csv_header();
    for (const RunRecord& record : rows) {
      text += to_csv_row(record);
    }
    const Results results = read_results({folder.write("r.csv", text)});
    std::vector<std::string> found;
    for (std::size_t place = 0; place < results.table.size(); ++place) {
      found.emplace_back(results.table.text(place, "device_name"));
    }
    return found;
  };
  CHECK(names({row("one", "s1", ""), row("two", "s1", "A"), row("three", "s2", "B")}) ==
        Ids{"A", "A", "B"});
  CHECK(names({row("one", "s1", ""), row("two", "s2", "A"), row("three", "s3", "A")}) ==
        Ids{"A", "A", "A"}); // the host's only one
  CHECK(names({row("one", "s1", ""), row("two", "s2", "A"), row("three", "s3", "B")}) ==
        Ids{"", "A", "B"});
}
