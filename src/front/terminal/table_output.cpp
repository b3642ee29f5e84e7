#include "sdbench/front/terminal/table_output.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "sdbench/base/files/json_io.h"
#include "sdbench/base/files/own_file.h"
#include "sdbench/base/numbers/units.h"
#include "sdbench/base/text/utf8.h"
#include "sdbench/front/results/record_files.h"
#include "sdbench/front/results/result_reader.h"
#include "sdbench/front/words/page_width.h"
#include "sdbench/front/words/screen.h"
#include "sdbench/front/words/text_form.h"
#include "sdbench/front/words/view_forms.h"

namespace sdbench {
namespace {

/// Tells the user if the Markdown text is longer than a comment on GitHub may be.
void say_too_long_for_a_comment(const std::string& markdown, const Streams& streams) {
  constexpr std::size_t kMostOfAComment = 65536; // GitHub refuses longer comments
  const std::size_t characters = decode_utf8(markdown).size();
  if (characters > kMostOfAComment) {
    streams.say("the Markdown has " + std::to_string(characters) +
                " characters, and a comment on GitHub takes " + std::to_string(kMostOfAComment) +
                "; --filter leaves fewer rows, -o FILE.html takes all");
  }
}

} // namespace

void say_remarks(const ReadRemarks& remarks, const Streams& streams) {
  constexpr std::size_t kMostSaid = 20;
  const std::vector<BadRow>& bad = remarks.bad;
  for (std::size_t i = 0; i < std::min(bad.size(), kMostSaid); ++i) {
    streams.say("left out: " + bad[i].text());
  }
  if (bad.size() > kMostSaid) {
    streams.say("left out: " + std::to_string(bad.size() - kMostSaid) + " more");
  }
  for (const BadRow& row : remarks.doubtful) {
    streams.say("doubtful: " + row.text());
  }
}

void refuse_to_replace_others(const TableOutput& output,
                              bool (*is_ours)(std::string_view text, std::string_view format),
                              const std::string& what) {
  const std::string there = standing_text(output.file);
  if (there.empty() || is_ours(there, output.format)) {
    return;
  }
  const std::size_t rows =
      keeps_records(output.file) ? read_results({output.file}).table.size() : 0;
  refuse_loss(output.file, rows > 0
                               ? counted(static_cast<std::int64_t>(rows), "row") + " of results"
                               : "something other than " + what + " of this form");
}

std::string text_of_views(const std::vector<View>& views, const TableOutput& output,
                          const Streams& streams) {
  const ViewForm* form = find_view_form(output.format);
  std::string text;
  for (const View& view : views) {
    text += text.empty() ? "" : "\n";
    text += form != nullptr ? form->text(form->is_page ? fitted_to_page(view) : view)
                            : to_text(view, output.file.empty() ? streams.screen() : Screen{});
  }
  return text;
}

void put_tables(const std::string& text, const TableOutput& output, std::string_view command,
                const Streams& streams) {
  if (output.format == "md") {
    say_too_long_for_a_comment(text, streams);
  }
  if (output.file.empty()) {
    streams.out << streams.shown(text);
    return;
  }
  const ViewForm* form = find_view_form(output.format);
  const bool has_mark = form != nullptr && form->comment;
  write_file_atomically(output.file, (has_mark ? file_mark(*form->comment, command) : "") + text);
}

} // namespace sdbench
