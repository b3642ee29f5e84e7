// What our side reads from a model's configs, for test_model_config.py, test_model_cost.py and
// test_networks.py:
//   model_config_probe MODEL [LATENT_HEIGHT LATENT_WIDTH]
// prints one JSON object on stdout.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "sdbench/base/config/model_config.h"
#include "sdbench/base/config/model_cost.h"
#include "sdbench/base/files/json_io.h"

namespace {

using sdbench::Json;

const char* name_of(sdbench::BetaSchedule schedule) {
  return schedule == sdbench::BetaSchedule::kLinear         ? "linear"
         : schedule == sdbench::BetaSchedule::kScaledLinear ? "scaled_linear"
                                                            : "squaredcos_cap_v2";
}

/// Under the names of EulerDiscreteScheduler's arguments.
Json describe(const sdbench::SchedulerConfig& scheduler) {
  return {{"num_train_timesteps", scheduler.num_train_timesteps},
          {"beta_start", scheduler.beta_start},
          {"beta_end", scheduler.beta_end},
          {"beta_schedule", name_of(scheduler.beta_schedule)},
          {"prediction_type", sdbench::name_of(scheduler.prediction_type)},
          {"timestep_spacing", name_of(scheduler.timestep_spacing)},
          {"steps_offset", scheduler.steps_offset},
          {"use_karras_sigmas", scheduler.use_karras_sigmas},
          {"rescale_betas_zero_snr", scheduler.rescale_betas_zero_snr}};
}

Json describe(const sdbench::TokenizerConfig& tokenizer) {
  return {{"pad_token_id", tokenizer.pad_token_id},
          {"max_length", tokenizer.max_length},
          {"bos_normalized", tokenizer.bos_normalized},
          {"eos_normalized", tokenizer.eos_normalized},
          {"pad_normalized", tokenizer.pad_normalized}};
}

Json describe(const sdbench::ModelConfig& model) {
  if (model.network) {
    return {{"macs", {{"network", sdbench::network_macs(*model.network)}}},
            {"parameters", sdbench::network_parameters(*model.network)},
            {"source", model.source}};
  }
  return {{"scheduler", describe(model.scheduler)},
          {"scheduler_source", model.scheduler.source_class},
          {"tokenizer", describe(model.text_encoders[0].tokenizer)},
          {"width", model.defaults.width},
          {"height", model.defaults.height},
          {"source", model.source}};
}

Json costs(const sdbench::ModelConfig& model, std::int64_t height, std::int64_t width) {
  const std::int64_t tokens = sdbench::token_count(model);
  Json result{{"unet", sdbench::denoiser_macs(model.denoiser, height, width, tokens, 1)},
              {"vae", sdbench::vae_decode_macs(model.vae, height, width, 1)}};
  for (const auto& [component, text, tokenizer] : model.text_encoders) {
    result[sdbench::folder_name(component)] = sdbench::text_encoder_macs(text, tokens, 1);
  }
  return result;
}

} // namespace

int main(int count, char** arguments) {
  try {
    const sdbench::ModelConfig model = sdbench::find_model_config(count > 1 ? arguments[1] : "");
    Json result = describe(model);
    if (count == 4) {
      const std::int64_t height = std::atoll(arguments[2]);
      const std::int64_t width = std::atoll(arguments[3]);
      result["macs"] = costs(model, height, width);
      result["unet_moved"] = sdbench::denoiser_moved_elements(model.denoiser, height, width,
                                                              sdbench::token_count(model), 1);
    }
    std::puts(result.dump().c_str());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
