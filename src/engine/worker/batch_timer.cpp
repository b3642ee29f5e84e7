#include "sdbench/engine/worker/batch_timer.h"

#include <cstdint>
#include <memory>

#include "sdbench/base/executor/run_sample.h"
#include "sdbench/base/system/steady_clock.h"
#include "sdbench/engine/pipeline/device_mark.h"

namespace sdbench {
namespace {

// The marks of a batch, in order; step k's mark is kDenoiseBegins + 1 + k, and three more
// follow the steps.
constexpr std::size_t kTextBegins = 0;
constexpr std::size_t kTextDone = 1;
constexpr std::size_t kDenoiseBegins = 2;

std::size_t mark_of_step(std::int64_t step) {
  return kDenoiseBegins + 1 + static_cast<std::size_t>(step);
}

} // namespace

void BatchTimer::start() {
  clock_.reset();
  steps_ = 0;
  reported_ = 0;
  start_s_ = steady_seconds();
}

void BatchTimer::on_step_done(std::int64_t) {
  clock_.mark();
  ++steps_;
  report_steps_before(steps_ - (kStepsAhead - 1)); // leaves room for the next step
}

void BatchTimer::on_step_replayed(std::int64_t, const std::shared_ptr<const DeviceMark>& mark) {
  clock_.take(mark);
  ++steps_;
}

void BatchTimer::report_passed_steps() {
  const std::size_t passed = clock_.passed();
  for (; reported_ < steps_ && mark_of_step(reported_) < passed; ++reported_) {
    const std::size_t mark = mark_of_step(reported_);
    listener_(reported_, clock_.seconds(mark - 1, mark));
  }
}

/// Reports each step as soon as the device has passed its mark.
void BatchTimer::report_steps_before(std::int64_t end) {
  for (report_passed_steps(); reported_ < end; report_passed_steps()) {
    clock_.wait_for(mark_of_step(reported_));
  }
}

void BatchTimer::decoded() {
  clock_.mark();
  report_steps_before(steps_);
}

void BatchTimer::finish(RunSample& sample) {
  clock_.wait();
  const double end_s = steady_seconds();
  const std::size_t denoised = mark_of_step(steps_);
  const std::size_t decode_begins = denoised + 1;
  const std::size_t decoded = decode_begins + 1;
  add_seconds(sample, kTextPart, clock_.seconds(kTextBegins, kTextDone));
  add_seconds(sample, kUNetPart, clock_.seconds(kDenoiseBegins, denoised));
  add_seconds(sample, kVaePart, clock_.seconds(decode_begins, decoded));
  if (sample.step_s.empty()) { // the first batch
    sample.start_s = start_s_;
  }
  sample.e2e_s += end_s - start_s_;
  for (std::int64_t step = 0; step < steps_; ++step) {
    const std::size_t mark = mark_of_step(step);
    sample.step_s.push_back(clock_.seconds(mark - 1, mark));
  }
}

} // namespace sdbench
