#pragma once

#include <string>

#include "sdbench/front/record/run_record.h"

namespace sdbench::test {

/// A good row of an invented GPU.
[[nodiscard]] inline RunRecord gpu_row(const std::string& name, std::int64_t sm_count,
                                       double it_s) {
  RunRecord row;
  row.run_id = name + std::to_string(it_s);
  row.workload_id = "w";
  row.variant_id = "v";
  row.status = "ok";
  row.device_kind = "cuda";
  row.device_name = name;
  row.compute_capability = "8.6";
  row.sm_count = sm_count;
  row.sm_clock_hz_max = 1e9;
  row.model = "sd15";
  row.width = 512;
  row.height = 512;
  row.steps = 20;
  row.batch = 1;
  row.images = 1;
  row.guidance = 7.5;
  row.dtype_unet = "fp32";
  row.unet_it_s = it_s;
  row.unet_tflop = 1.607;
  row.achieved_tflops = 1.607 * it_s;
  return row;
}

} // namespace sdbench::test
