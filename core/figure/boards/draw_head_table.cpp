#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/analysis/shown_circuits.h"
#include "core/base/round_up.h"
#include "core/base/stopped.h"
#include "core/figure/boards/draw_parts.h"
#include "core/figure/boards/scatter_board.h"
#include "core/scene/head_table.h"
#include "core/scene/labels.h"
#include "core/scene/readable_numbers.h"
#include "core/scene/table_tint.h"

namespace headscope {
namespace {

/// The numbers as a table, possibly in several blocks side by side; in points.
struct StatisticsTable {
  std::span<const HeadColumn> columns;
  int blocks = 1, rows = 0;  // rows of a block
  double x = 0, y = 0, names = 0, group = 0, column = 0, header = 0, line = 0, size = 0, gap = 0;
  bool rotated = false;  // titles
  double width() const { return names + group + column * static_cast<double>(columns.size()); }
  double left(int block) const { return x + block * (width() + gap); }
  double top(int row) const { return y + header + row * line; }
};

/// Everything that the table shows as texts.
struct TableTexts {
  std::vector<std::string> names, short_names;
  std::vector<std::pair<std::string, std::string>> titles;  // over two lines
  double number = 0;                                        // width of the widest number, in sizes
};

/// The table in this many blocks, as large as fits. All widths grow with the size of the text.
StatisticsTable fitted(const FigurePen& pen, const Rect& room, const std::vector<HeadRow>& rows,
                       const TableTexts& texts, int blocks, bool grouped) {
  const double wanted = pen.style.font_size;
  StatisticsTable t;
  t.columns = columns_of(rows);
  t.blocks = blocks;
  t.rows = divide_up(static_cast<int>(rows.size()), blocks);
  const auto& names = blocks == 1 ? texts.names : texts.short_names;
  const double name = std::min(pen.widest(names, 1), 28.0) + 2.4, group = grouped ? 3.9 : 0;
  const double number = texts.number + 0.9, gap = 2.5;
  const auto columns = static_cast<double>(t.columns.size());
  const double needed = blocks * (name + group + columns * number) + (blocks - 1) * gap;
  double title = 0, rotated_title = 0;
  for (const auto& [first, second] : texts.titles) {
    title = std::max({title, pen.width(first, 1), pen.width(second, 1)});
    rotated_title = std::max(rotated_title, pen.width(first + " " + second, 1));
  }
  t.rotated =
      title + 0.5 > std::max(number, (room.width / wanted - blocks * (name + group)) / blocks / columns);
  const double header = t.rotated ? rotated_title + 1 : 3, line = 1.28;
  t.size = std::min({wanted, room.width / needed, room.height / (header + line * t.rows)});
  t.header = header * t.size;
  t.line = std::min((room.height - t.header) / t.rows, 2 * t.size);
  t.names = name * t.size;
  t.group = group * t.size;
  t.gap = gap * t.size;
  t.column =
      std::min(((room.width - (blocks - 1) * t.gap) / blocks - t.names - t.group) / columns, 8 * t.size);
  t.x = room.x + (room.width - blocks * t.width() - (blocks - 1) * t.gap) / 2;
  t.y = room.y + std::max(0.0, (room.height - t.header - t.line * t.rows) / 2);
  return t;
}

/// With the number of blocks that makes the text largest.
StatisticsTable place_table(const FigurePen& pen, const Rect& room, const std::vector<HeadRow>& rows,
                            const TableTexts& texts, bool grouped) {
  constexpr int max_blocks = 6;
  StatisticsTable best = fitted(pen, room, rows, texts, 1, grouped);
  for (int blocks = 2; blocks <= max_blocks; ++blocks) {
    const StatisticsTable table = fitted(pen, room, rows, texts, blocks, grouped);
    if (table.size > 1.05 * best.size) best = table;
  }
  return best;
}

void draw_titles(const FigurePen& pen, const StatisticsTable& t, int block, const TableTexts& texts) {
  const auto title = [&](double x, double width, const std::pair<std::string, std::string>& lines) {
    const double bottom = t.y + t.header - 0.3 * t.size, left = x + 0.2 * t.size;
    if (t.rotated) {
      const std::string whole = lines.first + (lines.second.empty() ? "" : " " + lines.second);
      pen.text(whole, x + std::min(width / 2, 1.2 * t.size), bottom, t.size, pen.style.muted, Anchor::start,
               true);
      return;
    }
    const bool two = !lines.second.empty();
    pen.text(lines.first, left, bottom - (two ? 1.8 : 0.6) * t.size, t.size, pen.style.muted, Anchor::start);
    if (two) pen.text(lines.second, left, bottom - 0.6 * t.size, t.size, pen.style.muted, Anchor::start);
  };
  const double x = t.left(block) + t.names;
  if (t.group > 0) title(x, t.group, {pen.tr("Group"), ""});
  for (std::size_t c = 0; c < texts.titles.size(); ++c)
    title(x + t.group + static_cast<double>(c) * t.column, t.column, texts.titles[c]);
}

void draw_numbers(const FigurePen& pen, const StatisticsTable& t, double x, double y, const HeadRow& row,
                  const std::vector<double>& full) {
  for (std::size_t c = 0; c < full.size(); ++c, x += t.column) {
    const auto value = row.value(t.columns[c]);
    const double tint = value ? table_tint(*value, full[c]) : 0;
    if (tint > 0)
      pen.canvas.fill({x, y, t.column, t.line}, blend(pen.style.background, pen.style.accent, tint));
    pen.text(value ? in_column(*value, 3) : "–", x + 0.2 * t.size, y + t.line / 2, t.size, pen.style.text,
             Anchor::start);
  }
}

void draw_table(const FigurePen& pen, const Scene& scene, const std::vector<HeadRow>& rows,
                const HeadTree& tree, const Rect& room) {
  TableTexts texts;
  const bool layers = scene.block->shape.layers > 1;
  for (const HeadRow& row : rows) {
    const std::string head = head_title(pen.tr, scene, row.layer, row.head);
    const std::vector<std::string> badges = relation_badges(pen.tr, scene, row.layer, row.head);
    // Guided relations come first if there is no room for all.
    constexpr double maximum = 26;  // sizes
    std::string name = (layers ? pen.tr("Layer {}", row.layer + 1) + " · " : "") + head;
    for (const std::string& badge : badges)
      if (&badge == &badges.back() || pen.width(name + " · " + badge, 1) < maximum) {
        name += " · " + badge;
        break;
      }
    texts.names.push_back(std::move(name));
    texts.short_names.push_back(
        with_off(pen.tr, short_head_title(scene, row.layer, row.head), *scene.block, row.layer, row.head));
  }
  std::vector<double> full;
  texts.number = pen.width("0.000", 1);
  for (const HeadColumn& column : columns_of(rows)) {
    for (const HeadRow& row : rows)
      if (const auto value = row.value(column))
        texts.number = std::max(texts.number, pen.width(in_column(*value, 3), 1));
    texts.titles.push_back(in_two_lines(pen.tr(column.title), pen.measure(pen.style.font_size)));
    full.push_back(full_bar(column, rows));
  }
  const bool grouped = tree.blocks.size() > 1;
  const StatisticsTable t = place_table(pen, room, rows, texts, grouped);
  const auto& names = t.blocks == 1 ? texts.names : texts.short_names;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const int block = static_cast<int>(i) / t.rows, line = static_cast<int>(i) % t.rows;
    if (line == 0) draw_titles(pen, t, block, texts);
    const double x = t.left(block), y = t.top(line), side = 0.7 * t.size;
    const Rgb color = labelled_color(scene.labels, *scene.block, rows[i].layer, rows[i].head);
    pen.canvas.fill({x, y + (t.line - side) / 2, side, side}, color);
    pen.text(pen.shortened(names[i], t.names - 1.7 * t.size, t.size), x + 1.1 * t.size, y + t.line / 2,
             t.size, pen.style.text, Anchor::start);
    const int group = grouped ? tree.group_of(rows[i].layer, rows[i].head) : -1;
    if (group >= 0)
      pen.text(std::to_string(group + 1), x + t.names + 0.2 * t.size, y + t.line / 2, t.size, pen.style.text,
               Anchor::start);
    draw_numbers(pen, t, x + t.names + t.group, y, rows[i], full);
  }
}

}  // namespace

void draw_head_table(const FigurePen& pen, const Scene& scene, const Rect& whole) {
  const BlockTrace& block = *scene.block;
  const auto statistics = block_statistics(block, {}, scene.stop);
  const auto alike = head_similarity(block, scene.stop);
  const auto circuits = circuit_numbers(block, scene.view.circuits.center_logits, scene.stop);
  check_stop(scene.stop);
  const auto owner = std::make_shared<const HeadTree>(head_tree(*alike, scene.view.table.groups));
  const HeadTree& tree = *owner;
  const bool similar = scene.view.table.half == TableHalf::similarity && tree.heads.size() > 1;
  Rect area = whole;
  if (const char* note = statistics_note(block); note != nullptr && !similar) {
    area.height -= 2 * pen.style.font_size;
    pen.heading(pen.tr(note), {area.x, area.bottom(), area.width, 2 * pen.style.font_size},
                pen.style.font_size, pen.style.muted);
  }
  const std::vector<HeadRow> rows =
      sorted_rows(block, statistics.get(), scene.view.sort, scene.labels, alike.get(), circuits.get());
  if (scene.view.table.half == TableHalf::scatter) {
    const BoardStyle style = board_style(pen.style, pen.width);
    const HeadTree* groups = scene.view.table.groups > 1 ? &tree : nullptr;
    return draw_board(pen.canvas, scatter_board(scene, rows, groups, style, area.width, area.height, pen.tr),
                      area.x, area.y);
  }
  if (tree.heads.size() < 2 || scene.view.table.half == TableHalf::numbers)
    return draw_table(pen, scene, rows, tree, area);
  if (similar) {
    draw_similarity_matrix(pen, owner, scene, area);
    return;
  }
  const double gap = 2.5 * pen.style.font_size;
  Rect table = area, matrix = area;
  if (pen.extras.as_on_screen && scene.table_beside ? *scene.table_beside : area.width > 1.2 * area.height) {
    matrix.width = std::min(0.42 * area.width, 1.05 * area.height);
    table.width -= matrix.width + gap;
    matrix.x = table.right() + gap;
  } else {
    table.height =
        std::min(0.45 * area.height, (static_cast<double>(rows.size()) * 2 + 3) * pen.style.font_size);
    matrix.y = table.bottom() + gap;
    matrix.height -= table.height + gap;
  }
  draw_table(pen, scene, rows, tree, table);
  draw_similarity_matrix(pen, owner, scene, matrix);
}

}  // namespace headscope
