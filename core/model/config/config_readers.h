#pragma once
#include <functional>
#include <optional>
#include <vector>

#include "core/model/config/config.h"
#include "core/model/config/config_fields.h"

namespace headscope {

// Fields common to several families.

using Names = ConfigFields::Names;

/// At least 1, and within the limits of all views, or beyond any model.
template <Index maximum>
Index read_size(const ConfigFields& config, Names names, Index fallback) {
  return config.whole(names, fallback, 1, maximum);
}
inline constexpr auto read_layers = read_size<1000>, read_heads = read_size<1000>;
inline constexpr auto read_width = read_size<Index{1} << 20>, read_inner_width = read_size<Index{1} << 24>;
inline constexpr auto read_token_count = read_size<Index{1} << 26>, read_positions = read_size<max_positions>;

/// Tables of positions that begin with rows for no position (BART, OPT).
inline constexpr Index table_rows_before = 2;

void read_vocabulary(const ConfigFields& config, Index fallback, ModelConfig& model);
double read_epsilon(const ConfigFields& config, Names names, double fallback);
/// A factor of the arithmetic, above 0.
double read_factor(const ConfigFields& config, const char* name, double fallback);
/// `text` is the field's value, or a part of it.
Activation named_activation(const ConfigFields& config, const char* name, const char* text);
Activation read_activation(const ConfigFields& config, const char* name, const char* fallback);

/// Rejects a field that changes the arithmetic and is not supported for any family.
void expect_not_set(const ConfigFields& config, const char* name);
/// The same for one that is true unless the file says otherwise.
void expect_set(const ConfigFields& config, const char* name);

/// Divides d_model equally among the heads.
void divide_by_heads(const ConfigFields& config, Names widths, Names heads, ModelConfig& model);

/// x + attention(norm x) + feed_forward(norm x), with one norm.
void set_parallel(ModelConfig& model);

/// ModelConfig::sliding_windows of the only stack or the decoder. `local` says whether a layer, from 0, has a
/// window, if the file has no list of layers.
void read_windows(const ConfigFields& config, std::optional<Index> window,
                  const std::function<bool(Index layer)>& local, ModelConfig& model);

/// `attention_window` of Longformer's kind, as keys less than so far away to either side.
std::vector<Index> read_attention_windows(const ConfigFields& config, Index layers);
/// None where the attention is full.
std::optional<BlockSparse> read_block_sparse(const ConfigFields& config);

/// Whether a token sees those behind it, as the flags that transformers' classes obey say: `is_decoder` of
/// BERT-like models, `is_causal` of any. To be called after read_windows().
void read_direction(const ConfigFields& config, ModelConfig& model);

/// What its architecture says that the output is, and the labels of that; the vocabulary's tokens, unless the
/// family has the head.
void read_output(const ConfigFields& config, ModelConfig& model);

/// The numbers of special tokens; what the file does not name stays as it is.
void read_tokens(const ConfigFields& config, ModelConfig& model);

}  // namespace headscope
