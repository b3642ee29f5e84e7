#include "catch.h"

#include <chrono>
#include <thread>

#include "sdbench/base/errors/error.h"
#include "sdbench/engine/pipeline/device_clock.h"

using namespace sdbench;

TEST_CASE("the host clock measures a sleep and passes its marks at once") {
  const auto clock = make_device_clock(c10::Device(c10::kCPU));
  clock->mark();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  clock->mark();
  CHECK(clock->passed() == 2);
  CHECK(clock->seconds(0, 1) >= 0.02);
  CHECK(clock->seconds(0, 1) < 2);
  clock->reset();
  CHECK(clock->passed() == 0);
}

TEST_CASE("a mark that was set elsewhere stands between a clock's own") {
  const auto clock = make_device_clock(c10::Device(c10::kCPU));
  const auto mark = make_device_mark(c10::Device(c10::kCPU));
  for (int run = 0; run < 2; ++run) { // the same mark anew
    clock->reset();
    clock->mark();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    mark->set();
    clock->take(mark);
    clock->mark();
    CHECK(clock->passed() == 3);
    CHECK(clock->seconds(0, 1) >= 0.02);
    CHECK(clock->seconds(0, 1) < 2);
    CHECK(clock->seconds(1, 2) >= 0);
  }
}

TEST_CASE("a device that is neither a CPU nor a GPU has no clock") {
  CHECK_THROWS_AS(make_device_clock(c10::Device(c10::kMeta)), Error);
  CHECK_THROWS_AS(make_device_mark(c10::Device(c10::kMeta)), Error);
}
