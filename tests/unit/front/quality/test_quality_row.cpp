#include "sdbench/front/quality/quality_row.h"

#include <algorithm>
#include <filesystem>

#include "catch.h"
#include "scratch_folder.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/front/quality/image_metrics.h"
#include "sdbench/front/quality/quality_files.h"
#include "sdbench/front/quality/study_figures.h"
#include "sdbench/front/record/csv_text.h"

using namespace sdbench;

namespace {

QualityRow sample_quality_row() {
  QualityRow row;
  row.reference = "fp32";
  row.candidate = "bf16, \"fast\"";
  row.reference_steps = 20;
  row.record.status = "ok";
  row.record.seed = 18446744073709551610U;
  row.image = 2;
  row.prompt = "a lake,\nand \x1b a house";
  ImageFigures figures;
  figures.pixels = {1, 0.5, 3};
  figures.psnr_db = 48.25;
  figures.ssim = 0.75;
  figures.latents = {1, 0.125, 2};
  figures.latents_nmse_by_step = {0.0625, 0.125};
  figures.latents_max_error_by_step = {0.5, 2};
  figures.pictures_by_step = {std::nullopt, PictureFigures{{0, 0, 0}, psnr_db(0), 1},
                              PictureFigures{{1, 0.5, 3}, 48.25, 0.75}};
  row.figures = figures;
  row.step_images = "1 of 3 are not finite";
  return row;
}

std::string value_in(const QualityRow& row, std::string_view name) {
  const auto table = parse_csv(quality_csv_header() + to_quality_csv(row));
  REQUIRE(table.size() == 2);
  REQUIRE(table[0].size() == table[1].size());
  const auto column = std::ranges::find(table[0], name);
  REQUIRE(column != table[0].end());
  return table[1][static_cast<std::size_t>(column - table[0].begin())];
}

} // namespace

TEST_CASE("a study's row says the same in CSV and JSON") {
  const QualityRow row = sample_quality_row();
  const auto json = to_json(row);
  CHECK(value_in(row, "psnr_db") == "48.25");
  CHECK(json["psnr_db"] == 48.25);
  CHECK(value_in(row, "candidate") == row.candidate);
  CHECK(value_in(row, "seed") == "18446744073709551612");
  CHECK(value_in(row, "identical") == "no");
  CHECK(value_in(row, "steepest_step") == "1");
  CHECK(value_in(row, "latents_nmse_by_step") == "0.0625 0.125");
  CHECK(json["latents_nmse_by_step"] == Json{0.0625, 0.125});
  CHECK(value_in(row, "latents_max_error_by_step") == "0.5 2");
  CHECK(value_in(row, "step_images") == "1 of 3 are not finite");
  CHECK(value_in(row, "psnr_db_by_step") == "nan nan 48.25"); // absent, infinite
  CHECK(json["psnr_db_by_step"] == Json{nullptr, nullptr, 48.25});
  CHECK(value_in(row, "ssim_by_step") == "nan 1 0.75");
  CHECK(value_in(row, "nmse_by_step") == "nan 0 0.5");
  CHECK(json["max_error_by_step"] == Json{nullptr, 0.0, 3.0});
  CHECK(value_in(row, "prompt") == "a lake,\nand \\x1b a house");
  CHECK(json.size() == quality_fields().size());
}

TEST_CASE("an infinite PSNR is empty beside the word identical") {
  QualityRow row = sample_quality_row();
  row.figures = ImageFigures{{{}, psnr_db(0), 1}, {}, {0, 0}, {0, 0}, {}};
  CHECK(value_in(row, "identical") == "yes");
  CHECK(value_in(row, "psnr_db").empty());
  CHECK(to_json(row)["psnr_db"].is_null());
  CHECK(value_in(row, "ssim") == "1");
  CHECK(value_in(row, "steepest_step").empty());
}

TEST_CASE("a candidate without pictures is a row with its status and no figures") {
  Study study;
  StudyCell candidate;
  candidate.words = "fp16";
  CandidateResult result;
  result.record.status = "oom_device";
  result.record.error = "load: too large";
  const auto rows = quality_rows(study, candidate, result);
  REQUIRE(rows.size() == 1);
  CHECK(value_in(rows[0], "status") == "oom_device");
  CHECK(value_in(rows[0], "identical").empty());
  CHECK(value_in(rows[0], "image").empty());
  CHECK(value_in(rows[0], "ssim").empty());
  CHECK(value_in(rows[0], "step_images").empty());
  CHECK(value_in(rows[0], "psnr_db_by_step").empty());
}

TEST_CASE("each image of a candidate is a row with its own prompt") {
  Study study;
  StudyCell candidate;
  candidate.cell.prompts = {"one", "two"};
  CandidateResult result;
  result.images.resize(2);
  const auto rows = quality_rows(study, candidate, result);
  REQUIRE(rows.size() == 2);
  CHECK(rows[1].prompt == "two");
  CHECK(rows[1].image == 1);
}

TEST_CASE("docs/quality.md has every field of a study's rows with its unit and meaning, in order") {
  const std::string page =
      read_text_file(std::filesystem::path(SDBENCH_SOURCE_DIR) / "docs/quality.md");
  std::size_t position = 0;
  for (const QualityField& field : quality_fields()) {
    const std::string row = "| `" + std::string(field.name) + "` | " + std::string(field.unit) +
                            " | " + std::string(field.description) + " |";
    INFO("docs/quality.md must have the row: " << row);
    const std::size_t found = page.find(row, position);
    CHECK(found != std::string::npos);
    position = found == std::string::npos ? position : found;
  }
}

TEST_CASE("rows are appended to CSV and JSON lines, and JSON holds those of one study") {
  const test::ScratchFolder folder;
  const auto at = [&](const char* name) { return folder.path() / name; };
  const QualityRow row = sample_quality_row();
  for (int study = 0; study < 2; ++study) {
    QualityFiles files({at("q.csv"), at("q.jsonl"), at("q.json")}, [](const std::string&) {});
    files.write(std::vector<QualityRow>{row});
    files.write(std::vector<QualityRow>{row});
    CHECK(files.all_written());
  }
  CHECK(parse_csv(read_text_file(at("q.csv"))).size() == 5);
  CHECK(std::ranges::count(read_text_file(at("q.jsonl")), '\n') == 4);
  CHECK(read_json_file(at("q.json")).size() == 2);
}

TEST_CASE("files that cannot take a study's rows are refused before it runs") {
  const test::ScratchFolder folder;
  const auto open = [&](const std::filesystem::path& file) {
    const QualityFiles files({file}, [](const std::string&) {});
  };
  CHECK_THROWS_AS(open(folder.path() / "q.xml"), UsageError);
  CHECK_THROWS_AS(open(folder.path() / "none" / "q.json"), Error);
  CHECK_THROWS_AS(open(folder.write("other.csv", "\"model\",\"speed\"\n")), Error);
}
