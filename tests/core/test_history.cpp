#include "core/session/history.h"
#include "tests/support/testing.h"

namespace headscope::tests {

using Edit = std::function<void(DocumentState&, int)>;

// One edit for every field of Inputs, for labels and for side B.
std::vector<Edit> edits() {
  const std::vector<std::function<void(Inputs&, int)>> of_inputs = {
      [](Inputs& i, int n) { i.sentence = "word " + std::to_string(n); },
      [](Inputs& i, int n) { i.key_sentence = "key " + std::to_string(n); },
      [](Inputs& i, int) { i.key_sentence.reset(); },
      [](Inputs& i, int n) { i.d_model = 8 * (1 + n % 9); },
      [](Inputs& i, int n) { i.heads = 1 + n % 8; },
      [](Inputs& i, int n) { i.seed = static_cast<std::uint64_t>(n); },
      [](Inputs& i, int n) { i.vectors = n % 2 == 0 ? VectorKind::randn : VectorKind::embedding; },
      [](Inputs& i, int n) { i.positions = n % 2 == 0 ? Positions::none : Positions::sinusoidal; },
      [](Inputs& i, int n) { i.mask.push_back(parse_mask_part("window:" + std::to_string(n % 5))); },
      [](Inputs& i, int) { i.mask.clear(); },
      [](Inputs& i, int n) { i.mask_fill = n % 2 == 0 ? MaskFill::minus_1e9 : MaskFill::minus_infinity; },
      [](Inputs& i, int n) { i.temperature = 0.5 + n % 7; },
      [](Inputs& i, int n) { i.scale = n % 2 == 0; },
      [](Inputs& i, int n) { i.dropout = 0.1 * (n % 5); },
      [](Inputs& i, int n) { i.dropout_seed = static_cast<std::uint64_t>(n); },
      [](Inputs& i, int n) { i.gain_q = n % 4; },
      [](Inputs& i, int n) { i.gain_k = n % 4; },
      [](Inputs& i, int n) { i.weights = n % 2 == 0 ? WeightKind::xavier : WeightKind::normal; },
      [](Inputs& i, int n) { i.sigma = 0.01 * (n % 6); },
      [](Inputs& i, int n) { i.typed.w_q = {1.0 * n}; },
      [](Inputs& i, int n) { i.kv_heads = n % 3; },
      [](Inputs& i, int n) { i.layers = 1 + n % 12; },
      [](Inputs& i, int n) { i.share_layers = n % 2 == 0; },
      [](Inputs& i, int n) { i.residual = n % 2 == 0; },
      [](Inputs& i, int n) { i.layer_norm = n % 2 == 0; },
      [](Inputs& i, int n) { i.feed_forward = n % 2 == 0; },
  };
  std::vector<Edit> all = {
      [](DocumentState& d, int n) {
        d.labels = {{0, n % 8, "name " + std::to_string(n), {}}};
      },
      [](DocumentState& d, int n) {
        d.compare = d.inputs;
        d.compare->seed = static_cast<std::uint64_t>(n);
      },
      [](DocumentState& d, int) { d.compare.reset(); },
      [](DocumentState& d, int n) {
        d.bookmarks = {{"bookmark " + std::to_string(n), d.inputs, View{}, {}}};
      },
  };
  for (const auto& edit : of_inputs) all.push_back([edit](DocumentState& d, int n) { edit(d.inputs, n); });
  return all;
}

TEST(History, every_field_that_changes_is_named) {
  for (std::size_t i = 0; i < edits().size(); ++i) {
    for (int n = 1; n < 4; ++n) {
      DocumentState before, after;
      edits()[i](after, n);
      EXPECT_EQ(changed_inputs(before.inputs, after.inputs).size(), before.inputs == after.inputs ? 0U : 1U)
          << "edit " << i;
    }
  }
}

TEST(History, random_walks_are_undone_to_the_start_and_redone_to_the_end) {
  const std::vector<Edit> all = edits();
  for (unsigned seed = 0; seed < 20; ++seed) {
    std::mt19937 random(seed);
    const DocumentState start;
    DocumentState now = start;
    History history(start);
    for (int i = 0; i < 200; ++i) {
      if (random() % 6 == 0) now = history.undo();
      if (random() % 9 == 0) now = history.redo();
      all[random() % all.size()](now, static_cast<int>(random() % 1000));
      history.record(now, random() % 3 == 0 ? 7 : static_cast<std::uint64_t>(1000 + i));
      ASSERT_EQ(history.steps()[history.current()].state, now);
    }
    while (history.can_redo()) now = history.redo();
    const DocumentState end = now;
    while (history.can_undo()) now = history.undo();
    EXPECT_EQ(now, start);
    while (history.can_redo()) now = history.redo();
    EXPECT_EQ(now, end);
  }
}

TEST(History, every_edit_is_named_and_none_is_lost) {
  for (const Edit& edit : edits()) {
    DocumentState before, after;
    before.inputs.mask.push_back(parse_mask_part("causal"));
    before.inputs.key_sentence = "x";
    before.compare = before.inputs;
    after = before;
    edit(after, 3);
    if (before == after) edit(after, 4);
    ASSERT_NE(before, after);
    EXPECT_STRNE(describe_change(before, after), "No change");
  }
}

TEST(History, a_change_of_the_source_is_named_by_it_whatever_comes_with_it) {
  DocumentState before, after;
  after.inputs.model = "induction";
  after.inputs.sentence = "a b a";
  EXPECT_STREQ(describe_change(before, after), "Model");
  before.compare = before.inputs;
  EXPECT_STREQ(describe_change(before, after), "Model") << "B goes with the source before";
  EXPECT_STREQ(describe_change(after, {}), "Model");
  after.inputs.model.clear();
  after.inputs.capture = "a.npz";
  EXPECT_STREQ(describe_change({}, after), "Capture");
}

/// A history that starts with the notebook, and the state to record next.
TEST(DifferingInputs, are_those_that_count) {
  Inputs a, b;
  b.sigma = 3;
  b.seed = 1;
  EXPECT_THAT(differing_inputs(a, b), ElementsAre(StrEq("Seed")));
  b.weights = WeightKind::normal;
  EXPECT_THAT(differing_inputs(a, b), testing::SizeIs(2)) << "the kind of weights with its sigma";
}

class Steps : public testing::Test {
 protected:
  DocumentState now;
  History history{now};
};

TEST_F(Steps, a_drag_is_one_step) {
  for (int i = 1; i <= 50; ++i) {
    now.inputs.temperature = 1 + 0.1 * i;
    history.record(now, 1);
  }
  EXPECT_EQ(history.steps().size(), 2U);
  EXPECT_EQ(history.undo().inputs.temperature, 1);
  EXPECT_EQ(history.redo().inputs.temperature, now.inputs.temperature);
}

TEST_F(Steps, another_gesture_or_another_field_is_another_step) {
  now.inputs.temperature = 2;
  history.record(now, 1);
  now.inputs.temperature = 3;
  history.record(now, 2);
  now.inputs.seed = 5;
  history.record(now, 2);
  EXPECT_EQ(history.steps().size(), 4U);
  EXPECT_STREQ(history.steps()[3].what, "Seed");
}

TEST_F(Steps, a_drag_back_to_its_start_leaves_no_step) {
  for (const double temperature : {2.0, 3.0, 1.0}) {
    now.inputs.temperature = temperature;
    history.record(now, 1);
  }
  EXPECT_FALSE(history.can_undo());
}

TEST_F(Steps, is_bounded) {
  for (std::uint64_t i = 1; i < 3 * History::max_steps; ++i) {
    now.inputs.seed = 1000 + i;
    history.record(now, i);
  }
  EXPECT_EQ(history.steps().size(), History::max_steps);
  EXPECT_EQ(history.steps()[history.current()].state, now);
}

}  // namespace headscope::tests
