#include "sdbench/front/compare/slower_check.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "catch.h"
#include "compare_rows.h"
#include "sdbench/front/compare/metric.h"
#include "sdbench/front/record/flags.h"
#include "sdbench/front/record/run_record.h"
#include "sdbench/front/telemetry/suspended.h"

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

/// Starts of one session, some tenths of a percent apart.
std::vector<RunRecord> starts(double it_s, const std::string& name, bool is_after) {
  std::vector<RunRecord> rows;
  for (const double factor : {0.999, 1.0, 1.001}) {
    rows.push_back(row_of(it_s * factor, name + std::to_string(rows.size())));
    rows.back().sweep_id = name;
    rows.back().restart = static_cast<std::int64_t>(rows.size());
    rows.back().note = is_after ? "after.csv" : "";
  }
  return rows;
}

SlowerCheck checked(double before, double after_it_s) {
  std::vector<RunRecord> rows = starts(before, "a", false);
  const std::vector<RunRecord> others = starts(after_it_s, "b", true);
  rows.insert(rows.end(), others.begin(), others.end());
  return checked(rows);
}

} // namespace

TEST_CASE("several starts that take five percent longer for sure are slower, four are not") {
  CHECK(checked(100, 93).slower.size() == 1);
  CHECK(checked(100, 93).slower.front().words.find("unet_it_s: ") != std::string::npos);
  CHECK(checked(100, 93).slower.front().words.find("within one session") != std::string::npos);
  CHECK(checked(100, 96.5).slower.empty());
  CHECK(checked(100, 130).slower.empty());
  CHECK(checked(100, 130).one_start.empty());
}

TEST_CASE("one start on a side decides nothing, however large the gap") {
  for (const double after_it_s : {50.0, 93.0, 100.0, 200.0}) {
    const SlowerCheck check = checked({row_of(100, "a"), after(row_of(after_it_s, "b"))});
    CHECK(check.slower.empty());
    CHECK(check.one_start.size() == 1);
  }
  std::vector<RunRecord> rows = starts(100, "a", false);
  rows.push_back(after(row_of(50, "b")));
  CHECK(checked(rows).slower.empty());
  CHECK(checked(rows).one_start.size() == 1);
}

TEST_CASE("rounds of one start are one start, and decide nothing") {
  std::vector<RunRecord> rows = starts(100, "a", false);
  for (RunRecord& row : starts(50, "b", true)) {
    row.round = std::exchange(row.restart, 1);
    rows.push_back(row);
  }
  const SlowerCheck check = checked(rows);
  CHECK(check.slower.empty());
  REQUIRE(check.one_start.size() == 1);
  CHECK(check.one_start.front().words.find("within one start of ") != std::string::npos);
}

TEST_CASE("a gap that the intervals do not prove is said, not failed") {
  std::vector<RunRecord> rows = starts(100, "a", false);
  for (const double it_s : {80.0, 100.0}) {
    rows.push_back(after(row_of(it_s, "b" + std::to_string(rows.size()))));
  }
  const SlowerCheck check = checked(rows);
  CHECK(check.slower.empty());
  CHECK(check.uncertain.size() == 1);
}

TEST_CASE("of memory the device's is judged, and the host's where there is no other") {
  for (const bool has_device : {true, false}) {
    std::vector<RunRecord> rows = starts(100, "a", false);
    const std::vector<RunRecord> others = starts(100, "b", true);
    rows.insert(rows.end(), others.begin(), others.end());
    for (RunRecord& row : rows) {
      row.peak_host_bytes = row.note.empty() ? 1'000'000 : 3'000'000;
      row.peak_device_allocated_bytes = has_device ? std::optional(1'000'000) : std::nullopt;
      row.note = row.note.empty() ? "before.csv" : row.note;
    }
    CompareOptions options;
    options.baseline = "before.csv";
    options.metric = find_metric("peak_host_bytes");
    const auto result = test::compared(rows, options);
    CHECK(check_slower(result.comparison, result.table, 0.05).slower.size() ==
          (has_device ? 0 : 1));
  }
}

namespace {

/// A machine whose starts within a session vary by 1 %, and whose sessions also do. One session in
/// five is slower by a quarter as a whole.
class Machine {
public:
  explicit Machine(unsigned seed) : random_(seed) {}
  void add(std::vector<RunRecord>& rows, const std::string& file, int sessions, int restarts,
           double it_s) {
    std::normal_distribution<double> one_percent(1, 0.01);
    std::bernoulli_distribution is_slow(0.2);
    for (int session = 0; session < sessions; ++session) {
      const double of_session = it_s * one_percent(random_) * (is_slow(random_) ? 0.74 : 1);
      for (int restart = 0; restart < restarts; ++restart) {
        rows.push_back(row_of(of_session * one_percent(random_), std::to_string(rows.size())));
        rows.back().note = file;
        rows.back().sweep_id = file + std::to_string(session);
        rows.back().restart = restart + 1;
      }
    }
  }

private:
  std::mt19937 random_;
};

/// Percentage of trials in which the gate fails.
double percent_failed(int sessions, int restarts, double it_s, bool confirmed) {
  constexpr unsigned kTrials = 300;
  int count = 0;
  for (unsigned trial = 0; trial < kTrials; ++trial) {
    Machine machine(trial);
    std::vector<RunRecord> rows;
    machine.add(rows, "before.csv", sessions, restarts, 100);
    machine.add(rows, "after.csv", sessions, restarts, it_s);
    CompareOptions options;
    options.baseline = "before.csv";
    const auto result = test::compared(rows, options);
    const SlowerCheck check = check_slower(result.comparison, result.table, 0.05);
    if (check.slower.empty() || !confirmed) {
      count += check.slower.empty() ? 0 : 1;
      continue;
    }
    std::vector<RunRecord> again;
    machine.add(again, "again.csv", 1, restarts, it_s);
    const auto said = check_again(result.comparison, result.table, check.slower.front(),
                                  again.front(), again, 0.05);
    count += said.check.slower.empty() ? 0 : 1;
  }
  return 100.0 * count / kTrials;
}

} // namespace

TEST_CASE("a slow session among equal ones fails a gate seldom, and a real loss is found") {
  // docs/comparing.md has these figures
  CHECK(percent_failed(1, 1, 100, false) == 0); // one start each: never decided
  CHECK(percent_failed(1, 3, 100, false) == Approx(15).margin(2));
  CHECK(percent_failed(1, 3, 100, true) == Approx(3).margin(1));
  CHECK(percent_failed(3, 3, 100, false) < 1);
  CHECK(percent_failed(1, 3, 70, true) == Approx(90).margin(3));
}

namespace {

/// Checks a slower place again, with the rows of its new starts.
CheckedAgain said_again(const std::vector<RunRecord>& again, bool baseline_failed = false) {
  std::vector<RunRecord> rows = starts(100, "a", false);
  if (baseline_failed) {
    rows.push_back(failed_row("crash", "a-failed"));
  }
  const std::vector<RunRecord> others = starts(50, "b", true);
  rows.insert(rows.end(), others.begin(), others.end());
  for (RunRecord& row : rows) {
    row.note = row.note.empty() ? "before.csv" : row.note;
  }
  CompareOptions options;
  options.baseline = "before.csv";
  const auto result = test::compared(rows, options);
  const SlowerCheck check = check_slower(result.comparison, result.table, 0.05);
  REQUIRE(check.slower.size() == 1);
  return check_again(result.comparison, result.table, check.slower.front(), others.front(), again,
                     0.05);
}

bool is_in_no_list(const SlowerCheck& check) {
  return check.slower.empty() && check.broken.empty() && check.one_start.empty() &&
         check.uncertain.empty();
}

} // namespace

TEST_CASE("what runs again as fast as the baseline is slower no longer") {
  const CheckedAgain said = said_again(starts(100, "c", true));
  CHECK(is_in_no_list(said.check));
  CHECK(said.stays.empty());
  CHECK(said.failures.empty());
  CHECK(said_again(starts(50, "c", true)).check.slower.size() == 1);
  CHECK(said_again({starts(100, "c", true).front()}).check.one_start.size() == 1);
}

TEST_CASE("a start that fails when it runs again is a failure, and is counted") {
  std::vector<RunRecord> again = starts(100, "c", true);
  again.back() = failed_row("crash", "c-failed");
  const CheckedAgain said = said_again(again);
  CHECK(said.failures == "1 of 3 starts failed (crash)");
  REQUIRE(said.check.broken.size() == 1);
  CHECK(said.check.broken.front().words.ends_with(": again 1 of 3 starts failed (crash)"));
  CHECK(said.check.slower.empty());
  const CheckedAgain beside_failures = said_again(again, true);
  CHECK(is_in_no_list(beside_failures.check));
  CHECK(beside_failures.failures == "1 of 3 starts failed (crash)");
}

TEST_CASE("rows of another measurement leave a slower place as it was") {
  for (const auto& change : std::vector<void (*)(RunRecord&)>{
           [](RunRecord& row) { row.engine_revision = 2; },
           [](RunRecord& row) { row.weights = "blob:0123"; },
           [](RunRecord& row) { row.env_id = "another"; },
           [](RunRecord& row) { row.cell_id = "another"; },
           [](RunRecord& row) { row.flags = "suspended"; },
       }) {
    std::vector<RunRecord> again = starts(100, "c", true);
    std::ranges::for_each(again, change);
    const CheckedAgain said = said_again(again);
    CHECK(is_in_no_list(said.check));
    CHECK_FALSE(said.stays.empty());
  }
}

TEST_CASE("a baseline's row that was interrupted, skipped or edited excuses no failure") {
  RunRecord edited = row_of(100, "x");
  edited.flags = kContradicts;
  for (const RunRecord& odd :
       {failed_row("interrupted", "x"), failed_row("skipped", "x"), std::move(edited)}) {
    const SlowerCheck found =
        checked({row_of(100, "a"), odd, after(row_of(100, "c")), after(failed_row("crash", "d")),
                 after(failed_row("interrupted", "e"))});
    REQUIRE(found.broken.size() == 1);
    CHECK(found.broken.front().words.ends_with(": 1 of 3 rows failed (crash)"));
  }
}

TEST_CASE("a place that lost every figure is broken, though the baseline failed once, too") {
  const SlowerCheck lost =
      checked({row_of(100, "a"), failed_row("oom_device", "b"),
               after(failed_row("oom_device", "c")), after(failed_row("oom_device", "d"))});
  REQUIRE(lost.broken.size() == 1);
  CHECK(lost.broken.front().words.ends_with(": 2 of 2 rows failed (OOM)"));
  CHECK(checked({row_of(100, "a"), failed_row("oom_device", "b"), after(row_of(100, "c")),
                 after(failed_row("oom_device", "d"))})
            .broken.empty());
}

TEST_CASE("rows that contradict themselves, or whose machine slept, leave a place undecided") {
  RunRecord edited = after(row_of(100, "b"));
  edited.flags = kContradicts;
  RunRecord slept = after(row_of(100, "b"));
  slept.flags = kSuspended;
  for (const auto& [row, reason] :
       {std::pair(edited, "contradicts itself"), std::pair(slept, "suspended")}) {
    const SlowerCheck check = checked({row_of(100, "a"), row});
    REQUIRE(check.uncertain.size() == 1);
    CHECK(check.uncertain.front().words.ends_with(std::string(": ") + reason));
    CHECK(check.missing.empty());
  }
}

TEST_CASE("a figure that the baseline has and no other row does is not decided") {
  RunRecord without = after(row_of(100, "b"));
  without.unet_it_s.reset();
  const SlowerCheck check = checked({row_of(100, "a"), without});
  REQUIRE(check.uncertain.size() == 1);
  CHECK(check.uncertain.front().words.ends_with(": no unet_it_s"));
  CHECK(check.missing.empty());
  CHECK(check.compared == 1);
}

TEST_CASE("what failed beside a device is not judged by the host's memory") {
  RunRecord before = row_of(100, "a");
  before.peak_host_bytes = before.peak_device_allocated_bytes = 1'000'000;
  before.note = "before.csv";
  CompareOptions options;
  options.baseline = "before.csv";
  options.metric = find_metric("peak_host_bytes");
  const auto result = test::compared({before, after(failed_row("crash", "b"))}, options);
  const SlowerCheck check = check_slower(result.comparison, result.table, 0.05);
  CHECK(check.broken.empty());
  CHECK(check.compared == 0);
}

TEST_CASE("a failure where the baseline is good is broken, an interruption decides nothing") {
  const SlowerCheck broken = checked({row_of(100, "a"), after(failed_row("crash", "b"))});
  REQUIRE(broken.broken.size() == 1);
  CHECK(broken.broken.front().words.ends_with(": crash"));
  CHECK(broken.missing.empty());
  CHECK(broken.one_start.empty());
  const SlowerCheck one_of_two =
      checked({row_of(100, "a"), after(row_of(100, "b")), after(failed_row("crash", "c"))});
  REQUIRE(one_of_two.broken.size() == 1);
  CHECK(one_of_two.broken.front().words.ends_with(": 1 of 2 rows failed (crash)"));
  const SlowerCheck cut = checked({row_of(100, "a"), after(failed_row("interrupted", "b"))});
  CHECK(cut.broken.empty());
  CHECK(cut.missing.empty());
  REQUIRE(cut.uncertain.size() == 1);
  CHECK(cut.uncertain.front().words.ends_with(": interrupted"));
}

TEST_CASE("a failure before the dtype was chosen is compared with what was asked alike") {
  RunRecord good = row_of(100, "a");
  good.variant_id = "v1";
  RunRecord failed = after(failed_row("oom_device", "b"));
  failed.dtype_unet.clear();
  failed.variant_id = "v1";
  const SlowerCheck check = checked({good, failed});
  REQUIRE(check.broken.size() == 1);
  CHECK(check.broken.front().words.ends_with(": OOM"));
  CHECK(check.missing.empty());
  failed.variant_id = "v2";
  CHECK(checked({good, failed}).broken.empty());
}

TEST_CASE("a place of which one start failed and the others are slower is both") {
  std::vector<RunRecord> rows = starts(100, "a", false);
  for (const RunRecord& row : starts(50, "b", true)) {
    rows.push_back(row);
  }
  rows.push_back(after(failed_row("oom_device", "c")));
  const SlowerCheck check = checked(rows);
  REQUIRE(check.broken.size() == 1);
  CHECK(check.broken.front().words.ends_with(": 1 of 4 rows failed (OOM)"));
  CHECK(check.slower.size() == 1);
}

TEST_CASE("rows of other settings are not compared with the baseline") {
  RunRecord other = after(row_of(50, "b"));
  other.dtype_unet = "fp32";
  const SlowerCheck check = checked({row_of(100, "a"), other});
  CHECK(check.compared == 0);
  CHECK(check.missing.size() == 1);
}

TEST_CASE("an axis that older rows lack, at its usual choice, is no other setting") {
  RunRecord older = row_of(100, "a");
  older.packed_weights = "";
  RunRecord newer = after(row_of(50, "b"));
  newer.packed_weights = "auto";
  CHECK(checked({older, newer}).compared == 1);
  newer.packed_weights = "onednn";
  CHECK(checked({older, newer}).compared == 0);
}
