#include "sdbench/front/report/prices.h"

#include "catch.h"
#include "scratch_folder.h"
#include "sdbench/base/core/error.h"

using namespace sdbench;
using Catch::Matchers::ContainsSubstring;

namespace {

std::vector<Price> prices_in(const std::string& content) {
  const test::ScratchFolder folder;
  return read_prices(folder.write("prices.csv", content));
}

} // namespace

TEST_CASE("prices are read by the names of their columns") {
  const auto prices = prices_in("\xef\xbb\xbfhourly, gpu ,price,currency\n"
                                "0.5,\"RTX 4090\", 1800 ,EUR\n\n,L4,2500,USD\r\n");
  REQUIRE(prices.size() == 2);
  CHECK(prices[0].gpu == "RTX 4090");
  CHECK(prices[0].price == 1800);
  CHECK(prices[0].hourly == 0.5);
  CHECK(prices[0].currency == "EUR");
  CHECK_FALSE(prices[1].hourly);
  CHECK(prices_in("gpu,hourly\nT4,0.35\n").front().hourly == 0.35);
}

TEST_CASE("a price that is none is named by file, line and column") {
  CHECK_THROWS_WITH(prices_in("gpu,price\nL4,2500\nT4,cheap\n"),
                    ContainsSubstring("prices.csv, line 3, column price: must be a number above 0, "
                                      "or empty, but is \"cheap\""));
  CHECK_THROWS_WITH(prices_in("gpu,hourly\nT4,-1\n"), ContainsSubstring("column hourly"));
  CHECK_THROWS_WITH(prices_in("gpu,hourly\nT4,nan\n"), ContainsSubstring("column hourly"));
  CHECK_THROWS_WITH(prices_in("gpu,hourly\nT4,inf\n"), ContainsSubstring("column hourly"));
  CHECK_THROWS_WITH(prices_in("gpu,price\n\"a\nb\",1\nT4,x\n"), ContainsSubstring("line 4"));
  CHECK_THROWS_WITH(prices_in("gpu,price\n,1\n"), ContainsSubstring("must name a GPU"));
  CHECK_THROWS_WITH(prices_in("gpu,price,hourly\nT4,,\n"), ContainsSubstring("has neither"));
  CHECK_THROWS_WITH(prices_in("gpu,price\nT4\n"), ContainsSubstring("must have 2 fields"));
}

TEST_CASE("a file that holds no prices says what it should hold") {
  CHECK_THROWS_WITH(prices_in("gpu,pirce\nT4,1\n"), ContainsSubstring("did you mean price?"));
  CHECK_THROWS_WITH(prices_in("price\n1\n"), ContainsSubstring("there is no gpu"));
  CHECK_THROWS_WITH(prices_in("gpu,gpu\nT4,T4\n"), ContainsSubstring("stands twice"));
  CHECK_THROWS_WITH(prices_in("gpu,price\n"), ContainsSubstring("holds no price"));
  CHECK_THROWS_WITH(prices_in(""), ContainsSubstring("holds no price"));
  CHECK_THROWS_WITH(prices_in("gpu,price\n\"T4,1\n"), ContainsSubstring("never closed"));
}

TEST_CASE("names of one GPU are the same without the maker's words and whatever their case") {
  CHECK(names_same_gpu("RTX 4090", "NVIDIA GeForce RTX 4090"));
  CHECK(names_same_gpu("tesla t4", "Tesla T4"));
  CHECK_FALSE(names_same_gpu("RTX 2080", "NVIDIA GeForce RTX 2080 Ti"));
  CHECK_FALSE(names_same_gpu("NVIDIA", "NVIDIA"));
}
