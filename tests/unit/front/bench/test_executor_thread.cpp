#include "sdbench/front/bench/executor_thread.h"

#include <thread>

#include "catch.h"
#include "fake_executor.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/base/types/status.h"

using namespace sdbench;

TEST_CASE("all calls of an executor, its making and its end happen in one thread, not ours") {
  std::vector<std::thread::id> threads;
  struct Noting final : test::FakeExecutor {
    explicit Noting(std::vector<std::thread::id>& seen)
        : test::FakeExecutor([&seen](const Cell& cell) {
            seen.push_back(std::this_thread::get_id());
            return test::good_outcome(cell);
          }),
          threads(seen) {
      threads.push_back(std::this_thread::get_id());
    }
    ~Noting() override { threads.push_back(std::this_thread::get_id()); }
    std::vector<std::thread::id>& threads;
  };
  {
    ExecutorThread executor([&] { return std::make_unique<Noting>(threads); });
    CHECK(threads.empty());
    ExecutorObserver nobody;
    CHECK(executor.run(Cell{}, nobody).status == Status::kOk);
    CHECK(executor.run(Cell{}, nobody).status == Status::kOk);
  }
  REQUIRE(threads.size() == 4);
  for (const std::thread::id& thread : threads) {
    CHECK(thread == threads.front());
    CHECK(thread != std::this_thread::get_id());
  }
}

TEST_CASE("what is thrown in an executor's thread is thrown to the caller") {
  ExecutorThread executor([]() -> std::unique_ptr<Executor> { throw Error("no worker"); });
  ExecutorObserver nobody;
  CHECK_THROWS_WITH(executor.run(Cell{}, nobody), "no worker");
  CHECK_THROWS_WITH(executor.devices(), "no worker"); // and it goes on
}

TEST_CASE("a team keeps an executor for each device") {
  std::vector<test::FakeExecutor*> made;
  ExecutorTeam team([&] {
    auto executor = std::make_unique<test::FakeExecutor>();
    made.push_back(executor.get());
    return executor;
  });
  ExecutorObserver nobody;
  static_cast<void>(team.of("cuda:0").run(Cell{}, nobody));
  static_cast<void>(team.of("cuda:1").run(Cell{}, nobody));
  static_cast<void>(team.of("cuda:0").run(Cell{}, nobody));
  team.restart();
  REQUIRE(made.size() == 2);
  CHECK(made[0]->cells.size() == 2);
  CHECK(made[1]->cells.size() == 1);
  CHECK(made[1]->restarts == 1);
}
