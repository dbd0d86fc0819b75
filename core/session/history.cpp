#include "core/session/history.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/base/translate.h"

namespace headscope {
namespace {

void add(std::vector<const char*>& names, const std::vector<const char*>& more) {
  for (const char* name : more)
    if (std::ranges::none_of(names, [&](const char* known) { return std::strcmp(known, name) == 0; }))
      names.push_back(name);
}

}  // namespace

std::vector<const char*> changed_inputs(const Inputs& a, const Inputs& b) {
  std::vector<const char*> names;
  const auto note = [&names](bool same, const char* name) {
    if (!same) names.push_back(name);
  };
  note(a.sentence == b.sentence, TR("Sentence"));
  note(a.key_sentence == b.key_sentence, TR("Second sentence"));
  note(a.d_model == b.d_model, "d_model");
  note(a.heads == b.heads, TR("Heads"));
  note(a.kv_heads == b.kv_heads, TR("Key-value heads"));
  note(a.seed == b.seed, TR("Seed"));
  note(a.vectors == b.vectors, TR("Inputs"));
  note(a.positions == b.positions, TR("Positions"));
  note(a.mask == b.mask, TR("Mask"));
  note(a.mask_fill == b.mask_fill, TR("Fill"));
  note(a.temperature == b.temperature, TR("Temperature"));
  note(a.scale == b.scale, TR("Scale"));
  note(a.dropout == b.dropout && a.dropout_seed == b.dropout_seed, TR("Dropout"));
  note(a.gain_q == b.gain_q, TR("Gain of W_Q"));
  note(a.gain_k == b.gain_k, TR("Gain of W_K"));
  note(a.weights == b.weights && a.sigma == b.sigma && a.manual_weights == b.manual_weights, TR("Weights"));
  note(a.layers == b.layers && a.share_layers == b.share_layers && a.residual == b.residual &&
           a.layer_norm == b.layer_norm && a.feed_forward == b.feed_forward,
       TR("Stack of layers"));
  return names;
}

const char* describe_change(const DocumentState& before, const DocumentState& after) {
  if (before.compare.has_value() != after.compare.has_value()) return TR("Comparison");
  std::vector<const char*> names = changed_inputs(before.inputs, after.inputs);
  if (after.compare) add(names, changed_inputs(*before.compare, *after.compare));
  if (before.labels != after.labels) names.push_back(TR("Names and colours of heads"));
  return names.empty() ? TR("No change") : names.size() == 1 ? names.front() : TR("Several inputs");
}

History::History(DocumentState start) {
  steps_.push_back({std::move(start), TR("Start"), 0});
}

void History::record(const DocumentState& state, std::uint64_t gesture) {
  Step& now = steps_[current_];
  if (state == now.state) return;
  const char* what = describe_change(now.state, state);
  steps_.resize(current_ + 1, now);
  if (current_ > 0 && now.gesture == gesture && std::strcmp(now.what, what) == 0) {
    steps_.back().state = state;
    // A drag that ends where it began has changed nothing.
    if (state == steps_[current_ - 1].state) {
      steps_.pop_back();
      --current_;
    }
    return;
  }
  steps_.push_back({state, what, gesture});
  if (steps_.size() > most_steps) steps_.erase(steps_.begin());
  current_ = steps_.size() - 1;
}

const DocumentState& History::undo() {
  return jump(current_ == 0 ? 0 : current_ - 1);
}
const DocumentState& History::redo() {
  return jump(current_ + 1);
}

const DocumentState& History::jump(std::size_t step) {
  current_ = std::min(step, steps_.size() - 1);
  return steps_[current_].state;
}

}  // namespace headscope
