#include "sdbench/compare/quality_beside.h"

#include <functional>

#include "catch.h"
#include "compare_rows.h"

using namespace sdbench;
using Catch::Matchers::ContainsSubstring;
using test::compared;
using test::failed_row;
using test::row_of;

namespace {

/// Of the picture and setting of row_of(), over four prompts: other work by its ids.
RunRecord study_row(const std::string& run_id, double psnr_db, double ssim) {
  RunRecord row = failed_row("ok", run_id);
  row.workload_id = "work of four images";
  row.images = 4;
  row.quality_reference = "fp32";
  row.psnr_db_min = psnr_db;
  row.ssim_min = ssim;
  return row;
}

RunRecord study_with(RunRecord row, const std::function<void(RunRecord&)>& change) {
  change(row);
  return row;
}

} // namespace

TEST_CASE("a study of several prompts stands beside the speed of its setting, not in a column of "
          "its own") {
  const auto result = compared({row_of(10, "fast"), study_row("study", 31.5, 0.97)});
  REQUIRE(result.comparison.columns.size() == 1);
  CHECK(result.pool("fast").psnr_db_min == 31.5);
  CHECK(result.pool("fast").ssim_min == 0.97);
  CHECK_THAT(result.notes("fast"), ContainsSubstring("worst image against fp32"));
  CHECK_THAT(result.notes("fast"), ContainsSubstring("numerics, not pictures"));
}

TEST_CASE("a setting that was left to sdbench has the quality of what came of it") {
  const auto result =
      compared({row_of(10, "auto"), study_with(study_row("study", 31.5, 0.97), [](RunRecord& row) {
                  row.variant_id = "asked for fp16";
                })});
  CHECK(result.pool("auto").ssim_min == 0.97);
}

TEST_CASE("the quality of another picture, setting, place or engine is no row's") {
  using R = RunRecord;
  const std::vector<std::function<void(R&)>> changes = {[](R& r) { r.steps = 20; },
                                                        [](R& r) { r.guidance = 3; },
                                                        [](R& r) { r.scheduler = "euler_karras"; },
                                                        [](R& r) { r.dtype_unet = "bf16"; },
                                                        [](R& r) { r.attention_used = "math"; },
                                                        [](R& r) { r.weights = "checkpoint"; },
                                                        [](R& r) { r.engine_revision = 2; },
                                                        [](R& r) { r.env_id = "elsewhere"; },
                                                        [](R& r) { r.status = "invalid_output"; }};
  for (const auto& change : changes) {
    const auto result =
        compared({row_of(10, "fast"), study_with(study_row("study", 31.5, 0.97), change)});
    CHECK_FALSE(result.pool("fast").ssim_min.has_value());
    CHECK_NOTHROW(result.pool("study")); // it is not lost
  }
}

TEST_CASE("of studies of several batches a row has that of its own") {
  const auto result =
      compared({row_of(10, "fast"), study_row("one", 31.5, 0.97),
                study_with(study_row("four", 25, 0.9), [](RunRecord& row) { row.batch = 4; })});
  CHECK(result.pool("fast").psnr_db_min == 31.5);
}

TEST_CASE("rows of quality are compared with each other by their own figures") {
  CompareOptions options;
  options.metric = find_metric("ssim_min");
  const auto result = compared({row_of(10, "fast"), study_row("study", 31.5, 0.97)}, options);
  CHECK(result.pool("study").figure->mean == 0.97);
}
