#pragma once
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>

#include "core/attention/streamed_pass.h"
#include "core/source/maps/map_source.h"

namespace headscope {

/// Reads pooled maps of heads by streamed softmax over their queries and keys. Row sums of a pass over a
/// whole map are cached, so that a part of it only computes its own keys. Thread-safe.
class StreamedGroups {
 public:
  struct Head {
    int layer = 0, number = 0;
    const HeadRows &q, &k;
    const AttentionRule& rule;
    /// Writes dropout factors [end - begin, n_k]; empty: none.
    std::function<void(Index begin, Index end, float* factors)> dropout{};
  };
  Tensor read(const Head& head, const MapSource::Groups& groups, const ComputeContext& compute) const;

 private:
  std::shared_ptr<const StreamedMap> find(std::pair<int, int> of) const;
  void keep(std::pair<int, int> of, StreamedMap rows) const;

  struct Sums {
    std::pair<int, int> of;  // layer and head
    std::shared_ptr<const StreamedMap> rows;
  };
  mutable std::mutex mutex_;
  mutable std::deque<Sums> sums_;  // most recent first
};

}  // namespace headscope
