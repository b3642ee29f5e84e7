#include "sdbench/base/errors/error.h"
#include "sdbench/front/report/facts.h"

#include "catch.h"
#include "scratch_folder.h"

using namespace sdbench;
using Catch::Matchers::ContainsSubstring;

namespace {

Facts facts_in(const std::string& content) {
  const test::ScratchFolder folder;
  return read_facts(folder.write("facts.csv", content), "2026-11-28");
}

} // namespace

TEST_CASE("facts are read by the names of their columns") {
  const Facts facts = facts_in("\xef\xbb\xbfhourly, gpu ,price,currency,date,source,memory_gb_s\n"
                               "0.5,RTX 4090,1800,EUR,2026-11-28,a shop,1008\r\n\n"
                               ",\"L4\",2500,EUR,2026-10-01,,\n");
  REQUIRE(facts.cards.size() == 2);
  CHECK(facts.cards[0].gpu == "RTX 4090");
  CHECK(facts.cards[0].numbers ==
        std::map<std::string, double>{{"price", 1800}, {"hourly", 0.5}, {"memory_gb_s", 1008}});
  CHECK(facts.cards[0].currency == "EUR");
  CHECK(facts.cards[0].date == "2026-11-28");
  CHECK(facts.cards[0].source == "a shop");
  CHECK(facts.cards[1].numbers == std::map<std::string, double>{{"price", 2500}});
  CHECK(facts.columns == std::vector<std::string>{"hourly", "price", "memory_gb_s"});
}

TEST_CASE("facts that are no money need no date and no currency, and may be 0") {
  const Facts facts = facts_in("gpu,tensor_cores\nGTX 1080,0\nL4,240\n");
  CHECK(facts.cards[0].numbers.at("tensor_cores") == 0);
}

TEST_CASE("a fact that is no number is named by file, line and column") {
  CHECK_THROWS_WITH(
      facts_in("gpu,price,date,currency\nL4,2500,2026-11-28,EUR\nT4,cheap,2026-11-28,EUR\n"),
      ContainsSubstring("facts.csv, line 3, column price: must be a number above 0, or empty, "
                        "but is \"cheap\""));
  CHECK_THROWS_AS(facts_in("gpu,price\nT4,cheap\n"), UsageError);
  for (const char* number : {"-1", "nan", "inf", "0", "1e999"}) {
    INFO(number);
    CHECK_THROWS_WITH(facts_in(std::string("gpu,hourly\nT4,") + number + "\n"),
                      ContainsSubstring("column hourly: must be a number above 0"));
  }
  CHECK_THROWS_WITH(
      facts_in("gpu,memory_gb_s\nT4,many\n"),
      ContainsSubstring("column \"memory_gb_s\": must be a number of 0 or more, or empty, but is "
                        "\"many\""));
  CHECK_THROWS_WITH(facts_in("gpu,memory_gb_s\nT4,-1\n"), ContainsSubstring("of 0 or more"));
  CHECK_THROWS_WITH(facts_in("gpu,price\n\"a\nb\",\nT4,x\n"), ContainsSubstring("line 2: must"));
  CHECK_THROWS_WITH(facts_in("gpu,tdp_w\n\"a\nb\",1\nT4,x\n"), ContainsSubstring("line 4"));
  CHECK_THROWS_WITH(facts_in("gpu,tdp_w\n,1\n"), ContainsSubstring("must name a GPU"));
  CHECK_THROWS_WITH(facts_in("gpu,price,hourly\nT4,,\n"), ContainsSubstring("but has none"));
  CHECK_THROWS_WITH(facts_in("gpu,tdp_w\nT4\n"), ContainsSubstring("must have 2 fields"));
}

TEST_CASE("two lines of one GPU are refused, whatever they call its maker") {
  CHECK_THROWS_WITH(facts_in("gpu,tdp_w\nRTX 4090,450\nL4,72\nGeForce rtx 4090,400\n"),
                    ContainsSubstring("line 4, column gpu: each GPU must be in one line, but "
                                      "\"GeForce rtx 4090\" is in line 2, too"));
}

TEST_CASE("money without a date is refused, and so is a day that is none") {
  const std::string wanted = "column date: must be the date of the price, such as ";
  CHECK_THROWS_WITH(facts_in("gpu,price\nL4,2500\n"),
                    ContainsSubstring(wanted) && ContainsSubstring("there is none"));
  CHECK_THROWS_WITH(facts_in("gpu,kwh_price,date\nL4,0.3,\n"), ContainsSubstring("there is none"));
  for (const char* day : {"2026-02-30", "28.11.2026", "2026-11", "2026-11-28x", "today"}) {
    INFO(day);
    CHECK_THROWS_WITH(facts_in(std::string("gpu,price,date\nL4,2500,") + day + "\n"),
                      ContainsSubstring(wanted) && ContainsSubstring(std::string("is \"") + day));
  }
}

TEST_CASE("a day that has not come is refused, and tomorrow is not: somewhere it is today") {
  CHECK_THROWS_WITH(facts_in("gpu,price,currency,date\nL4,2500,EUR,2036-11-28\n"),
                    ContainsSubstring("facts.csv, line 2, column date: must not be after today "
                                      "(2026-11-28), but is \"2036-11-28\""));
  CHECK_THROWS_WITH(facts_in("gpu,tdp_w,date\nL4,72,2026-11-30\n"),
                    ContainsSubstring("must not be after today"));
  CHECK(facts_in("gpu,price,currency,date\nL4,2500,EUR,2026-11-29\n").cards.size() == 1);
}

TEST_CASE("money without a currency is refused") {
  const std::string wanted = "facts.csv, line 2, column currency: must name the currency of the "
                             "price, such as EUR, but there is none";
  CHECK_THROWS_WITH(facts_in("gpu,hourly,date\nT4,0.35,2026-11-28\n"), ContainsSubstring(wanted));
  CHECK_THROWS_WITH(facts_in("gpu,price,currency,date\nT4,900, ,2026-11-28\n"),
                    ContainsSubstring(wanted));
}

TEST_CASE("money of another currency than the first is refused") {
  CHECK_THROWS_WITH(
      facts_in("gpu,price,currency,date\nL4,2500,EUR,2026-11-28\nT4,900,USD,2026-11-28\n"),
      ContainsSubstring("line 3, column currency: must be \"EUR\" as in line 2, because nothing is "
                        "converted, but is \"USD\""));
  CHECK_THROWS_WITH(
      facts_in("gpu,price,currency,date\nL4,2500,EUR,2026-11-28\nT4,900,,2026-11-28\n"),
      ContainsSubstring("line 3, column currency: must name the currency"));
}

TEST_CASE("a file that holds no facts says what it should hold") {
  CHECK_THROWS_WITH(facts_in("gpu,pirce\nT4,1\n"), ContainsSubstring("did you mean price?"));
  CHECK_THROWS_WITH(facts_in("gpu,curency\nT4,EUR\n"), ContainsSubstring("did you mean currency?"));
  CHECK_THROWS_WITH(facts_in("price\n1\n"), ContainsSubstring("there is no gpu"));
  CHECK_THROWS_WITH(facts_in("gpu,gpu\nT4,T4\n"), ContainsSubstring("is there twice"));
  CHECK_THROWS_WITH(facts_in("gpu,\nT4,1\n"), ContainsSubstring("name must have 1 to 40 bytes"));
  CHECK_THROWS_WITH(facts_in("gpu,price\n"), ContainsSubstring("holds no GPU"));
  CHECK_THROWS_WITH(facts_in(""), ContainsSubstring("holds no GPU"));
  CHECK_THROWS_WITH(facts_in("gpu,price\n\"T4,1\n"), ContainsSubstring("never closed"));
}

TEST_CASE("a file of facts that is too large for any page is refused") {
  CHECK_THROWS_WITH(facts_in("gpu,tdp_w\n" + std::string(2 << 20, 'x')),
                    ContainsSubstring("must be at most 1048576 bytes, but is larger"));
  std::string many = "gpu,tdp_w\n";
  for (int i = 0; i <= 1000; ++i) {
    many += "card " + std::to_string(i) + ",1\n";
  }
  CHECK_THROWS_WITH(facts_in(many),
                    ContainsSubstring("line 1002: there must be at most 1000 GPUs"));
  std::string wide = "gpu";
  for (int i = 0; i < 40; ++i) {
    wide += ",c" + std::to_string(i);
  }
  CHECK_THROWS_WITH(facts_in(wide + "\n"), ContainsSubstring("at most 40 columns"));
}

TEST_CASE("names of one GPU are the same without the maker's words and whatever their case") {
  CHECK(names_same_gpu("RTX 4090", "NVIDIA GeForce RTX 4090"));
  CHECK(names_same_gpu("tesla t4", "Tesla T4"));
  CHECK_FALSE(names_same_gpu("RTX 2080", "NVIDIA GeForce RTX 2080 Ti"));
  CHECK_FALSE(names_same_gpu("NVIDIA", "NVIDIA"));
}
