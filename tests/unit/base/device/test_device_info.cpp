#include "sdbench/base/device/device_info.h"

#include "catch.h"
#include "sdbench/base/device/device_kind_table.h"

using namespace sdbench;

namespace {

DeviceInfo device(DeviceKind kind, const char* name) {
  DeviceInfo info;
  info.kind = kind;
  info.name = name;
  return info;
}

} // namespace

TEST_CASE("a device is found by its kind and its number among the GPUs") {
  const std::vector devices = {device(DeviceKind::kCuda, "first"),
                               device(DeviceKind::kCuda, "second"),
                               device(DeviceKind::kCpu, "host")};
  const auto name_of = [&](const char* asked) { return find_device(asked, devices)->name; };
  CHECK(name_of("auto") == "first");
  CHECK(name_of("cuda") == "first");
  CHECK(name_of("cuda:0") == "first");
  CHECK(name_of("cuda:1") == "second");
  CHECK(name_of("cpu") == "host");
  CHECK(name_of("cpu:1") == "host"); // a part of it
  for (const char* missing : {"cuda:2", "cuda:-1", "cuda:x", "cuda:", "tpu", ""}) {
    INFO(missing);
    CHECK(find_device(missing, devices) == nullptr);
  }
}

TEST_CASE("auto is the CPU where there is no GPU") {
  const std::vector devices = {device(DeviceKind::kCpu, "host")};
  CHECK(find_device("auto", devices)->name == "host");
  CHECK(find_device("cuda", devices) == nullptr);
  CHECK(find_device("auto", {}) == nullptr);
}
