#include "app/state/derived/long_blocks.h"

#include <algorithm>
#include <utility>

#include "app/state/jobs/freezing.h"
#include "core/source/maps/pooled_maps.h"
#include "core/source/maps/work_forecast.h"

namespace headscope {

LongBlocks::~LongBlocks() {
  for (Long& one : blocks_) stop(one);
}

void LongBlocks::stop(Long& one) {
  if (one.sampled) one.sampled->shown_maps().abandon();
  if (one.complete) one.complete->shown_maps().abandon();
  if (one.work) one.work->stop();
}

void LongBlocks::leave(Long& old) const {
  stop(old);
  if (old.work) ending_.push_back(std::move(old.work));
  old = {};
}

LongBlocks::Long* LongBlocks::find(const std::shared_ptr<const BlockTrace>& block) const {
  const auto found = std::ranges::find_if(blocks_, [&](const Long& one) {
    return block && (one.block == block || one.sampled == block || one.complete == block);
  });
  return found == blocks_.end() ? nullptr : &*found;
}

std::shared_ptr<const BlockTrace> LongBlocks::in_view(const std::shared_ptr<const BlockTrace>& block,
                                                      bool means, bool compared) const {
  if (!needs_pooling(*block)) return block;
  Long* found = find(block);
  if (found == nullptr || found->means != means) {
    if (found == nullptr) {
      std::swap(blocks_[0], blocks_[1]);
      found = &blocks_[0];
    }
    leave(*found);
    found->block = block;
    found->means = means;
    found->sampled = with_pooling(block, PooledQueries::sample, means);
    found->complete = with_pooling(block, PooledQueries::all, means);
    found->work = std::make_unique<Background<Wanted, Done>>();
  }
  found->requested = true;
  const Long& other = blocks_[found == &blocks_[0] ? 1 : 0];
  const bool waits = compared && other.block && !other.is_complete;
  return found->is_complete && !waits ? found->complete : found->sampled;
}

void LongBlocks::look_at(const std::shared_ptr<const BlockTrace>& block, int layer,
                         const std::vector<int>& heads) {
  Long* const found = find(block);
  if (found == nullptr || heads.empty() || layer < 0 || layer >= block->layer_count()) return;
  const Wanted wanted{found->complete, layer, heads};
  if (found->wanted != wanted) {
    found->wanted = wanted;
    found->is_complete = std::ranges::none_of(
        heads, [&](int head) { return wanted.complete->shown_maps().resident(layer, head).empty(); });
  }
  const auto done = found->work->get(
      wanted, found->is_complete,
      [wanted, sampled = found->sampled](const std::stop_token& stop,
                                         WorkProgress& progress) -> std::shared_ptr<const Done> {
        report_unasked(progress, forecast_of_maps(*sampled, static_cast<double>(wanted.heads.size())));
        progress.show(0);
        if (!read_ahead(*sampled, wanted.layer, wanted.heads, {}, stop)) return nullptr;
        progress.begin();
        const auto show = [&](double share) { progress.show(share); };
        if (!read_ahead(*wanted.complete, wanted.layer, wanted.heads, show, stop)) return nullptr;
        return std::make_shared<const Done>(wanted);
      });
  if (done && *done == wanted) found->is_complete = true;
}

void LongBlocks::settle() {
  std::erase_if(ending_, [](const auto& work) { return work->rests(); });
  for (Long& one : blocks_) {
    if (one.work) one.work->settle();
    if (!std::exchange(one.requested, false) && one.block) leave(one);
  }
}

bool LongBlocks::busy() const {
  // One more frame releases unused blocks, which may take hundreds of megabytes.
  return !ending_.empty() || BackgroundGroup::busy();
}

void LongBlocks::for_each(const std::function<void(BackgroundWork&)>& use) const {
  for (const Long& one : blocks_)
    if (one.work) use(*one.work);
}

}  // namespace headscope
