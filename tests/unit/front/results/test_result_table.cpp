#include "sdbench/front/results/result_table.h"

#include "catch.h"
#include "sample_record.h"
#include "sdbench/base/errors/error.h"

using namespace sdbench;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("a table gives back every field of a record as the record has it") {
  const RunRecord record = test::full_record();
  ResultTable table;
  const std::size_t row = table.add(record);
  for (std::size_t field = 0; field < record_fields().size(); ++field) {
    INFO(record_fields()[field].name);
    CHECK(table.value_text(row, field) == field_text(record, record_fields()[field]));
  }
}

TEST_CASE("equal texts of rows have equal ids, and others not") {
  RunRecord record = test::full_record();
  ResultTable table;
  const std::size_t first = table.add(record);
  record.host = "elsewhere";
  const std::size_t second = table.add(record);
  const std::size_t model = field_index("model");
  const std::size_t host = field_index("host");
  CHECK(table.text_id(first, model) == table.text_id(second, model));
  CHECK(table.text_id(first, host) != table.text_id(second, host));
}

TEST_CASE("a copied table keeps its rows when the first one changes") {
  ResultTable table;
  const std::size_t host = field_index("host");
  for (const char* name : {"desk", "server", "desk"}) {
    table.set(table.add_row({}), host, name);
  }
  const ResultTable same = table.copy();
  table.set(0, host, "nobody");
  table.set(1, host, "nobody");
  REQUIRE(same.size() == 3);
  CHECK(same.text(0, host) == "desk");
  CHECK(same.text(1, host) == "server");
  CHECK(same.text_id(0, host) == same.text_id(2, host));
  CHECK(same.text_id(0, host) != same.text_id(1, host));
}

TEST_CASE("an absent number stays absent, and a text that is no number is refused by its field") {
  ResultTable table;
  const std::size_t row = table.add_row({});
  CHECK_FALSE(table.number(row, "unet_it_s"));
  table.set(row, field_index("unet_it_s"), "2.5");
  CHECK(table.number(row, "unet_it_s") == 2.5);
  CHECK_THROWS_WITH(table.set(row, field_index("unet_it_s"), "2.5x"),
                    ContainsSubstring("unet_it_s must be of type number"));
}

TEST_CASE("an unknown field is refused with its option and the near name") {
  CHECK_THROWS_WITH(asked_field("unet_its", "--rows"),
                    "--rows must name a field of a record (docs/record.md lists them), but names "
                    "\"unet_its\"; did you mean unet_it_s?");
}
