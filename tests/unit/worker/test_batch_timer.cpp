#include "catch.h"

#include <vector>

#include "sdbench/worker/batch_timer.h"

using namespace sdbench;

namespace {

/// A device whose marks lie 2^0, 2^1, 2^2 … seconds apart, and that has passed as many as it is
/// told.
struct SlowDevice final : DeviceClock {
  std::size_t made = 0;
  std::size_t done = 0;
  int waits = 0;
  std::vector<std::shared_ptr<const DeviceMark>> taken;

  void reset() override { made = done = 0; }
  void mark() override { ++made; }
  void take(const std::shared_ptr<const DeviceMark>& mark) override {
    taken.push_back(mark);
    ++made;
  }
  std::size_t passed() override { return done; }
  void wait() override {
    ++waits;
    done = made;
  }
  double seconds(std::size_t from, std::size_t to) const override {
    REQUIRE(to < done); // a time that the device has not passed cannot be read
    return static_cast<double>((1u << to) - (1u << from));
  }
};

} // namespace

TEST_CASE("a batch's stages and steps are read from the marks between them, after one wait") {
  SlowDevice device;
  std::vector<double> heard;
  BatchTimer timer(device, [&](std::int64_t, double seconds) { heard.push_back(seconds); });
  timer.start();
  timer.text_begins();    // mark 0
  timer.text_done();      // mark 1
  timer.denoise_begins(); // mark 2
  timer.on_step_done(0);  // mark 3
  timer.on_step_done(1);  // mark 4
  timer.on_denoised();    // mark 5
  timer.decode_begins();  // mark 6
  timer.decoded();        // mark 7
  CHECK(heard.empty());
  CHECK(device.waits == 0);

  RunSample sample;
  timer.finish(sample);
  CHECK(device.waits == 1);
  CHECK(sample.text_s == 1);       // 2 - 1
  CHECK(sample.unet_s == 32 - 4);  // marks 2 to 5
  CHECK(sample.vae_s == 128 - 64); // marks 6 to 7: bringing weights between stages is no stage
  CHECK(sample.step_s == std::vector<double>{4, 8});
  CHECK(heard == sample.step_s);
  CHECK(sample.e2e_s >= 0);
}

TEST_CASE("a step is reported once the device has passed it, and never before") {
  SlowDevice device;
  std::vector<std::int64_t> heard;
  BatchTimer timer(device, [&](std::int64_t step, double) { heard.push_back(step); });
  timer.start();
  timer.text_begins();
  timer.text_done();
  timer.denoise_begins();
  timer.on_step_done(0);
  CHECK(heard.empty());
  device.done = 4; // the first step's mark is passed
  timer.on_step_done(1);
  CHECK(heard == std::vector<std::int64_t>{0});
  timer.on_step_done(2);
  CHECK(heard.size() == 1);
  timer.on_denoised();
  timer.decode_begins();
  timer.decoded();
  RunSample sample;
  timer.finish(sample);
  CHECK(heard == std::vector<std::int64_t>{0, 1, 2});
}

TEST_CASE("steps that were replayed as one graph are read from the marks within it") {
  SlowDevice device;
  std::vector<double> heard;
  BatchTimer timer(device, [&](std::int64_t, double seconds) { heard.push_back(seconds); });
  CHECK_FALSE(timer.wants_step_tensors());
  timer.start();
  timer.text_begins();    // mark 0
  timer.text_done();      // mark 1
  timer.denoise_begins(); // mark 2
  const std::vector<std::shared_ptr<const DeviceMark>> marks{make_device_mark(at::kCPU),
                                                             make_device_mark(at::kCPU)};
  timer.on_step_replayed(0, marks[0]); // mark 3
  timer.on_step_replayed(1, marks[1]); // mark 4
  CHECK(device.taken == marks);
  timer.on_denoised();   // mark 5
  timer.decode_begins(); // mark 6
  timer.decoded();       // mark 7
  CHECK(heard.empty());
  RunSample sample;
  timer.finish(sample);
  CHECK(sample.unet_s == 32 - 4);
  CHECK(sample.step_s == std::vector<double>{4, 8});
  CHECK(heard == sample.step_s);
}

TEST_CASE("the batches of a run add up") {
  SlowDevice device;
  BatchTimer timer(device, [](std::int64_t, double) {});
  RunSample sample;
  for (int batch = 0; batch < 2; ++batch) {
    timer.start();
    timer.text_begins();
    timer.text_done();
    timer.denoise_begins();
    timer.on_step_done(0);
    timer.on_denoised();
    timer.decode_begins();
    timer.decoded();
    timer.finish(sample);
  }
  CHECK(sample.text_s == 2);
  CHECK(sample.step_s.size() == 2);
}
