#include "core/analysis/arithmetic_stages.h"
#include "core/analysis/stage_numbers.h"
#include "core/source/engine.h"
#include "core/source/source.h"
#include "tests/support/inputs.h"

namespace headscope::tests {

/// A number as it is printed: its value, and the unit of its last digit.
struct Printed {
  double value = 0, unit = 0;
};
Printed parsed(std::string text) {
  for (std::size_t at; (at = text.find("−")) != std::string::npos;) text.replace(at, 3, "-");
  if (text.find("∞") != std::string::npos) return {-std::numeric_limits<double>::infinity(), 0};
  const std::size_t e = text.find('e'), dot = text.find('.');
  const std::string mantissa = text.substr(0, e);
  const int decimals = dot == std::string::npos ? 0 : static_cast<int>(mantissa.size() - dot - 1);
  const int power = e == std::string::npos ? 0 : std::stoi(text.substr(e + 1));
  return {std::stod(text), std::pow(10.0, power - decimals)};
}
/// A number that is printed whole has nothing rounded.
Printed printed(double value, int decimals) {
  if (std::isnan(value)) return {};
  Printed number = parsed(printed_number(value, decimals));
  const double exact = 2e-7 * std::max(1.0, std::abs(value));
  if (std::abs(number.value - value) <= exact) number.unit = std::min(number.unit, 2 * exact);
  return number;
}
std::vector<Printed> printed(const StageTerms::Column& column) {
  std::vector<Printed> numbers;
  for (const double value : column.values) numbers.push_back(printed(value, column.decimals));
  return numbers;
}

/// The printed number is what the printed ones before it give, but for the rounding of their last digits and,
/// much less, what float32 has rounded on the way.
void expect_gives(double computed, double rounding, const Printed& number, const std::string& what) {
  const double known = 1e-6 * std::max({1.0, std::abs(computed), std::abs(number.value)});
  EXPECT_LE(std::abs(computed - number.value), rounding + number.unit / 2 + known) << what;
}

void expect_terms(const StageTerms& terms, const std::string& what) {
  // Of numbers that float32 knows no better, the last digits are what they are.
  const double units = what.find("40") == std::string::npos ? 3 : 50;
  const auto count = terms.labels.size();
  for (std::size_t c = 0; c < terms.columns.size(); ++c) {
    const StageTerms::Column& column = terms.columns[c];
    ASSERT_EQ(column.values.size(), count) << what;
    const std::vector<Printed> numbers = printed(column);
    if (c == 2 && column.sign == "=" && terms.columns[1].sign == "×") {
      const std::vector<Printed> a = printed(terms.columns[0]), b = printed(terms.columns[1]);
      for (std::size_t r = 0; r < count; ++r) {
        if (std::isnan(terms.columns[0].values[r])) continue;
        const double rounding = (std::abs(a[r].value) * b[r].unit + std::abs(b[r].value) * a[r].unit) / 2;
        expect_gives(a[r].value * b[r].value, rounding, numbers[r], what + ", product " + std::to_string(r));
        EXPECT_LE(rounding, units * std::max(std::pow(10.0, -column.decimals), 1e-6))
            << what << ": too few digits for the product";
      }
    }
    if (!column.adds) continue;
    double sum = 0, rounding = 0;
    for (const Printed& number : numbers) sum += number.value, rounding += number.unit / 2;
    const bool one = column.total == "= 1 ✓";
    const Printed total = one ? Printed{1, 0} : parsed(column.total);
    expect_gives(sum, rounding, total, what + ", sum");
    if (!one) {
      EXPECT_LE(rounding, 1.1 * std::max(total.unit, 512e-6)) << what << ": too few digits for the sum";
    }
  }
}

void expect_softmax(const StageTerms& terms, const std::string& what) {
  const auto &s = terms.columns[0], &shifted = terms.columns[1], &e = terms.columns[2], &w = terms.columns[3];
  const Printed most = parsed(s.total.substr(4)), sum = parsed(e.total);
  if (sum.value == 0) return;
  for (std::size_t j = 0; j < terms.labels.size(); ++j) {
    const Printed at = printed(s.values[j], s.decimals), less = printed(shifted.values[j], shifted.decimals),
                  exponential = printed(e.values[j], e.decimals), weight = printed(w.values[j], w.decimals);
    if (std::isfinite(at.value))
      expect_gives(at.value - most.value, (at.unit + most.unit) / 2, less, what + ", less the maximum");
    expect_gives(std::exp(less.value), std::exp(less.value + less.unit / 2) - std::exp(less.value),
                 exponential, what + ", exponential");
    expect_gives(
        exponential.value / sum.value,
        (exponential.unit / 2 + exponential.value / sum.value * sum.unit / 2) / (sum.value - sum.unit / 2),
        weight, what + ", weight");
  }
}

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
          for (const StagePart& part : stage.parts)
            if (const auto* terms = std::get_if<StageTerms>(&part)) {
              expect_terms(*terms, what);
              if (stage.name == "softmax") expect_softmax(*terms, what);
            }
        }
      }
    }
}

std::vector<std::string> stages_of(const std::string& fields) {
  const auto trace = Engine(1).run(sized(4, 8, 2, fields));
  return present_stages(*trace, trace->blocks.front());
}

TEST(ArithmeticStages, those_that_do_nothing_are_left_out) {
  EXPECT_EQ(stages_of(""), (std::vector<std::string>{"x", "projections", "products", "scale", "softmax",
                                                     "values", "concat", "output"}));
  EXPECT_EQ(stages_of(R"("temperature": 2, "mask": "causal", "dropout": 0.1, "layers": 2)"), stage_names());
  EXPECT_EQ(stages_of(R"("layers": 2, "residual": false, "layer_norm": false)").back(), "output");
  const std::vector<std::string> few = stages_of("");
  EXPECT_EQ(few[stage_place(few, "softmax")], "softmax");
  EXPECT_EQ(few[stage_place(few, "mask")], "scale") << "the last one before it";
  EXPECT_EQ(few[stage_place(few, "norm")], "output");
  EXPECT_EQ(stage_place(few, ""), 0U);
  EXPECT_EQ(stage_title("nothing"), nullptr);
}

/// A source whose stages are others: a trained model adds its own by name.
class FewStages : public Source {
 public:
  std::shared_ptr<const Trace> run(const Inputs&, const RunOptions&, const ComputeContext&,
                                   const std::stop_token&) const override {
    return nullptr;
  }
  std::vector<std::string> stages() const override { return {"softmax", "scale", "unknown"}; }
};

TEST(ArithmeticStages, a_source_says_which_there_are_and_in_which_order) {
  Trace trace = *Engine(1).run(sized(4, 8, 2));
  trace.source = std::make_shared<FewStages>();
  const auto stages = arithmetic_stages(trace, trace.blocks.front(), {}, {}, Translator());
  ASSERT_EQ(stages.size(), 2U);
  EXPECT_EQ(stages[0].name, "softmax");
  EXPECT_EQ(stages[1].name, "scale");
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
