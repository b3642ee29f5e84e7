#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace sdbench {

/// Values that are measured or found during a cell, and that the record contains unchanged.
/// CellResult and RunRecord inherit these members. kMeasured describes each member.
struct Measured {
  /// Training with epochs: identity of the data set, see identity_of(Dataset).
  std::string data_identity;
  std::string weights_dtype;   ///< number formats of the stored weights: "fp16", "fp8_e4m3+fp16"
  std::string weights_ignored; ///< tensors in the weight files that the model does not use
  std::optional<std::int64_t> unet_calls;
  std::optional<std::int64_t> vae_tiles;
  std::string warmup_reason; ///< see WarmupReason; empty before the warm-up has ended
  std::string stop_reason;   ///< see StopReason; empty while runs may follow
  std::string prepared;      ///< compiled models: "new", "kept" (all from the cache), "" (none)
  std::optional<double> test_s;
  std::optional<std::int64_t> peak_device_allocated_bytes;
  std::optional<std::int64_t> peak_device_reserved_bytes;
  std::optional<std::int64_t> peak_device_used_bytes;
  std::optional<std::int64_t> peak_host_bytes;
  std::string golden_check; ///< empty: no check exists for these weights or this model
  std::optional<double> golden_rel_err;
  std::optional<double> agreement_rel_err; ///< see latents_difference()
  std::string output_check;
  std::optional<double> loss_first;
  std::optional<double> loss_last;
  std::optional<double> accuracy; ///< from 0 to 1
};

/// How the values of devices that ran together are combined into one value, for the row of all
/// devices (the sum row).
enum class Together {
  kNone,     ///< not combined: empty in the sum row
  kSame,     ///< the value that all devices have; empty if they differ
  kJoined,   ///< the devices' texts, each only once, joined by "+"
  kGreatest, ///< the largest value
  kReplica,  ///< if the devices share a batch, the first device's value; else as kSame
};

/// The process that determines a value of Measured.
enum class FoundBy {
  kWorker, ///< the worker, which sends it in its messages
  kFront,  ///< the front, which compares the workers' output files
};

/// The kind of a value of Measured.
enum class MeasuredKind {
  kFact, ///< a property of the work, or the result of a check
  /// A measurement of the timed runs; empty in a row without timed runs. The unit determines if a
  /// higher value is better.
  kFigure,
  kScore, ///< like kFigure; a higher value is better
  kWords, ///< a text that cannot contain the name of a host, file or person
  kNames, ///< a text that may contain such names
};

/// Description of one member of Measured. Messages, records, sum rows and texts for people are
/// generated from these descriptions.
struct MeasuredFigure {
  using Member = std::variant<std::string Measured::*, std::optional<std::int64_t> Measured::*,
                              std::optional<double> Measured::*>;

  std::string_view name;        ///< name in messages and in the record
  std::string_view unit;        ///< "s", "bytes", …; empty: no unit
  std::string_view description; ///< one or two sentences; docs/record.md repeats them
  Member member;
  MeasuredKind kind;
  Together together = Together::kNone;
  FoundBy source = FoundBy::kWorker;
  std::string_view label = {};  ///< name in the lines under "Peak memory"; empty: not shown there
  std::string_view remark = {}; ///< text after the value in the lines under "Peak memory"
  std::string_view words = {};  ///< text before the unit in column heads of tables; empty: `name`
};

inline constexpr MeasuredFigure kMeasured[] = {
    {"data_identity", "",
     "With epochs: the data set's name and 16 digits of a SHA-256 of its images and labels, the "
     "same for each file format of the data set. Empty if it was not read.",
     &Measured::data_identity, MeasuredKind::kWords, Together::kJoined},
    {"weights_dtype", "",
     "Number formats of the checkpoint's tensors, those with most bytes first, joined by +.",
     &Measured::weights_dtype, MeasuredKind::kWords, Together::kJoined},
    {"weights_ignored", "",
     "Tensors of the checkpoint that no part of the model uses: the beginnings of their names, "
     "each with the number of such tensors.",
     &Measured::weights_ignored, MeasuredKind::kNames, Together::kJoined},
    {"unet_calls", "", "Number of UNet calls per batch.", &Measured::unet_calls,
     MeasuredKind::kFact, Together::kSame},
    {"vae_tiles", "", "Number of tiles in which an image was decoded.", &Measured::vae_tiles,
     MeasuredKind::kFact, Together::kSame},
    {"warmup_reason", "",
     "Why the warm-up ended: asked (--warmup N), settled (two successive batches took the same "
     "time), limit (they never did) or max_time.",
     &Measured::warmup_reason, MeasuredKind::kWords, Together::kJoined},
    {"stop_reason", "",
     "Why the timed runs ended: repeat, max_noise, max_runs (the noise stayed above --max-noise), "
     "max_time or interrupted.",
     &Measured::stop_reason, MeasuredKind::kWords, Together::kJoined},
    {"prepared", "",
     "Engines of other projects only: new if something was exported, converted, compiled or built "
     "for the cell, kept if all of that was found; empty if nothing is prepared; unknown in rows "
     "that were converted from schema versions 1 and 2.",
     &Measured::prepared, MeasuredKind::kWords},
    {"test_s", "s", "With epochs: time of the pass over the test images at the end.",
     &Measured::test_s, MeasuredKind::kFigure, Together::kGreatest},
    {"peak_device_allocated_bytes", "bytes",
     "Most device memory in live tensors during the timed runs. Activations in a CUDA graph count "
     "only in the next field.",
     &Measured::peak_device_allocated_bytes, MeasuredKind::kFigure, Together::kNone,
     FoundBy::kWorker, "device", "in tensors", "GPU memory"},
    {"peak_device_reserved_bytes", "bytes",
     "Most device memory held by libtorch's allocator during the timed runs.",
     &Measured::peak_device_reserved_bytes, MeasuredKind::kFigure},
    {"peak_device_used_bytes", "bytes",
     "Most device memory in use by all processes, as the driver reports it.",
     &Measured::peak_device_used_bytes, MeasuredKind::kFigure, Together::kNone, FoundBy::kWorker,
     "device, all", "by all processes"},
    {"peak_host_bytes", "bytes",
     "Most host memory resident in the worker, mapped weights included.",
     &Measured::peak_host_bytes, MeasuredKind::kFigure, Together::kNone, FoundBy::kWorker, "host",
     "resident in the worker", "host memory"},
    {"golden_check", "",
     "pass or fail: whether a short fixed run with synthetic weights gives the latents (a network: "
     "the logits) that diffusers or PyTorch gave; empty if the model has none.",
     &Measured::golden_check, MeasuredKind::kWords, Together::kJoined},
    {"golden_rel_err", "",
     "Largest difference in golden_check, divided by the largest golden value.",
     &Measured::golden_rel_err, MeasuredKind::kFact},
    {"agreement_rel_err", "",
     "Engines of other projects only: distance of the final latents from those of engine plain, "
     "with the same dtype and noise: root of the sum of squared differences, divided by that of "
     "plain's squares.",
     &Measured::agreement_rel_err, MeasuredKind::kFact, Together::kNone, FoundBy::kFront},
    {"output_check", "",
     "pass, non_finite or constant: whether images, logits or losses are finite, and no image is "
     "one constant value.",
     &Measured::output_check, MeasuredKind::kWords, Together::kJoined},
    {"loss_first", "",
     "Training only: loss of the very first iteration, so of the initial weights.",
     &Measured::loss_first, MeasuredKind::kFigure, Together::kSame},
    {"loss_last", "", "Training only: loss of the last iteration.", &Measured::loss_last,
     MeasuredKind::kFigure, Together::kSame},
    {"accuracy", "",
     "With epochs: fraction of the test images that are classified correctly at the end.",
     &Measured::accuracy, MeasuredKind::kScore, Together::kReplica},
};

/// The description of the member with that name; nullptr if there is no such member.
[[nodiscard]] constexpr const MeasuredFigure* find_measured(std::string_view name) {
  for (const MeasuredFigure& figure : kMeasured) {
    if (figure.name == name) {
      return &figure;
    }
  }
  return nullptr;
}

/// True if the value is measured in timed runs, so that it is empty in a row without timed runs.
[[nodiscard]] constexpr bool is_figure(const MeasuredFigure& measured) {
  return measured.kind == MeasuredKind::kFigure || measured.kind == MeasuredKind::kScore;
}

} // namespace sdbench
