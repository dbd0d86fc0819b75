#include "core/figure/figure_size.h"
#include "core/scene/head_table.h"
#include "core/source/engine/engine.h"
#include "tests/support/figures.h"
#include "tests/support/inputs.h"

namespace headscope::tests {

// Properties of every figure, whatever it shows on whatever page.

struct PageCase {
  const char* name;
  double width, height;  ///< inches; height 0: figure_height()
};
constexpr PageCase pages[] = {{"column", 3.4, 0},   {"two columns", 7, 0},     {"notebook", 16, 8},
                              {"slide", 13.3, 7.5}, {"flat column", 3.4, 1.5}, {"small", 1.5, 1.2},
                              {"high", 3, 9},       {"tiny", 0.5, 0.5}};

struct SentenceCase {
  const char* name;
  std::string text, other;
};
const std::vector<SentenceCase>& sentences() {
  static const std::vector<SentenceCase> all{
      {"1 token", "one", "two"},
      {"3 tokens", "the cat sat", "the dog sat down"},
      {"13 tokens", "The animal did not cross the street because it was too tired .",
       "The animal did not cross the road since it was far too wide ."},
      {"60 tokens", sentence_of(60), sentence_of(58)},
      {"125 tokens", sentence_of(125, "word"), sentence_of(120, "word")},
      {"long words",
       "Donaudampfschifffahrtsgesellschaft antidisestablishmentarianism a " + std::string(90, 'x'),
       "a antidisestablishmentarianism b"},
      {"Chinese", "那只 动物 没有 过 马路 因为 它 太累 了", "那只 动物 过 了 马路 因为 它 不累"},
      {"mixed", "猫 sat על mat مرحبا 👍🏽 e\u0301 quick 狐狸", "狗 sat על 👍🏽 mat"},
  };
  return all;
}

bool overlap(const Rect& a, const Rect& b, double by = 0.05) {
  return std::min(a.right(), b.right()) - std::max(a.x, b.x) > by &&
         std::min(a.bottom(), b.bottom()) - std::max(a.y, b.y) > by;
}
bool within(const Rect& inner, const Rect& outer, double by) {
  return inner.x >= outer.x - by && inner.y >= outer.y - by && inner.right() <= outer.right() + by &&
         inner.bottom() <= outer.bottom() + by;
}
std::string at(const Rect& r) {
  return fmt::format("{:.1f}:{:.1f}, {:.1f} x {:.1f}", r.x, r.y, r.width, r.height);
}
/// Where the letters are, as opposed to their line.
Rect ink(const RecordingCanvas::Written& text) {
  const double cut = 0.1 * text.style.size;
  return text.style.rotated ? Rect{text.box.x + cut, text.box.y, text.box.width - 2 * cut, text.box.height}
                            : Rect{text.box.x, text.box.y + cut, text.box.width, text.box.height - 2 * cut};
}

/// What is wrong with what was drawn on a page of this size; at most the first few.
std::vector<std::string> faults(const RecordingCanvas& c, double width, double height) {
  constexpr double rounding = 0.3;  // points
  std::vector<std::string> found;
  const double margin = std::min(FigureStyle{}.margin, 0.05 * std::min(width, height));
  const Rect page{margin, margin, width - 2 * margin, height - 2 * margin};
  for (const auto& text : c.written) {
    if (!within(ink(text), page, rounding)) found.push_back("in the margin: " + text.where());
    const bool in_a_map =
        std::ranges::any_of(c.places, [&](const Rect& map) { return overlap(ink(text), map); });
    const bool belongs =
        std::ranges::any_of(c.places, [&](const Rect& map) { return within(ink(text), map, rounding); });
    if (in_a_map && !belongs) found.push_back("cuts a map: " + text.where());
    for (const Rect& bar : c.bars)
      if (overlap(ink(text), bar)) found.push_back("on a colour bar: " + text.where());
  }
  for (const auto& [rect, color] : c.fills)
    if (!within(rect, page, 0.6)) found.push_back("fill in the margin: " + at(rect));
  for (const Rect& rect : c.places)
    if (!within(rect, page, 0.1)) found.push_back("map in the margin: " + at(rect));
  for (const Rect& rect : c.bars)
    if (!within(rect, page, 0.1)) found.push_back("bar in the margin: " + at(rect));
  for (const auto& s : c.strokes)
    if (!within({std::min(s.x0, s.x1), std::min(s.y0, s.y1), std::abs(s.x1 - s.x0), std::abs(s.y1 - s.y0)},
                page, 0.6))
      found.push_back(fmt::format("line in the margin: {:.1f}:{:.1f} {:.1f}:{:.1f}", s.x0, s.y0, s.x1, s.y1));
  // Sorted from the top, a text is compared with those that begin above its end.
  std::vector<const RecordingCanvas::Written*> texts;
  for (const auto& text : c.written) texts.push_back(&text);
  std::ranges::sort(texts, {}, [](const auto* text) { return text->box.y; });
  for (std::size_t i = 0; i < texts.size(); ++i)
    for (std::size_t j = i + 1; j < texts.size() && texts[j]->box.y < texts[i]->box.bottom(); ++j)
      if (overlap(ink(*texts[i]), ink(*texts[j])))
        found.push_back("touch: " + texts[i]->where() + " and " + texts[j]->where());
  for (std::size_t i = 0; i < c.places.size(); ++i) {
    for (std::size_t j = i + 1; j < c.places.size(); ++j)
      if (overlap(c.places[i], c.places[j])) found.push_back("maps overlap: " + at(c.places[i]));
    for (const Rect& bar : c.bars)
      if (overlap(c.places[i], bar)) found.push_back("a bar on a map: " + at(bar));
  }
  return found;
}

struct FigureCase {
  std::string name;
  Scene scene;
  Language language = Language::en;
};

class SoundFigures : public testing::Test {
 protected:
  static void TearDownTestSuite() { shaper().reset(); }
  static std::unique_ptr<TextShaper>& shaper() {
    static std::unique_ptr<TextShaper> one = std::make_unique<TextShaper>();
    if (!one) one = std::make_unique<TextShaper>();
    return one;
  }

  /// How many faults there are, with the first of them in the message.
  void expect_sound(const FigureCase& figure) {
    for (const PageCase& page : pages) {
      const double width = 72 * page.width,
                   height = 72 * (page.height > 0
                                      ? page.height
                                      : figure_height(figure.scene, FigureOptions{.width = page.width}));
      const RecordingCanvas drawn = recorded(figure.scene, *shaper(), width, height, figure.language);
      const std::vector<std::string> wrong = faults(drawn, width, height);
      EXPECT_EQ(wrong.size(), 0U) << figure.name << ", " << page.name
                                  << fmt::format(" {:.0f} x {:.0f}", width, height) << ": " << wrong.front();
      EXPECT_FALSE(drawn.fills.empty() && drawn.texts.empty() && drawn.places.empty()) << figure.name;
    }
  }
};

class FigureProperties : public SoundFigures, public testing::WithParamInterface<ViewKind> {};

TEST_P(FigureProperties, texts_keep_a_distance_within_the_page) {
  for (const SentenceCase& sentence : sentences())
    for (const int heads : {8, 3})
      for (const Language language : {Language::en, Language::zh}) {
        const auto trace = trace_of(sentence.text, heads, mask_parts({"causal"}), heads == 3 ? 2 : 1);
        const auto b = trace_of(sentence.other, heads, {}, heads == 3 ? 2 : 1);
        Session session = session_with(&View::kind, GetParam());
        session.view.range.kind = heads == 3 ? Range::shared : Range::head;
        expect_sound(
            {fmt::format("{}, {} heads, {}", sentence.name, heads, language == Language::en ? "en" : "zh"),
             scene_of(session, trace, b), language});
      }
}

TEST_P(FigureProperties, hold_for_what_is_hidden_filtered_named_and_across) {
  Session session = session_with(&View::kind, GetParam());
  View& view = session.view;
  const auto b = trace_of("the dog sat down", 5);
  const auto expect = [&](const char* name, const std::shared_ptr<const Trace>& trace) {
    for (const Language language : {Language::en, Language::zh})
      expect_sound({name, scene_of(session, trace, b), language});
  };
  session.labels = {{0, 0, "attends to the word before it", 0xff0000}, {0, 3, "首尾", {}}};
  view.title = "A title that somebody made rather long, because it is to say everything about the figure";
  expect("names", trace_of("one two three four five", 5, {}, 2));
  view.title.clear();
  view.hidden_heads = {0, 2};
  view.filter.hidden_keys = {1};
  view.filter.threshold = 0.25;
  view.filter.top_percent = 60;
  view.filter.renormalize = true;
  expect("filter", trace_of("one two three four five", 5, mask_parts({"causal", "padding:0"})));
  view.filter = {};
  view.table.groups = 3;
  view.sort.by = "similarity";
  view.range.kind = Range::logarithm;
  expect("groups", trace_of("one two three four five", 12, {}, 3));
  view.hidden_heads.clear();
  view.range.kind = Range::unit;
  view.show_title = false;
  view.numbers = Numbers::off;
  expect("one head", trace_of("one two three", 1));
  view.numbers = Numbers::automatic;
  expect("cross-attention", synthetic_trace(6, 4, 17));
  expect("cross-attention, long", synthetic_trace(4, 40, 3));
  view.rows = 1;
  expect("one row", trace_of("one two three", 8));
  view.rows = 0;
  view.columns = 1;
  expect("one column", trace_of("one two three", 5));
}

TEST_F(SoundFigures, whole_models_are) {
  Session session = session_with(&View::kind, ViewKind::model);
  for (const Language language : {Language::en, Language::zh})
    for (const Range range : {Range::head, Range::unit}) {
      session.view.range.kind = range;
      expect_sound({"three blocks", scene_of(session, three_blocks(), nullptr), language});
      expect_sound({"lit", scene_of(session, three_blocks(), nullptr, Locked{{0, 1, 2}}), language});
    }
  auto off = std::make_shared<Trace>(*three_blocks());
  off->blocks.front() = trace_of("the cat sat down", 3, {}, 3)->blocks.front();
  off->blocks.front().shape.kind = BlockKind::encoder;
  for (BlockTrace& block : off->blocks)
    block.interventions.ablated_heads = {{BlockKind::encoder, 0, 1}, {BlockKind::decoder, 1, 0}};
  expect_sound({"heads off", scene_of(session, off, nullptr)});
  session.view.head = 1;
  expect_sound({"one that is off", scene_of(session, off, nullptr), Language::zh});
  session.view.head.reset();
}

/// The steps of a run: synthetic traces have only maps.
TEST_F(SoundFigures, steps_of_the_arithmetic_are) {
  struct Case {
    const char* stage;
    Inputs inputs;
    Language language;
    StepsLook look;
  };
  using Matrices = StepsLook::Matrices;
  Inputs chinese = sized(3, 8, 2, R"("key_sentence": "那只 动物 没有 过 马路", "temperature": 0.5)");
  chinese.sentence = "它 太累 了";
  const Case cases[] = {
      {"x", sized(12, 64, 4), Language::zh, {}},
      {"output", Inputs(), Language::en, {}},
      {"softmax", chinese, Language::zh, {Matrices::digits, 2, 0, {}}},
      {"norm",
       sized(5, 16, 2, R"("layers": 2, "mask": "causal", "dropout": 0.2, "temperature": 3)"),
       Language::en,
       {Matrices::colors, 1, 7, {"products"}}},
      {"products",
       sized(20, 64, 2, R"("mask": "causal")"),
       Language::en,
       {Matrices::automatic, 20, 0, {"products"}}},
  };
  for (const Case& one : cases) {
    Session session =
        session_with(&View::kind, ViewKind::steps, &View::steps, StepsOptions{.stage = one.stage});
    session.inputs = one.inputs;
    Scene scene = scene_of(session, Engine(1).run(one.inputs), nullptr, Locked{{1, 2, 1}});
    scene.steps = one.look;
    expect_sound({one.stage, scene, one.language});
  }
}

std::string view_name(const testing::TestParamInfo<ViewKind>& view) {
  constexpr const char* names[] = {"grid", "head", "lines", "layers", "compare", "table", "steps"};
  return names[static_cast<std::size_t>(view.param)];
}
INSTANTIATE_TEST_SUITE_P(Views, FigureProperties,
                         testing::Values(ViewKind::grid, ViewKind::head, ViewKind::lines, ViewKind::layers,
                                         ViewKind::compare, ViewKind::head_table, ViewKind::steps),
                         view_name);

}  // namespace headscope::tests
