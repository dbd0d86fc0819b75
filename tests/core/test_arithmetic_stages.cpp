#include "core/analysis/arithmetic_stages.h"
#include "core/analysis/stage_numbers.h"
#include "core/figure/boards/stage_parts.h"
#include "core/source/engine/engine.h"
#include "core/source/source.h"
#include "tests/support/inputs.h"
#include "tests/support/printed_sums.h"

namespace headscope::tests {

const std::vector<std::string> ways{
    "",
    R"("seed": 7, "mask": "causal", "temperature": 0.3)",
    R"("seed": 3, "mask": "causal", "mask_fill": "-1e9", "temperature": 3, "scale": false)",
    R"("key_sentence": "one two three", "kv_heads": 2, "gain_q": 3)",
    R"("layers": 3, "feed_forward": true, "kv_heads": 1, "dropout": 0.4)",
    R"("layers": 2, "mask": "window:1", "residual": false)",
    R"("mask": "padding:0,1,2,3,4,5", "dropout": 0.2)",
    R"("mask": "padding:0,1,2,3,4,5", "mask_fill": "-1e9")",
    R"("temperature": 0.00001, "gain_q": 40)",
    R"("weights": "normal", "sigma": 0.0005)",
    R"("gain_q": 30, "gain_k": 30, "layers": 2)",
    R"("gain_q": 30, "seed": 11, "dropout": 0.4)",
    R"("mask": "causal", "mask_fill": "-1e9", "temperature": 0.000001, "gain_q": 100, "gain_k": 30)",
    R"("seed": 5, "mask": "causal", "mask_fill": "-1e9", "temperature": 0.37)",
    R"("weights": "identity", "inputs": "embedding")",
};

TEST(ArithmeticStages, what_is_printed_adds_up_on_every_way) {
  for (const std::string& fields : ways)
    for (const auto& [tokens, d_model, heads] : {std::tuple{6, 32, 4}, {3, 8, 2}, {30, 256, 4}}) {
      if (heads != 4 && fields.find("kv_heads") != std::string::npos) continue;
      if (tokens == 3 && fields.find("padding") != std::string::npos) continue;
      const auto trace = Engine(1).run(sized(tokens, d_model, heads, fields));
      const BlockTrace& block = trace->blocks.front();
      const int layer = block.layer_count() - 1;
      for (const CellPlace& place : {CellPlace{0, 0, 0, 0}, {layer, heads - 1, tokens - 1, 1}}) {
        StepsLook look;
        look.component = place.query;
        look.output = d_model - 1;
        for (const ArithmeticStage& stage : arithmetic_stages(*trace, block, place, look, Translator())) {
          const std::string what = fmt::format("{} of {} ({} tokens)", stage.name, fields, tokens);
          EXPECT_FALSE(stage.title.empty() || stage.formula.empty() || stage.text.empty()) << what;
          expect_residual(stage, what);
          for (const StagePart& part : stage.parts) {
            if (const auto* formula = std::get_if<StageFormula>(&part)) expect_formula(formula->tex, what);
            if (const auto* terms = std::get_if<StageTerms>(&part)) {
              expect_terms(*terms, what);
              if (stage.name == "softmax") expect_softmax(*terms, what);
              if (stage.name == "mask") expect_mask(stage, *terms, what);
            }
          }
        }
      }
    }
}

TEST(ArithmeticStages, a_row_whose_keys_are_all_blocked_follows_its_own_rule) {
  const auto softmax_of = [](const std::string& fields) {
    const auto trace = Engine(1).run(sized(3, 8, 2, R"("mask": "padding:0,1,2")" + fields));
    const auto stages = arithmetic_stages(*trace, trace->blocks.front(), {}, {}, Translator());
    return *std::ranges::find(stages, "softmax", &ArithmeticStage::name);
  };
  const ArithmeticStage none = softmax_of(""), alike = softmax_of(R"(, "mask_fill": "-1e9")");
  const auto& terms = std::get<StageTerms>(none.parts.front());
  EXPECT_THAT(none.text, testing::HasSubstr("blocked row"));
  EXPECT_THAT(none.formula, testing::EndsWith("= 0")) << "no maximum is subtracted";
  for (const StageTerms::Column& column : terms.columns) {
    EXPECT_THAT(column.name, testing::Not(testing::HasSubstr("max")));
    EXPECT_THAT(column.total, testing::Not(testing::HasSubstr("max")));
  }
  EXPECT_EQ(std::get<StageTerms>(alike.parts.front()).columns[1].values, std::vector<double>(3, 0.0));
  EXPECT_THAT(alike.text, testing::HasSubstr("uniform"));
}

std::vector<std::string> stages_of(const std::string& fields) {
  const auto trace = Engine(1).run(sized(4, 8, 2, fields));
  return present_stages(*trace, trace->blocks.front(), 0);
}

TEST(ArithmeticStages, those_that_do_nothing_are_left_out) {
  EXPECT_EQ(stages_of(""), (std::vector<std::string>{"x", "projections", "products", "scale", "softmax",
                                                     "values", "concat", "output"}));
  EXPECT_EQ(stages_of(R"("temperature": 2, "mask": "causal", "dropout": 0.1, "layers": 2)"),
            Engine(1).run(sized(4, 8, 2))->source->stages(BlockKind::self, 0));
  EXPECT_EQ(stages_of(R"("layers": 2, "residual": false, "layer_norm": false)").back(), "output");
  const std::vector<std::string> few = stages_of("");
  EXPECT_EQ(few[stage_place(few, "softmax")], "softmax");
  EXPECT_EQ(few[stage_place(few, "mask")], "scale") << "the last one before it";
  EXPECT_EQ(few[stage_place(few, "norm")], "output");
  EXPECT_EQ(stage_place(few, ""), 0U);
}

TEST(ArithmeticStages, the_last_title_names_what_is_computed) {
  const auto last_title = [](const std::string& fields) {
    const auto trace = Engine(1).run(sized(4, 8, 2, R"("layers": 2)" + fields));
    return std::string(stage_title("norm", *trace, trace->blocks.front()));
  };
  EXPECT_EQ(last_title(""), "Residual connection and LayerNorm");
  EXPECT_EQ(last_title(R"(, "residual": false)"), "LayerNorm");
  EXPECT_EQ(last_title(R"(, "layer_norm": false)"), "Residual connection");
  const auto trace = Engine(1).run(sized(4, 8, 2));
  EXPECT_EQ(stage_title("nothing", *trace, trace->blocks.front()), nullptr);
}

/// A source with other stages: a trained model adds its own by name.
class FewStages : public Source {
 public:
  std::shared_ptr<const Trace> run(const Inputs&, const RunOptions&, const ComputeContext&,
                                   const std::stop_token&) const override {
    return nullptr;
  }
  std::vector<std::string> stages(BlockKind, int) const override { return {"softmax", "scale", "unknown"}; }
};

TEST(ArithmeticStages, a_source_says_which_there_are_and_in_which_order) {
  Trace trace = *Engine(1).run(sized(4, 8, 2));
  trace.source = std::make_shared<FewStages>();
  const auto stages = arithmetic_stages(trace, trace.blocks.front(), {}, {}, Translator());
  ASSERT_EQ(stages.size(), 2U);
  EXPECT_EQ(stages[0].name, "softmax");
  EXPECT_EQ(stages[1].name, "scale");
}

TEST(ArithmeticStages, rows_that_are_left_out_have_a_line_that_counts_them) {
  const auto trace = Engine(1).run(sized(30, 32, 4, ""));
  const Translator tr;
  BoardStyle style;
  style.measure = [](std::string_view text, double size) {
    return static_cast<double>(text.size()) * size / 2;
  };
  for (const auto matrices : {StepsLook::Matrices::digits, StepsLook::Matrices::colors}) {
    StepsLook look;
    look.matrices = matrices;
    const auto stages = arithmetic_stages(*trace, trace->blocks.front(), {0, 0, 15, 15}, look, tr);
    const StageBlock x = lay_out(stages.front().parts.front(), {style, tr, look, "x", 400});
    const auto gaps = std::ranges::count(x.board.texts, std::string("… 12 …"), &BoardText::text);
    EXPECT_EQ(gaps, 2) << "after row 2 and before row 30";
    const auto softmax = std::ranges::find(stages, "softmax", &ArithmeticStage::name);
    for (const StagePart& part : softmax->parts) {
      if (!std::holds_alternative<StageTerms>(part)) continue;
      const StageBlock list = lay_out(part, {style, tr, look, "softmax", 400});
      int shown = 0, hidden = 0, lines = 0;
      for (const BoardText& text : list.board.texts) {
        shown += std::ranges::count(trace->blocks.front().key_tokens, text.text, &Token::text) > 0;
        if (text.text.find(" more …") == std::string::npos) continue;
        hidden += std::stoi(text.text.substr(std::string("… ").size()));
        ++lines;
      }
      EXPECT_EQ(lines, 2) << "before and after the chosen key";
      EXPECT_EQ(shown + hidden, 30);
    }
  }
}

TEST(ArithmeticStages, numbers_that_were_typed_are_shown_as_typed) {
  const nlohmann::json example = worked_example();
  const auto trace = Engine(1).run(inputs_of_worked_example(example));
  for (int component = 0; component < 2; ++component) {
    StepsLook look;
    look.component = component;
    const auto stages = arithmetic_stages(*trace, trace->blocks.front(), {}, look, Translator());
    const auto& projections = stages[1];
    EXPECT_THAT(projections.text, testing::HasSubstr(fmt::format("component {} of q", component + 1)));
    const auto row = std::ranges::find_if(
        projections.parts, [](const StagePart& part) { return std::holds_alternative<StageBreak>(part); });
    const auto& terms = std::get<StageTerms>(*(row + 1));  // directly below the row of q
    EXPECT_EQ(terms.labels.size(), 4U) << "no row of a bias that is 0";
    const double wanted = example["q_head1"][0][static_cast<std::size_t>(component)].get<double>();
    EXPECT_EQ(terms.columns.back().total, printed_number(wanted, wanted == 0 ? 0 : 2));
    for (const StageTerms::Column& column : terms.columns) EXPECT_LE(column.decimals, 2);
  }
}

TEST(StageNumbers, are_written_with_a_minus_sign_and_no_sign_before_nothing) {
  EXPECT_EQ(printed_number(-0.29441, 4), "−0.2944");
  EXPECT_EQ(printed_number(-0.00001, 3), "0.000");
  EXPECT_EQ(printed_number(-std::numeric_limits<double>::infinity(), 3), "−∞");
  EXPECT_EQ(printed_number(-1e9, 0), "−1e9");
  EXPECT_EQ(printed_number(12345678.9, 2), "1.23457e7");
  EXPECT_EQ(decimals_of(1e-3), 3);
  EXPECT_EQ(decimals_of(1), 0);
  EXPECT_EQ(shortest(Eigen::RowVectorXf::Constant(2, 1.45F), 6), 2);
}

}  // namespace headscope::tests
