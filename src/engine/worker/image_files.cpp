#include "sdbench/engine/worker/image_files.h"

#include <cstdint>
#include <locale>
#include <optional>
#include <sstream>
#include <system_error>
#include <utility>

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

#include "sdbench/base/config/engine_axis_table.h"
#include "sdbench/base/config/run_config.h"
#include "sdbench/base/config/work_field_table.h"
#include "sdbench/base/device/device_kind_table.h"
#include "sdbench/base/device/device_name.h"
#include "sdbench/base/executor/run_dump.h"
#include "sdbench/base/files/png.h"
#include "sdbench/base/system/build_info.h"
#include "sdbench/base/system/steady_clock.h"
#include "sdbench/base/text/utf8.h"
#include "sdbench/base/types/precision.h"
#include "sdbench/engine/worker/latents_file.h"

namespace sdbench {
namespace {

using Texts = std::vector<std::pair<std::string, std::string>>;

std::string plain_name(const std::string& text) {
  std::string plain;
  for (const char letter : text) {
    const bool safe = is_letter_or_digit(letter) || letter == '.' || letter == '-' || letter == '_';
    plain += safe ? letter : '_';
  }
  return plain.empty() || plain.front() == '.' ? "_" + plain : plain;
}

std::string number_text(double number) {
  std::ostringstream text;
  text.imbue(std::locale::classic());
  text << number;
  return text.str();
}

std::string dtype_text(const CellResult& result) {
  return "unet " + std::string(name_of(result.dtype_unet)) + ", vae " +
         std::string(name_of(result.dtype_vae)) + ", text " +
         std::string(name_of(result.dtype_text));
}

/// "engine tuned, attention auto, …"
std::string settings_text(const Cell& cell) {
  std::string text;
  for (const EngineAxis& axis : engine_axes()) {
    text += (text.empty() ? "" : ", ") + std::string(axis.name) + " " + cell.*axis.asked;
  }
  return text;
}

Texts parameters(const Cell& cell, const CellResult& result, std::size_t image) {
  Texts texts{{"prompt", cell.prompts.size() == 1 ? cell.prompts[0] : cell.prompts.at(image)}};
  if (cell.negative_prompt) {
    texts.emplace_back("negative_prompt", *cell.negative_prompt);
  }
  texts.emplace_back("seed", std::to_string(cell.seed + image));
  if (!cell.init_latents.empty()) {
    texts.emplace_back("init_latents", cell.init_latents.string());
  }
  texts.emplace_back("steps", std::to_string(cell.steps));
  texts.emplace_back("size", std::to_string(cell.width) + "x" + std::to_string(cell.height));
  texts.emplace_back("guidance", number_text(cell.guidance));
  for (const WorkField& field : kWorkFields) {
    if (const std::string said = recorded_text(cell, field);
        !field.words.empty() && !said.empty()) {
      texts.emplace_back(field.name, said);
    }
  }
  texts.emplace_back("model", cell.model.name);
  texts.emplace_back("weights", result.weights_identity);
  texts.emplace_back("dtype", dtype_text(result));
  texts.emplace_back("attention", result.use.attention);
  texts.emplace_back("batch", std::to_string(cell.batch));
  texts.emplace_back("scheduler", sampler_of(cell));
  texts.emplace_back("timestep_spacing", name_of(cell.timestep_spacing));
  texts.emplace_back("settings", settings_text(cell));
  texts.emplace_back("software", "sdbench " + std::string(version()));
  return texts;
}

/// `file`, or, if another cell's image has that name, the first numbered name without one.
std::filesystem::path free_file(const std::filesystem::path& file, const Texts& texts) {
  std::filesystem::path free = file;
  std::error_code not_there;
  for (int number = 2; std::filesystem::exists(free, not_there) && !png_says(free, texts);
       ++number) {
    free = file;
    free.replace_filename(file.stem().string() + "-" + std::to_string(number) + ".png");
  }
  return free;
}

} // namespace

std::string image_file_name(const Cell& cell, std::uint64_t seed) {
  const std::optional<DeviceName> device = parse_device_name(cell.device);
  const std::string mark = device && device->number ? "-" + std::string(name_of(*device->kind)) +
                                                          std::to_string(*device->number)
                                                    : "";
  return plain_name(cell.model.name) + "-" + std::to_string(cell.width) + "x" +
         std::to_string(cell.height) + "-" + std::to_string(cell.steps) + "steps-seed" +
         std::to_string(seed) + mark + ".png";
}

std::vector<std::string> write_images(const std::filesystem::path& folder, const at::Tensor& pixels,
                                      const Cell& cell, const CellResult& result) {
  std::vector<std::string> files;
  for (std::int64_t i = 0; i < pixels.size(0); ++i) {
    const at::Tensor image = pixels[i].contiguous();
    const Texts texts = parameters(cell, result, static_cast<std::size_t>(i));
    const std::filesystem::path file =
        free_file(folder / image_file_name(cell, cell.seed + static_cast<std::uint64_t>(i)), texts);
    write_png(file, {image.data_ptr<std::uint8_t>(), static_cast<std::size_t>(image.numel())},
              image.size(1), image.size(0), texts);
    files.push_back(file.string());
  }
  return files;
}

at::Tensor decode_like_final(const StableDiffusion& pipeline, const Cell& cell,
                             const at::Tensor& latents, c10::Device device) {
  const c10::InferenceMode inference;
  std::vector<at::Tensor> batches;
  for (std::int64_t first = 0; first < latents.size(0); first += cell.batch) {
    const at::Tensor pixels = pipeline.decode(latents.narrow(0, first, cell.batch).to(device));
    if (!pixels.isfinite().all().item<bool>()) {
      return {};
    }
    batches.push_back(StableDiffusion::to_uint8(pixels));
  }
  return at::cat(batches);
}

void write_step_images(const StableDiffusion& pipeline, const Cell& cell,
                       const std::vector<at::Tensor>& step_latents, c10::Device device,
                       const std::function<void(std::int64_t step, double seconds)>& on_done) {
  for (std::size_t index = 0; index + 1 < step_latents.size(); ++index) {
    const double begin_s = steady_seconds();
    const auto step = static_cast<std::int64_t>(index);
    const at::Tensor pixels = decode_like_final(pipeline, cell, step_latents[index], device);
    if (pixels.defined()) {
      write_pixels(RunDump::step_file(cell.dump_run, step + 1), pixels);
    }
    on_done(step, steady_seconds() - begin_s);
  }
}

} // namespace sdbench
