#include "sdbench/base/plan/memory_estimate.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string_view>
#include <variant>
#include <vector>

#include "sdbench/base/config/decoding_size.h"
#include "sdbench/base/config/model_cost.h"
#include "sdbench/base/config/run_options.h"
#include "sdbench/base/device/device_kind_table.h"
#include "sdbench/base/device/device_name.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/base/types/dtype.h"
#include "sdbench/base/types/own_engines.h"

namespace sdbench {
namespace {

double real(std::int64_t value) {
  return static_cast<double>(value);
}

/// Elements of the largest activations of a transformer: those of the feed-forward (GEGLU: 8 widths
/// for the projection, 4 for the gate, 4 for the product), its input and the residual.
double feed_forward_elements(double width, double tokens) {
  return 18 * width * tokens;
}

/// Bytes of attention scores that exist at the same time; fused kernels have none.
double score_bytes(const std::string& attention, double rows, double heads, double tokens,
                   double bytes_per_element) {
  constexpr double kBeforeAndAfterSoftmax = 2;
  const double one_head = kBeforeAndAfterSoftmax * tokens * tokens;
  if (attention == "math") { // libtorch computes these in fp32 for any dtype
    return one_head * rows * heads * 4;
  }
  return attention == "sliced" ? one_head * std::max(1.0, std::floor(heads / 2)) * bytes_per_element
                               : 0;
}

bool has_cache(const std::string& asked, const Cell& cell) {
  return asked == "on" || (asked == "auto" && cell.engine == kTunedEngine);
}

/// Elements of the text's keys and values that --kv-cache holds for each row of a batch.
double cached_text_elements(const UNetConfig& unet, std::int64_t tokens) {
  const std::size_t count = unet.block_out_channels.size();
  const auto sum = [](const std::vector<std::int64_t>& layers) {
    return std::accumulate(layers.begin(), layers.end(), std::int64_t{0});
  };
  const bool middle = unet.mid_block == UNetConfig::MidBlock::kCrossAttention;
  double widths = // of all layers
      middle ? real(unet.mid_transformer_layers) * real(unet.block_out_channels.back()) : 0;
  for (std::size_t level = 0; level < count; ++level) {
    widths += real(sum(unet.down_transformer_layers[level]) +
                   sum(unet.up_transformer_layers[count - 1 - level])) *
              real(unet.block_out_channels[level]);
  }
  return 2 * real(tokens) * widths;
}

/// Elements that --time-cache holds for each step, for `rows` that may differ.
double cached_time_elements(const UNetConfig& unet, double rows) {
  const std::int64_t middle_resnets = unet.mid_block == UNetConfig::MidBlock::kNone     ? 0
                                      : unet.mid_block == UNetConfig::MidBlock::kResnet ? 1
                                                                                        : 2;
  double widths = real(middle_resnets * unet.block_out_channels.back());
  for (std::size_t level = 0; level < unet.block_out_channels.size(); ++level) {
    const std::int64_t resnets = 2 * unet.layers_per_block[level] + 1; // down and up
    widths += real(resnets * unet.block_out_channels[level]);
  }
  return (unet.projection_class_embeddings_input_dim ? rows : 1) * widths;
}

/// An option that saves memory, and its words in the advice.
struct Saving {
  std::string_view option;
  std::string_view words;
};

constexpr Saving kSmaller[] = {{"size", "--size"}, {"batch", "--batch"}, {"images", "--images"}};
constexpr Saving kOther[] = {{"dtype", "--dtype bf16 or fp16"},
                             {"attention", "another --attention than math"},
                             {"offload", "--offload stages"},
                             {"vae-tiling", "--vae-tiling"}};

std::vector<std::string> words_of(Task task, std::span<const Saving> savings) {
  const auto is_there = [&](const Saving& saving) {
    return has_option(task, *find_run_option(saving.option));
  };
  return mapped_if<std::string>(savings, is_there, &Saving::words);
}

/// Bytes of one UNet call, and of the caches that are kept for all calls.
double bytes_of(const UNetConfig& unet, const Cell& cell, double element,
                std::span<const std::string> attention) {
  const double rows = real(unet_batch(cell));
  std::int64_t height = cell.height / cell.model.vae.scale_factor();
  std::int64_t width = cell.width / cell.model.vae.scale_factor();
  double skips = 0; // kept for the up blocks
  double largest = 0;
  for (std::size_t level = 0; level < unet.block_out_channels.size(); ++level) {
    const double tokens = real(height) * real(width);
    const double channels = real(unet.block_out_channels[level]);
    skips += rows * real(unet.layers_per_block[level] + 1) * channels * tokens * element;
    if (unet.attends(level)) {
      const std::string& kernel = level < attention.size() ? attention[level] : cell.attention;
      const double scores = score_bytes(kernel, rows, real(unet.head_counts[level]), tokens,
                                        unet.upcast_attention ? 4 : element);
      largest =
          std::max({largest, scores, rows * feed_forward_elements(channels, tokens) * element});
    }
    height = (height + 1) / 2;
    width = (width + 1) / 2;
  }
  double cached = 0;
  if (has_cache(cell.kv_cache, cell)) {
    const bool graphs = is_gpu_of_torch(kind_asked(cell.device)) &&
                        (cell.graphs == "loop" || has_cache(cell.graphs, cell));
    cached += (graphs ? 2 : 1) * rows * cached_text_elements(unet, token_count(cell.model)) *
              element; // read from copies
  }
  if (has_cache(cell.time_cache, cell)) {
    cached += real(planned_calls(cell)) * cached_time_elements(unet, rows) * element;
  }
  return skips + largest + cached;
}

} // namespace

std::int64_t weight_bytes(const ModelConfig& model, Precision precision, bool offload) {
  if (model.network) {
    return static_cast<std::int64_t>(network_parameters(*model.network) *
                                     static_cast<double>(size_of(precision.weight_dtype())));
  }
  const ParameterCounts counts = parameter_counts(model);
  const double all = counts.text + counts.unet + counts.vae;
  const double largest = std::max({counts.text, counts.unet, counts.vae});
  const auto bytes = static_cast<double>(size_of(precision.weight_dtype()));
  const double copies = precision.autocast ? static_cast<double>(size_of(precision.dtype)) : 0;
  return static_cast<std::int64_t>((offload ? largest : all) * bytes + largest * copies);
}

std::int64_t decoding_bytes(const VaeConfig& vae, std::size_t bytes_per_element, std::int64_t width,
                            std::int64_t height, std::int64_t batch, bool tiling,
                            std::optional<std::int64_t> most) {
  // The last up block's input, a convolution's result and the normalised copy exist at the same
  // time.
  constexpr std::int64_t kLivingTensors = 3;
  const std::int64_t side = tiling ? vae.sample_size : std::max(width, height);
  const std::int64_t elements =
      decoded_elements(vae, std::min(width, side), std::min(height, side));
  return kLivingTensors * images_decoded_at_once(elements, batch, most) * elements *
         static_cast<std::int64_t>(bytes_per_element);
}

std::int64_t denoising_bytes(const Cell& cell, std::size_t bytes_per_element,
                             std::span<const std::string> attention) {
  const double bytes = std::visit(
      [&](const auto& kind) {
        return bytes_of(kind, cell, static_cast<double>(bytes_per_element), attention);
      },
      cell.model.denoiser);
  constexpr double kMost = 4e18; // a hostile config must not overflow the integer
  return static_cast<std::int64_t>(std::min(kMost, bytes));
}

std::int64_t network_bytes(const Cell& cell, Precision precision) {
  const std::int64_t copies = cell.task != Task::kTrain ? 1 : cell.update ? 3 : 2;
  return weight_bytes(cell.model, precision) * copies;
}

std::int64_t network_working_bytes(const Cell& cell, Precision precision) {
  const NetworkResults results = network_results(*cell.model.network);
  const double of_image = results.largest + (cell.task == Task::kTrain ? results.kept : 0);
  return static_cast<std::int64_t>(of_image * real(largest_batch(cell)) *
                                   real(static_cast<std::int64_t>(size_of(precision.dtype))));
}

std::int64_t next_cell_bytes(const Cell& cell, bool is_loaded) {
  constexpr std::int64_t kWeightCopies = 2; // weights are copied, converted or packed
  const Precision precision = cell.dtype.value_or(Precision{Dtype::kF32, false});
  const std::int64_t loading = is_loaded ? 0 : kWeightCopies * weight_bytes(cell.model, precision);
  if (cell.model.network) {
    const std::int64_t of_training =
        network_bytes(cell, precision) - weight_bytes(cell.model, precision);
    return loading + of_training + network_working_bytes(cell, precision);
  }
  const std::size_t element = size_of(Dtype::kF32);
  return loading +
         std::max(denoising_bytes(cell, element),
                  decoding_bytes(cell.model.vae, element, cell.width, cell.height, cell.batch));
}

std::int64_t kept_bytes(const Cell& cell) {
  // Three copies: a run's batches, all of them joined into one tensor, and those of the previous
  // run.
  constexpr std::int64_t kCopies = 3;
  constexpr std::int64_t kLatentBytes = 4;
  const std::int64_t factor = cell.model.vae.scale_factor();
  const std::int64_t latents = cell.model.vae.latent_channels * (cell.width / factor) *
                               (cell.height / factor) * kLatentBytes;
  const std::int64_t each_step = cell.dump_run.empty() ? 0 : planned_calls(cell) * latents;
  return kCopies * cell.images * (3 * cell.width * cell.height + latents + each_step);
}

std::string memory_advice(Task task) {
  std::vector<std::string> smaller = words_of(task, kSmaller);
  smaller.insert(smaller.begin(), "model");
  const std::vector<std::string> other = words_of(task, kOther);
  return "use a smaller " + listed(smaller, "or") + (other.size() == 1 ? ", or " : ", ") +
         listed(other, "or");
}

} // namespace sdbench
