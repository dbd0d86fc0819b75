#include "core/source/maps/pooled_maps.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "core/base/round_up.h"

namespace headscope {
namespace {

constexpr Index max_groups = 1024;

Index pool_for(Index n) {
  return divide_up(n, max_groups);
}

/// The beginning of each block, followed by the number of tokens.
std::vector<Index> pool_begins(Index n, Index pool) {
  std::vector<Index> begins;
  for (Index first = 0; first < n; first += pool) begins.push_back(first);
  begins.push_back(n);
  return begins;
}

/// A block is named by the numbers of its tokens, counted from 1; one of a single token by its text.
std::vector<Token> pooled_tokens(const std::vector<Token>& tokens, const std::vector<Index>& begins) {
  std::vector<Token> pools;
  for (std::size_t i = 0; i + 1 < begins.size(); ++i) {
    const Token &first = tokens[begins[i]], &last = tokens[begins[i + 1] - 1];
    Token pool = first;
    pool.end = last.end;
    if (begins[i + 1] - begins[i] > 1) pool.text = fmt::format("{}–{}", begins[i] + 1, begins[i + 1]);
    pools.push_back(std::move(pool));
  }
  return pools;
}

class PooledMaps : public MapSource {
 public:
  PooledMaps(std::shared_ptr<const MapSource> maps, Index query_pool, Index key_pool, PooledQueries of,
             bool means)
      : MapSource({maps->size().layers, maps->size().heads, pools(maps->size().n_q, query_pool),
                   pools(maps->size().n_k, key_pool)}),
        maps_(std::move(maps)),
        query_pool_(query_pool),
        key_pool_(key_pool),
        every_(of == PooledQueries::sample ? query_pool : 1),
        means_(means) {}

  void rows(int layer, int head, Index begin, Index end, float* out) const override {
    read_ahead(layer, head, {}, {});
    const Tensor map = resident(layer, head);
    if (map.empty())
      std::fill_n(out, (end - begin) * size().n_k, 0.0F);  // abandoned
    else
      std::copy_n(map.at(begin), (end - begin) * size().n_k, out);
  }
  /// Only what was read already.
  Tensor resident(int layer, int head) const override {
    const std::lock_guard lock(mutex_);
    const auto found = kept_.find({layer, head});
    return found == kept_.end() ? Tensor() : found->second.map;
  }
  std::optional<ReadingCost> reading_cost(int layer, int head) const override {
    const std::lock_guard lock(mutex_);
    const auto found = kept_.find({layer, head});
    return found == kept_.end() ? std::nullopt : std::optional(found->second.cost);
  }
  bool read_ahead(int layer, int head, const std::stop_token& stop,
                  const std::function<void(Index done, Index all)>& progress) const override {
    const std::lock_guard one_at_a_time(reading_);
    if (!resident(layer, head).empty()) return true;
    std::stop_source ended;
    const auto end = [&ended] { ended.request_stop(); };
    const std::stop_callback by_caller(stop, end), by_all(abandoned_.get_token(), end);
    Pools wanted;
    wanted.queries = query_pool_;
    wanted.keys = key_pool_;
    wanted.every = every_;
    wanted.mean = means_;
    std::atomic<std::int64_t> cells = 0;
    wanted.cells = &cells;
    wanted.stop = ended.get_token();
    wanted.progress = progress;
    const auto begun = std::chrono::steady_clock::now();
    Tensor result = maps_->pooled(layer, head, wanted);
    if (ended.stop_requested()) return false;
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
    const std::lock_guard lock(mutex_);
    kept_[{layer, head}] = {std::move(result), {cells, took.count()}};
    return true;
  }
  void abandon() const override { abandoned_.request_stop(); }
  bool given() const override { return maps_->given(); }
  std::optional<Error> warning() const override { return maps_->warning(); }
  std::optional<Error> error() const override { return maps_->error(); }

 private:
  static Index pools(Index n, Index pool) { return divide_up(n, pool); }

  std::shared_ptr<const MapSource> maps_;
  Index query_pool_, key_pool_, every_;
  bool means_;
  struct Kept {
    Tensor map;
    ReadingCost cost;
  };
  mutable std::stop_source abandoned_;
  mutable std::mutex reading_;  // one pass uses all processors
  mutable std::mutex mutex_;
  mutable std::map<std::pair<int, int>, Kept> kept_;  // of layers and heads
};

}  // namespace

bool is_long(const InputTokens& tokens) {
  return std::max(tokens.queries.size(), tokens.keys.size()) > max_single_tokens;
}

bool has_long_text(const Inputs& inputs) {
  if (!inputs.seeded()) return false;
  // No text has more tokens than bytes.
  const std::size_t bytes = std::max(inputs.sentence.size(), inputs.key_sentence.value_or("").size());
  if (bytes <= max_single_tokens) return false;
  try {
    return is_long(tokens_of(inputs));
  } catch (const Error&) {
    return true;  // too long for any run, which says so
  }
}

bool needs_pooling(const BlockTrace& block) {
  return block.maps && !block.pooled() && std::max(block.n_q(), block.n_k()) > max_single_tokens;
}

std::shared_ptr<const BlockTrace> with_pooling(std::shared_ptr<const BlockTrace> block, PooledQueries of,
                                               bool means) {
  if (!needs_pooling(*block)) return block;
  auto pooled = std::make_shared<BlockTrace>();
  pooled->shape = block->shape;
  pooled->text = block->text;
  pooled->interventions = block->interventions;
  pooled->query_pool = pool_for(block->n_q());
  pooled->key_pool = pool_for(block->n_k());
  const std::vector<Index> queries = pool_begins(block->n_q(), pooled->query_pool),
                           keys = pool_begins(block->n_k(), pooled->key_pool);
  pooled->tokens = pooled_tokens(block->tokens, queries);
  pooled->key_tokens = pooled_tokens(block->key_tokens, keys);
  pooled->mask = pooled_mask(block->mask, block->heads(), queries, keys);
  for (const Mask& mask : block->layer_masks)
    pooled->layer_masks.push_back(pooled_mask(mask, block->heads(), queries, keys));
  pooled->maps =
      std::make_shared<const PooledMaps>(block->maps, pooled->query_pool, pooled->key_pool, of, means);
  pooled->cells = block->cells;
  if (block->cells.maps)
    pooled->cells.maps = std::make_shared<const PooledMaps>(block->cells.maps, pooled->query_pool,
                                                            pooled->key_pool, of, means);
  pooled->means = means;
  pooled->sampled = of == PooledQueries::sample;
  pooled->single = std::move(block);
  return pooled;
}

bool read_ahead(const BlockTrace& pooled, int layer, std::span<const int> heads,
                const std::function<void(double share)>& progress, const std::stop_token& stop) {
  for (std::size_t i = 0; pooled.maps && i < heads.size(); ++i) {
    const auto report = [&](Index done, Index all) {
      if (progress)
        progress((static_cast<double>(i) + static_cast<double>(done) / static_cast<double>(all)) /
                 static_cast<double>(heads.size()));
    };
    if (!pooled.shown_maps().read_ahead(layer, heads[i], stop, report)) return false;
  }
  return true;
}

}  // namespace headscope
