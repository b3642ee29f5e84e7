#include "sdbench/sink/sink_set.h"

#include <sstream>

#include "catch.h"
#include "sample_record.h"
#include "scratch_folder.h"
#include "sdbench/core/error.h"
#include "sdbench/core/json_io.h"
#include "sdbench/record/record_csv.h"
#include "sdbench/record/record_json.h"
#include "sdbench/sink/stream_sink.h"

using namespace sdbench;

namespace {

class FailingSink : public RecordSink {
public:
  void write(const RunRecord&) override { throw Error("this sink refuses"); }
};

} // namespace

TEST_CASE("each file gets the record in the format of its extension") {
  const test::ScratchFolder folder;
  const auto at = [&](const char* name) { return folder.path() / name; };
  SinkSet sinks({at("r.csv"), at("r.json"), at("r.jsonl"), at("r.md")});
  sinks.write(test::full_record());
  sinks.write(test::failed_record());
  CHECK(records_from_csv(read_text_file(at("r.csv")), "csv").size() == 2);
  CHECK(records_from_json(read_text_file(at("r.json")), "json").size() == 2);
  CHECK(records_from_json_lines(read_text_file(at("r.jsonl")), "jsonl").size() == 2);
  CHECK(read_text_file(at("r.md")).starts_with("| model |"));
}

TEST_CASE("CSV and JSON lines grow over processes, JSON and Markdown are replaced whole") {
  const test::ScratchFolder folder;
  const auto csv = folder.path() / "r.csv";
  const auto json = folder.path() / "r.json";
  for (int process = 0; process < 2; ++process) {
    SinkSet({csv, json}).write(test::full_record());
  }
  CHECK(records_from_csv(read_text_file(csv), "csv").size() == 2);
  CHECK(records_from_json(read_text_file(json), "json").size() == 1);
}

TEST_CASE("targets are checked before anything runs") {
  const test::ScratchFolder folder;
  CHECK_THROWS_AS(SinkSet({folder.path() / "no" / "r.json"}), Error);
  CHECK_THROWS_AS(SinkSet({folder.path() / "no" / "r.csv"}), Error);
  std::filesystem::create_directory(folder.path() / "folder.json");
  CHECK_THROWS_AS(SinkSet({folder.path() / "folder.json"}), Error);
  CHECK_THROWS_AS(SinkSet({folder.path() / "r.csv", folder.path() / "r"}), UsageError);
  CHECK_FALSE(std::filesystem::exists(folder.path() / "r.csv"));
  CHECK_THROWS_AS(SinkSet({folder.path() / "r.csv", folder.path() / "." / "r.csv"}), UsageError);
}

TEST_CASE("one file by two names is refused, whether it is there or not") {
  const test::ScratchFolder folder;
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  CHECK_THROWS_AS(SinkSet({"a.csv", "./a.csv"}), UsageError);
  CHECK_THROWS_AS(SinkSet({"a.csv", folder.path() / "a.csv"}), UsageError);
  CHECK(std::filesystem::is_empty(folder.path()));
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

TEST_CASE("one sink that refuses does not keep the row from the others") {
  const test::ScratchFolder folder;
  SinkSet sinks({});
  sinks.add(std::make_unique<FailingSink>());
  std::ostringstream out;
  sinks.add(std::make_unique<StreamSink>(out, format_by_name("csv"), false));
  CHECK_THROWS_WITH(sinks.write(test::failed_record()), "this sink refuses");
  CHECK(records_from_csv(out.str(), "out").size() == 1);
}

TEST_CASE("standard output gets one header for all rows") {
  std::ostringstream out;
  StreamSink sink(out, format_by_name("csv"), false);
  sink.write(test::failed_record());
  sink.write(test::failed_record());
  CHECK(records_from_csv(out.str(), "out").size() == 2);
}

TEST_CASE("a closed standard output is an error") {
  std::ostringstream out;
  out.setstate(std::ios::badbit);
  StreamSink sink(out, format_by_name("json"), false);
  CHECK_THROWS_AS(sink.write(test::failed_record()), Error);
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
