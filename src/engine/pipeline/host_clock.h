#pragma once

#include <chrono>
#include <memory>
#include <vector>

#include "sdbench/engine/pipeline/device_clock.h"

namespace sdbench {

/// A mark on a CPU: a time of the steady clock. No event is needed, because work on a CPU is done
/// when the call returns.
struct HostMark final : DeviceMark {
  std::chrono::steady_clock::time_point time;
  void set() override { time = std::chrono::steady_clock::now(); }
};

class HostClock final : public DeviceClock {
public:
  void reset() override { marks_.clear(); }
  void mark() override { marks_.push_back(std::chrono::steady_clock::now()); }
  void take(const std::shared_ptr<const DeviceMark>& mark) override {
    marks_.push_back(dynamic_cast<const HostMark&>(*mark).time);
  }
  [[nodiscard]] std::size_t passed() override { return marks_.size(); }
  void wait() override {}
  void wait_for(std::size_t) override {}
  [[nodiscard]] double seconds(std::size_t from, std::size_t to) const override {
    return std::chrono::duration<double>(marks_.at(to) - marks_.at(from)).count();
  }

private:
  std::vector<std::chrono::steady_clock::time_point> marks_;
};

} // namespace sdbench
