#include "sdbench/engine/pipeline/kept_weights.h"

#include <map>
#include <memory>
#include <string>
#include <utility>

#include <ATen/ATen.h>

#include "sdbench/base/types/component_table.h"
#include "sdbench/engine/nn/device_copy.h"
#include "sdbench/engine/nn/layer_source.h"

namespace sdbench {
namespace {

using HostTensors = std::map<std::string, at::Tensor>;

class KeptSource final : public LayerSource {
public:
  /// `reader`: asked for tensors that are not kept yet.
  KeptSource(HostTensors& kept, std::unique_ptr<LayerSource> reader, at::Device device)
      : kept_(kept), reader_(std::move(reader)), device_(device) {}

  at::Tensor take(const std::string& name, at::IntArrayRef shape) override {
    auto found = kept_.find(name);
    if (found == kept_.end()) {
      // Pinned once: if each request pinned it, libtorch would keep a second copy of the model.
      found = kept_.emplace(name, ready_for(reader_->take(name, shape), device_)).first;
    }
    return to_device(found->second, device_);
  }
  void finish() override {
    if (reader_) {
      reader_->finish();
    }
  }

private:
  HostTensors& kept_;
  std::unique_ptr<LayerSource> reader_;
  at::Device device_;
};

} // namespace

LayerSourceFactory keep_in_host_memory(LayerSourceFactory read) {
  const auto kept = std::make_shared<std::map<Component, HostTensors>>();
  return [kept, read = std::move(read)](Component component, at::ScalarType dtype,
                                        at::Device device) -> std::unique_ptr<LayerSource> {
    const bool known = kept->contains(component);
    return std::make_unique<KeptSource>((*kept)[component],
                                        known ? nullptr : read(component, dtype, at::kCPU), device);
  };
}

} // namespace sdbench
