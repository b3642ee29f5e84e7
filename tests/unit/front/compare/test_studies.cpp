#include "sdbench/front/compare/studies.h"

#include <string>

#include "catch.h"
#include "compare_rows.h"
#include "sdbench/front/compare/compare_formats.h"
#include "sdbench/front/compare/compare_view.h"
#include "sdbench/front/compare/metric.h"
#include "sdbench/front/record/run_record.h"
#include "sdbench/front/words/text_form.h"

using namespace sdbench;
using Catch::Matchers::ContainsSubstring;
using test::compared;
using test::row_of;

namespace {

/// A timed row whose kernel is known.
RunRecord timed_row(double it_s, const std::string& run_id, const std::string& dtype) {
  RunRecord row = row_of(it_s, run_id);
  row.dtype_unet = dtype;
  row.variant_id = dtype;
  row.attention = "flash";
  row.attention_used = "flash";
  return row;
}

/// A row of `sdbench quality`: three prompts on a different host, with attention auto.
RunRecord study_row(double ssim, const std::string& run_id, const std::string& dtype) {
  RunRecord row = timed_row(1, run_id, dtype);
  row.workload_id = "three pictures";
  row.variant_id = "auto " + dtype;
  row.env_id = "elsewhere";
  row.host = "beta";
  row.attention = "auto";
  row.batch = 3;
  row.images = 3;
  row.seed = 7;
  row.prompt_sha256 = "p";
  row.repeat = 0;
  row.unet_it_s.reset();
  row.unet_s.reset();
  row.unet_s_sd.reset();
  row.quality_reference = "fp32";
  row.ssim_min = ssim;
  if (ssim < 1) {
    row.psnr_db_min = 40 * ssim;
  }
  return row;
}

std::string text_of(const test::Compared& result) {
  return to_text(compare_view(result.comparison, result.table), {});
}

} // namespace

TEST_CASE("a study stands beside the speed of the same configuration, whatever its pictures") {
  const auto result = compared({timed_row(20, "a", "fp16"), timed_row(10, "b", "fp32"),
                                study_row(0.9, "q", "fp16"), study_row(0.8, "worse", "fp16")});
  CHECK(result.comparison.columns.size() == 1);
  REQUIRE(result.comparison.pools.size() == 2);
  CHECK(result.pool("a").ssim_min == 0.8);
  CHECK(result.pool("a").psnr_db_min == 40 * 0.8);
  CHECK_FALSE(result.pool("b").ssim_min);
  CHECK(result.comparison.lone_studies == 0);
  CHECK_THAT(text_of(result),
             ContainsSubstring("PSNR, SSIM: the worst image of sdbench quality, against fp32"));
}

TEST_CASE(
    "a study of other work, arithmetic, device or weights stands beside nothing, and is said") {
  const std::vector<void (*)(RunRecord&)> changes = {[](RunRecord& r) { r.width = 256; },
                                                     [](RunRecord& r) { r.steps = 20; },
                                                     [](RunRecord& r) { r.dtype_vae = "fp32"; },
                                                     [](RunRecord& r) { r.attention_used = "math"; },
                                                     [](RunRecord& r) { r.device_name = "Other"; },
                                                     [](RunRecord& r) { r.weights = "synthetic:1"; },
                                                     [](RunRecord& r) { r.guidance = 1; },
                                                     [](RunRecord& r) { r.engine_revision = 9; }};
  for (const auto& change : changes) {
    RunRecord study = study_row(0.9, "q", "fp16");
    change(study);
    const auto result = compared({timed_row(20, "a", "fp16"), study});
    CHECK(result.comparison.columns.size() == 1);
    CHECK_FALSE(result.pool("a").ssim_min);
    CHECK(result.comparison.lone_studies == 1);
    CHECK_THAT(text_of(result), ContainsSubstring("1 row of sdbench quality left out"));
  }
}

TEST_CASE("identical pictures are called so, for their PSNR is infinite") {
  const auto result = compared({timed_row(20, "a", "fp16"), study_row(1, "q", "fp16")});
  CHECK(result.pool("a").ssim_min == 1.0);
  CHECK_THAT(text_of(result), ContainsSubstring("identical"));
}

TEST_CASE("a study that failed is a mark, and no failure of the benchmark") {
  RunRecord study = study_row(0.5, "q", "fp16");
  study.status = "invalid_output";
  study.ssim_min.reset();
  study.psnr_db_min.reset();
  const auto result = compared({timed_row(20, "a", "fp16"), study, study});
  CHECK(result.pool("a").failed.empty());
  CHECK(result.notes("a") == "sdbench quality ended as invalid_output\n");
}

TEST_CASE("studies are rows of their own where they alone are compared, or by their own figures") {
  CompareOptions options;
  options.metric = find_metric("ssim_min");
  const auto by_ssim = compared(
      {timed_row(20, "a", "fp16"), study_row(0.9, "q", "fp16"), study_row(0.8, "r", "bf16")},
      options);
  CHECK(by_ssim.comparison.pools.size() == 2);
  CHECK(by_ssim.pool("q").is_baseline);
  CHECK(by_ssim.pool("r").relative.value == Approx(0.8 / 0.9));
  const auto alone = compared({study_row(0.9, "q", "fp16"), study_row(0.8, "r", "bf16")});
  CHECK(alone.comparison.pools.size() == 2);
  CHECK(alone.pool("q").ssim_min == 0.9);
}
