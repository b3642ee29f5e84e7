#include "sdbench/front/compare/row_filter.h"

#include "catch.h"
#include "compare_rows.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/front/record/field_name.h"
#include "sdbench/front/record/run_record.h"

using namespace sdbench;

namespace {

ResultTable two_rows() {
  ResultTable table;
  RunRecord row = test::row_of(10, "a");
  row.device_name = "NVIDIA [A] 100";
  table.add(row);
  row.device_name = "NVIDIA B";
  row.steps = 30;
  table.add(row);
  return table;
}

std::vector<RowFilter> filters_of(const std::vector<std::string>& texts) {
  std::vector<RowFilter> filters;
  for (const std::string& text : texts) {
    filters.push_back(parse_filter(text));
  }
  return filters;
}

std::size_t rows_left(const std::vector<std::string>& texts) {
  return filtered_rows(two_rows(), filters_of(texts)).size();
}

} // namespace

TEST_CASE("filters keep equal values, numbers as numbers, and patterns as in file names") {
  CHECK(rows_left({}) == 2);
  CHECK(rows_left({"device_name=NVIDIA [A] 100"}) == 1);
  CHECK(rows_left({"device_name=NVIDIA*"}) == 2);
  CHECK(rows_left({"device_name!=*B"}) == 1);
  CHECK(rows_left({"steps=30.0"}) == 1);
  CHECK(rows_left({"host=beta"}) == 0);
  CHECK(rows_left({"label="}) == 2);
}

TEST_CASE("several values of one field are alternatives, several fields all hold") {
  CHECK(rows_left({"steps=30", "steps=50"}) == 2);
  CHECK(rows_left({"steps=30", "device_name=*A*"}) == 1); // matches the A of NVIDIA
  CHECK(rows_left({"steps=30", "device_name=*100"}) == 0);
}

TEST_CASE("a filter looks at one tag, by its key, or at all of them") {
  ResultTable table;
  for (const char* const tags : {"cooler=air room_c=21", "cooler=water room_c=21", ""}) {
    RunRecord row = test::row_of(10, "a");
    row.tags = tags;
    table.add(row);
  }
  const auto left = [&](const std::vector<std::string>& texts) {
    return filtered_rows(table, filters_of(texts)).size();
  };
  CHECK(left({"tag:cooler=air"}) == 1);
  CHECK(left({"tag:cooler=air", "tag:cooler=water"}) == 2);
  CHECK(left({"tag:cooler=air", "tag:room_c=22"}) == 0);
  CHECK(left({"tag:cooler!=air"}) == 2);
  CHECK(left({"tag:room_c=21.0"}) == 2);
  CHECK(left({"tag:fan="}) == 3);
  CHECK(left({"tags=cooler=air room_c=21"}) == 1);
  CHECK(left({"tags="}) == 1);
  CHECK_THAT(why_none_is_left(table, filters_of({"tag:cooler=oil"})),
             Catch::Matchers::EndsWith("whose tag:cooler is air, water or empty"));
  CHECK_THROWS_AS(parse_filter("tag:=x"), UsageError);
}

TEST_CASE("a filter that is none says how one is written") {
  CHECK_THROWS_AS(parse_filter("steps"), UsageError);
  CHECK_THROWS_AS(parse_filter("=5"), UsageError);
  CHECK_THROWS_WITH(parse_filter("stepz=5"), Catch::Matchers::ContainsSubstring("steps?"));
  CHECK_THROWS_WITH(parse_filter("nofield=1"),
                    Catch::Matchers::StartsWith("--filter must name a field"));
  CHECK_THROWS_WITH(parse_filter("tag:a b=1"), Catch::Matchers::StartsWith("--filter must have"));
}

TEST_CASE(
    "the values that a filter could have are sorted, numbers as numbers and empty ones last") {
  const auto values = [](const char* field, const std::vector<const char*>& all) {
    ResultTable table;
    for (const char* const value : all) {
      table.add(test::row_of(10, "a"));
      table.set(table.size() - 1, FieldName::of(field).place(), value);
    }
    const std::string why = why_none_is_left(table, filters_of({std::string(field) + "=9"}));
    return why.substr(why.find("whose"));
  };
  CHECK(values("batch", {"16", "8", "1", "4", "8"}) == "whose batch is 1, 4, 8 or 16");
  CHECK(values("label", {"", "b", "10", "nan", "2", "a"}) ==
        "whose label is 2, 10, a, b, nan or empty");
}

TEST_CASE("a filter that leaves nothing is named, with the values that there are") {
  const auto why = [](const std::vector<std::string>& texts) {
    return why_none_is_left(two_rows(), filters_of(texts));
  };
  CHECK(why({"steps=40"}) == "--filter steps=40 must leave rows to compare, but leaves none of 2, "
                             "whose steps is 30 or 50");
  CHECK(why({"host=alpha", "steps=40", "steps=41"}) ==
        "--filter steps=40 or steps=41 must leave rows to compare, but leaves none of 2 that the "
        "others leave, whose steps is 30 or 50");
  CHECK(why({"steps=30", "device_name=*100"}) ==
        "--filter device_name=*100 must leave rows to compare, but leaves none of 1 that the "
        "others leave, whose device_name is NVIDIA B");
  CHECK(why({"label=mine"}) == "--filter label=mine must leave rows to compare, but leaves none of "
                               "2, whose label is empty");
}
