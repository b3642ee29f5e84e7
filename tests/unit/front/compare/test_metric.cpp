#include "sdbench/front/compare/metric.h"

#include "catch.h"
#include "compare_rows.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/front/compare/comparison.h"
#include "sdbench/front/compare/pooled_figure.h"
#include "sdbench/front/record/run_record.h"

using namespace sdbench;

TEST_CASE("a metric knows by its unit which way is better") {
  CHECK(find_metric("images_per_min").more_is_better);
  CHECK(find_metric("scaling_efficiency").more_is_better);
  CHECK(find_metric("accuracy").more_is_better);
  CHECK_FALSE(find_metric("accuracy").is_speed());
  CHECK_FALSE(find_metric("e2e_s").more_is_better);
  CHECK_FALSE(find_metric("j_per_image").more_is_better);
  CHECK(find_metric("s_per_it").is_speed());
  CHECK_FALSE(find_metric("peak_host_bytes").is_speed());
}

TEST_CASE("figures are written as people write them") {
  CHECK(find_metric("unet_it_s").text(24.31) == "24.3 it/s");
  CHECK(find_metric("unet_it_s").text(0.25) == "4.00 s/it");
  CHECK(find_metric("e2e_s").text(0.012) == "12.0 ms");
  CHECK(find_metric("images_per_min").text(61.23) == "61.2 images/min");
}

TEST_CASE("a column is headed by the words of its field") {
  CHECK(find_metric("unet_it_s").head == "UNet it/s");
  CHECK(find_metric("images_per_min").head == "images/min");
  CHECK(find_metric("e2e_s").head == "end to end"); // times are written with their units
  CHECK(find_metric("j_per_image").head == "J/image");
  CHECK(find_metric("peak_host_bytes").head == "host memory");
  CHECK(find_metric("vae_s").head == "vae_s");
}

TEST_CASE("what has no better direction, or is no field, is no metric") {
  CHECK_THROWS_WITH(find_metric("note"),
                    Catch::Matchers::ContainsSubstring("neither more nor less"));
  CHECK_THROWS_AS(find_metric("sm_clock_hz_mean"), UsageError);
  CHECK_THROWS_AS(find_metric("steps"), UsageError);
  CHECK_THROWS_WITH(find_metric("unet_its"), Catch::Matchers::ContainsSubstring("unet_it_s?"));
}

TEST_CASE("an iteration's spread is that of the UNet's runs, of a network that of its runs") {
  for (const char* name : {"step_s_mean", "achieved_tflops"}) {
    CAPTURE(name);
    RunRecord row = test::row_of(10, "a"); // unet_s_sd is 1 % of unet_s
    row.step_s_mean = 0.1;
    row.achieved_tflops = 2;
    row.e2e_s = 6;
    row.e2e_s_sd = 3;
    const auto relative_sd = [&] {
      CompareOptions options;
      options.metric = find_metric(name);
      const auto result = test::compared({row}, options);
      const PooledFigure figure = result.pool("a").figure.value();
      return figure.within_sd.value() / figure.mean;
    };
    CHECK(relative_sd() == Approx(0.01));
    row.unet_s.reset();
    row.unet_s_sd.reset();
    CHECK(relative_sd() == Approx(0.5));
  }
}
