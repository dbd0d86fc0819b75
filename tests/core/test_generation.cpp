#include <cmath>

#include "core/io/file.h"
#include "core/model/run/generation.h"
#include "tests/support/model_folder.h"
#include "tests/support/testing.h"

namespace headscope::tests {
namespace {

GenerationRules rules_of(const Json& config) {
  static const std::string source = "g.json";
  return read_generation_rules(ConfigFields(JsonField(config, source)));
}

std::string refusal(const char* field) {
  const Json config = Json::parse(field);
  return complaint([&] { rules_of(config); });
}

/// What the rules make of logits; of a forced token 0, of others -infinity.
std::vector<float> scores_of(const Json& one) {
  const auto tokens = one["text"].get<std::vector<Index>>(), source = one["source"].get<std::vector<Index>>();
  const GeneratedText text{tokens, one["given"], source, one["last"]};
  const GenerationRules rules = rules_of(one["config"]);
  auto scores = one["logits"].get<std::vector<float>>();
  apply_rules(rules, text, scores);
  const auto forced = forced_token(rules, text);
  for (Index id = 0; forced && id < std::ssize(scores); ++id)
    scores[static_cast<std::size_t>(id)] = id == *forced ? 0.0F : -INFINITY;
  return scores;
}

}  // namespace

TEST(GenerationRules, change_logits_as_transformers_does) {
  const Json cases = Json::parse(read_file(TEST_DATA_DIR "/generation.json"));
  ASSERT_EQ(cases.size(), 60U);
  for (const Json& one : cases) {
    const std::vector<float> scores = scores_of(one);
    for (std::size_t id = 0; id < scores.size(); ++id) {
      const Json& expected = one["scores"][id];
      if (expected.is_null()) {
        EXPECT_EQ(scores[id], -INFINITY) << one["config"] << id;
      } else {
        EXPECT_NEAR(scores[id], expected.get<double>(), 1e-5) << one["config"] << id;
      }
    }
  }
}

// As generate() of transformers 5.12 does, which ends such a text after four tokens.
TEST(GenerationRules, end_where_a_decay_meets_what_must_not_end_yet) {
  const GenerationRules rules =
      rules_of({{"min_new_tokens", 9}, {"exponential_decay_length_penalty", {3, 1.2}}, {"eos_token_id", 0}});
  const std::vector<Index> before{9, 28, 28, 12}, decays{9, 28, 28, 12, 28};
  const auto scores = [&](const std::vector<Index>& tokens) {
    std::vector<float> logits{-1, 2};
    apply_rules(rules, {tokens, 1, {}, false}, logits);
    return logits;
  };
  EXPECT_EQ(scores(before), (std::vector<float>{-INFINITY, 2}));
  EXPECT_EQ(scores(decays), (std::vector<float>{INFINITY, 2}));
}

TEST(GenerationRules, limit_the_length_of_new_text) {
  EXPECT_EQ(rules_of(Json::object()).longest_after(3), std::nullopt);
  EXPECT_EQ(rules_of({{"max_length", 20}}).longest_after(3), 17);
  EXPECT_EQ(rules_of({{"max_length", 20}}).longest_after(20), std::nullopt);
  EXPECT_EQ(rules_of({{"max_length", 20}, {"max_new_tokens", 5}}).longest_after(30), 5);
}

TEST(GenerationRules, name_what_is_not_obeyed) {
  EXPECT_THAT(rules_of({{"do_sample", false}, {"num_beams", 1}, {"guidance_scale", 1.0}}).not_obeyed,
              IsEmpty());
  EXPECT_THAT(rules_of({{"do_sample", true}, {"num_beams", 4}, {"stop_strings", {"x"}}}).not_obeyed,
              ElementsAre("do_sample", "num_beams", "stop_strings"));
}

TEST(GenerationRules, say_what_is_wrong) {
  EXPECT_EQ(refusal(R"({"repetition_penalty":0})"),
            "g.json: repetition_penalty is 0; expected a number above 0, at most 1000000");
  EXPECT_EQ(refusal(R"({"no_repeat_ngram_size":2.5})"),
            "g.json: no_repeat_ngram_size is 2.5; expected a whole number from 0 to 2147483647");
  EXPECT_EQ(refusal(R"({"bad_words_ids":[[]]})"),
            "g.json: bad_words_ids[0] is []; expected a list of tokens");
  EXPECT_EQ(refusal(R"({"sequence_bias":[[[1]]]})"),
            "g.json: sequence_bias[0] is [[1]]; expected [[token, …], bias]");
  EXPECT_EQ(refusal(R"({"exponential_decay_length_penalty":[1]})"),
            "g.json: exponential_decay_length_penalty is [1]; expected [start, factor]");
}

}  // namespace headscope::tests
