#include "sdbench/front/sink/file_sinks.h"

#include <csignal>
#include <exception>
#include <span>
#include <vector>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "catch.h"
#include "sample_record.h"
#include "scratch_folder.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/front/database/database_rows.h"
#include "sdbench/front/record/record_json.h"
#include "sdbench/front/record/run_record.h"
#include "sdbench/front/results/strict_rows.h"

using namespace sdbench;
using Catch::Matchers::ContainsSubstring;

namespace {

std::vector<RunRecord> rows_named(const std::string& prefix, int count) {
  std::vector<RunRecord> records;
  for (int i = 0; i < count; ++i) {
    records.push_back(test::full_record());
    records.back().run_id = prefix + std::to_string(i);
  }
  return records;
}

std::vector<std::string> names_in(const std::filesystem::path& file) {
  std::vector<std::string> names;
  for (const RunRecord& record : read_records({file})) {
    names.push_back(record.run_id);
  }
  return names;
}

using Names = std::vector<std::string>;

} // namespace

TEST_CASE("a database grows over processes, and resume finds its rows") {
  const test::ScratchFolder folder;
  const auto file = folder.path() / "r.db";
  const auto say = [](const std::string&) {};
  SinkSet({file}, say).write(rows_named("a", 1)[0]);
  SinkSet sinks({file, folder.path() / "r.jsonl"}, say);
  sinks.resume();
  const auto found = sinks.records();
  REQUIRE(found.size() == 1);
  CHECK(to_json_line(found[0]) == to_json_line(rows_named("a", 1)[0]));
  sinks.write(rows_named("b", 1)[0]);
  CHECK(sinks.finish());
  CHECK(names_in(file) == Names{"a0", "b0"});
}

TEST_CASE("programs that write a database at the same time lose nothing") {
  const test::ScratchFolder folder;
  const auto file = folder.path() / "r.db";
  constexpr int kRows = 10;
  for (const char* name : {"a", "b", "c"}) {
    if (::fork() == 0) {
      int code = 0;
      try {
        const auto rows = rows_named(name, kRows);
        const auto sink = open_file_sink(file, [](const std::string&) {});
        for (std::size_t taken = 0; taken < rows.size(); ++taken) {
          sink->write(std::span(rows).first(taken + 1), taken);
        }
      } catch (const std::exception&) {
        code = 1;
      }
      ::_exit(code);
    }
  }
  for (int i = 0; i < 3; ++i) {
    int status = 0;
    ::wait(&status);
    CHECK(status == 0);
  }
  CHECK(names_in(file).size() == 3 * kRows);
}

TEST_CASE("a database that was removed is made again, with its folder and all rows") {
  const test::ScratchFolder folder;
  const auto file = folder.path() / "below" / "r.db";
  std::filesystem::create_directory(folder.path() / "below");
  std::vector<std::string> said;
  const auto sink = open_file_sink(file, [&](const std::string& text) { said.push_back(text); });
  const auto rows = rows_named("a", 3);
  sink->write(std::span(rows).first(1), 0);
  std::filesystem::remove_all(folder.path() / "below");
  sink->write(std::span(rows).first(2), 1);
  CHECK(names_in(file) == Names{"a0", "a1"});
  CHECK(said.size() == 1);
  std::filesystem::resize_file(file, 0);
  sink->write(rows, 2);
  CHECK(names_in(file) == Names{"a0", "a1", "a2"});
  CHECK(said.size() == 2);
}

TEST_CASE("a full disk refuses a row of a database whole, and the next one can come") {
  const test::ScratchFolder folder;
  const auto file = folder.path() / "r.db";
  const auto sink = open_file_sink(file, [](const std::string&) {});
  const auto rows = rows_named("a", 2);
  sink->write(std::span(rows).first(1), 0);
  const pid_t child = ::fork();
  if (child == 0) { // a limit on the file's size simulates a full disk
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{std::filesystem::file_size(file), RLIM_INFINITY};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    auto large = rows_named("large", 1);
    large[0].stderr_tail = std::string(200'000, 'x');
    try {
      sink->write(large, 0);
    } catch (const Error&) {
      ::_exit(7);
    }
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  CHECK(WEXITSTATUS(status) == 7);
  CHECK(names_in(file) == Names{"a0"});
  sink->write(rows, 1);
  CHECK(names_in(file) == Names{"a0", "a1"});
}

TEST_CASE("what is no place for a database is refused before anything runs") {
  const test::ScratchFolder folder;
  const auto say = [](const std::string&) {};
  std::filesystem::create_directory(folder.path() / "folder.db");
  CHECK_THROWS_AS((void)open_file_sink(folder.path() / "folder.db", say), Error);
  CHECK_THROWS_AS((void)open_file_sink(folder.path() / "no" / "r.db", say), Error);
  CHECK_THROWS_WITH(
      (void)open_file_sink(folder.write("text.db", "this is a text, and no database"), say),
      ContainsSubstring("must be a SQLite database"));
}
