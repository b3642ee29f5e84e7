#include "catch.h"

#include <cstdint>
#include <memory>
#include <vector>

#include "sdbench/base/executor/run_sample.h"
#include "sdbench/engine/pipeline/device_mark.h"
#include "sdbench/engine/worker/batch_timer.h"
#include "slow_device.h"

using namespace sdbench;
using test::SlowDevice;

namespace {

void begin_batch(BatchTimer& timer) {
  timer.start();
  timer.text_begins();    // mark 0
  timer.text_done();      // mark 1
  timer.denoise_begins(); // mark 2
}

void end_batch(BatchTimer& timer, RunSample& sample) {
  timer.on_denoised();
  timer.decode_begins();
  timer.decoded();
  timer.finish(sample);
}

} // namespace

TEST_CASE("a batch's stages and steps are read from the marks between them") {
  SlowDevice device;
  std::vector<double> heard;
  BatchTimer timer(device, [&](std::int64_t, double seconds) { heard.push_back(seconds); });
  begin_batch(timer);
  timer.on_step_done(0); // mark 3
  timer.on_step_done(1); // mark 4
  timer.on_denoised();   // mark 5
  timer.decode_begins(); // mark 6
  CHECK(heard.empty());
  timer.decoded(); // mark 7
  CHECK(device.waits == 0);

  RunSample sample;
  timer.finish(sample);
  CHECK(device.waits == 1);
  CHECK(seconds_of(sample, "text") == 1);      // 2 - 1
  CHECK(seconds_of(sample, "unet") == 32 - 4); // marks 2 to 5
  CHECK(seconds_of(sample, "vae") ==
        128 - 64); // marks 6 to 7: bringing weights between stages is no stage
  CHECK(sample.step_s == std::vector<double>{4, 8});
  CHECK(heard == sample.step_s);
  CHECK(sample.e2e_s >= 0);
}

TEST_CASE("a step is reported once the device has passed it, and never before") {
  SlowDevice device;
  std::vector<std::int64_t> heard;
  BatchTimer timer(device, [&](std::int64_t step, double) { heard.push_back(step); });
  begin_batch(timer);
  timer.on_step_done(0);
  CHECK(heard.empty());
  device.done = 4; // the first step's mark is passed
  timer.on_step_done(1);
  CHECK(heard == std::vector<std::int64_t>{0});
  timer.on_step_done(2);
  CHECK(heard.size() == 1);
  CHECK(device.waited_for.empty()); // two are ahead: one more may be
  RunSample sample;
  end_batch(timer, sample);
  CHECK(heard == std::vector<std::int64_t>{0, 1, 2});
}

TEST_CASE("a device that is slow has no more than three steps before it, and each is told when it "
          "is done") {
  SlowDevice device;
  std::vector<std::int64_t> heard;
  BatchTimer timer(device, [&](std::int64_t step, double) {
    CHECK(device.done == static_cast<std::size_t>(step) + 4); // this one's mark is the last passed
    heard.push_back(step);
  });
  begin_batch(timer);
  constexpr std::int64_t kSteps = 20;
  for (std::int64_t step = 0; step < kSteps; ++step) {
    CHECK(static_cast<std::int64_t>(heard.size()) >= step + 1 - BatchTimer::kStepsAhead);
    timer.on_step_done(step);
  }
  // What follows the steps is enqueued while the last ones are computed.
  CHECK(heard.size() == kSteps - 2);
  timer.on_denoised();
  timer.decode_begins();
  CHECK(heard.size() == kSteps - 2);
  timer.decoded();
  CHECK(heard.size() == kSteps);
  CHECK(device.done < device.made); // the decoder still computes
  RunSample sample;
  timer.finish(sample);
  CHECK(sample.step_s.size() == kSteps);
  CHECK(heard.size() == kSteps);
}

TEST_CASE("a device that is quicker than the host is not waited for") {
  SlowDevice device;
  std::int64_t heard = 0;
  BatchTimer timer(device, [&](std::int64_t, double) { ++heard; });
  begin_batch(timer);
  for (std::int64_t step = 0; step < 20; ++step) {
    device.done = device.made;
    timer.on_step_done(step);
    CHECK(heard == step);
    device.done = device.made;
  }
  RunSample sample;
  end_batch(timer, sample);
  CHECK(device.waited_for.empty());
  CHECK(heard == 20);
}

TEST_CASE("a listener that throws ends a batch with three steps enqueued at most, and the next one "
          "is timed") {
  struct Stop {};
  SlowDevice device;
  std::int64_t last = 5;
  BatchTimer timer(device, [&](std::int64_t step, double) {
    if (step == last) {
      throw Stop{};
    }
  });
  begin_batch(timer);
  std::int64_t enqueued = 0;
  CHECK_THROWS_AS(
      [&] {
        for (; enqueued < 100; ++enqueued) {
          timer.on_step_done(enqueued);
        }
      }(),
      Stop);
  CHECK(enqueued - last < BatchTimer::kStepsAhead);
  CHECK(device.waits == 0); // nobody waits for the rest

  last = -1;
  begin_batch(timer);
  timer.on_step_done(0);
  RunSample sample;
  end_batch(timer, sample);
  CHECK(sample.step_s == std::vector<double>{4});
}

TEST_CASE("steps that were replayed as one graph are read from the marks within it") {
  SlowDevice device;
  std::vector<double> heard;
  BatchTimer timer(device, [&](std::int64_t, double seconds) { heard.push_back(seconds); });
  CHECK_FALSE(timer.wants_step_tensors());
  begin_batch(timer);
  const std::vector<std::shared_ptr<const DeviceMark>> marks{make_device_mark(at::kCPU),
                                                             make_device_mark(at::kCPU)};
  timer.on_step_replayed(0, marks[0]); // mark 3
  timer.on_step_replayed(1, marks[1]); // mark 4
  CHECK(device.taken == marks);
  timer.on_denoised();   // mark 5
  timer.decode_begins(); // mark 6
  CHECK(heard.empty());
  CHECK(device.waited_for.empty());
  timer.decoded(); // mark 7
  RunSample sample;
  timer.finish(sample);
  CHECK(seconds_of(sample, "unet") == 32 - 4);
  CHECK(sample.step_s == std::vector<double>{4, 8});
  CHECK(heard == sample.step_s);
}

TEST_CASE("the batches of a run add up") {
  SlowDevice device;
  BatchTimer timer(device, [](std::int64_t, double) {});
  RunSample sample;
  for (int batch = 0; batch < 2; ++batch) {
    begin_batch(timer);
    timer.on_step_done(0);
    end_batch(timer, sample);
  }
  CHECK(seconds_of(sample, "text") == 2);
  CHECK(sample.step_s.size() == 2);
}
