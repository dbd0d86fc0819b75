#pragma once
#include <stop_token>
#include <vector>

#include "core/model/layer/model_request.h"
#include "core/model/weights/language_model.h"

namespace headscope {

/// What is added up for rows of a text before the embedding's norm, each [rows, width of the embedding].
struct EmbeddingTerms {
  Tensor words;             ///< projected to d_model unless that comes after the norm
  Tensor positions, types;  ///< empty: none
  Tensor sum(const ComputeContext& context) const;
};

/// Of rows [begin, end) of the text, or of the decoder's. Throws Error (input) for more tokens than
/// positions.
EmbeddingTerms embedding_terms(const LanguageModel& model, bool decoder, const ModelInput& input, Index begin,
                               Index end, const ComputeContext& context, const std::stop_token& stop = {});

}  // namespace headscope
