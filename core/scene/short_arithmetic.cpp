#include "core/scene/short_arithmetic.h"

#include <fmt/format.h>

#include <cmath>

#include "core/analysis/softmax_row.h"
#include "core/scene/readable_numbers.h"

namespace headscope {
namespace {

/// "8", or as many digits as a divisor needs that what is divided by it comes out as printed.
std::string divisor(double value) {
  return value == std::floor(value) ? fmt::format("{:.0f}", value) : fmt::format("{:.6g}", value);
}

/// q · k in double; from the score where the trace does not have q and k.
double dot_product(const BlockTrace& block, const CellPlace& place, double score, const RowRule& rule) {
  if (static_cast<std::size_t>(place.layer) >= block.layers.size())
    return (score - (rule.bias.size() > 0 ? rule.bias[place.key] : 0)) / rule.scale;
  const LayerTrace& layer = block.layers[static_cast<std::size_t>(place.layer)];
  return as_matrix(layer.q, place.head)
      .row(place.query)
      .cast<double>()
      .dot(as_matrix(layer.k, kv_head_of(block, place.head)).row(place.key).cast<double>());
}

}  // namespace

std::vector<ShortStep> short_arithmetic(const Translator& tr, const BlockTrace& block,
                                        const CellPlace& place) {
  const SoftmaxRow row = softmax_row(block, place.layer, place.head, place.query);
  if (row.scores.size() == 0) return {};
  const WhatIf& what_if = block.what_if;
  const RowRule rule = row_rule(block, place.layer, place.head, place.query);
  const double root = rule.by_root ? std::sqrt(static_cast<double>(block.shape.d_k)) : 1;
  const Index j = place.key;
  std::vector<ShortStep> steps;
  const double dot = dot_product(block, place, row.scores[j], rule);
  if (block.maps->given() && !rule.by_root)
    steps.push_back({"", "s", printed(row.scores[j]), tr("The score in the capture")});
  else
    steps.push_back({"", "q·k", printed(dot),
                     tr("The query's vector times the key's, component by component, and summed")});
  if (rule.by_root)
    steps.push_back({"÷ " + divisor(root), "√d_k", printed(dot / root), tr("q · k / √d_k, before the mask")});
  if (rule.layer_divisor > 1)
    steps.push_back({"÷ " + divisor(static_cast<double>(rule.layer_divisor)), tr("layer"),
                     printed(dot * rule.scale),
                     tr("This model divides by the number of the layer too, before the mask")});
  if (rule.bias.size() > 0)
    steps.push_back({"+ " + printed_operand(rule.bias[j]), tr("bias"), printed(row.scores[j]),
                     tr("The relative bias: the head's learnt number for this distance")});
  if (what_if.temperature != 1)
    steps.push_back({"÷ " + divisor(what_if.temperature), "T", printed(row.scores[j] / what_if.temperature),
                     tr("The score divided by the temperature: the input of softmax")});
  if (block.maps->given()) {
    const bool blocked = std::isinf(row.masked[j]);
    steps.push_back({blocked ? "+ (−∞)" : "+ 0", tr("mask"), printed(row.masked[j]),
                     blocked ? tr("Its weight in the file is 0, so it counts as blocked")
                             : tr("Not blocked: the mask leaves the score as it is")});
  }
  if (block.mask_of(place.layer).any()) {
    const bool blocked = block.mask_of(place.layer).blocked(place.head, place.query, place.key);
    const char* fill = block.fills_with_infinity() ? "−∞" : "−1e9";
    // What −1e9 takes the place of is not added to it: PyTorch's masked_fill.
    steps.push_back({!blocked                      ? block.fills_with_infinity() ? "+ 0" : ""
                     : block.fills_with_infinity() ? "+ (−∞)"
                                                   : "= −1e9",
                     tr("mask"), printed(row.masked[j]),
                     blocked ? tr.format("blocked; the score becomes {}", fill)
                             : std::string(tr("Not blocked: the mask leaves the score as it is"))});
  }
  if (row.row_sum == 0) {
    steps.push_back(
        {"Σ exp = 0", "", printed(0),
         tr("Every key is blocked: there is no maximum to subtract, and the exponentials sum to 0, "
            "by which nothing can be divided. All weights of a blocked row are 0.")});
    return steps;
  }
  steps.push_back({"− " + printed_operand(row.row_max), tr("max"), printed(row.masked[j] - row.row_max),
                   tr("Less the row's largest: the weights stay the same, and no exponential overflows")});
  steps.push_back({"exp", "", printed(row.exponentials[j]), tr("e to the power of the number above")});
  steps.push_back({"÷ " + printed(row.row_sum), tr("sum"), printed(row.weights[j]),
                   tr("Divided by the sum of the row's exponentials: the weights of a row sum to 1")});
  if (const Eigen::RowVectorXf dropout = dropout_row(block, place.layer, place.head, place.query);
      dropout.size() > 0)
    steps.push_back({"× " + divisor(static_cast<double>(dropout[j])), "dropout",
                     printed(row.weights[j] * static_cast<double>(dropout[j])),
                     tr("0 where dropout drops the weight, else 1 / (1 − p)")});
  return steps;
}

}  // namespace headscope
