#include "sdbench/base/record/run_record.h"
#include "sdbench/front/compare/slower_check.h"

#include "catch.h"
#include "compare_rows.h"

using namespace sdbench;
using test::failed_row;
using test::row_of;

namespace {

RunRecord after(RunRecord row) {
  row.note = "after.csv";
  return row;
}

SlowerCheck checked(std::vector<RunRecord> records) {
  for (RunRecord& record : records) {
    record.note = record.note.empty() ? "before.csv" : record.note;
  }
  CompareOptions options;
  options.baseline = "before.csv";
  const auto result = test::compared(records, options);
  return check_slower(result.comparison, result.table, 0.05);
}

} // namespace

TEST_CASE("a row that takes five percent longer for sure is slower, four percent is not") {
  CHECK(checked({row_of(100, "a"), after(row_of(93, "b"))}).slower.size() == 1);
  CHECK(checked({row_of(100, "a"), after(row_of(96.5, "b"))}).slower.empty());
  CHECK(checked({row_of(100, "a"), after(row_of(130, "b"))}).slower.empty());
}

TEST_CASE("a gap that the intervals do not prove is said, not failed") {
  RunRecord noisy = after(row_of(90, "b"));
  noisy.unet_s_sd = 0.2 * *noisy.unet_s;
  const SlowerCheck check = checked({row_of(100, "a"), noisy});
  CHECK(check.slower.empty());
  CHECK(check.uncertain.size() == 1);
}

TEST_CASE("a failure where the baseline is good is broken, an interruption is missing") {
  const SlowerCheck broken = checked({row_of(100, "a"), after(failed_row("crash", "b"))});
  CHECK(broken.broken.size() == 1);
  CHECK(broken.missing.empty());
  const SlowerCheck cut = checked({row_of(100, "a"), after(failed_row("interrupted", "b"))});
  CHECK(cut.broken.empty());
  CHECK(cut.compared == 0);
  CHECK(cut.missing.size() == 1);
}

TEST_CASE("rows of other settings are not compared with the baseline") {
  RunRecord other = after(row_of(50, "b"));
  other.dtype_unet = "fp32";
  const SlowerCheck check = checked({row_of(100, "a"), other});
  CHECK(check.compared == 0);
  CHECK(check.missing.size() == 1);
}
