#include "sdbench/front/words/best_batch.h"

#include <algorithm>
#include <cstdint>

#include "catch.h"

using namespace sdbench;

namespace {

RunRecord row(std::int64_t batch, double images_per_min) {
  RunRecord r;
  r.model = "sd15";
  r.width = r.height = 512;
  r.steps = 50;
  r.batch = r.images = batch;
  r.guidance = 7.5;
  r.dtype_unet = "fp16";
  r.attention = "flash";
  r.status = "ok";
  r.images_per_min = images_per_min;
  return r;
}

RunRecord failed(std::int64_t batch, const char* status) {
  RunRecord r = row(batch, 99); // an invalid image may have been quick
  r.status = status;
  return r;
}

template <typename Change>
RunRecord changed(RunRecord r, const Change& change) {
  change(r);
  return r;
}

} // namespace

TEST_CASE("the best batch is the good one with the most images a minute, below its whole curve") {
  const RunRecord rows[] = {row(1, 28.6), row(2, 30), failed(4, "invalid_output"),
                            failed(8, "oom_device")};
  CHECK(best_batch_text(rows) ==
        "best batch  2 (30.0 images/min): sd15 512x512, 50 steps, batch 2, fp16, flash\n"
        "  images/min by batch  1: 28.6, 2: 30.0, 4: invalid_output, 8: oom_device\n");
}

TEST_CASE("each search has its own best batch, whatever its cells differ in") {
  const auto count = [](const RunRecord& other) {
    const RunRecord rows[] = {row(1, 10), other};
    const std::string text = best_batch_text(rows);
    return std::ranges::count(text, '\n') / 2;
  };
  const RunRecord more = row(2, 20);
  CHECK(count(more) == 1);
  CHECK(count(changed(more, [](RunRecord& r) { r.guidance = 1; })) == 2);
  CHECK(count(changed(more, [](RunRecord& r) { r.weights = "meta:1"; })) == 2);
  CHECK(count(changed(more, [](RunRecord& r) { r.variant_id = "channels-last"; })) == 2);
  CHECK(count(changed(more, [](RunRecord& r) { r.device_index = 1; })) == 2);
  CHECK(count(changed(more, [](RunRecord& r) { r.seed = 1; })) == 2);
}

TEST_CASE("a point of several rounds counts by its mean, and a row that stands twice once") {
  RunRecord lucky = row(2, 40);
  lucky.run_id = "a";
  RunRecord usual = row(2, 10);
  usual.run_id = "b";
  const RunRecord rows[] = {row(1, 28), lucky, lucky, usual, failed(2, "timeout")};
  CHECK(best_batch_text(rows) ==
        "best batch  1 (28.0 images/min): sd15 512x512, 50 steps, batch 1, fp16, flash\n"
        "  images/min by batch  1: 28.0, 2: 25.0\n");
}

TEST_CASE("a search in which no batch has worked has no best one") {
  const RunRecord rows[] = {failed(1, "oom_device")};
  CHECK(best_batch_text(rows).empty());
}
