#include "core/source/capture/capture_source.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "core/base/error.h"
#include "core/base/stopped.h"
#include "core/inputs/fields.h"
#include "core/source/capture/capture_layers.h"

namespace headscope {
namespace {

// Tolerance for sums of 1: more than the error of 16-bit numbers.
constexpr double max_off = 0.01;
// How many cells a first check reads: a fraction of a second from any disk.
constexpr Index looked_cells = Index{1} << 23;

void refuse_interventions(const Inputs& inputs) {
  const Interventions none;
  const auto refuse = [&](InputField::Member member) {
    throw input_error(
        "{} is set; weights of a capture were computed elsewhere and stay as they are: expected none",
        input_field(member).name);
  };
  if (!inputs.mask.empty()) refuse(&Inputs::mask);
  if (inputs.temperature != none.temperature) refuse(&Inputs::temperature);
  if (inputs.scale != none.scale) refuse(&Inputs::scale);
  if (inputs.dropout != none.dropout) refuse(&Inputs::dropout);
  if (inputs.gain_q != none.gain_q) refuse(&Inputs::gain_q);
  if (inputs.gain_k != none.gain_k) refuse(&Inputs::gain_k);
  if (!inputs.ablated_heads.empty()) refuse(&Inputs::ablated_heads);
}

// Up to these, every row is asked whether its query has a key.
constexpr Index probed_rows = Index{1} << 20;
constexpr std::int64_t probed_cells = std::int64_t{1} << 28;

/// Those keys, but none for queries among `empty`.
RowSpans all_but(const std::vector<Index>& empty, const RowSpans& keys) {
  RowSpans allowed(keys.n_k());
  for (Index query = 0; query < keys.n_q(); ++query)
    allowed.add_row(std::ranges::binary_search(empty, query) ? std::span<const KeySpan>() : keys.row(query));
  return allowed;
}

/// For each query the keys up to its own, or all.
RowSpans keys_of(const MapSource::Size& size, bool causal) {
  RowSpans keys(size.n_k);
  for (Index query = 0; query < size.n_q; ++query) {
    const KeySpan seen{0, static_cast<int>(causal ? query + 1 : size.n_k)};
    keys.add_row(std::span(&seen, 1));
  }
  return keys;
}

/// Whether no query of these rows [begin, end) of a map has a weight at a later key.
bool is_causal(const float* rows, Index begin, Index end, Index n_k) {
  for (Index query = begin; query < end; ++query, rows += n_k)
    if (!std::all_of(rows + query + 1, rows + n_k, [](float weight) { return weight == 0; })) return false;
  return true;
}

}  // namespace

bool is_nan_throughout(std::span<const float> numbers) {
  return std::ranges::all_of(numbers, [](float number) { return std::isnan(number); });
}

void CaptureFindings::add_error(const Error& error) {
  const std::lock_guard lock(mutex_);
  if (!error_) error_ = error;
}

void CaptureFindings::add_off_row(const std::string& row, double sum) {
  const std::lock_guard lock(mutex_);
  if (!first_off_.empty()) return;
  first_off_ = row;
  first_sum_ = sum;
}

void CaptureFindings::add_empty_row(const std::string& row) {
  const std::lock_guard lock(mutex_);
  if (first_empty_.empty()) first_empty_ = row;
}

void CaptureFindings::set_looked(Index rows, Index all, Index off_rows, Index empty_rows) {
  const std::lock_guard lock(mutex_);
  looked_ = rows;
  all_ = all;
  off_ = off_rows;
  empty_ = empty_rows;
}

std::optional<Error> CaptureFindings::error() const {
  const std::lock_guard lock(mutex_);
  return error_;
}

std::optional<Error> CaptureFindings::warning() const {
  const std::lock_guard lock(mutex_);
  const bool all = looked_ == all_;
  const std::string sum = fmt::format("{:.3g}", first_sum_);
  if (!first_off_.empty() && !first_empty_.empty())
    return input_error(
        "some rows of weights do not sum to 1, the first found is {}: {}; some queries have no key to attend "
        "to, the first found is {}: its weights are 0",
        first_off_, sum, first_empty_);
  if (!first_off_.empty())
    return all ? input_error("rows of weights that do not sum to 1: {} of {}; the first is {}: {}", off_,
                             all_, first_off_, sum)
               : input_error("some rows of weights do not sum to 1; the first found is {}: {}", first_off_,
                             sum);
  if (first_empty_.empty()) return {};
  return all ? input_error("queries with no key to attend to: {} of {}; the first is {}: its weights are 0",
                           empty_, all_, first_empty_)
             : input_error("some queries have no key to attend to; the first found is {}: its weights are 0",
                           first_empty_);
}

CaptureMaps::CaptureMaps(std::shared_ptr<const Capture> capture, const Capture::Block& block, int sequence,
                         std::shared_ptr<CaptureFindings> findings)
    : MapSource({block.shape.layers, block.shape.heads,
                 std::ssize(capture->queries(sequence, block.shape.kind)),
                 std::ssize(capture->keys(sequence, block.shape.kind))}),
      capture_(std::move(capture)),
      block_(block),
      sequence_(sequence),
      findings_(std::move(findings)) {}

bool CaptureMaps::read(const FiledArray& array, int layer, int head, Index begin, Index end, float* out) const
    try {
  const Index n_k = size().n_k;
  const Index map = (Index{sequence_} * size().layers + layer) * size().heads + head;
  const auto at = [&](Index row) { return (map * block_.n_q + row) * block_.n_k; };
  if (n_k == block_.n_k) {
    array.read(at(begin), {out, static_cast<std::size_t>((end - begin) * n_k)});
    return true;
  }
  for (Index row = begin; row < end; ++row)
    array.read(at(row), {out + (row - begin) * n_k, static_cast<std::size_t>(n_k)});
  return true;
} catch (const Error& error) {
  findings_->add_error(error);
  std::fill_n(out, (end - begin) * size().n_k, 0.0F);
  return false;
}

std::string CaptureMaps::place(int layer, int head, Index query) const {
  const std::string sequence = capture_->numbers_sequences() ? fmt::format("{}, ", sequence_) : "";
  return fmt::format("{}attention[{}{}, {}, {}", block_.prefix, sequence, layer, head, query);
}

CaptureMaps::Found CaptureMaps::check(int layer, int head, Index begin, Index end, float* weights) const {
  Found found;
  for (Index query = begin; query < end; ++query) {
    const std::span row(weights + (query - begin) * size().n_k, size().n_k);
    if (is_nan_throughout(row)) std::ranges::fill(row, 0.0F);
    double sum = 0;
    for (float& weight : row) {
      if (!(weight >= 0) || !std::isfinite(weight)) {
        findings_->add_error(wrong_weight(place(layer, head, query), &weight - row.data(), weight));
        weight = 0;
      }
      sum += weight;
    }
    if (std::abs(sum - 1) <= max_off) continue;
    const std::string where = place(layer, head, query) + "]";
    if (sum == 0) {
      found.empty.push_back(query);
      findings_->add_empty_row(where);
    } else {
      ++found.off;
      findings_->add_off_row(where, sum);
    }
  }
  return found;
}

Error CaptureMaps::wrong_weight(const std::string& row, Index key, float weight) const {
  if (std::isnan(weight))
    return input_error(
        "{}: {}, {}] is {} in a row with other numbers; expected a weight, or a row that is NaN throughout: "
        "a query with no key",
        capture_->path(), row, key, "NaN");
  return input_error("{}: {}, {}] is {}; expected a weight, a number of at least 0", capture_->path(), row,
                     key, weight);
}

bool CaptureMaps::is_empty(int layer, int head, Index query, std::vector<float>& scratch) const {
  const Index map = (Index{sequence_} * size().layers + layer) * size().heads + head;
  const Index begin = (map * block_.n_q + query) * block_.n_k;
  // In a row with keys, these two are rarely both 0.
  for (const Index key : {std::min(query, size().n_k - 1), Index{0}}) {
    block_.attention.read(begin + key, std::span(scratch).first(1));
    if (std::isfinite(scratch[0]) && scratch[0] != 0) return false;
  }
  block_.attention.read(begin, scratch);
  return is_nan_throughout(scratch) || std::ranges::all_of(scratch, [](float w) { return w == 0; });
}

std::vector<Index> CaptureMaps::empty_queries(int layer, int head) const try {
  std::vector<Index> empty;
  std::vector<float> scratch(size().n_k);
  for (Index query = 0; query < size().n_q; ++query)
    if (is_empty(layer, head, query, scratch)) empty.push_back(query);
  return empty;
} catch (const Error& error) {
  findings_->add_error(error);
  return {};
}

void CaptureMaps::rows(int layer, int head, Index begin, Index end, float* out) const {
  if (read(block_.attention, layer, head, begin, end, out)) check(layer, head, begin, end, out);
}

bool CaptureMaps::score_rows(int layer, int head, Index begin, Index end, float* out) const {
  if (!block_.scores) return false;
  if (!read(*block_.scores, layer, head, begin, end, out)) return true;
  const std::size_t n_k = size().n_k;
  for (Index row = 0; row < end - begin; ++row)
    if (const std::span scores(out + row * size().n_k, n_k); is_nan_throughout(scores))
      std::ranges::fill(scores, 0.0F);
  for (Index i = 0; i < (end - begin) * size().n_k; ++i)
    if (std::isnan(out[i])) {
      findings_->add_error(input_error("{}: a score of layer {}, head {} is {}; expected a number",
                                       block_.scores->where, layer, head, "NaN"));
      out[i] = 0;
    }
  return true;
}

void CaptureMaps::look() {
  const Index maps = Index{size().layers} * size().heads, n_q = size().n_q, n_k = size().n_k;
  const Index rows = std::max<Index>(1, looked_cells / n_k);
  const bool all = maps * n_q <= rows;
  // If there are too many: some maps, from the first to the last, and some rows of each, at different
  // positions.
  const Index some_maps = all ? maps : std::clamp<Index>(rows / 8, 1, maps);
  const Index of_each = all ? n_q : std::clamp<Index>(rows / some_maps, 1, n_q);
  std::vector<float> weights(std::min(of_each, rows_at_once) * n_k);
  EmptyQueries empty(size().layers, std::vector<std::vector<Index>>(size().heads));
  bool causal = n_q == n_k && n_q > 1;
  // Of each layer, 1 where no head has a weight.
  std::vector<std::vector<std::uint8_t>> zero;
  if (all) zero.assign(size().layers, std::vector<std::uint8_t>(n_q * n_k, 1));
  Index off = 0, count = 0;
  for (Index i = 0; i < some_maps && !findings_->error(); ++i) {
    const Index map = some_maps == maps ? i : i * maps / some_maps;
    const Index first = all ? 0 : i * of_each % (n_q - of_each + 1);
    const auto layer = static_cast<int>(map / size().heads), head = static_cast<int>(map % size().heads);
    for (Index begin = first; begin < first + of_each; begin += rows_at_once) {
      const Index end = std::min(begin + rows_at_once, first + of_each);
      if (!read(block_.attention, layer, head, begin, end, weights.data())) continue;
      const Found found = check(layer, head, begin, end, weights.data());
      causal = causal && is_causal(weights.data(), begin, end, n_k);
      for (Index at = 0; all && at < (end - begin) * n_k; ++at)
        zero[layer][begin * n_k + at] &= weights[at] == 0;
      off += found.off;
      count += std::ssize(found.empty);
      auto& of_head = empty[layer][head];
      of_head.insert(of_head.end(), found.empty.begin(), found.empty.end());
    }
  }
  findings_->set_looked(some_maps * of_each, maps * n_q, off, count);
  if (maps * n_q > probed_rows || std::int64_t{maps} * n_q * n_k > probed_cells) return;
  if (!all)
    for (int layer = 0; layer < size().layers && !findings_->error(); ++layer)
      for (int head = 0; head < size().heads; ++head) empty[layer][head] = empty_queries(layer, head);
  std::vector<RowSpans> keys(size().layers, keys_of(size(), causal));
  for (std::size_t layer = 0; layer < zero.size(); ++layer)
    keys[layer] = RowSpans::of_bytes(zero[layer], n_k, 0);
  make_masks(empty, keys);
}

void CaptureMaps::make_masks(const EmptyQueries& empty, const std::vector<RowSpans>& keys) {
  const std::int64_t cells = std::int64_t{size().n_q} * size().n_k;
  const auto is_none = [](const std::vector<Index>& queries) { return queries.empty(); };
  if (std::ranges::all_of(keys, [&](const RowSpans& one) { return one.cells() == cells; }) &&
      std::ranges::all_of(empty, [&](const auto& heads) { return std::ranges::all_of(heads, is_none); }))
    return;
  for (std::size_t layer = 0; layer < empty.size(); ++layer) {
    const auto& heads = empty[layer];
    for (const auto& queries : heads) without_key_.insert(queries.begin(), queries.end());
    // A pattern is that of all heads and layers, whose cells are then held once.
    if (layer > 0 && heads == empty.front() && keys[layer] == keys.front()) {
      masks_.push_back(masks_.front());
      continue;
    }
    Mask& mask = masks_.emplace_back(size().n_q, size().n_k);
    if (keys[layer].cells() < cells) mask.set_common(keys[layer]);
    const bool same = std::ranges::adjacent_find(heads, std::not_equal_to{}) == heads.end();
    if (same && !heads.front().empty()) mask.set_common(all_but(heads.front(), keys[layer]));
    for (int head = 0; head < size().heads && !same; ++head)
      if (const auto& own = heads[head]; !own.empty()) mask.set_own(head, all_but(own, keys[layer]));
  }
}

std::shared_ptr<const CaptureSource> CaptureSource::open(const std::string& path) {
  return std::make_shared<const CaptureSource>(Capture::open(path));
}

CaptureSource::CaptureSource(std::shared_ptr<const Capture> capture) : capture_(std::move(capture)) {
  about_.capture = capture_.get();
}

std::shared_ptr<const CaptureMaps> CaptureSource::maps_of(int sequence, std::size_t block) const {
  constexpr std::size_t maximum = 64;
  const std::lock_guard lock(mutex_);
  const std::pair key(sequence, block);
  if (const auto found = maps_.find(key); found != maps_.end() && !found->second->error())
    return found->second;
  const auto maps = std::make_shared<CaptureMaps>(capture_, capture_->blocks()[block], sequence,
                                                  std::make_shared<CaptureFindings>());
  maps->look();
  if (const auto error = maps->error()) throw *error;
  if (maps_.size() >= maximum) maps_.clear();
  maps_[key] = maps;
  return maps;
}

std::vector<Error> CaptureSource::notes(int sequence) const {
  std::vector<Error> notes = capture_->notes();
  if (capture_->unpacked_bytes() > 0)
    notes.push_back(input_error(
        "{}: compressed: {} MB were unpacked into memory; numpy.savez writes what is read in place",
        capture_->path(), fmt::format("{:.3g}", static_cast<double>(capture_->unpacked_bytes()) / 1e6)));
  const auto& picture = capture_->sequences()[sequence].no_picture;
  if (picture) notes.push_back(*picture);
  return notes;
}

std::shared_ptr<const Trace> CaptureSource::run(const Inputs& inputs, const RunOptions&,
                                                const ComputeContext&, const std::stop_token& stop) const {
  const auto start = std::chrono::steady_clock::now();
  refuse_interventions(inputs);
  const auto count = std::ssize(capture_->sequences());
  if (inputs.sequence >= count) throw out_of_range("sequence", inputs.sequence, count);
  auto trace = std::make_shared<Trace>();
  trace->inputs = inputs;
  trace->source = shared_from_this();
  trace->blocks.clear();
  for (std::size_t i = 0; i < capture_->blocks().size(); ++i) {
    const Capture::Block& read = capture_->blocks()[i];
    BlockTrace& block = trace->blocks.emplace_back();
    block.shape = read.shape;
    block.text = inputs;
    block.interventions = inputs;
    block.interventions.mask_fill = MaskFill::minus_infinity;  // a query with no key has no weights
    block.tokens = capture_->queries(inputs.sequence, read.shape.kind);
    block.key_tokens = capture_->keys(inputs.sequence, read.shape.kind);
    const auto& patches = capture_->sequences()[inputs.sequence].patches;
    const auto& own = capture_->sequences()[inputs.sequence].tokens;
    if (&capture_->queries(inputs.sequence, read.shape.kind) == &own) block.patches = patches;
    if (&capture_->keys(inputs.sequence, read.shape.kind) == &own) block.key_patches = patches;
    block.mask = Mask(block.n_q(), block.n_k());
    const auto maps = maps_of(inputs.sequence, i);
    block.maps = maps;
    block.layer_masks = maps->masks();
    if (stop_requested(stop)) return nullptr;
    const auto layers = std::make_shared<const CaptureLayers>(capture_, read, inputs.sequence, maps);
    block.computed_layers = layers;
    if (i == 0) trace->x = trace->key_x = layers->first_x();
  }
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
  trace->milliseconds = took.count();
  return trace;
}

std::optional<Linear> CaptureSource::projection(BlockKind kind, int layer, ProjectionKind of) const {
  const auto block = std::ranges::find(capture_->blocks(), kind, [](const auto& b) { return b.shape.kind; });
  if (of != ProjectionKind::o || block == capture_->blocks().end() || !block->w_o) return {};
  const std::vector<Index>& shape = block->w_o->header.shape;  // [layers, d_model, heads d_k]
  const Index size = shape[1] * shape[2];
  Linear linear{Tensor({shape[1], shape[2]}), {}};
  block->w_o->read(layer * size, {linear.weight.data(), static_cast<std::size_t>(size)});
  if (!finite(linear.weight))
    throw input_error("{}: numbers of layer {} are not finite; expected finite ones", block->w_o->where,
                      layer);
  return linear;
}

std::vector<std::string> CaptureSource::stages(BlockKind kind, int /*layer*/) const {
  const auto block = std::ranges::find(capture_->blocks(), kind, [](const auto& b) { return b.shape.kind; });
  if (block == capture_->blocks().end() || !block->q || !block->k) return {};
  std::vector<std::string> stages{"products", "scale", "softmax"};
  // If the keys' vectors are not the queries', no array has them.
  if (kind != BlockKind::cross && (block->layer_x || (block->x && block->shape.layers == 1)))
    stages.insert(stages.begin(), "x");
  if (block->v) stages.emplace_back("values");
  return stages;
}

}  // namespace headscope
