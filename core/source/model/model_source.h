#pragma once
#include <functional>
#include <mutex>

#include "core/model/run/generation.h"
#include "core/model/run/sampling.h"
#include "core/source/model/model_text.h"
#include "core/source/source.h"

namespace headscope {

class OnDemandContext;
class ModelFiles;
class PictureReader;

inline constexpr Index usual_new_tokens = 64;

/// How a model should continue a text.
struct GenerateRequest {
  std::optional<Index> max_tokens;  ///< none: as usual, or fewer where the model's files say so
  Sampling sampling;
  std::uint64_t seed = 0;
  /// Called with each new token and the text of all of them; returning false stops. May be empty.
  std::function<bool(const Token& token, const std::string& text)> took;
  /// Called with the forecast for generating all requested tokens. May be empty.
  ReportForecast forecast = {};
};
/// Why generation ended.
enum class GenerationEnd : int {
  end_token,   ///< the model itself ended it
  max_tokens,  ///< the requested number is reached
  positions,   ///< the model has no position for another token
  stopped,     ///< stopped by the caller
};
struct Generated {
  std::vector<Token> tokens;  ///< without those of the given text and the end token
  std::string text;
  GenerationEnd end = GenerationEnd::max_tokens;
  std::vector<double> probabilities;  ///< of each token when it was chosen
  /// Of an encoder–decoder: the tokens of the source, and which of them each token is aligned to.
  std::vector<Token> source_tokens;
  std::vector<AlignedTo> aligned;
  std::shared_ptr<const Translation> translation;  ///< if no target was given
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
  /// Of what reads a text.
  const Tokenizer& tokenizer() const { return *tokenizer_; }
  /// With that of a text tower.
  std::vector<BlockShape> shape() const;
  std::string fingerprint() const override;
  Index window(BlockKind block, int layer) const override;
  std::string known_text() const override;
  std::vector<Error> notes(int sequence) const override;
  /// What the model's files say of generation and generate() does not do.
  std::optional<Error> generation_note() const;
  std::int64_t multiplications(Index tokens, Index target) const override;
  std::string decoder_text(const Trace& trace) const override;

  /// Throws Error (input) as split_text(), and for dropout, which is not supported for trained models. An
  /// encoder–decoder without a given target generates it, with the masks of the inputs.
  std::shared_ptr<const Trace> run(const Inputs& inputs, const RunOptions& options,
                                   const ComputeContext& context, const std::stop_token& stop) const override;
  std::optional<Linear> projection(BlockKind block, int layer, ProjectionKind kind) const override;
  std::vector<std::string> stages(BlockKind block, int layer) const override;

  /// Continues the sentence, or generates a target from it if the model has an encoder and a decoder. Throws
  /// Error (input) as run(), and for a model that cannot generate text. Nothing if stopped.
  std::optional<Generated> generate(const Inputs& inputs, const GenerateRequest& request,
                                    const ComputeContext& context, const std::stop_token& stop) const;

 private:
  friend class ModelTrace;
  /// What it generates for a text without interventions.
  struct LearntTarget {
    std::vector<Index> ids;
    double min_probability = 1;  ///< including the end token's
  };
  LearntTarget learnt_target(const Inputs& inputs, const ComputeContext& context,
                             const std::stop_token& stop) const;
  void keep_learnt(const Text& text, LearntTarget target) const;

  ModelSource(std::shared_ptr<const LanguageModel> model, std::shared_ptr<const Tokenizer> tokenizer,
              std::shared_ptr<const PictureReader> pictures, std::shared_ptr<const ModelSource> text_tower);
  static std::shared_ptr<const ModelSource> open_picture_model(const ModelFiles& files,
                                                               const std::string& folder, ModelConfig config,
                                                               const ComputeContext& context,
                                                               LoadProgress* progress);
  std::optional<ModelText> read_text(const Inputs& inputs, const std::stop_token& stop) const;
  /// Adds which of the sentences fits the picture of `run`, if there is one; and the text tower's block, of
  /// the first sentence. False if stopped.
  bool read_sentences(const std::shared_ptr<const ModelRun>& run, const RunOptions& options,
                      const ComputeContext& context, const std::stop_token& stop, Trace& trace) const;

  std::shared_ptr<const LanguageModel> model_;
  std::shared_ptr<const Tokenizer> tokenizer_;     // shared with the predictions of traces
  std::shared_ptr<const PictureReader> pictures_;  // of a model that reads pictures
  std::shared_ptr<const ModelSource> text_tower_;  // beside it, if there is one
  std::shared_ptr<OnDemandContext> on_demand_;
  std::vector<Error> notes_;  ///< for notes(), which a window asks for in every frame
  GenerationRules rules_;
  // Heads are often ablated and restored with the same text: the output without interventions is cached.
  mutable std::mutex learnt_mutex_;
  mutable std::optional<std::pair<Text, LearntTarget>> learnt_;
  mutable std::once_flag fingerprint_created_, known_text_created_;
  mutable std::string fingerprint_, known_text_;
};

}  // namespace headscope
