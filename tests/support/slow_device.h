#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

#include "catch.h"
#include "sdbench/engine/pipeline/device_clock.h"

namespace sdbench::test {

/// A GPU's clock without a GPU: a mark is passed when that is said, or waited for. Marks lie 2^0,
/// 2^1, 2^2 … seconds apart.
struct SlowDevice final : DeviceClock {
  std::size_t made = 0;
  std::size_t done = 0;
  int waits = 0;                       ///< for all marks
  std::vector<std::size_t> waited_for; ///< those that were waited for by themselves
  std::vector<std::shared_ptr<const DeviceMark>> taken;
  std::vector<bool> is_own; ///< of each mark

  void reset() override {
    made = done = 0;
    is_own.clear();
  }
  void mark() override {
    ++made;
    is_own.push_back(true);
  }
  void take(const std::shared_ptr<const DeviceMark>& mark) override {
    ++made;
    is_own.push_back(false);
    taken.push_back(mark);
  }
  std::size_t passed() override { return done; }
  void wait() override {
    ++waits;
    done = made;
  }
  void wait_for(std::size_t mark) override {
    REQUIRE(mark < made);
    CHECK(mark >= done); // else the wait was for nothing
    waited_for.push_back(mark);
    while (!is_own.at(mark)) {
      ++mark;
    }
    done = std::max(done, mark + 1);
  }
  double seconds(std::size_t from, std::size_t to) const override {
    REQUIRE(to < done); // a time that the device has not passed cannot be read
    return static_cast<double>(std::size_t{1} << to) - static_cast<double>(std::size_t{1} << from);
  }
};

} // namespace sdbench::test
