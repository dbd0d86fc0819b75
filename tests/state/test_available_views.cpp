#include "app/state/actions/actions.h"
#include "app/state/document/document.h"
#include "app/state/document/file_commands.h"
#include "app/state/view/available_views.h"
#include "core/inputs/names.h"
#include "tests/state/state_fixture.h"
#include "tests/support/model_folder.h"

namespace headscope::tests {

class AvailableViews : public StateFixture {
 protected:
  void open(const char* model) {
    const fs::path path = home.path / model;
    write_whole_model(path, model_case(model));
    app.inputs = Inputs{};
    app.inputs.sentence = "w3 w17 w5 w41";
    open_file(path.string());
  }
  void open_capture(const char* name) { open_file(fmt::format("{}/fuzz/capture/{}", TEST_DATA_DIR, name)); }
  void open_file(const std::string& path) {
    command_open_path(app, path);
    wait_until_idle();
  }

  /// The views that the source has nothing for, by the names on the rail.
  std::set<std::string> refused() const {
    std::set<std::string> names;
    for (const ViewKindRow& row : view_kinds)
      if (why_no_view(app, row.value) != nullptr) names.insert(row.tab);
    return names;
  }

  OwnHome home;
};

TEST_F(AvailableViews, are_those_that_the_source_has_something_for) {
  frames(2);
  EXPECT_EQ(refused(), (std::set<std::string>{"Causes", "Circuits", "Lens", "Logits", "Model", "Picture"}));
  const std::pair<const char*, std::set<std::string>> models[] = {
      {"gpt2", {"Model", "Picture"}},
      {"bert", {"Model", "Picture"}},
      {"marian", {"Circuits", "Picture"}},
      {"t5", {"Circuits", "Picture"}},
  };
  for (const auto& [name, none] : models) {
    SCOPED_TRACE(name);
    open(name);
    EXPECT_EQ(refused(), none);
  }
}

TEST_F(AvailableViews, a_capture_has_steps_if_it_has_queries_and_keys) {
  for (const auto& [name, none] :
       {std::pair<const char*, std::set<std::string>>{
            "all.safetensors", {"Causes", "Circuits", "Lens", "Logits", "Model", "Picture"}},
        {"plain.npz", {"Causes", "Circuits", "Lens", "Logits", "Model", "Picture", "Steps"}}}) {
    SCOPED_TRACE(name);
    open_capture(name);
    ASSERT_TRUE(app.inputs.captured());
    EXPECT_EQ(refused(), none);
  }
}

TEST_F(AvailableViews, steps_are_of_the_model_s_own_tokens) {
  open("gpt2");
  BlockTrace words = *app.block();
  words.words = true;
  EXPECT_NE(why_no_view({app.inputs, app.trace().get(), words, nullptr}, view_kind(ViewKind::steps)),
            nullptr);
}

TEST_F(AvailableViews, a_key_of_one_that_is_missing_says_why) {
  frames(2);
  press(digit_key('8'), true);
  EXPECT_EQ(app.state.view.kind, ViewKind::grid);
  ASSERT_NE(app.notices.current(), nullptr);
  EXPECT_EQ(app.notices.current()->text, "A seeded layer predicts no tokens: open a trained model.");
}

TEST_F(AvailableViews, the_grid_takes_the_place_of_one_that_the_next_source_does_not_have) {
  open("gpt2");
  app.state.view.kind = ViewKind::lens;
  frames(2);
  EXPECT_EQ(app.state.view.kind, ViewKind::lens);
  run_action(app, "notebook");
  frames(2);
  EXPECT_EQ(app.state.view.kind, ViewKind::grid);
  open("marian");
  app.state.view.kind = ViewKind::model;
  frames(2);
  EXPECT_EQ(app.state.view.kind, ViewKind::model);
  open("gpt2");
  EXPECT_EQ(app.state.view.kind, ViewKind::grid);
}

}  // namespace headscope::tests
