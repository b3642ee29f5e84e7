#include "catch.h"

#include <cmath>
#include <cstdint>

#include "sdbench/base/config/model_config.h"
#include "sdbench/base/config/model_cost.h"
#include "sdbench/base/config/network_config.h"

using namespace sdbench;

namespace {

double parameters(const char* model) {
  return network_parameters(find_model_config(model).network.value());
}

double macs(const char* model, std::int64_t image_size) {
  NetworkConfig config = find_model_config(model).network.value();
  config.image_size = image_size;
  return network_macs(config);
}

} // namespace

TEST_CASE("the networks have as many parameters as published, to the last one") {
  CHECK(parameters("vgg16") == 138'357'544);
  CHECK(parameters("resnet152") == 60'192'808);
  CHECK(parameters("densenet161") == 28'681'000);
  CHECK(parameters("cnn10") == 1'923'914);     // the article: 1.9 million
  CHECK(parameters("wrn28-10") == 36'479'194); // the paper and the article: 36.5 million
}

TEST_CASE("the networks' work is torchvision's table, digit for digit") {
  const auto rounded = [](double value) { return std::round(value / 1e7) / 100; };
  CHECK(rounded(macs("vgg16", 224)) == 15.47);
  CHECK(rounded(macs("resnet152", 224)) == 11.51);
  CHECK(rounded(macs("densenet161", 224)) == 7.73);
}

TEST_CASE("a network's work grows with the area, but for the last layer") {
  CHECK(macs("wrn28-10", 64) == 4 * (macs("wrn28-10", 32) - 6400) + 6400);
  CHECK(macs("resnet152", 65) > macs("resnet152", 64));
}

TEST_CASE("training keeps what each convolution and each norm of a network writes") {
  const NetworkResults cnn = network_results(find_model_config("cnn10").network.value());
  const double of_convolutions = 2 * 3 * (64 * 32 * 32 + 128 * 16 * 16 + 256 * 8 * 8);
  const double of_pools = 64 * 16 * 16 + 128 * 8 * 8;
  CHECK(cnn.kept == of_convolutions + of_pools);
  CHECK(cnn.largest == 2 * 64 * 32 * 32); // read and written
}
