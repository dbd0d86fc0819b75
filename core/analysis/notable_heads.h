#pragma once
#include <cstddef>
#include <memory>
#include <stop_token>
#include <vector>

#include "core/analysis/statistics.h"

namespace headscope {

/// A head that mostly looks at one kind of key: the query itself, the previous, next or first token, the same
/// token elsewhere, or what followed it there (induction).
struct NotableHead {
  int layer = 0, head = 0;
  const HeadColumn* column = nullptr;
  double value = 0;  ///< of the column: the mean weight on that kind of key
};

struct NotableHeads {
  static constexpr std::size_t maximum = 6;
  /// Of one kind: large models have dozens of heads that rest on the first token.
  static constexpr std::size_t of_a_kind = 2;
  /// From 0, what equal weights on all visible keys give, to 1, all weight on that kind of key; so that a map
  /// without a pattern has none, however short the text is.
  static constexpr double min_excess = 0.5;
  /// A mean over fewer queries is no evidence of a pattern.
  static constexpr Index min_queries = 3;

  std::vector<NotableHead> heads;  ///< largest value first
};

/// Of all layers of a block, each with the statistic whose threshold it exceeds most. nullptr if stopped.
std::shared_ptr<const NotableHeads> notable_heads(const BlockTrace& block, const BlockStatistics& statistics,
                                                  const std::stop_token& stop = {});

/// A statistic of the heads of one layer, and the heads that are the furthest apart in it.
struct HeadContrast {
  const HeadColumn* column = nullptr;
  int highest = 0, lowest = 0;
  double high = 0, low = 0;
};
/// The statistics in which the heads of a layer differ most, relative to a full bar of the column: at most
/// `maximum`, the largest difference first. Empty for one head, or if the statistics are not known.
std::vector<HeadContrast> head_contrasts(const BlockStatistics& statistics, int layer, std::size_t maximum);

}  // namespace headscope
