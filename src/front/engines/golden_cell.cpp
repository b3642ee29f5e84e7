#include "golden_cell.h"

#include <algorithm>
#include <cstddef>
#include <span>

#include "sdbench/base/weights/safetensors_writer.h"

namespace sdbench {

Cell golden_cell(const Cell& cell, Precision precision, const GoldenFile& golden,
                 const std::filesystem::path& noise, const std::filesystem::path& latents) {
  const TensorView& given = golden.noise();
  write_safetensors(noise, {{"latents", given.dtype, given.shape}},
                    [&](std::size_t, std::span<std::byte> buffer) {
                      std::ranges::copy(given.data, buffer.begin());
                    });
  Cell run = cell;
  run.dtype = precision;
  run.width = golden.width();
  run.height = golden.height();
  run.steps = golden.steps();
  run.guidance = golden.guidance();
  run.prompts = {golden.prompt()};
  run.negative_prompt.reset();
  run.batch = run.images = 1;
  run.clip_skip = 0;
  run.timestep_spacing = cell.model.scheduler.timestep_spacing;
  run.karras = cell.model.scheduler.use_karras_sigmas;
  run.warmup = 0;
  run.repeat = 1;
  run.max_noise.reset();
  run.max_time_s.reset();
  run.expected_s.reset();
  run.init_latents = noise;
  run.dump_latents = latents;
  run.save_images.clear();
  run.dump_run.clear();
  run.dump_step_images = false;
  return run;
}

} // namespace sdbench
