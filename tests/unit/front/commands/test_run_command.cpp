#include "sdbench/front/commands/commands.h"

#include <atomic>
#include <csignal>
#include <filesystem>
#include <sstream>

#include "catch.h"
#include "environment.h"
#include "fake_driver.h"
#include "fake_executor.h"
#include "scratch_folder.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/base/types/cell_stage.h"
#include "sdbench/base/types/status.h"
#include "sdbench/front/record/record_csv.h"
#include "sdbench/front/record/record_json.h"
#include "sdbench/front/results/strict_rows.h"

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
    outcome.stage = CellStage::kLoad;
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
    const auto records = file.extension() == ".csv" ? records_of_text(text, "r.csv")
                                                    : records_of_text(text, "r.jsonl");
    REQUIRE(records.size() == 1);
    CHECK(records[0].unet_it_s == 2);
    CHECK(records[0].runtime_version == "2.11.0");
  }
}

TEST_CASE("standard output carries data only") {
  Bench bench;
  CHECK(bench.run({"--format", "json", "--no-save"}) == 0);
  CHECK(records_of_text(bench.out.str(), "out.json").size() == 1);
  CHECK_FALSE(std::filesystem::exists("sdbench-results"));
  CHECK_THAT(bench.err.str(), ContainsSubstring("Fake GPU"));
}

TEST_CASE("with -o the row goes there and nowhere else") {
  Bench bench;
  CHECK(bench.run({"-o", "a.csv", "-o", "b.md", "--label", "x"}) == 0);
  CHECK(records_of_text(read_text_file("a.csv"), "r.csv").at(0).label == "x");
  CHECK(std::filesystem::exists("b.md"));
  CHECK_FALSE(std::filesystem::exists("sdbench-results"));
}

TEST_CASE("a failed cell is a row and exit code 1, an interrupted one 130") {
  for (const Status status : {Status::kOomDevice, Status::kOomHost, Status::kCrash,
                              Status::kTimeout, Status::kError, Status::kInvalidOutput}) {
    Bench bench;
    CHECK(bench.run({"-o", "a.csv"}, failing(status)) == 1);
    CHECK(records_of_text(read_text_file("a.csv"), "r.csv").at(0).status == name_of(status));
    CHECK_THAT(bench.out.str(), ContainsSubstring("load: a reason"));
    CHECK_THAT(bench.err.str(), ContainsSubstring("sdbench: " + std::string(name_of(status)) +
                                                  ": load: a reason\n"));
  }
  Bench bench;
  CHECK(bench.run({"-o", "a.csv"}, failing(Status::kInterrupted)) == 130);
  CHECK(records_of_text(read_text_file("a.csv"), "r.csv").at(0).status == "interrupted");
}

TEST_CASE("a sweep says each cell in a line, prints one table at the end, and saves every row") {
  Bench bench;
  CHECK(bench.run({"--batch", "1,2", "--steps", "2,3", "-o", "a.csv", "-o", "a.json"}) == 0);
  CHECK_THAT(bench.err.str(), ContainsSubstring("[4/4] tiny-sd15 128x128, 3 steps, batch 2"));
  CHECK_THAT(bench.err.str(), ContainsSubstring("cells      4 ok, 0 not"));
  CHECK_THAT(bench.out.str(), ContainsSubstring("steps  batch  images  UNet it/s"));
  const auto records = records_of_text(read_text_file("a.csv"), "r.csv");
  REQUIRE(records.size() == 4);
  CHECK(records[0].sweep_id.size() == 17);
  CHECK(records[3].sweep_id == records[0].sweep_id);
  CHECK(records_of_text(read_text_file("a.json"), "r.json").size() == 4);
}

TEST_CASE("the JSON of a sweep is one document, and its CSV has one header") {
  Bench bench;
  CHECK(bench.run({"--batch", "1,2", "--format", "json", "--no-save"}) == 0);
  CHECK(records_of_text(bench.out.str(), "out.json").size() == 2);
  Bench other;
  CHECK(other.run({"--batch", "1,2", "--format", "csv", "--no-save"}) == 0);
  CHECK(records_of_text(other.out.str(), "out.csv").size() == 2);
}

TEST_CASE("a warning and the device are said once in a sweep") {
  Bench bench;
  CHECK(bench.run({"--batch", "1,2,3", "--no-save"}) == 0);
  const std::string text = bench.err.str();
  for (const char* part : {"a note from the worker", "device     Fake GPU"}) {
    const std::size_t first = text.find(part);
    REQUIRE(first != std::string::npos);
    CHECK(text.find(part, first + 1) == std::string::npos);
  }
}

TEST_CASE("a sweep of which some cells fail exits with 3, one of which all do with 1") {
  const auto full_at_two = [](const Cell& cell) {
    return cell.batch > 1 ? failing(Status::kOomHost)(cell) : test::good_outcome(cell);
  };
  Bench some;
  CHECK(some.run({"--batch", "1,2,4", "--no-save"}, full_at_two) == 3);
  CHECK_THAT(some.out.str(), ContainsSubstring("oom_host: load: a reason"));
  CHECK_THAT(some.out.str(), ContainsSubstring("skipped: smaller batch ran out of memory"));
  Bench none;
  CHECK(none.run({"--batch", "2,4", "--no-save"}, full_at_two) == 1);
}

TEST_CASE("resuming tells cells apart by all that was asked for") {
  Bench bench;
  CHECK(bench.run({"--kernels", "own,aten", "--dtype", "fp32,bf16"}) == 0);
  CHECK(bench.run({"--kernels", "own,aten", "--dtype", "fp32,bf16", "--resume"}) == 0);
  for (const char* dtype : {"fp32", "bf16"}) {
    for (const char* kernels : {"own kernels", "ATen's kernels"}) {
      CHECK_THAT(bench.err.str(),
                 ContainsSubstring(std::string("batch 1, ") + dtype + ", auto, sdbench tuned, " +
                                   kernels + ": ok in the outputs already"));
    }
  }
}

TEST_CASE("resuming says what the outputs hold, runs the rest, and counts both") {
  Bench bench;
  CHECK(bench.run({"--batch", "1,2"}) == 0);
  CHECK(bench.run({"--batch", "1,2,3", "--resume"}) == 0);
  CHECK_THAT(bench.err.str(), ContainsSubstring("[2/3] tiny-sd15 128x128"));
  CHECK_THAT(bench.err.str(), ContainsSubstring("ok in the outputs already"));
  CHECK_THAT(bench.err.str(), ContainsSubstring("cells      3 ok, 0 not"));
  for (const auto& entry : std::filesystem::directory_iterator("sdbench-results")) {
    if (entry.path().extension() == ".csv") {
      CHECK(records_of_text(read_text_file(entry.path()), "r.csv").size() == 3);
    }
  }
}

TEST_CASE("a dry run says cells, memory and the time of earlier rows, and writes nothing") {
  Bench bench;
  CHECK(bench.run({"--batch", "1,2", "--dtype", "fp32", "--dry-run"}) == 0);
  CHECK(std::filesystem::is_empty(std::filesystem::current_path()));
  CHECK_THAT(bench.out.str(), ContainsSubstring("RUN  MODEL"));
  CHECK_THAT(bench.out.str(), ContainsSubstring("unknown"));
  CHECK_THAT(bench.out.str(), ContainsSubstring("2 runs planned, nothing is run"));
  CHECK_THAT(bench.out.str(), ContainsSubstring("expected time: unknown"));

  CHECK(bench.run({"--batch", "1", "--dtype", "fp32", "-o", "a.csv"}) == 0);
  bench.out.str("");
  CHECK(bench.run({"--batch", "1,2", "--dtype", "fp32", "--dry-run", "-o", "a.csv"}) == 0);
  // load 2 s, first image 3 s, one warm-up and three timed runs of 2 s; the fake made no warm-up
  CHECK_THAT(bench.out.str(), ContainsSubstring("11.0 s"));
  CHECK_THAT(bench.out.str(), ContainsSubstring("11.0 s and 1 of unknown time"));

  bench.out.str("");
  CHECK(bench.run({"--batch", "1,2", "--dtype", "fp32", "--dry-run", "--resume", "-o", "a.csv"}) ==
        0);
  CHECK_THAT(bench.out.str(), ContainsSubstring("ok in the outputs"));
  CHECK_THAT(bench.out.str(), ContainsSubstring("1 would be left out"));
}

TEST_CASE("a dry run counts what CUDA's libraries take, and of a large batch one part, on a GPU") {
  const auto says = [](std::vector<std::string> more, const char* memory) {
    Bench bench;
    std::vector<std::string> arguments{"--dtype", "fp16", "--dry-run"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    CHECK(bench.run(arguments) == 0);
    CHECK_THAT(bench.out.str(), ContainsSubstring(memory));
  };
  says({"--model", "sd15", "--device", "cpu"}, " 2.30 GiB ");
  says({"--model", "sd15", "--device", "cuda:0"}, " 2.90 GiB ");
  // Four images at 1024x1024 take 3 x 4 x 256 x 1024 x 1024 numbers: 6 GiB. So do eight in parts.
  says({"--model", "sd15", "--size", "1024x1024", "--batch", "8", "--device", "cpu"}, " 13.9 GiB ");
  says({"--model", "sd15", "--size", "1024x1024", "--batch", "8", "--device", "cuda"},
       " 8.52 GiB ");
}

TEST_CASE(
    "all devices of a machine with a split GPU are fewer than its instances, and it says so") {
  const auto words_of_all = [](const char* driver, const char* visible) {
    const test::FakeDriver nvml(driver);
    const test::EnvironmentVariable named("CUDA_VISIBLE_DEVICES", visible);
    Bench bench;
    CHECK(bench.run({"--device", "all", "--dtype", "fp32", "--dry-run"}) == 0);
    CHECK_THAT(bench.err.str(), ContainsSubstring("devices    all: cuda:0, cuda:1"));
    return bench.err.str();
  };
  const auto says_so = ContainsSubstring("only one of them; to measure several, name them");
  CHECK_THAT(words_of_all("mig", nullptr), says_so);
  CHECK_THAT(words_of_all("mig", "MIG-a,MIG-b"), !says_so);
  CHECK_THAT(words_of_all("", nullptr), !says_so);
}

TEST_CASE("a dry run's cells can be told apart by their threads") {
  Bench bench;
  CHECK(bench.run({"--threads", "0,3", "--dtype", "fp32", "--dry-run"}) == 0);
  CHECK_THAT(bench.out.str(), ContainsSubstring("auto    all      fp32"));
  CHECK_THAT(bench.out.str(), ContainsSubstring("auto    3        fp32"));
}

TEST_CASE("The option --resume without an output that holds rows is refused") {
  Bench bench;
  CHECK_THROWS_AS(bench.run({"--resume", "--no-save"}), UsageError);
  CHECK_THROWS_AS(bench.run({"--resume", "-o", "a.md"}), UsageError);
  CHECK_THROWS_AS(bench.run({"--retry-failed"}), UsageError);
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
