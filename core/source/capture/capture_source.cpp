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

}  // namespace

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

void CaptureFindings::set_looked(Index rows, Index all, Index off_rows) {
  const std::lock_guard lock(mutex_);
  looked_ = rows;
  all_ = all;
  off_ = off_rows;
}

std::optional<Error> CaptureFindings::error() const {
  const std::lock_guard lock(mutex_);
  return error_;
}

std::optional<Error> CaptureFindings::warning() const {
  const std::lock_guard lock(mutex_);
  if (first_off_.empty()) return {};
  const std::string sum = fmt::format("{:.3g}", first_sum_);
  if (looked_ < all_)
    return input_error("some rows of weights do not sum to 1; the first found is {}: {}", first_off_, sum);
  return input_error("rows of weights that do not sum to 1: {} of {}; the first is {}: {}", off_, all_,
                     first_off_, sum);
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

Index CaptureMaps::check(int layer, int head, Index begin, Index end, float* weights) const {
  Index off = 0;
  for (Index query = begin; query < end; ++query) {
    float* row = weights + (query - begin) * size().n_k;
    double sum = 0;
    for (Index key = 0; key < size().n_k; ++key) {
      if (!(row[key] >= 0) || !std::isfinite(row[key])) {
        findings_->add_error(input_error("{}: {}, {}] is {}; expected a weight, a number of at least 0",
                                         capture_->path(), place(layer, head, query), key, row[key]));
        row[key] = 0;
      }
      sum += static_cast<double>(row[key]);
    }
    if (std::abs(sum - 1) <= max_off) continue;
    ++off;
    findings_->add_off_row(place(layer, head, query) + "]", sum);
  }
  return off;
}

void CaptureMaps::rows(int layer, int head, Index begin, Index end, float* out) const {
  if (read(block_.attention, layer, head, begin, end, out)) check(layer, head, begin, end, out);
}

bool CaptureMaps::score_rows(int layer, int head, Index begin, Index end, float* out) const {
  if (!block_.scores) return false;
  if (!read(*block_.scores, layer, head, begin, end, out)) return true;
  for (Index i = 0; i < (end - begin) * size().n_k; ++i)
    if (std::isnan(out[i])) {
      findings_->add_error(input_error("{}: a score of layer {}, head {} is {}; expected a number",
                                       block_.scores->where, layer, head, out[i]));
      out[i] = 0;
    }
  return true;
}

void CaptureMaps::look() const {
  const Index maps = Index{size().layers} * size().heads, n_q = size().n_q, n_k = size().n_k;
  const Index rows = std::max<Index>(1, looked_cells / n_k);
  const bool all = maps * n_q <= rows;
  // If there are too many: some maps, from the first to the last, and some rows of each, at different
  // positions.
  const Index some_maps = all ? maps : std::clamp<Index>(rows / 8, 1, maps);
  const Index of_each = all ? n_q : std::clamp<Index>(rows / some_maps, 1, n_q);
  std::vector<float> weights(static_cast<std::size_t>(std::min(of_each, rows_at_once) * n_k));
  Index off = 0;
  for (Index i = 0; i < some_maps && !findings_->error(); ++i) {
    const Index map = some_maps == maps ? i : i * maps / some_maps;
    const Index first = all ? 0 : i * of_each % (n_q - of_each + 1);
    const auto layer = static_cast<int>(map / size().heads), head = static_cast<int>(map % size().heads);
    for (Index begin = first; begin < first + of_each; begin += rows_at_once) {
      const Index end = std::min(begin + rows_at_once, first + of_each);
      if (read(block_.attention, layer, head, begin, end, weights.data()))
        off += check(layer, head, begin, end, weights.data());
    }
  }
  findings_->set_looked(some_maps * of_each, maps * n_q, off);
}

std::shared_ptr<const CaptureSource> CaptureSource::open(const std::string& path) {
  return std::make_shared<const CaptureSource>(Capture::open(path));
}

CaptureSource::CaptureSource(std::shared_ptr<const Capture> capture) : capture_(std::move(capture)) {}

std::shared_ptr<const CaptureMaps> CaptureSource::maps_of(int sequence, std::size_t block) const {
  constexpr std::size_t maximum = 64;
  const std::lock_guard lock(mutex_);
  const std::pair key(sequence, block);
  if (const auto found = maps_.find(key); found != maps_.end() && !found->second->error())
    return found->second;
  const auto maps = std::make_shared<const CaptureMaps>(capture_, capture_->blocks()[block], sequence,
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
  const auto& picture = capture_->sequences()[static_cast<std::size_t>(sequence)].no_picture;
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
    block.tokens = capture_->queries(inputs.sequence, read.shape.kind);
    block.key_tokens = capture_->keys(inputs.sequence, read.shape.kind);
    const auto& patches = capture_->sequences()[static_cast<std::size_t>(inputs.sequence)].patches;
    const auto& own = capture_->sequences()[static_cast<std::size_t>(inputs.sequence)].tokens;
    if (&capture_->queries(inputs.sequence, read.shape.kind) == &own) block.patches = patches;
    if (&capture_->keys(inputs.sequence, read.shape.kind) == &own) block.key_patches = patches;
    block.mask = Mask(block.n_q(), block.n_k());
    const auto maps = maps_of(inputs.sequence, i);
    block.maps = maps;
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

std::vector<std::string> CaptureSource::stages(BlockKind kind) const {
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
