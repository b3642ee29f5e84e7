#include "sdbench/engine/training/learning_rate.h"

#include <vector>

#include "catch.h"

using namespace sdbench;

namespace {

std::vector<double> rates_of(std::int64_t epochs) {
  std::vector<double> rates;
  for (std::int64_t epoch = 0; epoch < epochs; ++epoch) {
    rates.push_back(epoch_learning_rate(128, epoch, epochs));
  }
  return rates;
}

} // namespace

TEST_CASE("the learning rate falls at a half and at four fifths of the epochs") {
  CHECK(rates_of(1) == std::vector<double>{0.1});
  CHECK(rates_of(2) == std::vector<double>{0.1, 0.1 / 10});
  CHECK(rates_of(5) == std::vector<double>{0.1, 0.1, 0.1, 0.1 / 10, 0.1 / 100});
  const std::vector<double> hundred = rates_of(100);
  CHECK(hundred[49] == 0.1);
  CHECK(hundred[50] == 0.1 / 10);
  CHECK(hundred[79] == 0.1 / 10);
  CHECK(hundred[80] == 0.1 / 100);
}

TEST_CASE("the learning rate is in proportion to the batch, and stays where there are no epochs") {
  CHECK(epoch_learning_rate(2048, 0, 100) == Approx(1.6));
  CHECK(epoch_learning_rate(32, 7, 0) == Approx(0.025));
}
