#include "sdbench/front/trend/cell_trend.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "catch.h"
#include "trend_rows.h"

using namespace sdbench;
using test::night_row;
using test::night_rows;
using test::trended;

TEST_CASE("a cell stays one over drivers, kernels, libtorch, revisions and power limits") {
  std::vector<RunRecord> rows = night_rows(20);
  for (RunRecord& row : rows) {
    row.power_limit_w = 300;
  }
  for (std::size_t night = 20; night < 24; ++night) {
    RunRecord row = night_row(night, 95);
    row.env_id = "other";
    row.variant_id = "other";
    row.driver_version = "580.10";
    row.kernel = "6.12.1";
    row.runtime_version = "2.12.0";
    row.engine_revision = 9;
    row.power_limit_w = 250;
    rows.push_back(row);
  }
  const auto result = trended(rows);
  REQUIRE(result.trends.trends.size() == 1);
  const CellTrend& trend = result.trends.trends.front();
  CHECK(trend.nights.size() == 24);
  REQUIRE(trend.changes.size() == 1);
  const LevelChange& change = trend.changes.front();
  CHECK(change.night == 20);
  CHECK(change.rows_before.size() == 10);
  CHECK(change.rows_after.size() == 4);
  CHECK(change.before.mean == Approx(0.01).epsilon(0.005));
  std::vector<std::string> names;
  for (const FieldChange& field : change.fields) {
    names.emplace_back(field.field.text());
  }
  CHECK(names == std::vector<std::string>{"engine_revision", "runtime_version", "driver_version",
                                          "power_limit_w", "kernel"});
  CHECK(change.fields[1].before == "2.11.0");
  CHECK(change.fields[1].after == "2.12.0");
}

TEST_CASE("whatever changes on a machine divides no cell, and is named where the level changed") {
  const auto fields = test::changing_fields();
  REQUIRE(fields.size() > 50);
  for (const FieldName field : fields) {
    std::vector<RunRecord> rows = night_rows(20);
    for (std::size_t night = 20; night < 24; ++night) {
      rows.push_back(night_row(night, 94));
      set_field_text(rows.back(), field_named(field), test::is_text(field) ? "new" : "2");
    }
    INFO(field.text());
    const auto result = trended(rows);
    REQUIRE(result.trends.trends.size() == 1);
    REQUIRE(result.trends.trends.front().changes.size() == 1);
    const std::vector<FieldChange>& changed = result.trends.trends.front().changes.front().fields;
    REQUIRE(changed.size() == 1);
    CHECK(changed.front().field == field);
    CHECK(changed.front().after == (test::is_text(field) ? "new" : "2"));
  }
}

TEST_CASE("numbers of threads and formats that were asked for are cells of their own") {
  std::vector<RunRecord> rows;
  for (std::size_t night = 0; night < 3; ++night) {
    for (const std::int64_t threads : {0, 4, 8}) {
      for (const char* const format : {"auto", "fp32"}) {
        rows.push_back(night_row(night));
        rows.back().asked_threads = threads;
        rows.back().threads = threads == 0 ? 8 : threads;
        rows.back().asked_dtype = format;
        rows.back().dtype_unet = "fp32";
      }
    }
  }
  CHECK(trended(rows).trends.trends.size() == 6);
}

TEST_CASE("a change is explained where the night before it lies by chance on the same side") {
  std::vector<RunRecord> rows;
  for (std::size_t night = 0; night < 26; ++night) {
    rows.push_back(night_row(night, night < 19 ? 100 : night == 19 ? 98.9 : 96));
    rows.back().driver_version = night < 20 ? "570.86" : "580.10";
  }
  for (const std::size_t nights : {22U, 23U, 26U}) {
    const auto result = trended({rows.begin(), rows.begin() + nights});
    REQUIRE(result.trends.trends.front().changes.size() == 1);
    const LevelChange& change = result.trends.trends.front().changes.front();
    CHECK(change.night == 20);
    REQUIRE(change.fields.size() == 1);
    CHECK(change.fields.front().field.text() == "driver_version");
  }
}

TEST_CASE("a field that had been so before explains no change") {
  std::vector<RunRecord> rows = night_rows(24);
  for (std::size_t night = 0; night < rows.size(); ++night) {
    rows[night] = night_row(night, night < 20 ? 100 : 95);
    rows[night].driver_version = night == 17 || night >= 20 ? "580.10" : "570.86";
  }
  const auto result = trended(rows);
  REQUIRE(result.trends.trends.front().changes.size() == 1);
  CHECK(result.trends.trends.front().changes.front().fields.empty());
}

TEST_CASE("what was asked for, and two cards of one name, are cells of their own") {
  std::vector<RunRecord> rows;
  for (std::size_t night = 0; night < 3; ++night) {
    for (const char* const uuid : {"GPU-a", "GPU-b"}) {
      for (const char* const graphs : {"off", "on"}) {
        RunRecord row = night_row(night);
        row.run_id += std::string(uuid) + graphs;
        row.device_uuid = uuid;
        row.graphs = graphs;
        rows.push_back(row);
      }
    }
  }
  const auto result = trended(rows);
  CHECK(result.trends.trends.size() == 4);
  const std::string& name = result.trends.comparison.lines.front().name;
  CHECK(name.find("card GPU-") != std::string::npos);
  for (const CellTrend& trend : result.trends.trends) {
    CHECK(trend.nights.size() == 3);
  }
}

TEST_CASE("a cell under two power limits every night is two, one whose limit changes is one") {
  std::vector<RunRecord> rows;
  for (std::size_t night = 0; night < 4; ++night) {
    for (const double watts : {200.0, 300.0}) {
      RunRecord row = night_row(night, watts / 3);
      row.run_id += std::to_string(watts);
      row.power_limit_w = watts;
      rows.push_back(row);
    }
  }
  CHECK(trended(rows).trends.trends.size() == 2);
  std::vector<RunRecord> one;
  for (std::size_t night = 0; night < 4; ++night) {
    one.push_back(rows[2 * night + (night > 1 ? 1 : 0)]);
  }
  CHECK(trended(one).trends.trends.size() == 1);
}

TEST_CASE("a session is one night, of the date on which it began, and midnight divides none") {
  std::vector<RunRecord> rows = night_rows(3);
  rows[1].sweep_id = rows[0].sweep_id;
  rows[1].time_utc = test::date_of(1) + "T00:10:00Z";
  const auto result = trended(rows);
  const CellTrend& trend = result.trends.trends.front();
  REQUIRE(trend.nights.size() == 2);
  CHECK(trend.nights[0].rows.size() == 2);
  CHECK(date_text(trend.nights[0].day) == "2026-01-01");
  CHECK(date_text(trend.nights[1].day) == "2026-01-03");
}

TEST_CASE("failed, contradicting and cut rows are in no figure, and stand by their nights") {
  std::vector<RunRecord> rows = night_rows(6);
  rows[2].status = "crash";
  rows[2].unet_it_s.reset();
  rows[2].dtype_unet.clear(); // ended before its dtype was known
  rows[3].flags = "contradicts_itself";
  rows[4].flags = "suspended";
  const auto result = trended(rows);
  REQUIRE(result.trends.trends.size() == 1);
  const CellTrend& trend = result.trends.trends.front();
  CHECK(trend.measured() == std::vector<std::size_t>{0, 1, 5});
  CHECK(trend.nights[2].failed.size() == 1);
  CHECK(trend.nights[3].failed.size() == 1);
  CHECK(trend.nights[4].left_out.size() == 1);
}

TEST_CASE("missing nights are counted by the usual distance of nights") {
  std::vector<RunRecord> rows;
  for (const std::size_t night : {0U, 7U, 14U, 28U, 35U}) {
    rows.push_back(night_row(night));
  }
  const auto result = trended(rows);
  CHECK(result.trends.trends.front().days_between == 7);
  CHECK(result.trends.trends.front().missing_nights == 1);
}

TEST_CASE("rows of a clock that was wrong are left out and named, in any order of the rows") {
  std::vector<RunRecord> rows = night_rows(5);
  rows[1].time_utc = "1970-01-01T00:00:07Z";
  rows[2].time_utc = "2099-01-01T00:00:00Z";
  rows[3].time_utc = "yesterday";
  const auto result = trended(rows);
  CHECK(result.trends.trends.front().nights.size() == 2);
  REQUIRE(result.trends.remarks.size() == 3);
  CHECK(result.trends.remarks[0] ==
        "left out, because they have no date: 1 row (nightly.csv, line 5: yesterday)");
  CHECK(result.trends.remarks[1].find("clock was not set: 1 row") != std::string::npos);
  CHECK(result.trends.remarks[2].find("dates are in the future: 1 row") != std::string::npos);
  for (RunRecord& row : rows) {
    row.time_utc = "";
  }
  CHECK(trended(rows).trends.trends.empty());
}

TEST_CASE("dates that go back within a file are said, and nights stand by their dates") {
  std::vector<RunRecord> rows = night_rows(5);
  std::swap(rows[1].time_utc, rows[4].time_utc);
  const auto result = trended(rows);
  const CellTrend& trend = result.trends.trends.front();
  CHECK(trend.nights[1].rows.front() == 4);
  REQUIRE(result.trends.remarks.size() == 1);
  CHECK(result.trends.remarks[0].find("line 4 is dated 2026-01-03, after one dated 2026-01-05") !=
        std::string::npos);
}
