#include "sdbench/cli/run_command.h"

#include <csignal>
#include <sstream>

#include "catch.h"
#include "fake_executor.h"
#include "scratch_folder.h"
#include "sdbench/core/error.h"
#include "sdbench/core/json_io.h"
#include "sdbench/record/record_csv.h"
#include "sdbench/record/record_json.h"

using namespace sdbench;
using Catch::Matchers::ContainsSubstring;

namespace {

/// The command with a fake executor, in a folder of its own.
class Bench {
public:
  Bench() { std::filesystem::current_path(folder_.path()); }
  ~Bench() { std::filesystem::current_path(before_); }

  int run(std::vector<std::string> arguments,
          test::FakeExecutor::Answer answer = test::good_outcome) {
    arguments.insert(arguments.end(), {"--model", "tiny-sd15", "--weights", "synthetic"});
    return run_command(arguments, {out, err}, [&](WorkerOptions& options) {
      ++executors_made;
      options.program.libtorch_version = "2.11.0";
      return std::make_unique<test::FakeExecutor>(answer);
    });
  }
  [[nodiscard]] std::filesystem::path at(const char* name) const { return folder_.path() / name; }

  std::ostringstream out;
  std::ostringstream err;
  int executors_made = 0;

private:
  std::filesystem::path before_ = std::filesystem::current_path();
  test::ScratchFolder folder_;
};

test::FakeExecutor::Answer failing(Status status) {
  return [status](const Cell&) {
    CellOutcome outcome;
    outcome.status = status;
    outcome.stage = "load";
    outcome.message = "a reason";
    return outcome;
  };
}

} // namespace

TEST_CASE("a good run prints the table, saves a row and its samples, and exits with 0") {
  Bench bench;
  CHECK(bench.run({}) == 0);
  CHECK_THAT(bench.out.str(), ContainsSubstring("2.00 it/s"));
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator("sdbench-results")) {
    files.push_back(entry.path());
    CHECK_THAT(bench.err.str(), ContainsSubstring(entry.path().string()));
  }
  REQUIRE(files.size() == 2);
  for (const auto& file : files) {
    const std::string text = read_text_file(file);
    const auto records = file.extension() == ".csv" ? records_from_csv(text, "csv")
                                                    : records_from_json_lines(text, "jsonl");
    REQUIRE(records.size() == 1);
    CHECK(records[0].unet_it_s == 2);
    CHECK(records[0].libtorch_version == "2.11.0");
  }
}

TEST_CASE("standard output carries data only") {
  Bench bench;
  CHECK(bench.run({"--format", "json", "--no-save"}) == 0);
  CHECK(records_from_json(bench.out.str(), "out").size() == 1);
  CHECK_FALSE(std::filesystem::exists("sdbench-results"));
  CHECK_THAT(bench.err.str(), ContainsSubstring("Fake GPU"));
}

TEST_CASE("with -o the row goes there and nowhere else") {
  Bench bench;
  CHECK(bench.run({"-o", "a.csv", "-o", "b.md", "--label", "x"}) == 0);
  CHECK(records_from_csv(read_text_file("a.csv"), "csv").at(0).label == "x");
  CHECK(std::filesystem::exists("b.md"));
  CHECK_FALSE(std::filesystem::exists("sdbench-results"));
}

TEST_CASE("a failed cell is a row and exit code 1, an interrupted one 130") {
  for (const Status status : {Status::kOomDevice, Status::kOomHost, Status::kCrash,
                              Status::kTimeout, Status::kError, Status::kInvalidOutput}) {
    Bench bench;
    CHECK(bench.run({"-o", "a.csv"}, failing(status)) == 1);
    CHECK(records_from_csv(read_text_file("a.csv"), "csv").at(0).status == name_of(status));
    CHECK_THAT(bench.out.str(), ContainsSubstring("load: a reason"));
    CHECK_THAT(bench.err.str(), ContainsSubstring("sdbench: " + std::string(name_of(status)) +
                                                  ": load: a reason\n"));
  }
  Bench bench;
  CHECK(bench.run({"-o", "a.csv"}, failing(Status::kInterrupted)) == 130);
  CHECK(records_from_csv(read_text_file("a.csv"), "csv").at(0).status == "interrupted");
}

TEST_CASE("what cannot be written is said before anything runs") {
  const auto refused = [](const std::vector<std::string>& arguments) {
    Bench bench;
    CHECK_THROWS_AS(bench.run(arguments), Error);
    CHECK(bench.out.str().empty());
    CHECK(std::filesystem::is_empty(std::filesystem::current_path()));
  };
  refused({"-o", "no/such/folder.csv"});
  refused({"-o", "no/such/folder.json"});
  refused({"-o", "csv"});
  refused({"--dump-latents", "no/such/l.safetensors"});
  refused({"--save-images", "/dev/null/images"});
  refused({"--format", "xml"});
}

TEST_CASE("Ctrl-C reaches the running cell as a request to stop") {
  Bench bench;
  const int code = run_command({"--model", "tiny-sd15", "--weights", "synthetic", "--no-save"},
                               {bench.out, bench.err}, [](WorkerOptions& options) {
                                 const std::atomic<bool>* stop = options.stop;
                                 return std::make_unique<test::FakeExecutor>([stop](const Cell&) {
                                   CHECK_FALSE(stop->load());
                                   std::raise(SIGINT);
                                   CellOutcome outcome;
                                   outcome.status =
                                       stop->load() ? Status::kInterrupted : Status::kError;
                                   return outcome;
                                 });
                               });
  CHECK(code == 130);
}
