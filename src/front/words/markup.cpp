#include "markup.h"

#include "sdbench/base/text/listed.h"

namespace sdbench {
namespace {

class MarkupText {
public:
  explicit MarkupText(const Markup& markup) : markup_(markup) {}

  /// Adds a block, after an empty line unless it is the first.
  void block(const std::string& lines) {
    text_ += lines.empty() ? "" : (text_.empty() ? "" : "\n") + lines;
  }
  void paragraph(std::string_view before, const std::string& words, std::string_view behind) {
    block(words.empty()
              ? ""
              : std::string(before) + markup_.escaped(words) + std::string(behind) + "\n");
  }
  void table(const ViewTable& table) {
    std::vector<std::string> heads = mapped(
        table.columns, [&](const ViewColumn& column) { return markup_.escaped(column.head); });
    std::string lines = line(heads) + markup_.rule(table.columns) + "\n";
    for (const ViewRow& row : table.rows) {
      std::vector<std::string> cells = row.cells;
      cells.resize(heads.size());
      for (std::size_t column = 0; column < cells.size(); ++column) {
        const bool is_command = table.columns[column].cells == Cells::kCommand;
        cells[column] = (is_command ? markup_.command : markup_.escaped)(cells[column]);
      }
      lines += line(cells);
    }
    block(lines);
  }
  void list(const std::vector<std::string>& remarks) {
    std::string lines;
    for (const std::string& remark : remarks) {
      lines += "- " + markup_.escaped(remark) + "\n";
    }
    block(lines);
  }
  [[nodiscard]] const std::string& text() const { return text_; }

private:
  [[nodiscard]] static std::string line(const std::vector<std::string>& cells) {
    std::string text = "|";
    for (const std::string& cell : cells) {
      text += " " + cell + " |";
    }
    return text + "\n";
  }

  const Markup& markup_;
  std::string text_;
};

std::vector<std::string> legends_and_remarks(std::vector<std::string> legends,
                                             const std::vector<std::string>& remarks) {
  legends.insert(legends.end(), remarks.begin(), remarks.end());
  return legends;
}

} // namespace

std::string markup_text(const View& view, const Markup& markup) {
  MarkupText text(markup);
  text.paragraph(markup.title, view.title, "");
  text.paragraph("", view.head, "");
  for (const ViewTable& table : view.tables) {
    text.paragraph(markup.heading, table.title, "");
    text.paragraph(markup.strong, table.answer, markup.strong);
    text.table(table);
    text.list(legends_and_remarks(legend_words(table.legends, heads_of(table)), table.remarks));
  }
  text.list(legends_and_remarks(legend_words(view.legends, heads_of(view)), view.remarks));
  return text.text();
}

} // namespace sdbench
