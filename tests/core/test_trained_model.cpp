// A model that was really trained, to repeat (assets/training/train_induction.py): its analysis must agree
// with what is known about such models, and with PyTorch's results for its weights.
#include "core/analysis/expectations.h"
#include "core/analysis/statistics.h"
#include "core/inputs/inputs.h"
#include "core/source/engine/engine.h"
#include "core/source/model/model_source.h"
#include "core/teach/check.h"
#include "core/teach/expression.h"
#include "tests/support/model_folder.h"

namespace headscope::tests {
namespace {

constexpr std::pair previous_head{0, 1}, induction_head{1, 2};  // (layer, head)

class TrainedModel : public testing::Test {
 protected:
  // Two texts, English and Chinese, whose beginning repeats, and one without repetition.
  static const Json& cases() {
    static const Json all = Json::parse(std::ifstream(std::string(TEST_DATA_DIR) + "/models/induction.json"));
    return all;
  }
  static Inputs inputs_of(const Json& entry) {
    Inputs inputs;
    inputs.model = std::string(SOURCE_DIR) + "/assets/models/induction";
    inputs.sentence = entry["text"];
    return inputs;
  }
  // The first position whose token is determined by those before: the one after a repeated token.
  static Index first_reported(const Json& entry) {
    std::set<int> seen;
    Index position = 1;
    for (const int id : entry["ids"]) {
      if (!seen.insert(id).second) return position;
      ++position;
    }
    return position;
  }
  // Of the token after each position, as predicted after `layer`.
  static std::vector<double> next_probabilities(const Trace& trace, const Json& entry, int layer = 1) {
    const Index n = std::ssize(entry["ids"]);
    const Tensor rows = trace.predictions->logits_after(layer, 0, n);
    const auto width = static_cast<std::size_t>(rows.size() / n);
    std::vector<double> result;
    for (std::size_t i = 0; i + 1 < entry["ids"].size(); ++i)
      result.push_back(std::exp2(-surprise({rows.data() + i * width, width}, entry["ids"][i + 1])));
    return result;
  }
  static double mean_reported(const std::vector<double>& p, const Json& entry) {
    const auto begin = p.begin() + (first_reported(entry) - 1);
    return std::accumulate(begin, p.end(), 0.0) / static_cast<double>(p.end() - begin);
  }
  static void expect_near(const std::vector<double>& found, const Json& expected, double bound) {
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i)
      EXPECT_NEAR(found[i], expected[i].get<double>(), bound) << i;
  }

  Engine engine{1};
};

TEST_F(TrainedModel, expects_what_a_lesson_says_of_it) {
  Inputs inputs = inputs_of(cases().front());
  inputs.sentence = "red blue green red";
  const auto trace = engine.run(inputs);
  const LessonNumbers numbers = lesson_numbers(trace, nullptr, {}, Cell{0, 4, 0});
  const auto value = [&](const std::string& text) { return Expression(text).evaluate(numbers); };
  const auto likeliest = expectations(*trace, whole_range(*trace, false))->at(1, 4).front();
  EXPECT_EQ(trace->predictions->token(likeliest.id), "blue");
  EXPECT_NEAR(value("probability(\"blue\")"), likeliest.probability, 1e-6);
  EXPECT_LT(value("probability(\"blue\", 3)"), 0.1);
  EXPECT_EQ(value("count(\"red\")"), 2);
  EXPECT_THROW(value("probability(\"red blue\")"), Error);
}

TEST_F(TrainedModel, predicts_what_returns_and_nothing_else) {
  for (const Json& entry : cases()) {
    SCOPED_TRACE(entry["text"]);
    const auto trace = engine.run(inputs_of(entry));
    const std::vector<Token>& tokens = trace->blocks.front().tokens;
    ASSERT_EQ(tokens.size(), entry["ids"].size());
    for (std::size_t i = 0; i < tokens.size(); ++i) EXPECT_EQ(tokens[i].id, entry["ids"][i]);
    const std::vector<double> p = next_probabilities(*trace, entry);
    expect_near(p, entry["p"], 1e-5);
    expect_near(next_probabilities(*trace, entry, 0), entry["p_after_layer_1"], 1e-5);
    const Tensor last = trace->predictions->logits(std::ssize(tokens) - 1, std::ssize(tokens));
    expect_near(std::vector<double>(last.data(), last.data() + last.size()), entry["last_logits"], 2e-5);

    const auto expected = expectations(*trace, whole_range(*trace, true));
    const Index reported = first_reported(entry);
    for (std::size_t i = 0; i < p.size(); ++i) {
      const auto next = static_cast<Index>(i) + 1;
      EXPECT_EQ(p[i] > 0.9, next >= reported) << next;
      EXPECT_NEAR(*expected->surprise[i + 1], -std::log2(p[i]), 1e-6);
      if (next < reported) {
        EXPECT_GT(*expected->surprise[i + 1], 3) << next;
        continue;
      }
      // The second layer predicts it, the first does not.
      EXPECT_EQ(expected->at(1, next - 1).front().id, tokens[i + 1].id);
      for (const TokenProbability& token : expected->at(0, next - 1)) {
        EXPECT_TRUE(token.id != tokens[i + 1].id || token.probability < 0.5) << next;
      }
    }
  }
}

TEST_F(TrainedModel, has_a_previous_token_head_and_an_induction_head) {
  for (std::size_t text : {0U, 1U}) {
    const auto trace = engine.run(inputs_of(cases()[text]));
    const auto found = block_statistics(trace->blocks.front(), {});
    for (int layer = 0; layer < 2; ++layer)
      for (int head = 0; head < 4; ++head) {
        const HeadStatistics& one = *found->find(layer, head);
        EXPECT_EQ(*one.previous > 0.5, std::pair(layer, head) == previous_head) << layer << "." << head;
        EXPECT_EQ(*one.induction > 0.5, std::pair(layer, head) == induction_head) << layer << "." << head;
      }
    const auto shares = token_contributions(*trace, "", {});
    const auto& heads = shares->parts.attention.front().heads;
    for (std::size_t layer = 0; layer < heads.size(); ++layer)
      for (std::size_t head = 0; head < heads[layer].size(); ++head)
        if (layer != 1 || head != 2) {
          EXPECT_LT(heads[layer][head], 0.5 * heads[1][2]) << layer << "." << head;
        }
    EXPECT_NEAR(shares->parts.sum(), shares->parts.logit, 1e-4);
  }
}

TEST_F(TrainedModel, forgets_without_either_of_them_and_without_no_other_head) {
  for (std::size_t text : {0U, 1U}) {
    const Json& entry = cases()[text];
    Inputs inputs = inputs_of(entry);
    for (const Ablation by : {Ablation::zero, Ablation::mean})
      for (int layer = 0; layer < 2; ++layer)
        for (int head = 0; head < 4; ++head) {
          SCOPED_TRACE(fmt::format("{}.{} of text {}", layer, head, text));
          inputs.ablated_heads = {{BlockKind::self, layer, head}};
          inputs.ablation = by;
          const std::vector<double> p = next_probabilities(*engine.run(inputs), entry);
          const std::pair which(layer, head);
          const bool needed = which == previous_head || which == induction_head;
          EXPECT_TRUE(needed ? mean_reported(p, entry) < 0.2 : mean_reported(p, entry) > 0.9)
              << mean_reported(p, entry);
          const Json& off = entry["p_with_head_off"];
          if (by == Ablation::zero)
            expect_near(p, off[static_cast<std::size_t>(layer)][static_cast<std::size_t>(head)], 1e-5);
        }
  }
}

TEST_F(TrainedModel, goes_on_with_what_it_has_read) {
  const std::pair<const char*, const char*> texts[] = {
      {"one red fox ran over my old bridge one red", "fox ran over my old bridge one red fox"},
      {"One RED fox ran over my old bridge one red", "fox ran over my old bridge one red fox"},
      {"猫坐在垫子上看小鸟猫坐", "在 垫 子 上 看 小 鸟 猫 坐"},
  };
  for (const auto& [text, rest] : texts) {
    Inputs inputs = inputs_of(cases()[0]);
    inputs.sentence = text;
    GenerateRequest request;
    request.max_tokens = 9;
    const auto source = engine.open_model(inputs.model);
    EXPECT_EQ(source->generate(inputs, request, engine.context(), {})->text, std::string(" ") + rest) << text;
  }
}

TEST_F(TrainedModel, predicts_the_same_or_says_what_an_ablated_head_shifts) {
  Inputs inputs = inputs_of(cases()[0]);
  inputs.sentence = "one red fox ran over one red";
  const auto a = engine.run(inputs);
  inputs.ablated_heads = {{BlockKind::self, induction_head.first, induction_head.second}};
  const auto b = engine.run(inputs);
  const Index last = a->blocks.front().n_q() - 1;
  const auto same = shifted_predictions(*a, *a, last, last),
             shifted = shifted_predictions(*a, *b, last, last);
  EXPECT_TRUE(same->same);
  EXPECT_EQ(expected_text(*a, same->tokens.front().id), "fox") << "the likeliest first";
  EXPECT_FALSE(shifted->same);
  EXPECT_GT(std::abs(shifted->tokens.front().b - shifted->tokens.front().a), 0.1);
}

// The Longformer that answers what colour a thing of the text has (assets/training/train_asked_colour.py).
class AskedColour : public testing::Test {
 protected:
  // The example, the same text with another question, and a longer one.
  static Json cases() {
    return Json::parse(std::ifstream(std::string(TEST_DATA_DIR) + "/models/asked_colour.json"));
  }
  std::shared_ptr<const Trace> run(const Json& entry, const std::vector<std::string>& mask) {
    Inputs inputs;
    inputs.model = std::string(SOURCE_DIR) + "/assets/models/asked-colour";
    inputs.sentence = entry["text"];
    for (const std::string& part : mask) inputs.mask.push_back(parse_mask_part(part));
    return engine.run(inputs);
  }
  static std::string answer(const Trace& trace) {
    return expected_text(trace, expectations(trace, whole_range(trace, false))->at(1, 0).front().id);
  }
  static void expect_logits(const Trace& trace, const Json& expected) {
    const Tensor logits = trace.predictions->logits(0, 1);
    ASSERT_EQ(logits.size(), std::ssize(expected));
    for (std::size_t i = 0; i < expected.size(); ++i)
      EXPECT_NEAR(logits.data()[i], expected[i].get<double>(), 2e-5) << i;
  }

  Engine engine{1};
};

TEST_F(AskedColour, is_answered_by_what_its_class_computes) {
  for (const Json& entry : cases()) {
    SCOPED_TRACE(entry["text"]);
    const auto trace = run(entry, {});
    expect_logits(*trace, entry["logits"]);
    expect_logits(*run(entry, {"global:none"}), entry["logits_without_global"]);
    const auto block = block_of(trace, BlockKind::self);
    const Index n = block->n_q();
    ASSERT_EQ(n, std::ssize(entry["ids"]));
    constexpr Index reach = 3, query = 10;
    for (int layer = 0; layer < 2; ++layer)
      for (int head = 0; head < 2; ++head) {
        const Json& first = entry["first_rows"][layer][head];
        for (Index key = 0; key < n; ++key)
          EXPECT_NEAR(block->maps->weight(layer, head, 0, key), first[key].get<double>(), 2e-5) << key;
        const Json& row = entry["rows_of_token_10"][layer][head];
        for (Index key = 0; key < n; ++key) {
          const bool near = std::abs(key - query) <= reach;
          const double expected = key == 0 ? row[0] : near ? row[1 + reach + key - query] : Json(0.0);
          EXPECT_NEAR(block->maps->weight(layer, head, query, key), expected, 2e-5) << key;
        }
      }
  }
}

TEST_F(AskedColour, takes_the_row_of_the_global_token_and_not_its_column) {
  const Json all = cases();
  EXPECT_EQ(answer(*run(all[0], {})), "red");
  EXPECT_EQ(answer(*run(all[1], {})), "green");
  EXPECT_EQ(answer(*run(all[2], {})), "yellow");
  EXPECT_EQ(answer(*run(all[0], {"longformer:3,global=0"})), "red") << "blocks what is blocked";
  EXPECT_EQ(answer(*run(all[0], {"painted:1-30:0"})), "red");
  EXPECT_EQ(answer(*run(all[0], {"global:none"})), answer(*run(all[1], {"global:none"})));
  EXPECT_NE(answer(*run(all[0], {"painted:0:7-30"})), "red");
}

}  // namespace
}  // namespace headscope::tests
