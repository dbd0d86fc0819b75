#include "core/scene/score_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/analysis/softmax_row.h"
#include "core/analysis/stage_numbers.h"
#include "core/scene/readable_numbers.h"

namespace headscope {
namespace {

/// "8", or a divisor with enough digits that the quotient comes out as printed.
std::string divisor(double value) {
  return value == std::floor(value) ? fmt::format("{:.0f}", value) : fmt::format("{:.6g}", value);
}

/// q · k in double; computed from the score if the trace does not have q and k.
double dot_product(const BlockTrace& block, const CellPlace& place, double score, const RowRule& rule) {
  constexpr double nearly_one = 1 - 1e-9;
  if (static_cast<std::size_t>(place.layer) >= block.layers.size())
    return (rule.cap > 0 ? rule.cap * std::atanh(std::clamp(score / rule.cap, -nearly_one, nearly_one))
                         : score - (rule.bias.size() > 0 ? rule.bias[place.key] : 0)) /
           rule.scale;
  const LayerTrace& layer = block.layers[place.layer];
  return as_matrix(layer.q, place.head)
      .row(place.query)
      .cast<double>()
      .dot(as_matrix(layer.k, block.kv_head_of(place.layer, place.head)).row(place.key).cast<double>());
}

/// What a line does with the printed number before it.
struct Operation {
  const char* sign;
  double (*apply)(double before, double operand);  ///< nullptr: it begins with its own number
  enum Operand { none, plain, signed_number } operand = signed_number;
  int more_decimals = 0;  ///< of the operand: of a divisor of a large number they matter most
};
namespace op {
constexpr Operation start{"", nullptr, Operation::none};
constexpr Operation divide{"÷ ", [](double before, double by) { return before / by; },
                           Operation::signed_number, 2};
constexpr Operation add{"+ ", [](double before, double other) { return before + other; }};
constexpr Operation replace{"= ", [](double /*before*/, double other) { return other; }};
constexpr Operation subtract{"− ", [](double before, double other) { return before - other; }};
constexpr Operation exponential{"exp", [](double before, double /*none*/) { return std::exp(before); },
                                Operation::none};
constexpr Operation tangent{"tanh", [](double before, double /*none*/) { return std::tanh(before); },
                            Operation::none};
constexpr Operation share{"÷ ", [](double before, double of) { return before / of; }, Operation::plain};
constexpr Operation multiply{"× ", [](double before, double by) { return before * by; }};
constexpr Operation nothing{"", [](double before, double /*none*/) { return before; }, Operation::none};
}  // namespace op

/// A line, before the number of its printed decimals is known.
struct SummaryLine {
  const Operation* does = &op::start;
  double operand = 0;
  std::string text = {};  ///< of the operand, if its digits are fixed
  std::string name = {};
  double exact = 0;  ///< its exact result
  std::string help = {};
};

/// The result of the line computed from the printed number before it.
double given_by(const SummaryLine& line, double before, int decimals) {
  if (line.does->apply == nullptr) return line.exact;
  const int own = decimals + line.does->more_decimals;
  return line.does->apply(before, line.text.empty() ? as_read(line.operand, own) : line.operand);
}

constexpr int final_decimals = 4, max_summary_decimals = 9;

/// The numbers as printed, each computed from the one before it; the last one always has the same number of
/// decimals.
std::vector<double> printed_values(const std::vector<SummaryLine>& lines, int decimals) {
  std::vector<double> values;
  for (const SummaryLine& line : lines) {
    const bool last = &line == &lines.back();
    values.push_back(as_read(given_by(line, values.empty() ? 0 : values.back(), decimals),
                             last ? final_decimals : decimals));
  }
  return values;
}

/// The number of decimals at which every printed number is also correctly rounded; if that takes more than
/// the inspector has room for, within one in its last digit; in any case the last one, which is shown below.
int decimals_for(const std::vector<SummaryLine>& lines) {
  constexpr int room = 5;
  std::optional<int> nearly, last_holds;
  for (int decimals = final_decimals; decimals <= max_summary_decimals; ++decimals) {
    const std::vector<double> values = printed_values(lines, decimals);
    const double unit = std::pow(10.0, -decimals);
    bool hold = true, near = true;
    for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
      const double should = as_read(lines[i].exact, decimals);
      hold &= values[i] == should;
      near &= values[i] == should || std::abs(values[i] - should) < 1.5 * unit;
    }
    if (values.back() != as_read(lines.back().exact, final_decimals)) continue;
    if (hold && decimals <= room) return decimals;
    if (near && !nearly) nearly = decimals;
    if (!last_holds) last_holds = decimals;
  }
  return nearly.value_or(last_holds.value_or(max_summary_decimals));
}

std::string operation_of(const SummaryLine& line, int of_lines) {
  const Operation& does = *line.does;
  if (does.operand == Operation::none) return does.sign;
  const int decimals = of_lines + does.more_decimals;
  return does.sign + (!line.text.empty()                 ? line.text
                      : does.operand == Operation::plain ? printed(line.operand, decimals)
                                                         : printed_operand(line.operand, decimals));
}

std::vector<ShortStep> to_steps(const std::vector<SummaryLine>& lines) {
  const int decimals = decimals_for(lines);
  const std::vector<double> values = printed_values(lines, decimals);
  std::vector<ShortStep> steps;
  for (std::size_t i = 0; i < lines.size(); ++i)
    steps.push_back({operation_of(lines[i], decimals), lines[i].name,
                     printed(values[i], i + 1 == lines.size() ? final_decimals : decimals), values[i],
                     lines[i].help});
  return steps;
}

/// Adds what the mask does to a score.
void add_mask(const Translator& tr, const BlockTrace& block, const CellPlace& place, const SoftmaxRow& row,
              std::vector<SummaryLine>& lines) {
  const double masked = row.masked[place.key];
  const auto put = [&](const Operation& does, double operand, const char* text, std::string help) {
    lines.push_back({&does, operand, text, tr("mask"), masked, std::move(help)});
  };
  const char* free = tr("Not blocked: the mask leaves the score as it is");
  if (block.maps->given()) {
    if (std::isinf(masked))
      put(op::add, masked, "(−∞)", tr("Its weight in the file is 0, so it counts as blocked"));
    else
      put(op::add, 0, "0", free);
    return;
  }
  if (!block.mask_of(place.layer).any()) return;
  const bool infinite = block.fills_with_infinity();
  if (block.mask_of(place.layer).blocked(place.head, place.query, place.key))
    // −1e9 replaces the score and is not added to it: PyTorch's masked_fill.
    put(infinite ? op::add : op::replace, masked, infinite ? "(−∞)" : "−1e9",
        tr("blocked; the score becomes {}", infinite ? "−∞" : "−1e9"));
  else
    put(infinite ? op::add : op::nothing, 0, infinite ? "0" : "", free);
}

}  // namespace

std::vector<ShortStep> score_summary(const Translator& tr, const BlockTrace& block, const CellPlace& place) {
  const SoftmaxRow row = softmax_row(block, place.layer, place.head, place.query);
  if (row.scores.size() == 0) return {};
  const Interventions& interventions = block.interventions;
  const RowRule rule = row_rule(block, place.layer, place.head, place.query);
  const double root = rule.by_sqrt_d_k ? std::sqrt(block.shape.d_k_of(place.layer)) : 1;
  const Index j = place.key;
  std::vector<SummaryLine> lines;
  const bool no_token = rule.sink_is_key && j + 1 == block.n_k();
  const double dot = no_token ? 0 : dot_product(block, place, row.scores[j], rule);
  if (no_token)
    lines.push_back({&op::start, 0, "", "s", row.scores[j], tr("The head's own score of no token")});
  else if (block.maps->given() && !rule.by_sqrt_d_k)
    lines.push_back({&op::start, 0, "", "s", row.scores[j], tr("The score in the capture")});
  else
    lines.push_back({&op::start, 0, "", "q·k", dot,
                     tr("The query's vector times the key's, component by component, and summed")});
  if (rule.by_sqrt_d_k && !no_token)
    lines.push_back({&op::divide, root, root == std::floor(root) ? divisor(root) : "", "√d_k", dot / root,
                     tr("q · k / √d_k, before the mask")});
  if (rule.own_factor)
    lines.push_back({&op::multiply, std::stod(divisor(rule.scale)), divisor(rule.scale), tr("factor"),
                     dot * rule.scale, tr("The model's own factor, in place of 1 / √d_k")});
  if (rule.cap > 0) {
    lines.push_back({&op::divide, rule.cap, divisor(rule.cap), tr("cap"), dot * rule.scale / rule.cap,
                     tr("This model caps its scores: divided by the cap, …")});
    lines.push_back(
        {&op::tangent, 0, "", "", row.scores[j] / rule.cap, tr("… the hyperbolic tangent of that, …")});
    lines.push_back({&op::multiply, rule.cap, divisor(rule.cap), tr("cap"), row.scores[j],
                     tr("… times the cap again: the score, before the mask")});
  }
  if (rule.layer_divisor > 1)
    lines.push_back({&op::divide, static_cast<double>(rule.layer_divisor), std::to_string(rule.layer_divisor),
                     tr("layer"), dot * rule.scale,
                     tr("This model divides by the number of the layer too, before the mask")});
  if (rule.bias.size() > 0)
    lines.push_back(
        {&op::add, rule.bias[j], "", tr("bias"), row.scores[j],
         rule.from_position.size() > 0 ? tr("Query and key times the vectors of their distance (c2p and p2c)")
         : rule.of_segment.size() > 0  ? tr("The query times the vectors of the distance and of the segment")
         : rule.to_position.size() > 0 ? tr("The query times the vector of the distance")
         : rule.slope_of_keys ? tr("The linear bias: the head's slope times the key's place, rounded")
         : rule.slope > 0     ? tr("The linear bias: the head's slope times the distance")
         : rule.repeats > 1   ? tr("The logarithm of how many times the key counts")
                              : tr("The relative bias: the head's learnt number for this distance")});
  add_mask(tr, block, place, row, lines);
  if (interventions.temperature != 1)
    lines.push_back({&op::divide, interventions.temperature, short_number(interventions.temperature), "T",
                     row.tempered[j], tr("The score divided by the temperature: the input of softmax")});
  if (row.row_sum == 0) {
    std::vector<ShortStep> steps = to_steps(lines);
    steps.push_back(
        {"Σ exp", "", printed(0), 0,
         tr("Every key is blocked: there is no maximum to subtract, and the exponentials sum to 0, "
            "by which nothing can be divided. All weights of a blocked row are 0.")});
    return steps;
  }
  lines.push_back({&op::subtract, row.row_max, "", tr("max"), row.tempered[j] - row.row_max,
                   tr("Less the row's largest: the weights stay the same, and no exponential overflows")});
  lines.push_back(
      {&op::exponential, 0, "", "", row.exponentials[j], tr("e to the power of the number above")});
  lines.push_back({&op::share, row.row_sum, "", tr("sum"), row.exponentials[j] / row.row_sum,
                   tr("Divided by the sum of the row's exponentials: the weights of a row sum to 1")});
  if (const Eigen::RowVectorXf dropout = dropout_row(block, place.layer, place.head, place.query);
      dropout.size() > 0) {
    const std::string factor = divisor(dropout[j]);
    lines.push_back({&op::multiply, std::stod(factor), factor, "dropout", row.weights[j] * dropout[j],
                     tr("0 where dropout drops the weight, else 1 / (1 − p)")});
  }
  return to_steps(lines);
}

}  // namespace headscope
