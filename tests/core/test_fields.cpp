#include "core/inputs/fields.h"
#include "core/inputs/names.h"
#include "core/session/history.h"
#include "core/session/session.h"
#include "tests/support/testing.h"

namespace headscope::tests {

/// Another value of every type that a field has.
struct Change {
  void operator()(std::string& value) const { value += "!"; }
  void operator()(std::optional<std::string>& value) const { value = "other"; }
  void operator()(int& value) const { ++value; }
  void operator()(std::uint64_t& value) const { ++value; }
  void operator()(double& value) const { value = 0.5; }
  void operator()(bool& value) const { value = !value; }
  void operator()(std::vector<MaskPart>& value) const { value.emplace_back(); }
  void operator()(TypedMatrices& value) const { value.w_q = {0.25}; }
  void operator()(std::set<int>& value) const { value = {1}; }
  void operator()(std::set<HeadPlace>& value) const {
    value = {{BlockKind::self, 0, 1}, {BlockKind::decoder, 3, 7}};
  }
  template <typename Enum>
  void operator()(Enum& value) const {
    value = static_cast<Enum>(1);
  }
};
constexpr Change change;

TEST(InputFields, every_field_is_in_one_row_under_a_name_of_its_own) {
  std::set<std::string_view> names;
  Inputs changed;
  for_each_input(changed, [&](const InputField& field, auto& value) {
    EXPECT_TRUE(names.insert(field.name).second) << field.name;
    EXPECT_EQ(&input_field(field.member), &field) << field.name;
    change(value);
  });
  // A field that no row changed has no row.
  const auto& [d_model, heads, seed, weights, sigma, typed, kv_heads, layers, share_layers, feed_forward] =
      static_cast<const LayerParameters&>(changed);
  const LayerParameters parameters;
  EXPECT_TRUE(d_model != parameters.d_model && heads != parameters.heads && seed != parameters.seed);
  EXPECT_TRUE(weights != parameters.weights && sigma != parameters.sigma && layers != parameters.layers);
  EXPECT_TRUE(typed != parameters.typed && kv_heads != parameters.kv_heads);
  EXPECT_TRUE(share_layers != parameters.share_layers && feed_forward != parameters.feed_forward);
  const auto& [mask, mask_fill, temperature, scale, dropout, dropout_seed, gain_q, gain_k, ablated_heads,
               ablation] = static_cast<const Interventions&>(changed);
  const Interventions interventions;
  EXPECT_TRUE(mask != interventions.mask && mask_fill != interventions.mask_fill &&
              scale != interventions.scale);
  EXPECT_TRUE(temperature != interventions.temperature && dropout != interventions.dropout);
  EXPECT_TRUE(dropout_seed != interventions.dropout_seed && gain_q != interventions.gain_q &&
              gain_k != interventions.gain_k);
  EXPECT_TRUE(ablated_heads != interventions.ablated_heads && ablation != interventions.ablation);
  const Inputs standard;
  EXPECT_TRUE(changed.model != standard.model);
  EXPECT_TRUE(changed.capture != standard.capture && changed.sequence != standard.sequence);
  EXPECT_TRUE(changed.vectors != standard.vectors && changed.positions != standard.positions);
  EXPECT_TRUE(changed.residual != standard.residual && changed.layer_norm != standard.layer_norm);
  const auto& [sentence, picture, features, key_sentence, target, source_language, target_language, splits,
               joins, key_splits, key_joins] = static_cast<const Text&>(changed);
  EXPECT_TRUE(source_language != standard.source_language && target_language != standard.target_language);
  EXPECT_TRUE(sentence != standard.sentence && key_sentence != standard.key_sentence);
  EXPECT_TRUE(target != standard.target && picture != standard.picture && features != standard.features);
  EXPECT_TRUE(splits != standard.splits && joins != standard.joins);
  EXPECT_TRUE(key_splits != standard.key_splits && key_joins != standard.key_joins);
}

TEST(InputFields, each_is_saved_alone_and_named_where_it_differs) {
  for (const InputField& field : input_fields()) {
    Session session;
    std::visit([&](auto member) { change(session.inputs.*member); }, field.member);
    const std::string name = field.name;
    if (name == "heads") session.inputs.d_model = 9 * 8;
    if (name == "d_model" || name == "kv_heads") session.inputs.heads = 1;
    EXPECT_EQ(session_from_json(to_json(session), "s.json"), session) << name;
    EXPECT_NE(to_json(session).find('"' + name + '"'), std::string::npos);
    Inputs one;
    std::visit([&](auto member) { change(one.*member); }, field.member);
    ASSERT_EQ(changed_inputs(Inputs{}, one).size(), 1U) << name;
    EXPECT_STREQ(changed_inputs(Inputs{}, one).front(), field.change);
  }
}

}  // namespace headscope::tests
