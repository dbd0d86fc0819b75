#include "core/model/effects/causes.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/base/matrix.h"
#include "core/base/stopped.h"
#include "core/model/run/run_layer.h"
#include "core/model/run/run_variants.h"

namespace headscope {
namespace {

/// The measure, and the probability of the answer.
struct Measured {
  double measure = 0, probability = 0;
};

Measured measured(const float* logits, Index vocabulary, const CauseQuestion& question) {
  const Eigen::ArrayXd row = RowView(logits, vocabulary).cast<double>();
  Measured result;
  result.measure = row[question.answer] - (question.against ? row[*question.against] : 0);
  result.probability = std::exp(row[question.answer] - row.maxCoeff()) / (row - row.maxCoeff()).exp().sum();
  return result;
}

void check_token(Index id, Index vocabulary) {
  if (id < 0 || id >= vocabulary)
    throw input_error("token id {} is outside of the model's vocabulary of {}", id, vocabulary);
}

/// Changes of one layer, as rows that replace columns of what all its heads give.
class LayerOfHeads {
 public:
  LayerOfHeads(const ModelRun& base, const ModelRun* other, BlockKind kind, Index layer,
               const ComputeContext& context, const std::stop_token& stop)
      : context_(context), given_(base.context(kind, layer, context, stop)) {
    const ModelConfig& config = base.model().config();
    const bool attends = base.model().attends(kind, layer);
    d_v_ = attends ? base.model().stack(kind).d_v_of(layer) : config.state_mixer->d_v;
    if (attends) of_base_ = base.layer_qkv(kind, layer, context, stop);
    if (other == nullptr) return;
    if (attends) of_other_ = other->layer_qkv(kind, layer, context, stop);
    other_given_ = other->context(kind, layer, context, stop);
  }

  Index queries() const { return given_.dim(0); }
  Index keys() const { return of_base_.k.dim(1); }
  Index d_v() const { return d_v_; }
  Index heads() const { return d_v_ > 0 ? given_.dim(1) / d_v_ : 0; }
  const Tensor& given() const { return given_; }

  /// What the head gives after the change [n_q, d_k].
  Matrix changed(CauseChange change, Index head) const {
    const Matrix own = head_of(given_, head);
    switch (change) {
      case CauseChange::zero:
        return Matrix::Zero(own.rows(), own.cols());
      case CauseChange::mean:
        return own.cast<double>().colwise().mean().cast<float>().replicate(own.rows(), 1);
      case CauseChange::pattern:
        return weighted(weights(*of_other_, head), of_base_, head);
      case CauseChange::value:
        return weighted(weights(of_base_, head), *of_other_, head);
      default:
        return head_of(other_given_, head);
    }
  }
  /// With the values of one key alone taken over.
  Matrix with_value(Index head, Index key) const {
    const Matrix own = weights(of_base_, head);
    return head_of(given_, head) + (of_key(own, *of_other_, head, key) - of_key(own, of_base_, head, key));
  }
  /// What replaces the terms of one key in the context, for each query [n_q, d_k].
  Matrix terms(CauseChange change, Index head, Index key) const {
    const Matrix own = of_key(weights(of_base_, head), of_base_, head, key);
    if (change == CauseChange::other) return of_key(weights(*of_other_, head), *of_other_, head, key);
    if (change == CauseChange::mean)
      return own.cast<double>().colwise().mean().cast<float>().replicate(own.rows(), 1);
    return Matrix::Zero(own.rows(), own.cols());
  }
  /// The context without the own terms of a key.
  Matrix without(Index head, Index key) const {
    return head_of(given_, head) - of_key(weights(of_base_, head), of_base_, head, key);
  }
  Matrix head_of(const Tensor& context, Index head) const {
    return as_matrix(context).middleCols(head * d_v(), d_v());
  }

 private:
  Matrix weights(const LayerQkv& qkv, Index head) const {
    Matrix rows(qkv.q.dim(1), qkv.k.dim(1));
    qkv.rows(head, 0, rows.rows(), rows.data(), nullptr, context_.kernels, context_.memory);
    return rows;
  }
  static Matrix values(const LayerQkv& qkv, Index head) {
    return as_matrix(qkv.v, head * qkv.v.dim(0) / qkv.q.dim(0));
  }
  static auto gate(const LayerQkv& qkv, Index head) {
    return as_matrix(qkv.gate).middleCols(head * qkv.v.dim(2), qkv.v.dim(2));
  }
  /// The weights times the values that each query reads.
  static Matrix weighted(const Matrix& weights, const LayerQkv& qkv, Index head) {
    Matrix sums = weights * values(qkv, head);
    if (!qkv.gate.empty()) sums.array() *= gate(qkv, head).array();
    if (const OwnKeys* const own = qkv.rule.own_keys.get())
      for (const Index query : own->queries)
        sums.row(query) = weights.row(query) * as_matrix(own->v, head * qkv.v.dim(0) / qkv.q.dim(0));
    return sums;
  }
  /// The terms of one key in that.
  static Matrix of_key(const Matrix& weights, const LayerQkv& qkv, Index head, Index key) {
    Matrix terms = weights.col(key) * values(qkv, head).row(key);
    if (!qkv.gate.empty()) terms.array() *= gate(qkv, head).array();
    if (const OwnKeys* const own = qkv.rule.own_keys.get())
      for (const Index query : own->queries)
        terms.row(query) =
            weights(query, key) * as_matrix(own->v, head * qkv.v.dim(0) / qkv.q.dim(0)).row(key);
    return terms;
  }

  const ComputeContext& context_;
  LayerQkv of_base_;  // of attention
  Tensor given_;
  Index d_v_ = 0;
  std::optional<LayerQkv> of_other_;
  Tensor other_given_;
};

/// Runs the changes of a request.
class Search {
 public:
  Search(const ModelRun& a, const ModelRun* b, const CauseRequest& request, const ComputeContext& context)
      : a_(a), b_(b), request_(request), context_(context) {}

  std::shared_ptr<const Causes> go() {
    check();
    const std::shared_ptr<Causes> causes = causes_;
    const Measured clean = measure(a_);
    causes->clean = clean.measure;
    causes->probability = clean.probability;
    measured_base_ = clean;
    if (is_patch(request_.change)) {
      const Measured corrupted = measure(*b_);
      causes->corrupted = corrupted.measure;
      if (!request_.noise) measured_base_ = corrupted;
      const double apart = std::abs(causes->clean - *causes->corrupted);
      if (!(apart > 1e-6 * std::max({1.0, std::abs(causes->clean), std::abs(*causes->corrupted)})))
        throw input_error(
            "the answer has the same logits for both texts ({} and {}), so no share of their difference is "
            "defined; "
            "expected texts that differ in it",
            causes->clean, *causes->corrupted);
    }
    clean_ = causes->clean;
    corrupted_ = causes->corrupted;
    const std::vector<ModelBlock> changed = blocks();
    for (const ModelBlock& block : changed) causes->maps.push_back({block.kind, shape_of(block), {}, {}});
    for (const CauseMap& map : causes->maps) all_ += map.count();
    if (request_.forecast) request_.forecast(products());
    if (request_.found) request_.found(*causes);
    for (std::size_t i = 0; i < changed.size(); ++i) fill(causes->maps[i], changed[i]);
    return stop_requested(request_.stop) ? nullptr : causes;
  }

 private:
  /// The run that is changed, and the one that parts are taken from.
  const ModelRun& base() const {
    return b_ != nullptr && is_patch(request_.change) && !request_.noise ? *b_ : a_;
  }
  const ModelRun* source() const { return is_patch(request_.change) && !request_.noise ? &a_ : b_; }
  const LanguageModel& model() const { return a_.model(); }

  Index length(const ModelRun& run, BlockKind kind) const {
    return std::ssize(kind == BlockKind::decoder || kind == BlockKind::cross ? run.input().decoder_ids
                                                                             : run.input().ids);
  }
  Index keys_of(BlockKind kind) const {
    return length(a_, kind == BlockKind::cross ? BlockKind::encoder : kind);
  }

  std::vector<ModelBlock> blocks() const {
    std::vector<ModelBlock> all = model().blocks();
    if (of_weights()) std::erase_if(all, [](const ModelBlock& one) { return one.kind == BlockKind::state; });
    if (request_.head)
      std::erase_if(all, [&](const ModelBlock& one) { return one.kind != request_.head->block; });
    // A layer has one input and one network, whose maps are those of its stack.
    if (request_.change == CauseChange::stream || request_.change == CauseChange::feed_forward)
      std::erase_if(all, [](const ModelBlock& one) { return one.kind != stack_of(one.kind); });
    return all;
  }

  void check() const {
    check_question(a_, request_.question);
    if (b_ != nullptr)
      for (const BlockKind kind : {BlockKind::self, BlockKind::decoder})
        if (length(a_, kind) != length(*b_, kind))
          throw input_error(
              "the texts differ in their number of tokens, {} (B) and {} (A), and in their tokens from "
              "position {} on; expected the same number",
              length(*b_, kind), length(a_, kind), first_difference(kind));
    const ModelConfig& config = model().config();
    if (config.funnel)
      throw input_error(
          "layers of {} have fewer rows than the text has tokens, so that they are not changed one by one; "
          "expected another model",
          to_name(config));
    if (of_weights() && !config.mixers.empty())
      throw input_error(
          "weights, values and edges are changed in models with softmax attention in every layer alone; "
          "expected zero, mean, other, output, stream, attention or feed-forward");
    if (of_weights() && request_.head && request_.head->block == BlockKind::state)
      throw input_error(
          "weights, values and edges are changed in heads with softmax attention alone; expected a head of "
          "block self");
    if ((of_one_head() && !request_.head) || blocks().empty())
      throw input_error("the head is missing; expected one of this model");
    if (!request_.head) return;
    const ModelBlock block = blocks().empty() ? ModelBlock{} : blocks().front();
    if (request_.head->layer < 0 || request_.head->layer >= block.layers || request_.head->head < 0 ||
        request_.head->head >=
            (block.kind == BlockKind::self ? config.heads_of(request_.head->layer) : block.heads))
      throw input_error("the head {}.{} does not exist; expected one up to {}.{}", request_.head->layer,
                        request_.head->head, block.layers - 1, block.heads - 1);
  }

  /// The first position at which the texts have different tokens, or one has none.
  Index first_difference(BlockKind kind) const {
    const auto ids = [&](const ModelRun& run) -> const std::vector<Index>& {
      return kind == BlockKind::decoder ? run.input().decoder_ids : run.input().ids;
    };
    return std::ranges::mismatch(ids(a_), ids(*b_)).in1 - ids(a_).begin();
  }

  Measured measure(const ModelRun& run) const {
    const Index row = request_.question.position;
    const Tensor logits = run.logits(row, row + 1, context_, request_.stop);
    return measured(logits.data(), logits.dim(1), request_.question);
  }

  double value_of(double measure) const {
    if (!corrupted_) return measure - clean_;
    return (measure - *corrupted_) / (clean_ - *corrupted_);
  }

  bool of_weights() const {
    return of_one_head() || request_.change == CauseChange::pattern || request_.change == CauseChange::value;
  }
  bool of_one_head() const {
    return request_.places == CausePlaces::edge || request_.places == CausePlaces::key;
  }
  bool by_position() const {
    return request_.places == CausePlaces::position || request_.change == CauseChange::stream;
  }

  std::vector<Index> shape_of(const ModelBlock& block) const {
    if (request_.places == CausePlaces::edge) return {length(a_, block.kind), keys_of(block.kind)};
    if (request_.places == CausePlaces::key) return {keys_of(block.kind)};
    std::vector<Index> shape{request_.head ? 1 : block.layers};
    if (is_of_heads(request_.change)) shape.push_back(request_.head ? 1 : block.heads);
    if (by_position())
      shape.push_back(request_.change == CauseChange::value ? keys_of(block.kind) : length(a_, block.kind));
    return shape;
  }

  /// Approximate multiply-adds: half of the layers on average are above a change.
  double products() const {
    const auto of_stack = [&](BlockKind kind) {
      const ModelConfig& config = model().config();
      return 6.0 * static_cast<double>(model().stack(kind).size.layers * config.d_model * config.d_model);
    };
    double sum = 0;
    for (const CauseMap& map : causes_->maps)
      sum += static_cast<double>(map.count() * length(a_, map.kind)) * of_stack(stack_of(map.kind));
    return sum;
  }

  /// Layer after layer, in the order of the map's values.
  void fill(CauseMap& map, const ModelBlock& block) {
    const Index first = request_.head ? request_.head->layer : 0;
    const Index end = request_.head ? first + 1 : block.layers;
    for (Index layer = first; layer < end; ++layer) {
      if (stop_requested(request_.stop)) break;
      is_of_heads(request_.change) ? change_heads(block, layer, map) : change_layer(block, layer, map);
    }
  }

  /// Collects variants of a layer and runs them, as many at once as keep the memory small.
  class Batch {
   public:
    Batch(Search& search, BlockKind kind, Index layer, const Tensor& original, CauseChange change,
          CauseMap& map)
        : search_(search), original_(original), change_(change), map_(map) {
      constexpr Index max_rows = 2048;
      variants_.kind = kind;
      variants_.layer = layer;
      reaches_ = search.rows_that_reach(kind, layer, change == CauseChange::stream);
      most_ = std::max<Index>(1, max_rows / original.dim(0));
    }
    /// A copy of what is changed, to be edited.
    MatrixSpan next() {
      Tensor& rows = rows_of_variants();
      if (variants_.count == 0)
        rows = search_.context_.memory.take({most_ * original_.dim(0), original_.dim(1)});
      float* const at = rows.at(variants_.count * original_.dim(0));
      std::copy_n(original_.data(), original_.size(), at);
      ++variants_.count;
      return {at, original_.dim(0), original_.dim(1)};
    }
    void run_if_full() {
      if (variants_.count == most_) run();
    }
    void run() {
      if (stop_requested(search_.request_.stop)) variants_.count = 0;
      if (variants_.count == 0) return;
      Tensor& rows = rows_of_variants();
      // Without those that were reserved and not used, and those that change nothing.
      const Index size = original_.size(), all = variants_.count;
      std::vector<bool> differs;
      for (Index i = 0; i < all; ++i) differs.push_back(can_matter(rows.data() + i * size));
      variants_.count = std::ranges::count(differs, true);
      Tensor used = search_.context_.memory.take({variants_.count * original_.dim(0), original_.dim(1)});
      for (Index i = 0, to = 0; i < all; ++i)
        if (differs[i]) std::copy_n(rows.data() + i * size, size, used.data() + size * to++);
      rows = used;
      search_.run(variants_, differs, map_);
      variants_.count = 0;
    }

   private:
    /// Whether a row differs that reaches the answer.
    bool can_matter(const float* rows) const {
      const Index width = original_.dim(1);
      for (Index row = 0; row < original_.dim(0); ++row)
        if (reaches_[row] && !std::equal(original_.at(row), original_.at(row) + width, rows + row * width))
          return true;
      return false;
    }
    Tensor& rows_of_variants() {
      if (is_of_heads(change_)) return variants_.context;
      return change_ == CauseChange::stream      ? variants_.x
             : change_ == CauseChange::attention ? variants_.attention
                                                 : variants_.feed_forward;
    }
    Search& search_;
    const Tensor& original_;
    CauseChange change_;
    CauseMap& map_;
    RunVariants variants_;
    std::vector<bool> reaches_;  // by row
    Index most_ = 1;
  };

  void change_heads(const ModelBlock& block, Index layer, CauseMap& map) {
    const LayerOfHeads heads(base(), source(), block.kind, layer, context_, request_.stop);
    Batch batch(*this, block.kind, layer, heads.given(), request_.change, map);
    const Index d_v = heads.d_v(), n = heads.queries();
    const auto put = [&](Index head, const Matrix& rows) {
      batch.next().middleCols(head * d_v, d_v) = rows;
      batch.run_if_full();
    };
    if (of_one_head()) {
      const Index head = request_.head->head;
      const Matrix own = heads.head_of(heads.given(), head);
      const bool edges = request_.places == CausePlaces::edge;
      std::vector<Matrix> of_keys;
      for (Index key = 0; key < heads.keys(); ++key)
        of_keys.push_back(heads.without(head, key) + heads.terms(request_.change, head, key));
      if (!edges)
        for (const Matrix& rows : of_keys) put(head, rows);
      for (Index query = 0; edges && query < n; ++query)
        for (const Matrix& of_key : of_keys) {
          Matrix rows = own;
          rows.row(query) = of_key.row(query);
          put(head, rows);
        }
      return batch.run();
    }
    const Index count = std::min(block.heads, heads.heads());
    for (Index head = 0; head < count; ++head) {
      if (request_.head &&
          *request_.head != HeadPlace{block.kind, static_cast<int>(layer), static_cast<int>(head)})
        continue;
      if (by_position() && request_.change == CauseChange::value) {
        for (Index key = 0; key < heads.keys(); ++key) put(head, heads.with_value(head, key));
        continue;
      }
      const Matrix changed = heads.changed(request_.change, head);
      if (!by_position()) {
        put(head, changed);
        continue;
      }
      const Matrix own = heads.head_of(heads.given(), head);
      for (Index row = 0; row < n; ++row) {
        Matrix rows = own;
        rows.row(row) = changed.row(row);
        put(head, rows);
      }
    }
    batch.run();
    // Heads that other layers have, and this one lacks, change nothing.
    if (!request_.head && count < block.heads)
      run({}, std::vector<bool>((block.heads - count) * (by_position() ? n : 1), false), map);
  }

  /// What a run has in the place of the change [n, d_model].
  Tensor rows_in(const ModelRun& run, BlockKind kind, Index layer) const {
    if (request_.change == CauseChange::stream) return run.x(kind, layer, context_.memory);
    const std::vector<SublayerOutput> outputs =
        outputs_of_layer(run, kind, layer, {}, context_, request_.stop);
    return std::ranges::find_if(outputs,
                                [&](const SublayerOutput& each) {
                                  return request_.change == CauseChange::attention
                                             ? each.sublayer.is_heads_of(kind, layer)
                                             : each.sublayer.part == Sublayer::Part::feed_forward;
                                })
        ->added;
  }

  void change_layer(const ModelBlock& block, Index layer, CauseMap& map) {
    const Tensor own = rows_in(base(), block.kind, layer), other = rows_in(*source(), block.kind, layer);
    Batch batch(*this, block.kind, layer, own, request_.change, map);
    if (!by_position()) {
      batch.next() = as_matrix(other);
      return batch.run();
    }
    for (Index row = 0; row < own.dim(0); ++row) {
      batch.next().row(row) = as_matrix(other).row(row);
      batch.run_if_full();
    }
    batch.run();
  }

  std::vector<bool> rows_that_reach(BlockKind kind, Index layer, bool of_input) const {
    return headscope::rows_that_reach(base(), kind, layer, of_input, request_.question.position);
  }

  /// `differs`: of all that were made, those that the variants are; the others leave the base as it is.
  void run(const RunVariants& variants, const std::vector<bool>& differs, CauseMap& map) {
    Tensor logits;
    if (variants.count > 0) {
      const Tensor streams =
          final_streams(base(), variants, request_.question.position, context_, request_.stop);
      if (stop_requested(request_.stop)) return;
      logits = model().logits(streams.data(), variants.count, context_, request_.stop);
    }
    Index row = 0;
    for (const bool changed : differs) {
      const Measured one =
          changed ? measured(logits.at(row++), logits.dim(1), request_.question) : measured_base_;
      map.values.push_back(value_of(one.measure));
      map.probabilities.push_back(one.probability);
    }
    done_ += std::ssize(differs);
    if (request_.progress) request_.progress(static_cast<double>(done_) / static_cast<double>(all_));
    if (request_.found) request_.found(*causes_);
  }

  const ModelRun& a_;
  const ModelRun* b_;
  const CauseRequest& request_;
  const ComputeContext& context_;
  std::shared_ptr<Causes> causes_ = std::make_shared<Causes>();
  double clean_ = 0;
  std::optional<double> corrupted_;
  Measured measured_base_;
  Index done_ = 0, all_ = 0;
};

}  // namespace

Error no_output_for_tokens() {
  return input_error("this model has no output for tokens (no language modelling head)");
}

void check_question(const ModelRun& run, const CauseQuestion& question) {
  const std::vector<Index>& decoder = run.input().decoder_ids;
  const Index n = std::ssize(run.model().config().encoder_decoder() ? decoder : run.input().ids);
  if (question.position < 0 || question.position >= n)
    throw input_error(counted("position {} does not exist; the text has {} token, numbered from 0",
                              "position {} does not exist; the text has {} tokens, numbered from 0", n),
                      question.position, n);
  const LanguageModel& model = run.model();
  const bool of_tokens = model.head() && model.config().output.kind == OutputKind::tokens;
  const Index vocabulary = of_tokens ? model.head()->output.out : 0;
  if (vocabulary == 0) throw no_output_for_tokens();
  check_token(question.answer, vocabulary);
  if (question.against) check_token(*question.against, vocabulary);
  if (question.against == question.answer)
    throw input_error("the answer and the token against it are the same, id:{}; expected two tokens",
                      question.answer);
}

std::span<const EnumName<CauseChange>> enum_names(CauseChange) {
  static constexpr EnumName<CauseChange> names[] = {{CauseChange::zero, "zero"},
                                                    {CauseChange::mean, "mean"},
                                                    {CauseChange::other, "other"},
                                                    {CauseChange::output, "output"},
                                                    {CauseChange::pattern, "pattern"},
                                                    {CauseChange::value, "value"},
                                                    {CauseChange::stream, "stream"},
                                                    {CauseChange::attention, "attention"},
                                                    {CauseChange::feed_forward, "feed-forward"}};
  return names;
}

std::span<const EnumName<CausePlaces>> enum_names(CausePlaces) {
  static constexpr EnumName<CausePlaces> names[] = {{CausePlaces::all, "all"},
                                                    {CausePlaces::position, "position"},
                                                    {CausePlaces::edge, "edge"},
                                                    {CausePlaces::key, "key"},
                                                    {CausePlaces::path, "path"}};
  return names;
}

bool has_places(CauseChange change, CausePlaces places) {
  if (change == CauseChange::stream) return places == CausePlaces::position;
  if (places == CausePlaces::path) return change == CauseChange::zero;
  return !is_patch(change) || places == CausePlaces::all || places == CausePlaces::position;
}

bool is_patch(CauseChange change) {
  return change > CauseChange::other;
}

bool is_of_heads(CauseChange change) {
  return change < CauseChange::stream;
}

bool needs_other(CauseChange change) {
  return change >= CauseChange::other;
}

std::shared_ptr<const Causes> find_causes(const ModelRun& a, const ModelRun* b, const CauseRequest& request,
                                          const ComputeContext& context) {
  return Search(a, b, request, context).go();
}

}  // namespace headscope
