// Places are found by names that are independent of texts and language.

#include "app/panels/inputs/controls.h"
#include "app/panels/views/filter_bar.h"
#include "app/state/app.h"
#include "app/state/document/adjust.h"
#include "core/inputs/mask_kinds.h"
#include "tests/ui/ui_fixture.h"

namespace headscope::tests {

class Marks : public UiFixture {
 protected:
  Marks() {
    ImGui::GetIO().DisplaySize = {1200, 4000};
    for (const MaskKindRow& row : mask_kinds())
      if (row.has_controls()) switch_part(inputs, row.kind, true);
    inputs.mask.push_back(parse_mask_part("painted:0:1-2"));
    inputs.mask.push_back(parse_mask_part("window:3"));
    state.brush.on = true;
  }

  std::set<std::string> marks_in(Language language) {
    tr = Translator(language);
    show([&](Ui& ui) {
      draw_controls(app, ui);
      draw_filter_bar(ui);
      ImGui::GetStateStorage()->SetAllInt(1);  // opens trees and sections
    });
    if (!shows("inputs 1")) click("section more");
    std::set<std::string> names;
    for (const auto& [name, rect] : ui_anchors.rects()) names.insert(name);
    return names;
  }

  App app;
};

TEST_F(Marks, are_the_same_in_every_language) {
  const std::set<std::string> english = marks_in(Language::en);
  EXPECT_THAT(english,
              testing::IsSupersetOf({"Causal",         "Padding",     "Segments",
                                     "Painted cells",  "Window",      "Dilated",
                                     "Global",         "Random",      "Longformer",
                                     "BigBird",        "window:3",    "Paint on the maps",
                                     "Residual",       "LayerNorm",   "Second sentence (cross-attention)",
                                     "Feed-forward",   "filter",      "Divide scores by √d_k",
                                     "order of heads", "temperature", "Share parameters across layers",
                                     "heads fewer",    "inputs 1",    "Numbers in cells"}));
  EXPECT_EQ(marks_in(Language::zh), english);
}

}  // namespace headscope::tests
