#include <random>

#include "core/inputs/names.h"
#include "core/scene/view_kinds.h"
#include "tests/support/built_in_models.h"
#include "tests/support/inputs.h"
#include "tests/ui/app_fixture.h"

namespace headscope::tests {

/// A user who empties sentences, hides everything and clicks wherever possible.
class OddInputs : public AppFixture {
 protected:
  template <typename Choices>
  const auto& one_of(const Choices& choices) {
    return choices[std::uniform_int_distribution<std::size_t>(0, std::size(choices) - 1)(random_)];
  }
  bool in(int times) { return std::uniform_int_distribution(0, times - 1)(random_) == 0; }

  /// Marks that leave the window, or wait for an answer of the user.
  static bool leads_out(const std::string& mark) {
    for (const char* part : {"export", "chooser", "item", "unsaved", "conflict", "welcome", "menu", "path"})
      if (mark.find(part) != std::string::npos) return true;
    return false;
  }

  std::string text() {
    static const std::array<std::string, 7> texts{
        "", "a", "one two three", "a a a a", "猫坐在", "one two three four five six seven", "  "};
    return one_of(texts);
  }

  std::string step() {
    Inputs& inputs = app.compare && in(3) ? *app.compare : app.inputs;
    View& view = app.state.view;
    switch (std::uniform_int_distribution(0, 13)(random_)) {
      case 0:
        return "sentence " + (inputs.sentence = text());
      case 1:
        inputs.key_sentence = in(2) ? std::nullopt : std::optional(text());
        return "second sentence " + inputs.key_sentence.value_or("none");
      case 2:
      case 3:
        view.kind = static_cast<ViewKind>(std::uniform_int_distribution(0, 6)(random_));
        return fmt::format("view {}", static_cast<int>(view.kind));
      case 4:
        app.presentation.on = in(2);
        return fmt::format("presented {}", app.presentation.on);
      case 5:
        view.filter = {};
        for (int token = 0; token < 4 && !in(4); ++token)
          (in(2) ? view.filter.hidden_keys : view.filter.hidden_queries).insert(token);
        if (in(4)) view.filter.queries = TokenRange{2, 3};
        if (in(4)) view.filter.threshold = 1;
        return "filter";
      case 6:
        view.block = static_cast<BlockKind>(std::uniform_int_distribution(0, 3)(random_));
        inputs.mask = in(2) ? std::vector<MaskPart>() : mask_parts({"causal", "padding:0,1,2,3,4,5,6"});
        inputs.layers = in(3) ? 2 : 1;
        return "mask";
      case 7: {
        constexpr std::array keys{Key::left, Key::right, Key::up,  Key::down,    Key::enter, Key::escape,
                                  Key::home, Key::end,   Key::tab, Key::page_up, Key::space, Key::page_down};
        const Key key = one_of(keys);
        const bool ctrl = in(4) && key <= Key::end;
        press(key, ctrl, in(5));
        return fmt::format("key {} {}", static_cast<int>(key), ctrl);
      }
      case 8:
      case 9: {
        const Action& action = one_of(app.actions);
        constexpr std::array kept{"open",     "save",  "export", "quit",    "new",     "lesson",  "handout",
                                  "bookmark", "model", "find",   "palette", "dismiss", "language"};
        if (std::ranges::any_of(kept,
                                [&](const char* part) { return action.id.find(part) != std::string::npos; }))
          return "nothing";
        const std::string id = action.id;
        run_action(app, id);
        frames(2);
        return "action " + id;
      }
      default: {
        std::vector<std::pair<std::string, ImVec2>> places;
        for (const auto& [mark, rect] : ui_anchors.rects())
          if (!leads_out(mark))
            places.emplace_back(mark, ImVec2{(rect[0] + rect[2]) / 2, (rect[1] + rect[3]) / 2});
        if (places.empty()) return "nothing";
        const auto [mark, at] = one_of(places);
        in(2) ? move(at) : click(at);
        if (in(8)) wheel_at(at, in(2) ? 3.0F : -3.0F);
        return mark;
      }
    }
  }

  void expect_sound() {
    // Until what the last step requested is ready, and seen by every panel.
    wait_until_idle();
    const BlockTrace& block = *app.block();
    if (view_kind(app.state.view.kind).of_model()) return;  // whose cells are of its last block
    for (const auto& cell : {app.state.lock, app.state.hover}) {
      if (!cell) continue;
      EXPECT_THAT(cell->query, AllOf(testing::Ge(0), testing::Lt(block.n_q())));
      EXPECT_THAT(cell->key, AllOf(testing::Ge(0), testing::Lt(block.n_k())));
      EXPECT_THAT(cell->head, AllOf(testing::Ge(0), testing::Lt(block.heads())));
    }
  }

 private:
  std::mt19937 random_{11};
};

class OddInputsOfAModel : public OddInputs {
 protected:
  OddInputsOfAModel() : models_(home_.path) {
    write_whole_model(home_.path / "translator", translator_case());
    app.inputs.sentence = "w3 zork w5";
    run_action(app, "model translator");
    wait_until_idle();
  }

 private:
  OwnHome home_;
  ModelsIn models_;
};

TEST_F(OddInputsOfAModel, no_cell_is_pointed_at_or_locked_that_is_not_there) {
  ASSERT_EQ(app.trace()->blocks.size(), 3U);
  std::string way;
  for (int i = 0; i < 500 && !HasFailure(); ++i) {
    way += step() + ", ";
    SCOPED_TRACE(way);
    app.opening.wait();
    expect_sound();
  }
}

TEST_F(OddInputs, no_cell_is_pointed_at_or_locked_that_is_not_there) {
  app.inputs.d_model = 16;
  app.inputs.heads = 2;
  std::string way;
  for (int i = 0; i < 700 && !HasFailure(); ++i) {
    way += step() + ", ";
    SCOPED_TRACE(way);
    expect_sound();
  }
}

}  // namespace headscope::tests
