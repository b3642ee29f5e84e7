#include "sdbench/front/words/text_form.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "sdbench/base/text/listed.h"
#include "sdbench/front/words/short_names.h"
#include "sdbench/front/words/terminal_text.h"

namespace sdbench {
namespace {

constexpr std::size_t kGap = 2;        ///< between columns
constexpr std::size_t kNarrowest = 12; ///< names are cut to no fewer columns

std::string_view code_of(Tone tone) {
  switch (tone) {
  case Tone::kGood:
    return "32";
  case Tone::kBad:
    return "31";
  case Tone::kFaint:
    return "2";
  case Tone::kPlain:
    break;
  }
  return "0";
}

std::vector<std::string> head_lines(const std::string& head, const Screen& screen) {
  return mapped(split(head, '\n'), [&](std::string_view line) { return line_on(screen, line); });
}

/// The words of a head. "images/" and "min" are two words, "it/s" is one.
std::vector<std::string> words_of_head(const std::string& head) {
  constexpr std::size_t kShortest = 3;
  std::vector<std::string> words;
  for (const std::string_view word : split(head, ' ')) {
    const std::size_t behind = word.find('/') + 1; // 0: no slash
    const bool is_two = behind > kShortest && word.size() >= behind + kShortest;
    words.emplace_back(word.substr(0, is_two ? behind : word.size()));
    if (is_two) {
      words.emplace_back(word.substr(behind));
    }
  }
  return words;
}

/// Wraps a head of one line to the column's width.
std::vector<std::string> wrapped_head(const std::vector<std::string>& lines, std::size_t width) {
  if (lines.size() != 1) {
    return lines;
  }
  std::vector<std::string> parts;
  for (const std::string& word : words_of_head(lines.front())) {
    const std::string gap = parts.empty() || parts.back().ends_with('/') ? "" : " ";
    if (parts.empty() || columns_of(parts.back() + gap + word) > width) {
      parts.push_back(word);
    } else {
      parts.back() += gap + word;
    }
  }
  return parts;
}

std::string without_blanks_behind(const std::string& line) {
  return line.substr(0, line.find_last_not_of(' ') + 1);
}

/// Lays out a table: wraps heads, shortens names and drops columns until it fits the screen.
class TextTable {
public:
  TextTable(const ViewTable& view, const Screen& screen)
      : view_(view), screen_(screen), name_(std::max<std::size_t>(view.name_columns, 1) - 1) {
    for (const ViewRow& row : view.rows) {
      auto& cells = cells_.emplace_back();
      for (std::size_t column = 0; column < row.cells.size(); ++column) {
        const bool is_command =
            column < view.columns.size() && view.columns[column].cells == Cells::kCommand;
        cells.push_back((is_command ? command_on : line_on)(screen, row.cells[column]));
      }
    }
    for (std::size_t column = 0; column < view.columns.size(); ++column) {
      heads_.push_back(head_lines(view.columns[column].head, screen));
      widths_.push_back(widest(column));
    }
    use_names(column_texts(name_));
  }

  [[nodiscard]] std::string text() {
    Columns all(view_.columns.size());
    std::iota(all.begin(), all.end(), 0U);
    if (fits(all) || view_.narrow == Narrow::kBlocks) {
      return fits(all) ? lines(all) : blocks();
    }
    use_names(names_without_makers(names_));
    return view_.narrow == Narrow::kParts ? text_in_parts(all) : text_with_room(std::move(all));
  }
  /// The heads of the columns that text() has shown.
  [[nodiscard]] const std::set<std::string>& shown_heads() const { return shown_heads_; }

private:
  using Columns = std::vector<std::size_t>;

  [[nodiscard]] std::size_t widest_head(std::size_t column) const {
    return std::ranges::max(mapped(heads_[column], columns_of)); // a head has a line at least
  }
  [[nodiscard]] std::size_t widest_cell(std::size_t column) const {
    std::size_t most = 0;
    for (const auto& cells : cells_) {
      most = std::max(most, column < cells.size() ? columns_of(cells[column]) : 0);
    }
    return most;
  }
  [[nodiscard]] std::size_t widest(std::size_t column) const {
    return std::max(widest_head(column), widest_cell(column));
  }
  [[nodiscard]] std::vector<std::string> column_texts(std::size_t column) const {
    return mapped(cells_,
                  [&](const auto& cells) { return column < cells.size() ? cells[column] : ""; });
  }

  /// Takes these as the names of the rows, in a column of the width that they need.
  void use_names(std::vector<std::string> names) {
    names_ = std::move(names);
    shown_names_ = names_;
    longest_name_ = widest_head(name_);
    for (const std::string& name : names_) {
      longest_name_ = std::max(longest_name_, columns_of(name));
    }
    widths_[name_] = longest_name_;
  }

  /// Wraps heads that are wider than the cells below them.
  void wrap_heads() {
    for (std::size_t column = 0; column < heads_.size(); ++column) {
      if (column != name_) {
        heads_[column] = wrapped_head(heads_[column], widest_cell(column));
        widths_[column] = widest(column);
      }
    }
  }

  [[nodiscard]] std::size_t total(const Columns& shown) const {
    std::size_t sum = 0;
    for (const std::size_t column : shown) {
      sum += widths_[column] + kGap;
    }
    return sum - kGap;
  }
  [[nodiscard]] bool fits(const Columns& shown) const {
    return screen_.width == 0 || total(shown) <= screen_.width;
  }

  /// Shortens the names as far as needed and as long as they still differ. Returns true if the
  /// columns then fit.
  bool narrow_names(const Columns& shown) {
    shown_names_ = names_;
    widths_[name_] = longest_name_;
    if (fits(shown)) {
      return true;
    }
    const std::size_t excess = total(shown) - screen_.width;
    const std::size_t room = longest_name_ > excess ? longest_name_ - excess : 0;
    const std::size_t width = std::min(longest_name_, std::max(kNarrowest, room));
    const auto short_names = names_cut_to(names_, width, dots());
    if (short_names) {
      shown_names_ = *short_names;
      widths_[name_] = width;
    }
    return fits(shown);
  }

  /// Drops columns, highest `drop` first, until they `fit` or no column with a drop of at least
  /// `least` is left.
  template <typename Fit>
  void drop_columns(Columns& shown, std::string& left_out, int least, const Fit& fit) const {
    while (!fit(shown)) {
      const auto most = std::ranges::max_element(
          shown, {}, [&](std::size_t column) { return view_.columns[column].drop; });
      if (view_.columns[*most].drop < least) {
        return;
      }
      left_out += (left_out.empty() ? "" : ", ") + one_line_head(*most, " ");
      shown.erase(most);
    }
  }

  /// True if there is room for names that a reader recognises: three quarters of the longest, or
  /// half a line if that is less.
  [[nodiscard]] bool has_room_for_clear_names(const Columns& shown) const {
    const std::size_t clear = std::min(longest_name_ * 3 / 4, screen_.width / 2);
    return total(shown) - widths_[name_] + std::max(kNarrowest, clear) <= screen_.width;
  }

  std::string text_with_room(Columns shown) {
    std::string left_out;
    wrap_heads();
    drop_columns(shown, left_out, 2, [&](const Columns& some) { return fits(some); });
    drop_columns(shown, left_out, 1, [&](const Columns& some) {
      return fits(some) || (has_room_for_clear_names(some) && narrow_names(some));
    });
    if (!narrow_names(shown)) {
      return blocks();
    }
    return lines(shown) + (left_out.empty()
                               ? ""
                               : wrapped("no room for: " + left_out + " (all in --format " +
                                             std::string(view_.whole_form) + ")",
                                         screen_.width, 2));
  }

  /// Cuts names to at most `columns`, if they still differ then.
  void cut_names(std::size_t columns) {
    const bool is_longer = longest_name_ > columns;
    if (auto names = is_longer ? names_cut_to(names_, columns, dots()) : std::nullopt) {
      use_names(std::move(*names));
    }
  }

  /// Several tables, each with the names and as many columns as there is room for.
  std::string text_in_parts(const Columns& all) {
    cut_names(std::max(kNarrowest, screen_.width * 2 / 5)); // room for two or three
    std::string text;
    for (std::size_t next = view_.name_columns; next < all.size();) {
      Columns shown(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(view_.name_columns));
      shown.push_back(next++);
      widths_[name_] = longest_name_;
      while (next < all.size()) {
        shown.push_back(next);
        if (!fits(shown)) {
          shown.pop_back();
          break;
        }
        ++next;
      }
      if (!narrow_names(shown)) {
        return blocks();
      }
      text += (text.empty() ? "" : "\n") + lines(shown);
    }
    return text;
  }

  [[nodiscard]] std::string_view dots() const { return screen_.ascii ? "..." : "…"; }

  [[nodiscard]] std::string line(const std::vector<std::string>& cells,
                                 const Columns& shown) const {
    std::string text;
    for (const std::size_t column : shown) {
      if (column >= cells.size()) {
        break;
      }
      const std::string& cell = cells[column];
      const std::size_t used = columns_of(cell);
      const std::string gap(widths_[column] > used ? widths_[column] - used : 0, ' ');
      text += (view_.columns[column].is_number ? gap + cell : cell + gap) + std::string(kGap, ' ');
    }
    return text;
  }

  [[nodiscard]] std::string lines(const Columns& shown) {
    std::string text;
    for (const std::size_t column : shown) {
      shown_heads_.insert(view_.columns[column].head);
    }
    std::size_t height = 1;
    for (const std::size_t column : shown) {
      height = std::max(height, heads_[column].size());
    }
    for (std::size_t part = 0; part < height; ++part) { // short heads stand at the bottom
      std::vector<std::string> heads;
      for (const auto& head : heads_) {
        const std::size_t missing = height - std::min(height, head.size());
        heads.push_back(part < missing ? "" : head[part - missing]);
      }
      text += styled("1", without_blanks_behind(line(heads, shown)), screen_.colour) + "\n";
    }
    for (std::size_t row = 0; row < cells_.size(); ++row) {
      const ViewRow& view = view_.rows[row];
      std::vector<std::string> texts = cells_[row];
      if (name_ < texts.size()) {
        texts[name_] = shown_names_[row];
      }
      std::string cells = line(texts, shown);
      cells = view.trouble.empty() ? without_blanks_behind(cells) : cells;
      text += in_tone(view.tone, cells) + trouble(view) + "\n";
    }
    return text;
  }

  [[nodiscard]] std::string in_tone(Tone tone, const std::string& text) const {
    return styled(code_of(tone), text, screen_.colour && tone != Tone::kPlain);
  }
  [[nodiscard]] std::string trouble(const ViewRow& row) const {
    return styled("1;31", line_on(screen_, row.trouble), screen_.colour);
  }

  /// Each row as a block: its title, then a line for each column.
  [[nodiscard]] std::string blocks() {
    std::string text;
    shown_heads_ = heads_of(view_);
    for (std::size_t row = 0; row < cells_.size(); ++row) {
      const std::vector<std::string>& cells = cells_[row];
      std::string title = line_on(screen_, view_.rows[row].title);
      std::vector<std::pair<std::string, std::string>> values;
      for (std::size_t column = 0; column < cells.size(); ++column) {
        if (column >= view_.name_columns) {
          values.emplace_back(one_line_head(column, ", "), cells[column]);
        } else if (view_.rows[row].title.empty()) {
          title += (title.empty() ? "" : std::string(kGap, ' ')) + cells[column];
        }
      }
      text += block_text(styled("1", title, screen_.colour), values);
      text += view_.rows[row].trouble.empty() ? "" : "  " + trouble(view_.rows[row]) + "\n";
    }
    return text;
  }

  [[nodiscard]] std::string one_line_head(std::size_t column, std::string_view between) const {
    return joined(head_lines(view_.columns[column].head, screen_), between);
  }

  const ViewTable& view_;
  const Screen& screen_;
  std::size_t name_;                     ///< the column that may be shortened
  std::vector<std::string> names_;       ///< its texts
  std::vector<std::string> shown_names_; ///< the same, as short as it must be
  std::size_t longest_name_ = 0;
  std::vector<std::vector<std::string>> heads_;
  std::vector<std::vector<std::string>> cells_;
  std::vector<std::size_t> widths_;
  std::set<std::string> shown_heads_;
};

} // namespace

std::string table_text(const ViewTable& table, const Screen& screen) {
  return TextTable(table, screen).text();
}

std::string to_text(const View& view, const Screen& screen) {
  const auto prose = [&](const std::string& text, std::size_t indent) {
    return wrapped(line_on(screen, text), screen.width, indent);
  };
  std::string text = view.title.empty() ? "" : prose(view.title, 2) + "\n";
  text += view.head.empty() ? "" : prose(view.head, 2);
  std::set<std::string> shown;
  for (const ViewTable& table : view.tables) {
    text += "\n" + styled("1", line_on(screen, table.title), screen.colour) +
            (table.title.empty() ? "" : "\n");
    text += table.answer.empty() ? "" : prose(table.answer, 2) + "\n";
    TextTable laid_out(table, screen);
    text += laid_out.text();
    shown.insert(laid_out.shown_heads().begin(), laid_out.shown_heads().end());
    for (const auto& lines : {legend_words(table.legends, laid_out.shown_heads()), table.remarks}) {
      for (const std::string& line : lines) {
        text += prose(line, 3);
      }
    }
  }
  const std::vector<std::string> legends = legend_words(view.legends, shown);
  text += legends.empty() && view.remarks.empty() ? "" : "\n";
  for (const auto& lines : {legends, view.remarks}) {
    for (const std::string& line : lines) {
      text += prose(line, 2);
    }
  }
  return text;
}

std::string aligned_text(const std::vector<std::vector<std::string>>& rows, const Screen& screen) {
  ViewTable table;
  table.narrow = Narrow::kBlocks;
  for (const std::string& head : rows.front()) {
    table.columns.push_back({.head = head});
  }
  for (const auto& row : std::span(rows).subspan(1)) {
    table.rows.push_back({.cells = row});
  }
  return table_text(table, {.width = screen.width, .colour = false, .ascii = screen.ascii});
}

} // namespace sdbench
