#include "sdbench/front/sink/sink_set.h"

#include <algorithm>
#include <csignal>
#include <ios>
#include <iterator>
#include <sstream>

#include <sys/wait.h>
#include <unistd.h>

#include "catch.h"
#include "environment.h"
#include "sample_record.h"
#include "scratch_folder.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/front/record/record_csv.h"
#include "sdbench/front/record/record_json.h"
#include "sdbench/front/results/strict_rows.h"
#include "sdbench/front/sink/record_format.h"
#include "sdbench/front/sink/stream_sink.h"

using namespace sdbench;

namespace {

/// A sink that refuses rows as long as it is told to.
class MoodySink : public RecordSink {
public:
  MoodySink(const bool& refuses, std::vector<std::size_t>& counts)
      : refuses_(refuses), counts_(counts) {}
  [[nodiscard]] std::string name() const override { return "moody.csv"; }
  void write(std::span<const RunRecord> records, std::size_t taken) override {
    if (refuses_) {
      throw Error("this sink refuses");
    }
    counts_.push_back(records.size() - taken);
  }

private:
  const bool& refuses_;
  std::vector<std::size_t>& counts_;
};

void nobody(const std::string&) {}

RunRecord record_named(const std::string& run_id) {
  RunRecord record = test::failed_record();
  record.run_id = run_id;
  return record;
}

} // namespace

TEST_CASE("each file gets the record in the format of its extension") {
  const test::ScratchFolder folder;
  const auto at = [&](const char* name) { return folder.path() / name; };
  SinkSet sinks({at("r.csv"), at("r.json"), at("r.jsonl"), at("r.md")}, nobody);
  sinks.write(test::full_record());
  sinks.write(test::failed_record());
  CHECK(records_of_text(read_text_file(at("r.csv")), "r.csv").size() == 2);
  CHECK(records_of_text(read_text_file(at("r.json")), "r.json").size() == 2);
  CHECK(records_of_text(read_text_file(at("r.jsonl")), "r.jsonl").size() == 2);
  CHECK(read_text_file(at("r.md")).starts_with("<!-- sdbench run: "));
  CHECK(read_text_file(at("r.md")).find("\n| model |") != std::string::npos);
}

TEST_CASE("CSV and JSON lines grow over processes, JSON and Markdown are replaced whole") {
  const test::ScratchFolder folder;
  const auto csv = folder.path() / "r.csv";
  const auto json = folder.path() / "r.json";
  for (int process = 0; process < 2; ++process) {
    SinkSet({csv, json}, nobody).write(test::full_record());
  }
  CHECK(records_of_text(read_text_file(csv), "r.csv").size() == 2);
  CHECK(records_of_text(read_text_file(json), "r.json").size() == 1);
}

TEST_CASE(
    "a file that is replaced whole is for one writer at a time, and a second one is told of") {
  const test::ScratchFolder folder;
  const auto json = folder.write("r.json", "[]"); // from an earlier run
  std::vector<std::string> said;
  const auto say = [&](const std::string& text) { said.push_back(text); };
  SinkSet one({json}, say);
  one.write(record_named("1"));
  one.write(record_named("2"));
  std::filesystem::remove(json);
  one.write(record_named("3")); // keeps the rows of others
  CHECK(said.empty());
  SinkSet({json}, nobody).write(record_named("another"));
  one.write(record_named("4"));
  REQUIRE(said.size() == 1);
  CHECK_THAT(said[0], Catch::Matchers::ContainsSubstring("r.json was written by another program"));
  CHECK(records_of_text(read_text_file(json), "r.json").size() == 4);
  SinkSet({json}, nobody).write(record_named("another"));
  one.write(record_named("5"));
  CHECK(said.size() == 1); // not repeated with every row
}

TEST_CASE("targets are checked before anything runs") {
  const test::ScratchFolder folder;
  CHECK_THROWS_AS(SinkSet({folder.path() / "no" / "r.json"}, nobody), Error);
  CHECK_THROWS_AS(SinkSet({folder.path() / "no" / "r.csv"}, nobody), Error);
  std::filesystem::create_directory(folder.path() / "folder.json");
  CHECK_THROWS_AS(SinkSet({folder.path() / "folder.json"}, nobody), Error);
  CHECK_THROWS_AS(SinkSet({folder.path() / "r.csv", folder.path() / "r"}, nobody), UsageError);
  CHECK_FALSE(std::filesystem::exists(folder.path() / "r.csv"));
  CHECK_THROWS_AS(SinkSet({folder.path() / "r.csv", folder.path() / "." / "r.csv"}, nobody),
                  UsageError);
}

TEST_CASE("one file by two names is refused, whether it is there or not") {
  const test::ScratchFolder folder;
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  CHECK_THROWS_AS(SinkSet({"a.csv", "./a.csv"}, nobody), UsageError);
  CHECK_THROWS_AS(SinkSet({"a.csv", folder.path() / "a.csv"}, nobody), UsageError);
  CHECK(std::filesystem::is_empty(folder.path()));
  std::filesystem::create_symlink("a.json", "to_a.json"); // before a.json is there
  CHECK_THROWS_AS(SinkSet({"a.json", "to_a.json"}, nobody), UsageError);
  std::filesystem::create_symlink("round.json", "round.json");
  CHECK_THROWS_AS(SinkSet({"round.json", "round.json"}, nobody), UsageError);
  folder.write("b.json", "");
  std::filesystem::create_hard_link("b.json", "also_b.json");
  CHECK_THROWS_AS(SinkSet({"b.json", "also_b.json"}, nobody), UsageError);
  std::filesystem::current_path(before);
}

TEST_CASE("checking a target that will be replaced leaves no trace") {
  const test::ScratchFolder folder;
  const auto old = folder.write("old.json", "content");
  check_replaceable(old);
  check_replaceable(folder.path() / "new.json");
  CHECK(read_text_file(old) == "content");
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
}

TEST_CASE(
    "what an output refuses is said once, goes to the others, and is tried with each next row") {
  std::vector<std::string> said;
  bool refuses = true;
  std::vector<std::size_t> counts;
  std::ostringstream out;
  SinkSet sinks({}, [&](const std::string& text) { said.push_back(text); });
  sinks.add(std::make_unique<MoodySink>(refuses, counts));
  sinks.add(std::make_unique<StreamSink>(out, format_by_name("csv"), false));
  sinks.write(test::failed_record());
  sinks.write(test::failed_record());
  CHECK(said == std::vector<std::string>{
                    "this sink refuses; its rows are kept and tried again with each next row"});
  CHECK(records_of_text(out.str(), "out.csv").size() == 2);
  refuses = false;
  sinks.write(test::failed_record());
  CHECK(counts == std::vector<std::size_t>{3});
  CHECK(said.back() == "moody.csv can be written again: it got 3 rows that had been kept");
  sinks.write(test::failed_record());
  CHECK(counts == std::vector<std::size_t>{3, 1});
  CHECK(sinks.finish());
  CHECK(said.size() == 2);
}

TEST_CASE("kept rows are tried a last time at the end, and an output that lacks some is named") {
  for (const bool in_time : {true, false}) {
    std::string said;
    bool refuses = true;
    std::vector<std::size_t> counts;
    SinkSet sinks({}, [&](const std::string& text) { said = text; });
    sinks.add(std::make_unique<MoodySink>(refuses, counts));
    sinks.write(test::failed_record());
    refuses = !in_time;
    CHECK(sinks.finish() == in_time);
    CHECK(said == (in_time ? "moody.csv can be written again: it got 1 row that had been kept"
                           : "moody.csv lacks 1 row of this run: this sink refuses"));
  }
}

TEST_CASE("rows that no file takes go to the folder for temporary files") {
  const test::ScratchFolder folder;
  const test::ScratchFolder temporary;
  const test::EnvironmentVariable place("TMPDIR", temporary.path().c_str());
  std::string said;
  SinkSet sinks({folder.path() / "r.csv"}, [&](const std::string& text) { said = text; });
  std::filesystem::remove(folder.path() / "r.csv");
  std::filesystem::create_directory(folder.path() / "r.csv");
  sinks.write(record_named("one"));
  sinks.write(record_named("two"));
  CHECK_FALSE(sinks.finish());
  const auto rescued = temporary.path() / "sdbench-rescued-two.jsonl";
  CHECK(said == "all rows of this run are in " + rescued.string() + "; move it to a safe place");
  CHECK(records_of_text(read_text_file(rescued), "rescued.jsonl").size() == 2);
}

TEST_CASE("a folder for temporary files that is none is passed over for the next one") {
  const test::ScratchFolder folder;
  const test::EnvironmentVariable place("TMPDIR", (folder.path() / "nowhere").c_str());
  std::string said;
  SinkSet sinks({folder.path() / "r.csv"}, [&](const std::string& text) { said = text; });
  std::filesystem::remove(folder.path() / "r.csv");
  std::filesystem::create_directory(folder.path() / "r.csv");
  sinks.write(record_named("passed-over"));
  CHECK_FALSE(sinks.finish());
  CHECK(sinks.saved().empty());
  const std::filesystem::path rescued = "/tmp/sdbench-rescued-passed-over.jsonl";
  CHECK(said == "all rows of this run are in " + rescued.string() + "; move it to a safe place");
  CHECK(std::filesystem::remove(rescued));
}

TEST_CASE("only files that have all rows are said to be saved") {
  const test::ScratchFolder folder;
  const auto whole = folder.path() / "whole.jsonl";
  const auto lost = folder.path() / "lost.csv";
  const auto unwritten = folder.path() / "unwritten.json";
  CHECK(SinkSet({unwritten}, nobody).saved().empty());
  SinkSet sinks({whole, lost}, nobody);
  std::filesystem::remove(lost);
  std::filesystem::create_directory(lost);
  sinks.write(record_named("one"));
  CHECK_FALSE(sinks.finish());
  CHECK(sinks.saved() == std::vector<std::filesystem::path>{whole});
}

TEST_CASE("lost files are made again with all rows of the run") {
  const test::ScratchFolder folder;
  const auto results = folder.path() / "results";
  std::filesystem::create_directory(results);
  SinkSet sinks({results / "r.csv", results / "r.jsonl", results / "r.json", results / "r.md"},
                nobody);
  sinks.write(record_named("one"));
  sinks.write(record_named("two"));
  std::filesystem::remove_all(results);
  sinks.write(record_named("three"));
  CHECK(sinks.finish());
  const auto check = [](const std::vector<RunRecord>& records) {
    REQUIRE(records.size() == 3);
    CHECK(records[0].run_id == "one");
    CHECK(records[2].run_id == "three");
  };
  check(records_of_text(read_text_file(results / "r.csv"), "r.csv"));
  check(records_of_text(read_text_file(results / "r.jsonl"), "r.jsonl"));
  check(records_of_text(read_text_file(results / "r.json"), "r.json"));
  CHECK(std::filesystem::exists(results / "r.md"));
}

TEST_CASE("a document is whole whenever its writer is killed") {
  for (unsigned round = 0; round < 20; ++round) {
    const test::ScratchFolder folder;
    const auto json = folder.path() / "r.json";
    SinkSet({json}, nobody).write(record_named("first"));
    const pid_t writer = ::fork();
    if (writer == 0) {
      SinkSet sinks({json}, nobody);
      for (;;) {
        sinks.write(test::full_record());
      }
    }
    ::usleep(1'000 * (1 + 3 * round));
    ::kill(writer, SIGKILL);
    ::waitpid(writer, nullptr, 0);
    CHECK_FALSE(records_of_text(read_text_file(json), "r.json").empty());
  }
}

TEST_CASE("a run that is resumed leaves all rows in every file, each once") {
  const test::ScratchFolder folder;
  const auto at = [&](const char* name) { return folder.path() / name; };
  RunRecord with_samples = record_named("one");
  with_samples.first_image.emplace();
  { // a killed run leaves such files: the CSV has a row more, and the Markdown is missing
    SinkSet all({at("r.csv"), at("r.jsonl"), at("r.json")}, nobody);
    all.write(with_samples);
    SinkSet({at("r.csv")}, nobody).write(record_named("two"));
  }
  for (const std::size_t expected : {2U, 2U, 3U}) {
    SinkSet sinks({at("r.jsonl"), at("r.csv"), at("r.json"), at("r.md")}, nobody);
    sinks.resume();
    const auto held = sinks.records();
    REQUIRE(held.size() == 2);
    CHECK(held[0].first_image);
    if (expected == 3) {
      sinks.write(record_named("three"));
    }
    CHECK(sinks.finish());
    CHECK(records_of_text(read_text_file(at("r.csv")), "r.csv").size() == expected);
    const auto in_lines = records_of_text(read_text_file(at("r.jsonl")), "r.jsonl");
    CHECK(in_lines.size() == expected);
    CHECK(in_lines[0].first_image);
    CHECK(records_of_text(read_text_file(at("r.json")), "r.json").size() == expected);
    const std::string markdown = read_text_file(at("r.md"));
    CHECK(std::ranges::count(markdown, '\n') == static_cast<std::ptrdiff_t>(3 + expected));
  }
}

TEST_CASE("standard output gets one header for all rows") {
  std::ostringstream out;
  StreamSink sink(out, format_by_name("csv"), false);
  const RunRecord records[] = {test::failed_record(), test::failed_record()};
  sink.write(std::span(records).first(1), 0);
  sink.write(records, 1);
  CHECK(records_of_text(out.str(), "out.csv").size() == 2);
}

TEST_CASE("a closed standard output is an error") {
  std::ostringstream out;
  out.setstate(std::ios::badbit);
  StreamSink sink(out, format_by_name("json"), false);
  const RunRecord records[] = {test::failed_record()};
  CHECK_THROWS_AS(sink.write(records, 0), Error);
}

TEST_CASE("the default files are named after the host and stay in their folder") {
  const test::ScratchFolder folder;
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  const auto files = default_outputs("../gpu box.1");
  CHECK(files == std::vector<std::filesystem::path>{"sdbench-results/_._gpu_box.1.csv",
                                                    "sdbench-results/_._gpu_box.1.jsonl"});
  CHECK(std::filesystem::is_directory("sdbench-results"));
  std::filesystem::current_path(before);
}
