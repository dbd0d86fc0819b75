#include <set>

#include "core/analysis/arithmetic_stages.h"
#include "core/base/matrix.h"
#include "core/figure/boards/cost_board.h"
#include "core/figure/boards/shape_strip.h"
#include "core/figure/boards/steps_page.h"
#include "core/scene/readable_numbers.h"
#include "core/session/session_figure.h"
#include "core/source/engine/engine.h"
#include "tests/support/figures.h"
#include "tests/support/inputs.h"

namespace headscope::tests {

class CostBoards : public testing::Test {
 protected:
  TextShaper shaper;
  FigureStyle figure = figure_style(Theme::light);
  BoardStyle style = board_style(figure, shaper);
  Translator tr;

  std::shared_ptr<const Trace> trace(const std::string& fields, std::int64_t n = 10, int d_model = 512,
                                     int heads = 8) {
    return Engine(1).run(sized(n, d_model, heads, fields));
  }
  static std::string text_of(const Board& board) {
    std::string text;
    for (const BoardText& part : board.texts) text += part.text + "\n";
    return text;
  }
  std::string cost(const Trace& of) { return text_of(cost_board(of, of.blocks.front(), 0, style, 2000, tr)); }
  std::string strip(const Trace& of, int layer = 0) {
    const BlockTrace& block = of.blocks.front();
    return text_of(shape_strip(block, layer, row_sums(block, layer).get(), style, 2000, tr));
  }
  std::string streaming(const Trace& of, int blocks) {
    return text_of(streaming_board(of.blocks.front(), {0, 1, 3}, blocks, style, 2000, tr));
  }

  /// Every text is within the board, and none overlaps another.
  void expect_apart(const Board& board) {
    std::vector<Rect> boxes;
    for (const BoardText& text : board.texts) {
      Rect box = text_box(shaper, text.text, text.x, text.y, text.style);
      box.y += 0.1 * text.style.size, box.height -= 0.2 * text.style.size;
      EXPECT_GE(box.x, -0.3) << text.text;
      EXPECT_LE(box.right(), board.width + 0.3) << text.text;
      EXPECT_LE(box.bottom(), board.height + 0.3) << text.text;
      for (std::size_t i = 0; i < boxes.size(); ++i) {
        const double across = std::min(boxes[i].right(), box.right()) - std::max(boxes[i].x, box.x);
        const double along = std::min(boxes[i].bottom(), box.bottom()) - std::max(boxes[i].y, box.y);
        EXPECT_FALSE(across > 0.1 && along > 0.1) << text.text << " on " << board.texts[i].text;
      }
      boxes.push_back(box);
    }
  }
};

TEST_F(CostBoards, a_chart_is_whole_with_its_legend_and_has_room_on_a_projected_page) {
  const auto of = trace("");
  constexpr double page = 530, text = 24;
  style.font_size = 1.2 * text;
  style.minimum = text;
  const Board board = cost_board(*of, of->blocks.front(), 0, style, 1256, tr);
  ASSERT_EQ(board.wholes.size(), 3U);
  const auto around = [&](const std::string& wanted) {
    const auto found = std::ranges::find(board.texts, wanted, &BoardText::text);
    EXPECT_NE(found, board.texts.end()) << wanted;
    const auto whole = std::ranges::find_if(
        board.wholes, [&](const Rect& rect) { return rect.contains(found->x, found->y); });
    return whole - board.wholes.begin();
  };
  EXPECT_EQ(around("projections: 4 n d²"), around("n"));
  EXPECT_EQ(around("multi-query, 8 heads"), around("d_model"));
  EXPECT_NE(around("n"), around("h"));
  for (const Rect& whole : board.wholes) EXPECT_LE(whole.height, page);
}

TEST_F(CostBoards, cost_says_both_sums_and_what_texts_leave_out) {
  const std::string text = cost(*trace(""));
  for (const char* part : {"= 1,050,624 ✓", "8 × 512 × 64", "= 10,588,160 ✓", "8 × 10 × 512 × 64",
                           "3 d² = 786,432", "4 d² = 1,048,576", "Multi-query, 1 key-value head", "590,976",
                           "n = 2 d = 1,024", "3.2 KB", "537 MB", "12 layers × 1,051,648"})
    EXPECT_THAT(text, testing::HasSubstr(part));
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("Grouped-query")));
}

TEST_F(CostBoards, cost_shows_what_is_set) {
  EXPECT_THAT(cost(*trace(R"("kv_heads": 2)")), testing::HasSubstr("Grouped-query, 2 key-value heads"));
  const std::string masked = cost(*trace(R"("mask": "causal")"));
  EXPECT_THAT(masked, testing::HasSubstr("The present mask"));
  EXPECT_THAT(masked, testing::HasSubstr("56,320"));  // 2 · 8 heads · 55 cells · 64
  EXPECT_THAT(cost(*trace(R"("mask": "window:1")")), testing::HasSubstr("Window w = 1"));
  const std::string stack = cost(*trace(R"("layers": 3, "share_layers": true)"));
  EXPECT_THAT(stack, testing::HasSubstr("3 layers × 1,051,648 = 3,154,944"));
  EXPECT_THAT(stack, testing::HasSubstr("of 3 layers"));
}

TEST_F(CostBoards, the_strip_names_every_shape_and_its_checks_are_live) {
  const std::string text = strip(*trace(""));
  for (const char* part :
       {"Q, K, V\n[1, 10, 512]", "view\n[1, 10, 8, 64]", "transpose(1, 2)\n[1, 8, 10, 64]",
        "scores\n[1, 8, 10, 10]", "output\n[1, 10, 512]", "✓ output shape = input shape: [1, 10, 512]",
        "✓ rows sum to 1: largest deviation"})
    EXPECT_THAT(text, testing::HasSubstr(part));
  const std::string grouped = strip(*trace(R"("kv_heads": 2, "key_sentence": "one two three")"));
  for (const char* part : {"K, V\n[1, 3, 128]", "[1, 3, 2, 64]", "each for 4 heads\n[1, 8, 3, 64]",
                           "scores\n[1, 8, 10, 3]", "K and V have 2 key-value heads"})
    EXPECT_THAT(grouped, testing::HasSubstr(part));
  EXPECT_THAT(strip(*trace(R"("mask": "padding:0,1,2,3,4,5,6,7,8,9")")),
              testing::HasSubstr("80 rows have no key"));
  EXPECT_THAT(strip(*trace(R"("mask": "painted:head=3,1:0-9")")),
              testing::HasSubstr("in 79 rows · 1 row has no key: its sum is 0"));
  const auto whole = trace("");
  const Board bare = shape_strip(whole->blocks.front(), 0, nullptr, style, 2000, tr, {false, false});
  EXPECT_THAT(text_of(bare),
              testing::Not(testing::AnyOf(testing::HasSubstr("view reads"), testing::HasSubstr("sum to 1"))));
  EXPECT_THAT(strip(*trace(R"("dropout": 0.5)")), testing::HasSubstr("✗ rows sum to 1 before dropout only"));
}

TEST_F(CostBoards, view_and_transpose_are_drawn_with_the_numbers_that_do_not_change) {
  const auto of = trace("");
  const BlockTrace& block = of->blocks.front();
  const auto picture = [&](const char* mark, int token) {
    return text_of(shape_strip(block, 0, nullptr, style, 600, tr,
                               {.checks = false, .marked = mark, .chain = false, .token = token}));
  };
  const auto number = [&](Index head, Index token, Index i, int decimals) {
    return printed(static_cast<double>(as_matrix(block.layers.front().q, head)(token, i)), decimals) + "\n";
  };
  const std::string view = picture("shape view", 4);
  for (const char* part : {"of length 512", "read as 8 rows of 64", "1–64\n", "449–512\n"})
    EXPECT_THAT(view, testing::HasSubstr(part));
  for (const Index head : {0, 7})
    for (const Index i : {0, 63}) EXPECT_THAT(view, testing::HasSubstr(number(head, 4, i, 4)));
  const std::string transpose = picture("shape transpose", 9);
  for (const char* part :
       {"10 tokens\n, \n8 heads\n, 64]", "8 heads\n, \n10 tokens\n, 64]", "first number of 64"})
    EXPECT_THAT(transpose, testing::HasSubstr(part));
  for (const Index head : {0, 7}) {
    const std::string shown = number(head, 9, 0, 2);
    const std::size_t before = transpose.find(shown);
    ASSERT_NE(before, std::string::npos) << "the token of the cell is drawn";
    EXPECT_NE(transpose.find(shown, before + 1), std::string::npos) << "before and after";
  }
}

TEST_F(CostBoards, the_strip_marks_the_tensor_of_the_stage_and_describes_it) {
  const auto of = trace("");
  const auto marked = [&](const char* stage) {
    return shape_strip(of->blocks.front(), 0, nullptr, style, 2000, tr,
                       {.marked = shape_mark_of_stage(stage)});
  };
  const std::pair<const char*, const char*> cases[] = {{"", "The tokens' vectors"},
                                                       {"projections", "times a matrix"},
                                                       {"scale", "One number for each query"},
                                                       {"softmax", "Each row over the keys"},
                                                       {"values", "weighted sums"},
                                                       {"concat", "side by side again"},
                                                       {"output", "All heads mixed"}};
  std::set<double> places;
  for (const auto& [stage, words] : cases) {
    const Board strip = marked(stage);
    EXPECT_THAT(text_of(strip), testing::HasSubstr(words));
    const auto frame = std::ranges::find(strip.lines, style.accent, &BoardLine::color);
    ASSERT_NE(frame, strip.lines.end()) << stage;
    EXPECT_TRUE(places.insert(frame->x0).second) << stage;
  }
  EXPECT_STREQ(shape_mark_of_stage("norm"), "");
  for (const std::string& stage : stage_names()) {
    const std::string mark = shape_mark_of_stage(stage);
    EXPECT_TRUE(mark.empty() || std::ranges::count(shape_marks, mark) > 0) << stage;
  }
}

TEST_F(CostBoards, streaming_shows_the_blocks_so_far_and_the_check_at_the_end) {
  const auto of = trace(R"("mask": "padding:0,1")");
  EXPECT_EQ(streamed_blocks(of->blocks.front()), 5);
  const std::string some = streaming(*of, 2), all = streaming(*of, 5);
  EXPECT_THAT(some, testing::HasSubstr("Block 2 of 5."));
  EXPECT_THAT(some, testing::Not(testing::HasSubstr("✓")));
  EXPECT_THAT(all, testing::HasSubstr("16.4 KB at 4,096 keys")) << "what a short sentence cannot save";
  EXPECT_THAT(all, testing::HasSubstr("✓ The same as the softmax of the whole row"));
  EXPECT_THAT(streaming(*trace(R"("mask": "padding:0,1,2,3,4,5,6,7,8,9")"), 5),
              testing::HasSubstr("has no key"));
  EXPECT_EQ(blocks_of_stage(streaming_stage(3), 5), 3);
  EXPECT_EQ(blocks_of_stage(streaming_stage(9), 5), 5);
  EXPECT_EQ(blocks_of_stage("", 5), 5);
  for (const char* name : {"", "softmax", "block ", "block x", "block 99999"})
    EXPECT_FALSE(streaming_blocks(name));
}

TEST_F(CostBoards, texts_keep_a_distance_at_every_width) {
  for (const Language language : {Language::en, Language::zh}) {
    tr = Translator(language);
    for (const char* fields : {"", R"("kv_heads": 2, "mask": "window:3", "layers": 6, "dropout": 0.1)"})
      for (const auto& [n, d_model, heads] : {std::tuple{10, 512, 8}, {64, 1024, 64}, {1, 8, 4}}) {
        const auto of = trace(fields, n, d_model, heads);
        const BlockTrace& block = of->blocks.front();
        const auto sums = row_sums(block, 0);
        for (const double em : {18, 26, 60, 130}) {
          SCOPED_TRACE(
              fmt::format("{} n {} d {} width {} zh {}", fields, n, d_model, em, language == Language::zh));
          const double width = em * style.font_size;
          expect_apart(cost_board(*of, block, 0, style, width, tr));
          for (const char* mark : {"", "shape q", "shape view", "shape transpose"})
            expect_apart(shape_strip(block, 0, sums.get(), style, width, tr, {.marked = mark}));
          expect_apart(streaming_board(block, {0, 1, 0}, 100, style, width, tr));
        }
      }
  }
}

TEST_F(CostBoards, figures_of_the_pages_stay_on_any_page) {
  for (const StepsPage page : {StepsPage::cost, StepsPage::streaming})
    for (const auto& [width, height] : {std::pair{16.0, 8.0}, {3.4, 4.4}, {3.0, 9.0}, {1.0, 1.0}}) {
      Session session = session_with(&View::steps, StepsOptions{page, {}}, &View::kind, ViewKind::steps);
      const RecordingCanvas drawn =
          recorded(scene_of(session, trace(""), nullptr), shaper, 72 * width, 72 * height, Language::en);
      ASSERT_GT(drawn.written.size(), 20U);
      for (const auto& text : drawn.written) {
        EXPECT_GE(text.box.x, 0) << text.where();
        EXPECT_LE(text.box.right(), 72 * width) << text.where();
        EXPECT_LE(text.box.bottom(), 72 * height) << text.where();
      }
    }
}

}  // namespace headscope::tests
