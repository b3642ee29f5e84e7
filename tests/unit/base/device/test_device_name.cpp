#include "sdbench/base/device/device_name.h"

#include "catch.h"

using namespace sdbench;

TEST_CASE("a device's name has a kind, and a number where it is one of several") {
  CHECK(typed_name(*parse_device_name("auto")) == "auto");
  CHECK(parse_device_name("all")->is_all);
  CHECK_FALSE(parse_device_name("cpu")->number.has_value());
  CHECK(parse_device_name("cuda:0")->kind == DeviceKind::kCuda);
  CHECK(parse_device_name("cuda:0")->number == 0);
  CHECK(parse_device_name("cpu:12")->number == 12);
  CHECK(parse_device_name("intel")->kind == DeviceKind::kIntel);
  CHECK_FALSE(parse_device_name("intel")->number.has_value());
  CHECK(parse_device_name("intel:1")->number == 1);
}

TEST_CASE("a text that is no device's name is none") {
  for (const char* text : {"", "gpu", "cuda:", "cuda:x", "cuda:1x", "cuda:-1", "cpu:99999",
                           "auto:1", "all:0", ":1", "CUDA:0", "intel:", "Intel"}) {
    INFO(text);
    CHECK_FALSE(parse_device_name(text).has_value());
  }
}
