#include "core/attention/tiled_pass.h"

#include <algorithm>
#include <atomic>
#include <mutex>

#include "core/attention/visible_spans.h"
#include "core/base/matrix.h"
#include "core/base/round_up.h"
#include "core/base/stopped.h"

namespace headscope {

TiledPass::TiledPass(const HeadRows& q, const HeadRows& k, const AttentionRule& rule, Index head,
                     const ComputeContext& compute, std::optional<ColumnSpan> packed)
    : q_(q),
      k_(k),
      rule_(rule),
      head_(head),
      compute_(compute),
      kernels_(compute.kernels),
      factor_(static_cast<float>(rule.inverse_temperature * std::numbers::log2e)),
      first_packed_(packed ? packed->begin : 0) {
  constexpr Index at_once = 2048;
  const Index n = packed ? packed->end - packed->begin : k.n, blocks = divide_up(n, at_once), d = k.d;
  packed_ = compute.memory.take({packed_size(kernels_, n, d)});
  compute.threads.run(blocks, ThreadPool::Schedule::dynamic, [&](Index block, int) {
    const Index from = block * at_once, count = std::min(at_once, n - from);
    kernels_.pack_rows(head_keys() + (first_packed_ + from) * d, d, count, d, packed_.data() + from * d);
  });
}

std::int64_t TiledPass::run(
    const std::vector<Queries>& pieces, Index scratch_size, const std::stop_token& stop,
    const std::function<void(Index done, Index all)>& progress,
    const std::function<std::int64_t(const Queries& queries, float* scratch)>& body) const {
  Tensor scratch = compute_.memory.take({compute_.threads.size(), round_up(scratch_size, kernels_.panel)});
  std::atomic<std::int64_t> cells = 0;
  Index done = 0, all = 0;
  for (const Queries& queries : pieces) all += queries.count;
  std::mutex mutex;
  compute_.threads.run(std::ssize(pieces), ThreadPool::Schedule::dynamic, [&](Index piece, int thread) {
    if (stop_requested(stop)) return;
    // Longest rows first, if rows grow.
    const Queries& queries = pieces[pieces.size() - 1 - piece];
    cells += body(queries, scratch.at(thread));
    if (!progress) return;
    const std::lock_guard lock(mutex);
    progress(done += queries.count, all);
  });
  return cells;
}

std::vector<ColumnSpan> TiledPass::seen(const Queries& queries) const {
  const Index n_k = k_.n, chunk = softmax_chunk(kernels_);
  const Index first = queries.first, last = queries.at(queries.count - 1);
  const Index begin = rule_.keys(place(first), n_k).begin / chunk * chunk;
  const Index end = std::min(round_up(rule_.keys(place(last), n_k).end, chunk), n_k);
  std::vector<ColumnSpan> parts;
  for (const ColumnSpan& part : visible_spans(rule_.mask.get(), static_cast<int>(head_), place(first),
                                              place(last) + 1, nothing, n_k, kernels_))
    if (const ColumnSpan both{std::max(part.begin, begin), std::min(part.end, end)}; both.begin < both.end)
      parts.push_back(both);
  return parts;
}

void TiledPass::multiply(const float* queries, Index every, Index count, Index begin, Index end,
                         float* tile) const {
  const Index panels = divide_up(end - begin, kernels_.panel);
  kernels_.multiply(queries, every * q_.d, packed_.data() + (begin - first_packed_) * q_.d, nullptr,
                    rule_.scale, tile, stride, count, q_.d, panels);
}

std::span<const KeySpan> TiledPass::spans(Index query, KeySpans& scratch) const {
  const auto head = static_cast<int>(head_);
  if (rule_.mask != nullptr && rule_.mask->any(head)) return rule_.mask->row(head, place(query), scratch);
  scratch = {{0, static_cast<int>(k_.n)}};
  return scratch;
}

void TiledPass::complete(Index query, Index begin, Index end, float* row, KeySpans& scratch) const {
  std::fill(row + (end - begin), row + round_up(end - begin, kernels_.panel), nothing);
  score_own_keys(rule_, place(query), kv_head(), row_of_q(query), q_.d, begin, end, row, kernels_);
  rule_.apply_cap(row, end - begin);
  if (rule_.positions) rule_.positions->add(head_, query, place(query), begin, end, row, kernels_);
  rule_.add_repeats(place(query), begin, end, row);
  if (!rule_.bias.empty()) {
    RowSpan(row, end - begin) += RowView(bias(query) + begin, end - begin);
  }
  const AttentionRule::Keys own = rule_.keys(place(query), k_.n);
  const auto all = spans(query, scratch);
  Index done = begin;
  auto span = std::ranges::upper_bound(all, begin, {}, [](const KeySpan& each) { return Index{each.end}; });
  for (; span != all.end() && span->begin < end; ++span) {
    const Index from = std::clamp(std::max(Index{span->begin}, own.begin), done, end);
    const Index to = std::clamp(std::min(Index{span->end}, own.end), from, end);
    if (from == to) continue;
    std::fill(row + (done - begin), row + (from - begin), nothing);
    done = to;
  }
  std::fill(row + (done - begin), row + (end - begin), nothing);
}

}  // namespace headscope
