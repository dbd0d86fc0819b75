// The built-in translators: the values of their card, recomputed for some of its sentences
// (tests/data/models/translator_sample.json, which assets/training/translator/sample writes).
#include <fstream>

#include "core/analysis/expectations.h"
#include "core/inputs/mask_part.h"
#include "core/model/config/model_notes.h"
#include "core/source/engine/engine.h"
#include "core/source/model/decoder_step.h"
#include "core/source/source.h"
#include "core/source/translation.h"
#include "tests/support/figures.h"
#include "tests/support/model_folder.h"

namespace headscope::tests {
namespace {

class Translators : public testing::TestWithParam<std::string> {
 protected:
  static const Json& sample() {
    static const Json all =
        Json::parse(std::ifstream(std::string(TEST_DATA_DIR) + "/models/translator_sample.json"));
    return all;
  }
  std::shared_ptr<const Trace> run(const std::string& sentence) {
    Inputs inputs;
    inputs.model = GetParam();
    inputs.sentence = sentence;
    return engine_.run(inputs);
  }
  Engine engine_{1};
};

/// The key with a query's largest weight.
Index strongest(const BlockTrace& block, int layer, int head, Index query) {
  Eigen::RowVectorXf row(block.n_k());
  block.maps->rows(layer, head, query, query + 1, row.data());
  Index best = 0;
  row.maxCoeff(&best);
  return best;
}

bool is_one_of(const Json& places, Index place) {
  return std::ranges::any_of(places, [&](const Json& one) { return one.get<Index>() == place; });
}

struct Share {
  int hits = 0, count = 0;
  void add(bool hit) { hits += hit, ++count; }
  double value() const { return count > 0 ? static_cast<double>(hits) / count : 0; }
};

}  // namespace

INSTANTIATE_TEST_SUITE_P(built_in, Translators, testing::Values("translator", "translator-guided"),
                         [](const auto& model) {
                           return model.param == "translator" ? "as_learnt" : "guided";
                         });

TEST_P(Translators, write_what_their_card_was_computed_from) {
  Share inside;
  for (const Json& entry : sample()) {
    const auto trace = run(entry["sentence"]);
    ASSERT_TRUE(trace->translation);
    EXPECT_EQ(trace->translation->text, entry["printed"][GetParam()].get<std::string>()) << entry["sentence"];
    EXPECT_EQ(trace->translation->text, entry["gold"].get<std::string>()) << entry["sentence"];
    inside.add(!trace->translation->outside);
  }
  EXPECT_GE(inside.value(), 0.9) << "of sentences of its own grammar a few are doubted: 2 to 4 % of 2,000";
}

// The scores are in config.json and in the card, measured on 2,000 sentences; the bound allows for so small a
// sample (three standard errors).
TEST_P(Translators, have_heads_of_the_relations_that_they_are_said_to_have) {
  std::map<std::string, std::vector<Share>> found;
  Share aligned;
  const ModelNotes* notes = nullptr;
  std::shared_ptr<const Trace> trace;
  for (const Json& entry : sample()) {
    trace = run(entry["sentence"]);
    notes = trace->source->about().model_notes;
    ASSERT_NE(notes, nullptr);
    for (std::size_t i = 0; i < notes->relations.size(); ++i) {
      const RelationOfHead& one = notes->relations[i];
      const BlockTrace& block = *block_of(trace, one.block);
      auto& shares = found[one.relation->name];
      shares.resize(notes->relations.size());
      for (const Json& relation : entry["relations"])
        if (relation["relation"] == one.relation->name)
          shares[i].add(is_one_of(relation["targets"],
                                  strongest(block, one.layer, one.head, relation["position"].get<Index>())));
    }
    ASSERT_TRUE(notes->alignment);
    const BlockTrace& cross = *block_of(trace, BlockKind::cross);
    for (std::size_t word = 0; word < entry["alignment"].size(); ++word)
      if (!entry["alignment"][word].empty())
        aligned.add(is_one_of(
            entry["alignment"][word],
            strongest(cross, notes->alignment->layer, notes->alignment->head, static_cast<Index>(word))));
  }
  const auto expect_near = [](const Share& share, double score, const std::string& what) {
    ASSERT_GT(share.count, 10) << what;
    const double error = std::sqrt(std::max(0.01, score * (1 - score)) / share.count);
    EXPECT_NEAR(share.value(), score, 3 * error) << what << " of " << share.count;
  };
  for (std::size_t i = 0; i < notes->relations.size(); ++i)
    expect_near(found[notes->relations[i].relation->name][i], notes->relations[i].score,
                notes->relations[i].relation->name);
  expect_near(aligned, notes->alignment->score, "alignment");
  EXPECT_EQ(notes->guided, GetParam() == "translator-guided");
  if (!notes->guided) return;
  const auto reported = [](const RelationOfHead& one) { return one.guided; };
  EXPECT_EQ(std::ranges::count_if(notes->relations, reported), 6);
}

TEST_P(Translators, know_what_it_is_by_the_end_of_the_sentence) {
  const std::string both = "The animal didn't cross the street because it was ";
  EXPECT_EQ(run(both + "tired")->translation->text, "动物没有穿过街道，因为它很累");
  EXPECT_EQ(run(both + "too wide")->translation->text, "动物没有穿过街道，因为街道太宽了");
  EXPECT_EQ(run("The cat sat on the mat because it was tired")->translation->text,
            "猫坐在垫子上，因为它很累");
}

TEST_P(Translators, carry_one_word_that_they_do_not_know_and_distrust_many) {
  const auto one = run("The boy bought a skateboard");
  EXPECT_EQ(one->translation->text, "男孩买了一个 skateboard");
  EXPECT_THAT(one->translation->unknown, ElementsAre("skateboard"));
  EXPECT_FALSE(one->translation->outside);
  EXPECT_TRUE(run("Quickly the zork blub gnat frobs tired because")->translation->outside);
}

TEST_P(Translators, expect_the_word_that_a_token_carries) {
  const auto trace = run("The boy bought a skateboard");
  const auto& target = block_of(trace, BlockKind::decoder)->tokens;
  const auto placeholder = std::ranges::find(target, true, &Token::placeholder);
  ASSERT_NE(placeholder, target.end());
  const Index before = placeholder - target.begin() - 1;
  const auto expected = expectations(*trace, {1, 2, before, before + 1});
  const Index best = expected->at(1, before).front().id;
  EXPECT_EQ(best, placeholder->id);
  EXPECT_EQ(expected_text(*trace, best), placeholder->text);
  EXPECT_THAT(expected_text(*trace, best), HasSubstr("skateboard"));
  EXPECT_EQ(placeholder_of_text(*trace, best), trace->predictions->token(best));
  const Index other = expected->at(1, before).back().id;
  EXPECT_EQ(expected_text(*trace, other), trace->predictions->token(other));
  EXPECT_EQ(placeholder_of_text(*trace, other), "");
}

TEST_P(Translators, figures_of_lines_and_layers_mark_heads_that_were_guided) {
  const auto trace = run("The cat sat on the mat because it was tired");
  const auto is_marked = [](const std::string& text) {  // not the model's own name
    return text.find("guided") != std::string::npos && text.find("translator") == std::string::npos;
  };
  const ModelNotes& notes = *trace->source->about().model_notes;
  for (const ViewKind kind : {ViewKind::lines, ViewKind::layers}) {
    SCOPED_TRACE(static_cast<int>(kind));
    Session session;
    session.view.kind = kind;
    session.view.block = BlockKind::encoder;
    session.view.layer = 1;
    const auto wanted = std::ranges::count_if(notes.relations, [&](const RelationOfHead& one) {
      return one.guided && one.block == BlockKind::encoder && (kind == ViewKind::layers || one.layer == 1);
    });
    EXPECT_EQ(wanted > 0, notes.guided);
    EXPECT_EQ(std::ranges::count_if(recorded(scene_of(session, trace, nullptr)).texts, is_marked), wanted);
  }
}

TEST_P(Translators, padding_is_of_the_source_and_leaves_the_targets_own_tokens) {
  Inputs inputs;
  inputs.model = GetParam();
  inputs.mask = {parse_mask_part("padding:5")};
  const auto trace = engine_.run(inputs);
  const auto blocked = [&](BlockKind kind) { return block_of(trace, kind)->mask.blocked(0, 6, 5); };
  ASSERT_EQ(block_of(trace, BlockKind::encoder)->tokens[5].text, "street");
  EXPECT_TRUE(blocked(BlockKind::encoder));
  EXPECT_TRUE(blocked(BlockKind::cross));
  EXPECT_FALSE(blocked(BlockKind::decoder));
  EXPECT_THAT(trace->translation->text, Not(HasSubstr("街道")));
  inputs.mask = {parse_mask_part("decoder/padding:5")};
  const auto own = engine_.run(inputs);
  EXPECT_FALSE(block_of(own, BlockKind::cross)->mask.blocked(0, 6, 5));
  EXPECT_TRUE(block_of(own, BlockKind::decoder)->mask.blocked(0, 6, 5));
}

TEST_P(Translators, what_is_outside_is_so_whatever_is_switched_off) {
  Inputs inputs;
  inputs.model = GetParam();
  inputs.ablated_heads = {{BlockKind::encoder, 0, 0}, {BlockKind::encoder, 1, 1}, {BlockKind::encoder, 2, 2}};
  EXPECT_FALSE(engine_.run(inputs)->translation->outside);
  inputs.sentence = "Quickly the zork blub gnat frobs tired because";
  EXPECT_TRUE(engine_.run(inputs)->translation->outside);
  inputs.sentence = "Tired was the because animal wide";
  const bool learnt = run(inputs.sentence)->translation->outside;
  EXPECT_TRUE(learnt);
  EXPECT_EQ(engine_.run(inputs)->translation->outside, learnt);
}

TEST_P(Translators, a_word_that_is_lost_is_reported) {
  const auto trace = run("Attention is all you need");
  EXPECT_FALSE(trace->translation->unknown.empty());
  EXPECT_TRUE(trace->translation->outside);
  EXPECT_FALSE(run("")->translation && run("")->translation->outside)
      << "of nothing there is nothing to doubt";
}

TEST_P(Translators, each_step_of_the_decoder_reports_what_it_sees_and_what_comes_next) {
  const auto trace = run("The animal didn't cross the street because it was tired");
  const BlockTrace& decoder = *block_of(trace, BlockKind::decoder);
  const BlockTrace& cross = *block_of(trace, BlockKind::cross);
  ASSERT_EQ(decoder_steps(*trace), decoder.n_q());
  for (Index i = 0; i < decoder.n_q(); ++i) {
    const DecoderStep step = decoder_step(*trace, i, static_cast<std::size_t>(cross.n_k()));
    ASSERT_EQ(std::ssize(step.seen), cross.n_k());
    ASSERT_TRUE(step.look.head) << "the head that aligns best is told";
    double sum = 0;
    for (const DecoderStep::Seen& one : step.seen) {
      EXPECT_EQ(static_cast<float>(one.weight),
                cross.maps->weight(step.look.layer, *step.look.head, i, one.token));
      sum += one.weight;
    }
    EXPECT_NEAR(sum, 1, 1e-5);
    EXPECT_TRUE(std::ranges::is_sorted(step.seen, std::ranges::greater{}, &DecoderStep::Seen::weight));
    EXPECT_FALSE(step.given);
    ASSERT_EQ(step.next.has_value(), i + 1 < decoder.n_q());
    if (!step.next) continue;
    EXPECT_EQ(step.next->text, decoder.tokens[static_cast<std::size_t>(i + 1)].text);
  }
}

TEST(DecoderSteps, are_none_without_an_encoder) {
  EXPECT_EQ(decoder_steps(*Engine(1).run(Inputs())), 0);
}

}  // namespace headscope::tests
