#include "core/source/maps/streamed_groups.h"

#include <algorithm>

namespace headscope {

Tensor StreamedGroups::read(const Head& head, const MapSource::Groups& groups,
                            const ComputeContext& compute) const {
  StreamedRequest request;
  request.query_pool = groups.queries;
  request.key_group = groups.keys;
  request.every = groups.every;
  request.query_begin = groups.query_begin;
  request.query_end = groups.query_end;
  request.key_begin = groups.key_begin;
  request.key_end = groups.key_end;
  request.mean = groups.mean;
  request.progress = groups.progress;
  request.dropout = head.dropout;
  const std::pair of(head.layer, head.number);
  const auto known = find(of);
  request.known = known.get();
  StreamedMap map =
      stream_map(head.q, head.k, nullptr, head.rule, head.number, request, compute, groups.stop);
  if (groups.cells != nullptr) *groups.cells += map.cells;
  Tensor overview = std::move(map.overview);
  const bool whole =
      groups.every == 1 && groups.query_begin == 0 && (groups.query_end == 0 || groups.query_end == head.q.n);
  if (!known && whole && !groups.stop.stop_requested()) keep(of, std::move(map));
  return overview;
}

std::shared_ptr<const StreamedMap> StreamedGroups::find(std::pair<int, int> of) const {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(sums_, of, &Sums::of);
  return found == sums_.end() ? nullptr : found->rows;
}

void StreamedGroups::keep(std::pair<int, int> of, StreamedMap rows) const {
  constexpr std::size_t max_heads = 32;
  const std::lock_guard lock(mutex_);
  sums_.push_front({of, std::make_shared<const StreamedMap>(std::move(rows))});
  if (sums_.size() > max_heads) sums_.pop_back();
}

}  // namespace headscope
