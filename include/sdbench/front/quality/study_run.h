#pragma once

#include <string>
#include <vector>

#include "sdbench/base/executor/executor.h"
#include "sdbench/base/executor/run_dump.h"
#include "sdbench/front/quality/study_figures.h"
#include "sdbench/front/quality/study_plan.h"
#include "sdbench/front/record/build_record.h"

namespace sdbench {

/// A candidate's result.
struct CandidateResult {
  RunRecord record;                 ///< see quality_record
  std::vector<ImageFigures> images; ///< empty unless the record's status is ok
  std::string step_images;          ///< see kStepImagesYes
};

/// Receives the progress of a study.
class StudyObserver {
public:
  virtual ~StudyObserver() = default;
  /// Called when a cell begins. The cell's events go to the returned observer.
  virtual ExecutorObserver& on_cell(const StudyCell& cell) = 0;
  /// The cell's intermediate images (those after each step) are missing, for the reason `why`. Its
  /// final images exist.
  virtual void on_missing_step_images(const StudyCell& /*cell*/, const std::string& /*why*/) {}
  /// The reference has run, and its images exist.
  virtual void on_reference(const StudyCell& /*cell*/, const RunRecord& /*record*/,
                            const RunDump& /*run*/) {}
  /// A candidate has ended. `run`: its images, or null.
  virtual void on_candidate(const StudyCell& /*cell*/, const CandidateResult& /*result*/,
                            const RunDump* /*run*/) {}
};

struct StudyResult {
  RunRecord reference; ///< if its status is not ok, no candidate has run
  std::vector<CandidateResult>
      candidates; ///< in the order of the study; fewer after an interruption
};

/// Runs the reference and then each candidate, and compares their images. A candidate that fails
/// does not end the study; an interruption does. A cell that fails only at its intermediate images
/// (those after each step) counts as ok, without these images. The images are kept in a temporary
/// folder. Throws Error if this folder cannot be made.
[[nodiscard]] StudyResult run_study(const Study& study, Executor& executor,
                                    const RecordContext& context, StudyObserver& observer);

} // namespace sdbench
