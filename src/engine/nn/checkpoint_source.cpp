#include "sdbench/engine/nn/checkpoint_source.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iostream>
#include <map>
#include <sstream>
#include <string_view>
#include <utility>

#include <ATen/ATen.h>
#include <c10/util/accumulate.h>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/text/in_quotes.h"
#include "sdbench/base/types/dtype.h"
#include "sdbench/base/weights/safetensors.h"
#include "sdbench/base/weights/tensor_view.h"
#include "sdbench/engine/nn/device_copy.h"
#include "sdbench/engine/nn/scalar_type.h"

namespace sdbench {
namespace {

/// Most names of each kind in the one-line error. A wrong architecture gives up to 1,700.
constexpr std::size_t kNamesShown = 3;

std::string to_text(at::IntArrayRef shape) {
  std::ostringstream text;
  text << shape;
  return text.str();
}

/// A tensor that shares the mapped bytes, in their stored order, and keeps the mapping alive. Its
/// last copy releases the pages, so that a packed or converted tensor does not need twice its
/// memory.
at::Tensor share(const TensorView& view, const ComponentWeights& weights) {
  std::vector<std::int64_t> stored = view.shape;
  if (view.transposed) {
    std::swap(stored.at(0), stored.at(1));
  }
  // ATen has no tensors over const memory. The mapping is read-only, and nothing writes to weights.
  auto* const data = const_cast<std::byte*>(view.data.data());
  const auto release = [keep_alive = weights.keep_alive, are_mapped = weights.are_mapped,
                        bytes = view.data](void*) {
    if (are_mapped) {
      drop_pages(bytes);
    }
  };
  return at::from_blob(data, stored, release,
                       at::device(at::kCPU).dtype(to_scalar_type(view.dtype)));
}

bool is_aligned(const TensorView& view) {
  return reinterpret_cast<std::uintptr_t>(view.data.data()) % size_of(view.dtype) == 0;
}

/// Text like "2 missing: a, b"; empty for no names.
std::string to_list(const char* heading, const std::vector<std::string>& names) {
  if (names.empty()) {
    return "";
  }
  std::ostringstream text;
  text << names.size() << ' ' << heading;
  for (std::size_t i = 0; i < names.size() && i < kNamesShown; ++i) {
    text << (i == 0 ? ": " : ", ") << names[i];
  }
  if (names.size() > kNamesShown) {
    text << " and " << names.size() - kNamesShown << " more";
  }
  return text.str();
}

/// Writes the whole list to stderr, which the front passes on with -v. Returns true if the error
/// names only some of them.
bool write_whole_list(const std::string& component, const std::vector<std::string>& names,
                      const char* heading) {
  if (names.size() <= kNamesShown) {
    return false;
  }
  for (const std::string& name : names) {
    std::cerr << component << ": " << heading << ": " << name << '\n';
  }
  return true;
}

} // namespace

CheckpointSource::CheckpointSource(ComponentWeights weights, std::string component,
                                   at::ScalarType dtype, at::Device device,
                                   std::shared_ptr<LoadedWeights> found)
    : weights_(std::move(weights)), component_(std::move(component)), dtype_(dtype),
      device_(device), found_(std::move(found)) {}

at::Tensor CheckpointSource::take(const std::string& name, at::IntArrayRef shape) {
  const auto found = weights_.tensors.find(name);
  if (found == weights_.tensors.end()) {
    missing_.push_back(name);
    return placeholder(shape);
  }
  taken_.insert(name);
  const TensorView& view = found->second;
  const at::Tensor scale = take_scale(name);
  if (at::IntArrayRef(view.shape) != shape) {
    unfit_.push_back(name + " must be " + to_text(shape) + ", but is " + to_text(view.shape));
    return placeholder(shape);
  }
  if (!is_floating(view.dtype)) {
    unfit_.push_back(name + " must be of a floating-point dtype, but is " +
                     std::string(name_of(view.dtype)));
    return placeholder(shape);
  }
  const at::Tensor stored = mapped(view);
  return to_device(scale.defined() ? stored.to(at::kFloat) * scale : stored, device_, dtype_);
}

at::Tensor CheckpointSource::mapped(const TensorView& view) const {
  at::Tensor stored = share(view, weights_);
  if (!is_aligned(view)) { // the format guarantees no alignment, but ATen's kernels need it
    const at::Tensor aligned = at::empty(stored.sizes(), stored.options());
    std::copy(view.data.begin(), view.data.end(), static_cast<std::byte*>(aligned.data_ptr()));
    stored = aligned;
  }
  return view.transposed ? stored.t() : stored;
}

at::Tensor CheckpointSource::take_scale(const std::string& weight) {
  constexpr std::string_view kWeight = ".weight";
  if (!weight.ends_with(kWeight)) {
    return {};
  }
  const std::string layer = weight.substr(0, weight.size() - kWeight.size());
  for (const char* scale : {".scale_weight", ".weight_scale"}) { // ComfyUI's old and new name
    const auto found = weights_.tensors.find(layer + scale);
    if (found == weights_.tensors.end()) {
      continue;
    }
    taken_.insert(found->first);
    const Dtype dtype = found->second.dtype;
    const at::IntArrayRef shape = found->second.shape;
    if (dtype == Dtype::kF8E8M0 || (is_floating(dtype) && c10::multiply_integers(shape) > 1)) {
      throw Error(found->first + " of " + component_ +
                  " must be one number for the whole weight, but is " +
                  std::string(name_of(dtype)) + " " + to_text(shape) +
                  ": sdbench does not read scales for parts of a weight; use a file of fp16 or "
                  "bf16 weights");
    }
    if (!is_floating(dtype) || c10::multiply_integers(shape) != 1) {
      unfit_.push_back(found->first + " must be one floating-point number, but is " +
                       std::string(name_of(dtype)) + " " + to_text(shape));
      return {};
    }
    return mapped(found->second).to(at::kFloat).reshape({});
  }
  return {};
}

/// One element for all indices, so any shape costs nothing. finish() throws before anyone computes
/// with it.
at::Tensor CheckpointSource::placeholder(at::IntArrayRef shape) const {
  return at::zeros({1}, at::device(device_).dtype(dtype_)).expand(shape);
}

/// True for unused tensors that such files usually have.
bool CheckpointSource::is_left_silently(const std::string& name) const {
  if (component_ == "vae" && // the pipeline decodes only
      (name.starts_with("encoder.") || name.starts_with("quant_conv."))) {
    return true;
  }
  // A constant that older transformers saved, ComfyUI's scales and marks for fp8, and
  // torch.nn.BatchNorm2d's count of batches.
  constexpr std::array kEnds{
      "embeddings.position_ids", "scaled_fp8", ".scale_input", ".input_scale", ".comfy_quant",
      ".num_batches_tracked"};
  return std::ranges::any_of(kEnds, [&](const char* end) { return name.ends_with(end); });
}

/// True for whole layers of a larger model: the other half of a CLIPModel, the VAE's convolution
/// that its config switches off, a text encoder's layers after the last one used. Also true for
/// LoRA tensors that training may leave in a file.
bool CheckpointSource::is_ignored(const std::string& name) const {
  constexpr std::array kVae{"post_quant_conv."};
  constexpr std::array kText{"vision_model.", "visual.", "visual_projection.", "text_projection.",
                             "logit_scale"};
  constexpr std::array kLora{".lora_layer.", ".lora_linear_layer.", "_lora.up.", "_lora.down.",
                             // PEFT's names
                             ".lora_A.", ".lora_B.", ".lora_embedding_A", ".lora_embedding_B",
                             ".lora_magnitude_vector"};
  const auto starts = [&](const char* start) { return name.starts_with(start); };
  const auto has = [&](const char* part) { return name.find(part) != std::string::npos; };
  const bool is_text = component_.starts_with("text_");
  return std::ranges::any_of(kLora, has) ||
         (component_ == "vae" && std::ranges::any_of(kVae, starts)) ||
         (is_text && (std::ranges::any_of(kText, starts) || is_of_later_layer(name)));
}

/// True if `name` belongs to a text encoder's layer from which no tensor was taken.
bool CheckpointSource::is_of_later_layer(const std::string& name) const {
  constexpr std::string_view kLayers = "text_model.encoder.layers.";
  const std::size_t end = name.find('.', kLayers.size());
  if (!name.starts_with(kLayers) || end == std::string::npos) {
    return false;
  }
  const std::string layer = name.substr(0, end + 1);
  const auto first = taken_.lower_bound(layer);
  return first == taken_.end() || !first->starts_with(layer);
}

void CheckpointSource::finish() {
  std::vector<std::string> unexpected;
  std::vector<std::string> ignored;
  std::map<Dtype, std::uint64_t> bytes;
  for (const auto& [name, view] : weights_.tensors) {
    if (taken_.contains(name)) {
      bytes[view.dtype] += view.data.size();
    } else if (is_ignored(name)) {
      ignored.push_back(name);
    } else if (!is_left_silently(name)) {
      unexpected.push_back(in_quotes(name)); // quoted, because it comes from the file
    }
  }
  struct Kind {
    const char* heading;
    const std::vector<std::string>& names;
  };
  std::string problems;
  bool has_more = false;
  for (const Kind& kind : {Kind{"missing", missing_}, Kind{"unexpected", unexpected},
                           Kind{"of the wrong shape or dtype", unfit_}}) {
    if (const std::string list = to_list(kind.heading, kind.names); !list.empty()) {
      problems.append(problems.empty() ? "" : "; ").append(list);
    }
    has_more = write_whole_list(component_, kind.names, kind.heading) || has_more;
  }
  if (!problems.empty()) {
    const std::string origin = weights_.files.empty() ? "" : " (" + weights_.files.front() + ")";
    throw Error("tensors of " + component_ + origin + " must be those of the architecture, but " +
                problems + "; give the --model that these weights were made for" +
                (has_more ? " (-v lists all names)" : ""));
  }
  if (found_) {
    found_->bytes[component_] = std::move(bytes);
    found_->ignored[component_] = std::move(ignored);
    found_->notes.insert(weights_.notes.begin(), weights_.notes.end());
    if (!weights_.outside.empty()) {
      found_->outside = weights_.outside;
    }
  }
}

} // namespace sdbench
