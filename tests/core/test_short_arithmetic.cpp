#include "core/scene/readable_numbers.h"
#include "core/scene/short_arithmetic.h"
#include "core/source/engine.h"
#include "tests/support/inputs.h"
#include "tests/support/traces.h"

namespace headscope::tests {

/// What a text of printed() says, within what its last digit leaves open.
struct Read {
  double value = 0, error = 0;
};
Read read(std::string text) {
  for (const auto& [from, to] : {std::pair{"−", "-"}, {"(", ""}, {")", ""}, {"∞", "inf"}})
    for (std::size_t at; (at = text.find(from)) != std::string::npos;)
      text.replace(at, std::string(from).size(), to);
  Read read{std::stod(text), 0};
  const std::size_t point = text.find('.'), e = std::min(text.find('e'), text.size());
  if (point != std::string::npos) read.error = 0.5 * std::pow(10.0, -static_cast<double>(e - point - 1));
  if (e < text.size()) read.error *= std::pow(10.0, std::stod(text.substr(e + 1)));
  return read;
}

const std::vector<std::string> ways{
    "",
    R"("mask": "causal", "temperature": 0.3)",
    R"("mask": "causal", "mask_fill": "-1e9", "temperature": 3, "scale": false)",
    R"("key_sentence": "one two three", "kv_heads": 2, "gain_q": 300)",
    R"("layers": 2, "feed_forward": true, "dropout": 0.4)",
};

/// The result of a step on the numbers as they stand on the screen, and how far rounding may take it.
Read apply(const ShortStep& step, const Read& before) {
  if (step.operation.empty()) return before;  // a mask that replaces nothing here
  if (step.operation == "exp") {
    const double value = std::exp(before.value);
    return {value, value == 0 ? 0 : value * std::expm1(before.error)};
  }
  const std::string sign = step.operation.substr(0, step.operation.find(' '));
  const Read operand = read(step.operation.substr(step.operation.find(' ') + 1));
  if (sign == "÷")
    return {before.value / operand.value, before.error / operand.value + std::abs(before.value) *
                                                                             operand.error / operand.value /
                                                                             operand.value};
  if (sign == "×") return {before.value * operand.value, before.error * operand.value};
  if (sign == "−") return {before.value - operand.value, before.error + operand.error};
  if (sign == "+") return {before.value + operand.value, before.error};
  return operand;  // "= −1e9"
}

TEST(ShortArithmetic, adds_up_as_it_is_printed_up_to_the_weight) {
  const Translator tr;
  for (const std::string& fields : ways) {
    const auto trace = Engine(1).run(sized(7, 40, 4, fields));
    const BlockTrace& block = trace->blocks.front();
    const int layer = block.layer_count() - 1;
    std::size_t lines = 0;
    for (const int head : {0, 3})
      for (const int query : {0, 3, 6})
        for (int key = 0; key < static_cast<int>(block.n_k()); ++key) {
          SCOPED_TRACE(fmt::format("{} head {} query {} key {}", fields, head, query, key));
          const std::vector<ShortStep> steps = short_arithmetic(tr, block, {layer, head, query, key});
          if (lines == 0) lines = steps.size();
          EXPECT_EQ(steps.size(), lines) << "lines jump from cell to cell";
          Read number = read(steps.front().value);
          for (std::size_t i = 1; i < steps.size(); ++i) {
            const Read expected = apply(steps[i], number);
            number = read(steps[i].value);
            if (std::isinf(expected.value))
              EXPECT_EQ(number.value, expected.value);
            else
              EXPECT_NEAR(number.value, expected.value, 1.01 * (expected.error + number.error) + 1e-300)
                  << steps[i].operation << " " << steps[i].name;
          }
          const double weight = static_cast<double>(block.maps->weight(layer, head, query, key));
          EXPECT_NEAR(number.value, weight, number.error + 1e-6);
        }
  }
}

TEST(ShortArithmetic, of_a_row_without_keys_divides_by_nothing) {
  const auto trace = Engine(1).run(sized(3, 8, 2, R"("mask": "padding:0,1,2")"));
  const auto steps = short_arithmetic(Translator(), trace->blocks.front(), {0, 1, 2, 0});
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

}  // namespace headscope::tests
