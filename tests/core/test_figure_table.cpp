#include "core/scene/head_table.h"
#include "core/scene/readable_numbers.h"
#include "core/scene/table_tint.h"
#include "tests/support/figures.h"
#include "tests/support/inputs.h"

namespace headscope::tests {

// That the table of heads as a figure contains what its CSV contains, in the right places.

using Written = RecordingCanvas::Written;

/// Weights for which every column of the table has a distinct value.
std::shared_ptr<const Trace> uneven_trace(int layers = 2, int heads = 3) {
  const auto weight = [](int layer, int head, Index i, Index j) {
    const auto raw = [&](Index k) {
      return static_cast<float>((i * 5 + k * k * (head + 2) + layer * 3 + head) % 7 + 1);
    };
    float sum = 0;
    for (Index k = 0; k < 5; ++k) sum += raw(k);
    return raw(j) / sum;
  };
  const auto tokens = word_tokens("a b a c b");
  return trace_of(tokens, tokens, heads, layers, {}, weight);
}

std::vector<std::vector<std::string>> csv_cells(const std::string& csv) {
  std::vector<std::vector<std::string>> lines;
  std::istringstream stream(csv);
  for (std::string line; std::getline(stream, line);) {
    std::vector<std::string>& cells = lines.emplace_back();
    std::istringstream fields(line + ",");
    for (std::string field; std::getline(fields, field, ',');) cells.push_back(field);
  }
  return lines;
}

class FigureTable : public testing::Test {
 protected:
  void draw(double width = 1152, double height = 576) {
    scene = scene_of(session, trace);
    statistics = block_statistics(*scene.block, {});
    const auto alike = head_similarity(*scene.block);
    rows = sorted_rows(*scene.block, statistics.get(), scene.view.sort, scene.labels, alike.get());
    tree = head_tree(*alike, scene.view.table.groups);
    figure.emplace(recorded(scene, shaper, width, height));
  }
  /// Where a column begins, by its title, which may be on two lines.
  double column_x(const HeadColumn& column) const {
    const std::string title = column.title;
    for (const Written& text : figure->written)
      if (title == text.text || (title.starts_with(text.text + " ") && text.style.anchor == Anchor::start &&
                                 below(text, title.substr(text.text.size() + 1))))
        return text.x;
    throw std::runtime_error("no column " + title);
  }
  bool below(const Written& first, const std::string& rest) const {
    return std::ranges::any_of(figure->written, [&](const Written& second) {
      return second.text == rest && second.x == first.x && second.y > first.y;
    });
  }
  const Written& name_of(const HeadRow& row) const {
    return figure->only(fmt::format("Layer {} · Head {}", row.layer + 1, row.head + 1));
  }
  const Written* text_at(double x, double y) const {
    for (const Written& text : figure->written)
      if (std::abs(text.x - x) < 1e-6 && std::abs(text.y - y) < 1e-6) return &text;
    return nullptr;
  }

  Session session =
      session_with(&View::kind, ViewKind::head_table, &View::table, TableOptions{TableHalf::numbers});
  std::shared_ptr<const Trace> trace = uneven_trace();
  TextShaper shaper;
  Scene scene;
  std::shared_ptr<const BlockStatistics> statistics;
  std::vector<HeadRow> rows;
  HeadTree tree;
  std::optional<RecordingCanvas> figure;
};

TEST_F(FigureTable, has_every_number_of_the_csv_in_its_row_and_column) {
  draw();
  const auto csv = csv_cells(heads_csv(rows));
  const auto columns = head_columns();
  ASSERT_EQ(csv.size(), rows.size() + 1);
  for (std::size_t c = 0; c < columns.size(); ++c) {
    EXPECT_EQ(csv[0][c + 5], columns[c].name);
    const double x = column_x(columns[c]);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const Written* number = text_at(x, name_of(rows[r]).y);
      ASSERT_NE(number, nullptr) << columns[c].name << ", row " << r;
      const std::string& cell = csv[r + 1][c + 5];
      EXPECT_EQ(number->text, cell.empty() ? "–" : in_column(std::stod(cell), 3)) << columns[c].name;
    }
  }
}

TEST_F(FigureTable, numbers_are_tinted_by_their_share_of_the_largest) {
  draw();
  const auto columns = head_columns();
  const FigureStyle style = figure_style(Theme::light);
  const double pitch = column_x(columns[1]) - column_x(columns[0]);
  std::size_t tinted = 0;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const double x = column_x(columns[c]), full = full_bar(columns[c], rows);
    EXPECT_NEAR(x, column_x(columns[0]) + static_cast<double>(c) * pitch, 1e-6);
    double largest = 0;
    for (const HeadRow& row : rows) {
      const auto value = columns[c].value(*row.statistics);
      const Written* number = text_at(x, name_of(row).y);
      ASSERT_NE(number, nullptr);
      if (!value || *value <= 0) continue;
      ++tinted;
      largest = std::max(largest, *value);
      const auto& [cell, color] = figure->fills.at(number->fills - 1);
      EXPECT_NEAR(cell.x, x - 0.2 * number->style.size, 1e-6);
      EXPECT_NEAR(cell.width, pitch, 1e-6) << "of the whole cell";
      EXPECT_NEAR(cell.y + cell.height / 2, number->y, 1e-6);
      EXPECT_EQ(color, blend(style.background, style.accent, table_tint(*value, full))) << columns[c].name;
    }
    if (columns[c].high <= 0 && largest > 0) {
      EXPECT_EQ(full, largest);
    }
  }
  EXPECT_GT(tinted, rows.size() * columns.size() / 2);
  EXPECT_EQ(table_tint(2, 1), table_tint(1, 1));
  EXPECT_EQ(table_tint(-1, 1), 0);
}

TEST_F(FigureTable, rows_are_in_the_order_of_the_view) {
  for (const bool descending : {true, false})
    for (const char* sort : {"", "entropy", "mean_distance", "similarity"}) {
      session.view.sort.by = sort;
      session.view.sort.descending = descending;
      draw();
      ASSERT_EQ(rows.size(), 6U);
      for (std::size_t i = 1; i < rows.size(); ++i)
        EXPECT_GT(name_of(rows[i]).y, name_of(rows[i - 1]).y) << sort << descending;
    }
  session.view.sort.by = "entropy";
  session.view.sort.descending = true;
  draw();
  const auto entropy = [&](const HeadRow& row) {
    return *find_head_column("entropy")->value(*row.statistics);
  };
  EXPECT_GT(entropy(rows.front()), entropy(rows.back()));
}

TEST_F(FigureTable, names_and_colours_and_groups_are_those_of_the_heads) {
  session.labels = {{1, 2, "copies", 0x123456}};
  session.view.table.groups = 3;
  draw();
  for (const HeadRow& row : rows) {
    const bool named = row.layer == 1 && row.head == 2;
    const Written& name = named ? figure->only("Layer 2 · Head 3 · copies") : name_of(row);
    const Rgb color = named ? Rgb{0x12, 0x34, 0x56} : head_color(row.head, 3, row.layer);
    const auto squares = fills_of(*figure, color);
    EXPECT_TRUE(std::ranges::any_of(squares,
                                    [&](const Rect& square) {
                                      return std::abs(middle_y(square) - name.y) < 1e-6 &&
                                             square.right() < name.x &&
                                             name.x - square.x < 2 * name.style.size;
                                    }))
        << row.layer << row.head;
    const Written* group = text_at(figure->only("Group").x, name.y);
    ASSERT_NE(group, nullptr);
    EXPECT_EQ(group->text, std::to_string(tree.group_of(row.layer, row.head) + 1));
  }
}

TEST_F(FigureTable, blocks_hold_every_head_once) {
  trace = uneven_trace(12, 12);
  session.view.table.groups = 2;
  draw();
  for (const HeadRow& row : rows) {
    const Written& name = figure->only(fmt::format("{}.{}", row.layer + 1, row.head + 1));
    const auto value = find_head_column("entropy")->value(*row.statistics);
    const auto line = std::ranges::count_if(figure->written, [&](const Written& text) {
      return std::abs(text.y - name.y) < 1e-6 && text.x > name.x && text.text == in_column(*value, 3);
    });
    EXPECT_GE(line, 1) << name.text;
  }
  // Blocks are separated: names begin well after the last column of the previous block.
  const auto titles_of = [&](const HeadColumn& column) {
    std::vector<double> places;
    for (const Written& text : figure->written)
      if (text.text == column.title) places.push_back(text.x);
    return places;
  };
  std::set<double> begins;
  for (const HeadRow& row : rows)
    begins.insert(figure->only(fmt::format("{}.{}", row.layer + 1, row.head + 1)).x);
  const auto columns = head_columns();
  const auto last = titles_of(columns.back()), before = titles_of(columns[columns.size() - 2]);
  ASSERT_EQ(last.size(), begins.size());
  ASSERT_GT(begins.size(), 1U);
  auto begin = std::next(begins.begin());
  for (std::size_t b = 0; begin != begins.end(); ++b, ++begin)
    EXPECT_GT(*begin - last[b], last[b] - before[b] + 1.5 * figure->only("1.1").style.size);
}

TEST_F(FigureTable, ablated_heads_are_grey_next_to_the_matrix) {
  session.view.table.half = TableHalf::similarity;
  auto off = std::make_shared<Trace>(*trace);
  off->blocks.front().interventions.ablated_heads = {{BlockKind::self, 1, 2}};
  const auto colored = [&](Rgb color) {
    draw();
    return std::ranges::count(figure->fills, color, &RecordingCanvas::Filled::color);
  };
  const Rgb of_head = head_color(2, 3, 1), grey = labelled_color({}, off->blocks.front(), 1, 2);
  EXPECT_EQ(colored(of_head), 1) << "in its layer alone";
  EXPECT_EQ(colored(grey), 0);
  trace = off;
  EXPECT_EQ(colored(of_head), 0);
  EXPECT_EQ(colored(grey), 1);
}

TEST_F(FigureTable, the_matrix_has_each_pair_at_its_place_and_frames_around_groups) {
  trace = uneven_trace(1, 6);
  session.view.table.half = TableHalf::similarity;
  session.view.table.groups = 3;
  draw(500, 576);
  ASSERT_EQ(figure->maps.size(), 1U);
  const ShownMap& matrix = figure->maps[0];
  const Rect map = figure->places[0];
  const auto alike = head_similarity(*scene.block);
  const double cell = map.width / 6;
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = 0; j < 6; ++j)
      EXPECT_EQ(matrix.values[i * 6 + j],
                alike->distance.data()[tree.heads[i].head * 6 + tree.heads[j].head]);
    const double middle = map.y + (static_cast<double>(i) + 0.5) * cell;
    EXPECT_TRUE(std::ranges::any_of(figure->written, [&](const Written& text) {
      return text.text == std::to_string(tree.heads[i].head + 1) && std::abs(text.y - middle) < 1e-6 &&
             text.style.anchor == Anchor::end && text.box.right() < map.x;
    })) << i;
    const double across = map.x + (static_cast<double>(i) + 0.5) * cell;
    EXPECT_TRUE(std::ranges::any_of(figure->written, [&](const Written& text) {
      return text.text == std::to_string(tree.heads[i].head + 1) && std::abs(text.x - across) < 1e-6 &&
             text.box.y > map.bottom();
    })) << i;
  }
  EXPECT_EQ(matrix.range, (std::array{0.0F, tree.largest, 0.0F}));
  ASSERT_EQ(tree.blocks.size(), 3U);
  // Four white sides for each block, on its edges.
  const auto white = fills_of(*figure, {255, 255, 255});
  ASSERT_EQ(white.size(), 12U);
  for (std::size_t g = 0; g < 3; ++g) {
    Rect around = white[4 * g];
    for (std::size_t side = 1; side < 4; ++side) {
      const Rect& r = white[4 * g + side];
      const double right = std::max(around.right(), r.right()),
                   bottom = std::max(around.bottom(), r.bottom());
      around = {std::min(around.x, r.x), std::min(around.y, r.y), 0, 0};
      around.width = right - around.x;
      around.height = bottom - around.y;
    }
    const auto [begin, end] = tree.blocks[g];
    EXPECT_NEAR(around.x, map.x + begin * cell, 1);
    EXPECT_NEAR(around.right(), map.x + end * cell, 1);
    EXPECT_NEAR(around.y, map.y + begin * cell, 1);
    EXPECT_NEAR(around.bottom(), map.y + end * cell, 1);
  }
  // The tree is on top of the matrix: each bracket joins the centres of its two clusters.
  std::size_t stroke = 0;
  double top = map.y;
  std::map<double, double> levels;
  for (const HeadTree::Bracket& bracket : tree.brackets) {
    const auto &left = figure->strokes.at(stroke), &right = figure->strokes.at(stroke + 1),
               &across = figure->strokes.at(stroke + 2);
    stroke += 3;
    EXPECT_NEAR(left.x0, map.x + bracket.left * cell, 1e-6);
    EXPECT_NEAR(right.x0, map.x + bracket.right * cell, 1e-6);
    EXPECT_EQ(std::tuple(left.x0, left.y1, right.x0, right.y1),
              std::tuple(across.x0, across.y0, across.x1, across.y1));
    EXPECT_LE(across.y0, map.y);
    EXPECT_LE(across.y0, std::min(left.y0, right.y0));
    top = std::min(top, across.y0);
    // The bottom of a stem is at the height of what it joins.
    for (const auto& [height, y] : {std::pair(bracket.left_height, left.y0),
                                    {bracket.right_height, right.y0},
                                    {bracket.height, across.y0}}) {
      const auto [known, fresh] = levels.try_emplace(height, y);
      EXPECT_NEAR(known->second, y, 1e-6);
    }
  }
  EXPECT_GT(levels.size(), 3U);
  for (auto level = std::next(levels.begin()); level != levels.end(); ++level)
    EXPECT_LT(level->second, std::prev(level)->second) << "larger distances stand higher";
  EXPECT_GT(map.y - top, 10) << "the last joins high above the matrix";
}

}  // namespace headscope::tests
