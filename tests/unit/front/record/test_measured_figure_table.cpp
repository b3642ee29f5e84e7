#include "sdbench/base/executor/measured_figure_table.h"

#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "catch.h"
#include "sdbench/base/executor/executor.h"
#include "sdbench/base/executor/messages.h"
#include "sdbench/base/types/status.h"
#include "sdbench/front/record/build_record.h"
#include "sdbench/front/record/parallel_sum.h"
#include "sdbench/front/record/run_record.h"
#include "team_cell.h"

using namespace sdbench;

namespace {

/// Sets a value that is different for each `number`.
template <typename Value>
void fill(Value& value, int number) {
  if constexpr (std::is_same_v<Value, std::string>) {
    value = "text " + std::to_string(number);
  } else {
    value = number;
  }
}

Measured filled(int first) {
  Measured measured;
  for (const MeasuredFigure& figure : kMeasured) {
    std::visit([&](auto member) { fill(measured.*member, first++); }, figure.member);
  }
  return measured;
}

RunRecord row_with(const Measured& measured) {
  RunRecord row;
  static_cast<Measured&>(row) = measured;
  row.status = "ok";
  return row;
}

/// Sums two rows, and passes each figure of the sum and of the rows to `check`.
template <typename Check>
void check_sum(std::pair<int, int> firsts, const char* share, const Check& check) {
  std::vector<RunRecord> rows = {row_with(filled(firsts.first)), row_with(filled(firsts.second))};
  rows.front().share = share;
  const RunRecord sum = sum_record(test::team_cell(8), rows, {}, {});
  for (const MeasuredFigure& figure : kMeasured) {
    CAPTURE(figure.name);
    std::visit(
        [&](auto member) { check(figure.together, sum.*member, rows[0].*member, rows[1].*member); },
        figure.member);
  }
}

} // namespace

TEST_CASE("what a worker measured goes through its message into the row, each figure") {
  CellOutcome outcome;
  outcome.status = Status::kOk;
  outcome.result.emplace();
  static_cast<Measured&>(*outcome.result) = filled(1);
  const std::string line = messages::encode(messages::Event(messages::OutcomeEvent{outcome}));
  const messages::Event event = messages::decode_event(line);
  const CellOutcome heard = std::get<messages::OutcomeEvent>(event).outcome;
  const RunRecord told = build_record(test::team_cell(8), heard, {});
  const RunRecord found = build_record(test::team_cell(8), outcome, {});
  for (const MeasuredFigure& figure : kMeasured) {
    CAPTURE(figure.name);
    std::visit(
        [&]<typename Value>(Value Measured::*member) {
          const Value value = (*outcome.result).*member;
          CHECK(found.*member == value);
          CHECK(told.*member == (figure.source == FoundBy::kWorker ? value : Value()));
        },
        figure.member);
  }
}

TEST_CASE("devices that measured the same have it together, where a figure is no single device's") {
  check_sum({1, 1}, "prompts", [](Together together, const auto& sum, const auto& one, auto) {
    CHECK(sum == (together == Together::kNone ? std::decay_t<decltype(one)>() : one));
  });
}

TEST_CASE("devices that measured otherwise have together what the figure's row says") {
  using Text = std::string;
  const auto check_on = [](const char* share) {
    check_sum({1, 101}, share,
              [&]<typename Value>(Together together, const Value& sum, const Value& one,
                                  const Value& other) {
                if (together == Together::kGreatest) {
                  CHECK(sum == other);
                } else if (together == Together::kReplica && share == std::string("batch")) {
                  CHECK(sum == one);
                } else if constexpr (std::is_same_v<Value, Text>) {
                  CHECK(sum == (together == Together::kJoined ? one + "+" + other : Text()));
                } else {
                  CHECK_FALSE(sum.has_value());
                }
              });
  };
  check_on("batch");
  check_on("prompts");
}
