#pragma once
#include <functional>
#include <mutex>

#include "core/model/sampling.h"
#include "core/source/model/model_text.h"
#include "core/source/source.h"

namespace headscope {

class Beside;

/// What text a model is to go on with.
struct GenerateRequest {
  Index max_tokens = 64;
  Sampling sampling;
  std::uint64_t seed = 0;
  /// Called with each token as it comes and the text of all of them; false ends the text. May be empty.
  std::function<bool(const Token& token, const std::string& text)> took;
  /// Called with what it takes where there are as many tokens as were asked for. May be empty.
  TellForecast forecast = {};
};
/// Why a text goes no further.
enum class GenerationEnd : int {
  end_token,   ///< the model itself ended it
  max_tokens,  ///< there are as many as were asked for
  positions,   ///< there is no position for another token
  stopped,     ///< by who asked for it
};
struct Generated {
  std::vector<Token> tokens;  ///< without those of the text before, and without the end's own
  std::string text;
  GenerationEnd end = GenerationEnd::max_tokens;
  std::vector<double> probabilities;  ///< of each token, as it was chosen
  /// Of an encoder–decoder: the tokens of the source, and which of them each token was made from.
  std::vector<Token> source_tokens;
  std::vector<AlignedTo> aligned;
  std::shared_ptr<const Translation> translation;  ///< of one that was given nothing to go on with
  bool ended() const { return end == GenerationEnd::end_token; }
};

/// A trained model: its weights and its tokenizer from one folder.
class ModelSource : public Source {
 public:
  /// Throws Error (input) as LanguageModel::open() and Tokenizer::from_folder().
  static std::shared_ptr<const ModelSource> open(const std::string& folder, const ComputeContext& context,
                                                 LoadProgress* progress = nullptr);
  ModelSource(std::shared_ptr<const LanguageModel> model, Tokenizer tokenizer);
  ~ModelSource() override;

  const LanguageModel& model() const { return *model_; }
  const Tokenizer& tokenizer() const { return *tokenizer_; }
  std::vector<BlockShape> shape() const;
  std::string family() const override;
  std::string fingerprint() const override;
  bool divides_scores() const override;
  Index window(BlockKind block, int layer) const override;
  const ModelNotes* model_notes() const override;
  std::int64_t parameters() const override { return parameters_; }
  std::int64_t multiplications(Index tokens, Index target) const override;
  bool reads_pairs() const override { return !model_->config().has_decoder(); }

  /// Throws Error (input) as split_text(), and for dropout, which a trained model is run without. An
  /// encoder–decoder whose target is not given generates it, under the masks of the inputs.
  std::shared_ptr<const Trace> run(const Inputs& inputs, const RunOptions& options,
                                   const ComputeContext& context, const std::stop_token& stop) const override;
  std::optional<Linear> projection(BlockKind block, int layer, ProjectionKind kind) const override;
  std::vector<std::string> stages(BlockKind block) const override;

  /// Goes on with the sentence, or makes a text of it where the model has an encoder for it. Throws Error
  /// (input) as run(), and for a model that makes no text. Nothing if stopped.
  std::optional<Generated> generate(const Inputs& inputs, const GenerateRequest& request,
                                    const ComputeContext& context, const std::stop_token& stop) const;

 private:
  friend class ModelTrace;
  /// What it writes of a text with nothing changed.
  struct LearntTarget {
    std::vector<Index> ids;
    double least_probability = 1;  ///< of them and of the end
  };
  LearntTarget learnt_target(const Inputs& inputs, const ComputeContext& context,
                             const std::stop_token& stop) const;
  void keep_learnt(const Text& text, LearntTarget target) const;

  std::shared_ptr<const LanguageModel> model_;
  std::shared_ptr<const Tokenizer> tokenizer_;  // kept by what traces tell of tokens
  std::shared_ptr<Beside> beside_;
  std::int64_t parameters_ = 0;
  // Heads are switched off and on again with one text: what it is as learnt is computed once.
  mutable std::mutex learnt_mutex_;
  mutable std::optional<std::pair<Text, LearntTarget>> learnt_;
  mutable std::once_flag fingerprint_made_;
  mutable std::string fingerprint_;
};

}  // namespace headscope
