#include "core/model/config/model_notes.h"
#include "tests/support/model_files.h"

namespace headscope::tests {
namespace {

ModelConfig marian_with(const std::string& notes) {
  return config_with("marian", R"("d_model":16,"encoder_layers":3,"decoder_layers":2,)"
                               R"("encoder_attention_heads":4,"decoder_attention_heads":4,"headscope":)" +
                                   notes);
}

}  // namespace

TEST(ModelNotes, are_there_only_where_the_file_has_them) {
  EXPECT_FALSE(config_with("marian").notes);
  EXPECT_FALSE(marian_with("null").notes);
  const auto notes = marian_with("{}").notes;
  ASSERT_TRUE(notes);
  EXPECT_FALSE(notes->guided);
  EXPECT_THAT(notes->slots, IsEmpty());
  EXPECT_THAT(notes->relations, IsEmpty());
  EXPECT_FALSE(notes->alignment);
}

TEST(ModelNotes, are_read_whole) {
  const auto notes = marian_with(R"({"guided":true,"slots":["⟨1⟩","⟨2⟩"],"outside_below":0.25,
      "relations":[{"relation":"verb-subject","block":"encoder","layer":2,"head":3,"score":0.5},
                   {"relation":"verb-object","block":"cross","layer":1,"head":0,"score":1,"guided":true}],
      "alignment":{"layer":1,"head":2,"score":0.84},"sentence":"The cat sat","later":[1]})")
                         .notes;
  ASSERT_TRUE(notes);
  EXPECT_TRUE(notes->guided);
  EXPECT_THAT(notes->slots, ElementsAre("⟨1⟩", "⟨2⟩"));
  EXPECT_EQ(notes->outside_below, 0.25);
  ASSERT_THAT(notes->relations, SizeIs(2));
  EXPECT_STREQ(notes->relations[0].relation->title, "verb → subject");
  EXPECT_EQ(notes->relations[0].layer, 2);
  EXPECT_EQ(notes->relations[0].head, 3);
  EXPECT_FALSE(notes->relations[0].guided);
  EXPECT_EQ(notes->relations[1].block, BlockKind::cross);
  EXPECT_TRUE(notes->relations[1].guided);
  EXPECT_EQ(notes->alignment->layer, 1);
  EXPECT_EQ(notes->alignment->head, 2);
  EXPECT_EQ(notes->sentence, "The cat sat");
}

TEST(ModelNotes, are_claims_that_are_checked) {
  const std::string c = "c.json: headscope";
  const std::tuple<const char*, std::string> cases[] = {
      {"3", c + " is 3; expected an object"},
      {R"({"guided":1})", c + ".guided is 1; expected true or false"},
      {R"({"slots":"a"})", c + ".slots is \"a\"; expected a list of strings"},
      {R"({"slots":["a","a"]})", c + ".slots is [\"a\",\"a\"]; expected a list of at most 16 different"},
      {R"({"slots":[""]})", c + ".slots is [\"\"]; expected a list of at most 16 different"},
      {R"({"outside_below":1.5})", c + ".outside_below is 1.5; expected a number from 0 to 1"},
      {R"({"outside_below":"x"})", c + ".outside_below is \"x\"; expected a number from 0 to 1"},
      {R"({"relations":{}})", c + ".relations is {…}; expected a list of at most 1000 objects"},
      {R"({"relations":[1]})", c + ".relations is [1]; expected a list of at most 1000 objects"},
      {R"({"relations":[{"relation":"x"}]})",
       c + ".relations[0].relation is \"x\"; expected one of: pronoun-antecedent, "},
      {R"({"relations":[{"relation":"verb-subject","block":"self"}]})",
       c + ".relations[0].block is \"self\"; expected a kind of attention that the model has"},
      {R"({"relations":[{"relation":"verb-subject","layer":3}]})",
       c + ".relations[0].layer is 3; expected a whole number from 0 to 2"},
      {R"({"relations":[{"relation":"verb-subject","block":"decoder","layer":2}]})",
       c + ".relations[0].layer is 2; expected a whole number from 0 to 1"},
      {R"({"relations":[{"relation":"verb-subject","head":4}]})",
       c + ".relations[0].head is 4; expected a whole number from 0 to 3"},
      {R"({"relations":[{"relation":"verb-subject","score":-1}]})",
       c + ".relations[0].score is -1; expected a number from 0 to 1"},
      {R"({"alignment":{"layer":2}})", c + ".alignment.layer is 2; expected a whole number from 0 to 1"},
      {R"({"alignment":[]})", c + ".alignment is []; expected an object"},
      {R"({"sentence":1})", c + ".sentence is 1; expected a string"}};
  for (const auto& [notes, message] : cases)
    EXPECT_THAT(complaint([&, text = notes] { marian_with(text); }), HasSubstr(message)) << notes;
  EXPECT_THAT(complaint([] { marian_with(R"({"sentence":")" + std::string(1001, 'a') + "\"}"); }),
              HasSubstr("expected a short sentence"));
  EXPECT_THAT(complaint([] { config_with("gpt2", R"("headscope":{"alignment":{}})"); }),
              HasSubstr("expected none: the model has no cross-attention"));
}

}  // namespace headscope::tests
