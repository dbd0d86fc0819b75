// Overlays of every head over the picture, with the model on board that names a coloured shape.
#include "core/analysis/expectations.h"
#include "core/figure/boards/overlay_board.h"
#include "core/figure/canvas/patch_picture.h"
#include "core/scene/shown_block.h"
#include "core/source/engine/engine.h"
#include "core/source/model/model_source.h"
#include "tests/support/model_folder.h"
#include "tests/support/reference.h"

namespace headscope::tests {
namespace {

std::string shapes_folder() {
  return std::string(SOURCE_DIR) + "/assets/models/drawn-shapes";
}
Inputs inputs_of_shapes(const std::string& picture) {
  Inputs inputs;
  inputs.model = shapes_folder();
  inputs.picture = shapes_folder() + "/" + picture + ".png";
  return inputs;
}

class DrawnShapes : public testing::Test {
 protected:
  std::shared_ptr<const BlockTrace> block(const std::string& picture) {
    trace = engine.run(inputs_of_shapes(picture));
    return block_of(trace, BlockKind::self);
  }
  std::vector<double> logits() const {
    const Tensor of_all = trace->predictions->logits(0, 1);
    return {of_all.data(), of_all.data() + of_all.size()};
  }
  Engine engine{1};
  std::shared_ptr<const Trace> trace;
};

TEST_F(DrawnShapes, are_named_by_what_pytorch_computes) {
  const Json cases = Json::parse(std::ifstream(std::string(TEST_DATA_DIR) + "/models/drawn_shapes.json"));
  for (const Json& entry : cases) {
    const std::string name = entry["picture"];
    SCOPED_TRACE(name);
    const auto shown = block(name);
    // The reference drew the picture in its small size, where resizing has only its own rounding.
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(logits()[i], entry["logits"][i].get<double>(), 0.5) << i;
    const auto likeliest = expectations(*trace, whole_range(*trace, false))->at(2, 0).front();
    EXPECT_EQ(trace->predictions->token(likeliest.id), name == "example" ? "triangle" : name);
  }
}

TEST_F(DrawnShapes, class_token_looks_at_the_coloured_one) {
  const auto shown = block("example");
  const auto on = [&](int left, int top, int right, int bottom) {
    double sum = 0;
    for (int row = top; row <= bottom; ++row)
      for (int column = left; column <= right; ++column)
        sum += static_cast<double>(shown->maps->weight(2, 0, 0, 1 + row * 8 + column));
    return sum;
  };
  EXPECT_GT(on(0, 1, 4, 4), 0.5);
  EXPECT_LT(on(4, 4, 7, 7), 0.2);
}

TEST_F(DrawnShapes, ablating_a_head_changes_the_label_s_logit_as_its_contribution_says) {
  block("example");
  const auto parts = trace->predictions->contributions(0, 2);
  ASSERT_TRUE(parts);
  EXPECT_NEAR(parts->sum(), logits()[2], 1e-4);
  Inputs inputs = inputs_of_shapes("example");
  inputs.ablated_heads = {{BlockKind::self, 2, 0}};
  const double before = logits()[2];
  trace = engine.run(inputs);
  EXPECT_GT(std::abs(logits()[2] - before), 0.05);
}

TEST_F(DrawnShapes, overlays_have_the_rows_of_all_heads_and_a_region_each) {
  const auto shown = block("example");
  View view;
  const auto sheet = make_overlays(shown, 0, view, 64, {255, 255, 255}, shown->key_patches->shown.get());
  ASSERT_NE(sheet->picture, nullptr);
  EXPECT_EQ(sheet->width, 64);
  EXPECT_EQ(sheet->picture->width, 4 * (64 + sheet->gap) - sheet->gap);
  EXPECT_EQ(sheet->picture->height, 3 * (64 + sheet->gap) - sheet->gap);
  // The tile of layer 2, head 1 is that head's own overlay.
  const PatchRow row = *patch_row(*shown, 2, {1, 0, 0});
  const Picture one =
      patch_picture(row, colors(view.colormap), own_range(row), shown->key_patches->shown.get(), 64);
  for (int y = 0; y < 64; y += 9)
    for (int x = 0; x < 64; x += 7)
      for (int part = 0; part < 3; ++part)
        EXPECT_EQ(one.at(x, y)[part],
                  sheet->picture->at(1 * (64 + sheet->gap) + x, 2 * (64 + sheet->gap) + y)[part]);
  // Of a rollout one overlay for each layer.
  view.kind = ViewKind::picture;
  view.rollout.of = Rollout::weights;
  const auto rolled = shown_block(trace, BlockKind::self, view);
  ASSERT_EQ(rolled->heads(), 1);
  const auto alone = make_overlays(rolled, 0, view, 64, {255, 255, 255}, shown->key_patches->shown.get());
  EXPECT_EQ(alone->picture->width, 64);
  EXPECT_EQ(alone->picture->height, sheet->picture->height);
  view.rollout.of = Rollout::off;
  view.cells = CellValue::norm;
  EXPECT_NE(patch_row(*shown_block(trace, BlockKind::self, view), 2, {1, 0, 0})->weights, row.weights);
  view.cells = CellValue::score;
  EXPECT_EQ(shown_block(trace, BlockKind::self, view)->cells.maps, nullptr) << "they have a sign";
  BoardStyle style;
  style.measure = [](std::string_view text, double size) {
    return 0.5 * size * static_cast<double>(text.size());
  };
  const Board board = overlay_board(*sheet, view, style, 400, 300, true, Translator());
  EXPECT_LE(board.height, 301);
  const BoardRegion* region = region_of(board, HeadPlace{BlockKind::self, 1, 3});
  ASSERT_NE(region, nullptr);
  EXPECT_EQ(region->name, "overlay 2.4");
  const Rect& at = region->rect;
  EXPECT_EQ(token_of_overlay(*sheet, at, at.x + 1, at.y + 1), 1);
  EXPECT_EQ(token_of_overlay(*sheet, at, at.right() - 1, at.bottom() - 1), 64);
  EXPECT_NE(region_of(board, TokenOfLayer{0, 0}), nullptr) << "the class token has no patch";
}

TEST_F(DrawnShapes, overlays_of_one_range_are_comparable) {
  const auto shown = block("example");
  View view;
  view.range.kind = Range::shared;
  const auto sheet = make_overlays(shown, 0, view, 64, {255, 255, 255}, nullptr);
  EXPECT_TRUE(sheet->shared);
  double largest = 0;
  for (int layer = 0; layer < 3; ++layer)
    for (int head = 0; head < 4; ++head)
      for (int key = 1; key < 65; ++key)
        largest = std::max(largest, static_cast<double>(shown->maps->weight(layer, head, 0, key)));
  EXPECT_NEAR(sheet->largest, largest, 1e-6);
}

}  // namespace
}  // namespace headscope::tests
