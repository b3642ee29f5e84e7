#include "sdbench/front/words/sweep_table.h"

#include <cstdint>
#include <vector>

#include "catch.h"

using namespace sdbench;
using Catch::Matchers::ContainsSubstring;

namespace {

RunRecord good(std::int64_t batch) {
  RunRecord r;
  r.model = "sd15";
  r.width = r.height = 512;
  r.steps = 50;
  r.batch = r.images = batch;
  r.guidance = 7.5;
  r.scheduler = "euler";
  r.device_name = "NVIDIA H200";
  r.dtype_unet = "fp16";
  r.attention = "auto";
  r.attention_used = "flash";
  r.status = "ok";
  r.unet_it_s = 25.0 / static_cast<double>(batch);
  r.unet_it_s_ci95_low = *r.unet_it_s - 0.5;
  r.unet_it_s_ci95_high = *r.unet_it_s + 0.5;
  r.e2e_s = 2.1;
  r.images_per_min = 28.6;
  r.megapixels_per_s = 0.125;
  r.peak_device_allocated_bytes = std::int64_t{3} << 30;
  return r;
}

RunRecord failed(std::int64_t batch) {
  RunRecord r = good(batch);
  r.status = "oom_device";
  r.error = "load: too little\nmemory";
  r.device_name.clear();
  r.attention_used.clear();
  r.unet_it_s.reset();
  return r;
}

} // namespace

TEST_CASE("what all cells share stands once, what differs in columns, and a failure in its row") {
  const RunRecord records[] = {good(1), good(16), failed(128)};
  CHECK(to_sweep_table(records) ==
        "sd15, 512x512, steps 50, guidance 7.5, euler, NVIDIA H200, fp16, attention auto, "
        "kernel flash\n"
        "batch  images  UNet it/s  ±95 %  end to end s  images/min  s/image   MP/s  peak memory\n"
        "    1       1       25.0  2.0 %          2.10        28.6     2.10  0.125     3.00 GiB\n"
        "   16      16       1.56   32 %          2.10        28.6     2.10  0.125     3.00 GiB\n"
        "  128     128  oom_device: load: too little memory\n");
}

TEST_CASE("the engine's axes are named where they are not the usual ones") {
  RunRecord nhwc = good(1);
  nhwc.memory_format = "channels-last";
  const RunRecord same[] = {nhwc, nhwc};
  CHECK_THAT(to_sweep_table(same), ContainsSubstring("kernel flash, channels-last\n"));
  RunRecord both = nhwc;
  both.offload = "stages";
  RunRecord records[] = {good(1), nhwc, both, good(1), good(1)};
  for (RunRecord& record : records) {
    record.engine = "tuned";
  }
  records[3].engine = "plain";
  records[4].engine = "openvino";
  const std::string table = to_sweep_table(records);
  CHECK_THAT(table, ContainsSubstring("\nengine"));
  CHECK_THAT(table, ContainsSubstring("\nsdbench tuned  "));
  CHECK_THAT(table, ContainsSubstring("\nsdbench tuned, channels-last, offload by stages"));
  CHECK_THAT(table, ContainsSubstring("\nsdbench plain  "));
  CHECK_THAT(table, ContainsSubstring("\nopenvino  "));
}

TEST_CASE("text is aligned by characters, and cannot command the terminal") {
  RunRecord one = good(1);
  one.label = "größer\x1b[31m";
  RunRecord two = good(1);
  two.label = "b";
  const RunRecord records[] = {one, two};
  const std::string table = to_sweep_table(records);
  CHECK(table.find('\x1b') == std::string::npos);
  CHECK_THAT(table, ContainsSubstring("größer"));
}

TEST_CASE("with colour head and failures are marked") {
  const RunRecord records[] = {good(1), failed(2)};
  const std::string table = to_sweep_table(records, {.colour = true});
  CHECK_THAT(table, ContainsSubstring("\x1b[1;31moom_device: load: too little memory\x1b[0m"));
}

TEST_CASE("layers that some rows leave out are a column, and are not said where none does") {
  RunRecord skipping = good(1);
  skipping.clip_skip = 2;
  const RunRecord records[] = {good(1), skipping};
  CHECK_THAT(to_sweep_table(records), ContainsSubstring("clip skip"));
  const RunRecord usual[] = {good(1), good(1)};
  CHECK_THAT(to_sweep_table(usual), !ContainsSubstring("clip skip"));
  const RunRecord all[] = {skipping, skipping};
  CHECK_THAT(to_sweep_table(all), ContainsSubstring(", clip skip 2, "));
}

TEST_CASE("a cell and its outcome in a few words") {
  CHECK(cell_words(good(4)) == "sd15 512x512, 50 steps, batch 4, fp16, flash");
  CHECK(outcome_words(good(1)) == "25.0 it/s, 28.6 images/min");
  CHECK(outcome_words(failed(1)) == "oom_device: load: too little memory");
}
TEST_CASE("devices that ran together are told from those alone, and the sum has its scaling") {
  const auto on = [](const char* device, const char* role) {
    RunRecord r = good(1);
    r.device = device;
    r.parallel_role = role;
    if (*role != '\0') {
      r.parallel_devices = 2;
    }
    return r;
  };
  RunRecord sum = on("cuda:0+cuda:1", kRoleSum);
  sum.device_name = "2 x NVIDIA H200";
  sum.unet_it_s.reset();
  sum.images_per_min = 54.3;
  sum.scaling_efficiency = 0.95;
  const std::vector<RunRecord> records = {on("cuda:0", ""), on("cuda:0", kRoleDevice),
                                          on("cuda:1", kRoleDevice), sum};
  CHECK(to_sweep_table(records) ==
        "sd15, 512x512, steps 50, batch 1, images 1, guidance 7.5, euler, NVIDIA H200, fp16, "
        "attention auto, kernel flash\n"
        "on             together   UNet it/s  ±95 %  end to end s  images/min  s/image   MP/s  "
        "peak memory  "
        "scaling\n"
        "cuda:0         alone           25.0  2.0 %          2.10        28.6     2.10  0.125     "
        "3.00 GiB\n"
        "cuda:0         part of 2       25.0  2.0 %          2.10        28.6     2.10  0.125     "
        "3.00 GiB\n"
        "cuda:1         part of 2       25.0  2.0 %          2.10        28.6     2.10  0.125     "
        "3.00 GiB\n"
        "cuda:0+cuda:1  sum of 2                             2.10        54.3     1.10  0.125     "
        "3.00 GiB   "
        "95.0 %\n");
  CHECK_THAT(cell_words(records[0]), Catch::Matchers::EndsWith(", cuda:0"));
  CHECK_THAT(cell_words(records[2]), Catch::Matchers::EndsWith(", cuda:1 (part of 2)"));
  CHECK(outcome_words(sum) == "54.3 images/min, 95.0 % of perfect scaling");
}
