#include "catch.h"

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "sdbench/base/device/cpu_cores.h"
#include "sdbench/base/device/host.h"
#include "sdbench/engine/training/prefetched.h"

using namespace sdbench;

namespace {

/// Waits until `is_true`, at most ten seconds.
template <class Condition>
bool comes_true(const Condition& is_true) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (!is_true()) {
    if (std::chrono::steady_clock::now() > end) {
      return false;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

} // namespace

TEST_CASE("values come in the order in which they were made") {
  int count = 0;
  Prefetched<int> values([&count] { return count++; });
  for (int i = 0; i < 1000; ++i) {
    REQUIRE(values.next() == i);
  }
}

TEST_CASE("one value is made ahead, and none beyond it") {
  std::atomic<int> count = 0;
  Prefetched<int> values([&count] { return ++count; });
  for (int taken = 0; taken < 3; ++taken) {
    CHECK(comes_true([&] { return count == taken + 1; }));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    CHECK(count == taken + 1);
    CHECK(values.next() == taken + 1);
  }
}

TEST_CASE("what the thread throws comes out where its value was due, and ever after") {
  int count = 0;
  Prefetched<int> values([&count] {
    if (count == 2) {
      throw std::runtime_error("out of memory");
    }
    return count++;
  });
  CHECK(values.next() == 0);
  CHECK(values.next() == 1);
  CHECK_THROWS_WITH(values.next(), "out of memory");
  CHECK_THROWS_WITH(values.next(), "out of memory");
}

TEST_CASE("a thread whose values nobody takes ends with them") {
  std::atomic<int> made = 0;
  std::atomic<int> alive = 0;
  struct Counted {
    std::atomic<int>* alive;
    explicit Counted(std::atomic<int>* count) : alive(count) { ++*alive; }
    Counted(const Counted& other) : alive(other.alive) { ++*alive; }
    Counted& operator=(const Counted&) = delete;
    ~Counted() { --*alive; }
  };
  for (int taken = 0; taken < 3; ++taken) {
    Prefetched<Counted> values([&] {
      ++made;
      return Counted(&alive);
    });
    for (int i = 0; i < taken; ++i) {
      static_cast<void>(values.next());
    }
  }
  CHECK(alive == 0);
  const int made_before = made;
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  CHECK(made == made_before);
}

TEST_CASE("values are made on any core, though who takes them is bound to one") {
  const std::vector<int> all = cores_at_start();
  std::vector<int> of_thread;
  std::thread([&] {
    run_on({&all.front(), 1});
    Prefetched<std::vector<int>> cores([] { return affinity_cores(); });
    of_thread = cores.next();
  }).join();
  CHECK(of_thread == all);
}
