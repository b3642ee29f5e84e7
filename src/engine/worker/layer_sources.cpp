#include "sdbench/engine/worker/layer_sources.h"

#include <utility>

#include <c10/core/impl/VirtualGuardImpl.h>

#include "sdbench/base/types/component_table.h"
#include "sdbench/base/weights/checkpoint.h"
#include "sdbench/engine/nn/checkpoint_source.h"
#include "sdbench/engine/nn/layer_source.h"
#include "sdbench/engine/nn/scalar_type.h"
#include "sdbench/engine/nn/synthetic_source.h"
#include "sdbench/engine/worker/cuda_facts.h"

namespace sdbench {
namespace {

class TellingSource final : public LayerSource {
public:
  TellingSource(std::unique_ptr<LayerSource> source, std::function<void()> done)
      : source_(std::move(source)), done_(std::move(done)) {}

  at::Tensor take(const std::string& name, at::IntArrayRef shape) override {
    return source_->take(name, shape);
  }
  void finish() override {
    source_->finish();
    done_();
  }

private:
  std::unique_ptr<LayerSource> source_;
  std::function<void()> done_;
};

/// libtorch keeps pinned memory in blocks of powers of two, and reuses each block only for its own
/// size. The blocks of a whole model may exceed a container's memory.
void give_back_pinned_memory(c10::Device device) {
  if (device.is_cuda()) {
    // A block that is still being copied from cannot be freed.
    c10::impl::VirtualGuardImpl(device.type()).getStream(device).synchronize();
    empty_pinned_cache();
  }
}

LayerSourceFactory read_from(const WeightsLocation& location,
                             const std::shared_ptr<LoadedWeights>& found) {
  if (location.kind == WeightsLocation::Kind::kSynthetic) {
    return [seed = location.seed](Component component, at::ScalarType dtype,
                                  at::Device device) -> std::unique_ptr<LayerSource> {
      return std::make_unique<SyntheticSource>(seed, folder_name(component), dtype, device);
    };
  }
  return [path = location.path, found](Component component, at::ScalarType dtype,
                                       at::Device device) -> std::unique_ptr<LayerSource> {
    return std::make_unique<CheckpointSource>(open_component(path, component),
                                              folder_name(component), dtype, device, found);
  };
}

} // namespace

LayerSourceFactory make_layer_sources(const WeightsLocation& location,
                                      const std::shared_ptr<LoadedWeights>& found) {
  return after_each_component(read_from(location, found), give_back_pinned_memory);
}

LayerSourceFactory after_each_component(LayerSourceFactory weights,
                                        std::function<void(c10::Device)> done) {
  return [weights = std::move(weights),
          done = std::move(done)](Component component, at::ScalarType dtype,
                                  at::Device device) -> std::unique_ptr<LayerSource> {
    return std::make_unique<TellingSource>(weights(component, dtype, device),
                                           [done, device] { done(device); });
  };
}

std::string identity_of(const WeightsLocation& location) {
  return location.kind == WeightsLocation::Kind::kSynthetic
             ? "synthetic:" + std::to_string(location.seed)
             : weights_identity(location.path);
}

} // namespace sdbench
