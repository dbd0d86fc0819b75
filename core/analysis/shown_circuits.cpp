#include "core/analysis/shown_circuits.h"

#include <algorithm>
#include <numeric>

#include "core/analysis/expectations.h"
#include "core/base/stopped.h"
#include "core/model/run/model_run.h"

namespace headscope {
namespace {

constexpr Index listed = 10, directions_shown = 3, tokens_of_direction = 5;

/// A direction's sign is arbitrary: the side with the larger product counts.
std::vector<TokenScore> along(const Eigen::VectorXd& scores) {
  return extreme_tokens(scores, tokens_of_direction, scores.maxCoeff() >= -scores.minCoeff());
}

}  // namespace

std::shared_ptr<const CircuitNumbers> circuit_numbers(const BlockTrace& block, bool center_logits,
                                                      const std::stop_token& stop,
                                                      const std::function<void(double share)>& progress) {
  if (!block.circuits) return nullptr;
  const Circuits circuits(*block.circuits, center_logits);
  auto numbers = std::make_shared<const CircuitNumbers>(circuits.numbers(stop, progress));
  return stop_requested(stop) ? nullptr : numbers;
}

std::vector<DirectionTokens> direction_tokens(const Circuits& circuits, Index layer, Index head, bool of_ov,
                                              const std::stop_token& stop) {
  const std::vector<double> values = circuits.singular_values(layer, head, of_ov);
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  std::vector<DirectionTokens> found;
  for (const Direction& each : circuits.directions(layer, head, of_ov, directions_shown)) {
    if (stop_requested(stop)) break;
    found.push_back({sum > 0 ? each.value / sum : 0,
                     along(of_ov ? circuits.unembedded(each.left) : circuits.embedded(each.left)),
                     along(circuits.embedded(each.right))});
  }
  return found;
}

HeadCircuit head_circuit(const Circuits& circuits, const Trace& trace, const CircuitChoice& choice) {
  HeadCircuit chosen;
  chosen.head.layer = std::clamp(choice.layer, 0, static_cast<int>(circuits.layers()) - 1);
  chosen.head.head = std::clamp(choice.head, 0, static_cast<int>(circuits.heads()) - 1);
  chosen.token = named_token(*trace.predictions, choice.token).value_or(trace.run->input().ids.back());
  if (circuits.rotary(chosen.head.layer)) chosen.distance = choice.distance;
  return chosen;
}

std::shared_ptr<const ShownCircuits> shown_circuits(const Trace& trace, const CircuitChoice& choice,
                                                    const std::stop_token& stop,
                                                    const std::function<void(double share)>& progress) {
  auto shown = std::make_shared<ShownCircuits>();
  try {
    const Circuits circuits(trace.run->model(), choice.center_logits);
    const HeadCircuit chosen = head_circuit(circuits, trace, choice);
    shown->layer = chosen.head.layer;
    shown->head = chosen.head.head;
    shown->token = *chosen.token;
    shown->composition = choice.composition;
    shown->center_logits = choice.center_logits;
    shown->random = circuits.random_composition();
    const Index layer = shown->layer, head = shown->head;
    const Eigen::VectorXd logits = circuits.ov_logits(layer, head, shown->token);
    shown->raises = extreme_tokens(logits, listed, true);
    shown->lowers = extreme_tokens(logits, listed, false);
    shown->rotary = circuits.rotary(layer);
    shown->global_tokens = trace.run->model().config().has_global_tokens;
    shown->distance = chosen.distance;
    shown->matches =
        extreme_tokens(circuits.qk_scores(layer, head, shown->token, shown->distance), listed, true);
    for (const bool of_ov : {false, true}) {
      (of_ov ? shown->ov_values : shown->qk_values) = circuits.singular_values(layer, head, of_ov);
      (of_ov ? shown->ov_directions : shown->qk_directions) =
          direction_tokens(circuits, layer, head, of_ov, stop);
      if (stop_requested(stop)) return nullptr;
    }
    shown->with_head = Eigen::MatrixXd::Zero(circuits.layers(), circuits.heads());
    shown->earlier = std::max(0, shown->layer - 1);
    shown->later = shown->earlier + 1;
    for (Index other = 0; other < circuits.layers(); ++other) {
      if (stop_requested(stop)) return nullptr;
      if (progress) progress(static_cast<double>(other) / static_cast<double>(circuits.layers()));
      if (other == layer) continue;
      const Index earlier = std::min(other, layer), later = std::max(other, layer);
      const Eigen::MatrixXd pairs = circuits.composition(choice.composition, earlier, later);
      if (earlier == shown->earlier && later == shown->later) shown->between = pairs;
      if (other < layer)
        shown->with_head.row(other) = pairs.col(head).transpose();
      else
        shown->with_head.row(other) = pairs.row(head);
    }
  } catch (const Error& error) {
    shown->refusal = error;
  }
  return shown;
}

}  // namespace headscope
