#include "core/session/history.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/text/translate.h"

namespace headscope {
namespace {

// The name of a change, gathered field by field.
class Change {
 public:
  void note(bool differs, const char* name) {
    if (!differs || (what_ != nullptr && std::strcmp(what_, name) == 0)) return;
    what_ = what_ == nullptr ? name : TR("Several inputs");
  }
  const char* what() const { return what_ == nullptr ? TR("No change") : what_; }

 private:
  const char* what_ = nullptr;
};

void compare_layer(const Inputs& a, const Inputs& b, Change& change) {
  change.note(a.d_model != b.d_model, "d_model");
  change.note(a.heads != b.heads, TR("Heads"));
  change.note(a.seed != b.seed, TR("Seed"));
  change.note(a.inputs != b.inputs, TR("Inputs"));
  change.note(a.positions != b.positions, TR("Positions"));
  change.note(a.weights != b.weights || a.sigma != b.sigma || a.typed != b.typed, TR("Weights"));
  change.note(a.gain_q != b.gain_q, TR("Gain of W_Q"));
  change.note(a.gain_k != b.gain_k, TR("Gain of W_K"));
  change.note(a.kv_heads != b.kv_heads, TR("Key-value heads"));
  change.note(a.layers != b.layers || a.share_layers != b.share_layers || a.residual != b.residual ||
                  a.layer_norm != b.layer_norm || a.feed_forward != b.feed_forward,
              TR("Stack of layers"));
}

void compare_inputs(const Inputs& a, const Inputs& b, Change& change) {
  change.note(a.sentence != b.sentence, TR("Sentence"));
  change.note(a.key_sentence != b.key_sentence, TR("Second sentence"));
  compare_layer(a, b, change);
  change.note(a.mask != b.mask, TR("Mask"));
  change.note(a.mask_fill != b.mask_fill, TR("Fill"));
  change.note(a.temperature != b.temperature, TR("Temperature"));
  change.note(a.scale != b.scale, TR("Scale"));
  change.note(a.dropout != b.dropout || a.dropout_seed != b.dropout_seed, TR("Dropout"));
}

}  // namespace

const char* describe_change(const DocumentState& before, const DocumentState& after) {
  if (before.compare.has_value() != after.compare.has_value()) return TR("Comparison");
  Change change;
  compare_inputs(before.inputs, after.inputs, change);
  if (after.compare) compare_inputs(*before.compare, *after.compare, change);
  return change.what();
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
