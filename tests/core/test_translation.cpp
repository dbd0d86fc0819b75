#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "core/scene/translation_text.h"
#include "core/source/engine/engine.h"
#include "core/source/model/decoder_step.h"
#include "core/source/model/model_source.h"
#include "core/source/translation.h"
#include "tests/support/built_in_models.h"

namespace headscope::tests {
namespace {

class ModelTranslations : public InFolder {
 protected:
  Inputs inputs_of(const Json& entry, const std::string& sentence) {
    write_whole_model(folder.path / "m", entry);
    Inputs inputs;
    inputs.model = at("m");
    inputs.sentence = sentence;
    return inputs;
  }
  Engine engine{1};
};

const BlockTrace& block(const Trace& trace, BlockKind kind) {
  return *std::ranges::find(trace.blocks, kind, [](const BlockTrace& one) { return one.shape.kind; });
}

}  // namespace

TEST(ChangedTokens, are_those_outside_of_the_longest_common_part) {
  EXPECT_THAT(changed_tokens({1, 2, 3}, {1, 2, 3}), ElementsAre(false, false, false));
  EXPECT_THAT(changed_tokens({1, 2, 3}, {1, 9, 3}), ElementsAre(false, true, false));
  EXPECT_THAT(changed_tokens({1, 2, 3}, {9, 1, 2, 3}), ElementsAre(true, false, false, false));
  EXPECT_THAT(changed_tokens({1, 2, 3}, {3}), ElementsAre(false));
  EXPECT_THAT(changed_tokens({}, {4, 4}), ElementsAre(true, true));
  EXPECT_THAT(changed_tokens({1}, {}), IsEmpty());
}

TEST_F(ModelTranslations, are_what_generate_writes_with_the_probability_of_each_token) {
  const Inputs inputs = inputs_of(model_case("marian"), "w3 w17 w5");
  const auto trace = engine.run(inputs);
  ASSERT_TRUE(trace->translation);
  GenerateRequest request;
  request.max_tokens = 128;
  const auto source = engine.open_model(inputs.model);
  const auto made = source->generate(inputs, request, engine.context(), {});
  EXPECT_EQ(made->text, trace->translation->text);
  EXPECT_EQ(made->probabilities, trace->translation->probabilities);
  const BlockTrace& decoder = block(*trace, BlockKind::decoder);
  ASSERT_EQ(std::ssize(trace->translation->probabilities), decoder.n_q() - 1);
  const Tensor logits = trace->predictions->logits(0, decoder.n_q());
  for (Index i = 0; i + 1 < decoder.n_q(); ++i) {
    double sum = 0;
    for (Index id = 0; id < logits.dim(1); ++id)
      if (std::ranges::count(source->model().config().never_generated, id) == 0)
        sum += std::exp(static_cast<double>(logits.at(i)[id]));
    const Index chosen = decoder.tokens[static_cast<std::size_t>(i + 1)].id;
    EXPECT_NEAR(trace->translation->probabilities[static_cast<std::size_t>(i)],
                std::exp(static_cast<double>(logits.at(i)[chosen])) / sum, 1e-5);
  }
  EXPECT_FALSE(trace->translation->as_learnt);
  Inputs own = inputs;
  own.target = "w3";
  EXPECT_FALSE(engine.run(own)->translation) << "is given and not written";
}

TEST_F(ModelTranslations, obey_generation_config_in_every_way_to_them) {
  const Inputs inputs = inputs_of(model_case("marian"), "w3 w17 w5");
  std::ofstream(at("m/generation_config.json"))
      << R"({"no_repeat_ngram_size": 1, "max_new_tokens": 5, "num_beams": 4})";
  const auto trace = engine.run(inputs);
  ASSERT_TRUE(trace->translation);
  std::set<Index> ids;
  for (const Token& token : block(*trace, BlockKind::decoder).tokens) ids.insert(token.id);
  EXPECT_EQ(ids.size(), 6U) << "the start and five different ones, without an end";
  const auto source = engine.open_model(inputs.model);
  EXPECT_EQ(source->generate(inputs, {}, engine.context(), {})->text, trace->translation->text);
  EXPECT_EQ(source->notes(0).front().what(),
            std::string("generated texts do not obey num_beams of the model's files"));
}

namespace {

/// A tokenizer of words whose last tokens are languages, one of which its template adds before a sentence.
void write_language_tokenizer(const std::string& folder, std::initializer_list<const char*> languages,
                              bool in_template) {
  write_word_tokenizer(folder, 50);
  const std::string path = folder + "/tokenizer.json";
  Json tokenizer = Json::parse(std::ifstream(path));
  int id = 40;
  for (const char* language : languages) {
    tokenizer["model"]["vocab"].erase("w" + std::to_string(id));
    tokenizer["model"]["vocab"][language] = id;
    tokenizer["added_tokens"].push_back({{"id", id++}, {"content", language}, {"special", true}});
  }
  const std::string first = *languages.begin();
  if (in_template) {
    const Json token = {{"SpecialToken", {{"id", first}, {"type_id", 0}}}};
    Json& post = tokenizer["post_processor"];
    post["single"].insert(post["single"].begin(), token);
    post["special_tokens"][first] = {{"id", first}, {"ids", {40}}, {"tokens", {first}}};
  }
  std::ofstream(path) << tokenizer.dump();
}

}  // namespace

TEST_F(ModelTranslations, are_from_and_to_languages_by_name) {
  const auto ids = [&](const Inputs& inputs, BlockKind kind) {
    std::vector<Index> all;
    const auto trace = engine.run(inputs);
    for (const Token& token : block(*trace, kind).tokens) all.push_back(token.id);
    return all;
  };
  Inputs inputs = inputs_of(model_case("m2m_100"), "w3 w17 w5");
  write_language_tokenizer(inputs.model, {"eng_Latn", "fra_Latn", "zho_Hans"}, true);
  EXPECT_THAT(engine.open_model(inputs.model)->about().languages,
              ElementsAre("eng_Latn", "fra_Latn", "zho_Hans"));
  EXPECT_THAT(ids(inputs, BlockKind::encoder), ElementsAre(40, 3, 17, 5));
  inputs.source_language = "fra_Latn";
  inputs.target_language = "zho_Hans";
  EXPECT_THAT(ids(inputs, BlockKind::encoder), ElementsAre(41, 3, 17, 5)) << "in place of the tokenizer's";
  std::vector<Index> target = ids(inputs, BlockKind::decoder);
  ASSERT_GE(target.size(), 2U);
  EXPECT_EQ(target[0], 2);
  EXPECT_EQ(target[1], 42) << "written first";
  EXPECT_EQ(engine.run(inputs)->translation->probabilities.size(), target.size() - 1);
  inputs.target = "w11 w12";
  EXPECT_THAT(ids(inputs, BlockKind::decoder), ElementsAre(2, 42, 11, 12));
  inputs.source_language = "deu_Latn";
  EXPECT_THAT(complaint([&] { engine.run(inputs); }),
              AllOf(HasSubstr("source_language is deu_Latn; expected one of: eng_Latn, fra_Latn, zho_Hans")));
}

TEST_F(ModelTranslations, begin_with_the_language_where_the_model_has_it_there) {
  Json entry = model_case("mbart");
  entry["config"]["decoder_start_token_id"] = 40;
  Inputs inputs = inputs_of(entry, "w3 w17");
  write_language_tokenizer(inputs.model, {"en_XX", "ro_RO"}, false);
  inputs.target = "w11";
  inputs.target_language = "ro_RO";
  inputs.source_language = "en_XX";
  const auto trace = engine.run(inputs);
  EXPECT_EQ(block(*trace, BlockKind::encoder).tokens.front().id, 40) << "a tokenizer without one";
  EXPECT_EQ(block(*trace, BlockKind::decoder).tokens.front().id, 41);
  EXPECT_EQ(block(*trace, BlockKind::decoder).n_q(), 2);
  entry["config"]["decoder_start_token_id"] = nullptr;
  entry["config"]["bos_token_id"] = 7;
  Inputs unstated = inputs_of(entry, "w3 w17");
  write_language_tokenizer(unstated.model, {"en_XX", "ro_RO"}, false);
  unstated.target = "w11";
  EXPECT_EQ(block(*engine.run(unstated), BlockKind::decoder).tokens.front().id, 7);
  unstated.target_language = "ro_RO";
  EXPECT_EQ(block(*engine.run(unstated), BlockKind::decoder).tokens.front().id, 41);

  // Marian's is read before the sentence; M2M-100's names have no underscores around them.
  Inputs marian = inputs_of(model_case("marian"), "w3");
  write_language_tokenizer(marian.model, {">>fra<<", ">>deu<<"}, false);
  marian.target_language = "deu";
  EXPECT_EQ(block(*engine.run(marian), BlockKind::encoder).tokens.front().id, 41);
  EXPECT_THAT(engine.open_model(marian.model)->about().languages, ElementsAre("deu", "fra"));
  Inputs none = inputs_of(model_case("marian-unscaled"), "w3");
  none.target_language = "de";
  EXPECT_THAT(complaint([&] { engine.run(none); }), HasSubstr("has no languages to choose from"));
  Inputs gpt2 = inputs_of(model_case("gpt2"), "w3");
  gpt2.source_language = "en";
  EXPECT_THAT(complaint([&] { engine.run(gpt2); }),
              HasSubstr("source_language is given; only an encoder–decoder translates"));
}

TEST_F(ModelTranslations, report_what_an_intervention_has_changed) {
  const Inputs inputs = inputs_of(model_case("marian"), "w3 w17 w5 w9");
  const auto learnt = engine.run(inputs);
  Inputs ablated_heads = inputs, hot = inputs;
  for (const BlockKind kind : {BlockKind::encoder, BlockKind::decoder, BlockKind::cross})
    for (int head = 0; head < block(*learnt, kind).heads(); ++head)
      ablated_heads.ablated_heads.insert({kind, 0, head});
  hot.temperature = 30;
  for (const Inputs& changed : {ablated_heads, hot}) {
    const auto trace = engine.run(changed);
    ASSERT_TRUE(trace->translation);
    EXPECT_NE(trace->translation->probabilities, learnt->translation->probabilities) << "acts in generation";
    const auto ids = [](const Trace& of) {
      std::vector<Index> all;
      for (const Token& token : block(of, BlockKind::decoder).tokens) all.push_back(token.id);
      return std::vector<Index>(all.begin() + 1, all.end());
    };
    const bool other = ids(*trace) != ids(*learnt);
    ASSERT_EQ(trace->translation->as_learnt.has_value(), other);
    if (!other) continue;
    EXPECT_EQ(*trace->translation->as_learnt, learnt->translation->text);
    EXPECT_EQ(trace->translation->changed, changed_tokens(ids(*learnt), ids(*trace)));
    Engine fresh(1);
    EXPECT_EQ(fresh.run(changed)->translation->as_learnt, trace->translation->as_learnt)
        << "the same where the plain text was not run before";
  }
}

TEST_F(ModelTranslations, obey_a_painted_mask_of_cross_attention) {
  const Inputs inputs = inputs_of(model_case("marian"), "w3 w17 w5 w9");
  const auto learnt = engine.run(inputs);
  Inputs masked = inputs;
  MaskPart part;
  part.kind = MaskKind::painted;
  part.block = BlockKind::cross;
  for (int query = 0; query < 200; ++query) part.painted.push_back({-1, query, 0, 2});
  masked.mask = {part};
  const auto trace = engine.run(masked);
  const BlockTrace& cross = block(*trace, BlockKind::cross);
  for (Index query = 0; query < cross.n_q(); ++query) EXPECT_EQ(cross.maps->weight(0, 0, query, 1), 0);
  EXPECT_NE(trace->translation->probabilities, learnt->translation->probabilities);
}

TEST_F(ModelTranslations, carry_unknown_words_over_and_say_what_is_outside) {
  Json entry = translator_case();
  const Inputs inputs = inputs_of(entry, "w3 zork w5 zork blub");
  auto trace = engine.run(inputs);
  const BlockTrace& encoder = block(*trace, BlockKind::encoder);
  EXPECT_EQ(encoder.tokens[1].id, 40);
  EXPECT_EQ(encoder.tokens[1].text, "⟨zork⟩");
  EXPECT_EQ(encoder.tokens[3].id, 40);
  EXPECT_EQ(encoder.tokens[4].id, 41);
  EXPECT_THAT(trace->translation->unknown, ElementsAre("zork", "blub"));
  EXPECT_FALSE(trace->translation->outside) << "there is a slot for each";
  // A placeholder for a word is read like the slot's own token.
  Inputs slots = inputs;
  slots.sentence = "w3 w40 w5 w40 w41";
  EXPECT_EQ(engine.run(slots)->translation->probabilities, trace->translation->probabilities);
  Inputs more = inputs;
  more.sentence = "zork blub gnat";
  trace = engine.run(more);
  EXPECT_TRUE(trace->translation->outside);
  EXPECT_THAT(outside_text(Translator(Language::en), *trace->translation), HasSubstr("zork, blub, gnat"));
  entry["config"]["headscope"]["outside_below"] = 1.0;
  const auto unlikely = engine.run(inputs_of(entry, "w3 w5"));
  EXPECT_TRUE(unlikely->translation->outside) << "no token is certain";
  EXPECT_THAT(outside_text(Translator(Language::en), *unlikely->translation),
              Not(HasSubstr("unknown words")));
}

TEST_F(ModelTranslations, of_other_models_are_never_called_outside) {
  const auto trace = engine.run(inputs_of(model_case("marian"), "w3 zork blub gnat"));
  EXPECT_FALSE(trace->translation->outside);
  EXPECT_THAT(trace->translation->unknown, IsEmpty());
  EXPECT_FALSE(block(*trace, BlockKind::encoder).tokens[1].placeholder);
}

TEST_F(ModelTranslations, are_aligned_by_heads_that_are_on) {
  Inputs inputs = inputs_of(translator_case(), "w3 w17 w5 w9");
  const auto look_with = [&](std::set<HeadPlace> off) {
    inputs.ablated_heads = std::move(off);
    return engine.run(inputs);
  };
  const auto on = look_with({});
  const int layers = block(*on, BlockKind::cross).shape.layers, heads = block(*on, BlockKind::cross).heads();
  const auto best_off = look_with({{BlockKind::cross, 0, 1}});
  EXPECT_EQ(decoder_step(*best_off, 0, 3).look, (CrossLook{layers - 1, std::nullopt}));
  std::set<HeadPlace> off{{BlockKind::cross, 0, 1}};
  for (int head = 1; head < heads; ++head) off.insert({BlockKind::cross, layers - 1, head});
  const auto one_on = look_with(off);
  const BlockTrace& cross = block(*one_on, BlockKind::cross);
  const Tensor mean = cross_weights(cross, decoder_step(*one_on, 0, 3).look);
  EXPECT_EQ(mean.at(0)[1], cross.maps->weight(layers - 1, 0, 0, 1)) << "of those that are on";
  for (int layer = 0; layer < layers; ++layer)
    for (int head = 0; head < heads; ++head) off.insert({BlockKind::cross, layer, head});
  EXPECT_FALSE(decoder_step(*on, 0, 3).seen.empty());
  EXPECT_TRUE(decoder_step(*look_with(off), 0, 3).seen.empty()) << "nothing of the source is seen";
}

TEST_F(ModelTranslations, are_aligned_by_the_head_that_aligns_best_else_by_the_mean) {
  const Json entry = translator_case();
  const Inputs inputs = inputs_of(entry, "w3 w17 w5 w9");
  const auto trace = engine.run(inputs);
  const BlockTrace& cross = block(*trace, BlockKind::cross);
  const CrossLook best = alignment_look(cross, trace->source->about().model_notes);
  EXPECT_EQ(best, (CrossLook{0, 1}));
  const CrossLook mean = alignment_look(cross, nullptr);
  EXPECT_EQ(mean, (CrossLook{cross.shape.layers - 1, std::nullopt}));
  const Tensor of_head = cross_weights(cross, best), of_all = cross_weights(cross, mean);
  for (Index query = 0; query < cross.n_q(); ++query)
    for (Index key = 0; key < cross.n_k(); ++key) {
      EXPECT_EQ(of_head.at(query)[key], cross.maps->weight(0, 1, query, key));
      float sum = 0;
      for (int head = 0; head < cross.heads(); ++head)
        sum += cross.maps->weight(mean.layer, head, query, key);
      EXPECT_NEAR(of_all.at(query)[key], sum / static_cast<float>(cross.heads()), 1e-6);
    }
  GenerateRequest request;
  const auto made = engine.open_model(inputs.model)->generate(inputs, request, engine.context(), {});
  ASSERT_EQ(made->aligned.size(), made->tokens.size());
  for (std::size_t i = 0; i < made->aligned.size(); ++i) {
    const float* row = of_head.at(static_cast<Index>(i));
    EXPECT_EQ(made->aligned[i].source, std::max_element(row, row + cross.n_k()) - row) << i;
  }
}

}  // namespace headscope::tests
