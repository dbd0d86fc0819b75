#include "core/analysis/comparison.h"
#include "core/scene/comparison_look.h"
#include "core/scene/head_table.h"
#include "core/scene/range.h"
#include "core/scene/thumbnails.h"
#include "tests/support/figures.h"
#include "tests/support/inputs.h"

namespace headscope::tests {

// That numbers, labels and marks of a figure stand where they belong.

using Written = RecordingCanvas::Written;

double middle_x(const Rect& r) {
  return r.x + r.width / 2;
}
double middle_y(const Rect& r) {
  return r.y + r.height / 2;
}
bool is_inside(double x, double y, const Rect& r) {
  return r.contains(x, y);
}

/// The texts whose middles lie inside.
std::vector<Written> texts_in(const RecordingCanvas& figure, const Rect& area) {
  std::vector<Written> found;
  for (const Written& text : figure.written)
    if (is_inside(middle_x(text.box), middle_y(text.box), area)) found.push_back(text);
  return found;
}
std::vector<Rect> fills_of(const RecordingCanvas& figure, Rgb color) {
  std::vector<Rect> found;
  for (const auto& [rect, of] : figure.fills)
    if (of == color) found.push_back(rect);
  return found;
}

// Table of heads

/// Weights of which every column of the table makes something of its own.
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
    rows = sorted_rows(*scene.block, statistics.get(), scene.view, scene.labels, alike.get());
    tree = head_tree(*alike, scene.view.groups);
    figure.emplace(recorded(scene, shaper, width, height));
  }
  /// Where a column begins, by its title, which may stand on two lines.
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

  Session session = session_with(&View::kind, ViewKind::head_table, &View::table, TableHalf::numbers);
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
    EXPECT_EQ(csv[0][c + 2], columns[c].name);
    const double x = column_x(columns[c]);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const Written* number = text_at(x, name_of(rows[r]).y);
      ASSERT_NE(number, nullptr) << columns[c].name << ", row " << r;
      const std::string& cell = csv[r + 1][c + 2];
      EXPECT_EQ(number->text, cell.empty() ? "–" : statistic_text(std::stod(cell))) << columns[c].name;
    }
  }
}

TEST_F(FigureTable, bars_are_the_share_of_a_full_one_and_stay_in_their_column) {
  draw();
  const auto columns = head_columns();
  const double pitch = column_x(columns[1]) - column_x(columns[0]);
  std::size_t bars = 0;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const double x = column_x(columns[c]), full = full_bar(columns[c], rows);
    EXPECT_NEAR(x, column_x(columns[0]) + static_cast<double>(c) * pitch, 1e-6);
    double widest = 0;
    for (const HeadRow& row : rows) {
      const auto value = columns[c].value(*row.statistics);
      const Written* number = text_at(x, name_of(row).y);
      ASSERT_NE(number, nullptr);
      if (!value || *value <= 0) continue;
      ++bars;
      const Rect bar = figure->fills.at(number->fills - 1).rect;
      const double size = number->style.size;
      EXPECT_NEAR(bar.x, x - 0.2 * size, 1e-6);
      EXPECT_NEAR(bar.width / (pitch - 0.5 * size), std::min(1.0, *value / full), 1e-6) << columns[c].name;
      EXPECT_NEAR(middle_y(bar), number->y, 1e-6);
      EXPECT_LT(bar.right(), x + pitch - 0.5 * size);
      widest = std::max(widest, bar.width);
    }
    if (columns[c].high > 0 || widest == 0) continue;
    EXPECT_NEAR(widest, pitch - 0.5 * name_of(rows[0]).style.size, 1e-6) << "the largest has a full one";
  }
  EXPECT_GT(bars, rows.size() * columns.size() / 2);
}

TEST_F(FigureTable, rows_stand_in_the_order_of_the_view) {
  for (const bool descending : {true, false})
    for (const char* sort : {"", "entropy", "mean_distance", "similarity"}) {
      session.view.sort = sort;
      session.view.sort_descending = descending;
      draw();
      ASSERT_EQ(rows.size(), 6U);
      for (std::size_t i = 1; i < rows.size(); ++i)
        EXPECT_GT(name_of(rows[i]).y, name_of(rows[i - 1]).y) << sort << descending;
    }
  session.view.sort = "entropy";
  session.view.sort_descending = true;
  draw();
  const auto entropy = [&](const HeadRow& row) {
    return *find_head_column("entropy")->value(*row.statistics);
  };
  EXPECT_GT(entropy(rows.front()), entropy(rows.back()));
}

TEST_F(FigureTable, names_and_colours_and_groups_are_those_of_the_heads) {
  session.labels = {{1, 2, "copies", 0x123456}};
  session.view.groups = 3;
  draw();
  for (const HeadRow& row : rows) {
    const bool named = row.layer == 1 && row.head == 2;
    const Written& name = named ? figure->only("Layer 2 · Head 3 · copies") : name_of(row);
    const Rgb color = named ? Rgb{0x12, 0x34, 0x56} : head_color(row.head, 3);
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
  session.view.groups = 2;
  draw();
  for (const HeadRow& row : rows) {
    const Written& name = figure->only(fmt::format("{}.{}", row.layer + 1, row.head + 1));
    const auto value = find_head_column("entropy")->value(*row.statistics);
    const auto line = std::ranges::count_if(figure->written, [&](const Written& text) {
      return std::abs(text.y - name.y) < 1e-6 && text.x > name.x && text.text == statistic_text(*value);
    });
    EXPECT_GE(line, 1) << name.text;
  }
}

TEST_F(FigureTable, the_matrix_has_each_pair_at_its_place_and_frames_around_groups) {
  trace = uneven_trace(1, 6);
  session.view.table = TableHalf::similarity;
  session.view.groups = 3;
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
  // The tree stands on the matrix: each of its brackets joins the middles of what it joins.
  std::size_t stroke = 0;
  double top = map.y;
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
  }
  EXPECT_GT(map.y - top, 10) << "the last joins high above the matrix";
}

// Layers

TEST(FigureLayers, each_map_stands_in_the_row_of_its_layer_and_the_column_of_its_head) {
  Session session = session_with(&View::kind, ViewKind::layers, &View::range, Range::shared);
  session.view.filter.hidden_keys = {1};
  const auto trace = trace_of("one two three", 4, mask_parts({"causal"}), 3);
  const Scene scene = scene_of(session, trace);
  const RecordingCanvas figure = recorded(scene);
  ASSERT_EQ(figure.maps.size(), 12U);
  const auto thumbnails = make_thumbnails(scene.block, scene.view, 512);
  std::set<std::pair<int, int>> seen;
  for (std::size_t i = 0; i < 12; ++i) {
    const Rect place = figure.places[i];
    int layer = -1, head = -1;
    for (int l = 0; l < 3; ++l) {
      const Written& name = figure.only(fmt::format("Layer {}", l + 1));
      EXPECT_LT(name.box.right(), place.x);
      if (std::abs(name.y - middle_y(place)) < 1e-6) layer = l;
    }
    for (int h = 0; h < 4; ++h) {
      const Written& name = figure.only(fmt::format("Head {}", h + 1));
      EXPECT_LT(name.box.bottom(), place.y);
      if (std::abs(name.x - middle_x(place)) < 1e-6) head = h;
    }
    ASSERT_TRUE(layer >= 0 && head >= 0) << i;
    EXPECT_TRUE(seen.insert({layer, head}).second);
    const auto shown = filter_layer(scene.block, layer, scene.view.filter);
    for (std::size_t c = 0; c < 6; ++c)
      EXPECT_EQ(figure.maps[i].values[c], figure.maps[i].states[c] == 1 ? 0 : shown->weights(head)[c]);
    EXPECT_EQ(figure.maps[i].states[1], 1) << "causal";
    EXPECT_EQ(figure.maps[i].states[5], 0);
    EXPECT_EQ(figure.maps[i].colors, &colors(scene.view.colormap));
  }
}

TEST(FigureLayers, maps_that_are_not_square_keep_their_shape) {
  const Session session = session_with(&View::kind, ViewKind::layers);
  const RecordingCanvas wide = recorded(scene_of(session, synthetic_trace(2, 4, 8, 2)));
  for (const Rect& place : wide.places) EXPECT_NEAR(place.width, 2 * place.height, 1e-6);
}

// Panels

/// One head that fills the page, with what it shows.
struct OnePanel {
  explicit OnePanel(const std::shared_ptr<const Trace>& trace, Session session = {}) {
    session.view.kind = ViewKind::head;
    session.view.head = 0;
    const Scene scene = scene_of(session, trace);
    figure.emplace(recorded(scene, shaper, 576, 576));
    map = figure->places.at(0);
  }
  TextShaper shaper;
  std::optional<RecordingCanvas> figure;
  Rect map;
};

TEST(FigurePanel, numbers_and_labels_stand_at_their_cells) {
  const auto trace = synthetic_trace(1, 3, 4);
  const OnePanel panel(trace);
  const double width = panel.map.width / 4, height = panel.map.height / 3;
  for (Index q = 0; q < 3; ++q) {
    const Written& query = panel.figure->only(fmt::format("w{}", q));
    EXPECT_NEAR(query.y, panel.map.y + (static_cast<double>(q) + 0.5) * height, 1e-6);
    EXPECT_LT(query.box.right(), panel.map.x);
    for (Index k = 0; k < 4; ++k) {
      const Rect cell{panel.map.x + static_cast<double>(k) * width,
                      panel.map.y + static_cast<double>(q) * height, width, height};
      const auto numbers = texts_in(*panel.figure, cell);
      ASSERT_EQ(numbers.size(), 1U);
      EXPECT_EQ(numbers[0].text, cell_text(trace->blocks.front().maps->weight(0, 0, q, k)));
      EXPECT_NEAR(numbers[0].x, middle_x(cell), 1e-6);
      EXPECT_NEAR(numbers[0].y, middle_y(cell), 1e-6);
    }
  }
  for (int k = 0; k < 4; ++k) {
    const Written& key = panel.figure->only(fmt::format("k{}", k));
    EXPECT_NEAR(key.x, panel.map.x + (k + 0.5) * width, 1e-6);
    EXPECT_GT(key.box.y, panel.map.bottom());
  }
}

TEST(FigurePanel, numbers_can_be_read_on_their_cells) {
  const auto tokens = word_tokens("a b");
  const OnePanel panel(trace_of(tokens, tokens, {{1, 0, 0.02F, 0.98F}}));
  const Rgb black{0, 0, 0}, white{255, 255, 255};
  for (const auto& [text, color] : {std::pair{"1.0", black}, {"0.020", white}, {"0.98", black}})
    EXPECT_EQ(panel.figure->only(text).style.color, color) << text << ": viridis is bright at its end";
}

TEST(FigurePanel, masked_cells_have_no_number_and_rows_without_keys_are_marked) {
  const auto trace = synthetic_trace(1, 4, 4, 1, mask_parts({"causal", "padding:0"}));
  const OnePanel panel(trace);
  const double cell = panel.map.width / 4;
  for (int q = 0; q < 4; ++q)
    for (int k = 0; k < 4; ++k) {
      const Rect place{panel.map.x + k * cell, panel.map.y + q * cell, cell, cell};
      const auto texts = texts_in(*panel.figure, place);
      const auto numbers =
          std::ranges::count_if(texts, [](const Written& text) { return text.text.starts_with("0"); });
      EXPECT_EQ(numbers, k > 0 && k <= q ? 1 : 0) << q << k;
    }
  const auto marks = fills_of(*panel.figure, FigureStyle{}.warning);
  ASSERT_EQ(marks.size(), 1U) << "the first row alone";
  EXPECT_EQ(marks[0].x, panel.map.x);
  EXPECT_NEAR(marks[0].y, panel.map.y, 1e-6);
  EXPECT_NEAR(marks[0].height, cell, 1e-6);
  const Written& said = panel.figure->only("no key to attend to");
  EXPECT_NEAR(said.y, panel.map.y + cell / 2, 1e-6);
  EXPECT_NEAR(said.x, middle_x(panel.map), 1e-6);
}

TEST(FigurePanel, a_mark_stands_before_the_title_of_its_head_alone) {
  Session session;
  session.labels = {{0, 1, "first", 0x123456}, {0, 2, "plain", {}}};
  const RecordingCanvas figure = recorded(scene_of(session, trace_of("one two three", 4)));
  const auto marks = fills_of(figure, {0x12, 0x34, 0x56});
  ASSERT_EQ(marks.size(), 1U);
  const Written& title = figure.only("Head 2 · first");
  EXPECT_LT(marks[0].right(), title.box.x);
  EXPECT_LT(title.box.x - marks[0].right(), title.style.size);
  EXPECT_NEAR(middle_y(marks[0]), title.y, 1e-6);
  EXPECT_EQ(marks[0].width, marks[0].height);
}

TEST(FigureGrid, each_head_has_its_own_map_under_its_title_and_its_own_ends_beside_the_bar) {
  Session session;
  session.view.range = Range::head;
  session.view.hidden_heads = {1};
  const auto trace = trace_of("one two three", 5);
  const Scene scene = scene_of(session, trace);
  const RecordingCanvas figure = recorded(scene);
  ASSERT_EQ(figure.maps.size(), 4U);
  ASSERT_EQ(figure.bars.size(), 4U);
  const auto shown = filter_layer(scene.block, 0, {});
  const auto ranges = color_ranges(*shown, Range::head);
  for (std::size_t i = 0; i < 4; ++i) {
    const Rect map = figure.places[i], bar = figure.bars[i];
    const auto head = static_cast<std::size_t>(i == 0 ? 0 : i + 1);
    const Written& title = figure.only(fmt::format("Head {}", head + 1));
    EXPECT_NEAR(title.x, middle_x(map), 1e-6);
    EXPECT_LT(title.box.bottom(), map.y + 1);
    EXPECT_LT(map.y - title.box.bottom(), title.style.size);
    EXPECT_EQ(figure.maps[i].values[4], trace->blocks.front().maps->weight(0, static_cast<int>(head), 1, 1));
    EXPECT_EQ(figure.maps[i].range, (std::array{ranges[head].low, ranges[head].high, 0.0F}));
    EXPECT_GT(bar.x, map.right());
    const auto ends = texts_in(figure, {bar.right(), bar.y - 1, 30, bar.height + 2});
    ASSERT_EQ(ends.size(), 2U);
    const auto& [high, low] = std::pair(ends[0], ends[1]);
    EXPECT_LT(high.y, low.y);
    EXPECT_EQ(high.text, bound_text(ranges[head].high));
    EXPECT_EQ(low.text, bound_text(ranges[head].low));
  }
}

// Lines

TEST(FigureLines, join_the_rows_of_their_query_and_their_key) {
  const Session session = session_with(&View::kind, ViewKind::lines);
  const auto tokens = word_tokens("a b c"), keys = word_tokens("x y z w");
  const auto trace = trace_of(tokens, keys, {{0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0}});
  const RecordingCanvas figure = recorded(scene_of(session, trace));
  ASSERT_EQ(figure.strokes.size(), 2U);
  for (const auto& [query, key] : {std::pair{"a", "w"}, {"c", "y"}}) {
    const Written &from = figure.only(query), &to = figure.only(key);
    EXPECT_EQ(std::ranges::count_if(figure.strokes,
                                    [&](const auto& line) {
                                      return std::abs(line.y0 - from.y) < 1e-6 &&
                                             std::abs(line.y1 - to.y) < 1e-6 && from.box.right() < line.x0 &&
                                             line.x1 < to.box.x;
                                    }),
              1)
        << query;
  }
}

// Compare

TEST(FigureCompare, has_the_cells_of_both_sides_and_their_difference_at_the_same_places) {
  const Session session = session_with(&View::kind, ViewKind::compare, &View::head, 1);
  const auto a = trace_of("the cat sat", 2), b = trace_of("the dog sat down", 2);
  const RecordingCanvas figure = recorded(scene_of(session, a, b));
  ASSERT_EQ(figure.maps.size(), 3U);
  const auto [left, middle, right] = std::tuple(figure.places[0], figure.places[1], figure.places[2]);
  for (const auto& [title, place] : {std::pair{"A", left}, {"B", middle}, {"B − A", right}})
    EXPECT_NEAR(figure.only(title).x, middle_x(place), 1e-6);
  EXPECT_TRUE(left.right() < middle.x && middle.right() < right.x);
  for (int q = 0; q < 4; ++q)
    for (int k = 0; k < 4; ++k) {
      const auto at = static_cast<std::size_t>(4 * q + k);
      const bool in_a = q < 3 && k < 3;
      const float of_a = in_a ? a->blocks.front().maps->weight(0, 1, q, k) : 0,
                  of_b = b->blocks.front().maps->weight(0, 1, q, k);
      EXPECT_EQ(figure.maps[0].values[at], of_a);
      EXPECT_EQ(figure.maps[1].values[at], of_b);
      EXPECT_EQ(figure.maps[2].values[at], in_a ? of_b - of_a : 0);
      EXPECT_EQ(figure.maps[0].states[at], in_a ? cell_shown : cell_filtered);
      EXPECT_EQ(figure.maps[2].states[at], in_a ? cell_shown : cell_filtered);
    }
  EXPECT_EQ(figure.maps[0].range, figure.maps[1].range) << "one colour is one weight";
  EXPECT_EQ(figure.maps[2].range[0], -figure.maps[2].range[1]);
  EXPECT_EQ(figure.maps[2].colors, &diverging_colors());
  EXPECT_EQ(std::ranges::count(figure.texts, "cat → dog"), 3 + 3) << "at both axes of each map";
}

}  // namespace headscope::tests
