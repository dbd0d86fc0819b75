#include "app/state/derived/map_motion.h"

#include <algorithm>

#include "core/base/matrix.h"

namespace headscope {

void MapMotion::leave(std::shared_ptr<const FilteredLayer> shown) {
  from_ = std::move(shown);
  to_ = nullptr;
  share_ = 1;
}

void MapMotion::follow(const std::shared_ptr<const FilteredLayer>& shown, double now) {
  if (!from_) return;
  if (!to_ && shown->block != from_->block) {
    const bool same = shown->queries == from_->queries && shown->keys == from_->keys &&
                      shown->layer == from_->layer && shown->heads() == from_->heads();
    if (!same) return leave(nullptr);
    to_ = shown;
    begin_ = now;
  }
  if (!to_) return;
  // A further change by the user is shown at once.
  if (to_ != shown) return leave(nullptr);
  const double t = std::clamp((now - begin_) / seconds, 0.0, 1.0);
  share_ = t * t * (3 - 2 * t);
  if (t >= 1) leave(nullptr);
}

std::shared_ptr<const std::vector<float>> MapMotion::between(int head) const {
  if (!moving() || from_->weights(head) == nullptr || to_->weights(head) == nullptr) return nullptr;
  const Index cells = to_->n_q() * to_->n_k();
  auto values = std::make_shared<std::vector<float>>(static_cast<std::size_t>(cells));
  const auto share = static_cast<float>(share_);
  RowSpan(values->data(), cells) =
      (1 - share) * RowView(from_->weights(head), cells) + share * RowView(to_->weights(head), cells);
  return values;
}

}  // namespace headscope
