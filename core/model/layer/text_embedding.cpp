#include "core/model/layer/text_embedding.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/base/matrix.h"
#include "core/model/layer/seen_keys.h"
#include "core/model/steps/positions.h"

namespace headscope {
namespace {

// The row of each token in the table of positions. RoBERTa counts from after the padding position, which
// padding tokens themselves use.
std::vector<Index> position_rows(const ModelConfig& config, bool decoder, const std::vector<Index>& ids) {
  std::vector<Index> rows;
  Index next = config.position_offset;
  for (const Index id : ids)
    rows.push_back(config.padding_has_own_position && id == config.position_offset - 1 ? id : next++);
  const auto longest = config.longest(decoder);
  if (longest && next - config.position_offset > *longest)
    throw input_error(counted("the text has {} token; this model has positions for at most {}",
                              "the text has {} tokens; this model has positions for at most {}", ids.size()),
                      ids.size(), *longest);
  return rows;
}

Tensor rows_of_table(const StoredMatrix& table, const std::vector<Index>& rows,
                     const ComputeContext& context) {
  Tensor taken = context.memory.take({std::ssize(rows), table.columns});
  for (std::size_t i = 0; i < rows.size(); ++i) table.copy_row(rows[i], context.kernels, taken.at(i));
  return taken;
}

// A file may have them in a table, rounded to its type.
Tensor sinusoids(const ModelConfig& config, const std::vector<Index>& positions,
                 const std::optional<StoredMatrix>& table, Index d, const ComputeContext& context) {
  Tensor rows = context.memory.take({std::ssize(positions), d});
  as_matrix(rows).setZero();
  for (std::size_t i = 0; i < positions.size(); ++i) {
    float* const row = rows.at(i);
    if (table && positions[i] < table->rows)
      table->copy_row(positions[i], context.kernels, row);
    else if (positions[i] >= config.position_offset)  // padding has none where it is not counted
      set_sinusoid(positions[i], config.sinusoid_to_end, row, d);
  }
  return rows;
}

/// Masked tokens as dropped out: no embedding, and for the others the share that was kept in training, over
/// that of this text (Rives et al. 2021).
void drop_masked(Index masked, const std::vector<Index>& ids, Index begin, Tensor& words) {
  constexpr double kept_in_training = 1 - 0.15 * 0.8;
  const Eigen::Map<const Eigen::Array<Index, 1, Eigen::Dynamic>> all(ids.data(), std::ssize(ids));
  const double kept = 1 - (all == masked).cast<double>().mean();
  for (Index i = 0; i < words.dim(0); ++i) {
    auto row = as_matrix(words).row(i);
    const double factor = ids[begin + i] == masked ? 0 : kept_in_training / kept;
    row = (row.cast<double>() * factor).cast<float>();
  }
}

template <typename Value>
std::vector<Value> part(const std::vector<Value>& all, Index begin, Index end) {
  return {all.begin() + begin, all.begin() + end};
}

}  // namespace

Tensor EmbeddingTerms::sum(const ComputeContext& context) const {
  Tensor x = context.memory.take(words.shape());
  std::copy_n(words.data(), words.size(), x.data());
  for (const Tensor* term : {&positions, &types})
    if (!term->empty()) as_matrix(x) += as_matrix(*term);
  return x;
}

EmbeddingTerms embedding_terms(const LanguageModel& model, bool decoder, const ModelInput& input, Index begin,
                               Index end, const ComputeContext& context, const std::stop_token& stop) {
  const ModelConfig& config = model.config();
  const std::vector<Index>& ids = decoder ? input.decoder_ids : input.ids;
  EmbeddingTerms terms;
  terms.words = rows_of_table(model.words(decoder), part(ids, begin, end), context);
  if (model.project_in() && !config.project_last)
    terms.words = multiply(*model.project_in(), terms.words, context, stop);
  as_matrix(terms.words) *= static_cast<float>(config.embedding_factor);
  if (config.dropped_token) drop_masked(*config.dropped_token, ids, begin, terms.words);
  const Index d = terms.words.dim(1);
  if (config.position_kind == PositionKind::learned)
    terms.positions = rows_of_table(*model.positions(decoder),
                                    part(position_rows(config, decoder, ids), begin, end), context);
  if (config.position_kind == PositionKind::sinusoidal)
    terms.positions = sinusoids(config, part(position_rows(config, decoder, ids), begin, end),
                                model.positions(decoder), d, context);
  if (const auto& table = model.token_types()) {
    std::vector<Index> types;
    const Index question = input.types.empty() ? question_length(config, input) : 0;
    for (Index i = begin; i < end; ++i)
      types.push_back(i < std::ssize(input.types) && !config.first_type_alone
                          ? std::clamp<Index>(input.types[i], 0, table->rows - 1)
                      : question > 0 && i >= question ? std::min<Index>(1, table->rows - 1)
                                                      : 0);
    terms.types = rows_of_table(*table, types, context);
  }
  return terms;
}

}  // namespace headscope
