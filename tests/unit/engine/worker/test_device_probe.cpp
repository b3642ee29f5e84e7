#include "catch.h"
#include "sdbench/engine/worker/device_probe.h"

#include <cmath>
#include <map>
#include <set>
#include <string>

#include <ATen/Parallel.h>

#include "sdbench/base/executor/probe_figure_table.h"
#include "sdbench/engine/worker/device_choice.h"

using namespace sdbench;

TEST_CASE(
    "a processor's probe has products, memory and no transfer, each with a name of the table") {
  const DeviceInfo info = describe_device(c10::kCPU, {});
  std::map<std::string, double> found;
  probe_device(c10::kCPU, info,
               {[&](std::string_view name, double value) { found[std::string(name)] = value; },
                [](std::string_view name, const std::string& reason) { FAIL(name << reason); },
                [] {}});
  for (const auto& [name, value] : found) {
    CAPTURE(name, value);
    CHECK(find_probe_figure(name) != nullptr);
    CHECK(std::isfinite(value));
    CHECK(value > 0);
  }
  CHECK(found.count("product_fp32") == 1);
  CHECK(found.count("product_bf16") == (has_bf16(info) ? 1 : 0));
  CHECK(found.count("product_fp32_one_core") == (at::get_num_threads() > 1 ? 1 : 0));
  CHECK(found.count("convolution_fp32") + found.count("attention_fp32") == 2);
  CHECK(found.count("copy") + found.count("triad") == 2);
  CHECK(found.count("to_device_pinned") + found.count("launch") == 0);
}

TEST_CASE("a probe ends where its listener throws") {
  int figures = 0;
  const ProbeListener listener{[&](std::string_view, double) { ++figures; },
                               [](std::string_view, const std::string&) {},
                               [&] {
                                 if (figures == 1) {
                                   throw std::runtime_error("stop");
                                 }
                               }};
  CHECK_THROWS_WITH(probe_device(c10::kCPU, describe_device(c10::kCPU, {}), listener), "stop");
  CHECK(figures == 1);
}
