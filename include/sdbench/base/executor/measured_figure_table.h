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
  std::string prepared;      ///< "new", "kept", or "" if nothing was prepared
  std::optional<double> test_s;
  std::optional<std::int64_t> peak_device_allocated_bytes;
  std::optional<std::int64_t> peak_device_reserved_bytes;
  std::optional<std::int64_t> peak_device_used_bytes;
  std::optional<std::int64_t> peak_host_bytes;
  std::string golden_check; ///< empty: not checked (real weights, unknown model)
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
  kJoined,   ///< all different texts, joined by "+"
  kGreatest, ///< the largest value
  kReplica,  ///< if the devices share a batch, the first device's value; else as kSame
};

/// Which process determines the value.
enum class FoundBy {
  kWorker, ///< the worker, which sends it in its messages
  kFront,  ///< the front, which compares the workers' output files
};

/// What kind of value it is.
enum class MeasuredKind {
  kFact, ///< a property of the work, or of a check of the work
  /// A measurement of the timed runs; empty in a row without timed runs. The unit determines if a
  /// higher value is better.
  kFigure,
  kScore, ///< like kFigure; a higher value is better
  kWords, ///< a text that cannot contain the name of a host, file or person
  kNames, ///< a text that may contain such names
};

/// Description of one member of Measured. Messages, records, sum rows and texts for people are
/// generated from it.
struct MeasuredFigure {
  using Member = std::variant<std::string Measured::*, std::optional<std::int64_t> Measured::*,
                              std::optional<double> Measured::*>;

  std::string_view name;        ///< name in messages and in the record
  std::string_view unit;        ///< "s", "bytes", …; empty: no unit
  std::string_view description; ///< one sentence; the same text as in docs/record.md
  Member member;
  MeasuredKind kind;
  Together together = Together::kNone;
  FoundBy source = FoundBy::kWorker;
  std::string_view label = {};  ///< name in the lines under "Peak memory"; empty: not shown there
  std::string_view remark = {}; ///< text after the value in these lines
  std::string_view words = {};  ///< text before the unit in column heads of tables; empty: `name`
};

inline constexpr MeasuredFigure kMeasured[] = {
    {"data_identity", "",
     "Of epochs: the data set's name and 16 digits of a SHA-256 of its images and labels, which "
     "are the same in each of its forms; empty where it was not read.",
     &Measured::data_identity, MeasuredKind::kWords, Together::kJoined},
    {"weights_dtype", "",
     "Number formats that the checkpoint's tensors are stored in, most bytes first, joined by +.",
     &Measured::weights_dtype, MeasuredKind::kWords, Together::kJoined},
    {"weights_ignored", "",
     "Tensors of the checkpoint that no part of the model uses, by the start of their names and "
     "with their number.",
     &Measured::weights_ignored, MeasuredKind::kNames, Together::kJoined},
    {"unet_calls", "", "UNet calls of one batch.", &Measured::unet_calls, MeasuredKind::kFact,
     Together::kSame},
    {"vae_tiles", "", "Tiles in which an image was decoded.", &Measured::vae_tiles,
     MeasuredKind::kFact, Together::kSame},
    {"warmup_reason", "",
     "Why the warm-up ended: asked (--warmup N), settled (two images in a row agreed), limit (they "
     "never did) or max_time.",
     &Measured::warmup_reason, MeasuredKind::kWords, Together::kJoined},
    {"stop_reason", "",
     "Why the timed runs ended: repeat, max_noise, max_runs (the noise stayed above --max-noise), "
     "max_time or interrupted.",
     &Measured::stop_reason, MeasuredKind::kWords, Together::kJoined},
    {"prepared", "",
     "Of an engine of others: new where something was exported, converted, compiled or built for "
     "the cell, kept where all of that was found; empty where nothing is prepared; unknown in rows "
     "that were converted from schema versions 1 and 2.",
     &Measured::prepared, MeasuredKind::kWords},
    {"test_s", "s", "Of epochs: the pass over the test images at the end.", &Measured::test_s,
     MeasuredKind::kFigure, Together::kGreatest},
    {"peak_device_allocated_bytes", "bytes",
     "Most device memory in live tensors during the timed runs; a CUDA graph's intermediate "
     "results are in the next field alone.",
     &Measured::peak_device_allocated_bytes, MeasuredKind::kFigure, Together::kNone,
     FoundBy::kWorker, "device", "in tensors", "GPU memory"},
    {"peak_device_reserved_bytes", "bytes",
     "Most device memory held by libtorch's allocator during the timed runs.",
     &Measured::peak_device_reserved_bytes, MeasuredKind::kFigure},
    {"peak_device_used_bytes", "bytes",
     "Most device memory in use by all processes, as the driver says.",
     &Measured::peak_device_used_bytes, MeasuredKind::kFigure, Together::kNone, FoundBy::kWorker,
     "device, all", "by all processes"},
    {"peak_host_bytes", "bytes",
     "Most host memory resident in the worker, mapped weights included.",
     &Measured::peak_host_bytes, MeasuredKind::kFigure, Together::kNone, FoundBy::kWorker, "host",
     "resident in the worker", "host memory"},
    {"golden_check", "",
     "pass or fail: the short fixed run with synthetic weights against diffusers' latents; empty "
     "where there are none.",
     &Measured::golden_check, MeasuredKind::kWords, Together::kJoined},
    {"golden_rel_err", "", "Largest difference of that check by the largest golden value.",
     &Measured::golden_rel_err, MeasuredKind::kFact},
    {"agreement_rel_err", "",
     "Of an engine of others: how far its final latents are from engine plain's in the same dtype, "
     "from the same noise; root of the sum of squares of the difference by that of plain's.",
     &Measured::agreement_rel_err, MeasuredKind::kFact, Together::kNone, FoundBy::kFront},
    {"output_check", "",
     "pass, non_finite or constant: whether the images can be images, and a network's answers or "
     "losses numbers.",
     &Measured::output_check, MeasuredKind::kWords, Together::kJoined},
    {"loss_first", "",
     "Of training: the loss of the first iteration of all, which is that of the weights as they "
     "were.",
     &Measured::loss_first, MeasuredKind::kFigure, Together::kSame},
    {"loss_last", "", "Of training: the loss of the last iteration.", &Measured::loss_last,
     MeasuredKind::kFigure, Together::kSame},
    {"accuracy", "", "Of epochs: share of the test images that are classified rightly at the end.",
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
