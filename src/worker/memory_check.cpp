#include "sdbench/worker/memory_check.h"

#include <cmath>
#include <iomanip>
#include <locale>
#include <sstream>

#include "sdbench/nn/recording_source.h"
#include "sdbench/plan/memory_estimate.h"
#include "sdbench/worker/cell_failure.h"

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

std::string in_gib(std::int64_t bytes) {
  constexpr double kGib = 1024.0 * 1024.0 * 1024.0;
  std::ostringstream text;
  text.imbue(std::locale::classic());
  text << std::fixed << std::setprecision(1) << static_cast<double>(bytes) / kGib << " GiB";
  return text.str();
}

} // namespace

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

std::int64_t working_bytes(const VaeConfig& vae, at::ScalarType dtype, std::int64_t width,
                           std::int64_t height, std::int64_t batch) {
  return decoding_bytes(vae, c10::elementSize(dtype), width, height, batch);
}

void require_memory(std::int64_t needed, std::int64_t available, at::Device device) {
  if (needed <= available) {
    return;
  }
  const bool gpu = device.is_cuda();
  throw CellFailure(gpu ? Status::kOomDevice : Status::kOomHost,
                    (gpu ? device.str() : std::string("the host")) + " must have about " +
                        in_gib(needed) + " of free memory for this model, but has " +
                        in_gib(available) +
                        "; use a smaller model, size or batch, or --dtype bf16 or fp16");
}

} // namespace sdbench
