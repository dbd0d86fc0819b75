#pragma once
#include <atomic>
#include <memory>

#include "core/model/run/model_run.h"
#include "core/source/trace.h"
#include "core/text/tokenizer/tokenizer.h"

namespace headscope {

class OnDemandContext;

/// The Error for logits that are not finite although the layers are.
Error logits_overflow();

/// The predictions of a trained model's head for a run, and their logit contributions.
class ModelPredictions : public Predictions {
 public:
  ModelPredictions(std::shared_ptr<const ModelRun> run, std::shared_ptr<const Tokenizer> tokenizer,
                   std::shared_ptr<OnDemandContext> on_demand)
      : run_(std::move(run)), tokenizer_(std::move(tokenizer)), on_demand_(std::move(on_demand)) {}

  BlockKind block() const override;
  const OutputConfig& output() const override { return run_->model().config().output; }
  std::optional<Index> text_query() const override;
  Index text_queries() const override;
  bool has_lens() const override;
  bool of_next_token() const override;
  Tensor logits(Index begin, Index end) const override;
  Tensor logits_after(int layer, Index begin, Index end) const override;
  std::string token(Index id) const override;
  std::vector<Index> ids(std::string_view text) const override;
  Index vocabulary() const override { return run_->model().outputs(); }
  std::optional<Error> error() const override;
  std::optional<LogitContributions> contributions(Index position, Index id,
                                                  const std::stop_token& stop) const override;
  std::shared_ptr<const Causes> causes(const ModelRun* other, const CauseRequest& request) const override;
  std::shared_ptr<const HeadPaths> paths(const CauseQuestion& question, std::span<const HeadPlace> heads,
                                         const std::stop_token& stop) const override;
  std::optional<LogitDirection> direction(BlockKind block, int layer, Index id) const override;

 private:
  Tensor checked(Tensor logits, Index begin) const;

  std::shared_ptr<const ModelRun> run_;
  std::shared_ptr<const Tokenizer> tokenizer_;
  std::shared_ptr<OnDemandContext> on_demand_;
  mutable std::atomic<bool> overflowed_ = false;
};

}  // namespace headscope
