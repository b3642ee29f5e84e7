#include "sdbench/front/reproduce/reproduced_words.h"

#include <optional>

#include "sdbench/front/record/confidence.h"

#include "catch.h"

using namespace sdbench;

namespace {

RunRecord good_record(const char* model, double images_per_min) {
  RunRecord record;
  record.status = "ok";
  record.model = model;
  record.repeat = 7;
  record.images_per_min = images_per_min;
  record.e2e_s = 6;
  record.e2e_s_sd = 0.06;
  return record;
}

} // namespace
using Catch::Matchers::ContainsSubstring;

TEST_CASE("a reproduction's verdict is one phrase with its change and interval") {
  const Ratio ratio{0.9, Interval{0.8, 1.012}};
  CHECK(reproduced_words(Verdict::kSlower, ratio) ==
        "slower: -10.0 % (95 % interval -20 to +1.2 %)");
  CHECK(reproduced_words(Verdict::kFaster, ratio).starts_with("faster: "));
  CHECK(reproduced_words(Verdict::kSame, ratio).starts_with("the same within 5 %: "));
  CHECK(reproduced_words(Verdict::kUnclear, {1.5, std::nullopt}) ==
        "unclear: +50 % (no interval: one of the two has a single run)");
}

TEST_CASE("the answer is one line: the verdict, both rates, and what differs") {
  RunRecord record = good_record("tiny-sd15", 10);
  record.driver_version = "570";
  RunRecord here = record;
  CHECK_THAT(reproduction_text(here, record),
             ContainsSubstring("the same within 5 %: +0.0 % (95 % interval") &&
                 ContainsSubstring("10.0 images/min against 10.0; nothing that matters differs"));
  here.flags = "noisy busy";
  CHECK_THAT(reproduction_text(here, record), ContainsSubstring(", beside other programs here, "));
  record.flags = "busy";
  CHECK_THAT(reproduction_text(here, record), ContainsSubstring(", beside other programs, 10.0"));
  here.flags = "suspended";
  CHECK_THAT(reproduction_text(here, record),
             ContainsSubstring("the machine was suspended here, so there is no verdict: "
                               "10.0 images/min against 10.0"));
  here.flags = record.flags = "";
  here.images_per_min = 20;
  here.e2e_s = 3;
  here.driver_version = "580\nX";
  here.model = "other";
  here.unet_tflop = 1;
  record.unet_tflop = 2;
  CHECK_THAT(
      reproduction_text(here, record),
      ContainsSubstring("other work than the record's, so there is no ratio: 20.0 images/min "
                        "here; differs in model (here other, there"));
  here.model = record.model;
  here.unet_tflop = 2;
  const std::string text = reproduction_text(here, record);
  CHECK_THAT(text, ContainsSubstring("faster: +100 %") &&
                       ContainsSubstring("differs in driver_version (here 580 X, there 570)"));
  CHECK(text.find('\n') == std::string::npos);
  record.images_per_min.reset();
  record.status = "oom_device";
  CHECK_THAT(reproduction_text(here, record),
             ContainsSubstring("the record has no rate (oom_device); here 20.0 images/min"));
  here.images_per_min.reset();
  here.status = "crash";
  CHECK_THAT(reproduction_text(here, record),
             ContainsSubstring("no rate here (crash") &&
                 ContainsSubstring("none in the record (oom_device"));
}

TEST_CASE("the answer says whether the device itself differs, if both runs were probed") {
  RunRecord record = good_record("tiny-sd15", 10);
  record.probe_format = "fp16";
  record.probe_product_tflops = 100;
  record.probe_copy_gb_s = 2000;
  RunRecord here = record;
  CHECK_THAT(reproduction_text(here, record),
             ContainsSubstring("; by their probes both devices compute and copy as fast"));
  here.probe_product_tflops = 80;
  CHECK_THAT(reproduction_text(here, record),
             ContainsSubstring("the device of this run computes 20 % slower than that of the "
                               "record"));
  here.device_name = "another card";
  CHECK_THAT(reproduction_text(here, record), !ContainsSubstring("probes"));
}

TEST_CASE("a network's reproduction is by its own rate, and other work by its arithmetic") {
  RunRecord record = good_record("vgg16", 600);
  record.task = "infer";
  record.batch = 4;
  record.images_per_s = 10;
  record.achieved_tflops = 0.3;
  RunRecord here = record;
  here.images_per_s = 20;
  here.images_per_min = 1200;
  here.achieved_tflops = 0.6;
  here.e2e_s = 3;
  CHECK_THAT(reproduction_text(here, record), ContainsSubstring("faster: +100 %") &&
                                                  ContainsSubstring("20.0 images/s against 10.0"));
  const auto is_other_work = [&] {
    return reproduction_text(here, record).starts_with("other work than the record's");
  };
  here.batch = 8;
  CHECK(is_other_work());
  here.batch = 4;
  here.model = "resnet152";
  here.achieved_tflops = 0.4;
  CHECK(is_other_work());
  here = record;
  here.epochs = 2;
  CHECK(is_other_work());
}
