#include "core/source/model/model_source.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>

#include "core/base/enum_table.h"
#include "core/base/error.h"
#include "core/base/stopped.h"
#include "core/base/tensor.h"
#include "core/inputs/names.h"
#include "core/model/config/foreign_folder.h"
#include "core/model/layer/layer_parts.h"
#include "core/model/layer/layer_walk.h"
#include "core/model/layer/pooled_rows.h"
#include "core/model/layer/seen_keys.h"
#include "core/model/weights/fingerprint.h"
#include "core/model/weights/model_files.h"
#include "core/model/weights/model_size.h"
#include "core/model/weights/unread_tensors.h"
#include "core/source/ablation.h"
#include "core/source/maps/work_forecast.h"
#include "core/source/model/known_words.h"
#include "core/source/model/languages.h"
#include "core/source/model/model_cost.h"
#include "core/source/model/model_maps.h"
#include "core/source/model/model_masks.h"
#include "core/source/model/model_predictions.h"
#include "core/source/model/picture_reader.h"
#include "core/source/model/sentence_predictions.h"
#include "core/system/machine_memory.h"

namespace headscope {
namespace {

// For a displayed text; generate() has its own limit.
constexpr Index max_target_tokens = 128;

LayerMixer layer_mixer(const ModelConfig& config, Mixer kind) {
  const auto number = [](Index size) { return static_cast<int>(size); };
  if (kind == Mixer::softmax) return {kind, number(config.body().heads)};
  const StateMixer& state = *config.state_mixer;
  return {kind, number(state.heads), number(state.groups), number(state.d_k), number(state.d_v)};
}

BlockShape block_shape(const ModelBlock& block, const ModelConfig& config) {
  BlockShape shape;
  shape.kind = block.kind;
  shape.layers = static_cast<int>(block.layers);
  shape.heads = static_cast<int>(block.heads);
  shape.kv_heads = static_cast<int>(block.kv_heads);
  shape.d_model = static_cast<int>(block.d_model);
  shape.d_k = static_cast<int>(block.d_k);
  if (block.d_v != block.d_k) shape.own_d_v = static_cast<int>(block.d_v);
  shape.causal = block.causal;
  if (config.latent) shape.latent = static_cast<int>(config.latent->rank);
  if (block.kind == BlockKind::state)
    shape.mixers.assign(block.layers, layer_mixer(config, config.state_mixer->kind));
  const LayerStack& stack = config.body();
  if (block.kind == BlockKind::self && (!stack.head_dims.empty() || !stack.kv_heads_of_layers.empty()))
    for (Index layer = 0; layer < stack.layers; ++layer)
      shape.sizes.push_back(
          {static_cast<int>(stack.kv_heads_of(layer)), static_cast<int>(head_dim_of(config, stack, layer))});
  if (block.kind == BlockKind::self)
    for (Index layer = 0; layer < std::ssize(config.mixers); ++layer)
      shape.mixers.push_back(layer_mixer(config, config.mixer_of(layer)));
  shape.no_token = config.sinks;
  shape.q_bias = config.qkv_bias && config.query_bias;
  shape.k_bias = config.qkv_bias && config.key_bias;
  shape.v_bias = config.qkv_bias && config.value_bias;
  shape.output_bias = config.output_bias;
  return shape;
}

// Querying free memory takes longer than a run of a small model.
void check_memory(const ModelMemory& memory) {
  constexpr std::size_t small = std::size_t{64} << 20;
  if (memory.needed() > small) headscope::check_memory(memory, available_memory());
}

void check_interventions(const Interventions& interventions, const std::vector<BlockShape>& shapes) {
  if (interventions.dropout > 0)
    throw input_error("dropout is {}; a trained model is run without it, expected 0", interventions.dropout);
  check_ablated_heads(interventions.ablated_heads, shapes);
}

// The interventions for every layer; `mask` returns a layer's own mask.
template <typename MaskOf>
ModelChanges changes_of(const Interventions& interventions, const LanguageModel& model,
                        const std::vector<BlockShape>& shapes, const MaskOf& mask) {
  ModelChanges changes;
  for (const BlockShape& shape : shapes) {
    AttentionChange change;
    if (interventions.mask_fill == MaskFill::minus_1e9) change.fill = -1e9F;
    change.temperature = static_cast<float>(interventions.temperature);
    change.scale = interventions.scale;
    change.gain_q = static_cast<float>(interventions.gain_q);
    change.gain_k = static_cast<float>(interventions.gain_k);
    if (interventions.ablation == Ablation::mean) change.off_by = AttentionChange::AblatedHeads::mean;
    for (int layer = 0; layer < shape.layers; ++layer) {
      change.mask = mask(shape.kind, layer);
      change.ablated_heads.clear();
      for (const HeadPlace& place : interventions.ablated_heads)
        if (place.block == shape.kind && place.layer == layer) change.ablated_heads.push_back(place.head);
      const StackPlace place = model.in_stack(shape.kind, layer);
      changes.set(place.kind, place.layer, change);
    }
  }
  return changes;
}

/// Tokens that stand for the rows of each block: several are named together.
std::vector<std::vector<Token>> pooled_tokens(const Funnel& funnel, const std::vector<Token>& tokens) {
  constexpr Index most_named = 4;
  std::vector<std::vector<Token>> blocks;
  for (Index block = 0; block < funnel.blocks(); ++block) {
    std::vector<Token>& of_block = blocks.emplace_back();
    for (const auto& [begin, end] : rows_of_block(funnel, std::ssize(tokens), block)) {
      Token row = tokens[begin];
      if (block > 0) row.word = -1;
      if (end - begin > 1) {
        for (Index i = begin + 1; i < end; ++i) {
          row.special = row.special && tokens[i].special;
          row.unknown = row.unknown || tokens[i].unknown;
          row.end = std::max(row.end, tokens[i].end);
          const bool named = end - begin <= most_named || i + 1 == end;
          if (named) row.text += "+" + tokens[i].text;
          if (!named && i == begin + 1) row.text += "+…";
        }
        row.id = -1;
      }
      of_block.push_back(std::move(row));
    }
  }
  return blocks;
}

/// Successive runs of one text, each continuing the one before.
class ModelRuns {
 public:
  ModelRuns(std::shared_ptr<const LanguageModel> model, const Inputs& inputs, bool fit_masks, ModelText text,
            std::vector<BlockShape> shapes, bool grows, const GenerationRules& rules,
            const ComputeContext& context, const std::stop_token& stop)
      : model_(std::move(model)),
        inputs_(inputs),
        text_(std::move(text)),
        shapes_(std::move(shapes)),
        rules_(rules),
        given_(std::ssize(encoder_decoder() ? text_.target : text_.tokens)),
        source_(ids_of(text_.tokens)),
        masks_(inputs, fit_masks, model_->config().has_global_tokens),
        context_{context.kernels, grows && takes_short_steps() ? alone_ : context.threads, context.memory,
                 context.engine},
        stop_(stop) {
    if (text_.first_written) rules_.forced_bos_token = text_.first_written;
  }

  /// Reports progress of each run from here on; not useful when one is continued many times.
  void report(const std::function<void(double share)>& progress) {
    if (progress)
      progress_ = [progress](Index done, Index layers) {
        progress(static_cast<double>(done) / static_cast<double>(layers));
      };
  }

  bool encoder_decoder() const { return model_->config().encoder_decoder(); }
  /// The token list that generated tokens are appended to.
  std::vector<Token>& growing() { return encoder_decoder() ? text_.target : text_.tokens; }
  const ModelText& text() const { return text_; }
  /// The tokens of a block's queries and keys.
  const std::vector<Token>& queries(BlockKind kind) const {
    return kind == BlockKind::decoder || kind == BlockKind::cross ? text_.target : rows_of(kind, false);
  }
  const std::vector<Token>& keys(BlockKind kind) const {
    return kind == BlockKind::decoder ? text_.target : rows_of(kind, true);
  }
  /// Probabilities of the chosen tokens.
  const std::vector<double>& probabilities() const { return probabilities_; }
  double min_probability() const { return min_probability_; }  ///< including the end token's
  const BlockMasks& masks() const { return masks_; }

  std::shared_ptr<const ModelRun> run(std::shared_ptr<const ModelRun> previous) {
    read_rows();
    masks_.build(shapes_, [this](BlockKind kind) { return BlockMasks::Sides{queries(kind), keys(kind)}; });
    ModelRequest request;
    request.input = {ids_of(text_.tokens),
                     text_.types,
                     ids_of(text_.target),
                     text_.pixels,
                     masks_.chosen_tokens(std::ssize(text_.tokens)),
                     text_.sound};
    request.changes = changes_of(inputs_, *model_, shapes_,
                                 [&](BlockKind kind, int layer) { return masks_.user(kind, layer); });
    request.previous = std::move(previous);
    request.stop = stop_;
    request.progress = progress_;
    auto done = ModelRun::run(model_, std::move(request), context_);
    if (!done || stop_requested(stop_)) return nullptr;
    if (encoder_decoder()) check_finite(*done, BlockKind::encoder);
    check_finite(*done, encoder_decoder() ? BlockKind::decoder : BlockKind::self);
    return done;
  }

  /// `most`, or fewer new tokens where the model's files limit them.
  Index limited(Index most) const { return std::min(most, rules_.longest_after(given_).value_or(most)); }

  /// The token after those of `last`, which may be the last one; nothing if the text ends.
  std::optional<Index> next(const ModelRun& last, Sampler& sampler, bool is_last) {
    const Index n = std::ssize(growing());
    Tensor tensor = last.logits(n - 1, n, context_, stop_);
    model_->files().check_whole();
    if (!finite(tensor)) throw logits_overflow();
    const std::span<float> logits(tensor.data(), tensor.size());
    const std::vector<Index> ids = ids_of(growing());
    const GeneratedText text{ids, given_, source_, is_last};
    apply_rules(rules_, text, logits);
    const std::optional<Index> forced = forced_token(rules_, text);
    const Index id = forced ? *forced : sampler.choose(logits);
    if (id >= tensor.size())
      throw input_error("token id {} is outside of the model's vocabulary of {}", id, tensor.size());
    // None, where the rules leave no token.
    const double likely = std::exp2(-surprise(logits, id)), probability = std::isnan(likely) ? 0 : likely;
    min_probability_ = std::min(min_probability_, probability);
    if (std::ranges::find(rules_.eos_tokens, id) != rules_.eos_tokens.end()) return {};
    probabilities_.push_back(probability);
    return id;
  }

 private:
  /// For a small model a step takes less time than waking another thread, especially on a busy machine.
  bool takes_short_steps() const {
    constexpr std::size_t max_bytes = 100'000'000;  // of weights, read once per token
    return model_->files().total_bytes() * std::max<std::size_t>(1, text_.tokens.size()) < max_bytes;
  }

  /// Tokens that stand for rows of pooled ones, of each block of a Funnel.
  void read_rows() {
    if (const auto& funnel = model_->config().funnel) pooled_ = pooled_tokens(*funnel, text_.tokens);
  }
  const std::vector<Token>& rows_of(BlockKind kind, bool of_keys) const {
    if (!continues_stack(kind) || pooled_.empty()) return text_.tokens;
    const Funnel& funnel = *model_->config().funnel;
    const Index layer = model_->in_stack(kind, 0).layer, block = funnel.block_of(layer);
    return pooled_[block == funnel.blocks() ? 0 : of_keys && is_pooling(kind) ? block - 1 : block];
  }

  void check_finite(const ModelRun& run, BlockKind body) const {
    if (finite(run.stream(body, context_.memory))) return;
    const Index layers = model_->stack(body).size.layers;
    Index last = 1;  // the layer, from 1, that gives a non-finite number
    while (last < layers && finite(run.x(body, last, context_.memory))) ++last;
    const Error error = input_error(
        "layer {} of {}: values exceed float32's range; use smaller gains or a higher temperature", last,
        layers);
    throw body == BlockKind::encoder ? error.at("encoder") : error;
  }

  std::shared_ptr<const LanguageModel> model_;
  const Inputs& inputs_;
  ModelText text_;
  std::vector<BlockShape> shapes_;
  GenerationRules rules_;
  Index given_;  ///< tokens of the growing text that were not generated
  std::vector<Index> source_;
  BlockMasks masks_;
  std::vector<std::vector<Token>> pooled_;  // see read_rows()
  std::vector<double> probabilities_;
  double min_probability_ = 1;
  ThreadPool alone_{1};
  const ComputeContext context_;
  std::stop_token stop_;
  std::function<void(Index done, Index layers)> progress_;
};

/// The result of `grow`.
struct Growth {
  std::shared_ptr<const ModelRun> run;  ///< of the whole text; nullptr if stopped
  GenerationEnd end = GenerationEnd::max_tokens;
  bool continued = false;  ///< rows were reused from an earlier run
};

/// In generated text a word begins with a space.
void push_grown(std::vector<Token>& tokens, Token token) {
  const Token* before = tokens.empty() || tokens.back().special ? nullptr : &tokens.back();
  if (!token.special)
    token.word = before == nullptr ? 0 : before->word + (token.text.starts_with(' ') ? 1 : 0);
  tokens.push_back(std::move(token));
}

/// Continues the text until it ends, or by `maximum` tokens.
Growth grow(ModelRuns& runs, std::shared_ptr<const ModelRun> previous, Index maximum, Sampler& sampler,
            const LanguageModel& model, const Tokenizer& tokenizer,
            const std::function<bool(const Token& token)>& took) {
  Growth growth{runs.run(std::move(previous))};
  growth.continued = growth.run && growth.run->reused() > 0;
  const Index longest = std::min<Index>(
      model.config().longest(runs.encoder_decoder()).value_or(Limits::max_tokens), Index{Limits::max_tokens});
  for (Index i = 0; i < maximum && growth.run; ++i) {
    growth.end = GenerationEnd::positions;
    if (std::ssize(runs.growing()) >= longest) break;
    const std::optional<Index> id = runs.next(*growth.run, sampler, i + 1 == maximum);
    growth.end = GenerationEnd::end_token;
    if (!id) break;
    push_grown(runs.growing(), runs.text().placeholders.written(model_token(tokenizer, *id)));
    growth.end = GenerationEnd::stopped;
    if (took && !took(runs.growing().back())) break;
    growth.end = GenerationEnd::max_tokens;
    if (i + 1 < maximum || !took) growth.run = runs.run(growth.run);
  }
  return growth;
}

// Builds one block: the keys of cross-attention, masks and maps.
BlockTrace make_block(const BlockShape& shape, const ModelRuns& runs, const Inputs& inputs,
                      const std::shared_ptr<const ModelRun>& run,
                      const std::shared_ptr<OnDemandContext>& on_demand) {
  BlockTrace block;
  block.shape = shape;
  block.text = inputs;
  block.interventions = inputs;
  block.interventions.mask = runs.masks().parts(shape.kind);
  block.tokens = runs.queries(shape.kind);
  block.key_tokens = runs.keys(shape.kind);
  if (const auto& patches = runs.text().patches) block.patches = block.key_patches = *patches;
  if (!run) return block;
  runs.masks().combine(shape, run->model().config(), run->input(), block);
  const StackPlace first = run->model().in_stack(shape.kind, 0);
  const auto layers = std::make_shared<const ModelLayers>(run, first, on_demand);
  block.computed_layers = layers;
  block.maps = std::make_shared<const ModelMaps>(
      MapSource::Size{shape.layers, shape.heads, block.n_q(), block.n_k()}, layers);
  if (shape.kind == BlockKind::cross) block.key_x = run->encoded();
  if (is_pooling(shape.kind)) block.key_x = run->key_x(first.layer, on_demand->memory());
  return block;
}

// The stack's output as read by the next component: after its last norm.
Tensor stack_output(const ModelRun& run, BlockKind kind, const ComputeContext& context) {
  const Tensor stream = run.stream(kind, context.memory);
  const Norm& last = run.model().stack(kind).last_norm;
  return last.present() ? normed(last, stream.data(), stream.dim(0), context) : stream;
}

std::vector<TokenId> written_ids(const std::vector<Token>& target, Index first) {
  std::vector<TokenId> ids;
  for (std::size_t i = first; i < target.size(); ++i) ids.push_back(static_cast<TokenId>(target[i].id));
  return ids;
}

/// What the runs have generated after the start token; `learnt` is the output without interventions, whose
/// minimum is `min_probability`; not engaged if there is none.
std::shared_ptr<const Translation> translation_of(ModelRuns& runs, const Tokenizer& tokenizer,
                                                  const ModelNotes* notes,
                                                  const std::optional<std::vector<Index>>& learnt,
                                                  double min_probability) {
  auto translation = std::make_shared<Translation>();
  const std::vector<Token>& target = runs.growing();
  const Placeholders& placeholders = runs.text().placeholders;
  translation->text = placeholders.decode(written_ids(target, 1), tokenizer);
  translation->probabilities = runs.probabilities();
  translation->unknown = placeholders.words();
  const std::vector<Index> now = ids_of({target.begin() + 1, target.end()});
  if (learnt && *learnt != now) {
    std::vector<TokenId> before;
    for (const Index id : *learnt) before.push_back(static_cast<TokenId>(id));
    translation->as_learnt = placeholders.decode(before, tokenizer);
    translation->changed = changed_tokens(*learnt, now);
  }
  // With ablated heads a token may be improbable for any text: use the probability without interventions.
  if (notes != nullptr)
    translation->outside = placeholders.too_many() || min_probability < notes->outside_below ||
                           // For a model whose errors can be detected: it has dropped a word.
                           (notes->outside_below > 0 && !placeholders.all_in(learnt ? *learnt : now));
  // An empty text has nothing to warn about.
  if (std::ranges::all_of(runs.text().tokens, &Token::special)) translation->outside = false;
  return translation;
}

bool changes_nothing(const Inputs& inputs) {
  return static_cast<const Interventions&>(inputs) == Interventions{};
}

BlockShape as_text_tower(BlockShape shape) {
  shape.kind = BlockKind::text;
  return shape;
}

/// The inputs of a text tower for one sentence: the interventions on the block `text`.
Inputs inputs_of_tower(const Inputs& inputs, std::string sentence) {
  Inputs tower = inputs;
  tower.sentence = std::move(sentence);
  tower.picture.clear();
  tower.key_sentence.reset();
  tower.target.reset();
  tower.mask.clear();
  for (MaskPart part : inputs.mask) {
    if (part.block && *part.block != BlockKind::text) continue;
    if (part.block) part.block = BlockKind::self;
    tower.mask.push_back(std::move(part));
  }
  tower.ablated_heads.clear();
  for (HeadPlace place : inputs.ablated_heads) {
    if (place.block != BlockKind::text) continue;
    place.block = BlockKind::self;
    tower.ablated_heads.insert(place);
  }
  return tower;
}

/// The lines that are not empty.
std::vector<std::string> sentences_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    if (line.find_first_not_of(" \t\r") != std::string::npos) lines.push_back(std::move(line));
    begin = end + 1;
  }
  return lines;
}

/// A folder that it was read from; "" for a single file of another kind (GGUF).
std::string folder_of(const WeightFiles& files) {
  if (files.paths().empty()) return {};
  const std::filesystem::path path = files.paths().front();
  return path.extension() == ".gguf" ? "" : path.parent_path().string();
}

/// The quantized types of its tensors, with commas; empty if there are none.
std::string quantizations_of(const WeightFiles& files) {
  std::string types;
  for (const auto& [name, view] : files.tensors())
    if (is_quantized(view.dtype) && types.find(view.type_name) == std::string::npos)
      types += (types.empty() ? "" : ", ") + view.type_name;
  return types;
}

/// `tokenizer` and `text_tower` may be nullptr.
std::vector<Error> notes_of(const LanguageModel& model, const Tokenizer* tokenizer,
                            const LanguageModel* text_tower) {
  std::vector<Error> notes;
  if (tokenizer != nullptr) notes = tokenizer->facts().notes;
  if (const std::string types = quantizations_of(model.files()); !types.empty())
    notes.push_back(input_error("the weights are quantized ({}): numbers differ from the original's", types));
  std::vector<const LanguageModel*> parts{&model};
  if (text_tower != nullptr) parts.push_back(text_tower);
  if (const auto unread = unread_tensors(parts); !unread.empty()) notes.push_back(unread_note(unread));
  if (const auto& paths = model.files().paths(); !paths.empty())
    if (auto note = folder_note(std::filesystem::path(paths.front()).parent_path().string()))
      notes.push_back(*note);
  return notes;
}

}  // namespace

std::shared_ptr<const ModelSource> ModelSource::open(const std::string& folder, const ComputeContext& context,
                                                     LoadProgress* progress) {
  const auto files = ModelFiles::open(folder);
  ModelConfig config = files->config();  // first: its Error best describes a folder that is not a model's
  if (config.picture) return open_picture_model(*files, folder, std::move(config), context, progress);
  auto tokenizer = files->tokenizer();
  const Placeholders checked(config, tokenizer);  // throws
  return std::make_shared<const ModelSource>(
      LanguageModel::open(*files, folder, std::move(config), context, progress), std::move(tokenizer));
}

std::shared_ptr<const ModelSource> ModelSource::open_picture_model(const ModelFiles& files,
                                                                   const std::string& folder,
                                                                   ModelConfig config,
                                                                   const ComputeContext& context,
                                                                   LoadProgress* progress) {
  auto pictures = std::make_shared<const PictureReader>(folder, *config.picture);
  std::shared_ptr<const ModelSource> text_tower;
  if (config.text_tower) {
    auto tokenizer = files.tokenizer();
    text_tower = std::make_shared<const ModelSource>(
        LanguageModel::open(files, folder, *config.text_tower, context, progress), std::move(tokenizer));
  }
  auto model = LanguageModel::open(files, folder, std::move(config), context, progress);
  return std::shared_ptr<const ModelSource>(
      new ModelSource(std::move(model), nullptr, std::move(pictures), std::move(text_tower)));
}

ModelSource::ModelSource(std::shared_ptr<const LanguageModel> model, Tokenizer tokenizer)
    : ModelSource(std::move(model), std::make_shared<const Tokenizer>(std::move(tokenizer)), nullptr,
                  nullptr) {}

ModelSource::ModelSource(std::shared_ptr<const LanguageModel> model,
                         std::shared_ptr<const Tokenizer> tokenizer,
                         std::shared_ptr<const PictureReader> pictures,
                         std::shared_ptr<const ModelSource> text_tower)
    : model_(std::move(model)),
      tokenizer_(std::move(tokenizer)),
      pictures_(std::move(pictures)),
      text_tower_(std::move(text_tower)),
      on_demand_(std::make_shared<OnDemandContext>()),
      notes_(notes_of(*model_, tokenizer_.get(), text_tower_ ? &text_tower_->model() : nullptr)),
      rules_(generation_rules(folder_of(model_->files()), model_->config())) {
  if (auto note = generation_note()) notes_.push_back(std::move(*note));
  const ModelConfig& config = model_->config();
  about_.family = to_name(config);
  about_.gated_heads = config.gated_heads;
  about_.normed_values = config.value_norm;
  if (config.alt_up) about_.streams = static_cast<int>(config.alt_up->streams);
  about_.pools_rows = config.funnel.has_value();
  about_.divides_scores = config.scale_scores || config.scale_scores_by_layer;
  if (config.block_sparse) {
    about_.block_size = config.block_sparse->block;
    about_.dense_tokens = config.block_sparse->dense();
  }
  about_.parameters = count_parameters(config, model_->files());
  about_.reads_pairs = (!config.has_decoder() || config.rereads()) && !pictures_;
  about_.reads_target = config.encoder_decoder() && !config.rereads();
  if (about_.reads_target) about_.languages = languages_of(*tokenizer_);
  about_.reads_picture = pictures_ != nullptr;
  about_.reads_sentences_of_picture = text_tower_ != nullptr;
  if (config.sound) {
    about_.sound_frames = config.sound->frames;
    about_.sound_bands = config.sound->bands;
  }
  if (!config.notes) return;
  about_.model_notes = &*config.notes;
  const std::vector<std::string>& files = model_->files().paths();
  if (!config.notes->picture.empty() && !files.empty())
    about_.known_picture =
        (std::filesystem::path(files.front()).parent_path() / config.notes->picture).string();
}

ModelSource::~ModelSource() = default;

std::string ModelSource::known_text() const {
  std::call_once(known_text_created_, [this] {
    const ModelNotes* notes = about().model_notes;
    if (notes != nullptr && !notes->sentence.empty())
      known_text_ = notes->sentence;
    else if (text_tower_)
      known_text_ = "a photo of a cat\na photo of a dog";
    else if (tokenizer_)
      known_text_ = text_of_known_words(*tokenizer_);
  });
  return known_text_;
}

std::vector<Error> ModelSource::notes(int /*sequence*/) const {
  return notes_;
}

std::optional<Error> ModelSource::generation_note() const {
  const ModelConfig& config = model_->config();
  const bool writes = config.has_decoder() && !config.rereads() && config.output.kind == OutputKind::tokens;
  const std::vector<std::string>& fields = rules_.not_obeyed;
  if (!writes || fields.empty()) return {};
  return input_error("generated texts do not obey {} of the model's files",
                     fmt::format("{}", fmt::join(fields, ", ")));
}

std::vector<BlockShape> ModelSource::shape() const {
  std::vector<BlockShape> shapes;
  for (const ModelBlock& block : model_->blocks()) shapes.push_back(block_shape(block, model_->config()));
  if (text_tower_) shapes.push_back(as_text_tower(text_tower_->shape().front()));
  return shapes;
}

std::optional<Linear> ModelSource::projection(BlockKind block, int layer, ProjectionKind kind) const {
  if (block == BlockKind::text) return text_tower_->projection(BlockKind::self, layer, kind);
  const StackPlace place = model_->in_stack(block, layer);
  if (!model_->attends(place.kind, place.layer)) return {};
  const AttentionWeights& weights = attention_weights(*model_, place.kind, place.layer);
  const Dense* const all[] = {&weights.q,        &weights.k,        &weights.v,       &weights.o,
                              &weights.q_global, &weights.k_global, &weights.v_global};
  const Dense& dense = *of_kind(all, kind);
  return Linear{rows_of(dense, 0, dense.out, best_kernels()), dense.bias};
}

std::vector<std::string> ModelSource::stages(BlockKind of, int of_block) const {
  if (of == BlockKind::text) return text_tower_->stages(BlockKind::self, of_block);
  const ModelConfig& config = model_->config();
  const auto [block, layer] = model_->in_stack(of, of_block);
  if (!model_->attends(block, layer)) return {"x", "input_norm", "state", "values"};
  const bool cross = block == BlockKind::cross;
  // The first layer may lack a norm (ModernBERT).
  const Sublayer sublayer = attention_sublayer(*model_, block, model_->stack(block).size.layers - 1);
  std::vector<std::string> names;
  const auto add = [&](bool present, const char* name) {
    if (present) names.emplace_back(name);
  };
  const auto& funnel = config.funnel;
  add(funnel && layer > 0 && layer == funnel->first_of(funnel->block_of(layer)), "made");
  add(true, "x");
  add(sublayer.input_norm != nullptr, "input_norm");
  add(config.latent && !cross, "latent");
  add(true, "projections");
  add(config.qkv_limit > 0, "clamp");
  add(config.qk_norm != QkNorm::none && !cross, "head_norm");
  add(config.rope && !cross, "rotation");
  add(true, "products");
  add(true, "scale");
  add(config.score_cap > 0, "cap");
  add(!cross && !model_->stack(block).relative_biases.empty(), "relative_bias");
  add(!cross && !model_->stack(block).slopes.empty(), "linear_bias");
  add(config.disentangled.has_value(), "position_terms");
  add(config.block_sparse && (block == BlockKind::self || block == BlockKind::encoder), "repeats");
  add(config.sinks, "sink");
  for (const char* name : {"mask", "temperature", "softmax", "values"}) add(true, name);
  add(config.gated_heads, "gate");
  for (const char* name : {"concat", "output"}) add(true, name);
  if (const Norm* const norm = sublayer.output_norm)
    add(true, norm->kind == Norm::Kind::scale ? "output_scale" : "output_norm");
  add(sublayer.sum_norm == nullptr, "residual");
  add(sublayer.sum_norm != nullptr, "norm");
  return names;
}

Index ModelSource::window(BlockKind block, int layer) const {
  const StackPlace place = model_->in_stack(block, layer);
  return window_of(model_->config(), place.kind, place.layer);
}

std::int64_t ModelSource::multiplications(Index tokens, Index target) const {
  return multiplications_of(*model_, tokens, target);
}

std::string ModelSource::decoder_text(const Trace& trace) const {
  if (!tokenizer_) return {};
  const auto decoder = std::ranges::find(trace.blocks, BlockKind::decoder,
                                         [](const BlockTrace& block) { return block.shape.kind; });
  const bool reads = decoder != trace.blocks.end() && !decoder->tokens.empty();
  if (has_word_tokens(*tokenizer_) && reads) return joined_words({}, std::span(decoder->tokens).subspan(1));
  if (trace.translation) return trace.translation->text;
  return reads ? tokenizer_->decode(written_ids(decoder->tokens, 1), true) : std::string();
}

std::string ModelSource::fingerprint() const {
  std::call_once(fingerprint_created_, [this] { fingerprint_ = fingerprint_of(model_->files()); });
  return fingerprint_;
}

std::optional<ModelText> ModelSource::read_text(const Inputs& inputs, const std::stop_token& stop) const {
  return pictures_ ? pictures_->read(inputs.picture)
                   : split_text(inputs, model_->config(), *tokenizer_, stop);
}

bool ModelSource::read_sentences(const std::shared_ptr<const ModelRun>& run, const RunOptions& options,
                                 const ComputeContext& context, const std::stop_token& stop,
                                 Trace& trace) const {
  constexpr std::size_t most = 256;
  const std::vector<std::string> lines = sentences_of(trace.inputs.sentence);
  if (lines.size() > most)
    throw input_error("sentence has {} lines; expected at most {}", lines.size(), most);
  trace.blocks.emplace_back().shape = as_text_tower(text_tower_->shape().front());
  RunOptions of_text = options;
  of_text.previous.reset();
  of_text.forecast = {};
  of_text.progress = {};
  std::vector<ReadSentence> sentences;
  for (const std::string& line : lines) {
    const auto said = text_tower_->run(inputs_of_tower(trace.inputs, line), of_text, context, stop);
    if (!said) return false;
    if (!said->run) continue;
    if (sentences.empty()) {
      trace.blocks.back() = said->blocks.front();
      trace.blocks.back().shape = as_text_tower(trace.blocks.back().shape);
    }
    const Tensor stream = said->run->stream(BlockKind::self, context.memory);
    sentences.push_back(
        {line, projected_vector(text_tower_->model(), stream, said->run->input().ids, context)});
  }
  if (run && !sentences.empty())
    trace.predictions = std::make_shared<const SentencePredictions>(run, std::move(sentences), on_demand_);
  return true;
}

std::shared_ptr<const Trace> ModelSource::run(const Inputs& inputs, const RunOptions& options,
                                              const ComputeContext& context,
                                              const std::stop_token& stop) const {
  const auto start = std::chrono::steady_clock::now();
  std::vector<BlockShape> shapes = shape();
  check_interventions(inputs, shapes);
  if (!options.fit_masks) check_mask_places(inputs.mask, shapes);
  if (text_tower_) shapes.pop_back();
  auto trace = std::make_shared<Trace>();
  trace->inputs = inputs;
  trace->source = shared_from_this();
  std::optional<ModelText> text = read_text(inputs, stop);
  if (!text) return nullptr;
  const Index n = std::ssize(text->tokens), n_target = std::ssize(text->target);
  const ModelMemory memory = model_memory(model_->config(), model_->files().total_bytes(), n, n_target);
  check_memory(memory);
  if (options.forecast) {
    // A translation is about as long as its text.
    Forecast forecast = forecast_of_products(static_cast<double>(multiplications(n, std::max(n, n_target))));
    forecast.bytes = static_cast<double>(memory.weights + memory.needed());
    options.forecast(forecast);
  }
  const bool empty = text->tokens.empty(),
             generates = model_->config().encoder_decoder() && !text->whole_target;
  ModelRuns runs(model_, inputs, options.fit_masks || generates, std::move(*text), shapes, generates, rules_,
                 context, stop);
  if (!generates) runs.report(options.progress);
  std::shared_ptr<const ModelRun> run;
  if (!empty) {
    Sampler greedy({}, 0);
    const Trace* before = options.compared ? nullptr : options.previous.get();
    Growth grown = grow(runs, before == nullptr ? nullptr : before->run,
                        generates ? runs.limited(max_target_tokens) : 0, greedy, *model_, *tokenizer_, {});
    run = std::move(grown.run);
    if (!run) return nullptr;
    trace->continued = grown.continued;
  }
  if (run && generates) {
    std::optional<std::vector<Index>> learnt;
    double min_probability = runs.min_probability();
    if (!changes_nothing(inputs)) {
      LearntTarget target = learnt_target(inputs, context, stop);
      if (stop_requested(stop)) return nullptr;
      min_probability = target.min_probability;
      learnt = std::move(target.ids);
    } else {
      keep_learnt(inputs, {ids_of({runs.growing().begin() + 1, runs.growing().end()}), min_probability});
    }
    trace->translation = translation_of(runs, *tokenizer_, about().model_notes, learnt, min_probability);
  }
  trace->blocks.clear();
  for (const BlockShape& shape : shapes) {
    BlockTrace& block = trace->blocks.emplace_back(make_block(shape, runs, inputs, run, on_demand_));
    if (run && options.stack_output && stack_of(shape.kind) == shape.kind &&
        (!continues_stack(shapes.back().kind) || &shape == &shapes.back()))
      block.stack_output = stack_output(*run, shape.kind, context);
  }
  trace->run = run;
  if (run) {
    trace->x = trace->key_x = run->x(shapes.front().kind, 0, context.memory);
    if (shapes.size() == 1 && model_->head() && model_->config().output.kind == OutputKind::tokens &&
        !model_->config().latent && !model_->config().state_mixer && !model_->config().value_norm)
      trace->blocks.front().circuits = model_;
    if (model_->head())
      trace->predictions = std::make_shared<const ModelPredictions>(run, tokenizer_, on_demand_);
  }
  if (text_tower_ && !read_sentences(run, options, context, stop, *trace)) return nullptr;
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
  trace->milliseconds = took.count();
  return trace;
}

std::optional<Generated> ModelSource::generate(const Inputs& inputs, const GenerateRequest& request,
                                               const ComputeContext& context,
                                               const std::stop_token& stop) const {
  const std::vector<BlockShape> shapes = shape();
  check_interventions(inputs, shapes);
  check_mask_places(inputs.mask, shapes);
  if (pictures_) throw input_error("{} reads a picture and writes no text", to_name(model_->config().family));
  if (!model_->config().has_decoder())
    throw input_error("{} reads a text and writes none; predict says what it expects at each token",
                      to_name(model_->config().family));
  if (!model_->config().encoder_decoder() && !model_->config().causal)
    throw input_error("this model attends in both directions, so it does not write a text token by token");
  if (!model_->head() || model_->config().output.kind != OutputKind::tokens)
    throw input_error(
        "this model has no output for tokens (no language modelling head), so it writes no text");
  std::optional<ModelText> text = split_text(inputs, model_->config(), *tokenizer_, stop);
  if (!text) return {};
  // A text that ends is not continued.
  ModelRuns runs(model_, inputs, true, std::move(*text), shapes, true, rules_, context, stop);
  if (runs.growing().empty() || runs.text().tokens.empty())
    throw input_error("the sentence has no tokens; a model continues at least one");
  const auto before = std::ssize(runs.growing());
  const Index most = request.max_tokens.value_or(runs.limited(usual_new_tokens));
  if (request.forecast) {
    const Index n = std::ssize(runs.text().tokens), end = before + most;
    const Index read = runs.encoder_decoder() ? n : end;
    Forecast forecast = forecast_of_products(static_cast<double>(multiplications(read, end)));
    const auto weights = static_cast<double>(model_->files().total_bytes());
    forecast.seconds += forecast_of_reading(static_cast<double>(most) * weights).seconds;
    forecast.bytes =
        weights + static_cast<double>(
                      model_memory(model_->config(), model_->files().total_bytes(), read, end).needed());
    request.forecast(forecast);
  }
  Sampler sampler(request.sampling, request.seed);
  // Decoded together with the text before it, since a decoder strips the space of the first token.
  const auto text_so_far = [&] {
    const Index start = runs.encoder_decoder() ? 1 : 0;  // the start token is not text
    const std::vector<TokenId> ids = written_ids(runs.growing(), start);
    const std::span<const TokenId> all(ids), prompt = all.first(before - start);
    const auto decoded = [&](std::span<const TokenId> part) {
      return runs.text().placeholders.decode(part, *tokenizer_);
    };
    const std::string whole = decoded(all), known = decoded(prompt);
    return whole.starts_with(known) ? whole.substr(known.size()) : decoded(all.subspan(before - start));
  };
  const auto took = [&](const Token& token) { return !request.took || request.took(token, text_so_far()); };
  const Growth growth = grow(runs, nullptr, most, sampler, *model_, *tokenizer_, took);
  if (!growth.run) return {};
  Generated result;
  result.tokens.assign(runs.growing().begin() + before, runs.growing().end());
  result.end = growth.end;
  result.text = text_so_far();
  result.probabilities = runs.probabilities();
  if (!model_->config().encoder_decoder()) return result;
  result.source_tokens = runs.text().tokens;
  for (const BlockShape& shape : shapes)
    if (shape.kind == BlockKind::cross) {
      const BlockTrace cross = make_block(shape, runs, inputs, growth.run, on_demand_);
      result.aligned =
          alignment(cross, alignment_look(cross, about().model_notes), before - 1, std::ssize(result.tokens));
    }
  if (runs.text().whole_target) return result;
  std::optional<std::vector<Index>> learnt;
  const bool likeliest_alone = request.sampling.temperature <= 0;
  double min_probability = runs.min_probability();
  if (likeliest_alone && !changes_nothing(inputs)) {
    LearntTarget target = learnt_target(inputs, context, stop);
    min_probability = target.min_probability;
    learnt = std::move(target.ids);
  }
  if (learnt && result.end == GenerationEnd::max_tokens && std::ssize(*learnt) > std::ssize(result.tokens))
    learnt->resize(result.tokens.size());
  result.translation = translation_of(runs, *tokenizer_, about().model_notes, learnt, min_probability);
  return result;
}

ModelSource::LearntTarget ModelSource::learnt_target(const Inputs& inputs, const ComputeContext& context,
                                                     const std::stop_token& stop) const {
  {
    const std::lock_guard lock(learnt_mutex_);
    if (learnt_ && learnt_->first == static_cast<const Text&>(inputs)) return learnt_->second;
  }
  Inputs plain = inputs;
  static_cast<Interventions&>(plain) = Interventions{};
  std::optional<ModelText> text = split_text(plain, model_->config(), *tokenizer_, stop);
  if (!text) return {};
  ModelRuns runs(model_, plain, true, std::move(*text), shape(), true, rules_, context, stop);
  Sampler greedy({}, 0);
  const Index most = runs.limited(max_target_tokens);
  if (!grow(runs, nullptr, most, greedy, *model_, *tokenizer_, {}).run) return {};
  LearntTarget target{ids_of({runs.growing().begin() + 1, runs.growing().end()}), runs.min_probability()};
  keep_learnt(plain, target);
  return target;
}

void ModelSource::keep_learnt(const Text& text, LearntTarget target) const {
  const std::lock_guard lock(learnt_mutex_);
  learnt_.emplace(text, std::move(target));
}

}  // namespace headscope
