#include "sdbench/front/bench/start_barrier.h"

#include <chrono>
#include <thread>

#include "catch.h"

using namespace sdbench;

TEST_CASE("nobody passes before the last one has come, time after time") {
  StartBarrier barrier(2, nullptr);
  std::atomic<int> come = 0;
  const auto runner = [&] {
    for (int run = 1; run <= 50; ++run) {
      ++come;
      barrier.wait();
      CHECK(come >= 2 * run);
    }
  };
  std::thread other(runner);
  runner();
  other.join();
  CHECK(come == 100);
}

TEST_CASE("who leaves is not waited for, before or after the others have come") {
  StartBarrier barrier(3, nullptr);
  barrier.leave();
  std::thread second([&] { barrier.wait(); });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  barrier.leave();
  second.join();
  barrier.wait(); // alone now
}

TEST_CASE("a stop ends the waiting") {
  std::atomic<bool> stop = false;
  StartBarrier barrier(2, &stop);
  std::thread waiting([&] { barrier.wait(); });
  stop = true;
  waiting.join();
}
