#include "sdbench/worker/weight_factory.h"

#include "sdbench/nn/checkpoint_source.h"
#include "sdbench/nn/scalar_type.h"
#include "sdbench/nn/synthetic_source.h"

namespace sdbench {

WeightSourceFactory make_weight_factory(const WeightsLocation& location) {
  if (location.kind == WeightsLocation::Kind::kSynthetic) {
    return [seed = location.seed](Component component, at::ScalarType dtype,
                                  at::Device device) -> std::unique_ptr<WeightSource> {
      return std::make_unique<SyntheticSource>(seed, folder_name(component), dtype, device);
    };
  }
  return [path = location.path](Component component, at::ScalarType dtype,
                                at::Device device) -> std::unique_ptr<WeightSource> {
    return std::make_unique<CheckpointSource>(open_component(path, component, to_dtype(dtype)),
                                              folder_name(component), dtype, device);
  };
}

std::string identity_of(const WeightsLocation& location) {
  return location.kind == WeightsLocation::Kind::kSynthetic
             ? "synthetic:" + std::to_string(location.seed)
             : weights_identity(location.path);
}

} // namespace sdbench
