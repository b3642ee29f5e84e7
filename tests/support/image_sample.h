#pragma once

#include <utility>
#include <vector>

#include "sdbench/base/executor/run_sample.h"

namespace sdbench::test {

/// A run of images, seconds each.
[[nodiscard]] inline RunSample image_sample(double text_s, double unet_s, double vae_s,
                                            double e2e_s, std::vector<double> step_s = {},
                                            double start_s = 0) {
  return {{{"text", text_s}, {"unet", unet_s}, {"vae", vae_s}}, e2e_s, std::move(step_s), start_s};
}

} // namespace sdbench::test
