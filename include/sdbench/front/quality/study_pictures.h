#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "sdbench/front/quality/picture.h"
#include "sdbench/front/quality/study_plan.h"
#include "sdbench/front/quality/study_run.h"

namespace sdbench {

/// For each image of a candidate, writes into the image's folder a picture with three labelled
/// panels: reference, candidate and amplified difference. Finally writes one contact sheet with all
/// images.
class StudyPictures {
public:
  static constexpr const char* kContactSheet = "contact-sheet.png";

  /// Makes `folder` and, for each cell, a subfolder such as "reference-fp32" or
  /// "1-bf16-attention-flash", and sets the cell's save_images to its subfolder. `factor`:
  /// multiplies differences to make them visible. Throws Error.
  StudyPictures(Study& study, std::filesystem::path folder, std::int64_t factor);

  /// Writes those intermediate images of the cell that exist and whose step shown_steps() selects.
  /// Leaves out the last step, whose image is already written. Throws Error.
  static void write_steps(const StudyCell& cell, const RunDump& run);
  void add_reference(const StudyCell& reference, const RunDump& run);
  /// Call add_reference() first. The candidate's images must match the reference's in number and
  /// size. Throws Error.
  void add_candidate(const StudyCell& candidate, const CandidateResult& result, const RunDump& run);
  /// For each image, draws a row with the reference and all candidates, and below this row the
  /// candidates' differences. Returns the file. Throws Error.
  std::filesystem::path write_contact_sheet() const;

private:
  [[nodiscard]] Panel shrunk_panel(const std::vector<std::string>& lines,
                                   const ImageView& picture) const;

  std::filesystem::path folder_;
  std::int64_t factor_;
  std::string reference_words_;
  std::vector<Picture> reference_;           ///< the reference's pictures, in full size
  std::vector<std::vector<Panel>> pictures_; ///< per image: its panels on the sheet
  std::vector<std::vector<Panel>> differences_;
};

} // namespace sdbench
