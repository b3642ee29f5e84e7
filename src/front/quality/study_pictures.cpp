#include "sdbench/front/quality/study_pictures.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/executor/run_dump.h"
#include "sdbench/base/files/png.h"
#include "sdbench/base/numbers/number_text.h"
#include "sdbench/front/quality/image_metrics.h"
#include "sdbench/front/quality/study_figures.h"
#include "sdbench/front/sink/sink_set.h"

namespace sdbench {
namespace {

namespace fs = std::filesystem;

/// The words for a file name: letters and digits, with single dashes between.
std::string file_words(const std::string& words) {
  std::string plain;
  for (const char letter : words) {
    const bool keeps = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                       (letter >= '0' && letter <= '9');
    if (keeps) {
      plain += letter;
    } else if (!plain.ends_with('-')) {
      plain += '-';
    }
  }
  return plain;
}

void make_folder(const fs::path& folder) {
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure) {
    throw Error("cannot make the folder " + folder.string() + ": " + failure.message());
  }
}

std::string figures_line(const ImageFigures& figures) {
  if (figures.is_identical()) {
    return "identical";
  }
  return "PSNR " + significant_text(figures.psnr_db) + " dB, SSIM " +
         significant_text(figures.ssim, 4);
}

/// The factor by which a contact sheet shrinks a picture.
std::int64_t shrinking(const ImageView& picture) {
  constexpr std::int64_t kMostPixels = 512; // per side
  return (std::max(picture.width, picture.height) + kMostPixels - 1) / kMostPixels;
}

} // namespace

StudyPictures::StudyPictures(Study& study, fs::path folder, std::int64_t factor)
    : folder_(std::move(folder)), factor_(factor) {
  make_folder(folder_);
  check_replaceable(folder_ / kContactSheet);
  const auto give_folder = [&](StudyCell& cell, const std::string& name) {
    cell.cell.save_images = folder_ / (name + "-" + file_words(cell.words));
    make_folder(cell.cell.save_images);
  };
  give_folder(study.reference, "reference");
  std::size_t number = 0;
  for (StudyCell& candidate : study.candidates) {
    give_folder(candidate, std::to_string(++number));
  }
}

Panel StudyPictures::shrunk_panel(const std::vector<std::string>& lines,
                                  const ImageView& picture) const {
  return {lines, shrunk(picture, shrinking(picture))};
}

void StudyPictures::write_steps(const StudyCell& cell, const RunDump& run) {
  for (const std::int64_t step : shown_steps(run.steps())) {
    for (std::int64_t image = 0; image < run.images(); ++image) {
      const auto pixels = run.pixels_after(step, image);
      if (pixels.empty() || step == run.steps()) {
        continue;
      }
      const std::string seed = std::to_string(cell.cell.seed + static_cast<std::uint64_t>(image));
      const std::string number = std::to_string(step);
      write_png(cell.cell.save_images / ("step" + number + "-seed" + seed + ".png"), pixels,
                run.width(), run.height(),
                {{"computed", cell.words}, {"after_step", number}, {"seed", seed}});
    }
  }
}

void StudyPictures::add_reference(const StudyCell& reference, const RunDump& run) {
  reference_words_ = reference.words;
  for (std::int64_t image = 0; image < run.images(); ++image) {
    const ImageView view{run.pixels(image), run.width(), run.height()};
    const std::string name =
        "seed " + std::to_string(reference.cell.seed + static_cast<std::uint64_t>(image));
    reference_.emplace_back(view);
    pictures_.push_back({shrunk_panel({"reference " + reference.words, name}, view)});
    differences_.push_back({{{"differences x" + std::to_string(factor_), "from " + reference.words},
                             Picture(1, 1, 255)}});
  }
}

void StudyPictures::add_candidate(const StudyCell& candidate, const CandidateResult& result,
                                  const RunDump& run) {
  for (std::int64_t image = 0; image < run.images(); ++image) {
    const auto i = static_cast<std::size_t>(image);
    const ImageFigures& figures = result.images.at(i);
    const ImageView view{run.pixels(image), run.width(), run.height()};
    const Picture difference = amplified_difference(view, reference_.at(i).view(), factor_);
    const std::string times = "x" + std::to_string(factor_);
    const std::string largest = "largest " + number_text(figures.pixels.max_error) + " of 255";
    const std::uint64_t seed = candidate.cell.seed + i;
    const Picture row = sheet({{{{"reference", reference_words_}, reference_[i]},
                                {{candidate.words, figures_line(figures)}, Picture(view)},
                                {{"difference " + times, largest}, difference}}});
    write_png(candidate.cell.save_images /
                  ("difference-" + times + "-seed" + std::to_string(seed) + ".png"),
              row.rgb, row.width, row.height,
              {{"reference", reference_words_},
               {"candidate", candidate.words},
               {"amplified", times},
               {"seed", std::to_string(seed)},
               {"figures", figures_line(figures)}});
    pictures_[i].push_back(shrunk_panel({candidate.words, figures_line(figures)}, view));
    differences_[i].push_back(shrunk_panel({"difference " + times, largest}, difference.view()));
  }
}

fs::path StudyPictures::write_contact_sheet() const {
  std::vector<std::vector<Panel>> rows;
  for (std::size_t i = 0; i < pictures_.size(); ++i) {
    rows.push_back(pictures_[i]);
    rows.push_back(differences_[i]);
  }
  const Picture whole = sheet(rows);
  fs::path file = folder_ / kContactSheet;
  write_png(file, whole.rgb, whole.width, whole.height,
            {{"reference", reference_words_}, {"amplified", "x" + std::to_string(factor_)}});
  return file;
}

} // namespace sdbench
