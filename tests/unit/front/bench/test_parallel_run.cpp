#include "sdbench/base/device/device_info.h"
#include "sdbench/base/executor/device_meeting.h"
#include "sdbench/base/executor/executor.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/base/types/cell_stage.h"
#include "sdbench/base/types/status.h"
#include "sdbench/base/types/task_table.h"
#include "sdbench/front/bench/executor_thread.h"
#include "sdbench/front/bench/parallel_run.h"
#include "sdbench/front/record/run_record.h"

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <variant>

#include <pthread.h>

#include "catch.h"
#include "environment.h"
#include "fake_executor.h"
#include "team_cell.h"

using namespace sdbench;

namespace {

/// Runs an execution on fakes whose answer depends on the cell.
struct Execution {
  explicit Execution(test::FakeExecutor::Answer answer)
      : team([answer = std::move(answer)] {
          return std::make_unique<test::FakeExecutor>(answer);
        }) {}

  std::vector<RunRecord> run(const Cell& whole, const std::atomic<bool>* stop = nullptr) {
    return run_in_parallel(whole, {&observers[0], &observers[1]}, {}, {team, nullptr, stop, 120.0});
  }

  /// Notes stages, and checks that two devices never report at once.
  struct Ears final : ExecutorObserver {
    void on_event(const CellEvent& event) override {
      const auto* const stage = std::get_if<StageEvent>(&event);
      if (stage == nullptr) {
        return;
      }
      CHECK_FALSE(busy.exchange(true));
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      stages.emplace_back(name_of(stage->stage));
      busy = false;
    }
    std::vector<std::string> stages;
    static inline std::atomic<bool> busy = false;
  };
  ExecutorTeam team;
  Ears observers[2];
};

} // namespace

TEST_CASE("each device makes its images, and the last row is their sum") {
  Execution execution(test::good_outcome);
  const auto rows = execution.run(test::team_cell(4));
  REQUIRE(rows.size() == 3);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(rows[i].device == "cuda:" + std::to_string(i));
    CHECK(rows[i].images == 2);
    CHECK(rows[i].seed == 2 * i);
    CHECK(rows[i].images_per_min == 60); // 2 images in 2 s
    CHECK(rows[i].parallel_role == kRoleDevice);
    CHECK(rows[i].parallel_id == rows[2].run_id);
    CHECK(rows[i].run_id != rows[2].run_id);
  }
  CHECK(rows[2].parallel_role == kRoleSum);
  CHECK(rows[2].parallel_id == rows[2].run_id);
  CHECK(rows[2].images == 4);
  CHECK(rows[2].images_per_min == 120);
  CHECK(rows[2].scaling_efficiency == 1);
  CHECK(rows[2].cell_id != rows[0].cell_id);
  CHECK(rows[1].cell_id != rows[0].cell_id);
  CHECK(execution.observers[1].stages ==
        std::vector<std::string>{"load", "first_image", "measure", "ended"});
}

TEST_CASE("timed runs begin when all devices are ready") {
  using Clock = std::chrono::steady_clock;
  std::mutex mutex;
  std::map<std::string, Clock::time_point> begun;
  struct Starts final : Executor {
    CellOutcome run(const Cell& cell, ExecutorObserver& observer) override {
      if (cell.device == "cuda:1") {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
      }
      observer.on_event(ReadyEvent{0});
      const std::lock_guard lock(mutex);
      begun[cell.device] = Clock::now();
      return test::good_outcome(cell);
    }
    std::vector<DeviceInfo> devices() override { return {}; }
    void restart() override {}
    Starts(std::mutex& its_mutex, std::map<std::string, Clock::time_point>& its_begun)
        : mutex(its_mutex), begun(its_begun) {}
    std::mutex& mutex;
    std::map<std::string, Clock::time_point>& begun;
  };
  ExecutorTeam team([&] { return std::make_unique<Starts>(mutex, begun); });
  ExecutorObserver nobody;
  static_cast<void>(
      run_in_parallel(test::team_cell(4), {&nobody, &nobody}, {}, {team, nullptr, {}, {}}));
  CHECK(begun["cuda:1"] - begun["cuda:0"] < std::chrono::milliseconds(50));
  CHECK(begun["cuda:0"] - begun["cuda:1"] < std::chrono::milliseconds(50));
}

TEST_CASE("a device that fails before it is ready is not waited for") {
  Execution execution([](const Cell& cell) {
    CellOutcome outcome = test::good_outcome(cell);
    if (cell.device == "cuda:1") { // without a result the fake is never ready
      outcome = {Status::kOomDevice, CellStage::kLoad, "too little memory", std::nullopt, ""};
    }
    return outcome;
  });
  const auto rows = execution.run(test::team_cell(4));
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].status == "ok");
  CHECK(rows[0].images_per_min == 60);
  CHECK(rows[0].flags == "partner_lost");
  CHECK(rows[1].flags.empty());
  CHECK(rows[1].status == "oom_device");
  CHECK(rows[2].status == "error");
  CHECK_FALSE(rows[2].images_per_min.has_value());
}

namespace {

/// Makes fakes. Copying it for a second member of a team throws, like a thread that cannot be
/// started.
struct MakesOne {
  MakesOne() = default;
  MakesOne(const MakesOne& other) : copies(other.copies) {
    if (*copies >= 0 && ++*copies > 1) {
      throw std::system_error(EAGAIN, std::generic_category());
    }
  }
  MakesOne(MakesOne&&) = default;
  MakesOne& operator=(const MakesOne&) = delete;
  MakesOne& operator=(MakesOne&&) = delete;
  ~MakesOne() = default;
  std::unique_ptr<Executor> operator()() const { return std::make_unique<test::FakeExecutor>(); }
  std::shared_ptr<int> copies = std::make_shared<int>(-1);
};

} // namespace

TEST_CASE("a device whose thread cannot be started is an error, and no other waits for it") {
  const MakesOne maker;
  ExecutorTeam team{ExecutorThread::Maker(maker)};
  *maker.copies = 0;
  ExecutorObserver nobody;
  const auto rows =
      run_in_parallel(test::team_cell(4), {&nobody, &nobody}, {}, {team, nullptr, nullptr, {}});
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].status == "ok");
  CHECK(rows[1].status == "error");
  CHECK_THAT(rows[1].error, Catch::Matchers::StartsWith("start: a thread must be started"));
  CHECK_FALSE(rows[1].run_id.empty());
  CHECK(rows[2].status == "error");
  team.restart(); // restarts the members that exist
}

TEST_CASE("where no thread can be started every device is an error") {
  ExecutorTeam team([] { return std::make_unique<test::FakeExecutor>(); });
  static_cast<void>(team.of("cuda:0"));
  static_cast<void>(team.of("cuda:1"));
  pthread_attr_t usual;
  pthread_attr_t huge;
  REQUIRE(::pthread_getattr_default_np(&usual) == 0);
  REQUIRE(::pthread_attr_init(&huge) == 0);
  REQUIRE(::pthread_attr_setstacksize(&huge, std::size_t{1} << 50) == 0); // more than any machine
  REQUIRE(::pthread_setattr_default_np(&huge) == 0);
  ExecutorObserver nobody;
  const auto rows =
      run_in_parallel(test::team_cell(4), {&nobody, &nobody}, {}, {team, nullptr, nullptr, {}});
  REQUIRE(::pthread_setattr_default_np(&usual) == 0);
  ::pthread_attr_destroy(&huge);
  ::pthread_attr_destroy(&usual);
  for (const RunRecord& row : rows) {
    CHECK(row.status == "error");
  }
}

namespace {

Cell shared_batch_cell() {
  Cell whole = test::team_cell(8);
  whole.batch = 4;
  whole.share = kShareBatch;
  return whole;
}

} // namespace

TEST_CASE("devices that share a batch meet in a folder of their own, which goes with them") {
  std::mutex mutex;
  std::map<std::string, std::filesystem::path> meetings;
  bool all_are_there = true;
  Execution execution([&](const Cell& cell) {
    const std::lock_guard lock(mutex);
    meetings[cell.device] = cell.meeting;
    all_are_there = all_are_there && std::filesystem::is_directory(cell.meeting);
    return test::good_outcome(cell);
  });
  CHECK(execution.run(shared_batch_cell()).size() == 3);
  const std::filesystem::path first = meetings["cuda:0"];
  CHECK(all_are_there);
  CHECK(meetings["cuda:1"] == first);
  CHECK_FALSE(std::filesystem::exists(first));
  static_cast<void>(execution.run(shared_batch_cell()));
  CHECK(meetings["cuda:0"] != first);
  static_cast<void>(execution.run(test::team_cell(4)));
  CHECK(meetings["cuda:0"].empty());
}

TEST_CASE("the others hear of a device that has ended") {
  std::atomic<bool> heard = false;
  Execution execution([&](const Cell& cell) -> CellOutcome {
    if (cell.device == "cuda:1") {
      return {Status::kCrash, CellStage::kLoad, "it was ended", std::nullopt, ""};
    }
    const auto start = std::chrono::steady_clock::now();
    while (!heard && std::chrono::steady_clock::now() - start < std::chrono::seconds(10)) {
      heard = has_ended(cell.meeting, 1);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return test::good_outcome(cell);
  });
  static_cast<void>(execution.run(shared_batch_cell()));
  CHECK(heard);
}

TEST_CASE("where no folder can be made every device says so, and none is run") {
  const test::EnvironmentVariable nowhere("TMPDIR", "/proc");
  std::atomic<int> runs = 0;
  Execution execution([&](const Cell& cell) {
    ++runs;
    return test::good_outcome(cell);
  });
  const auto rows = execution.run(shared_batch_cell());
  REQUIRE(rows.size() == 3);
  CHECK(runs == 0);
  for (const RunRecord& row : rows) {
    CHECK(row.status == "error");
    CHECK_THAT(row.error, Catch::Matchers::ContainsSubstring("cannot make a temporary folder"));
  }
}
