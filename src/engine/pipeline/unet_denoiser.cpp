#include "sdbench/engine/pipeline/unet_denoiser.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

#include <ATen/ATen.h>

#include "sdbench/engine/nn/attention.h"
#include "sdbench/engine/nn/transformer_2d.h"
#include "sdbench/engine/pipeline/prompt_encoder.h"

namespace sdbench {
namespace {

/// Inputs that all calls of a run share.
struct UNetPrompt {
  /// Text states [T, M, C], or what was computed from them for all steps.
  std::variant<at::Tensor, UNetText> text;
  std::optional<AddedConditioning> added; ///< see UNet2dCondition::times
  std::optional<at::Tensor> guidance;     ///< see UNet2dCondition::times
};

/// Passes every tensor of a value, const or not, to `visit`, always in the same order.
template <class Visit>
struct EachTensor {
  const Visit& visit;

  template <class Value>
  void operator()(Value& value) const {
    using Plain = std::remove_const_t<Value>;
    if constexpr (std::is_same_v<Plain, at::Tensor>) {
      visit(value);
    } else if constexpr (std::is_same_v<Plain, KeysAndValues>) {
      all(value.keys, value.values);
    } else if constexpr (std::is_same_v<Plain, AddedConditioning>) {
      all(value.text_embeds, value.time_ids);
    } else if constexpr (std::is_same_v<Plain, UNetPrompt>) {
      all(value.text, value.added, value.guidance);
    } else if constexpr (requires { value.mid; }) { // UNetText, UNetTime
      all(value.down, value.mid, value.up);
    } else if constexpr (requires { value.valueless_by_exception(); }) {
      std::visit(*this, value);
    } else if constexpr (requires { value.has_value(); }) {
      if (value) {
        (*this)(*value);
      }
    } else {
      for (auto& part : value) {
        (*this)(part);
      }
    }
  }

private:
  template <class... Values>
  void all(Values&... values) const {
    ((*this)(values), ...);
  }
};

template <class Value>
DenoiserRun::Tensors tensors_of(const Value& value) {
  DenoiserRun::Tensors tensors;
  const auto take = [&](const at::Tensor& tensor) { tensors.push_back(tensor); };
  EachTensor<decltype(take)>{take}(value);
  return tensors;
}

/// `value` with other tensors, in the order of tensors_of().
template <class Value>
Value with_tensors(Value value, const DenoiserRun::Tensors& tensors) {
  auto next = tensors.begin();
  const auto put = [&](at::Tensor& tensor) { tensor = *next++; };
  EachTensor<decltype(put)>{put}(value);
  return value;
}

class UNetRun final : public DenoiserRun {
public:
  UNetRun(const UNet2dCondition& unet, const Conditioning& conditioning,
          const at::Tensor& timesteps, const DenoisingOptions& options)
      : unet_(unet), timesteps_(timesteps), prompt_{conditioning.context, {}, {}},
        time_rows_(conditioning.context.size(0)) {
    if (options.kv_cache) {
      prompt_.text = unet.text(conditioning.context, TextForm::kKeys);
    }
    if (conditioning.pooled.defined()) {
      prompt_.added = AddedConditioning{conditioning.pooled, conditioning.time_ids};
    }
    if (unet.takes_guidance()) {
      prompt_.guidance = at::full({1}, options.guidance, timesteps.options());
    }
    const bool shares_prefix = options.shared_prefix && conditioning.guided && !prompt_.added;
    twice_ = conditioning.guided && !shares_prefix;
    if (options.time_cache) {
      times_ =
          unet.times(timesteps, prompt_.added ? time_rows_ : 1, prompt_.added, prompt_.guidance);
      prompt_.added.reset(); // contained in times_, like guidance
      prompt_.guidance.reset();
    }
    if (shares_prefix) {
      time_rows_ = 1;
    }
  }

  Tensors kept() const override { return tensors_of(prompt_); }

  Tensors moment(std::int64_t step) const override {
    return times_.size() == 0 ? Tensors{timesteps_.narrow(0, step, 1)}
                              : tensors_of(times_.at(step));
  }

  at::Tensor call(const at::Tensor& sample, const Tensors& kept,
                  const Tensors& moment) const override {
    const UNetPrompt prompt = with_tensors(prompt_, kept);
    UNetText made;
    const auto* text = std::get_if<UNetText>(&prompt.text);
    if (text == nullptr) {
      made = unet_.text(std::get<at::Tensor>(prompt.text), TextForm::kStates);
      text = &made;
    }
    const at::Tensor input = twice_ ? at::cat({sample, sample}) : sample;
    return unet_(
        input,
        times_.size() == 0
            ? unet_.times(moment.front(), time_rows_, prompt.added, prompt.guidance).front()
            : with_tensors(times_.all(), moment),
        *text);
  }

private:
  const UNet2dCondition& unet_;
  at::Tensor timesteps_; ///< [steps], fp32
  UNetPrompt prompt_;
  UNetTimes times_;        ///< of all steps; empty without the time cache
  std::int64_t time_rows_; ///< argument of UNet2dCondition::times, if each call computes its time
  bool twice_ = false;     ///< each sample goes in twice, once for each half of guidance
};

} // namespace

std::vector<AttentionLevel> levels_of(const UNetConfig& config, std::int64_t height,
                                      std::int64_t width) {
  std::vector<AttentionLevel> levels;
  for (std::size_t level = 0; level < config.block_out_channels.size(); ++level) {
    levels.push_back({config.attends(level) ? config.head_counts[level] : 0, height * width,
                      config.block_out_channels[level]});
    height = (height + 1) / 2;
    width = (width + 1) / 2;
  }
  return levels;
}

std::shared_ptr<const DenoiserRun> UNetDenoiser::prepare(const Conditioning& conditioning,
                                                         const at::Tensor& timesteps,
                                                         at::IntArrayRef /*size*/,
                                                         const DenoisingOptions& options) const {
  return std::make_shared<UNetRun>(unet_, conditioning, timesteps, options);
}

} // namespace sdbench
