#include "sdbench/base/device/device_kind_table.h"

#include <algorithm>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "catch.h"
#include "pretended_kind.h"
#include "sdbench/base/device/device_info.h"
#include "sdbench/base/device/device_name.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/base/types/precision.h"

using namespace sdbench;

TEST_CASE("each kind of device has a word of its own, and dtypes where libtorch has the kind") {
  std::set<std::string_view> words;
  for (const DeviceKindRow& row : device_kinds()) {
    CAPTURE(row.word);
    CHECK(words.insert(row.word).second);
    CHECK(row_of(row.kind).word == row.word);
    CHECK(device_kind_named(row.word) == row.kind);
    CHECK(row.own_dtypes.empty() == row.torch_type.empty());
    for (const std::string_view dtype : row.own_dtypes) {
      CHECK(precision_from_name(dtype).has_value());
    }
  }
  CHECK(words == std::set<std::string_view>{"cpu", "cuda", "intel"});
  CHECK_FALSE(device_kind_named("tpu").has_value());
  CHECK_FALSE(device_kind_named("").has_value());
  CHECK_THROWS_AS(row_of(DeviceKind{9}), std::out_of_range);
}

TEST_CASE("a record names one kind, several that ran together, or none") {
  const std::vector devices = {DeviceKind::kCpu, DeviceKind::kCpu, DeviceKind::kCuda};
  CHECK(joined_kinds(devices) == "cpu+cuda");
  CHECK(joined_kinds({}).empty());
  for (const char* text : {"", "cpu", "cuda", "cpu+cuda"}) {
    INFO(text);
    CHECK(is_device_kind_field(text));
  }
  for (const char* text : {"tpu", "cpu+tpu", "cpu+", "+", "CPU", "cuda:0"}) {
    INFO(text);
    CHECK_FALSE(is_device_kind_field(text));
  }
  CHECK(kinds_asked("cpu+cuda") == std::vector{DeviceKind::kCpu, DeviceKind::kCuda});
  CHECK(kinds_asked("").empty());
}

TEST_CASE("one kind is the machine's processor, and what is not known is of no kind") {
  CHECK(std::ranges::count_if(device_kinds(), is_cpu, &DeviceKindRow::kind) == 1);
  for (const DeviceKindRow& row : device_kinds()) {
    CAPTURE(row.word);
    CHECK(is_cpu(row.kind) != is_gpu(row.kind));
  }
  CHECK(is_of_torch(cpu_kind())); // it computes where no GPU is
  for (auto* const asks : {is_cpu, is_gpu, is_of_torch, is_gpu_of_torch}) {
    CHECK_FALSE(asks(std::nullopt));
  }
}

TEST_CASE("a new kind of device is one row: it can be typed, found and recorded") {
  const test::PretendedKind rocm;
  CHECK(listed(device_forms()) ==
        "auto, all, cpu, cpu:K, cuda, cuda:N, intel, intel:N, rocm or rocm:N");
  const DeviceName name = parse_device_name("rocm:1").value();
  CHECK(name.kind == rocm.kind);
  CHECK(name.number == 1);
  CHECK(typed_name(name) == "rocm:1");
  CHECK(kinds_asked("cpu:0+rocm:1") == std::vector{DeviceKind::kCpu, rocm.kind});
  CHECK(is_device_kind_field("cpu+rocm"));
  CHECK(is_gpu_of_torch(rocm.kind));

  std::vector<DeviceInfo> devices(3);
  devices[0].kind = devices[1].kind = rocm.kind;
  devices[2].kind = DeviceKind::kCpu;
  CHECK(find_device("auto", devices) == &devices[0]);
  CHECK(find_device("rocm:1", devices) == &devices[1]);
  CHECK(find_device("cuda", devices) == nullptr);
}

TEST_CASE("a pretended kind of device is gone with its test") {
  CHECK(device_kinds().size() == 3);
  CHECK_FALSE(parse_device_name("rocm").has_value());
}
