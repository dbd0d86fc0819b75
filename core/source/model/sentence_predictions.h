#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/model/run/model_run.h"
#include "core/source/trace.h"

namespace headscope {

class OnDemandContext;

/// A sentence and what a text tower made of it.
struct ReadSentence {
  std::string text;
  std::vector<double> vector;  ///< projected
};

/// Which of some sentences fits a picture, by the similarity of their vectors (CLIP, SigLIP).
class SentencePredictions : public Predictions {
 public:
  SentencePredictions(std::shared_ptr<const ModelRun> run, std::vector<ReadSentence> sentences,
                      std::shared_ptr<OnDemandContext> on_demand);

  BlockKind block() const override { return BlockKind::self; }
  const OutputConfig& output() const override { return output_; }
  std::optional<Index> text_query() const override { return 0; }
  Index text_queries() const override;
  bool of_next_token() const override { return false; }
  Tensor logits(Index begin, Index end) const override;
  Tensor logits_after(int layer, Index begin, Index end) const override;
  std::string token(Index id) const override;
  std::vector<Index> ids(std::string_view text) const override;
  Index vocabulary() const override { return std::ssize(output_.labels); }
  std::optional<Error> error() const override { return {}; }
  std::optional<LogitContributions> contributions(Index position, Index id,
                                                  const std::stop_token& stop) const override;
  std::optional<LogitDirection> direction(BlockKind block, int layer, Index id) const override;
  /// They are about tokens: throw Error (input).
  std::shared_ptr<const Causes> causes(const ModelRun* other, const CauseRequest& request) const override;
  std::shared_ptr<const HeadPaths> paths(const CauseQuestion& question, std::span<const HeadPlace> heads,
                                         const std::stop_token& stop) const override;

 private:
  std::shared_ptr<const ModelRun> run_;
  OutputConfig output_;
  std::vector<std::vector<double>> vectors_;
  std::shared_ptr<OnDemandContext> on_demand_;
};

}  // namespace headscope
