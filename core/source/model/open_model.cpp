#include "core/source/model/open_model.h"

#include "core/source/engine.h"
#include "core/source/model/model_source.h"
#include "core/source/model/model_text.h"

namespace headscope {

std::optional<OpenModel> find_open_model(OpenSources& sources, const std::string& name) {
  const auto model = sources.find_model(name);
  if (!model) return {};
  return OpenModel{model, model->model().config().encoder_decoder()};
}

std::string decoder_text(const Trace& trace) {
  const auto* model = dynamic_cast<const ModelSource*>(trace.source.get());
  if (model == nullptr) return {};
  if (has_word_tokens(model->tokenizer()))
    for (const BlockTrace& block : trace.blocks)
      if (block.shape.kind == BlockKind::decoder && !block.tokens.empty())
        return joined_words({}, std::span(block.tokens).subspan(1));
  if (trace.translation) return trace.translation->text;
  std::vector<TokenId> ids;
  for (const BlockTrace& block : trace.blocks)
    if (block.shape.kind == BlockKind::decoder)
      for (const Token& token : block.tokens) ids.push_back(static_cast<TokenId>(token.id));
  if (ids.empty()) return {};
  return model->tokenizer().decode(std::span(ids).subspan(1), true);
}

}  // namespace headscope
