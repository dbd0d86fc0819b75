#include "core/figure/model_board.h"
#include "core/scene/model_picture.h"
#include "tests/support/figures.h"

namespace headscope::tests {
namespace {

const BlockTrace& block(const Trace& trace, BlockKind kind) {
  return *std::ranges::find(trace.blocks, kind, [](const BlockTrace& one) { return one.shape.kind; });
}

/// A board of the made-up encoder–decoder.
Board board_of(const std::shared_ptr<const Trace>& trace, const std::optional<PointedWord>& pointed,
               double width = 900, double height = 600) {
  Session session;
  session.view.kind = ViewKind::model;
  const Scene scene = scene_of(session, trace, nullptr);
  TextShaper shaper;
  const BoardStyle style = board_style(figure_style(Theme::light), shaper);
  return model_board(scene, model_picture(trace, session.view), pointed, style, width, height,
                     Translator(Language::en));
}

const BoardRegion* region(const Board& board, const std::string& name) {
  const auto found = std::ranges::find(board.regions, name, &BoardRegion::name);
  return found == board.regions.end() ? nullptr : &*found;
}

/// How far the word's box is from the colour of those that are not lit.
int light(const Board& board, const std::string& name) {
  const BoardRegion* const word = region(board, name);
  if (word == nullptr) return -1;
  int lit = -1;
  for (const BoardFill& fill : board.fills)
    if (fill.rect.x > word->rect.x && fill.rect.right() < word->rect.right() && fill.rect.y > word->rect.y &&
        fill.rect.bottom() < word->rect.bottom())
      lit = 3 * 255 - fill.color.r - fill.color.g - fill.color.b;
  return lit;
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
  view.range = Range::shared;
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

TEST(WholeModel, stands_as_in_the_papers_figure) {
  const Board board = board_of(three_blocks(), {});
  const auto place = [&](const std::string& name) {
    const BoardRegion* found = region(board, name);
    EXPECT_NE(found, nullptr) << name;
    return found == nullptr ? Rect{} : found->rect;
  };
  EXPECT_LT(place("map encoder 1").bottom(), place("map encoder 0").y) << "the first layer at the bottom";
  EXPECT_LT(place("map decoder 1").bottom(), place("map decoder 0").y);
  EXPECT_LT(place("map encoder 0").right(), place("map cross 0").x) << "the encoder at the left";
  EXPECT_LT(place("map encoder 0").bottom(), place("source 0").y);
  EXPECT_LT(place("map decoder 0").bottom(), place("target 0").y);
  EXPECT_LT(place("written 0").bottom(), place("map decoder 1").y);
  EXPECT_EQ(board.maps.size(), 5U);
}

TEST(WholeModel, a_word_lights_what_it_is_made_from_and_back) {
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
    const Board board = board_of(trace, PointedWord{false, query});
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
    const std::vector<int> lights = by_light(board_of(trace, PointedWord{true, key}), "written", 3);
    std::vector<float> column;
    for (Index query = 0; query < 3; ++query) column.push_back(looks.at(query)[key]);
    EXPECT_EQ(std::ranges::max_element(lights) - lights.begin(),
              std::ranges::max_element(column) - column.begin());
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
