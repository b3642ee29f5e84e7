#include "sdbench/base/config/model_cost.h"

#include <cstddef>
#include <variant>
#include <vector>

#include "cost.h"

namespace sdbench {
namespace {

using cost::Bias;
using cost::conv;
using cost::Cost;
using cost::linear;
using cost::norm;
using cost::real;
using cost::Size;

/// Two 3x3 convolutions, a shortcut if the width changes, and the time's projection (unless
/// `time_width` is 0).
Cost resnet(std::int64_t in, std::int64_t out, Size size, std::int64_t time_width) {
  return norm(in) + conv(in, out, 3, size) + norm(out) + conv(out, out, 3, size) +
         (in == out ? Cost{} : conv(in, out, 1, size)) +
         (time_width == 0 ? Cost{} : linear(time_width, out, 1));
}

/// QK^T and PV over all heads; moves Q, K, V and the result.
Cost attention(double queries, double keys, std::int64_t width) {
  return {2 * queries * keys * real(width), 0, 2 * (queries + keys) * real(width)};
}

/// proj_in, `layers` times (self-attention, cross-attention, GEGLU feed-forward), proj_out.
Cost transformer(std::int64_t width, std::int64_t context, std::int64_t layers, Size size,
                 double tokens) {
  const double n = size.area();
  const Cost projection = linear(width, width, n); // to_out; to_q, to_k and to_v have no bias
  const Cost query = linear(width, width, n, Bias::kNo);
  const Cost self = norm(width) + 3 * query + projection + attention(n, n, width);
  const Cost cross = norm(width) + query + 2 * linear(context, width, tokens, Bias::kNo) +
                     projection + attention(n, tokens, width);
  const Cost feed_forward = norm(width) + linear(width, 8 * width, n) + linear(4 * width, width, n);
  return norm(width) + 2 * projection + real(layers) * (self + cross + feed_forward);
}

/// A skip connection from the down blocks to the up blocks.
struct Skip {
  std::int64_t channels;
  Size size;
};

/// Walks through the UNet like its forward pass, and adds up.
class UNetCount {
public:
  UNetCount(const UNetConfig& config, double tokens)
      : config_(config), tokens_(tokens), time_width_(4 * config.block_out_channels.front()) {}

  Cost run(Size size) {
    const auto& channels = config_.block_out_channels;
    total_ = linear(channels.front(), time_width_, 1) + linear(time_width_, time_width_, 1);
    if (config_.time_cond_proj_dim) {
      total_ += linear(*config_.time_cond_proj_dim, channels.front(), 1, Bias::kNo);
    }
    if (config_.projection_class_embeddings_input_dim) {
      total_ += linear(*config_.projection_class_embeddings_input_dim, time_width_, 1) +
                linear(time_width_, time_width_, 1);
    }
    total_ += conv(config_.in_channels, channels.front(), 3, size);
    down(size);
    middle();
    up();
    return total_ + norm(channels.front()) + conv(channels.front(), config_.out_channels, 3, size);
  }

private:
  [[nodiscard]] Cost transformer_at(std::size_t block, std::int64_t layers, Size size) const {
    return transformer(config_.block_out_channels[block], config_.cross_attention_dims[block],
                       layers, size, tokens_);
  }

  void down(Size size) {
    const auto& channels = config_.block_out_channels;
    skips_.push_back({channels.front(), size});
    for (std::size_t block = 0; block < channels.size(); ++block) {
      for (std::int64_t layer = 0; layer < config_.layers_per_block[block]; ++layer) {
        total_ += resnet(skips_.back().channels, channels[block], size, time_width_);
        if (config_.down_block_has_attention[block]) {
          total_ += transformer_at(
              block, config_.down_transformer_layers[block][static_cast<std::size_t>(layer)], size);
        }
        skips_.push_back({channels[block], size});
      }
      if (block + 1 < channels.size()) {
        total_ += conv(channels[block], channels[block], 3, size, size.halved());
        size = size.halved();
        skips_.push_back({channels[block], size});
      }
    }
  }

  void middle() {
    const auto [channels, size] = skips_.back();
    if (config_.mid_block != UNetConfig::MidBlock::kNone) {
      total_ += resnet(channels, channels, size, time_width_);
    }
    if (config_.mid_block == UNetConfig::MidBlock::kCrossAttention) {
      total_ += transformer_at(config_.block_out_channels.size() - 1,
                               config_.mid_transformer_layers, size) +
                resnet(channels, channels, size, time_width_);
    }
  }

  void up() {
    const std::size_t count = config_.block_out_channels.size();
    std::int64_t current = config_.block_out_channels.back();
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t block = count - 1 - i;
      const std::int64_t out = config_.block_out_channels[block];
      for (std::int64_t layer = 0; layer <= config_.layers_per_block[block]; ++layer) {
        const Skip skip = skips_.back();
        skips_.pop_back();
        total_ += resnet(current + skip.channels, out, skip.size, time_width_);
        if (config_.up_block_has_attention[i]) {
          total_ += transformer_at(
              block, config_.up_transformer_layers[i][static_cast<std::size_t>(layer)], skip.size);
        }
        current = out;
      }
      if (block > 0) {
        total_ += conv(out, out, 3, skips_.back().size); // resized to the next skip
      }
    }
  }

  const UNetConfig& config_;
  double tokens_;
  std::int64_t time_width_;
  Cost total_;
  std::vector<Skip> skips_;
};

Cost vae_decoder_cost(const VaeConfig& config, Size size) {
  const auto& channels = config.block_out_channels;
  std::int64_t current = channels.back();
  Cost total = config.use_post_quant_conv
                   ? conv(config.latent_channels, config.latent_channels, 1, size)
                   : Cost{};
  total += conv(config.latent_channels, current, 3, size) + 2 * resnet(current, current, size, 0);
  if (config.mid_block_add_attention) {
    total += norm(current) + 4 * linear(current, current, size.area()) +
             attention(size.area(), size.area(), current);
  }
  for (std::size_t block = channels.size(); block-- > 0;) {
    for (std::int64_t layer = 0; layer <= config.layers_per_block; ++layer) {
      total += resnet(current, channels[block], size, 0);
      current = channels[block];
    }
    if (block > 0) {
      size = size.doubled();
      total += conv(current, current, 3, size);
    }
  }
  return total + norm(current) + conv(current, config.out_channels, 3, size);
}

Cost text_encoder_cost(const ClipTextConfig& config, double tokens) {
  const std::int64_t width = config.hidden_size;
  const Cost layer = 2 * norm(width) + 4 * linear(width, width, tokens) +
                     attention(tokens, tokens, width) +
                     linear(width, config.intermediate_size, tokens) +
                     linear(config.intermediate_size, width, tokens);
  const Cost embeddings = {0, real(config.vocab_size + config.max_position_count) * real(width), 0};
  const Cost projection =
      config.projection_dim ? linear(width, *config.projection_dim, 1, Bias::kNo) : Cost{};
  return embeddings + real(config.layer_count) * layer + norm(width) + projection;
}

constexpr Size kOnePixel{1, 1};

Cost cost_of(const UNetConfig& config, std::int64_t tokens, Size size) {
  return UNetCount(config, real(tokens)).run(size);
}

Cost denoiser_cost(const DenoiserConfig& config, std::int64_t tokens, Size size) {
  return std::visit([&](const auto& kind) { return cost_of(kind, tokens, size); }, config);
}

} // namespace

double denoiser_macs(const DenoiserConfig& config, std::int64_t latent_height,
                     std::int64_t latent_width, std::int64_t token_count, std::int64_t batch) {
  return real(batch) * denoiser_cost(config, token_count, {latent_height, latent_width}).macs;
}

double denoiser_moved_elements(const DenoiserConfig& config, std::int64_t latent_height,
                               std::int64_t latent_width, std::int64_t token_count,
                               std::int64_t batch) {
  return real(batch) * denoiser_cost(config, token_count, {latent_height, latent_width}).moved;
}

double vae_decode_macs(const VaeConfig& config, std::int64_t latent_height,
                       std::int64_t latent_width, std::int64_t batch) {
  return real(batch) * vae_decoder_cost(config, {latent_height, latent_width}).macs;
}

double text_encoder_macs(const ClipTextConfig& config, std::int64_t token_count,
                         std::int64_t batch) {
  return real(batch) * text_encoder_cost(config, real(token_count)).macs;
}

ParameterCounts parameter_counts(const ModelConfig& model) {
  ParameterCounts counts;
  for (const TextEncoderConfig& encoder : model.text_encoders) {
    counts.text += text_encoder_cost(encoder.model, 1).parameters;
  }
  counts.unet = denoiser_cost(model.denoiser, 1, kOnePixel).parameters;
  counts.vae = vae_decoder_cost(model.vae, kOnePixel).parameters;
  return counts;
}

} // namespace sdbench
