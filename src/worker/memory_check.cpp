#include "sdbench/worker/memory_check.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <locale>
#include <sstream>

#include "sdbench/nn/recording_source.h"
#include "sdbench/worker/cell_failure.h"
#include "sdbench/worker/device_choice.h"

namespace sdbench {
namespace {

/// Records a component and adds its bytes to a sum once the component is built.
class CountingSource final : public WeightSource {
public:
  CountingSource(at::ScalarType dtype, std::int64_t& total) : recorder_(dtype), total_(total) {}
  at::Tensor take(const std::string& name, at::IntArrayRef shape) override {
    return recorder_.take(name, shape);
  }
  void finish() override { total_ += recorder_.byte_count(); }

private:
  RecordingSource recorder_;
  std::int64_t& total_;
};

/// Elements of the largest intermediate results of one transformer at one level: the feed-forward's
/// (GEGLU: 8 widths projected, 4 of the gate, 4 of the product) beside input and residual.
double feed_forward_elements(double width, double tokens) {
  return 18 * width * tokens;
}

/// Bytes of attention scores that live at the same time; fused kernels have none.
double score_bytes(Attention attention, double rows, double heads, double tokens,
                   double element_bytes) {
  constexpr double kBeforeAndAfterSoftmax = 2;
  const double one_head = kBeforeAndAfterSoftmax * tokens * tokens;
  switch (attention) {
  case Attention::kMath: // libtorch computes these in fp32 whatever the dtype
    return one_head * rows * heads * sizeof(float);
  case Attention::kSliced:
    return one_head * std::max(1.0, std::floor(heads / 2)) * element_bytes;
  default:
    return 0;
  }
}

} // namespace

std::string gib_text(std::int64_t bytes) {
  constexpr double kGib = 1024.0 * 1024.0 * 1024.0;
  std::ostringstream text;
  text.imbue(std::locale::classic());
  text << std::fixed << std::setprecision(1) << static_cast<double>(bytes) / kGib << " GiB";
  return text.str();
}

std::int64_t weight_bytes(const ModelConfig& config, const PipelineOptions& options) {
  PipelineOptions nowhere = options;
  nowhere.device = at::kMeta;
  std::int64_t total = 0;
  const WeightSourceFactory count = [&](Component, at::ScalarType dtype, at::Device) {
    return std::make_unique<CountingSource>(dtype, total);
  };
  static_cast<void>(StableDiffusion(config, count, nowhere));
  return total;
}

std::int64_t vae_working_bytes(const VaeConfig& vae, at::ScalarType dtype, const WorkShape& work) {
  // The last up block takes the channels of the level below it at full size; its input, a
  // convolution's result and the normalised copy live at the same time.
  constexpr std::int64_t kLivingTensors = 3;
  const auto& channels = vae.block_out_channels;
  const std::int64_t widest = channels[std::min<std::size_t>(1, channels.size() - 1)];
  return kLivingTensors * work.batch * widest * work.width * work.height *
         static_cast<std::int64_t>(c10::elementSize(dtype));
}

std::int64_t unet_working_bytes(const ModelConfig& model, const PipelineOptions& options,
                                const WorkShape& work) {
  const UNetConfig& unet = model.unet;
  const auto element_bytes = static_cast<double>(c10::elementSize(options.dtype_unet));
  const double rows = static_cast<double>(work.guided ? 2 * work.batch : work.batch);
  std::int64_t height = work.height / model.vae.scale_factor();
  std::int64_t width = work.width / model.vae.scale_factor();
  double skips = 0; // kept for the way up
  double largest = 0;
  for (std::size_t level = 0; level < unet.block_out_channels.size(); ++level) {
    const double tokens = static_cast<double>(height) * static_cast<double>(width);
    const auto channels = static_cast<double>(unet.block_out_channels[level]);
    skips += rows * static_cast<double>(unet.layers_per_block[level] + 1) * channels * tokens *
             element_bytes;
    const bool is_last = level + 1 == unet.block_out_channels.size(); // the middle block attends
    if (unet.down_block_has_attention[level] || is_last) {
      const double scores =
          score_bytes(options.attention, rows, static_cast<double>(unet.head_counts[level]), tokens,
                      unet.upcast_attention ? sizeof(float) : element_bytes);
      largest = std::max(
          {largest, scores, rows * feed_forward_elements(channels, tokens) * element_bytes});
    }
    height = (height + 1) / 2;
    width = (width + 1) / 2;
  }
  constexpr double kMost = 9e18; // a hostile config must not overflow the integer
  return static_cast<std::int64_t>(std::min(kMost, skips + largest));
}

std::int64_t kept_bytes(const ModelConfig& model, const WorkShape& work) {
  // The batches of a run, all of them in one tensor, and the run before.
  constexpr std::int64_t kCopies = 3;
  const std::int64_t factor = model.vae.scale_factor();
  const std::int64_t latents = model.unet.in_channels * (work.width / factor) *
                               (work.height / factor) * static_cast<std::int64_t>(sizeof(float));
  return kCopies * work.images * (3 * work.width * work.height + latents);
}

void require_memory_for(const ModelConfig& model, const PipelineOptions& options,
                        const WorkShape& work) {
  const std::int64_t kept = kept_bytes(model, work);
  std::int64_t needed = weight_bytes(model, options) +
                        std::max(unet_working_bytes(model, options, work),
                                 vae_working_bytes(model.vae, options.dtype_vae, work));
  if (options.device.is_cpu()) {
    needed += kept;
  } else { // images are kept on the host
    require_memory(kept, free_memory_bytes(at::kCPU), at::kCPU);
  }
  require_memory(needed, free_memory_bytes(options.device), options.device);
}

void require_memory(std::int64_t needed, std::int64_t available, at::Device device) {
  if (needed <= available) {
    return;
  }
  const bool gpu = device.is_cuda();
  const char* const remedy =
      "; use a smaller model, --size, --batch or --images, another --attention than math, or "
      "--dtype bf16 or fp16";
  throw CellFailure(gpu ? Status::kOomDevice : Status::kOomHost,
                    (gpu ? device.str() : std::string("the host")) + " must have about " +
                        gib_text(needed) + " of free memory for this model and size, but has " +
                        gib_text(available) + remedy);
}

} // namespace sdbench
