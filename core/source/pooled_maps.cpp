#include "core/source/pooled_maps.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace headscope {
namespace {

constexpr Index most_groups = 1024;

Index group_for(Index n) {
  return (n + most_groups - 1) / most_groups;
}

/// Where each group begins, and after the last the number of tokens.
std::vector<Index> group_begins(Index n, Index group) {
  std::vector<Index> begins;
  for (Index first = 0; first < n; first += group) begins.push_back(first);
  begins.push_back(n);
  return begins;
}

/// A group is named by the numbers of its tokens, one of a single token by its text.
std::vector<Token> grouped_tokens(const std::vector<Token>& tokens, const std::vector<Index>& begins) {
  std::vector<Token> groups;
  for (std::size_t i = 0; i + 1 < begins.size(); ++i) {
    const Token &first = tokens[static_cast<std::size_t>(begins[i])],
                &last = tokens[static_cast<std::size_t>(begins[i + 1] - 1)];
    Token group = first;
    group.end = last.end;
    if (begins[i + 1] - begins[i] > 1) group.text = fmt::format("{}–{}", begins[i], begins[i + 1] - 1);
    groups.push_back(std::move(group));
  }
  return groups;
}

class GroupedMaps : public MapSource {
 public:
  GroupedMaps(std::shared_ptr<const MapSource> maps, Index query_group, Index key_group)
      : MapSource({maps->size().layers, maps->size().heads, groups(maps->size().n_q, query_group),
                   groups(maps->size().n_k, key_group)}),
        maps_(std::move(maps)),
        query_group_(query_group),
        key_group_(key_group) {}

  void rows(int layer, int head, Index begin, Index end, float* out) const override {
    std::copy_n(resident(layer, head).at(begin), (end - begin) * size().n_k, out);
  }
  Tensor resident(int layer, int head) const override { return read(layer, head, {}, {}); }
  Tensor read(int layer, int head, const std::stop_token& stop,
              const std::function<void(Index done, Index all)>& progress) const {
    const std::lock_guard lock(mutex_);
    Tensor& kept = kept_[{layer, head}];
    if (!kept.empty()) return kept;
    Groups wanted;
    wanted.queries = query_group_;
    wanted.keys = key_group_;
    wanted.stop = stop;
    wanted.progress = progress;
    Tensor map = maps_->in_groups(layer, head, wanted);
    if (!stop.stop_requested()) kept = map;
    return map;
  }
  bool given() const override { return maps_->given(); }
  std::optional<Error> doubt() const override { return maps_->doubt(); }
  std::optional<Error> trouble() const override { return maps_->trouble(); }

 private:
  static Index groups(Index n, Index group) { return (n + group - 1) / group; }

  std::shared_ptr<const MapSource> maps_;
  Index query_group_, key_group_;
  mutable std::mutex mutex_;
  mutable std::map<std::pair<int, int>, Tensor> kept_;
};

}  // namespace

bool needs_groups(const BlockTrace& block) {
  return block.maps && !block.grouped() && std::max(block.n_q(), block.n_k()) > most_single_tokens;
}

std::shared_ptr<const BlockTrace> with_groups(std::shared_ptr<const BlockTrace> block) {
  if (!needs_groups(*block)) return block;
  auto grouped = std::make_shared<BlockTrace>();
  grouped->shape = block->shape;
  grouped->text = block->text;
  grouped->what_if = block->what_if;
  grouped->query_group = group_for(block->n_q());
  grouped->key_group = group_for(block->n_k());
  const std::vector<Index> queries = group_begins(block->n_q(), grouped->query_group),
                           keys = group_begins(block->n_k(), grouped->key_group);
  grouped->tokens = grouped_tokens(block->tokens, queries);
  grouped->key_tokens = grouped_tokens(block->key_tokens, keys);
  grouped->mask = mask_of_groups(block->mask, block->heads(), queries, keys);
  for (const Mask& mask : block->layer_masks)
    grouped->layer_masks.push_back(mask_of_groups(mask, block->heads(), queries, keys));
  grouped->maps = std::make_shared<const GroupedMaps>(block->maps, grouped->query_group, grouped->key_group);
  return grouped;
}

void read_ahead(const BlockTrace& grouped, int layer, std::span<const int> heads,
                const std::function<void(double share)>& progress, const std::stop_token& stop) {
  const auto* maps = dynamic_cast<const GroupedMaps*>(grouped.maps.get());
  for (std::size_t i = 0; maps != nullptr && i < heads.size() && !stop.stop_requested(); ++i)
    maps->read(layer, heads[i], stop, [&](Index done, Index all) {
      progress((static_cast<double>(i) + static_cast<double>(done) / static_cast<double>(all)) /
               static_cast<double>(heads.size()));
    });
}

}  // namespace headscope
