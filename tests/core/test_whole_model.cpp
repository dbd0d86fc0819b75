#include "core/figure/boards/model_board.h"
#include "core/figure/figure_size.h"
#include "core/scene/model_picture.h"
#include "tests/support/figures.h"

namespace headscope::tests {
namespace {

const BlockTrace& block(const Trace& trace, BlockKind kind) {
  return *std::ranges::find(trace.blocks, kind, [](const BlockTrace& one) { return one.shape.kind; });
}

/// A board of the synthetic encoder–decoder.
Board board_of(const std::shared_ptr<const Trace>& trace, const PointedInModel& pointed, double width = 900,
               double height = 600, View view = {}, const FoundInModel& found = {}) {
  Session session;
  session.view = view;
  session.view.kind = ViewKind::model;
  const Scene scene = scene_of(session, trace, nullptr);
  TextShaper shaper;
  const BoardStyle style = board_style(figure_style(Theme::light), shaper);
  return model_board(scene, model_picture(trace, session.view), pointed, style, width, height,
                     Translator(Language::en), found);
}

const BoardRegion* region(const Board& board, const std::string& name) {
  const auto found = std::ranges::find(board.regions, name, &BoardRegion::name);
  return found == board.regions.end() ? nullptr : &*found;
}

/// How far the word's box is from the colour of words that are not highlighted.
int light(const Board& board, const std::string& name) {
  const BoardRegion* const word = region(board, name);
  if (word == nullptr) return -1;
  int lit = -1;
  for (const BoardFill& fill : board.fills)
    if (fill.rect.contains(word->rect.x + word->rect.width / 2, word->rect.y + word->rect.height / 2))
      lit = 3 * 255 - fill.color.r - fill.color.g - fill.color.b;
  return lit;
}

/// The text of a label that ends left of a map, vertically centred on its row.
std::string row_label(const Board& board, const std::string& map, Index row, Index rows) {
  const Rect place = region(board, map)->rect;
  const double y = place.y + place.height * (static_cast<double>(row) + 0.5) / static_cast<double>(rows);
  for (const BoardText& text : board.texts)
    if (text.style.anchor == Anchor::end && !text.style.rotated && std::abs(text.y - y) < 1 &&
        text.x < place.x && place.x - text.x < text.style.size)
      return text.text;
  return {};
}

bool says(const Board& board, const std::string& text) {
  return std::ranges::any_of(board.texts, [&](const BoardText& one) { return one.text == text; });
}

/// As long as the default sentence in the built-in translators.
std::shared_ptr<Trace> translation_of_ten_words() {
  const std::vector<Token> source =
      word_tokens("the animal didn't cross the street because it was tired </s>");
  const std::vector<Token> target = word_tokens("<pad> 动物 没有 穿过 街道 ， 因为 它 很 累");
  const auto weight = [](int, int, Index i, Index j) { return i == j ? 0.9F : 0.01F; };
  auto trace = trace_of(source, source, 2, 3, {}, weight);
  trace->blocks.push_back(trace_of(target, target, 2, 2, {}, weight)->blocks.front());
  trace->blocks.push_back(trace_of(target, source, 2, 2, {}, weight)->blocks.front());
  for (std::size_t i = 0; i < 3; ++i)
    trace->blocks[i].shape.kind = std::array{BlockKind::encoder, BlockKind::decoder, BlockKind::cross}[i];
  return trace;
}

/// On a projector of 1280 × 720 pixels, without the line below it.
Board projected(const std::shared_ptr<const Trace>& trace, Language language) {
  constexpr double text = 720.0 / 30;
  Session session;
  session.view.kind = ViewKind::model;
  TextShaper shaper;
  BoardStyle style = board_style(figure_style(Theme::light), shaper);
  style.font_size = 1.2 * text;
  style.minimum = text;
  return model_board(scene_of(session, trace, nullptr), model_picture(trace, session.view), {}, style, 1256,
                     649, Translator(language));
}

/// The synthetic encoder–decoder with ablated heads.
std::shared_ptr<const Trace> with_ablated_heads(const std::set<HeadPlace>& off) {
  auto trace = std::make_shared<Trace>(*three_blocks());
  for (BlockTrace& one : trace->blocks) one.interventions.ablated_heads = off;
  return trace;
}

}  // namespace

TEST(WholeModel, has_the_mean_of_every_map_or_a_head_where_it_has_that) {
  const auto trace = three_blocks();
  View view;
  auto picture = model_picture(trace, view);
  ASSERT_THAT(picture->maps, SizeIs(2 + 2 + 1));
  const BlockTrace& encoder = block(*trace, BlockKind::encoder);
  const ModelPicture::Map* map = picture->find(BlockKind::encoder, 1);
  ASSERT_NE(map, nullptr);
  float sum = 0;
  for (int head = 0; head < encoder.heads(); ++head) sum += encoder.maps->weight(1, head, 2, 3);
  EXPECT_NEAR(map->weights.at(2)[3], sum / static_cast<float>(encoder.heads()), 1e-6);
  const ModelPicture::Map* decoder = picture->find(BlockKind::decoder, 0);
  ASSERT_THAT(decoder->states, SizeIs(9));
  EXPECT_EQ(decoder->states[1], cell_masked) << "what comes later";
  EXPECT_EQ(decoder->states[3], cell_shown);
  EXPECT_THAT(picture->source, ElementsAre("the", "cat", "sat", "down"));
  EXPECT_THAT(picture->written, ElementsAre("old", "dog", ""));
  view.head = 2;
  picture = model_picture(trace, view);
  EXPECT_EQ(picture->find(BlockKind::encoder, 1)->weights.at(2)[3], encoder.maps->weight(1, 2, 2, 3));
  EXPECT_FALSE(picture->find(BlockKind::decoder, 0)->head) << "which has two";
  view.range.kind = Range::shared;
  picture = model_picture(trace, view);
  EXPECT_EQ(picture->maps.front().range.high, picture->maps.back().range.high);
}

TEST(WholeModel, is_of_an_encoder_a_decoder_and_cross_attention_alone) {
  EXPECT_EQ(no_model_picture(three_blocks().get()), nullptr);
  EXPECT_NE(no_model_picture(nullptr), nullptr);
  EXPECT_NE(no_model_picture(trace_of("one two", 2).get()), nullptr);
  auto two = std::make_shared<Trace>(*three_blocks());
  two->blocks.pop_back();
  EXPECT_NE(no_model_picture(two.get()), nullptr);
}

TEST(WholeModel, is_as_in_the_papers_figure) {
  const Board board = board_of(three_blocks(), {});
  const auto place = [&](const std::string& name) {
    const BoardRegion* found = region(board, name);
    EXPECT_NE(found, nullptr) << name;
    return found == nullptr ? Rect{} : found->rect;
  };
  EXPECT_LT(place("map encoder 1").bottom(), place("map encoder 0").y) << "the first layer at the bottom";
  EXPECT_LT(place("map decoder 1").bottom(), place("map decoder 0").y);
  EXPECT_LT(place("map encoder 0").right(), place("map cross 0").x) << "the encoder at the left";
  EXPECT_LE(place("map encoder 0").bottom(), place("source 0").y);
  EXPECT_LE(place("map cross 0").bottom(), place("key 0").y);
  EXPECT_LE(place("map decoder 0").bottom(), place("target 0").y);
  EXPECT_LT(place("written 0").bottom(), place("map decoder 1").y);
  EXPECT_EQ(board.maps.size(), 5U);
}

TEST(WholeModel, maps_whose_heads_are_all_off_are_pale) {
  auto trace = std::make_shared<Trace>(*three_blocks());
  BlockTrace& cross = trace->blocks[2];
  const auto colors_of_cross = [&] {
    const Board board = board_of(trace, {});
    const BoardRegion* place = region(board, "map cross 0");
    for (const auto& map : board.maps)
      if (map.rect.x == place->rect.x && map.rect.y == place->rect.y) return map.picture.colors;
    return static_cast<const Colors*>(nullptr);
  };
  const Colors* full = &colors(View().colormap);
  EXPECT_EQ(colors_of_cross(), full);
  for (int head = 0; head < cross.heads(); ++head) {
    EXPECT_EQ(colors_of_cross(), full) << "some are on";
    cross.interventions.ablated_heads.insert({BlockKind::cross, 0, head});
  }
  const Colors* pale = colors_of_cross();
  ASSERT_NE(pale, full);
  for (const Rgb& color : *pale) EXPECT_TRUE(color.r == color.g && color.g == color.b && color.r > 0xa0);
}

TEST(WholeModel, a_word_lights_what_it_is_computed_from_and_back) {
  const auto trace = three_blocks();
  const BlockTrace& cross = block(*trace, BlockKind::cross);
  const Tensor looks = cross_weights(cross, {0, {}});
  const auto by_light = [](const Board& board, const char* kind, Index count) {
    std::vector<int> lights;
    for (Index i = 0; i < count; ++i) lights.push_back(light(board, fmt::format("{} {}", kind, i)));
    return lights;
  };
  const Board dark = board_of(trace, {});
  for (Index query = 0; query < 3; ++query) {
    const Board board = board_of(trace, {PointedWord{false, query}, {}});
    const std::vector<int> lights = by_light(board, "source", 4);
    const float* row = looks.at(query);
    EXPECT_EQ(std::ranges::max_element(lights) - lights.begin(), std::max_element(row, row + 4) - row);
    EXPECT_GT(light(board, fmt::format("written {}", query)), light(dark, fmt::format("written {}", query)));
    if (query < 2) {
      EXPECT_GT(light(board, fmt::format("target {}", query + 1)),
                light(dark, fmt::format("target {}", query + 1)));
    }
  }
  for (Index key = 0; key < 4; ++key) {
    const std::vector<int> lights = by_light(board_of(trace, {PointedWord{true, key}, {}}), "written", 3);
    std::vector<float> column;
    for (Index query = 0; query < 3; ++query) column.push_back(looks.at(query)[key]);
    EXPECT_EQ(std::ranges::max_element(lights) - lights.begin(),
              std::ranges::max_element(column) - column.begin());
  }
}

TEST(WholeModel, every_row_and_column_has_its_word_next_to_it) {
  const Board board = board_of(three_blocks(), {});
  const std::vector<std::string> source{"the", "cat", "sat", "down"}, target{"an", "old", "dog"};
  for (const char* map : {"map encoder 0", "map encoder 1"})
    for (Index row = 0; row < 4; ++row)
      EXPECT_EQ(row_label(board, map, row, 4), source[static_cast<std::size_t>(row)]) << map;
  for (Index row = 0; row < 3; ++row)
    EXPECT_EQ(row_label(board, "map cross 0", row, 3), target[static_cast<std::size_t>(row)]);
  const auto under = [&](const char* map, const char* kind, Index count) {
    const Rect cells = region(board, map)->rect;
    for (Index i = 0; i < count; ++i) {
      const BoardRegion* const word = region(board, fmt::format("{} {}", kind, i));
      ASSERT_NE(word, nullptr) << kind << i;
      EXPECT_NEAR(word->rect.x, cells.x + cells.width * static_cast<double>(i) / static_cast<double>(count),
                  0.01);
      EXPECT_NEAR(word->rect.width, cells.width / static_cast<double>(count), 0.01);
    }
  };
  under("map encoder 0", "source", 4);
  under("map cross 0", "key", 4);
  under("map decoder 0", "target", 3);
}

TEST(WholeModel, a_cell_lights_its_two_words_and_no_other) {
  const auto trace = three_blocks();
  const Board dark = board_of(trace, {});
  const Board board = board_of(trace, {{}, ModelCell{BlockKind::cross, 0, 2, 3}});
  for (Index key = 0; key < 4; ++key) {
    const std::string word = fmt::format("key {}", key);
    EXPECT_EQ(light(board, word) != light(dark, word), key == 3) << word;
    const std::string other = fmt::format("source {}", key);
    EXPECT_EQ(light(board, other), light(dark, other)) << "of the encoder's columns";
  }
  const auto lit = std::ranges::count(board.regions, std::string("note lit"), &BoardRegion::name);
  EXPECT_EQ(lit, 3) << "the row, the column and what is written from the row";
  const Rect map = region(board, "map cross 0")->rect;
  const auto at_row = [&](const BoardRegion& one) {
    return one.name == "note lit" && one.rect.right() <= map.x + 1 &&
           one.rect.contains(one.rect.x + 1, map.y + map.height * 2.5 / 3);
  };
  EXPECT_TRUE(std::ranges::any_of(board.regions, at_row));
  const auto picture = model_picture(trace, View());
  const ModelCell under = model_cell_at(*picture, *picture->find(BlockKind::cross, 0), map,
                                        map.x + 0.9 * map.width, map.y + 0.9 * map.height);
  EXPECT_EQ(under, (ModelCell{BlockKind::cross, 0, 2, 3}));
}

TEST(WholeModel, marks_the_rows_the_columns_and_the_words_that_are_found) {
  FoundInModel found;
  found.source = {false, true};         // "cat"
  found.target = {false, false, true};  // "dog"
  const Board board = board_of(three_blocks(), {}, 900, 600, {}, found);
  const Rgb color = figure_style(Theme::light).warning;
  const auto marked = [&](double x, double y) {
    return std::ranges::any_of(
        board.fills, [&](const BoardFill& fill) { return fill.color == color && fill.rect.contains(x, y); });
  };
  for (const auto& [name, row, rows, column, columns] : {std::tuple{"map encoder 1", 1, 4, 1, 4},
                                                         {"map cross 0", 2, 3, 1, 4},
                                                         {"map decoder 0", 2, 3, 2, 3}}) {
    const Rect map = region(board, name)->rect;
    for (int i = 0; i < rows; ++i)
      EXPECT_EQ(marked(map.x - 0.5, map.y + map.height * (i + 0.5) / rows), i == row) << name << i;
    for (int i = 0; i < columns; ++i)
      EXPECT_EQ(marked(map.x + map.width * (i + 0.5) / columns, map.bottom() + 0.5), i == column)
          << name << i;
  }
  for (const int i : {0, 1, 2}) {
    const Rect word = region(board, fmt::format("written {}", i))->rect;
    EXPECT_EQ(marked(word.x + word.width / 2, word.y + 0.1), i == 1) << "as it is written: " << i;
  }
}

TEST(WholeModel, says_whose_row_a_word_is_written_from) {
  const Board board = board_of(three_blocks(), {PointedWord{false, 1}, {}});
  EXPECT_TRUE(says(board, "Written: each word from the row of the token before it"));
  EXPECT_EQ(row_label(board, "map cross 0", 1, 3), "old");
  EXPECT_GT(light(board, "written 1"), light(board, "written 0"));
  const Board chinese = [] {
    Session session;
    session.view.kind = ViewKind::model;
    TextShaper shaper;
    const BoardStyle style = board_style(figure_style(Theme::light), shaper);
    return model_board(scene_of(session, three_blocks(), nullptr),
                       model_picture(three_blocks(), session.view), {}, style, 900, 600,
                       Translator(Language::zh));
  }();
  EXPECT_TRUE(says(chinese, "写出的文本：每个词由其前一词元所在的行写出"));
}

TEST(WholeModel, has_the_mean_of_the_heads_that_are_on) {
  const auto trace = with_ablated_heads({{BlockKind::encoder, 0, 1}, {BlockKind::encoder, 0, 2}});
  const BlockTrace& encoder = block(*trace, BlockKind::encoder);
  EXPECT_EQ(model_picture(trace, View())->find(BlockKind::encoder, 0)->weights.at(2)[3],
            encoder.maps->weight(0, 0, 2, 3));
  const auto none = with_ablated_heads(
      {{BlockKind::encoder, 0, 0}, {BlockKind::encoder, 0, 1}, {BlockKind::encoder, 0, 2}});
  EXPECT_EQ(model_picture(none, View())->find(BlockKind::encoder, 0)->weights.data()[11],
            model_picture(three_blocks(), View())->find(BlockKind::encoder, 0)->weights.data()[11])
      << "pale, of all";
}

TEST(WholeModel, reports_how_many_heads_are_off) {
  const auto trace = with_ablated_heads({{BlockKind::encoder, 0, 1}, {BlockKind::encoder, 0, 2}});
  const auto picture = model_picture(trace, View());
  const Translator tr(Language::en);
  EXPECT_EQ(picture->find(BlockKind::encoder, 0)->off_text(tr), "2 of 3 heads ablated");
  EXPECT_EQ(picture->find(BlockKind::encoder, 1)->off_text(tr), "");
  EXPECT_TRUE(says(board_of(trace, {}), "Layer 1 · Encoder · 2 of 3 heads ablated"));
  View view;
  view.head = 1;
  EXPECT_EQ(model_picture(trace, view)->find(BlockKind::encoder, 0)->off_text(tr), "off");
  EXPECT_EQ(model_picture(trace, view)->find(BlockKind::cross, 0)->off_text(tr), "");
  EXPECT_TRUE(says(board_of(trace, {}, 900, 600, view), "off")) << "on the map";
}

TEST(WholeModel, of_a_comparison_the_view_says_which_side_it_shows) {
  Session session;
  session.view.kind = ViewKind::model;
  const auto a = three_blocks();
  auto b = std::make_shared<Trace>(*with_ablated_heads({{BlockKind::decoder, 1, 0}}));
  b->inputs.ablated_heads = {{BlockKind::decoder, 1, 0}};
  const auto texts = [&] { return recorded(scene_of(session, a, b), 1152, 576).texts; };
  EXPECT_THAT(texts(), Not(Contains(HasSubstr("of 2 heads ablated"))));
  session.view.of_b = true;
  EXPECT_THAT(texts(), Contains(HasSubstr("1 of 2 heads ablated")));
  EXPECT_THAT(texts(), Contains("B · Mean over heads"));
  session.view.of_b = false;
  EXPECT_THAT(texts(), Contains("A · Mean over heads"));
  session.view.of_b = true;
  EXPECT_EQ(session_from_json(to_json(session, false), "s").view.of_b, true);
}

TEST(WholeModel, on_a_projector_the_maps_have_most_of_the_height_and_nothing_is_cut) {
  constexpr double screen = 720;
  for (const Language language : {Language::en, Language::zh}) {
    const Board board = projected(translation_of_ten_words(), language);
    const Rect low = region(board, "map encoder 0")->rect, high = region(board, "map encoder 2")->rect;
    EXPECT_GE(low.bottom() - high.y, 0.7 * screen);
    EXPECT_NE(region(board, "text 1"), nullptr) << "the sentence stands there";
    for (const BoardText& one : board.texts) {
      EXPECT_GE(one.style.size, screen / 30) << one.text;
      EXPECT_THAT(one.text, Not(HasSubstr("…")));
    }
  }
}

TEST(WholeModel, on_a_projector_titles_report_in_few_words_what_is_off) {
  const auto trace = translation_of_ten_words();
  const std::set<HeadPlace> off{
      {BlockKind::encoder, 0, 0}, {BlockKind::encoder, 0, 1}, {BlockKind::cross, 1, 1}};
  for (BlockTrace& one : trace->blocks) one.interventions.ablated_heads = off;
  for (const Language language : {Language::en, Language::zh}) {
    const Board board = projected(trace, language);
    const Translator tr(language);
    int reported = 0;
    for (const BoardText& one : board.texts) {
      EXPECT_THAT(one.text, Not(HasSubstr("…")));
      for (const int count : {1, 2}) {
        const std::string few = tr("{} off", count), all = ablated_heads_text(tr, count, 2);
        reported += one.text.ends_with(few) || one.text.ends_with(all);
      }
    }
    EXPECT_EQ(reported, 2);
  }
}

TEST(WholeModel, warns_of_a_translation_that_is_not_to_be_trusted) {
  auto trace = std::make_shared<Trace>(*three_blocks());
  auto translation = std::make_shared<Translation>();
  trace->translation = translation;
  EXPECT_FALSE(says(board_of(trace, {}), "Do not trust this translation"));
  translation->outside = true;
  EXPECT_TRUE(says(board_of(trace, {}), "Do not trust this translation"));
}

TEST(WholeModel, in_print_its_text_can_be_read) {
  Session session;
  session.view.kind = ViewKind::model;
  const Scene scene = scene_of(session, three_blocks(), nullptr);
  for (const double width : {3.4, 7.0}) {
    for (const RecordingCanvas::Written& text :
         recorded(scene, 72 * width, 72 * figure_height(scene, FigureOptions{.width = width})).written)
      EXPECT_GE(text.style.size, 6.5) << text.text;
  }
}

TEST(WholeModel, keeps_its_maps_where_words_have_no_room) {
  const Board small = board_of(three_blocks(), {}, 120, 44);
  EXPECT_EQ(small.maps.size(), 5U);
  EXPECT_EQ(region(small, "source 0"), nullptr);
}

TEST(WholeModel, says_what_its_maps_are) {
  Session session;
  session.view.kind = ViewKind::model;
  const std::string svg = drawn(FigureFormat::svg, three_blocks(), session);
  EXPECT_TRUE(well_formed(svg));
  EXPECT_THAT(svg, HasSubstr("Mean over heads"));
  session.view.head = 1;
  EXPECT_THAT(drawn(FigureFormat::svg, three_blocks(), session), HasSubstr("Head 2"));
}

}  // namespace headscope::tests
