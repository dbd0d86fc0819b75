#include "core/scene/readable_numbers.h"
#include "core/scene/score_summary.h"
#include "core/source/engine/engine.h"
#include "tests/support/inputs.h"
#include "tests/support/traces.h"

namespace headscope::tests {

/// A parsed text of printed(), and the unit of its last digit.
struct Read {
  double value = 0, unit = 0;
};
Read read(std::string text) {
  for (const auto& [from, to] : {std::pair{"−", "-"}, {"(", ""}, {")", ""}, {"∞", "inf"}})
    for (std::size_t at; (at = text.find(from)) != std::string::npos;)
      text.replace(at, std::string(from).size(), to);
  Read read{std::stod(text), 1};
  const std::size_t point = text.find('.'), e = std::min(text.find('e'), text.size());
  if (point != std::string::npos) read.unit = std::pow(10.0, -static_cast<double>(e - point - 1));
  if (e < text.size()) read.unit *= std::pow(10.0, std::stod(text.substr(e + 1)));
  return read;
}

const std::vector<std::string> ways{
    "",
    R"("mask": "causal", "temperature": 0.3)",
    R"("mask": "causal", "mask_fill": "-1e9", "temperature": 3, "scale": false)",
    R"("mask": "causal", "mask_fill": "-1e9", "temperature": 0.000001, "gain_q": 100, "gain_k": 30)",
    R"("key_sentence": "one two three", "kv_heads": 2, "gain_q": 300)",
    R"("layers": 2, "feed_forward": true, "dropout": 0.4)",
    R"("gain_q": 30, "gain_k": 0.01, "temperature": 0.77)",
};

/// The result of a step, applied to the number printed above it.
double apply(const ShortStep& step, double before) {
  if (step.operation.empty()) return before;  // a mask that replaces nothing here
  if (step.operation == "exp") return std::exp(before);
  const std::string sign = step.operation.substr(0, step.operation.find(' '));
  const double operand = read(step.operation.substr(step.operation.find(' ') + 1)).value;
  if (sign == "÷") return before / operand;
  if (sign == "×") return before * operand;
  if (sign == "−") return before - operand;
  if (sign == "+") return before + operand;
  return operand;  // "= −1e9"
}

TEST(ScoreSummary, each_printed_number_is_given_by_those_above_it) {
  const Translator tr;
  for (const std::string& fields : ways)
    for (const int d_model : {40, 200}) {
      const auto trace = Engine(1).run(sized(7, d_model, 4, fields));
      const BlockTrace& block = trace->blocks.front();
      const int layer = block.layer_count() - 1;
      std::size_t lines = 0;
      for (const int head : {0, 3})
        for (const int query : {0, 3, 6})
          for (int key = 0; key < static_cast<int>(block.n_k()); ++key) {
            SCOPED_TRACE(fmt::format("{} head {} query {} key {}", fields, head, query, key));
            const std::vector<ShortStep> steps = score_summary(tr, block, {layer, head, query, key});
            if (lines == 0) lines = steps.size();
            EXPECT_EQ(steps.size(), lines) << "lines jump from cell to cell";
            for (std::size_t i = 1; i < steps.size(); ++i) {
              const double expected = apply(steps[i], read(steps[i - 1].value).value);
              const Read number = read(steps[i].value);
              if (std::isinf(expected)) {
                EXPECT_EQ(number.value, expected);
              } else {
                EXPECT_LE(std::abs(number.value - expected),
                          number.unit / 2 * (1 + 1e-9) + 1e-12 * std::abs(expected))
                    << steps[i - 1].value << " " << steps[i].operation << " " << steps[i].name << " gives "
                    << steps[i].value;
              }
            }
            const auto weight = static_cast<double>(block.maps->weight(layer, head, query, key));
            const Read last = read(steps.back().value);
            EXPECT_NEAR(last.value, weight, 0.5 * last.unit + 1e-6);
          }
    }
}

TEST(ScoreSummary, has_no_more_decimals_than_the_inspector_has_room_for) {
  const auto trace = Engine(1).run(sized(12, 64, 4, R"("mask": "causal")"));
  for (int cell = 0; cell < 4 * 12 * 12; ++cell)
    for (const ShortStep& step :
         score_summary(Translator(), trace->blocks.front(), {0, cell / 144, cell / 12 % 12, cell % 12}))
      for (const std::string& text : {step.operation + ' ', step.value + ' '}) {
        const std::size_t point = text.find('.');
        if (point == std::string::npos) continue;
        EXPECT_LE(text.find_first_not_of("0123456789", point + 1) - point - 1, 6U) << text;
      }
}

TEST(ScoreSummary, of_a_row_without_keys_divides_by_nothing) {
  const auto trace = Engine(1).run(sized(3, 8, 2, R"("mask": "padding:0,1,2")"));
  const auto steps = score_summary(Translator(), trace->blocks.front(), {0, 1, 2, 0});
  std::string text;
  for (const ShortStep& step : steps) text += step.operation + "=" + step.value + ";";
  EXPECT_THAT(text, testing::EndsWith("+ (−∞)=−∞;Σ exp=0;"));
}

TEST(ReadableNumbers, keeps_its_decimals_and_the_minus_of_print) {
  EXPECT_EQ(printed(-1.5), "−1.5000");
  EXPECT_EQ(printed(0), "0");
  EXPECT_EQ(printed(2.0614e-9), "2.061e−9");
  EXPECT_EQ(with_minus("-1.5e-07"), "−1.5e−7");
  EXPECT_EQ(with_minus("1e-12"), "1e−12");
  EXPECT_EQ(with_minus("-0.05"), "−0.05");
  EXPECT_EQ(with_minus("-0.00"), "0.00") << "zero after rounding has no sign";
  EXPECT_EQ(with_minus("+0.0000"), "0.0000");
  EXPECT_EQ(with_minus("-0"), "0");
  EXPECT_EQ(with_minus("-"), "−");
  EXPECT_EQ(printed(-1e9), "−1e9");
  EXPECT_EQ(printed(-std::numeric_limits<double>::infinity()), "−∞");
  EXPECT_EQ(printed_operand(-0.25), "(−0.2500)");
  EXPECT_EQ(printed_difference(5.55e-17), "5.6e−17");
  EXPECT_EQ(printed_count(1048576), "1,048,576");
  EXPECT_EQ(printed_count(999), "999");
  EXPECT_EQ(short_count(2097152), "2.1M");
  EXPECT_EQ(short_count(12), "12");
  EXPECT_EQ(printed_bytes(3200), "3.2 KB");
  EXPECT_EQ(printed_bytes(64), "64 B");
  for (const auto& [probability, text] : {std::pair{0.5, "50.0%"},
                                          {1.0, "100.0%"},
                                          {0.0123, "1.2%"},
                                          {0.00123, "0.12%"},
                                          {0.00031, "0.031%"},
                                          {0.00002, "0.0020%"},
                                          {0.0000034, "3.4e−4%"},
                                          {0.0, "0%"}})
    EXPECT_EQ(printed_percent(probability), text);
}

TEST(ReadableNumbers, of_a_column_have_as_many_decimals_and_a_dot_for_what_rounds_to_zero) {
  EXPECT_EQ(in_column(0.1234, 3), "0.123");
  EXPECT_EQ(in_column(-2, 3), "−2.000");
  EXPECT_EQ(in_column(0.0005001, 3), "0.001");
  EXPECT_EQ(in_column(0.0004, 3), "·");
  EXPECT_EQ(in_column(-0.0004, 3), "·");
  EXPECT_EQ(in_column(0, 1), "·");
  EXPECT_EQ(percent_in_column(0.123), "12.3%");
  EXPECT_EQ(percent_in_column(0.0004), "·");
}

}  // namespace headscope::tests
