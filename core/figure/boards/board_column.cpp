#include "core/figure/boards/board_column.h"

#include <algorithm>
#include <numeric>

#include "core/base/utf8.h"

namespace headscope {
namespace {

constexpr double line_height = 1.5;  // of the size of its text

/// The character that begins at `at`: its length in bytes.
std::size_t length_at(std::string_view text, std::size_t at) {
  return code_point_end(text, at) - at;
}

bool is_blank(std::string_view character) {
  return character == " " || character == "\n" || character == "\t";
}

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/// As many characters of `text` as fit, at least one.
std::size_t fitting(std::string_view text, double width, double size, const MeasureSized& measure) {
  std::size_t at = length_at(text, 0);
  while (at < text.size() && measure(text.substr(0, at + length_at(text, at)), size) <= width)
    at += length_at(text, at);
  return at;
}

}  // namespace

bool closes(std::string_view text) {
  return !text.empty() && text.front() != ' ' && !may_break("中", text.substr(0, code_point_end(text, 0)));
}

bool may_break(std::string_view before, std::string_view after) {
  constexpr std::string_view closing = "，。；：！？、）》】」』”’…—％,.;:!?)]}%", opening = "（《「『“‘([{";
  return (is_chinese(before) || is_chinese(after)) && closing.find(after) == std::string_view::npos &&
         opening.find(before) == std::string_view::npos;
}

std::vector<std::string_view> line_pieces(std::string_view text) {
  std::vector<std::string_view> all;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view character = text.substr(at, length_at(text, at));
    at += character.size();
    if (at >= text.size()) break;
    const std::string_view next = text.substr(at, length_at(text, at));
    if (is_blank(next) || !(is_blank(character) || may_break(character, next))) continue;
    all.push_back(text.substr(begin, at - begin));
    begin = at;
  }
  all.push_back(text.substr(begin));
  return all;
}

std::vector<std::string> wrapped(std::string_view text, double width, double size,
                                 const MeasureSized& measure) {
  std::vector<std::string> lines;
  std::string line;
  for (std::string_view piece : line_pieces(text)) {
    if (line.empty() || measure(without_blanks(line + std::string(piece)), size) <= width) {
      line += piece;
    } else {
      lines.emplace_back(without_blanks(line));
      line = piece;
    }
    while (measure(without_blanks(line), size) > width && line.size() > length_at(line, 0)) {
      const std::size_t cut = fitting(line, width, size, measure);
      lines.push_back(line.substr(0, cut));
      line.erase(0, cut);
    }
  }
  lines.emplace_back(without_blanks(line));
  return lines;
}

void BoardColumn::line(std::string_view text, double x, double size, Rgb color, Anchor anchor) {
  board_.texts.push_back({std::string(text), x, y_ + line_height * size / 2, {size, color, anchor}});
}

void BoardColumn::heading(std::string_view text) {
  const double size = 1.15 * style_.font_size;
  if (y_ > 0) y_ += 0.9 * style_.font_size;
  for (const std::string& part : wrapped(text, board_.width, size, style_.measure)) {
    line(part, 0, size, style_.text);
    y_ += line_height * size;
  }
  board_.lines.push_back({0, y_, board_.width, y_, 0.07 * style_.font_size, style_.border, 0.6});
  y_ += 0.35 * style_.font_size;
}

void BoardColumn::paragraph(std::string_view text, Rgb color) {
  for (const std::string& part : wrapped(text, board_.width, style_.font_size, style_.measure)) {
    line(part, 0, style_.font_size, color);
    y_ += line_height * style_.font_size;
  }
}

void BoardColumn::add_mark(const Rect& rect) {
  board_.fills.push_back({rect, style_.panel});
  board_.fills.push_back({{rect.x, rect.y, 0.18 * style_.font_size, rect.height}, style_.accent});
}

void BoardColumn::part(Board board, double x) {
  const double height = board.height;
  add(board_, std::move(board), x, y_);
  y_ += height;
}

double BoardColumn::min_scale() const {
  constexpr double smaller = 0.8;
  return std::max(smaller, style_.minimum / style_.font_size);
}

std::vector<double> BoardColumn::widths_of(const BoardTable& table) const {
  std::vector<double> widths(table.titles.size());
  const auto measure_row = [&](const std::vector<std::string>& row) {
    for (std::size_t c = 0; c < row.size(); ++c)
      widths[c] = std::max(widths[c], style_.measure(row[c], style_.font_size));
  };
  measure_row(table.titles);
  for (const auto& row : table.rows) measure_row(row);
  for (double& width : widths) width += 1.2 * style_.font_size;
  return widths;
}

double BoardColumn::scale_of(const BoardTable& table) const {
  const std::vector<double> widths = widths_of(table);
  return std::min(1.0, board_.width / std::accumulate(widths.begin(), widths.end(), 0.0));
}

void BoardColumn::table(const BoardTable& table) {
  const std::vector<double> widths = widths_of(table);
  const double whole = std::accumulate(widths.begin(), widths.end(), 0.0);
  const double scale = scale_of(table), size = scale * style_.font_size;
  if (!fits(table)) {
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
      const auto& row = table.rows[r];
      paragraph(row.front(), static_cast<int>(r) == table.marked ? style_.accent : style_.text);
      for (std::size_t c = 1; c < row.size(); ++c)
        if (!row[c].empty())
          note("  " + (table.titles[c].empty() ? row[c] : tr_("{}: {}", table.titles[c], row[c])));
    }
    return;
  }
  const auto draw = [&](const std::vector<std::string>& row, Rgb color) {
    double x = 0;
    for (std::size_t c = 0; c < row.size(); ++c) {
      const double width = scale * widths[c];
      if (c == 0)
        line(row[c], 0.5 * size, size, color);
      else
        line(row[c], x + width - 0.3 * size, size, color, Anchor::end);
      x += width;
    }
    y_ += line_height * size;
  };
  draw(table.titles, style_.muted);
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    if (static_cast<int>(r) == table.marked) add_mark({0, y_, scale * whole, line_height * size});
    draw(table.rows[r], style_.text);
  }
}

Board BoardColumn::take() {
  board_.height = y_;
  return std::move(board_);
}

}  // namespace headscope
