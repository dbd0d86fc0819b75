#include <fontconfig/fontconfig.h>
#include <pango/pangocairo.h>

#include <filesystem>
#include <set>

#include "core/figure/figure.h"
#include "core/figure/text/figure_font.h"
#include "core/session/session_figure.h"
#include "core/source/engine/engine.h"
#include "tests/support/testing.h"

namespace headscope::tests {
namespace {

std::string figure_of(const char* sentence) {
  Session session;
  session.inputs.sentence = sentence;
  const Scene scene = scene_of(session, Engine(1).run(session.inputs));
  return figure_png(scene, "", FigureOptions{});
}

int fonts_known() {
  const FcFontSet* fonts = FcConfigGetFonts(FcConfigGetCurrent(), FcSetSystem);
  return fonts == nullptr ? 0 : fonts->nfont;
}

TEST(FigureFont, a_figure_that_needs_its_own_fonts_reads_no_list_of_all) {
  if (std::string_view(figure_families()) == "sans-serif") GTEST_SKIP() << "DejaVu Sans is not in its place";
  const char *latin = "the cat sat on the mat", *chinese = "the cat 坐在垫子上";
  const std::string latin_by_all = figure_of(latin), chinese_by_all = figure_of(chinese);
  const int all = fonts_known();
  FcConfigSetCurrent(nullptr);
  pango_cairo_font_map_set_default(nullptr);

  draw_with_own_fonts();
  EXPECT_TRUE(figure_of(latin) == latin_by_all) << "the same figure";
  FcFontSet* const fonts = FcConfigGetFonts(FcConfigGetCurrent(), FcSetSystem);
  ASSERT_GT(fonts->nfont, 0);
  EXPECT_LE(fonts->nfont, all);
  std::set<std::string> folders;
  for (int i = 0; i < fonts->nfont; ++i) {
    FcChar8* file = nullptr;
    ASSERT_EQ(FcPatternGetString(fonts->fonts[i], FC_FILE, 0, &file), FcResultMatch);
    folders.insert(std::filesystem::path(reinterpret_cast<const char*>(file)).parent_path());
  }
  EXPECT_LE(folders.size(), 2U) << "of its letters and of symbols";

  EXPECT_TRUE(figure_of(chinese) == chinese_by_all) << "which takes other fonts where they are needed";
  EXPECT_EQ(fonts_known(), all);
}

}  // namespace
}  // namespace headscope::tests
