#pragma once

#include <optional>
#include <variant>
#include <vector>

#include "sdbench/engine/models/unet_2d_condition.h"
#include "sdbench/engine/pipeline/graphed_call.h"

namespace sdbench {

/// What the steps of a run have in common.
struct UNetPrompt {
  /// States [T, M, C], or what was made of them for all steps.
  std::variant<at::Tensor, UNetText> text;
  std::optional<AddedConditioning> added; ///< beside timesteps alone
  std::optional<at::Tensor> guidance;     ///< likewise: UNet2dCondition::times
};

/// What a step has of its own.
struct UNetMoment {
  at::Tensor sample; ///< [B, in, h, w], scaled
  /// The timestep [1], fp32, or what was made of it before the first step.
  std::variant<at::Tensor, UNetTime> time;
};

/// The UNet's part of a step: everything that it reads but weights comes in as tensors, so that it
/// can be recorded as a graph.
class UNetCall {
public:
  /// `unet` must outlive this. `twice`: the samples go in once for each half of guidance; else T is
  /// B, or the UNet tells the texts apart itself. `time_rows`: see UNet2dCondition::times.
  UNetCall(const UNet2dCondition& unet, bool twice, std::int64_t time_rows)
      : unet_(unet), twice_(twice), time_rows_(time_rows) {}

  [[nodiscard]] at::Tensor operator()(const UNetPrompt& prompt,
                                      const UNetMoment& moment) const; // -> [T, out, h, w]
  /// The same by a graph, which the call with the same prompt's forms and shapes has.
  [[nodiscard]] at::Tensor operator()(const UNetPrompt& prompt, const UNetMoment& moment,
                                      GraphedCall& graphed) const;
  /// GraphedCall::end_run after calls such as this one.
  void end_run(const UNetPrompt& prompt, const UNetMoment& moment, GraphedCall& graphed) const;

private:
  [[nodiscard]] GraphedCall::Work work(const UNetPrompt& prompt, const UNetMoment& moment) const;

  const UNet2dCondition& unet_;
  bool twice_;
  std::int64_t time_rows_;
};

} // namespace sdbench
