// What the window does with a trained model: generates text, ablates heads.

#include <nlohmann/json.hpp>
#include <thread>

#include "app/state/actions/ablated_heads.h"
#include "app/state/actions/continue_text.h"
#include "app/state/document/adjust.h"
#include "app/state/view/navigation.h"
#include "core/source/engine/engine.h"
#include "core/source/model/model_maps.h"
#include "core/source/model/model_source.h"
#include "tests/state/state_fixture.h"
#include "tests/support/built_in_models.h"
#include "tests/support/model_folder.h"
#include "tests/support/reference.h"
#include "tests/support/traces.h"

namespace headscope::tests {
namespace {

class TrainedHeads : public StateFixture {
 protected:
  void open(const char* name) { open(model_case(name)); }
  void open(const Json& entry) {
    write_whole_model(folder.path, entry);
    app.inputs.model = folder.path.string();
    app.inputs.sentence = "w3 w17 w5 w3 w9";
    if (entry.contains("decoder_ids")) app.inputs.target = "w11";
    wait_until_idle();
    ASSERT_FALSE(app.runners.a.error()) << app.runners.a.error()->what();
  }
  void wait_for_text() {
    while (app.generation.running()) {
      frame();
      std::this_thread::yield();
    }
    frames(2);
  }
  Index reused() const { return app.trace()->run->reused(); }

  TempFolder folder;
};

/// Every weight of a layer.
std::vector<float> weights_of(const Trace& trace, int layer) {
  const Tensor all = weights(trace, layer);
  return {all.data(), all.data() + all.size()};
}

TEST_F(TrainedHeads, are_compared_in_runs_that_are_computed_in_the_same_way) {
  open("gpt2");
  for (const char* word : {" w2", " w7", " w3"}) {  // typed on: rows of one token, summed in another order
    app.inputs.sentence += word;
    frames(2);
    app.runners.a.wait();
  }
  ASSERT_TRUE(app.trace()->continued);
  const int last = app.block()->shape.layers - 1;
  switch_heads(app, {{BlockKind::self, last, 0}}, true);
  const auto compared = [&] { wait_until_idle(); };
  compared();
  ASSERT_TRUE(app.compares());
  const auto expect_same = [&] {
    EXPECT_FALSE(app.trace()->continued || app.trace(Side::b)->continued);
    for (int layer = 0; layer <= last; ++layer)
      EXPECT_EQ(weights_of(*app.trace(), layer), weights_of(*app.trace(Side::b), layer)) << layer;
  };
  expect_same();
  app.inputs.sentence += " w5";
  app.compare->sentence = app.inputs.sentence;
  compared();
  expect_same();
}

TEST_F(TrainedHeads, go_on_with_the_text_a_token_at_a_time) {
  open("gpt2");
  Engine engine(1);
  const Inputs before = app.inputs;
  GenerateRequest request;
  request.max_tokens = 3;
  const auto expected =
      engine.open_model(before.model)->generate(before, request, engine.context(), std::stop_token());
  app.generation.settings.max_tokens = 3;
  toggle_generation(app);
  EXPECT_TRUE(app.generation.running());
  wait_for_text();
  EXPECT_EQ(app.inputs.sentence, before.sentence + expected->text);
  EXPECT_EQ(app.block()->n_q(), 8);
  // Sampled: the same text from the same seed.
  app.generation.settings.draws = true;
  app.generation.settings.seed = 4;
  const auto draw = [&] {
    app.inputs = before;
    frame();
    toggle_generation(app);
    wait_for_text();
    return app.inputs.sentence;
  };
  EXPECT_EQ(draw(), draw());
  // An edit of the sentence ends it.
  app.generation.settings.max_tokens = 4000;
  app.inputs = before;
  frame();
  toggle_generation(app);
  app.inputs.sentence = "w1 w2";
  frame();
  EXPECT_FALSE(app.generation.running());
  EXPECT_EQ(app.inputs.sentence, "w1 w2");
}

TEST_F(TrainedHeads, write_no_text_where_the_model_reads_only) {
  open("bert");
  EXPECT_FALSE(can_generate(app));
  toggle_generation(app);
  EXPECT_FALSE(app.generation.running());
}

TEST_F(TrainedHeads, take_typed_tokens_without_those_before) {
  open("gpt2");
  const auto type = [&] {
    app.inputs.sentence += " w8";
    frames(2);
    return reused();
  };
  EXPECT_EQ(type(), 5);
  EXPECT_EQ(type(), 6);
  const auto typed = app.trace();
  Engine engine(1);
  const auto fresh = engine.run(app.inputs);
  const Tensor a = typed->predictions->logits(0, 7), b = fresh->predictions->logits(0, 7);
  EXPECT_LE(largest_difference(a.data(), a.size(), b.data()), 1e-5);
  app.inputs.ablated_heads = {{BlockKind::self, 0, 1}};
  frames(2);
  EXPECT_EQ(reused(), 0);
  EXPECT_EQ(type(), 7);  // of which each row is unchanged
  app.inputs.ablation = Ablation::mean;
  frames(2);
  EXPECT_EQ(type(), 0);  // the mean is different
}

TEST_F(TrainedHeads, are_switched_off_in_b_of_the_comparison) {
  open("gpt2");
  const auto run = [&](int layer, int head, const char* id) {
    for (const Action& action : ablation_actions(app, layer, head))
      if (action.id == id) action.run(app);
    frames(3);
  };
  run(0, 1, "head off");
  ASSERT_TRUE(app.compare.has_value());
  EXPECT_EQ(app.compare->ablated_heads, (std::set<HeadPlace>{{BlockKind::self, 0, 1}}));
  EXPECT_TRUE(app.inputs.ablated_heads.empty());
  EXPECT_EQ(app.state.view.kind, ViewKind::compare);
  wait_until_idle();
  EXPECT_EQ(app.state.view.layer, 1);  // where the change is
  EXPECT_TRUE(app.state.view.head);
  const auto weight = [](const BlockTrace& block, int layer) { return block.maps->weight(layer, 0, 4, 1); };
  EXPECT_EQ(weight(*app.block(), 0), weight(*app.block(Side::b), 0));
  EXPECT_NE(weight(*app.block(), 1), weight(*app.block(Side::b), 1));
  run(1, 0, "layer off");
  EXPECT_EQ(app.compare->ablated_heads.size(), 5U);
  run(0, 1, "head off");  // restored
  EXPECT_EQ(app.compare->ablated_heads.size(), 4U);
  // Another B is not mixed with the new one: it is reset to A.
  app.compare->temperature = 3;
  run(0, 2, "head off");
  EXPECT_EQ(app.compare->temperature, 1);
  // … except for one that is being edited: its sentence stays.
  app.compare->sentence = "w3 w9";
  app.state.edits = Side::b;
  run(0, 2, "head off");
  EXPECT_EQ(app.compare->sentence, "w3 w9");
  app.state.edits = Side::a;
  app.compare->sentence = app.inputs.sentence;
  app.state.view.table.groups = 3;
  const std::set<HeadPlace> group = heads_of_group(app, 0, 0);
  EXPECT_TRUE(group.contains(HeadPlace{BlockKind::self, 0, 0}));
}

TEST_F(StateFixture, a_seeded_layers_head_is_ablated_like_a_models) {
  app.inputs.layers = 2;
  frames(2);
  const Action* const action = find_action(app, "chosen head off");
  ASSERT_TRUE(is_enabled(app, *action)) << action->refused(app);
  switch_heads(app, {{BlockKind::self, 0, 2}}, true);
  frames(2);
  ASSERT_TRUE(app.compare);
  EXPECT_TRUE(app.state.view.row().compares);
  wait_until_idle();
  EXPECT_EQ(app.state.view.layer, 1) << "where the effect begins";
  EXPECT_NE(weights_of(*app.trace(), 1), weights_of(*app.trace(Side::b), 1));
  EXPECT_EQ(weights_of(*app.trace(), 0), weights_of(*app.trace(Side::b), 0));
  app.inputs.sentence = "one two three";
  frames(2);
  EXPECT_EQ(app.compare->sentence, "one two three") << "the heads stay the only difference";
  app.state.edits = Side::b;
  set_cross(app.edited(), true);
  frames(2);
  EXPECT_FALSE(app.runners.b.error());
  EXPECT_TRUE(app.compare->ablated_heads.contains({BlockKind::cross, 0, 2}));
  set_heads(app.edited(), 2);
  frames(2);
  EXPECT_FALSE(app.runners.b.error());
  EXPECT_TRUE(app.compare->ablated_heads.empty()) << "there is no such head";
}

TEST_F(StateFixture, two_texts_of_a_seeded_layer_are_compared_until_a_head_is_ablated) {
  app.compare = app.inputs;
  app.state.view.kind = ViewKind::compare;
  frames(2);
  app.inputs.sentence = "one two three";
  frames(2);
  EXPECT_EQ(app.compare->sentence, notebook_sentence);
}

TEST_F(StateFixture, ablation_shows_its_effect_as_near_as_there_is_one_and_leads_back) {
  app.inputs.layers = 4;
  frames(2);
  const auto notice = [&] { return app.notices.current()->text; };
  const auto ablate = [&](int layer, int head) {
    switch_heads(app, {{BlockKind::self, layer, head}}, true);
    frames(2);
  };
  const auto back = [&] {
    run_action(app, leave_effect_action);
    end_comparison(app.state, app.compare);
    frame();
    EXPECT_FALSE(is_enabled(app, *find_action(app, leave_effect_action)));
  };
  app.state.view.kind = ViewKind::head;
  app.state.view.layer = 2;
  app.state.view.head = 5;
  ablate(0, 1);
  EXPECT_TRUE(app.state.view.row().compares);
  EXPECT_EQ(std::pair(app.state.view.layer, app.state.view.head), std::pair(2, std::optional(5)))
      << "as it was";
  EXPECT_THAT(notice(), HasSubstr("“Compare A with B” shows"));
  back();
  EXPECT_EQ(app.state.view.kind, ViewKind::head);
  ablate(2, 1);
  EXPECT_EQ(app.state.view.layer, 3) << "its own layer's maps stay as they are";
  EXPECT_EQ(app.state.view.head, 5);
  EXPECT_THAT(notice(), HasSubstr("layer 4 is shown"));
  back();
  EXPECT_EQ(app.state.view.layer, 2);
  ablate(3, 1);
  EXPECT_EQ(app.state.view.layer, 2);
  EXPECT_THAT(notice(), HasSubstr("changes its output")) << "no layer follows";
  back();
  app.state.view.kind = ViewKind::grid;
  app.state.view.layer = 0;
  app.state.view.head.reset();
  ablate(1, 1);
  wait_until_idle();
  EXPECT_GE(app.state.view.layer, 2) << "no head was chosen: the one that changes most";
  EXPECT_TRUE(app.state.view.head);
  switch_heads(app, {{BlockKind::self, 1, 1}}, false);
  app.state.view.kind = ViewKind::grid;
  switch_heads(app, {{BlockKind::self, 1, 2}}, false);
  EXPECT_EQ(app.state.view.kind, ViewKind::grid) << "what is restored is no effect to show";
}

TEST_F(StateFixture, one_layer_says_where_the_effect_of_an_ablated_head_is) {
  switch_heads(app, {{BlockKind::self, 0, 2}}, true);
  ASSERT_NE(app.notices.current(), nullptr);
  EXPECT_THAT(app.notices.current()->text, HasSubstr("changes its output"));
}

TEST_F(TrainedHeads, of_the_encoder_change_cross_attention_from_its_first_layer) {
  open("marian");
  app.state.view.kind = ViewKind::head;
  app.state.view.head = 0;
  show_block(app.state, BlockKind::cross);
  frame();
  switch_heads(app, {{BlockKind::encoder, 0, 1}}, true);
  EXPECT_EQ(app.state.view.block, BlockKind::cross);
  EXPECT_EQ(app.state.view.layer, 0);
  app.state.view.kind = ViewKind::head;
  show_block(app.state, BlockKind::encoder);
  frame();
  switch_heads(app, {{BlockKind::decoder, 0, 1}}, true);
  EXPECT_EQ(app.state.view.block, BlockKind::decoder) << "nothing changes in the encoder";
}

TEST_F(TrainedHeads, are_switched_off_by_actions_too) {
  open("gpt2");
  app.state.view.layer = 1;
  app.state.lock = Cell{2, 3, 0};
  frame();
  run_action(app, "chosen head off");
  frames(2);
  ASSERT_TRUE(app.compare);
  EXPECT_EQ(app.compare->ablated_heads, (std::set<HeadPlace>{{BlockKind::self, 1, 2}}));
  app.state.view.layer = 0;
  run_action(app, "layer off now");
  frames(2);
  EXPECT_GT(app.compare->ablated_heads.size(), 1U);
  run_action(app, "all heads on");
  EXPECT_TRUE(app.compare->ablated_heads.empty());
}

TEST_F(TrainedHeads, of_a_kind_of_attention_are_switched_off_together) {
  open("marian");
  app.state.view.kind = ViewKind::model;
  frame();
  for (const auto& [id, kind] : {std::pair{"encoder off", BlockKind::encoder},
                                 {"decoder off", BlockKind::decoder},
                                 {"cross off", BlockKind::cross}}) {
    SCOPED_TRACE(id);
    const Action& action = *find_action(app, id);
    EXPECT_FALSE(action.checked(app));
    run_action(app, id);
    frames(2);
    ASSERT_TRUE(app.compare);
    const auto& blocks = app.trace()->blocks;
    const BlockShape& shape =
        std::ranges::find(blocks, kind, [](const BlockTrace& one) { return one.shape.kind; })->shape;
    EXPECT_EQ(std::ssize(app.compare->ablated_heads), shape.layers * shape.heads);
    EXPECT_TRUE(std::ranges::all_of(app.compare->ablated_heads,
                                    [block = kind](const HeadPlace& head) { return head.block == block; }));
    EXPECT_TRUE(action.checked(app));
    run_action(app, id);
    frames(2);
    EXPECT_FALSE(app.compare) << "all are on again";
  }
  EXPECT_NE(find_action(app, "guided off")->refused(app), "");
}

TEST_F(TrainedHeads, that_are_guided_are_switched_off_together) {
  open(translator_case());
  app.state.view.kind = ViewKind::model;
  frame();
  run_action(app, "guided off");
  frames(2);
  ASSERT_TRUE(app.compare);
  EXPECT_EQ(app.compare->ablated_heads, (std::set<HeadPlace>{{BlockKind::encoder, 1, 1}}));
}

TEST_F(TrainedHeads, of_other_attention_than_the_model_has_are_refused_with_a_reason) {
  EXPECT_NE(find_action(app, "encoder off")->refused(app), "") << "from a seed";
  open("gpt2");
  for (const char* id : {"encoder off", "decoder off", "cross off"})
    EXPECT_THAT(find_action(app, id)->refused(app), HasSubstr("encoder–decoder")) << id;
}

TEST_F(TrainedHeads, that_are_off_stay_the_difference_while_the_sentence_is_written) {
  open("marian");
  app.state.view.kind = ViewKind::model;
  app.compare = app.inputs;
  app.compare->ablated_heads = {{BlockKind::encoder, 0, 1}};
  frames(2);
  app.inputs.sentence = "w3 w9";
  frame();
  EXPECT_EQ(app.compare->sentence, "w3 w9");
  EXPECT_THAT(app.compare->ablated_heads, SizeIs(1));
  show_side(app.state, Side::b);
  app.edited().sentence = "w5";
  frame();
  EXPECT_EQ(app.inputs.sentence, "w5") << "the whole model is of one sentence";
  app.state.view.kind = ViewKind::compare;
  frame();
  app.compare->sentence = "w7";
  frame();
  EXPECT_EQ(app.inputs.sentence, "w5") << "B's own box is B's";
  app.inputs.sentence = "w8";
  frame();
  EXPECT_EQ(app.compare->sentence, "w7") << "they have parted";
}

TEST_F(TrainedHeads, next_to_another_difference_each_side_has_its_own_sentence) {
  open("marian");
  app.compare = app.inputs;
  app.compare->ablated_heads = {{BlockKind::encoder, 0, 1}};
  app.compare->temperature = 2;
  frames(2);
  app.inputs.sentence = "w3 w9";
  frame();
  EXPECT_NE(app.compare->sentence, "w3 w9");
  app.compare = app.inputs;
  frames(2);
  app.inputs.sentence = "w1";
  frame();
  EXPECT_EQ(app.compare->sentence, "w3 w9") << "a B that is laid aside stays as it is";
}

TEST_F(TrainedHeads, all_on_again_leave_one_model) {
  open("marian");
  app.state.view.kind = ViewKind::model;
  switch_heads(app, {{BlockKind::encoder, 0, 1}}, true);
  app.compare->ablation = Ablation::mean;
  frames(2);
  ASSERT_EQ(app.seen_side(), Side::b);
  run_action(app, "all heads on");
  frame();
  EXPECT_FALSE(app.compare);
  EXPECT_FALSE(app.state.view.of_b || app.state.edits == Side::b);
  EXPECT_EQ(app.scene(app.block()).other_trace, nullptr) << "no picture is B's";
  app.inputs.sentence = "w3";
  frames(2);
  EXPECT_FALSE(app.compare) << "it does not come back by itself";
  switch_heads(app, {{BlockKind::encoder, 0, 1}}, true);
  switch_heads(app, {{BlockKind::encoder, 0, 1}}, false);
  EXPECT_FALSE(app.compare) << "nor by the head alone";
}

TEST_F(TrainedHeads, are_compared_until_the_comparison_is_ended) {
  open("marian");
  EXPECT_FALSE(is_enabled(app, *find_action(app, "end comparison")));
  app.state.view.kind = ViewKind::compare;
  frames(2);
  ASSERT_TRUE(app.compare);
  app.state.edits = Side::b;
  run_action(app, "end comparison");
  frames(2);
  EXPECT_FALSE(app.compare);
  EXPECT_EQ(app.state.view.kind, ViewKind::grid);
  EXPECT_EQ(app.edited_side(), Side::a);
  app.state.view.kind = ViewKind::model;
  switch_heads(app, {{BlockKind::encoder, 0, 1}}, true);
  frames(2);
  run_action(app, "copy to b");
  frames(2);
  EXPECT_FALSE(app.compare);
  EXPECT_EQ(app.state.view.kind, ViewKind::model);
}

TEST_F(TrainedHeads, are_chosen_before_they_are_switched_off_in_the_mean) {
  open("marian");
  const Action& off = *find_action(app, "chosen head off");
  EXPECT_EQ(off.refused(app), "");
  app.state.view.kind = ViewKind::model;
  EXPECT_EQ(off.refused(app), "Choose a head first.");
  app.state.lock = Cell{1, 0, 0};
  EXPECT_EQ(off.refused(app), "");
}

TEST_F(TrainedHeads, esc_leads_from_b_to_a_and_from_the_grid_to_the_whole_model) {
  open("marian");
  app.state.view.kind = ViewKind::model;
  switch_heads(app, {{BlockKind::encoder, 0, 1}}, true);
  app.state.lock = Cell{0, 0, 0};
  frames(2);
  press(Key::escape);
  EXPECT_FALSE(app.state.lock);
  EXPECT_TRUE(app.state.view.of_b);
  press(Key::escape);
  EXPECT_FALSE(app.state.view.of_b);
  press(Key::escape);
  EXPECT_EQ(app.state.view.kind, ViewKind::model);
  enter_grid(app.state);
  frame();
  press(Key::escape);
  EXPECT_EQ(app.state.view.kind, ViewKind::model);
  app.state.view.kind = ViewKind::grid;
  frame();
  press(Key::escape);
  EXPECT_EQ(app.state.view.kind, ViewKind::grid) << "which was chosen for itself";
}

TEST_F(TrainedHeads, that_are_off_shift_what_the_model_expects) {
  open("gpt2");
  app.compare = app.inputs;
  app.compare->ablated_heads = {{BlockKind::self, 0, 1}};
  app.state.view.kind = ViewKind::compare;
  frames(3);
  const Trace &a = *app.trace(), &b = *app.trace(Side::b);
  const auto shifted = shifted_predictions(a, b, 4, 4);
  ASSERT_EQ(shifted->tokens.size(), ShiftedPredictions::maximum);
  const Tensor of_a = a.predictions->logits(4, 5), of_b = b.predictions->logits(4, 5);
  const auto all = [&](const Tensor& logits) {
    return likeliest({logits.data(), static_cast<std::size_t>(a.predictions->vocabulary())},
                     a.predictions->vocabulary());
  };
  const std::vector<TokenProbability> all_a = all(of_a), all_b = all(of_b);
  double before = 1;
  for (const ShiftedToken& token : shifted->tokens) {
    EXPECT_NEAR(std::ranges::find(all_a, token.id, &TokenProbability::id)->probability, token.a, 1e-9);
    EXPECT_NEAR(std::ranges::find(all_b, token.id, &TokenProbability::id)->probability, token.b, 1e-9);
    EXPECT_LE(std::abs(token.b - token.a), before);
    before = std::abs(token.b - token.a);
  }
  EXPECT_GT(std::abs(shifted->tokens.front().b - shifted->tokens.front().a), 0);
}

TEST_F(TrainedHeads, end_a_text_with_a_reason) {
  open("gpt2");
  const Index longest = *app.opening.config(app.inputs)->longest();
  app.generation.settings.max_tokens = 2;
  toggle_generation(app);
  wait_for_text();
  EXPECT_THAT(app.notices.current()->text, HasSubstr("2"));
  app.inputs.sentence.clear();
  for (Index i = 0; i < longest - 1; ++i) app.inputs.sentence += "w5 ";
  frames(3);
  EXPECT_EQ(cannot_continue(app), "");
  app.generation.settings.max_tokens = 9;
  toggle_generation(app);
  wait_for_text();
  EXPECT_THAT(app.notices.current()->text, HasSubstr("no more positions"));
  EXPECT_THAT(cannot_continue(app), HasSubstr(std::to_string(longest)));
}

}  // namespace
}  // namespace headscope::tests
