#include "core/figure/boards/formula.h"
#include "core/figure/boards/inline_math.h"
#include "core/figure/boards/role_colors.h"
#include "tests/support/testing.h"

namespace headscope::tests {

/// Every character is half as wide as high.
BoardStyle style_of_halves() {
  BoardStyle style;
  style.background = {255, 255, 255};
  style.measure = [](std::string_view text, double size) {
    return 0.5 * size * static_cast<double>(std::ranges::count_if(text, [](char c) {
             return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
           }));
  };
  return style;
}

/// Where the letters are, as opposed to their line.
Rect ink(const BoardText& text) {
  return {text.x, text.y - 0.33 * text.style.size, style_of_halves().measure(text.text, text.style.size),
          0.66 * text.style.size};
}

class Formulas : public testing::Test {
 protected:
  const Formula& set(const std::string& tex) { return formula_ = set_formula(tex, style_, 10); }
  const BoardText& text(const std::string& wanted) {
    for (const BoardText& text : formula_.board.texts)
      if (text.text == wanted) return text;
    throw std::runtime_error("not in the formula: " + wanted);
  }
  std::string texts() {
    std::string all;
    for (const BoardText& text : formula_.board.texts) all += text.text;
    return all;
  }
  /// Expects that nothing overlaps, and nothing extends beyond the board.
  void expect_sound(const std::string& tex) {
    const Board& board = set(tex).board;
    for (std::size_t i = 0; i < board.texts.size(); ++i) {
      const Rect a = ink(board.texts[i]);
      EXPECT_TRUE(a.x >= -0.01 && a.y >= -0.01 && a.right() <= board.width + 0.01 &&
                  a.bottom() <= board.height + 0.01)
          << tex << ": " << board.texts[i].text << " lies outside";
      for (std::size_t j = i + 1; j < board.texts.size(); ++j) {
        const Rect b = ink(board.texts[j]);
        const double x = std::min(a.right(), b.right()) - std::max(a.x, b.x),
                     y = std::min(a.bottom(), b.bottom()) - std::max(a.y, b.y);
        EXPECT_FALSE(x > 0.01 && y > 0.01)
            << tex << ": " << board.texts[i].text << ", " << board.texts[j].text;
      }
    }
    for (const BoardLine& line : board.lines)
      for (const auto& [x, y] : {std::pair{line.x0, line.y0}, {line.x1, line.y1}})
        EXPECT_TRUE(x >= -0.3 && y >= -0.3 && x <= board.width + 0.3 && y <= board.height + 0.3)
            << tex << ": a line at " << x << ", " << y;
  }

  BoardStyle style_ = style_of_halves();
  Formula formula_;
};

TEST_F(Formulas, a_fraction_has_its_numerator_above_the_bar_and_its_denominator_below) {
  set("\\frac{q \\cdot k}{\\sqrt{d_k}}");
  const BoardLine& bar = formula_.board.lines.front();
  EXPECT_EQ(bar.y0, bar.y1);
  EXPECT_LT(ink(text("·")).bottom(), bar.y0);
  EXPECT_GT(ink(text("d")).y, bar.y0);
  EXPECT_NEAR((ink(text("q")).x + ink(formula_.board.texts[2]).right()) / 2, (bar.x0 + bar.x1) / 2, 0.01);
  const BoardLine& over = formula_.board.lines.back();  // of the root
  EXPECT_EQ(over.y0, over.y1);
  EXPECT_TRUE(over.y0 > bar.y0 && over.y0 < ink(text("d")).y) << "between the bar and what it is the root of";
  EXPECT_GE(over.x1, ink(formula_.board.texts.back()).right());
}

TEST_F(Formulas, scripts_are_smaller_and_are_below_and_above) {
  set("W_Q^\\top x");
  const BoardText &w = text("W"), &below = text("Q"), &above = text("⊤"), &x = text("x");
  EXPECT_LT(below.style.size, w.style.size);
  EXPECT_LT(above.style.size, w.style.size);
  EXPECT_GT(below.y, w.y);
  EXPECT_LT(above.y, w.y);
  EXPECT_EQ(below.x, above.x);
  EXPECT_EQ(x.y, w.y) << "on the line of what it follows";
  EXPECT_GE(x.x, ink(below).right());
  set("\\sum_{j=1}^{n} w_j");
  EXPECT_GT(ink(text("n")).y, -0.01);
  EXPECT_LT(ink(text("n")).bottom(), ink(text("∑")).y) << "limits stand above and below a sum";
  EXPECT_GT(ink(text("1")).y, ink(text("∑")).bottom());
}

TEST_F(Formulas, count_every_kind_of_nesting) {
  for (const char* part : {"\\sqrt", "\\frac1", "\\color{q}", "\\sqrt{", "x^{", "\\left("}) {
    const auto nested = [&](int times) {
      std::string tex;
      for (int i = 0; i < times; ++i) tex += part;
      return tex + " x" + (tex.ends_with('{') ? std::string(static_cast<std::size_t>(times), '}') : "");
    };
    if (std::string_view(part) != "\\left(") {
      EXPECT_NO_THROW(set(nested(20))) << part;
    }
    EXPECT_THAT(complaint([&] { set(nested(30)); }), HasSubstr("nested too deeply")) << part;
  }
  EXPECT_THAT(complaint([&] { set(std::string(10'001, 'x')); }), HasSubstr("has 10001 bytes"));
}

TEST_F(Formulas, widths_add_up_and_the_baseline_is_that_of_its_letters) {
  EXPECT_DOUBLE_EQ(set("abc").board.width, 15);
  EXPECT_DOUBLE_EQ(set("\\text{a b}").board.width, 15);
  EXPECT_DOUBLE_EQ(set("a \\quad b").board.width, 20);
  const double apart = set("a b").board.width;
  EXPECT_GT(set("a + b").board.width, apart + 5) << "air about a sign";
  EXPECT_DOUBLE_EQ(set("-b").board.width, 10) << "none after that of a negative number";
  EXPECT_EQ(texts(), "−b");
  for (const char* tex : {"a", "2_i a", "\\frac{1}{2} a", "\\left(\\frac{\\frac{1}{2}}{3}\\right) a"}) {
    const double baseline = set(tex).baseline;
    EXPECT_NEAR(text("a").y + baseline_drop * 10, baseline, 0.01) << tex;
  }
}

TEST_F(Formulas, parts_have_the_colours_of_their_roles) {
  set("\\color{q}{q_i} \\cdot \\color{k}{k_j}");
  EXPECT_EQ(text("i").style.color, role_color("q", style_.background));
  EXPECT_EQ(text("k").style.color, role_color("k", style_.background));
  EXPECT_EQ(text("·").style.color, style_.text);
  EXPECT_NE(role_color("q", {0, 0, 0}), role_color("q", {255, 255, 255}));
}

TEST_F(Formulas, nothing_overlaps_and_nothing_reaches_out) {
  for (const char* tex :
       {"\\operatorname{softmax}\\left(\\frac{QK^\\top}{\\sqrt{d_k}} + M\\right)V", "", "x",
        "w_{ij} = \\frac{\\exp(s_{ij} - \\max_j s_{ij})}{\\sum_{j'} \\exp(s_{ij'} - \\max_j s_{ij})}",
        "\\text{head}_h = \\mathrm{Attention}(QW_h^Q, KW_h^K, VW_h^V) \\in \\mathbb{R}^{n \\times d_k}",
        "\\left[ a, \\left\\{ \\frac{1}{2} \\right\\} \\right. \\to \\infty \\quad \\alpha \\le \\beta \\ne "
        "\\gamma",
        "\\sqrt{\\frac{\\sqrt{x^2 + y_{i_j}^{2^n}}}{2}} \\geq -1.5",
        "\\text{多头 } W_O \\times \\mathbf{x} + b_O",
        "\\frac{x - \\mu}{\\sqrt{\\sigma^2 + \\varepsilon}} \\odot \\gamma + \\beta", "x^{y^{z^w}}, f'"})
    expect_sound(tex);
}

TEST_F(Formulas, what_is_wrong_is_named) {
  for (const auto& [tex, reported] : std::initializer_list<std::pair<std::string, std::string>>{
           {"\\foo{x}", "has the command \"\\foo\""},
           {"\\frac{a}", "ends early; expected \"{\""},
           {"{a", "ends early; expected \"}\""},
           {"a}", "has \"}\" in a wrong place"},
           {"a & b", "has \"&\" in a wrong place"},
           {"a_b_c", "has \"_\" twice"},
           {"\\color{pink}{a}", "has the colour \"pink\"; expected one of: x, q,"},
           {"\\left( a", "ends early; expected \"\\right\""},
           {"\\left( \\frac{a}{\\right)}", "has \"\\\"; expected \"}\""},
           {"\\left? a \\right)", "has \"?\"; expected \"(\""},
           {"\\text", "ends early; expected \"{\""},
           {"\\text{a", "ends early; expected \"}\""},
           {"a^", "ends early"},
           {"\\", "has the command \"\\\""},
           {std::string(100, '{') + std::string(100, '}'), "is nested too deeply"}}) {
    try {
      set(tex);
      ADD_FAILURE() << tex << " was set";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), Error::Kind::input);
      EXPECT_THAT(std::string(error.what()),
                  AllOf(HasSubstr(reported), HasSubstr(tex.substr(0, 50)), SizeIs(testing::Lt(300U))))
          << tex;
    }
  }
}

TEST(InlineMath, sets_names_with_their_scripts_and_roots) {
  EXPECT_EQ(text_to_tex("so e^−∞ is 0"), "\\text{so }\\text{e}^{\\text{−∞}}\\text{ is 0}");
  EXPECT_EQ(text_to_tex("by √d_k"), "\\text{by }\\sqrt{\\text{d}_{\\text{k}}}");
  EXPECT_EQ(text_to_tex("−∞, seen by batch_first"), "\\text{−∞, seen by batch_first}");
}

}  // namespace headscope::tests
