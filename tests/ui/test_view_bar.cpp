#include "app/state/document/file_commands.h"
#include "core/scene/view_kinds.h"
#include "tests/support/model_folder.h"
#include "tests/ui/app_fixture.h"
#include "tests/ui/places.h"

namespace headscope::tests {

class ViewBars : public AppFixture, public testing::WithParamInterface<std::tuple<ImVec2, float>> {
 protected:
  ViewBars() : AppFixture(std::get<0>(GetParam()), std::get<1>(GetParam())) {}
  void open(const char* name) {
    const fs::path path = home.path / name;
    write_whole_model(path, model_case(name));
    app.inputs.sentence = "w3 w17 w5 w41";
    command_open_path(app, path.string());
    wait_until_idle();
  }
  /// The lines that these marks are on, by the middle of each.
  std::set<int> lines(const std::vector<std::string>& begins) const {
    std::set<int> found;
    for (const auto& [name, rect] : ui_anchors.rects())
      for (const std::string& begin : begins)
        if (name.starts_with(begin)) found.insert(static_cast<int>((rect[1] + rect[3]) / 2));
    return found;
  }
  std::set<int> bar() const {
    return lines({"source", "blocks", "layer down", "layer up", "filter", "order of"});
  }
  OwnHome home;
};

TEST_P(ViewBars, have_the_path_on_one_line_and_every_view_in_the_rail) {
  app.inputs.layers = 2;
  wait_until_idle();
  EXPECT_EQ(bar().size(), 1U) << "a seeded layer";
  for (const char* model : {"gpt2", "marian"}) {
    open(model);
    for (const ViewKindRow& row : view_kinds) {
      app.state.view.kind = row.value;
      frames(2);
      // The views of a trained model may take a line; where the largest text leaves too little room for three
      // blocks as well, the filter is below them.
      const bool large = std::get<1>(GetParam()) > 20;
      EXPECT_LE(bar().size(), large && std::string(model) == "gpt2" ? 1U : 2U) << model << ", " << row.name;
      EXPECT_TRUE(shows(fmt::format("views {}", place_of(row.value)))) << model << ", " << row.name;
    }
  }
}

TEST_P(ViewBars, no_tab_moves_when_another_view_is_shown) {
  app.inputs.layers = 2;
  wait_until_idle();
  const auto tabs = [&] {
    std::map<std::string, std::array<float, 4>> found;
    for (const auto& [name, rect] : ui_anchors.rects())
      if (name.starts_with("views ")) found.insert({name, rect});
    return found;
  };
  const auto before = tabs();
  for (const ViewKind kind : {ViewKind::head, ViewKind::layers, ViewKind::steps, ViewKind::lines}) {
    app.state.view.kind = kind;
    frames(3);
    EXPECT_EQ(tabs(), before) << view_kind(kind).name;
  }
}

TEST_P(ViewBars, a_comparison_has_one_line_of_controls) {
  app.state.view.kind = ViewKind::compare;
  wait_until_idle();
  const std::vector<std::string> controls{"copy A to B",    "swap sides", "compare part",
                                          "end comparison", "state of B", "info about B"};
  EXPECT_EQ(lines(controls).size(), 1U);
  app.compare->temperature = 2;
  wait_until_idle();
  EXPECT_EQ(lines(controls).size(), 1U);
  EXPECT_TRUE(shows("state of B") || shows("info about B"));
}

INSTANTIATE_TEST_SUITE_P(Sizes, ViewBars,
                         testing::Values(std::tuple{ImVec2{1600, 976}, 16.0F},
                                         std::tuple{ImVec2{1280, 696}, 16.0F},
                                         std::tuple{ImVec2{1280, 696}, 27.0F}));

TEST_F(AppFixture, the_path_names_the_signs_that_are_in_the_view) {
  for (const char* sign : {"sign blocked", "sign small", "sign undefined", "sign off"})
    EXPECT_FALSE(shows(sign)) << sign;
  app.inputs.mask = {MaskPart{}};  // causal
  wait_until_idle();
  EXPECT_TRUE(shows("sign blocked"));
  EXPECT_FALSE(shows("sign off"));
  app.inputs.mask.clear();
  app.inputs.ablated_heads = {HeadPlace{BlockKind::self, 0, 2}};
  wait_until_idle();
  EXPECT_FALSE(shows("sign blocked"));
  EXPECT_TRUE(shows("sign off"));
  app.inputs.sentence = "w";
  app.state.view.kind = ViewKind::head_table;
  wait_until_idle();
  EXPECT_TRUE(shows("sign undefined")) << "one token has none before it";
}

TEST_F(AppFixture, undo_and_the_way_back_to_the_notebook_are_in_the_top_bar) {
  EXPECT_FALSE(shows("notebook")) << "it is the source already";
  app.inputs.seed = 7;
  frames(3);
  click("undo");
  EXPECT_EQ(app.inputs.seed, 42U);
  click("redo");
  EXPECT_EQ(app.inputs.seed, 7U);
  click("notebook");
  EXPECT_EQ(app.inputs, Inputs{});
  EXPECT_FALSE(shows("notebook"));
}

}  // namespace headscope::tests
