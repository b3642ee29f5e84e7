#include "sdbench/front/bench/sweep_runner.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "catch.h"
#include "fake_executor.h"
#include "sdbench/base/config/option_layers.h"
#include "sdbench/base/config/run_options.h"
#include "sdbench/base/executor/run_sample.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/base/types/cell_stage.h"
#include "sdbench/base/types/status.h"
#include "sdbench/front/record/run_record.h"

using namespace sdbench;

namespace {

/// Keeps everything that it hears.
struct SweepListener final : SweepObserver {
  ExecutorObserver nobody;
  std::vector<RunRecord> records;
  std::vector<RunRecord> all; ///< rows that the outputs held, then those of this sweep
  std::vector<Status> resumed;
  int cooldowns = 0;
  std::vector<std::string> waits;

  ExecutorObserver& on_cell(const Cell&) override { return nobody; }
  std::vector<ExecutorObserver*> on_parallel_cell(const Cell& whole) override {
    return std::vector<ExecutorObserver*>(whole.parallel_devices.size(), &nobody);
  }
  void on_record(const RunRecord& record) override {
    records.push_back(record);
    all.push_back(record);
  }
  [[nodiscard]] std::span<const RunRecord> rows() const override { return all; }
  void on_resumed(const Cell&, Status earlier) override { resumed.push_back(earlier); }
  void on_cooldown(double) override { ++cooldowns; }
  void on_quiet_wait(const std::string& text) override { waits.push_back(text); }

  [[nodiscard]] std::vector<std::string> statuses() const {
    std::vector<std::string> statuses;
    for (const RunRecord& record : records) {
      statuses.push_back(record.status);
    }
    return statuses;
  }
};

/// A sweep of tiny cells over a fake executor.
struct Sweep {
  explicit Sweep(Json values, test::FakeExecutor::Answer answer) : executor(std::move(answer)) {
    values.update({{"model", "tiny-sd15"}, {"weights", "synthetic"}});
    OptionLayers layers;
    layers.add(values, "--");
    cells = resolve_sweep(layers.cells());
    options = layers.cells().front();
    rules.cooldown_s = options.cooldown_s;
    rules.keep_going = options.keep_going;
    context.host = "host";
    context.sweep_id = "sweep";
  }
  SweepTally run() {
    listener.all = earlier_rows;
    return run_sweep(cells, plan_steps(cells, options.rounds, options.restarts), rules, context,
                     executor, listener);
  }

  std::vector<SweepCell> cells;
  RunOptions options;
  SweepRules rules;
  std::vector<RunRecord> earlier_rows;
  RecordContext context;
  test::FakeExecutor executor;
  SweepListener listener;
};

CellOutcome failed(Status status) {
  CellOutcome outcome;
  outcome.status = status;
  outcome.stage = CellStage::kLoad;
  outcome.message = "a reason";
  return outcome;
}

/// An answer that runs out of memory from this batch on.
test::FakeExecutor::Answer full_at(std::int64_t batch, Status status = Status::kOomDevice) {
  return [=](const Cell& cell) {
    return cell.batch >= batch ? failed(status) : test::good_outcome(cell);
  };
}

using Words = std::vector<std::string>;

} // namespace

TEST_CASE("every step is a row with its round, its restart, and the sweep's id") {
  Sweep sweep({{"batch", {1, 2}}, {"rounds", 2}, {"restarts", 2}, {"label", "x"}},
              test::good_outcome);
  const SweepTally tally = sweep.run();
  CHECK(tally.ok == 8);
  CHECK(tally.not_ok == 0);
  CHECK_FALSE(tally.interrupted);
  REQUIRE(sweep.listener.records.size() == 8);
  const RunRecord& last = sweep.listener.records.back();
  CHECK(last.sweep_id == "sweep");
  CHECK(last.round == 2);
  CHECK(last.restart == 2);
  CHECK(last.label == "x");
  CHECK(last.batch == 2);
  CHECK(last.run_id != sweep.listener.records.front().run_id);
  CHECK(sweep.executor.restarts == 8);
}

TEST_CASE("without restarts the worker is kept") {
  Sweep sweep({{"batch", {1, 2}}, {"rounds", 2}}, test::good_outcome);
  static_cast<void>(sweep.run());
  CHECK(sweep.executor.restarts == 0);
}

TEST_CASE("a failed cell is a row and the sweep goes on") {
  Sweep sweep({{"batch", {1, 2, 3}}}, [](const Cell& cell) {
    return cell.batch == 2 ? failed(Status::kCrash) : test::good_outcome(cell);
  });
  const SweepTally tally = sweep.run();
  CHECK(tally.ok == 2);
  CHECK(tally.not_ok == 1);
  CHECK(sweep.listener.statuses() == Words{"ok", "crash", "ok"});
}

TEST_CASE("after a batch that ran out of memory larger ones are skipped rows") {
  for (const Status status : {Status::kOomDevice, Status::kOomHost}) {
    Sweep sweep({{"batch", {1, 2, 4}}, {"steps", {2, 3}}}, full_at(2, status));
    const SweepTally tally = sweep.run();
    CHECK(tally.ok == 2);
    CHECK(tally.not_ok == 4);
    const std::string oom(name_of(status));
    // Steps 2 and 3 make different cells, each of which must run out of memory itself.
    CHECK(sweep.listener.statuses() == Words{"ok", oom, "skipped", "ok", oom, "skipped"});
    CHECK(sweep.listener.records[2].error ==
          "smaller batch ran out of memory (batch 2); --keep-going tries this one anyway");
    CHECK(sweep.executor.cells.size() == 4);
  }
}

TEST_CASE("a smaller batch is tried after a larger one ran out of memory") {
  Sweep sweep({{"batch", {4, 1, 2}}}, full_at(4));
  static_cast<void>(sweep.run());
  CHECK(sweep.listener.statuses() == Words{"oom_device", "ok", "ok"});
}

TEST_CASE("The option --keep-going tries larger batches all the same") {
  Sweep sweep({{"batch", {1, 2, 4}}, {"keep-going", true}}, full_at(2));
  static_cast<void>(sweep.run());
  CHECK(sweep.listener.statuses() == Words{"ok", "oom_device", "oom_device"});
}

TEST_CASE("a cell that cannot be is a skipped row with the reason") {
  Sweep sweep({{"images", 6}, {"batch", {1, 4}}}, test::good_outcome);
  const SweepTally tally = sweep.run();
  CHECK(tally.not_ok == 1);
  CHECK(sweep.listener.statuses() == Words{"ok", "skipped"});
  CHECK(sweep.listener.records[1].error == "--images must be a multiple of --batch (4), but is 6");
  CHECK(sweep.executor.cells.size() == 1);
}

TEST_CASE("an interrupted cell is the last row") {
  Sweep sweep({{"batch", {1, 2, 3}}}, [](const Cell& cell) {
    return cell.batch == 2 ? failed(Status::kInterrupted) : test::good_outcome(cell);
  });
  const SweepTally tally = sweep.run();
  CHECK(tally.interrupted);
  CHECK(sweep.listener.statuses() == Words{"ok", "interrupted"});
}

TEST_CASE("a stop between cells, also in the rest between them, leaves the others out") {
  std::atomic<bool> stop = false;
  Sweep sweep({{"batch", {1, 2}}, {"cooldown", 1000}}, [&](const Cell& cell) {
    stop = true;
    return test::good_outcome(cell);
  });
  sweep.rules.stop = &stop;
  const SweepTally tally = sweep.run();
  CHECK(tally.interrupted);
  CHECK(sweep.listener.statuses() == Words{"ok"});
}

TEST_CASE("between two cells that run there is a rest, and only there") {
  Sweep sweep({{"images", 6}, {"batch", {4, 1, 2, 3}}, {"cooldown", 0.01}}, test::good_outcome);
  const auto start = std::chrono::steady_clock::now();
  static_cast<void>(sweep.run());
  CHECK(sweep.listener.cooldowns == 2); // before batches 2 and 3; batch 4 is impossible
  CHECK(std::chrono::steady_clock::now() - start >= std::chrono::milliseconds(20));
}

TEST_CASE("with --wait-quiet a cell that runs waits for other programs, and a stop ends the wait") {
  std::atomic<bool> stop = false;
  Sweep sweep({{"images", 6}, {"batch", {4, 1}}, {"wait-quiet", 0.05}}, test::good_outcome);
  CHECK(sweep.options.wait_quiet_s == 0.05);
  sweep.rules.wait_quiet_s = sweep.options.wait_quiet_s;
  static_cast<void>(sweep.run());
  CHECK(sweep.executor.cells.size() == 1); // runs even if this machine is busy
  stop = true;
  sweep.rules.wait_quiet_s = 1000;
  sweep.rules.stop = &stop;
  CHECK(sweep.run().interrupted);
}

TEST_CASE("resuming runs what the outputs lack, and failed cells only if asked to") {
  Sweep first({{"batch", {1, 2, 4}}}, full_at(2));
  static_cast<void>(first.run());

  Sweep more({{"batch", {1, 2, 4, 8}}}, test::good_outcome);
  EarlierRows earlier(first.listener.records, false);
  more.rules.earlier = &earlier;
  const SweepTally tally = more.run();
  CHECK(more.listener.resumed ==
        std::vector<Status>{Status::kOk, Status::kOomDevice, Status::kSkipped});
  CHECK(more.listener.statuses() == Words{"skipped"}); // batch 8, because batch 2 has failed
  CHECK(tally.ok == 1);
  CHECK(tally.not_ok == 3);
  CHECK(more.executor.cells.empty());

  Sweep again({{"batch", {1, 2, 4}}}, test::good_outcome);
  EarlierRows retried(first.listener.records, true);
  again.rules.earlier = &retried;
  CHECK(again.run().ok == 3);
  CHECK(again.listener.resumed == std::vector<Status>{Status::kOk});
  CHECK(again.listener.statuses() == Words{"ok", "ok"});
}

TEST_CASE("an interrupted sweep of rounds is resumed where it ended") {
  Sweep first({{"batch", {1, 2}}, {"rounds", 3}}, test::good_outcome);
  static_cast<void>(first.run());
  std::vector<RunRecord> rows = first.listener.records;
  rows.resize(3);

  Sweep rest({{"batch", {1, 2}}, {"rounds", 3}}, test::good_outcome);
  EarlierRows earlier(rows, false);
  rest.rules.earlier = &earlier;
  static_cast<void>(rest.run());
  CHECK(rest.listener.resumed.size() == 3);
  REQUIRE(rest.listener.records.size() == 3);
  CHECK(rest.listener.records.front().round == 2);
  CHECK(rest.listener.records.front().batch == 2);
}

TEST_CASE("a second round makes an interval between runs, a third a narrower one") {
  Sweep sweep({{"rounds", 3}}, test::good_outcome);
  static_cast<void>(sweep.run());
  CHECK(sweep.listener.records[0].ci95_covers == "within-run");
  CHECK(sweep.listener.records[1].ci95_covers == "between-runs");
  CHECK(sweep.listener.records[2].ci95_covers == "between-runs");
  CHECK(sweep.listener.records[2].ci95_count == 3);
}

TEST_CASE(
    "The option --batch auto tries batches, a row each, and running out of memory is its end") {
  Sweep sweep({{"batch", "auto"}}, full_at(7));
  const SweepTally tally = sweep.run();
  std::vector<std::int64_t> batches;
  for (const RunRecord& record : sweep.listener.records) {
    batches.push_back(record.batch);
  }
  CHECK(batches == std::vector<std::int64_t>{1, 2, 4, 8, 6, 7});
  CHECK(tally.ok == 4);
  CHECK(tally.not_ok == 0);
  CHECK(sweep.listener.records.back().images == 7);
}

TEST_CASE("The option --batch auto goes on with what the outputs hold") {
  Sweep first({{"batch", {1, 2, 4}}}, test::good_outcome);
  static_cast<void>(first.run());
  Sweep rest({{"batch", "auto"}}, full_at(7));
  EarlierRows earlier(first.listener.records, false);
  rest.rules.earlier = &earlier;
  rest.earlier_rows = first.listener.records;
  CHECK(rest.run().ok == 4);
  CHECK(rest.listener.resumed.size() == 3);
  CHECK(rest.listener.records.size() == 3); // 8, 6, 7
}

TEST_CASE("a search for the best batch takes one fresh worker, not one a batch") {
  Sweep sweep({{"batch", "auto"}, {"cudnn-benchmark", {"off", "on"}}}, test::good_outcome);
  static_cast<void>(sweep.run());
  CHECK(sweep.executor.cells.size() > 2);
  CHECK(sweep.executor.restarts == 1);
}

TEST_CASE("a search for the best batch learns from what ran, not from another environment's rows") {
  Sweep elsewhere({{"batch", {1, 2}}}, test::good_outcome);
  static_cast<void>(elsewhere.run());
  Sweep sweep({{"batch", "auto"}}, full_at(2)); // batch 2 has no rate here
  sweep.earlier_rows = elsewhere.listener.records;
  for (RunRecord& row : sweep.earlier_rows) {
    row.env_id = "elsewhere";
  }
  static_cast<void>(sweep.run());
  std::vector<std::int64_t> batches;
  for (const RunRecord& record : sweep.listener.records) {
    batches.push_back(record.batch);
  }
  CHECK(batches == std::vector<std::int64_t>{1, 2});
}

TEST_CASE("a parallel execution is counted by its sum, which knows its devices alone") {
  const Json asked = {{"device", {"cuda:0", "cuda:1"}}, {"parallel", true}, {"images", 2}};
  const auto with_team = [](Sweep& sweep, test::FakeExecutor::Answer answer) {
    ExecutorTeam team([&] { return std::make_unique<test::FakeExecutor>(answer); });
    sweep.rules.team = &team;
    return sweep.run();
  };
  Sweep first(asked, test::good_outcome);
  const SweepTally tally = with_team(first, test::good_outcome);
  CHECK(tally.ok == 3);
  REQUIRE(first.listener.records.size() == 5);
  CHECK(first.listener.records[0].images_per_min == 60); // 2 images in 2 s
  CHECK(first.listener.records[1].device == "cuda:1");
  CHECK(first.listener.records[4].parallel_role == kRoleSum);
  CHECK(first.listener.records[4].alone_images_per_min == 120);
  CHECK(first.listener.records[4].scaling_efficiency == 0.5); // one image each, no faster
  CHECK(first.executor.cells.empty());

  Sweep unlike(asked, test::good_outcome);
  static_cast<void>(with_team(unlike, [](const Cell& cell) {
    CellOutcome outcome = test::good_outcome(cell);
    if (cell.device == "cuda:1" && cell.parallel_devices.empty()) { // three times as fast alone
      for (RunSample& sample : outcome.result->samples) {
        sample.e2e_s /= 3;
      }
    }
    return outcome;
  }));
  CHECK(unlike.listener.records[4].alone_images_per_min.value() == Approx(60 + 180));
  CHECK(unlike.listener.records[4].scaling_efficiency.value() == Approx(0.25));

  Sweep again(asked, test::good_outcome);
  std::vector<RunRecord> rows = {first.listener.records[0], first.listener.records[1]};
  EarlierRows earlier(rows, false);
  again.rules.earlier = &earlier;
  again.earlier_rows = rows;
  CHECK(with_team(again, test::good_outcome).ok == 3);
  CHECK(again.listener.resumed.size() == 2);
  REQUIRE(again.listener.records.size() == 3);
  CHECK(again.listener.records[2].scaling_efficiency == 0.5); // from the earlier rows

  Sweep done(asked, test::good_outcome);
  EarlierRows all(first.listener.records, false);
  done.rules.earlier = &all;
  CHECK(with_team(done, test::good_outcome).ok == 3);
  CHECK(done.listener.resumed.size() == 3);
  CHECK(done.listener.records.empty());

  Sweep broken(asked, test::good_outcome);
  const SweepTally failures = with_team(broken, [](const Cell& cell) {
    return cell.device == "cuda:1" ? failed(Status::kCrash) : test::good_outcome(cell);
  });
  CHECK(failures.ok == 1);
  CHECK(failures.not_ok == 2);
  CHECK(broken.listener.statuses() == Words{"ok", "crash", "ok", "crash", "error"});

  Sweep alone_broken(asked, test::good_outcome);
  static_cast<void>(with_team(alone_broken, [](const Cell& cell) {
    return cell.device == "cuda:1" && cell.parallel_devices.empty() ? failed(Status::kCrash)
                                                                    : test::good_outcome(cell);
  }));
  CHECK(alone_broken.listener.statuses() == Words{"ok", "crash", "ok", "ok", "ok"});
  CHECK_FALSE(alone_broken.listener.records[4].scaling_efficiency.has_value());
}
