#include "sdbench/front/words/page_width.h"

#include <string>
#include <vector>

#include "catch.h"
#include "sdbench/front/words/markup_forms.h"
#include "sdbench/front/words/view_table.h"

using namespace sdbench;

namespace {

ViewTable table_of(const std::vector<int>& drops, std::size_t characters) {
  ViewTable table;
  table.title = "cards";
  table.columns.push_back({"machine", false, 0});
  table.rows.push_back({.cells = {std::string(90, 'm')}});
  for (std::size_t i = 0; i < drops.size(); ++i) {
    table.columns.push_back({"column " + std::to_string(i), true, drops[i]});
    table.rows.front().cells.emplace_back(characters, '1');
  }
  return table;
}

std::vector<ViewTable> fitted(ViewTable table) {
  View view;
  view.tables.push_back(std::move(table));
  return fitted_to_page(std::move(view)).tables;
}

std::vector<std::string> heads(const ViewTable& table) {
  std::vector<std::string> words;
  for (const ViewColumn& column : table.columns) {
    words.push_back(column.head);
  }
  return words;
}

} // namespace

TEST_CASE("a table that fits a page stays as it is") {
  const std::vector<ViewTable> tables = fitted(table_of({3, 2, 1}, 8));
  REQUIRE(tables.size() == 1);
  CHECK(tables.front().columns.size() == 4);
  CHECK(tables.front().remarks.empty());
}

TEST_CASE("what is least important goes where a page has no room, and is named") {
  const std::vector<ViewTable> tables = fitted(table_of({0, 2, 9, 1, 7, 0}, 18));
  REQUIRE(tables.size() == 1);
  CHECK(heads(tables.front()) ==
        std::vector<std::string>{"machine", "column 0", "column 3", "column 5"});
  CHECK(tables.front().rows.front().cells.size() == 4);
  REQUIRE(tables.front().remarks.size() == 1);
  CHECK(tables.front().remarks.front() ==
        "no room for: column 1, column 2, column 4 (all in --format csv)");
}

TEST_CASE("a table of cells goes on in further tables, each with the names") {
  ViewTable table = table_of(std::vector<int>(7, 0), 18);
  table.narrow = Narrow::kParts;
  table.remarks = {"a remark"};
  const std::vector<ViewTable> tables = fitted(std::move(table));
  REQUIRE(tables.size() == 3);
  CHECK(heads(tables[1]) ==
        std::vector<std::string>{"machine", "column 3", "column 4", "column 5"});
  CHECK(tables[1].title == "cards, continued");
  CHECK(tables[0].remarks.empty());
  CHECK(tables[2].remarks == std::vector<std::string>{"a remark"});
}

TEST_CASE("cells take several lines where a table fits in fewer parts so") {
  ViewTable table = table_of({0, 0, 0, 0, 0, 0}, 1);
  table.narrow = Narrow::kParts;
  for (std::size_t column = 1; column < table.columns.size(); ++column) {
    table.columns[column].head = "sdxl 1024x1024\nsdbench tuned";
    table.rows.front().cells[column] = "0.711, 0.520x ?";
  }
  const std::vector<ViewTable> tables = fitted(table);
  REQUIRE(tables.size() == 1);
  CHECK(tables.front().wraps);
  CHECK(tables.front().rows.front().cells[1] == "0.711, 0.520x\u00a0?"); // the mark stays with it
  CHECK(tables.front().rows.front().cells[0] == table.rows.front().cells[0]);
  CHECK(to_html({.command = "compare", .head = "", .tables = tables})
            .find("<table class=\"wraps\">") != std::string::npos);
  table.columns.resize(3);
  table.rows.front().cells.resize(3);
  CHECK_FALSE(fitted(table).front().wraps);
}
