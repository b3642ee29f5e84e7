#include "sdbench/front/trend/trend_check.h"

#include <string>
#include <vector>

#include "catch.h"
#include "trend_rows.h"

using namespace sdbench;
using test::night_row;
using test::night_rows;
using Kind = TrendFinding::Kind;

namespace {

std::vector<RunRecord> changed_rows(std::size_t before, std::size_t after, double it_s) {
  std::vector<RunRecord> rows = night_rows(before);
  for (std::size_t night = before; night < before + after; ++night) {
    rows.push_back(night_row(night, it_s));
  }
  return rows;
}

TrendFinding found(const std::vector<RunRecord>& rows, double limit = 0.03) {
  const auto result = test::trended(rows);
  const auto findings = check_trends(result.trends, result.table, limit);
  REQUIRE(findings.size() == 1);
  return findings.front();
}

void fail_last(std::vector<RunRecord>& rows, const std::string& status) {
  rows.back().status = status;
  rows.back().unet_it_s.reset();
}

} // namespace

TEST_CASE("nights that are slower by the limit since a change are slower") {
  CHECK(found(changed_rows(20, 3, 95)).kind == Kind::kSlower);
  CHECK(found(changed_rows(20, 3, 95)).words.starts_with("since 2026-01-21 0.9"));
  CHECK(found(changed_rows(20, 3, 95), 0.10).kind == Kind::kFine);
  CHECK(found(changed_rows(20, 3, 105)).kind == Kind::kFine);
  CHECK(found(night_rows(20)).kind == Kind::kFine);
}

TEST_CASE("a change of more than ten nights ago is the baseline") {
  CHECK(found(changed_rows(20, 10, 95)).kind == Kind::kSlower);
  CHECK(found(changed_rows(20, 11, 95)).kind == Kind::kFine);
}

TEST_CASE("a slow last night, and two, are not decided") {
  for (const std::size_t nights : {1U, 2U}) {
    const TrendFinding finding = found(changed_rows(20, nights, 90));
    CHECK(finding.kind == Kind::kUndecided);
    CHECK(finding.words.find("one night does not prove a change") != std::string::npos);
  }
}

TEST_CASE("too few nights are not decided") {
  CHECK(found(night_rows(12)).kind == Kind::kUndecided);
  CHECK(found(night_rows(13)).kind == Kind::kFine);
}

TEST_CASE("three nights that spread widely do not prove what they show") {
  std::vector<RunRecord> rows = changed_rows(20, 3, 95);
  rows[21] = night_row(21, 80);
  rows[22] = night_row(22, 88);
  CHECK(found(rows).kind == Kind::kUndecided);
  INFO(found(rows).words);
  CHECK(found(rows).words.find("do not prove it yet") != std::string::npos);
}

TEST_CASE("a last night that failed is broken, unless nights of the baseline failed, too") {
  std::vector<RunRecord> rows = night_rows(20);
  fail_last(rows, "crash");
  CHECK(found(rows).kind == Kind::kBroken);
  CHECK(found(rows).words == "the last night, 2026-01-20: crash, no figure");
  fail_last(rows, "interrupted");
  CHECK(found(rows).kind == Kind::kUndecided);
  fail_last(rows, "crash");
  rows.push_back(night_row(19)); // a good start beside it
  rows.back().run_id = "good";
  CHECK(found(rows).kind == Kind::kBroken);
  rows[15].status = "crash";
  rows[15].unet_it_s.reset();
  CHECK(found(rows).kind == Kind::kFine);
}

TEST_CASE("a cell that is measured no more is not judged") {
  std::vector<RunRecord> rows = changed_rows(20, 3, 90);
  for (RunRecord row : night_rows(40)) {
    row.run_id += "other";
    row.model = "sdxl";
    row.workload_id = "other";
    rows.push_back(row);
  }
  const auto result = test::trended(rows);
  const auto findings = check_trends(result.trends, result.table, 0.03);
  REQUIRE(findings.size() == 2);
  CHECK(findings[0].kind == Kind::kNotJudged);
  CHECK(findings[1].kind == Kind::kFine);
}
