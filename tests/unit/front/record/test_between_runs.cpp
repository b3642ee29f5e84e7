#include "sdbench/front/record/between_runs.h"

#include <cstdint>
#include <vector>

#include "catch.h"

using namespace sdbench;

namespace {

/// A good row of one cell, with an interval of its own.
RunRecord row(double unet_it_s, double images_per_min) {
  static std::int64_t round = 0;
  RunRecord record;
  record.round = ++round;
  record.status = "ok";
  record.cell_id = "cell";
  record.env_id = "env";
  record.engine = "plain";
  record.engine_revision = 2;
  record.unet_it_s = unet_it_s;
  record.images_per_min = images_per_min;
  record.ci95_covers = "within-run";
  record.ci95_count = 5;
  record.unet_it_s_ci95_low = unet_it_s - 0.1;
  record.unet_it_s_ci95_high = unet_it_s + 0.1;
  return record;
}

RunRecord applied(RunRecord record, const std::vector<RunRecord>& earlier) {
  apply_between_runs(record, earlier);
  return record;
}

} // namespace

TEST_CASE("from two rows on the interval covers what differs between runs") {
  const std::vector<RunRecord> earlier{row(1 / 3.8, 60 / 3.8), row(1 / 4.2, 60 / 4.2)};
  const RunRecord record = applied(row(0.25, 15), earlier);
  CHECK(record.ci95_covers == "between-runs");
  CHECK(record.ci95_count == 3);
  CHECK(record.unet_it_s_ci95_low == Approx(1 / 4.496827546).epsilon(1e-8));
  CHECK(record.unet_it_s_ci95_high == Approx(1 / 3.503172454).epsilon(1e-8));
  CHECK(record.images_per_min_ci95_low == Approx(60 / 4.496827546).epsilon(1e-8));
  CHECK(record.images_per_min_ci95_high == Approx(60 / 3.503172454).epsilon(1e-8));
  CHECK(record.unet_it_s == 0.25); // the row keeps its own figure
}

TEST_CASE("two rows give Student's t of one degree of freedom") {
  const RunRecord record = applied(row(1 / 3.9, 60 / 3.9), {row(1 / 4.1, 60 / 4.1)});
  CHECK(record.ci95_covers == "between-runs");
  CHECK(record.ci95_count == 2);
  CHECK(record.unet_it_s_ci95_low == Approx(1 / (4 + 12.7062 * 0.1)).epsilon(1e-5));
  CHECK(record.unet_it_s_ci95_high == Approx(1 / (4 - 12.7062 * 0.1)).epsilon(1e-5));
}

TEST_CASE("two rows that coincide are no surer than the runs within the row") {
  RunRecord second = row(0.25, 15);
  second.images_per_min_ci95_low = 14;
  second.images_per_min_ci95_high = 16;
  const RunRecord record = applied(second, {row(0.25, 15.001)});
  CHECK(record.ci95_covers == "within-run");
  CHECK(record.images_per_min_ci95_low == 14);
  CHECK(record.unet_it_s_ci95_low == 0.15);
  CHECK(applied(second, {row(0.25, 14)}).ci95_covers == "between-runs");
}

TEST_CASE("one row alone leaves the interval within the run") {
  const RunRecord record = applied(row(0.25, 15), {});
  CHECK(record.ci95_covers == "within-run");
  CHECK(record.ci95_count == 5);
  CHECK(record.unet_it_s_ci95_low == 0.15);
}

TEST_CASE("rows of other tags are no repeats") {
  RunRecord other = row(1 / 4.2, 60 / 4.2);
  other.tags = "cooler=air";
  CHECK(applied(row(0.25, 15), {other}).ci95_covers == "within-run");
  RunRecord same = row(0.25, 15);
  same.tags = other.tags;
  CHECK(applied(same, {other}).ci95_covers == "between-runs");
}

TEST_CASE("only rows of the same measurement count") {
  const auto other = [](auto change) {
    RunRecord record = row(0.26, 16);
    change(record);
    return record;
  };
  for (const RunRecord& stranger :
       {other([](RunRecord& r) { r.cell_id = "another"; }),
        other([](RunRecord& r) { r.env_id = "another"; }),
        other([](RunRecord& r) { r.engine = "another"; }),
        other([](RunRecord& r) { r.engine_revision = 1; }),
        other([](RunRecord& r) { r.weights = "synthetic:1"; }),
        other([](RunRecord& r) { r.seed = 1; }),
        other([](RunRecord& r) { r.prompt_sha256 = "another"; }),
        other([](RunRecord& r) { r.status = "interrupted"; }),
        other([](RunRecord& r) { r.unet_it_s.reset(); }),
        other([](RunRecord& r) { r.images_per_min.reset(); })}) { // a partial run
    CHECK(applied(row(0.25, 15), {stranger}).ci95_covers == "within-run");
    CHECK(applied(row(0.25, 15), {row(0.26, 16), stranger, row(0.26, 16)}).ci95_count == 3);
  }
}

TEST_CASE(
    "a row at another power limit is another measurement, and one at an unknown limit is not") {
  RunRecord mine = row(0.25, 15);
  mine.power_limit_w = 400;
  RunRecord other = row(0.26, 16);
  CHECK(applied(mine, {other}).ci95_covers == "between-runs");
  other.power_limit_w = 400;
  CHECK(applied(mine, {other}).ci95_covers == "between-runs");
  other.power_limit_w = 200;
  CHECK(applied(mine, {other}).ci95_covers == "within-run");
}

TEST_CASE("a link that one row alone saw at another generation is no other measurement") {
  const auto at = [](std::int64_t generation) {
    RunRecord record = row(0.25 + 0.001 * static_cast<double>(generation), 15);
    record.pcie_generation_used = generation;
    return record;
  };
  CHECK(applied(at(4), {at(4), at(1)}).ci95_count == 3);
  CHECK(applied(at(1), {at(4), at(4)}).ci95_count == 3);
  CHECK(applied(at(4), {at(4), at(1), at(1)}).ci95_count == 2); // was in a slower slot for a while
  CHECK(applied(at(1), {at(4), at(4), at(1)}).ci95_count == 2);
  RunRecord other_card = at(1);
  other_card.device_uuid = "GPU-b";
  other_card.cell_id = "another";
  CHECK(applied(at(1), {at(4), at(4), other_card}).ci95_count == 3);
  RunRecord limited = at(4);
  limited.power_limit_w = 200;
  RunRecord mine = at(1);
  mine.power_limit_w = 400;
  CHECK(applied(mine, {limited, limited}).ci95_covers == "within-run");
}

TEST_CASE("a row without a whole run gets no interval from others") {
  RunRecord failed = row(0.25, 15);
  failed.status = "crash";
  CHECK(applied(failed, {row(0.26, 16), row(0.27, 17)}).ci95_covers == "within-run");
  RunRecord partial = row(0.25, 15);
  partial.images_per_min.reset();
  CHECK(applied(partial, {row(0.26, 16), row(0.27, 17)}).ci95_covers == "within-run");
}

TEST_CASE("cells of one list are no repeats of each other") {
  RunRecord first = row(0.25, 15);
  RunRecord second = row(0.26, 16);
  RunRecord third = row(0.27, 17);
  first.round = second.round = third.round = 1; // as --repeat 2,4,8 makes them
  CHECK(applied(third, {first, second}).ci95_covers == "within-run");
}

TEST_CASE("sums of parallel executions have an interval of their images alone") {
  const auto sum = [](double images_per_min) {
    RunRecord record = row(1, images_per_min);
    record.parallel_role = kRoleSum;
    record.unet_it_s.reset();
    return record;
  };
  const RunRecord record = applied(sum(15), {sum(16), sum(17)});
  CHECK(record.ci95_covers == "between-runs");
  CHECK(record.ci95_count == 3);
  CHECK(record.images_per_min_ci95_low < 16);
  CHECK_FALSE(record.unet_it_s_ci95_low.has_value());
}

TEST_CASE("rows of a network have an interval of their images, for no UNet has steps there") {
  RunRecord first = row(0, 10);
  RunRecord second = row(0, 11);
  for (RunRecord* record : {&first, &second}) {
    record->task = "train";
    record->unet_it_s.reset();
    record->unet_it_s_ci95_low.reset();
    record->unet_it_s_ci95_high.reset();
  }
  const RunRecord record = applied(second, {first});
  CHECK(record.ci95_covers == "between-runs");
  CHECK(record.ci95_count == 2);
  CHECK(record.images_per_min_ci95_low.value() < 10);
  CHECK_FALSE(record.unet_it_s_ci95_low);
}

TEST_CASE("a row whose partners were lost is pooled with none, and none with it") {
  RunRecord lost = row(0.25, 15);
  lost.flags = "noisy partner_lost";
  CHECK(applied(lost, {row(0.26, 16), row(0.27, 17)}).ci95_covers == "within-run");
  CHECK(applied(row(0.25, 15), {lost}).ci95_covers == "within-run");
}
