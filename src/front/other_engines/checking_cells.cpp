#include "checking_cells.h"

#include <algorithm>
#include <cstddef>
#include <span>

#include "sdbench/base/config/work_field_table.h"
#include "sdbench/base/types/task_table.h"
#include "sdbench/base/weights/safetensors_writer.h"
#include "sdbench/base/weights/tensor_view.h"

namespace sdbench {

Cell checking_cell(Cell cell, std::int64_t repeat) {
  cell.warmup = 0;
  cell.repeat = repeat;
  cell.max_noise.reset();
  cell.max_time_s.reset();
  cell.save_images.clear();
  cell.dump_run.clear();
  cell.dump_step_images = false;
  return cell;
}

Cell golden_cell(const Cell& cell, Precision precision, const GoldenFile& golden,
                 const std::filesystem::path& noise, const std::filesystem::path& latents) {
  const TensorView& given = golden.noise();
  write_safetensors(noise, {{"latents", given.dtype, given.shape}},
                    [&](std::size_t, std::span<std::byte> buffer) {
                      std::ranges::copy(given.data, buffer.begin());
                    });
  Cell run = checking_cell(cell, 1);
  run.dtype = precision;
  static_cast<CellWork&>(run) = CellWork{.width = golden.width(),
                                         .height = golden.height(),
                                         .steps = golden.steps(),
                                         .guidance = golden.guidance(),
                                         .timestep_spacing = cell.model.scheduler.timestep_spacing,
                                         .karras = cell.model.scheduler.use_karras_sigmas};
  run.prompts = {golden.prompt()};
  run.negative_prompt.reset();
  run.expected_s.reset();
  run.init_latents = noise;
  run.dump_latents = latents;
  return run;
}

Cell golden_network_cell(const Cell& cell, Precision precision, const GoldenFile& golden,
                         const std::filesystem::path& logits) {
  Cell run = checking_cell(cell, 0);
  run.dtype = precision;
  run.task = Task::kInfer;
  run.update = false;
  run.epochs = 0;
  // With equal seeds, a smaller batch is the beginning of a larger one.
  run.batch = run.images = std::max(cell.batch, golden.logits().shape.front());
  run.seed = 0;
  run.expected_s.reset();
  run.dump_latents = logits;
  return run;
}

} // namespace sdbench
