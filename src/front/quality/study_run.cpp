#include "sdbench/front/quality/study_run.h"

#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/base/text/escape.h"
#include "sdbench/base/types/cell_stage.h"
#include "sdbench/base/types/status.h"
#include "sdbench/front/bench/cell_to_record.h"
#include "sdbench/front/bench/temporary_folder.h"
#include "sdbench/front/quality/step_images.h"
#include "sdbench/front/record/run_record.h"

namespace sdbench {
namespace {

bool has_ended(const RunRecord& record, Status status) {
  return record.status == name_of(status);
}

/// Marks a record whose worker's files cannot be read, for example after a disk ran full.
void mark_unreadable(RunRecord& record, const Error& error) {
  record.status = name_of(Status::kError);
  record.stage = name_of(CellStage::kSave);
  record.error = message_line(record.stage + ": " + error.what());
}

/// Marks a cell as good that failed only at the images after its steps: it had written its pictures
/// before. Returns why these images are missing; empty for other cells.
std::string forgive_step_images(RunRecord& record) {
  if (record.stage != name_of(CellStage::kStepImages) || has_ended(record, Status::kOk) ||
      has_ended(record, Status::kInterrupted)) {
    return "";
  }
  std::string why = record.status + ": " + record.error;
  record.status = name_of(Status::kOk);
  record.stage.clear();
  record.error.clear();
  record.stderr_tail.clear();
  return why;
}

/// What a cell left behind.
struct Pictures {
  RunRecord record;
  std::optional<RunDump> run;      ///< if it ended well
  std::string step_images_failure; ///< why it has no further images after steps
};

class StudyRun {
public:
  StudyRun(const Study& study, Executor& executor, const RecordContext& context,
           StudyObserver& observer)
      : study_(study), executor_(executor), context_(context), observer_(observer) {}

  StudyResult run() {
    StudyResult result;
    step_images_ = plan_step_images(study_, folder_.path());
    Pictures reference = make_pictures(study_.reference, "reference");
    result.reference = reference.record;
    if (!reference.run) {
      return result;
    }
    if (!reference.step_images_failure.empty()) {
      step_images_ = "the reference has none: " + reference.step_images_failure;
    }
    if (is_missing(step_images_)) {
      observer_.on_missing_step_images(study_.reference, step_images_);
    }
    observer_.on_reference(study_.reference, result.reference, *reference.run);
    for (const StudyCell& candidate : study_.candidates) {
      result.candidates.push_back(run_candidate(candidate, *reference.run));
      if (has_ended(result.candidates.back().record, Status::kInterrupted)) {
        break;
      }
    }
    return result;
  }

private:
  CandidateResult run_candidate(const StudyCell& candidate, const RunDump& reference) {
    CandidateResult result;
    Pictures pictures = make_pictures(candidate, "candidate");
    result.record = quality_record(std::move(pictures.record), study_.reference.words);
    if (pictures.run) {
      try {
        result.images = compare_runs(*pictures.run, reference, wants_step_images(candidate));
        fill_quality(result.record, summary_of(result.images));
        result.step_images = step_images_of(candidate, pictures, reference);
      } catch (const Error& error) {
        mark_unreadable(result.record, error);
        pictures.run.reset();
      }
    }
    observer_.on_candidate(candidate, result, pictures.run ? &*pictures.run : nullptr);
    return result;
  }

  /// True if the images after steps are compared. With a different number of steps, only the final
  /// images can be.
  [[nodiscard]] bool wants_step_images(const StudyCell& asked) const {
    return step_images_ == kStepImagesYes && asked.cell.steps == study_.reference.cell.steps;
  }

  std::string step_images_of(const StudyCell& candidate, const Pictures& pictures,
                             const RunDump& reference) {
    if (candidate.cell.steps != study_.reference.cell.steps) {
      return kStepImagesNo;
    }
    if (!wants_step_images(candidate)) {
      return step_images_;
    }
    std::string found = pictures.step_images_failure.empty()
                            ? found_step_images(*pictures.run, reference)
                            : pictures.step_images_failure;
    if (is_missing(found)) {
      observer_.on_missing_step_images(candidate, found);
    }
    return found;
  }

  /// Runs the cell and, if it ended well, opens its files.
  Pictures make_pictures(const StudyCell& asked, const char* name) {
    if (!asked.obstacle.empty()) {
      return {skip_cell(asked.cell, asked.obstacle, context_), std::nullopt, ""};
    }
    Cell cell = asked.cell;
    cell.dump_run = folder_.path() / (std::string(name) + ".safetensors");
    cell.dump_step_images = wants_step_images(asked);
    // cuDNN keeps its plans, so cells that differ in cudnn_benchmark must not share a process.
    if (last_cudnn_benchmark_ && *last_cudnn_benchmark_ != cell.cudnn_benchmark) {
      executor_.restart();
    }
    last_cudnn_benchmark_ = cell.cudnn_benchmark;
    std::error_code none; // the files of an earlier candidate must not pass for this one's
    std::filesystem::remove(cell.dump_run, none);
    remove_step_files(cell.dump_run, study_.reference.cell.steps);
    Pictures pictures{run_cell(cell, executor_, observer_.on_cell(asked), context_), std::nullopt,
                      ""};
    pictures.step_images_failure = forgive_step_images(pictures.record);
    if (&asked == &study_.reference && !pictures.step_images_failure.empty()) {
      remove_step_files(cell.dump_run, cell.steps); // candidates may need the room
    }
    if (has_ended(pictures.record, Status::kOk)) {
      try {
        pictures.run.emplace(cell.dump_run);
      } catch (const Error& error) {
        mark_unreadable(pictures.record, error);
      }
    }
    return pictures;
  }

  const Study& study_;
  Executor& executor_;
  const RecordContext& context_;
  StudyObserver& observer_;
  const TemporaryFolder folder_;
  std::string step_images_; ///< for the whole study
  std::optional<std::string> last_cudnn_benchmark_;
};

} // namespace

StudyResult run_study(const Study& study, Executor& executor, const RecordContext& context,
                      StudyObserver& observer) {
  return StudyRun(study, executor, context, observer).run();
}

} // namespace sdbench
