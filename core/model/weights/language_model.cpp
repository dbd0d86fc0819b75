#include "core/model/weights/language_model.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

#include "core/base/matrix.h"
#include "core/model/steps/activation.h"
#include "core/model/weights/model_files.h"
#include "core/model/weights/model_size.h"
#include "core/model/weights/weight_finder.h"
#include "core/system/machine_memory.h"

namespace headscope {
namespace {

TransformerStack find_stack(const WeightFinder& find, const StackNames& names, const LayerStack& size,
                            const ModelConfig& config) {
  TransformerStack stack;
  stack.size = size;
  stack.head_dim = head_dim_of(config, size);
  stack.value_dim = config.latent ? config.latent->d_v : stack.head_dim;
  if (size.layers == 0) return stack;
  const bool narrow = config.project_last && config.embedding_width > 0;
  if (config.embedding_norm)
    stack.first_norm = find.norm(names.first_norm, narrow ? config.embedding_width : config.d_model);
  if (config.last_norm) stack.last_norm = find.norm(names.last_norm, config.d_model);
  for (Index i = 0; i < size.layers; ++i) {
    const Index layer = size.stored.empty() ? i : size.stored[i];
    const auto same = std::ranges::find(size.stored, layer) - size.stored.begin();
    if (same < i && !size.stored.empty()) {
      stack.layers.push_back(stack.layers[same]);
      continue;
    }
    TransformerLayer& weights = stack.layers.emplace_back();
    AttentionNames self = names.self;
    if (layer == 0 && !config.first_layer_normed) self.norm = {};
    if (config.has_attention(layer)) weights.self = find.attention(self, size, layer);
    if (const Index from = size.keys_from(layer); from != layer) {
      const AttentionWeights& keys = stack.layers[from].self;
      weights.self.k = keys.k;
      weights.self.v = keys.v;
      weights.self.k_norm = keys.k_norm;
      weights.self.v_norm = keys.v_norm;
    }
    if (!config.has_attention(layer) || config.mixer_beside)
      weights.mixer =
          std::make_shared<const MixerWeights>(find.mixer(names.mixer, *config.state_mixer, layer));
    if (config.encoder_decoder() && !names.cross.q.empty()) {
      LayerStack all = size;
      all.kv_heads = all.heads;
      weights.cross = find.attention(names.cross, all, layer);
    }
    weights.feed_forward = find.feed_forward(names.feed_forward, size.d_ff_of(layer), layer);
    if (config.layer_embeddings)
      weights.embedding =
          std::make_shared<const LayerEmbeddingWeights>(find.layer_embedding(names, size, layer));
    if (config.alt_up)
      weights.alt_up = std::make_shared<const AltUpWeights>(find.alt_up(names.alt_up, layer));
    if (config.layer_factors) weights.factor = find.factor(names.layer_factor, layer);
    if (config.shared_norm) weights.feed_forward.norm = weights.self.norm;
  }
  for (Index stream = 1; config.alt_up && stream < config.alt_up->streams; ++stream) {
    const Index d = config.d_model;
    stack.split.push_back(find.dense(names.alt_up.split, d, d, false, stream - 1));
    stack.merge.push_back(find.dense(names.alt_up.merge, d, d, false, stream - 1));
  }
  return stack;
}

// Those of Funnel's blocks, and behind them those that are upsampled, by the decoder's names.
TransformerStack find_pooled_stack(const WeightFinder& find, const Family& names, const ModelConfig& config) {
  LayerStack pooled = config.encoder, more = config.encoder;
  more.layers = config.funnel->upsampled;
  pooled.layers -= more.layers;
  more.stored.clear();
  TransformerStack stack = find_stack(find, names.encoder, pooled, config);
  const TransformerStack upsampled = find_stack(find, names.decoder, more, config);
  stack.layers.insert(stack.layers.end(), upsampled.layers.begin(), upsampled.layers.end());
  stack.size = config.encoder;
  return stack;
}

// T5's tables [buckets, heads]: that of the first layer is shared by all of a stack, or each has its own.
std::vector<Tensor> find_relative_biases(const WeightFinder& find, const StackNames& names,
                                         const LayerStack& size, const ModelConfig& config,
                                         const Kernels& kernels) {
  if (size.layers == 0 || config.relative_buckets == 0) return {};
  const auto read = [&](std::string_view name, Index layer) {
    const StoredMatrix stored = find.matrix(name, config.relative_buckets, size.heads, layer);
    Tensor table({stored.rows, stored.columns});
    for (Index row = 0; row < stored.rows; ++row) stored.copy_row(row, kernels, table.at(row));
    return table;
  };
  std::vector<Tensor> tables;
  for (Index layer = 0; layer < (config.relative_bias_of_layers ? size.layers : 1); ++layer)
    tables.push_back(read(names.relative_bias, layer));
  if (!config.relative_bias_of_all) return tables;
  const Tensor of_all = read(names.relative_bias_of_all, 0);
  for (Tensor& table : tables) as_matrix(table) += as_matrix(of_all);
  return tables;
}

// DeBERTa's vectors of relative positions, normed once for all layers.
Tensor find_positions(const WeightFinder& find, const StackNames& names, const ModelConfig& config,
                      const ComputeContext& context) {
  if (!config.disentangled || config.disentangled->computed) return {};
  const StoredMatrix stored = find.matrix(names.positions, config.disentangled->rows(), config.d_model);
  Tensor vectors({stored.rows, stored.columns});
  for (Index row = 0; row < stored.rows; ++row) stored.copy_row(row, context.kernels, vectors.at(row));
  if (config.disentangled->normed)
    apply_norm(find.norm(names.positions_norm, config.d_model), vectors.data(), stored.rows, context);
  return vectors;
}

// 2^(-8 i / n) for head i of n, from 1; where n is no power of two, those of the largest below, and then
// every second of the next (Press et al. 2022, section 3).
Tensor alibi_slopes(Index heads) {
  const Index below = std::bit_floor(static_cast<std::size_t>(heads));
  Tensor slopes({heads});
  for (Index head = 0; head < heads; ++head) {
    const bool among = head < below;
    const double i = static_cast<double>(among ? head + 1 : 2 * (head - below) + 1);
    slopes.data()[head] =
        static_cast<float>(std::exp2(-8 * i / static_cast<double>(among ? below : 2 * below)));
  }
  return slopes;
}

SoundEmbedding find_sound_embedding(const WeightFinder& find, const ModelConfig& config) {
  const Index d = config.d_model;
  return {find.convolution("encoder.conv1", std::array{d, config.sound->bands, sound_taps}, true),
          find.convolution("encoder.conv2", std::array{d, d, sound_taps}, true),
          find.table("encoder.embed_positions.weight", config.positions, d)};
}

// Whether the model has an output head: by its architecture, or by tensors in the file.
bool has_head(const WeightFinder& find, const HeadNames& names, const ModelConfig& config) {
  if (config.output.kind != OutputKind::tokens) return true;
  if (config.picture) return false;
  static constexpr const char* words[] = {
      "LMHead", "ForCausalLM", "ForMaskedLM", "ForPreTraining", "ForConditionalGeneration", "MTModel"};
  for (const char* word : words)
    if (config.architecture.find(word) != std::string::npos) return true;
  // A head of another kind that the family is not read with, as BART's classifier.
  for (const char* word : {"Classification", "QuestionAnswering", "MultipleChoice"})
    if (config.architecture.find(word) != std::string::npos) return false;
  if (!names.transform.empty()) return !find.name_of(std::string(names.transform) + ".weight").empty();
  if (!config.has_decoder()) return false;  // T5's encoder alone
  return config.tie_embeddings || !find.name_of(names.output).empty();
}

OutputHead find_head(const WeightFinder& find, const HeadNames& names, const ModelConfig& config,
                     const StoredMatrix& words) {
  const bool of_tokens = config.output.kind == OutputKind::tokens;
  const bool two_behind_each_other = config.output.reads == OutputConfig::Reads::first_and_mean;
  const bool projected = of_tokens || !names.project_out.empty();
  const bool own_width = of_tokens && config.head_width > 0;
  const Index d = config.d_model, width = own_width               ? config.head_width
                                          : projected             ? words.columns
                                          : two_behind_each_other ? 2 * d
                                                                  : d;
  OutputHead head;
  if (!names.transform.empty()) {
    const Index inner = config.project_last ? width : d;
    head.transform = find.dense(names.transform, d, inner, config.output.transform_bias);
    head.activation = names.activation.value_or(
        config.output.kind == OutputKind::replaced ? config.activation : config.head_activation);
    head.norm = find.norm(names.norm, inner);
  } else if (projected && width != d) {
    head.project_out = find.dense(names.project_out, d, width, false);
  } else {
    head.norm = find.norm(names.norm, d);
  }
  if (!names.network.up.empty()) head.network = find.feed_forward(names.network, config.encoder.d_ff, 0);
  head.output.in = width;
  head.output.out = of_tokens                                    ? words.rows
                    : config.output.kind == OutputKind::replaced ? 1
                                                                 : std::ssize(config.output.labels);
  // Whatever config.json says: a file's own matrix is the output's.
  const std::string output = find.any_of(std::array{names.output, names.other_output});
  head.output.weight = output.empty() && config.tie_embeddings
                           ? words
                           : find.matrix(output.empty() ? names.output : output, head.output.out, width);
  if (const std::string bias = find.any_of(names.biases); !bias.empty())
    head.output.bias = find.vector(bias, head.output.out);
  if (!names.second_output.empty())
    head.second_output = find.dense(names.second_output, width, head.output.out, true);
  return head;
}

/// Whose table of embeddings.
enum class WordsOf { encoder, decoder, output };

/// Where it may be, the first that is there: a stack's own table, the one that both share, the other stack's,
/// and the output's if that is tied. An output has the shared one before the decoder's.
std::array<std::string_view, 4> words_names(const ModelConfig& config, WordsOf whose) {
  const Family& family = family_of(config);
  const std::string_view encoder = family.embedding.words[0], both = family.embedding.words[1],
                         decoder = family.embedding.decoder_words,
                         output = config.tie_embeddings ? family.head.output : "";
  const bool of_encoder = whose == WordsOf::encoder;
  if (!config.shared_embeddings) return {of_encoder ? encoder : decoder, of_encoder ? "" : output};
  if (of_encoder || decoder.empty()) return {encoder, both, decoder, output};
  if (whose == WordsOf::decoder) return {decoder, both, encoder, output};
  return {both, decoder, encoder, output};
}

StoredMatrix find_words(const WeightFinder& find, const ModelConfig& config, WordsOf whose) {
  const std::array<std::string_view, 4> names = words_names(config, whose);
  const std::string_view both = family_of(config).embedding.words[1];
  std::string name = find.any_of(names);
  if (name.empty()) name = both.empty() || !config.shared_embeddings ? names[0] : both;
  const Index width = config.embedding_width > 0 ? config.embedding_width : config.d_model;
  return find.matrix(name, whose == WordsOf::encoder ? config.vocabulary : config.decoder_vocabulary, width);
}

}  // namespace

bool ties_embeddings(const ModelConfig& config, const WeightFiles& files) {
  const Family& family = family_of(config);
  if (!config.tie_embeddings || family.head.output.empty()) return config.tie_embeddings;
  const WeightFinder find(files, config);
  const std::string own = find.any_of(std::array{family.head.output, family.head.other_output}),
                    words = config.shared_embeddings ? find.any_of(family.embedding.words)
                                                     : find.name_of(family.embedding.decoder_words);
  return own.empty() || words.empty() || find.same(own, words);
}

Index head_dim_of(const ModelConfig& config, const LayerStack& size, Index layer) {
  if (!size.head_dims.empty()) return size.head_dims[layer];
  const bool by_stack = config.encoder_decoder() && config.position_kind != PositionKind::relative;
  return by_stack && size.heads > 0 ? config.d_model / size.heads : config.head_dim;
}

std::shared_ptr<const LanguageModel> LanguageModel::open(const std::string& folder, ModelConfig config,
                                                         const ComputeContext& context,
                                                         LoadProgress* progress, WeightCheck check) {
  return open(*ModelFiles::open(folder), folder, std::move(config), context, progress, check);
}

std::shared_ptr<const LanguageModel> LanguageModel::open(const ModelFiles& files, const std::string& path,
                                                         ModelConfig config, const ComputeContext& context,
                                                         LoadProgress* progress, WeightCheck check) {
  WeightFiles weights = files.weights();
  constexpr std::size_t small = std::size_t{64} << 20;  // the query takes longer than opening a small one
  if (weights.total_bytes() > small) check_weights_fit(path, weights.total_bytes(), available_memory());
  return std::make_shared<LanguageModel>(std::move(config), std::move(weights), context, progress, check);
}

namespace {

/// ESM's files have the rotary frequencies, which its class reads: rounded ones are not those computed here.
void expect_computed_frequencies(const ModelConfig& config, const WeightFiles& files) {
  if (config.family != ModelFamily::esm) return;
  for (const auto& [name, view] : files.tensors())
    if (is_buffer(config, name) && view.type_name != "float32" && view.type_name != "float64")
      throw input_error("{}: rotary frequencies of type {}; expected float32, as they are computed",
                        files.where(name), view.type_name);
}

}  // namespace

LanguageModel::LanguageModel(ModelConfig config, WeightFiles files, const ComputeContext& context,
                             LoadProgress* progress, WeightCheck check)
    : config_(std::move(config)), files_(std::move(files)) {
  config_.tie_embeddings = ties_embeddings(config_, files_);
  expect_computed_frequencies(config_, files_);
  const Family& names = family();
  const WeightFinder find(files_, config_);
  const Index d = config_.d_model;
  const bool narrow = config_.project_last && config_.embedding_width > 0;
  if (config_.picture)
    picture_ = find_picture_embedding(find, config_);
  else
    words_ = find_words(find, config_, WordsOf::encoder);
  if (config_.sound) sound_ = find_sound_embedding(find, config_);
  const Index width = picture_ ? d : words_.columns;
  if (width != d || narrow) project_in_ = find.dense(names.embedding.project_in, width, d, narrow);
  if (config_.encoder_decoder()) decoder_words_ = find_words(find, config_, WordsOf::decoder);
  const bool computed = config_.position_kind == PositionKind::sinusoidal;
  const bool has_table = computed && !find.any_of(std::array{names.embedding.positions}).empty();
  if ((config_.position_kind == PositionKind::learned && !picture_) || has_table)
    positions_ = find.matrix(names.embedding.positions, config_.positions, narrow ? width : d);
  if (positions_ && config_.encoder_decoder())
    decoder_positions_ =
        find.matrix(names.embedding.decoder_positions,
                    config_.decoder_positions > 0 ? config_.decoder_positions : config_.positions, d);
  if (config_.token_types > 0 && !names.embedding.types.empty())
    types_ = find.matrix(names.embedding.types, config_.token_types, narrow ? width : d);
  encoder_ = config_.funnel ? find_pooled_stack(find, names, config_)
                            : find_stack(find, names.encoder, config_.encoder, config_);
  decoder_ = find_stack(find, names.decoder, config_.decoder, config_);
  encoder_.relative_biases =
      find_relative_biases(find, names.encoder, config_.encoder, config_, context.kernels);
  decoder_.relative_biases =
      find_relative_biases(find, names.decoder, config_.decoder, config_, context.kernels);
  encoder_.positions = find_positions(find, names.encoder, config_, context);
  if (config_.convolution) encoder_.convolution = find.token_convolution(names.encoder, *config_.convolution);
  if (config_.position_kind == PositionKind::linear) decoder_.slopes = alibi_slopes(config_.decoder.heads);
  if (const HeadNames head = head_names(config_, config_.output.kind); has_head(find, head, config_))
    head_ = find_head(find, head, config_, picture_ ? words_ : find_words(find, config_, WordsOf::output));
  tower_head_ = find_tower_head(find, config_);
  read_tensors_ = find.found();
  if (check == WeightCheck::numbers) find.check_finite(context, progress);
  files_.check_whole();
}

namespace {

/// `all`: of all layers.
std::vector<ModelBlock> pooled_blocks(const Funnel& funnel, const ModelBlock& all) {
  std::vector<ModelBlock> blocks;
  const auto add = [&](BlockKind kind, Index layers) {
    const Index first = blocks.empty() ? 0 : blocks.back().first + blocks.back().layers;
    if (layers == 0) return;
    blocks.push_back(all);
    blocks.back().kind = kind;
    blocks.back().layers = layers;
    blocks.back().first = first;
  };
  constexpr std::pair<BlockKind, BlockKind> kinds[] = {{BlockKind::pooling_2, BlockKind::block_2},
                                                       {BlockKind::pooling_3, BlockKind::block_3},
                                                       {BlockKind::pooling_4, BlockKind::block_4}};
  add(BlockKind::self, funnel.layers.front());
  for (Index block = 1; block < funnel.blocks(); ++block) {
    const auto [pooling, others] = kinds[block - 1];
    const Index alone = funnel.queries_alone ? 1 : 0;
    add(pooling, alone);
    add(others, funnel.layers[block] - alone);
  }
  add(BlockKind::upsampled, funnel.upsampled);
  return blocks;
}

}  // namespace

StackPlace LanguageModel::in_stack(BlockKind block, Index layer) const {
  if (!continues_stack(block)) return {block, layer};
  const std::vector<ModelBlock> all = blocks();
  return {BlockKind::self, std::ranges::find(all, block, &ModelBlock::kind)->first + layer};
}

std::vector<ModelBlock> LanguageModel::blocks() const {
  const auto block = [&](BlockKind kind, const LayerStack& size, bool causal) {
    const Index d_k = head_dim_of(config_, size), d_v = config_.latent ? config_.latent->d_v : d_k;
    Index heads = size.heads;
    for (Index layer = 0; layer < std::ssize(config_.mixers); ++layer)
      heads = std::max(heads, config_.heads_of(layer));
    const Index kv_heads = size.layers > 0 ? size.kv_heads_of(0) : size.kv_heads;
    return ModelBlock{kind, size.layers, heads, kv_heads, config_.d_model, d_k, d_v, causal};
  };
  if (config_.mixer_beside) {
    const StateMixer& mixer = *config_.state_mixer;
    return {block(BlockKind::self, config_.body(), config_.causal),
            {BlockKind::state, config_.body().layers, mixer.heads, mixer.heads, config_.d_model, mixer.d_k,
             mixer.d_v, true}};
  }
  if (config_.funnel) return pooled_blocks(*config_.funnel, block(BlockKind::self, config_.encoder, false));
  if (!config_.encoder_decoder()) return {block(BlockKind::self, config_.body(), config_.causal)};
  LayerStack cross = config_.decoder;
  cross.kv_heads = cross.heads;
  return {block(BlockKind::encoder, config_.encoder, false), block(BlockKind::decoder, config_.decoder, true),
          block(BlockKind::cross, cross, false)};
}

const TransformerStack& LanguageModel::stack(BlockKind kind) const {
  if (kind == BlockKind::encoder) return encoder_;
  return config_.has_decoder() ? decoder_ : encoder_;
}

Tensor LanguageModel::logits(const float* stream, Index n, const ComputeContext& context,
                             const std::stop_token& stop) const {
  if (!head_ || n == 0) return {};
  const Norm& last = stack(BlockKind::decoder).last_norm;
  Tensor x = context.memory.take({n, config_.d_model});
  std::copy_n(stream, x.size(), x.data());
  if (last.present() && !config_.output.before_last_norm) apply_norm(last, x.data(), n, context);
  if (config_.output_factor != 1) as_matrix(x) *= static_cast<float>(config_.output_factor);
  if (config_.output.of_whole() && n > 1) x = read_rows(x, context);
  if (head_->transform) {
    x = multiply(*head_->transform, x, context, stop);
    apply_activation(head_->activation, x, {}, context);
  }
  if (head_->norm.present()) apply_norm(head_->norm, x.data(), x.dim(0), context);
  if (const auto& network = head_->network) {
    Tensor inner = multiply(network->up, x, context, stop);
    apply_activation(config_.activation, inner, {}, context);
    const Tensor given = multiply(network->down, inner, context, stop);
    as_matrix(x) += as_matrix(given);
    apply_norm(network->norm, x.data(), x.dim(0), context);
  }
  if (head_->project_out) x = multiply(*head_->project_out, x, context, stop);
  Tensor logits = multiply(head_->output, x, context, stop);
  if (head_->second_output) {
    const Tensor second = multiply(*head_->second_output, x, context, stop);
    Tensor both = context.memory.take({1, outputs()});
    as_matrix(both) = (as_matrix(logits).row(0) + as_matrix(second).row(1)) / 2;
    logits = both;
  }
  if (config_.output.of_whole() && config_.output.reads == OutputConfig::Reads::mean_of_logits) {
    Tensor mean = context.memory.take({1, outputs()});
    as_matrix(mean) = as_matrix(logits).cast<double>().colwise().mean().cast<float>();
    logits = mean;
  }
  if (config_.logit_cap > 0) {
    const auto cap = static_cast<float>(config_.logit_cap);
    as_matrix(logits) = cap * (as_matrix(logits).array() / cap).tanh();
  }
  if (config_.output.kind != OutputKind::replaced) return logits;
  // The sigmoid of its logit is the softmax of 0 and that.
  Tensor both = context.memory.take({n, 2});
  as_matrix(both).col(0).setZero();
  as_matrix(both).col(1) = as_matrix(logits).col(0);
  return both;
}

Index LanguageModel::outputs() const {
  if (!head_) return 0;
  return config_.output.kind == OutputKind::tokens ? head_->output.out : std::ssize(config_.output.labels);
}

std::optional<std::pair<Index, Index>> LanguageModel::text_rows(std::span<const Index> ids) const {
  if (!config_.output.of_whole()) return {};
  const Index n = std::ssize(ids);
  switch (config_.output.reads) {
    case OutputConfig::Reads::first:
      return {{0, 1}};
    case OutputConfig::Reads::last: {
      // The first if all are padding.
      const auto is_padding = [&](Index id) { return id == config_.output.padding; };
      const auto after = std::find_if_not(ids.rbegin(), ids.rend(), is_padding).base() - ids.begin();
      return {{std::max<Index>(after - 1, 0), std::max<Index>(after, 1)}};
    }
    case OutputConfig::Reads::end: {
      const auto ends = [&](Index id) {
        return std::ranges::find(config_.eos_tokens, id) != config_.eos_tokens.end();
      };
      const auto after = std::find_if(ids.rbegin(), ids.rend(), ends).base() - ids.begin();
      return after > 0 ? std::pair(after - 1, after) : std::pair(n - 1, n);
    }
    case OutputConfig::Reads::first_two:
      return {{0, 2}};
    case OutputConfig::Reads::first_and_mean:
    case OutputConfig::Reads::mean_of_logits:
      return {{0, n}};
    case OutputConfig::Reads::mean:
      break;
  }
  return {{config_.picture ? config_.picture->first_patch() : 0, n}};
}

Tensor LanguageModel::read_rows(const Tensor& rows, const ComputeContext& context) const {
  const Index d = config_.d_model;
  const bool with_first = config_.output.reads == OutputConfig::Reads::first_and_mean;
  if (!with_first && config_.output.reads != OutputConfig::Reads::mean) return rows;
  const Index left_out = with_first && config_.picture ? config_.picture->first_patch() : 0;
  Tensor read = context.memory.take({1, with_first ? 2 * d : d});
  as_matrix(read).rightCols(d) =
      as_matrix(rows).bottomRows(rows.dim(0) - left_out).cast<double>().colwise().mean().cast<float>();
  if (with_first) as_matrix(read).leftCols(d) = as_matrix(rows).row(0);
  return read;
}

}  // namespace headscope
