#include "sdbench/front/words/text_form.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "sdbench/base/core/terminal_text.h"

namespace sdbench {
namespace {

constexpr std::size_t kGap = 2;        ///< between columns
constexpr std::size_t kNarrowest = 12; ///< a name is never cut below this

/// At most `count` columns: the middle makes way, for what tells names apart stands at their
/// ends.
std::string shortened(const std::string& text, std::size_t count, const Screen& screen) {
  const std::size_t all = columns_of(text);
  if (all <= count) {
    return text;
  }
  const std::string dots = screen.ascii ? "..." : "…";
  const std::size_t kept = count - std::min(count, columns_of(dots));
  const std::size_t head = kept / 2;
  const std::size_t tail = kept - head;
  std::string end = text.substr(place_behind(text, all - tail));
  if (columns_of(end) > tail) { // the cut went through a wide character
    end = text.substr(place_behind(text, all - tail + 1));
  }
  return text.substr(0, place_behind(text, head)) + dots + end;
}

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
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin <= head.size();) {
    const std::size_t end = std::min(head.find('\n', begin), head.size());
    lines.push_back(line_on(screen, head.substr(begin, end - begin)));
    begin = end + 1;
  }
  return lines;
}

std::string without_blanks_behind(const std::string& line) {
  return line.substr(0, line.find_last_not_of(' ') + 1);
}

/// The cells of a table as they will stand, and which columns are shown.
class TextTable {
public:
  TextTable(const ViewTable& view, const Screen& screen)
      : view_(view), screen_(screen), name_(std::max<std::size_t>(view.name_columns, 1) - 1) {
    for (const ViewRow& row : view.rows) {
      auto& cells = cells_.emplace_back();
      for (const std::string& cell : row.cells) {
        cells.push_back(line_on(screen, cell));
      }
    }
    for (std::size_t column = 0; column < view.columns.size(); ++column) {
      heads_.push_back(head_lines(view.columns[column].head, screen));
      head_height_ = std::max(head_height_, heads_.back().size());
      widths_.push_back(widest(column));
    }
    longest_name_ = widths_.at(name_);
  }

  [[nodiscard]] std::string text() {
    Columns all(view_.columns.size());
    std::iota(all.begin(), all.end(), 0U);
    if (view_.narrow == Narrow::kBlocks) {
      return fits(all) ? lines(all) : blocks();
    }
    return view_.narrow == Narrow::kParts ? text_in_parts(all) : text_with_room(std::move(all));
  }
  /// The heads of the columns that stand in text().
  [[nodiscard]] const std::set<std::string>& shown_heads() const { return shown_heads_; }

private:
  using Columns = std::vector<std::size_t>;

  [[nodiscard]] std::size_t widest(std::size_t column) const {
    std::size_t most = 0;
    for (const std::string& head : heads_[column]) {
      most = std::max(most, columns_of(head));
    }
    for (const auto& cells : cells_) {
      most = std::max(most, column < cells.size() ? columns_of(cells[column]) : 0);
    }
    return most;
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

  /// As short as need be, and possible; says whether the columns fit then.
  bool narrow_names(const Columns& shown) {
    widths_[name_] = longest_name_;
    if (fits(shown)) {
      return true;
    }
    const std::size_t excess = total(shown) - screen_.width;
    const std::size_t room = longest_name_ > excess ? longest_name_ - excess : 0;
    widths_[name_] = std::min(longest_name_, std::max(kNarrowest, room));
    return fits(shown);
  }

  /// Until `fit` says so, or no column may go that has a drop of `least` or more.
  template <typename Fit>
  void drop_columns(Columns& shown, std::string& left_out, int least, const Fit& fit) const {
    while (!fit(shown)) {
      const auto most = std::ranges::max_element(
          shown, {}, [&](std::size_t column) { return view_.columns[column].drop; });
      if (view_.columns[*most].drop < least) {
        return;
      }
      left_out += (left_out.empty() ? "" : ", ") + heads_[*most].front();
      shown.erase(most);
    }
  }

  std::string text_with_room(Columns shown) {
    std::string left_out;
    drop_columns(shown, left_out, 2, [&](const Columns& some) { return fits(some); });
    drop_columns(shown, left_out, 1, [&](const Columns& some) { return narrow_names(some); });
    if (!fits(shown)) {
      return blocks();
    }
    return lines(shown) + (left_out.empty()
                               ? ""
                               : wrapped("no room for: " + left_out + " (all in --format " +
                                             std::string(view_.whole_form) + ")",
                                         screen_.width, 2));
  }

  /// As many columns beside the names as there is room for, then the next.
  std::string text_in_parts(const Columns& all) {
    if (!fits(all)) { // room for two or three
      longest_name_ = std::min(longest_name_, std::max(kNarrowest, screen_.width * 2 / 5));
    }
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

  [[nodiscard]] std::string line(const std::vector<std::string>& cells,
                                 const Columns& shown) const {
    std::string text;
    for (const std::size_t column : shown) {
      if (column >= cells.size()) {
        break;
      }
      const std::string cell =
          column == name_ ? shortened(cells[column], widths_[column], screen_) : cells[column];
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
    for (std::size_t part = 0; part < head_height_; ++part) { // short heads stand at the bottom
      std::vector<std::string> heads;
      for (const auto& head : heads_) {
        const std::size_t missing = head_height_ - head.size();
        heads.push_back(part < missing ? "" : head[part - missing]);
      }
      text += styled("1", without_blanks_behind(line(heads, shown)), screen_.colour) + "\n";
    }
    for (std::size_t row = 0; row < cells_.size(); ++row) {
      const ViewRow& view = view_.rows[row];
      std::string cells = line(cells_[row], shown);
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

  /// Each row as a block: what it is, then a line for each column.
  [[nodiscard]] std::string blocks() {
    std::string text;
    shown_heads_ = heads_of(view_);
    for (std::size_t row = 0; row < cells_.size(); ++row) {
      const std::vector<std::string>& cells = cells_[row];
      std::string title = line_on(screen_, view_.rows[row].title);
      std::vector<std::pair<std::string, std::string>> values;
      for (std::size_t column = 0; column < cells.size(); ++column) {
        if (column >= view_.name_columns) {
          values.emplace_back(one_line_head(column), cells[column]);
        } else if (view_.rows[row].title.empty()) {
          title += (title.empty() ? "" : std::string(kGap, ' ')) + cells[column];
        }
      }
      text += block_text(styled("1", title, screen_.colour), values);
      text += view_.rows[row].trouble.empty() ? "" : "  " + trouble(view_.rows[row]) + "\n";
    }
    return text;
  }

  [[nodiscard]] std::string one_line_head(std::size_t column) const {
    std::string text;
    for (const std::string& part : heads_[column]) {
      text += (text.empty() ? "" : ", ") + part;
    }
    return text;
  }

  const ViewTable& view_;
  const Screen& screen_;
  std::size_t name_; ///< the column that may be shortened
  std::size_t longest_name_ = 0;
  std::vector<std::vector<std::string>> heads_;
  std::size_t head_height_ = 1;
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
