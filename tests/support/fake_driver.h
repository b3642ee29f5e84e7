#pragma once

#include <string>

#include "environment.h"
#include "sdbench/front/telemetry/nvml_with_timeouts.h"

namespace sdbench::test {

/// NVML from the stand-in library, which behaves as `words` say (tests/support/fake_nvml.cpp).
class FakeDriver {
public:
  explicit FakeDriver(const char* words)
      : library_("SDBENCH_NVML", SDBENCH_FAKE_NVML_LIBRARY), words_("SDBENCH_FAKE_NVML", words) {}

private:
  EnvironmentVariable library_;
  EnvironmentVariable words_;
};

} // namespace sdbench::test
